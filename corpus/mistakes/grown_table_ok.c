/* unravel-corpus
 * title: a score is changed under the lock of the table, by its index
 * stands-for: a mistake C programmers make: a pointer to an element of an array that can move, avoided
 * verdict: safe
 * output: deterministic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The players of a game; the lock guards the table. */
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int *scores;
static int players = 1;

static void score_set(int player, int score) {
    pthread_mutex_lock(&table_lock);
    scores[player] = score; //@score
    pthread_mutex_unlock(&table_lock);
}

static void *play(void *arg) {
    score_set(0, 10);
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
    printf("%d players, score %d\n", players, scores[0]);
    free(scores);
    return 0;
}
