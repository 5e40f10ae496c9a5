#ifndef TABLE_H
#define TABLE_H

#include "session.h"

#define TABLE_SIZE 4

void table_put(struct session *s);
struct session *table_get(int id);
struct session *table_remove(int id);

#endif
