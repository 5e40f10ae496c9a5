//! The other answers as the terminal shows them.

use expect_test::expect;

use super::{PLAIN, check};
use crate::examples;

#[test]
fn a_cut_loop() {
    check(
        &examples::inconclusive(),
        PLAIN,
        expect![[r#"
        inconclusive: no violation found, but the search was cut
         --> ring.c:4:5
          |
        4 |     while (head == tail)
          |     ^^^^^ this loop ran 4 times; more iterations are possible
          |
          = help: try `--unwind 8`

        not modelled:
          ring.c:5:9  `work` is not known; its result is arbitrary

        SUMMARY: inconclusive: 0 violations of 4 properties; 2 threads, 1 loop cut, 1 not modelled, memory model sc, 0.03s
    "#]],
    );
}

#[test]
fn several_reasons() {
    check(
        &examples::several_reasons(),
        PLAIN,
        expect![[r#"
        inconclusive: no violation found, but the search was cut
          --> ring.c:4:5
           |
         4 |     while (head == tail)
           |     ^^^^^ this loop ran 4 times; more iterations are possible
        ...
        10 |     for (;;)
           |     ^^^ this loop ran 4 times; more iterations are possible
           |
           = help: try `--unwind 8`
        also: part of the program is not modelled
          --> ring.c:5:9
           |
         5 |         work();
           |         ^^^^^^ inline assembly
        also: the time ran out
           |
           = note: 60 seconds were used up after 12345 states
           = help: try `--time-limit 5m`

        SUMMARY: inconclusive: 0 violations of 4 properties; 2 threads, 2 loops cut, 1 not modelled, memory model sc, 0.03s
    "#]],
    );
}

#[test]
fn safe() {
    check(
        &examples::safe(),
        PLAIN,
        expect![[r#"
            safe: no violation in any schedule (exhaustive: 124 states, 3 threads, no loop cut, memory model
                  sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not checked:
                  data races (--races), undefined arithmetic (--ub)

            SUMMARY: safe: 0 violations of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}
