/* unravel-corpus
 * title: two threads write a name into the same buffer, one after the other
 * stands-for: strcpy, strcmp, strlen, strcat, strncpy, strchr
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char user[8] = "";

static void *log_in(void *arg) {
    pthread_mutex_lock(&m);
    strcpy(user, arg);
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    char greeting[16] = "hi ", short_name[4];
    pthread_create(&a, NULL, log_in, "ann");
    pthread_create(&b, NULL, log_in, "bob");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(strcmp(user, "ann") == 0 || strcmp(user, "bob") == 0);
    assert(strlen(user) == 3);
    strncpy(short_name, "you there", 3);
    short_name[3] = '\0';
    strcat(greeting, short_name);
    printf("%s (%d)\n", greeting, (int)(strchr(greeting, 'y') - greeting));
    return 0;
}
