/* <time.h>: dates. Which date a time is depends on the place, so that only the ranges of its parts are known. */
#include "model.h"

struct __unravel_date {
    int second, minute, hour, day, month, year, weekday, day_of_year, summer;
    long offset;
    const char *zone;
};
typedef struct __unravel_date Date;

/* Field by field: a range at a place that is not known is hard. */
static void __unravel_reads_date(const volatile Date *date) {
    (void)date->second, (void)date->minute, (void)date->hour, (void)date->day, (void)date->month;
    (void)date->year, (void)date->weekday, (void)date->day_of_year, (void)date->summer;
}

/* The last second of a year that fits. */
#define LAST_DATE (sizeof(long) == 8 ? 67768036191676799ll : 0x7fffffffll)

static const char __unravel_zone[] = "UTC";

static Date *__unravel_date_of(long time, Date *to) {
    if (time > LAST_DATE || time < -LAST_DATE)
        return (void)FAIL(EOVERFLOW), (Date *)0;
    to->second = (int)between(0, 0, 60);
    to->minute = (int)between(0, 0, 59);
    to->hour = (int)between(12, 0, 23);
    to->day = (int)between(1, 1, 31);
    to->month = (int)between(0, 0, 11);
    to->year = (int)between(123, -0x80000000ll, 0x7fffffff);
    to->weekday = (int)between(0, 0, 6);
    to->day_of_year = (int)between(0, 0, 365);
    to->summer = (int)between(0, 0, 1);
    to->offset = (long)between(0, -86400, 86400);
    to->zone = __unravel_zone;
    return DONE(to);
}

/* One for all threads, as the real one is. */
static Date __unravel_date;
static char __unravel_date_text[26];

Date *localtime_r(const long *time, Date *to) { return __unravel_date_of(*time, to); }
Date *gmtime_r(const long *time, Date *to) { return __unravel_date_of(*time, to); }
Date *localtime(const long *time) { return __unravel_date_of(*time, &__unravel_date); }
Date *gmtime(const long *time) { return __unravel_date_of(*time, &__unravel_date); }

/* `Sun Sep 16 01:03:52 1973`, and a line feed. */
char *asctime_r(const Date *date, char *to) {
    __unravel_reads_date(date);
    outside_text(to, 24, 25);
    to[24] = '\n';
    to[25] = 0;
    return to;
}
char *ctime_r(const long *time, char *to) {
    Date date;
    return __unravel_date_of(*time, &date) ? asctime_r(&date, to) : 0;
}
char *asctime(const Date *date) { return asctime_r(date, __unravel_date_text); }
char *ctime(const long *time) { return ctime_r(time, __unravel_date_text); }

long mktime(Date *date) {
    __unravel_reads_date(date);
    long time = (long)between(1700000000, -1, 1ll << (sizeof(long) == 8 ? 55 : 30));
    if (time == -1)
        return FAIL(EOVERFLOW);
    __unravel_date_of(time, date);
    return time;
}
long timegm(Date *date) { return mktime(date); }

size_t strftime(char *to, size_t n, const char *format, const Date *date) {
    text(format);
    __unravel_reads_date(date);
    if (!n)
        return 0;
    size_t length = (size_t)between(n > 8 ? 8 : 0, 0, (long long)n - 1);
    outside_text(to, length, n);
    return length;
}
void tzset(void) {}
