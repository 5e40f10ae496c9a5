#ifndef SESSION_H
#define SESSION_H

struct session {
    int id;
    int hits;
    char user[16];
};

int session_create(const char *user);
void session_expire(int id);

/* Counts a request; how many the session has had, or -1 if there is no such session. */
int session_hit(int id);

#endif
