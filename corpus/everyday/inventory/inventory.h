#ifndef INVENTORY_H
#define INVENTORY_H

struct totals {
    int shelf;
    int cart;
};

void inventory_init(int pieces);
void inventory_take(int pieces);
void inventory_return(int pieces);
struct totals inventory_totals(void);

#endif
