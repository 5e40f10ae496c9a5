/* unravel-corpus
 * title: the mark is cleared and the settings are saved in one critical section
 * stands-for: a mistake C programmers make: a dirty flag that is cleared after the work, avoided
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

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
    s->dirty = false;            //@clear
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
    printf("volume %d\n", settings.volume);
    return 0;
}
