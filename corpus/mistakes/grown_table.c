/* unravel-corpus
 * title: a thread keeps a pointer into a table that another one replaces by a larger one
 * stands-for: a mistake C programmers make: a pointer to an element of an array that can move
 * verdict: unsafe
 * property: memory
 * at: score
 * pattern: atomicity violation
 * orders: element < move, free < score
 * repair: widen, mutex, signal-wait, join
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The players of a game; the lock guards the table. */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int *scores;
static int players = 1;

static int *score_of(int player) {
    pthread_mutex_lock(&table_lock);
    int *score = &scores[player]; //@element
    pthread_mutex_unlock(&table_lock);
    return score;
}

static void *play(void *arg) {
    int *score = score_of(0);

    *score = 10; //@score
    return arg;
}

static void add_player(void) {
    pthread_mutex_lock(&table_lock);
    int *larger = calloc((size_t)players + 1, sizeof *larger);
    memcpy(larger, scores, (size_t)players * sizeof *larger); //@copy
    free(scores); //@free
    scores = larger; //@move
    players++;
    pthread_mutex_unlock(&table_lock);
}

int main(void) {
    pthread_t first;

    scores = calloc(1, sizeof *scores);
    pthread_create(&first, NULL, play, NULL);
    add_player();
    pthread_join(first, NULL);
    free(scores);
    return 0;
}
