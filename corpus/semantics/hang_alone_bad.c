/* unravel-corpus
 * title: a program without threads waits for a variable that nobody sets
 * stands-for: deadlock of kind (c) in every schedule
 * verdict: unsafe
 * property: deadlock
 * at: wait
 * pattern: sequential
 */
static int ready;

int main(void) {
    while (!ready) //@wait
        ;
    return 0;
}
