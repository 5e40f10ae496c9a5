/* unravel-corpus
 * title: a queue has a send of its own, in a file that is not given
 * stands-for: a corner of what a program means
 * verdict: inconclusive
 */
#include <assert.h>

struct queue {
    int length;
};

int send(struct queue *queue, int value);

static struct queue queue;

int main(void) {
    send(&queue, 3);
    assert(queue.length == 0);
    return 0;
}
