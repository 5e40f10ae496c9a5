/* unravel-corpus
 * title: which term, changed to which value, makes the controller right: reached means some choice does
 * stands-for: Alves et al., Figure 3, the instrumented controller (values narrowed to -4..4, diag to 1..3)
 * verdict: unsafe
 * property: reach
 * at: L29
 * pattern: sequential
 * repair: none
 */
#include <assert.h>

#define C_0 2 //@L3
#define C_1 0 //@L4
#define C_2 0 //@L5
#define C_3 2 //@L6

extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);

const int A = 1;  //@L7
const int B = -2; //@L8
const int C = 2;  //@L9

static int nondet(int i) { //@L10
    signed char ret = (signed char)__VERIFIER_nondet_char(); //@L11
    __VERIFIER_assume(-4 <= ret && ret <= 4 && ret != i);    //@L12
    return ret;                                              //@L13
}

static int controller(int t) { //@L15
    int diag = nondet(0); //@L16
    __VERIFIER_assume(1 <= diag && diag <= 3);
    int ta = (diag == 1 ? nondet(A) : A) * t * t; //@L17
    int tb = (diag == 2 ? nondet(B) : B) * t;     //@L19
    int tc = (diag == 3 ? nondet(C) : C);         //@L20
    int output = ta + tb + tc;                    //@L21
    return output;                                //@L22
}

int main(void) { //@L24
    __VERIFIER_assume(controller(0) == C_0); //@L25
    __VERIFIER_assume(controller(1) == C_1); //@L26
    __VERIFIER_assume(controller(2) == C_2); //@L27
    __VERIFIER_assume(controller(3) == C_3); //@L28
    assert(0);                               //@L29
    return 0;                                //@L30
}
