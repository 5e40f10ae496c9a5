/* unravel-corpus
 * title: the engraver may look for the plate before the smith has made it, and the plate stays blank
 * stands-for: Alves et al., Table 3, bigshot_p
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: order violation
 * orders: look < make
 * repair: signal-wait, join
 * differs: made before it is looked for, the plate is engraved: no value is wrong, only the order in which the two come
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 8

static char *plate;

static void *smith(void *arg) {
    plate = malloc(LETTERS); //@make
    return arg;
}

static void *engraver(void *arg) {
    if (plate != NULL) //@look
        strcpy(plate, "Baker");
    return arg;
}

int main(void) {
    pthread_t makes, engraves;

    pthread_create(&makes, NULL, smith, NULL);
    pthread_create(&engraves, NULL, engraver, NULL);
    pthread_join(makes, NULL);
    pthread_join(engraves, NULL);
    assert(plate == NULL || plate[0] == 'B'); //@check
    free(plate);
    return 0;
}
