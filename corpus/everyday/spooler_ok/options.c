#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *option_tray(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "--tray=", 7) == 0)
            return argv[i] + 7;
        fprintf(stderr, "%s: unknown option %s\n", argv[0], argv[i]);
        exit(2);
    }
    return "upper";
}
