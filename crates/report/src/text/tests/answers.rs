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
              |     ^^^^^ this loop turned 4 times; it may turn again
              |
              = help: try `--unwind 8`, or leave the bound out

            not modelled:
              ring.c:5:9  call of `work`, which no given file defines,

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
               |     ^^^^^ this loop turned 4 times; it may turn again
            ...
            10 |     for (;;)
               |     ^^^ this loop turned 4 times; it may turn again
               |
               = help: try `--unwind 8`, or leave the bound out
            also: part of the program is not modelled
              --> ring.c:5:9
               |
             5 |         work();
               |         ^^^^^^ inline assembly is not modelled
               = help: replace it by code that Unravel can see, or leave this part out
            also: the search is not complete
               |
               = note: the time limit of 60s was reached
               = help: use fewer threads or iterations, or raise `--time-limit` or `--memory-limit`

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
