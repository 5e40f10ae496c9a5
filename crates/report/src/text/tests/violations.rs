//! Violations as the terminal shows them.

use expect_test::expect;

use super::super::Style;
use super::{PLAIN, check};
use crate::examples;

#[test]
fn an_assertion() {
    check(
        &examples::xy(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0
             8 |     y = 0;
               |     ----- step 7 (T1): overwrites y with 0, after T2
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): overwrites x with 1, after T1
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            failing run (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0                   0  -
                 4    13                              x = 1       1  -
                 5    14                              y = 1       1  1
                 6    15                              ends        1  1
                 7     8                  y = 0                   1  0
                 8     9                  ends                    1  0
                 9    22  joins T1                                1  0
                10    23  joins T2                                1  0
                11    24  x is 1                                  1  0
                12    24  y is 0                                  1  0
                13    24  assert(x == y)                          1  0  FAILS

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn an_assertion_in_unicode() {
    check(
        &examples::xy(),
        Style { unicode: true, ..PLAIN },
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
               ╭▸ race.c:24:5
               │
             7 │     x = 0;
               │     ───── step 3 (T1): writes x = 0
             8 │     y = 0;
               │     ───── step 7 (T1): overwrites y with 0, after T2
               ┆
            13 │     x = 1;
               │     ───── step 4 (T2): overwrites x with 1, after T1
            14 │     y = 1;
               │     ───── step 5 (T2): writes y = 1
               ┆
            24 │     assert(x == y);
               ╰╴    ━━━━━━━━━━━━━━ step 13 (main): fails here with x = 1, y = 0

            failing run (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ────  ────  ──────────────  ──────────  ──────────  ─  ─
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0                   0  -
                 4    13                              x = 1       1  -
                 5    14                              y = 1       1  1
                 6    15                              ends        1  1
                 7     8                  y = 0                   1  0
                 8     9                  ends                    1  0
                 9    22  joins T1                                1  0
                10    23  joins T2                                1  0
                11    24  x is 1                                  1  0
                12    24  y is 0                                  1  0
                13    24  assert(x == y)                          1  0  FAILS

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn an_assertion_in_a_narrow_terminal() {
    check(
        &examples::xy(),
        Style { width: 60, ..PLAIN },
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0
             8 |     y = 0;
               |     ----- step 7 (T1): overwrites y with 0, after T2
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): overwrites x with 1, after T1
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            failing run (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1
              ----  ----  --------------  ----------  ----------
                 1    20  creates T1
                 2    21  creates T2
                 3     7                  x = 0
                 4    13                              x = 1
                 5    14                              y = 1
                 6    15                              ends
                 7     8                  y = 0
                 8     9                  ends
                 9    22  joins T1
                10    23  joins T2
                11    24  x is 1
                12    24  y is 0
                13    24  assert(x == y)                          FAILS

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn a_deadlock() {
    check(
        &examples::deadlock(),
        PLAIN,
        expect![[r#"
            error[lock-cycle]: deadlock: T1 and T2 wait for each other
              --> bank.c:14:5
               |
             7 |     pthread_mutex_lock(&a);
               |     ---------------------- step 3 (T1): locks a
             8 |     pthread_mutex_lock(&b);
               |     ---------------------- T1 waits for mutex `b`, held by T2
            ...
            13 |     pthread_mutex_lock(&b);
               |     ---------------------- step 4 (T2): locks b
            14 |     pthread_mutex_lock(&a);
               |     ^^^^^^^^^^^^^^^^^^^^^^ T2 waits for mutex `a`, held by T1

            failing run (2 context switches, fewest possible)
              step  line  T0 main     T1 deposit                     T2 withdraw
              ----  ----  ----------  -----------------------------  -----------------------------
                 1    19  creates T1
                 2    20  creates T2
                 3     7              lock a
                 4    13                                             lock b
                       8              waits for mutex b, held by T2
                      14                                             waits for mutex a, held by T1

            SUMMARY: unsafe: 1 violation (lock-cycle bank.c:14) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn a_race_of_a_line_with_itself() {
    check(
        &examples::race(),
        PLAIN,
        expect![[r#"
            error[data-race]: data race on `counter`: this read is not ordered with the other access
             --> counter.c:4:12
              |
            4 |     counter++;
              |            ^^
              |            |
              |            step 10 (T2): this access reads counter = 1
              |            steps 8, 9 (T1): reads counter = 0, writes counter = 1; the other access

            failing run (2 context switches)
              step  line  T0 main     T1 worker     T2 worker     counter
              ----  ----  ----------  ------------  ------------  -------
                          ... 2 steps of main before the first thread starts (show with -v)
                 3    10  creates T1                                    0
                 4    11  creates T2                                    0
                          ... 2 output steps of T1 (show with -v)
                 8     4              counter is 0                      0
                 9     4              counter = 1                       1
                10     4                            counter is 1        1  FAILS
            inputs: __VERIFIER_nondet_int() = 3 at counter.c:9 (main)
                    uninitialized memory = -1 (T1)

            SUMMARY: unsafe: 1 violation (data-race counter.c:4) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn a_race_of_two_lines() {
    check(
        &examples::race_of_two_lines(),
        PLAIN,
        expect![[r#"
            error[data-race]: data race on `x`: this write is not ordered with the other access
              --> race.c:13:7
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0; the other access
            ...
            13 |     x = 1;
               |       ^ step 4 (T2): this access writes x = 1

            failing run (2 context switches, fewest possible)
              step  line  T0 main     T1 writer0  T2 writer1  x
              ----  ----  ----------  ----------  ----------  -
                 1    20  creates T1                          -
                 2    21  creates T2                          -
                 3     7              x = 0                   0
                 4    13                          x = 1       1  FAILS

            SUMMARY: unsafe: 1 violation (data-race race.c:13) of 5 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}
