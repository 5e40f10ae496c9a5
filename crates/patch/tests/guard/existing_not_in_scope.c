existing &q->lock
#include <pthread.h>

struct queue {
	pthread_mutex_t lock;
	int head, tail;
};

struct queue global;

void put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->tail++;
	pthread_mutex_unlock(&q->lock);
}

void get(void)
{
	@1global.head++;
}
==========
refused: `q` of `&q->lock` is not in scope there
