existing &f->lock or &flight.lock
#include <pthread.h>
#include <stdbool.h>

struct flight {
    pthread_mutex_t lock;
    int seats;
};

static struct flight flight;

static bool has_seat(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    bool has = f->seats > 0;
    pthread_mutex_unlock(&f->lock);
    return has;
}

static int sell(struct flight *f) {
    pthread_mutex_lock(&f->lock);
    if (f->seats == 0) {
        pthread_mutex_unlock(&f->lock);
        return -1;
    }
    f->seats--@2;
    pthread_mutex_unlock(&f->lock);
    return 0;
}

bool serve(void) {
    if (!@1has_seat(&flight))
        return false;
    return @1sell(&flight) == 0;
}

bool look(struct flight *other) {
    return has_seat(other);
}
==========
#include <pthread.h>
#include <stdbool.h>

struct flight {
    pthread_mutex_t lock;
    int seats;
};

static struct flight flight;

static bool has_seat(struct flight *f) {
    bool has = f->seats > 0;
    return has;
}

static int sell(struct flight *f) {
    if (f->seats == 0) {
        return -1;
    }
    f->seats--;
    return 0;
}

bool serve(void) {
    pthread_mutex_lock(&flight.lock);
    if (!has_seat(&flight)) {
        pthread_mutex_unlock(&flight.lock);
        return false;
    }
    bool result = sell(&flight) == 0;
    pthread_mutex_unlock(&flight.lock);
    return result;
}

bool look(struct flight *other) {
    pthread_mutex_lock(&other->lock);
    bool result2 = has_seat(other);
    pthread_mutex_unlock(&other->lock);
    return result2;
}
