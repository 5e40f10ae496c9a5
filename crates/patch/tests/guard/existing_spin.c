existing &m
#define _GNU_SOURCE
#include <pthread.h>

int x, y;
pthread_spinlock_t m;

void f(int c) {
    pthread_spin_lock(&m);
    x++;
    pthread_spin_unlock(&m);
    c++;
    @1x += c;
}
==========
#define _GNU_SOURCE
#include <pthread.h>

int x, y;
pthread_spinlock_t m;

void f(int c) {
    pthread_spin_lock(&m);
    x++;
    pthread_spin_unlock(&m);
    c++;
    pthread_spin_lock(&m);
    x += c;
    pthread_spin_unlock(&m);
}
