//! Violations of an unusual form: many threads, several files, no source.

use expect_test::expect;

use super::super::Style;
use super::{PLAIN, check};
use crate::examples;

#[test]
fn nothing_is_left_out_of_a_verbose_run() {
    check(
        &examples::race(),
        Style { verbose: true, ..PLAIN },
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
              step  line  T0 main      T1 worker     T2 worker     counter
              ----  ----  -----------  ------------  ------------  -------
                 1     9  counter = 0                                    0
                 2     9  input 3                                        0
                 3    10  creates T1                                     0
                 4    11  creates T2                                     0
                 5     4               prints "a"                        0
                 6     4               i = 1                             0
                 7     4               prints "b"                        0
                 8     4               counter is 0                      0
                 9     4               counter = 1                       1
                10     4                             counter is 1        1  FAILS
            inputs: __VERIFIER_nondet_int() = 3 at counter.c:9 (main)
                    uninitialized memory = -1 (T1)
            printed until then:
              ab

            numbers: states 124, steps 310

            SUMMARY: unsafe: 1 violation (data-race counter.c:4) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn without_source_text() {
    check(
        &examples::xy_with(None),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
            --> race.c:24:5
             = note: the source text of these places is not available
                     race.c:7:7   step 3 (T1): writes x = 0
                     race.c:8:7   step 7 (T1): overwrites y with 0, after T2
                     race.c:13:7  step 4 (T2): overwrites x with 1, after T1
                     race.c:14:7  step 5 (T2): writes y = 1
                     race.c:24:5  step 13 (main): fails here with x = 1, y = 0

            failing run (4 context switches, fewest possible)
              step  line  T0 main     T1 writer0  T2 writer1  x  y
              ----  ----  ----------  ----------  ----------  -  -
                 1    20  creates T1                          -  -
                 2    21  creates T2                          -  -
                 3     7              x = 0                   0  -
                 4    13                          x = 1       1  -
                 5    14                          y = 1       1  1
                 6    15                          ends        1  1
                 7     8              y = 0                   1  0
                 8     9              ends                    1  0
                 9    22  joins T1                            1  0
                10    23  joins T2                            1  0
                11    24  x is 1                              1  0
                12    24  y is 0                              1  0
                13    24  assertion                           1  0  FAILS

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn two_files() {
    check(
        &examples::two_files(),
        PLAIN,
        expect![[r#"
            error[use-after-free]: access to a heap block after it was freed
             --> user.c:2:9
              |
            2 |     return *p;
              |            ^ step 2 (main): fails here
              |
             ::: lib/pool.c:2:2
              |
            2 |     free(p); /* größe */
              |     ------- step 1 (T1): frees p

            failing run (1 context switch, fewest possible)
              step      line  T0 main    T1 dropper
              ----  --------  ---------  ----------
                 1  pool.c:2             frees p
                 2  user.c:2  return *p              FAILS

            SUMMARY: unsafe: 1 violation (use-after-free user.c:2) of 4 properties; 2 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn nine_threads_as_a_list() {
    check(
        &examples::nine_threads(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `counter == 8` can fail
              --> counter.c:12:5
               |
             4 |     counter++;
               |     ------- steps 9 to 24 (8 threads): reads counter, writes counter
            ...
            12 |     assert(counter == 8);
               |     ^^^^^^^^^^^^^^^^^^^^ step 25 (main): fails here

            failing run (17 context switches, fewest possible)
              step  thread     place         what
              ----  ---------  ------------  ----
                    ... steps 1 to 7: main
                 8  T0 main    counter.c:9   creates T8
                 9  T1 worker  counter.c:4   counter is 0
                10  T2 worker  counter.c:4   counter is 0
                11  T3 worker  counter.c:4   counter is 0
                12  T4 worker  counter.c:4   counter is 0
                13  T5 worker  counter.c:4   counter is 0
                14  T6 worker  counter.c:4   counter is 0
                15  T7 worker  counter.c:4   counter is 0
                16  T8 worker  counter.c:4   counter is 0
                17  T1 worker  counter.c:4   counter = 1
                18  T2 worker  counter.c:4   counter = 1
                19  T3 worker  counter.c:4   counter = 1
                20  T4 worker  counter.c:4   counter = 1
                21  T5 worker  counter.c:4   counter = 1
                22  T6 worker  counter.c:4   counter = 1
                23  T7 worker  counter.c:4   counter = 1
                24  T8 worker  counter.c:4   counter = 1
                25  T0 main    counter.c:12  assert(counter == 8)  FAILS

            SUMMARY: unsafe: 1 violation (assertion counter.c:12) of 4 properties; 9 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn two_findings() {
    check(
        &examples::two_findings(),
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

            SUMMARY: unsafe: 2 violations (assertion race.c:24, data-race race.c:13) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}
