/* unravel-corpus
 * title: the calls of list_add are surrounded by a lock
 * stands-for: ConcBugAssist, Figure 9, list_seq with the repair the text ranks first
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define MAX_SIZE 4

typedef struct list { //@L1
    int arr[MAX_SIZE]; //@L2
    size_t open;       //@L3
} list_t;
static list_t gl; //@L4
static pthread_mutex_t gl_lock = PTHREAD_MUTEX_INITIALIZER;

static void list_add(list_t *s, int i) { //@L6
    s->arr[s->open] = i; //@L7
    s->open += 1;        //@L8
}

static bool list_contains(const list_t *s, int i) {
    for (size_t k = 0; k < MAX_SIZE; k++)
        if (s->arr[k] == i)
            return true;
    return false;
}

static void *t1_main(void *arg) { //@L10
    int val; //@L11
    (void)arg;
    val = 1; //@L12
    pthread_mutex_lock(&gl_lock);
    list_add(&gl, val); //@L13
    pthread_mutex_unlock(&gl_lock);
    return NULL; //@L14
}

static void *t2_main(void *arg) { //@L16
    int val; //@L17
    (void)arg;
    val = 2; //@L18
    pthread_mutex_lock(&gl_lock);
    list_add(&gl, val); //@L19
    pthread_mutex_unlock(&gl_lock);
    return NULL; //@L20
}

int main(void) { //@L22
    pthread_t t1, t2; //@L23
    pthread_create(&t1, NULL, t1_main, NULL); //@L24
    pthread_create(&t2, NULL, t2_main, NULL); //@L25
    pthread_join(t1, NULL); //@L26
    pthread_join(t2, NULL); //@L27
    assert(list_contains(&gl, 1) && list_contains(&gl, 2)); //@L28
    printf("%zu elements\n", gl.open);
    return 0; //@L30
}
