//! What `unravel diagnose` shows.

use expect_test::expect;

use super::super::{Style, render};
use super::{PLAIN, check};
use crate::examples::{self, diagnosed};

#[test]
fn two_orders() {
    check(
        &diagnosed::torn_writes(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0, order [A]
             8 |     y = 0;
               |     ----- step 7 (T1): writes y = 0, order [B]
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): writes x = 1, order [A]
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1, order [B]
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            FAILING (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4    13                              x = 1   *A  1  -
                 5    14                              y = 1   *B  1  1
                 6    15                              ends        1  1
                 7     8                  y = 0   *B              1  0
                 8     9                  ends                    1  0
                 9    22  joins T1                                1  0
                10    23  joins T2                                1  0
                11    24  x is 1                                  1  0
                12    24  y is 0                                  1  0
                13    24  assert(x == y)                          1  0  FAILS

            PASSING (same inputs, order [B] reversed)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4     8                  y = 0   *B              0  0
                 5     9                  ends                    0  0
                 6    13                              x = 1   *A  1  0
                 7    14                              y = 1   *B  1  1
                 8    15                              ends        1  1
                 9    22  joins T1                                1  1
                10    23  joins T2                                1  1
                11    24  x is 1                                  1  1
                12    24  y is 1                                  1  1
                      24  assert(x == y)                          1  1  holds

            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)   before  x = 1 (T2 writer1, race.c:13)  so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)  before  y = 0 (T1 writer0, race.c:8)   so y becomes 0
            the same cause shows in 2 sets of orders (list them with -v)

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn two_orders_in_a_narrow_terminal() {
    check(
        &diagnosed::torn_writes(),
        Style { width: 60, ..PLAIN },
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0, order [A]
             8 |     y = 0;
               |     ----- step 7 (T1): writes y = 0, order [B]
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): writes x = 1, order [A]
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1, order [B]
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            FAILING (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1
              ----  ----  --------------  ----------  ----------
                 1    20  creates T1
                 2    21  creates T2
                 3     7                  x = 0   *A
                 4    13                              x = 1   *A
                 5    14                              y = 1   *B
                 6    15                              ends
                 7     8                  y = 0   *B
                 8     9                  ends
                 9    22  joins T1
                10    23  joins T2
                11    24  x is 1
                12    24  y is 0
                13    24  assert(x == y)                          FAILS

            PASSING (same inputs, order [B] reversed)
              step  line  T0 main         T1 writer0  T2 writer1
              ----  ----  --------------  ----------  ----------
                 1    20  creates T1
                 2    21  creates T2
                 3     7                  x = 0   *A
                 4     8                  y = 0   *B
                 5     9                  ends
                 6    13                              x = 1   *A
                 7    14                              y = 1   *B
                 8    15                              ends
                 9    22  joins T1
                10    23  joins T2
                11    24  x is 1
                12    24  y is 1
                      24  assert(x == y)                          holds

            cause: atomicity violation: lines 7 to 8 of writer0 should
                   be one step (x, y), but lines 13 to 14 of writer1 get
                   in between
            why: two orders together make this fail; reverse either one
                 and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)
                   before  x = 1 (T2 writer1, race.c:13)
                   so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)
                   before  y = 0 (T1 writer0, race.c:8)
                   so y becomes 0
            the same cause shows in 2 sets of orders (list them with -v)

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn two_orders_in_unicode() {
    check(
        &diagnosed::torn_writes(),
        Style { unicode: true, width: 140, ..PLAIN },
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
               ╭▸ race.c:24:5
               │
             7 │     x = 0;
               │     ───── step 3 (T1): writes x = 0, order [A]
             8 │     y = 0;
               │     ───── step 7 (T1): writes y = 0, order [B]
               ┆
            13 │     x = 1;
               │     ───── step 4 (T2): writes x = 1, order [A]
            14 │     y = 1;
               │     ───── step 5 (T2): writes y = 1, order [B]
               ┆
            24 │     assert(x == y);
               ╰╴    ━━━━━━━━━━━━━━ step 13 (main): fails here with x = 1, y = 0

              FAILING (4 context switches, fewest possible)        │ PASSING (same inputs, order [B] reversed)
              step  line  T0 main     T1 writer0  T2 writer1  x  y │ step  line  T0 main     T1 writer0  T2 writer1  x  y
              ────  ────  ──────────  ──────────  ──────────  ─  ─ │ ────  ────  ──────────  ──────────  ──────────  ─  ─
                 1    20  creates T1                          -  - │    1    20  creates T1                          -  -
                 2    21  creates T2                          -  - │    2    21  creates T2                          -  -
                 3     7              x = 0   *A              0  - │    3     7              x = 0   *A              0  -
                 4    13                          x = 1   *A  1  - │    4     8              y = 0   *B              0  0
                 5    14                          y = 1   *B  1  1 │    5     9              ends                    0  0
                 6    15                          ends        1  1 │    6    13                          x = 1   *A  1  0
                 7     8              y = 0   *B              1  0 │    7    14                          y = 1   *B  1  1
                 8     9              ends                    1  0 │    8    15                          ends        1  1
                 9    22  joins T1                            1  0 │    9    22  joins T1                            1  1
                10    23  joins T2                            1  0 │   10    23  joins T2                            1  1
                11    24  x is 1                              1  0 │   11    24  x is 1                              1  1
                12    24  y is 0                              1  0 │   12    24  y is 1                              1  1
                13    24  main: assert(x == y)  FAILS         1  0 │         24  main: assert(x == y)  holds         1  1

            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of writer1 get in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)   before  x = 1 (T2 writer1, race.c:13)  so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)  before  y = 0 (T1 writer0, race.c:8)   so y becomes 0
            the same cause shows in 2 sets of orders (list them with -v)

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn an_order_whose_second_end_does_not_happen() {
    check(
        &diagnosed::too_early(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `flag == 1` can fail
              --> flag.c:13:5
               |
             6 |     flag = 1;
               |     -------- T1 would write flag here, order [A]; it comes too late
            ...
            13 |     assert(flag == 1);
               |     ^^^^^^^^^^^^^^^^^ step 3 (main): fails here with flag = 0; order [A] at step 2

              FAILING (0 context switches, fewest possible)   | PASSING (same inputs, order [A] reversed)
              step  line  T0 main        T1 setter       flag | step  line  T0 main        T1 setter       flag
              ----  ----  -------------  --------------  ---- | ----  ----  -------------  --------------  ----
                 1    12  creates T1                        - |    1    12  creates T1                        -
                 2    13  flag is 0  *A                     0 |    2     6                 flag = 1    *A     1
                 3    13  main: assert(flag =...  FAILS     0 |    3     7                 ends               1
                                                              |    4    13  flag is 1  *A                     1
                                                              |         13  main: assert(flag =...  holds     1
                                                              |    5    14  joins T1                          1

            cause: order violation: line 6 of setter should come before line 13 of main
            why: one order is enough to make this fail; the other way round a run passes
              [A]  flag is 0 (T0 main, flag.c:13)  before  writes flag (T1 setter, flag.c:6)
                   so main still reads 0

            SUMMARY: unsafe: 1 violation (assertion flag.c:13) of 4 properties; 1 cause, 1 core, 1 order; 2 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn not_a_concurrency_bug() {
    check(
        &diagnosed::sequential(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `counter == 8` can fail
              --> counter.c:12:5
               |
             4 |     counter++;
               |     --------- steps 8, 9 (T1), 10 (T2): reads counter, writes counter
            ...
            12 |     assert(counter == 8);
               |     ^^^^^^^^^^^^^^^^^^^^ step 11 (main): fails here

            failing run (2 context switches)
              step  line  T0 main               T1 worker     T2 worker     counter
              ----  ----  --------------------  ------------  ------------  -------
                          ... 2 steps of main before the first thread starts (show with -v)
                 3    10  creates T1                                              0
                 4    11  creates T2                                              0
                          ... 2 output steps of T1 (show with -v)
                 8     4                        counter is 0                      0
                 9     4                        counter = 1                       1
                10     4                                      counter is 1        1
                11    12  assert(counter == 8)                                    1  FAILS
            inputs: __VERIFIER_nondet_int() = 3 at counter.c:9 (main)
                    uninitialized memory = -1 (T1)

            no thread order avoids it: it fails in every run with these inputs
            next: look at what the code computes; the order of its threads does not matter

            note: with input 3 at line 9, every run fails, whatever the schedule

            SUMMARY: unsafe: 1 violation (assertion counter.c:12) of 4 properties; no thread order avoids it; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn not_explained() {
    check(
        &diagnosed::not_explained(),
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

            note: which orders make it fail is not known: the search was stopped

            partial: not all failing runs were explained; other failing runs may have other causes

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 0 causes, 0 cores, 0 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn turns_of_loops() {
    check(
        &diagnosed::in_loops(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `counter == 4` can fail
              --> loop.c:17:5
               |
             7 |         counter++;
               |         --------- steps 3, 8 (T1), 5, 7 (T2): reads counter, writes counter, orders [A], [B]
            ...
            17 |     assert(counter == 4);
               |     ^^^^^^^^^^^^^^^^^^^^ step 16 (main): fails here with counter = 2

            FAILING (7 context switches)
              step  line  T0 main               T1 worker         T2 worker        counter
              ----  ----  --------------------  ----------------  ---------------  -------
                 1    13  creates T1                                                     -
                 2    14  creates T2                                                     -
                 3     7                        counter is 0  *A                         0
                 4     7                                          counter is 0           0
                 5     7                                          counter = 1  *A        1
                 6     7                                          counter is 1           1
                 7     7                                          counter = 2  *B        2
                 8     7                        counter = 1   *B                         1
                 9     7                        counter is 1                             1
                10     7                        counter = 2                              2
                11     8                        ends                                     2
                12     8                                          ends                   2
                13    15  joins T1                                                       2
                14    16  joins T2                                                       2
                15    17  counter is 2                                                   2
                16    17  assert(counter == 4)                                           2  FAILS

            PASSING (same inputs, order [B] reversed)
              step  line  T0 main               T1 worker         T2 worker        counter
              ----  ----  --------------------  ----------------  ---------------  -------
                 1    13  creates T1                                                     -
                 2    14  creates T2                                                     -
                 3     7                        counter is 0  *A                         0
                 4     7                        counter = 1   *B                         1
                 5     7                        counter is 1                             1
                 6     7                        counter = 2                              2
                 7     7                                          counter is 2           2
                 8     7                                          counter = 3  *A        3
                 9     7                                          counter is 3           3
                10     7                                          counter = 4  *B        4
                11     8                        ends                                     4
                12     8                                          ends                   4
                13    15  joins T1                                                       4
                14    16  joins T2                                                       4
                15    17  counter is 4                                                   4
                      17  assert(counter == 4)                                           4  holds

            cause: atomicity violation: line 7 of worker should be one step (counter), but another thread at
                   line 7 of worker gets in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  counter is 0 (T1 worker, loop.c:7, iteration 1 of its loop)
                   before  counter = 1 (T2 worker, loop.c:7, iteration 1 of its loop)
                   so T1 still reads 0
              [B]  counter = 2 (T2 worker, loop.c:7, iteration 2 of its loop)
                   before  counter = 1 (T1 worker, loop.c:7, iteration 1 of its loop)
                   so counter becomes 1

            SUMMARY: unsafe: 1 violation (assertion loop.c:17) of 4 properties; 1 cause, 1 core, 2 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn many_causes() {
    check(
        &diagnosed::many_causes(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0, order [A]
             8 |     y = 0;
               |     ----- step 7 (T1): writes y = 0, order [B]
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): writes x = 1, order [A]
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1, order [B]
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            FAILING (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4    13                              x = 1   *A  1  -
                 5    14                              y = 1   *B  1  1
                 6    15                              ends        1  1
                 7     8                  y = 0   *B              1  0
                 8     9                  ends                    1  0
                 9    22  joins T1                                1  0
                10    23  joins T2                                1  0
                11    24  x is 1                                  1  0
                12    24  y is 0                                  1  0
                13    24  assert(x == y)                          1  0  FAILS

            PASSING (same inputs, order [B] reversed)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4     8                  y = 0   *B              0  0
                 5     9                  ends                    0  0
                 6    13                              x = 1   *A  1  0
                 7    14                              y = 1   *B  1  1
                 8    15                              ends        1  1
                 9    22  joins T1                                1  1
                10    23  joins T2                                1  1
                11    24  x is 1                                  1  1
                12    24  y is 1                                  1  1
                      24  assert(x == y)                          1  1  holds

            cause 1 of 12: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13
                           to 14 of writer1 get in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)   before  x = 1 (T2 writer1, race.c:13)  so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)  before  y = 0 (T1 writer0, race.c:8)   so y becomes 0
            the same cause shows in 4 sets of orders (list them with -v)

            other causes:
              2. order violation: line 1 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              3. order violation: line 2 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              4. order violation: line 3 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              5. order violation: line 4 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              6. order violation: line 5 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              7. order violation: line 6 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              8. order violation: line 7 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              9. order violation: line 8 of writer1 should come before line 7 of writer0
                   [A] x = 1 (T2, race.c:13) before x = 0 (T1, race.c:7)
                   [B] y = 0 (T1, race.c:8) before y = 1 (T2, race.c:14)
              ... and 3 more causes (show with -v)

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 12 causes, 41 cores, 82 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn all_cores_with_verbose() {
    let text = render(&diagnosed::many_causes(), Style { verbose: true, ..PLAIN });
    assert_eq!(text.matches("the same cause, set 2 of ").count(), 12);
    assert!(text.contains(" 12. order violation: line 11 of writer1"));
    assert!(!text.contains("with -v"));
}

#[test]
fn needed_inputs() {
    check(
        &diagnosed::with_inputs(),
        PLAIN,
        expect![[r#"
            error[data-race]: data race on `counter`: this read is not ordered with the other access
             --> counter.c:4:12
              |
            4 |     counter++;
              |            ^^
              |            |
              |            step 10 (T2): this access reads counter = 1, order [A]
              |            step 9 (T1): writes counter = 1, order [A]; the other access

            FAILING (2 context switches)
              step  line  T0 main     T1 worker        T2 worker         counter
              ----  ----  ----------  ---------------  ----------------  -------
                          ... 2 steps of main before the first thread starts (show with -v)
                 3    10  creates T1                                           0
                 4    11  creates T2                                           0
                          ... 2 output steps of T1 (show with -v)
                 8     4              counter is 0                             0
                 9     4              counter = 1  *A                          1
                10     4                               counter is 1  *A        1  FAILS

            PASSING (same inputs, without order [A])
              step  line  T0 main     T1 worker  T2 worker         counter
              ----  ----  ----------  ---------  ----------------  -------
                          ... 2 steps of main before the first thread starts (show with -v)
                 3    10  creates T1                                     0
                 4    11  creates T2                                     0
                 5     4                         counter is 0  *A        0

            cause: data race: line 4 of worker (T1) and line 4 of worker (T2) access the same memory, and
                   nothing orders them: neither holds a lock, and no join, signal or release lies between them
            why: one order, with the input below, makes this fail; the other way round a run passes
              [A]  counter = 1 (T1 worker, counter.c:4)  before  counter is 1 (T2 worker, counter.c:4)
                   so T2 reads 1
            inputs: it needs __VERIFIER_nondet_int() = 3 at counter.c:9 (main)
                    all others: any; the failing run has uninitialized memory = -1

            SUMMARY: unsafe: 1 violation (data-race counter.c:4) of 4 properties; 1 cause, 1 core, 1 order; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn partial() {
    check(
        &diagnosed::partial(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
              --> race.c:24:5
               |
             7 |     x = 0;
               |     ----- step 3 (T1): writes x = 0, order [A]
             8 |     y = 0;
               |     ----- step 7 (T1): writes y = 0, order [B]
            ...
            13 |     x = 1;
               |     ----- step 4 (T2): writes x = 1, order [A]
            14 |     y = 1;
               |     ----- step 5 (T2): writes y = 1, order [B]
            ...
            24 |     assert(x == y);
               |     ^^^^^^^^^^^^^^ step 13 (main): fails here with x = 1, y = 0

            FAILING (4 context switches, fewest possible)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4    13                              x = 1   *A  1  -
                 5    14                              y = 1   *B  1  1
                 6    15                              ends        1  1
                 7     8                  y = 0   *B              1  0
                 8     9                  ends                    1  0
                 9    22  joins T1                                1  0
                10    23  joins T2                                1  0
                11    24  x is 1                                  1  0
                12    24  y is 0                                  1  0
                13    24  assert(x == y)                          1  0  FAILS

            PASSING (same inputs, order [B] reversed)
              step  line  T0 main         T1 writer0  T2 writer1  x  y
              ----  ----  --------------  ----------  ----------  -  -
                 1    20  creates T1                              -  -
                 2    21  creates T2                              -  -
                 3     7                  x = 0   *A              0  -
                 4     8                  y = 0   *B              0  0
                 5     9                  ends                    0  0
                 6    13                              x = 1   *A  1  0
                 7    14                              y = 1   *B  1  1
                 8    15                              ends        1  1
                 9    22  joins T1                                1  1
                10    23  joins T2                                1  1
                11    24  x is 1                                  1  1
                12    24  y is 1                                  1  1
                      24  assert(x == y)                          1  1  holds

            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)   before  x = 1 (T2 writer1, race.c:13)  so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)  before  y = 0 (T1 writer0, race.c:8)   so y becomes 0
            inputs: any; the failing run has __VERIFIER_nondet_int() = 3, uninitialized memory = -1
            the same cause shows in 2 sets of orders (list them with -v)

            partial: not all failing runs were explained; other failing runs may have other causes

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn a_deadlock() {
    check(
        &diagnosed::lock_order(),
        PLAIN,
        expect![[r#"
            error[lock-cycle]: deadlock: T1 and T2 wait for each other
              --> bank.c:14:5
               |
             7 |     pthread_mutex_lock(&a);
               |     ---------------------- step 3 (T1): locks a, order [A]
             8 |     pthread_mutex_lock(&b);
               |     ---------------------- T1 waits for mutex `b`, held by T2, order [B]
            ...
            13 |     pthread_mutex_lock(&b);
               |     ---------------------- step 4 (T2): locks b, order [B]
            14 |     pthread_mutex_lock(&a);
               |     ^^^^^^^^^^^^^^^^^^^^^^ T2 waits for mutex `a`, held by T1, order [A]

            FAILING (2 context switches, fewest possible)
              step  line  T0 main     T1 deposit                        T2 withdraw
              ----  ----  ----------  --------------------------------  ---------------------------------
                 1    19  creates T1
                 2    20  creates T2
                 3     7              lock a                        *A
                 4    13                                                lock b                         *B
                       8              waits for mutex b, held b...  *B
                      14                                                waits for mutex a, held by T1  *A

            PASSING (same inputs, without order [B])
              step  line  T0 main     T1 deposit  T2 withdraw
              ----  ----  ----------  ----------  -----------
                 1    19  creates T1
                 2    20  creates T2
                 3     7              lock a  *A
                 4     8              lock b  *B

            cause: deadlock: lines 7 to 8 of deposit and lines 13 to 14 of withdraw wait for each other
            why: two orders together make this fail; reverse either one and a run passes
              [A]  locks a (T1 deposit, bank.c:7)    before  locks a (T2 withdraw, bank.c:14)  so T2 waits
              [B]  locks b (T2 withdraw, bank.c:13)  before  locks b (T1 deposit, bank.c:8)    so T1 waits

            SUMMARY: unsafe: 1 violation (lock-cycle bank.c:14) of 4 properties; 1 cause, 1 core, 2 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn an_order_that_ends_in_the_violation() {
    check(
        &diagnosed::freed_too_early(),
        PLAIN,
        expect![[r#"
            error[use-after-free]: access to a heap block after it was freed
             --> user.c:2:9
              |
            2 |     return *p;
              |            ^ step 2 (main): fails here, order [A]
              |
             ::: lib/pool.c:2:2
              |
            2 |     free(p); /* größe */
              |     ------- step 1 (T1): frees p, order [A]

            FAILING (1 context switch, fewest possible)
              step      line  T0 main        T1 dropper
              ----  --------  -------------  -----------
                 1  pool.c:2                 frees p  *A
                 2  user.c:2  return *p  *A               FAILS

            cause: use after free
            why: one order is enough to make this fail; the other way round a run passes
              [A]  frees p (T1 dropper, pool.c:2)  before  uses *p (T0 main, user.c:2)
                   so main uses memory that is gone

            SUMMARY: unsafe: 1 violation (use-after-free user.c:2) of 4 properties; 1 cause, 1 core, 1 order; 2 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn long_names_without_their_beginning() {
    check(
        &examples::long_names(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `!euro.gate.writer` can fail
              --> euro.c:6:5
               |
             5 |     euro.gate.readers++;
               |     ------------------- steps 4, 5 (T1), 6, 7 (T2): reads euro.gate.readers, writes euro.gate.readers
             6 |     assert(!euro.gate.writer);
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^ step 11 (T1): fails here with euro.gate.writer = 1
            ...
            12 |     euro.gate.writer = 1;
               |     -------------------- step 8 (T3): writes euro.gate.writer = 1

            failing run (4 context switches, fewest possible)
              step  T0 main     T1 reader                  T2 reader               T3 writer
              ----  ----------  -------------------------  ----------------------  --------------------
                 1  creates T1
                 2  creates T2
                 3  creates T3
                 4              euro.gate.readers is 0
                 5              euro.gate.readers = 1
                 6                                         euro.gate.readers is 1
                 7                                         euro.gate.readers = 2
                 8                                                                 euro.gate.writer = 1
                 9                                                                 euro.rate = 7
                10              euro.gate.writer is 1
                11              assert(!euro.gate.writer)                                                FAILS

            SUMMARY: unsafe: 1 violation (assertion euro.c:6) of 4 properties; 4 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn long_names_in_a_list() {
    check(
        &examples::long_names(),
        Style { width: 60, ..PLAIN },
        expect![[r#"
            error[assertion]: assertion `!euro.gate.writer` can fail
              --> euro.c:6:5
               |
             5 |     euro.gate.readers++;
               |     ------------------- steps 4, 5 (T1), 6, 7 (T2): reads euro.gate.readers, writes euro.gate.readers
             6 |     assert(!euro.gate.writer);
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^ step 11 (T1): fails here with euro.gate.writer = 1
            ...
            12 |     euro.gate.writer = 1;
               |     -------------------- step 8 (T3): writes euro.gate.writer = 1

            failing run (4 context switches, fewest possible)
              step  thread     place      what
              ----  ---------  ---------  ----
                 1  T0 main    euro.c:20  creates T1
                 2  T0 main    euro.c:21  creates T2
                 3  T0 main    euro.c:22  creates T3
                 4  T1 reader  euro.c:5   euro.gate.readers is 0
                 5  T1 reader  euro.c:5   euro.gate.readers = 1
                 6  T2 reader  euro.c:5   euro.gate.readers is 1
                 7  T2 reader  euro.c:5   euro.gate.readers = 2
                 8  T3 writer  euro.c:12  euro.gate.writer = 1
                 9  T3 writer  euro.c:13  euro.rate = 7
                10  T1 reader  euro.c:6   euro.gate.writer is 1
                11  T1 reader  euro.c:6   assert(!euro.gate.wr...  FAILS

            SUMMARY: unsafe: 1 violation (assertion euro.c:6) of 4 properties; 4 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}
