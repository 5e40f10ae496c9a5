/* unravel-corpus
 * title: the tray of a printer is set before its thread is started
 * stands-for: an everyday program: printers with a thread each
 * verdict: safe
 * output: deterministic
 */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "spool.h"

int main(int argc, char **argv) {
    struct printer laser, inkjet;
    const char *tray = option_tray(argc, argv);
    int error = printer_start(&laser, tray);

    if (error == 0)
        error = printer_start(&inkjet, "lower");
    if (error != 0) {
        fprintf(stderr, "%s: %s\n", argv[0], strerror(error));
        return 1;
    }
    int pages = printer_stop(&laser) + printer_stop(&inkjet);
    printf("%s and %s: %d pages\n", laser.tray, inkjet.tray, pages);
    return 0;
}
