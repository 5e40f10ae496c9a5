#ifndef REPORT_H
#define REPORT_H

/* Returns how many pieces there are in all. */
int report_print(const char *title);

#endif
