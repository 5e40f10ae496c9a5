existing &q->lock
#include <pthread.h>

struct queue {
	pthread_mutex_t lock;
	int head, tail;
};

void put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->tail++;
	pthread_mutex_unlock(&q->lock);
}

int get(struct queue *q)
{
	if (@1q->head == q->tail)
		return -1;
	return @1q->head++;
}

int size(struct queue *q)
{
	return @2q->tail - q->head;
}
==========
#include <pthread.h>

struct queue {
	pthread_mutex_t lock;
	int head, tail;
};

void put(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	q->tail++;
	pthread_mutex_unlock(&q->lock);
}

int get(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	if (q->head == q->tail) {
		pthread_mutex_unlock(&q->lock);
		return -1;
	}
	int result = q->head++;
	pthread_mutex_unlock(&q->lock);
	return result;
}

int size(struct queue *q)
{
	pthread_mutex_lock(&q->lock);
	int result2 = q->tail - q->head;
	pthread_mutex_unlock(&q->lock);
	return result2;
}
