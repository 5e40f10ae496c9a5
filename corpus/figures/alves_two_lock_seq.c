/* unravel-corpus
 * title: the deadlock of the two-lock example as a sequential program that replays its four segments
 * stands-for: Alves et al., Figure 8 with Figures 10, 11, 14, 15 and 16, without the diagnosis values
 * verdict: unsafe
 * property: reach
 * at: taken
 * pattern: sequential
 * repair: none
 */
#include <stddef.h>

extern void __VERIFIER_error(void);

typedef struct context_switch {
    int thread_ID;
    int program_line;
} cs_t;

typedef struct mutex {
    int status;
    cs_t last_cs;
} h_mutex;

static int A_count, B_count;
static h_mutex mutex, lock;

static void h_lock(h_mutex *m, cs_t *cs, int id, int line) {
    int status = m->status;
    if (status == 1) {
        __VERIFIER_error(); //@taken
    } else {
        cs->thread_ID = id;
        cs->program_line = line;
        m->status = 1;
        m->last_cs.thread_ID = cs->thread_ID;
        m->last_cs.program_line = cs->program_line;
    }
}

static void h_unlock(h_mutex *m, cs_t *cs, int id, int line) {
    if (m->status == 1 && m->last_cs.thread_ID == id) {
        cs->thread_ID = id;
        cs->program_line = line;
        m->status = 0;
        m->last_cs.thread_ID = cs->thread_ID;
        m->last_cs.program_line = cs->program_line;
    } else {
        __VERIFIER_error(); //@not_owner
    }
}

static void A_1(void *arg) {
    cs_t cs;
    (void)arg;
    h_lock(&mutex, &cs, 1, 9);
    A_count = A_count + 1;
    if (A_count == 1) h_lock(&lock, &cs, 1, 11);
    h_unlock(&mutex, &cs, 1, 12);
}

static void A_2(void *arg) {
    cs_t cs;
    (void)arg;
    h_lock(&mutex, &cs, 1, 13);
    A_count = A_count - 1;
    if (A_count == 0) h_unlock(&lock, &cs, 1, 15);
    h_unlock(&mutex, &cs, 1, 16);
}

static void B_1(void *arg) {
    cs_t cs;
    (void)arg;
    h_lock(&mutex, &cs, 2, 20);
    B_count = B_count + 1;
    if (B_count == 1) h_lock(&lock, &cs, 2, 22);
}

#define NCS 4
static int cs[] = {11, 21, 31, 22};

int main(void) {
    for (int i = 0; i < NCS; i++) {
        switch (cs[i]) {
        case 11:
            A_count = 0;
            B_count = 0;
            break;
        case 21:
            A_1(NULL);
            break;
        case 22:
            A_2(NULL);
            break;
        case 31:
            B_1(NULL);
            break;
        default:
            break;
        }
    }
    return 0;
}
