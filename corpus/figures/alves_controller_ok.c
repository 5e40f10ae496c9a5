/* unravel-corpus
 * title: the controller polynomial with the right coefficient
 * stands-for: Alves et al., Figure 5, the repaired controller
 * verdict: safe
 * output: deterministic
 */
#include <assert.h>
#include <stdio.h>

#define C_0 2 //@L3
#define C_1 0 //@L4
#define C_2 0 //@L5
#define C_3 2 //@L6

const int A = 1;  //@L7
const int B = -3; //@L8
const int C = 2;  //@L9

static int controller(int t) { //@L10
    int output = A * t * t + B * t + C; //@L11
    return output;                      //@L12
}

int main(void) { //@L14
    assert(controller(0) == C_0 && controller(1) == C_1 && controller(2) == C_2 && controller(3) == C_3); //@L15
    printf("c(0..3) = %d %d %d %d\n", controller(0), controller(1), controller(2), controller(3));
    return 0; //@L19
}
