#ifndef STOCK_H
#define STOCK_H

/* What is on the shelves. */
void stock_add(const char *article, int pieces);

/* Takes pieces and books their price; -1 if there are not enough. */
int stock_sell(const char *article, int pieces);

/* 0 if there is no such article. */
int stock_price(const char *article);

int stock_count(const char *article);

#endif
