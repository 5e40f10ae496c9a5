/* unravel-corpus
 * title: a time in nanoseconds is too large for an int
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: ub
 * at: cut
 * flags: --ub
 * pattern: sequential
 */
int main(void) {
    volatile double seconds = 3.0;
    int nanoseconds = (int)(seconds * 1e9); //@cut
    return nanoseconds == 0;
}
