#ifndef JOB_H
#define JOB_H

struct job {
    int number;
    long square;
};

void job_init(struct job *j, int number);

/* A task of the pool: squares the number. */
void job_run(void *arg);

#endif
