#ifndef LOGGER_H
#define LOGGER_H

enum level { LOG_DEBUG, LOG_INFO, LOG_ERROR };

void log_open(enum level least);

/* Keeps the line until the next log_flush. */
void log_line(enum level level, const char *text);

/* Prints what is kept; how many lines. */
int log_flush(void);

#endif
