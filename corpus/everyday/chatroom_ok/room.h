#ifndef ROOM_H
#define ROOM_H

#define ROOM_SEATS 3
#define NAME_LENGTH 12

struct member {
    char name[NAME_LENGTH];
    int messages;
};

void room_open(void);

/* Returns NULL if the room is full. */
struct member *room_enter(const char *name);
void room_leave(struct member *m);

/* Delivers a text to everybody in the room. */
int room_say(const char *text);

#endif
