/* unravel-corpus
 * title: the saver clears the mark after it has saved; a change made meanwhile is never saved
 * stands-for: a mistake C programmers make: a dirty flag that is cleared after the work
 * verdict: unsafe
 * property: reach
 * at: check
 * pattern: atomicity violation
 * orders: save < change, mark < clear
 * repair: widen, join, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

/* Settings and what of them is on the disk. Every member is used under the lock. */
struct settings {
    pthread_mutex_t lock;
    int volume;
    bool dirty; /* must be saved */
    int saved_volume;
};

static struct settings settings = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .volume = 1, .dirty = true};

static void settings_save(struct settings *s) {
    pthread_mutex_lock(&s->lock);
    s->saved_volume = s->volume; //@save
    pthread_mutex_unlock(&s->lock);

    pthread_mutex_lock(&s->lock);
    s->dirty = false; //@clear
    pthread_mutex_unlock(&s->lock);
}

static void *turn_up(void *arg) {
    struct settings *s = arg;

    pthread_mutex_lock(&s->lock);
    s->volume = 2;   //@change
    s->dirty = true; //@mark
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

int main(void) {
    pthread_t knob;

    pthread_create(&knob, NULL, turn_up, &settings);
    settings_save(&settings);
    pthread_join(knob, NULL);
    assert(settings.dirty || settings.saved_volume == settings.volume); //@check
    return 0;
}
