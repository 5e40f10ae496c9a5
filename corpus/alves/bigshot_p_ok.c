/* unravel-corpus
 * title: the plate is made before the engraver comes
 * stands-for: Alves et al., Table 3, bigshot_p, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
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
    pthread_join(makes, NULL);
    pthread_create(&engraves, NULL, engraver, NULL);
    pthread_join(engraves, NULL);
    assert(plate[0] == 'B'); //@check
    printf("%s\n", plate);
    free(plate);
    return 0;
}
