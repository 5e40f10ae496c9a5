/* Models of functions of the C library, as ordinary code: every access to memory is a step that other
 * threads can come between, as in reality. A function that is not here, nor in table.rs, is not modelled.
 *
 * This file is not compiled with Unravel. `make models` lowers it to the text form of the IR, once per
 * pointer width (models64.ir, models32.ir); a test checks that these are up to date.
 */
#include "calls.c"
#include "calendar.c"
#include "clock.c"
#include "cstring.c"
#include "environment.c"
#include "errors.c"
#include "numbers.c"
#include "print.c"
#include "random.c"
#include "signals.c"
#include "sorting.c"
#include "streams.c"
#include "threads.c"

int main(void) { return 0; }
