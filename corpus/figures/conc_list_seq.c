/* unravel-corpus
 * title: a sequential array list is filled by two threads; one element overwrites the other
 * stands-for: ConcBugAssist, Figure 9 (thesis, Figure 5.1), list_seq
 * verdict: unsafe
 * property: reach
 * at: L28
 * pattern: atomicity violation
 * orders: L7 < L8, L7 < L8; L7 < L8, L8 < L8
 * repair: mutex, signal-wait
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define MAX_SIZE 4

typedef struct list { //@L1
    int arr[MAX_SIZE]; //@L2
    size_t open;       //@L3
} list_t;
static list_t gl; //@L4

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
    val = 1;            //@L12
    list_add(&gl, val); //@L13
    return NULL;        //@L14
}

static void *t2_main(void *arg) { //@L16
    int val; //@L17
    (void)arg;
    val = 2;            //@L18
    list_add(&gl, val); //@L19
    return NULL;        //@L20
}

int main(void) { //@L22
    pthread_t t1, t2; //@L23
    pthread_create(&t1, NULL, t1_main, NULL); //@L24
    pthread_create(&t2, NULL, t2_main, NULL); //@L25
    pthread_join(t1, NULL); //@L26
    pthread_join(t2, NULL); //@L27
    assert(list_contains(&gl, 1) && list_contains(&gl, 2)); //@L28
    return 0; //@L30
}
