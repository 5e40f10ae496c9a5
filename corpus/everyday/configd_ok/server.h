#ifndef SERVER_H
#define SERVER_H

void *server_run(void *arg);

#endif
