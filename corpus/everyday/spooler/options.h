#ifndef OPTIONS_H
#define OPTIONS_H

/* The tray that the command line names, or the usual one. */
const char *option_tray(int argc, char **argv);

#endif
