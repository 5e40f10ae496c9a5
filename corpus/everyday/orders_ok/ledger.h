#ifndef LEDGER_H
#define LEDGER_H

void ledger_book(const char *what, int amount);

/* Pays a customer who brought something back. */
void ledger_refund(const char *article, int pieces);

int ledger_total(void);

#endif
