/* unravel-corpus
 * title: the totals are copied without the lock, between the two changes of a sale
 * stands-for: an everyday program: an inventory with a report
 * verdict: unsafe
 * property: reach
 * at: check
 * fault: shelf, cart
 * pattern: atomicity violation
 * repair: mutex
 * patch: inventory.c
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "inventory.h"
#include "report.h"

#define PIECES 10

static void *customer(void *arg) {
    int pieces = *(const int *)arg;

    inventory_take(pieces);
    if (pieces > 2)
        inventory_return(1); /* changed her mind */
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t customers[2];
    int wanted[2] = {2, 3};

    if (argc == 3) {
        wanted[0] = atoi(argv[1]);
        wanted[1] = atoi(argv[2]);
    }
    inventory_init(PIECES);
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&customers[i], NULL, customer, &wanted[i]) != 0) {
            perror("pthread_create");
            return 1;
        }
    }
    int sum = report_print("at noon");
    assert(sum == PIECES); //@check
    for (int i = 0; i < 2; i++)
        pthread_join(customers[i], NULL);
    printf("%d pieces\n", report_print("in the evening"));
    return 0;
}
