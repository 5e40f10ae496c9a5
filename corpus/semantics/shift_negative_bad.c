/* unravel-corpus
 * title: a negative offset is doubled by a shift
 * stands-for: a corner of what a program means
 * verdict: unsafe
 * property: ub
 * at: shift
 * flags: --ub
 * pattern: sequential
 */
int main(void) {
    volatile int offset = -4;
    int twice = offset << 1; //@shift
    return twice == 0;
}
