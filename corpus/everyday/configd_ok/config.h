#ifndef CONFIG_H
#define CONFIG_H

struct config {
    int port;
    char host[24];
};

int config_load(const char *host, int port);

/* Writes host and port into a text; the length of the host. */
int config_describe(char *text, int size);
void config_free(void);

#endif
