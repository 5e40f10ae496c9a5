/* unravel-corpus
 * title: the table stays locked until its log is written
 * stands-for: ConcBugAssist, Table 1, mysql-169, repaired
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static int table_rows, log_rows;

static void *delete_all(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table_lock);
    table_rows = 0; //@delete
    log_rows = 0;   //@log_delete
    pthread_mutex_unlock(&table_lock);
    return NULL;
}

static void *insert_row(void *arg) {
    (void)arg;
    pthread_mutex_lock(&table_lock);
    table_rows = 1; //@insert
    log_rows = 1;   //@log_insert
    pthread_mutex_unlock(&table_lock);
    return NULL;
}

int main(void) {
    pthread_t deleter, inserter;

    pthread_create(&deleter, NULL, delete_all, NULL);
    pthread_create(&inserter, NULL, insert_row, NULL);
    pthread_join(deleter, NULL);
    pthread_join(inserter, NULL);
    assert(table_rows == log_rows); //@check
    printf("the log agrees with the table\n");
    return 0;
}
