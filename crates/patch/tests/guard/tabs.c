new xy_lock
#include <pthread.h>

int x, y;

void *f(void *arg)
{
	(void)arg;
	if (arg)
	{
		@1x++;
	}
	@2y++;
	return NULL;
}
==========
#include <pthread.h>

int x, y;
static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;

void *f(void *arg)
{
	(void)arg;
	if (arg)
	{
		pthread_mutex_lock(&xy_lock);
		x++;
		pthread_mutex_unlock(&xy_lock);
	}
	pthread_mutex_lock(&xy_lock);
	y++;
	pthread_mutex_unlock(&xy_lock);
	return NULL;
}
