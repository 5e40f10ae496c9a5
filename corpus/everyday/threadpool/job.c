#include "job.h"

void job_init(struct job *j, int number) {
    j->number = number;
    j->square = 0;
}

void job_run(void *arg) {
    struct job *j = arg;

    j->square = (long)j->number * j->number;
}
