//! Faults as the terminal shows them.

use expect_test::expect;

use super::{PLAIN, check};
use crate::examples::localized;

#[test]
fn values() {
    check(
        &localized::values(),
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

            faults: 5 sets of other values let the run pass, 1 of them under all schedules
              1. race.c:7: assignment of `x`: 1 instead of 0; every schedule passes
              2. race.c:7: assignment of `x`: 1 instead of 0, in all executions of the line; and race.c:13:
                 argument 2 of the call of `f`: 3; this schedule; others are not known
              3. race.c:7: assignment of `x`: 1 instead of 0, only in execution 2 of the line; this schedule
                 only
              4. race.c:8: condition: false instead of 0; the check is not made any more
              5. race.c:24: condition: true instead of 0; restates the assertion
            note: there may be more sets, of several values each: not all were tried

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn an_order() {
    check(
        &localized::order(),
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

            an order, not a value: no other value lets every schedule pass, but with other orders it passes

            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between
            why: two orders together make this fail; reverse either one and a run passes
              [A]  x = 0 (T1 writer0, race.c:7)   before  x = 1 (T2 writer1, race.c:13)  so x becomes 1
              [B]  y = 1 (T2 writer1, race.c:14)  before  y = 0 (T1 writer0, race.c:8)   so y becomes 0
            the same cause shows in 2 sets of orders (list them with -v)

            values of this run: 3 sets of other values let the run pass, none of them under all schedules
              1. race.c:7: assignment of `x`: 1 instead of 0, only in execution 2 of the line; this schedule
                 only
              2. race.c:8: condition: false instead of 0; the check is not made any more
              3. race.c:24: condition: true instead of 0; restates the assertion

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}
