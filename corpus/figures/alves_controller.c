/* unravel-corpus
 * title: a controller polynomial with a wrong coefficient
 * stands-for: Alves et al., Figure 1, the sequential controller
 * verdict: unsafe
 * property: reach
 * at: L19
 * pattern: sequential
 * repair: none
 * faulty-lines: L10
 */
#include <assert.h>

#define C_0 2 //@L4
#define C_1 0 //@L5
#define C_2 0 //@L6
#define C_3 2 //@L7

const int A = 1;  //@L9
const int B = -2; //@L10
const int C = 2;  //@L11

static int controller(int t) { //@L13
    int output = A * t * t + B * t + C; //@L14
    return output;                      //@L15
}

int main(void) { //@L18
    assert(controller(0) == C_0 && controller(1) == C_1 && controller(2) == C_2 && controller(3) == C_3); //@L19
    return 0; //@L23
}
