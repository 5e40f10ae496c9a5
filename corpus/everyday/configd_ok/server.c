#include "server.h"

#include <stdio.h>

#include "config.h"

void *server_run(void *arg) {
    char address[32];
    int *length = arg;

    *length = config_describe(address, sizeof address);
    if (*length == 0)
        fprintf(stderr, "not configured\n");
    return NULL;
}
