/* unravel-corpus
 * title: delete and insert reach the table and its log in different orders
 * stands-for: ConcBugAssist, Table 1, mysql-169
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: delete < insert, log_insert < log_delete; insert < delete, log_delete < log_insert
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>

static int table_rows, log_rows;

static void *delete_all(void *arg) {
    (void)arg;
    table_rows = 0; //@delete
    log_rows = 0;   //@log_delete
    return NULL;
}

static void *insert_row(void *arg) {
    (void)arg;
    table_rows = 1; //@insert
    log_rows = 1;   //@log_insert
    return NULL;
}

int main(void) {
    pthread_t deleter, inserter;

    pthread_create(&deleter, NULL, delete_all, NULL);
    pthread_create(&inserter, NULL, insert_row, NULL);
    pthread_join(deleter, NULL);
    pthread_join(inserter, NULL);
    assert(table_rows == log_rows); //@check
    return 0;
}
