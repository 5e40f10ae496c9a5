//! What `unravel repair` shows.

use expect_test::expect;

use super::super::{RepairView, Style, render, render_view};
use super::{PLAIN, check};
use crate::examples::repaired;

fn commands() -> Option<(String, String)> {
    Some((
        "unravel repair race.c --apply".to_owned(),
        "unravel repair race.c --diff | git apply".to_owned(),
    ))
}

#[test]
fn the_best_and_another() {
    check(
        &repaired::two(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
            --> race.c:24:5
            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between

            repair 1 of 2 (best): guard lines 7 to 8 of writer0 and lines 13 to 14 of writer1 with one new mutex
                                  `xy_lock`
            --- a/race.c
            +++ b/race.c
            @@ -4 +4,2 @@
             int x, y;
            +static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;
            @@ -6,3 +7,5 @@
             void *writer0(void *arg) {
            +    pthread_mutex_lock(&xy_lock);
                 x = 0;
                 y = 0;
            +    pthread_mutex_unlock(&xy_lock);
            because  lines 7 to 8 of writer0 and lines 13 to 14 of writer1 can no longer interleave
            checked  no violation in any schedule of the patched text (exhaustive): reach, deadlock
                     no data race is left
                     tried: 70 runs, none failed
            cost     1 mutex, 2 critical sections of 4 statements
            other    2: join `writer0` before `writer1` is created (checked; always line 10 of writer0 before
                     line 21 of main, where repair 1 allows both orders; `y = 0` (race.c:8) is never reached any
                     more) show: --pick 2

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 2 verified repairs; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn all_of_them() {
    let view = RepairView { all: true, commands: commands(), ..RepairView::default() };
    let text = render_view(&repaired::two(), PLAIN, &view);
    expect![[r#"
        error[assertion]: assertion `x == y` can fail
        --> race.c:24:5
        cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
               writer1 get in between

        repair 1 of 2 (best): guard lines 7 to 8 of writer0 and lines 13 to 14 of writer1 with one new mutex
                              `xy_lock`
        --- a/race.c
        +++ b/race.c
        @@ -4 +4,2 @@
         int x, y;
        +static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;
        @@ -6,3 +7,5 @@
         void *writer0(void *arg) {
        +    pthread_mutex_lock(&xy_lock);
             x = 0;
             y = 0;
        +    pthread_mutex_unlock(&xy_lock);
        because  lines 7 to 8 of writer0 and lines 13 to 14 of writer1 can no longer interleave
        checked  no violation in any schedule of the patched text (exhaustive): reach, deadlock
                 no data race is left
                 tried: 70 runs, none failed
        cost     1 mutex, 2 critical sections of 4 statements

        repair 2 of 2: join `writer0` before `writer1` is created
        --- a/race.c
        +++ b/race.c
        @@ -19,5 +19,5 @@
             pthread_t t1, t2;
             pthread_create(&t1, 0, writer0, 0);
        -    pthread_create(&t2, 0, writer1, 0);
             pthread_join(t1, 0);
        +    pthread_create(&t2, 0, writer1, 0);
             pthread_join(t2, 0);
        because  line 10 of writer0 always comes before line 21 of main
        checked  no violation in any schedule of the patched text (exhaustive): reach
                 whether a data race is left is not known
                 whether every statement is still reached, and every loop ends, is not known
        cost     the thread that joins waits for the whole of the other
        forbids  always line 10 of writer0 before line 21 of main, where repair 1 allows both orders
        warning  `y = 0` (race.c:8) is never reached any more

        refused  atomic: make each update of `x` one atomic operation: still fails: assertion `x == y` can
                 fail (line 24 of the patched file)

        apply:   unravel repair race.c --apply        or   unravel repair race.c --diff | git apply

        SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 2 verified repairs; 3 threads, 0 loops cut, memory model sc, 0.03s
    "#]].assert_eq(&text);
}

#[test]
fn another_one_is_picked() {
    let view = RepairView { pick: 2, ..RepairView::default() };
    let text = render_view(&repaired::two(), PLAIN, &view);
    assert!(
        text.contains("repair 2 of 2: join `writer0` before `writer1` is created\n--- a/race.c"),
        "{text}"
    );
    assert!(text.contains("other    1: guard lines 7 to 8"), "{text}");
}

#[test]
fn up_to_a_bound() {
    let view = RepairView { commands: commands(), ..RepairView::default() };
    let text = render_view(&repaired::bounded(), PLAIN, &view);
    assert!(text.contains("repair 1 of 1 (verified up to a bound only): guard"), "{text}");
    assert!(text.contains("apply:   unravel repair race.c --apply --unsafe-fixes"), "{text}");
}

#[test]
fn none_at_all() {
    check(
        &repaired::none(),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
            --> race.c:24:5
            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between

            no repair: after none of the changes that were tried does every schedule pass

            refused  atomic: make each update of `x` one atomic operation: still fails: assertion `x == y` can
                     fail (line 24 of the patched file)

            note: none of the changes that were tried makes every schedule pass

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; no repair; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn nothing_to_repair() {
    check(
        &repaired::nothing(),
        PLAIN,
        expect![[r#"
            safe: no violation in any schedule (exhaustive: 124 states, 3 threads, no loop cut, memory model
                  sc); checked: assertions, memory errors, deadlocks, misuse of locks and threads; not checked:
                  data races (--races), undefined arithmetic (--ub)

            SUMMARY: safe: 0 violations of 4 properties; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn the_table_of_covers() {
    check(
        &repaired::covers(false),
        PLAIN,
        expect![[r#"
            error[assertion]: assertion `x == y` can fail
            --> race.c:24:5
            cause: atomicity violation: lines 7 to 8 of writer0 should be one step (x, y), but lines 13 to 14 of
                   writer1 get in between

            kill sets:
              KS1  {line 13 before line 7, line 8 before line 14}
              KS2  {line 7 before line 13, line 14 before line 8}

            No.  cover set                                       valid  simplified result
              1  {line 13 before line 7, line 7 before line 13}  cycle  -
              2  {line 13 before line 7, line 14 before line 8}  YES    {line 14 before line 8}
              3  {line 8 before line 14, line 7 before line 13}  YES    {line 8 before line 14}

            repair 1 of 1: guard lines 7 to 8 of writer0 and lines 13 to 14 of writer1 with one new mutex
                           `xy_lock`
            --- a/race.c
            +++ b/race.c
            @@ -4 +4,2 @@
             int x, y;
            +static pthread_mutex_t xy_lock = PTHREAD_MUTEX_INITIALIZER;
            @@ -6,3 +7,5 @@
             void *writer0(void *arg) {
            +    pthread_mutex_lock(&xy_lock);
                 x = 0;
                 y = 0;
            +    pthread_mutex_unlock(&xy_lock);
            because  lines 7 to 8 of writer0 and lines 13 to 14 of writer1 can no longer interleave
            checked  no violation in any schedule of the patched text (exhaustive): reach, deadlock
                     no data race is left
                     tried: 70 runs, none failed
            cost     1 mutex, 2 critical sections of 4 statements

            SUMMARY: unsafe: 1 violation (assertion race.c:24) of 4 properties; 1 cause, 2 cores, 4 orders; 1 verified repair; 3 threads, 0 loops cut, memory model sc, 0.03s
        "#]],
    );
}

#[test]
fn long_orders_are_numbered() {
    let text = render(&repaired::covers(true), Style { width: 60, ..PLAIN });
    let table = text.split("repair 1 of 1").next().unwrap();
    expect![[r#"
        error[assertion]: assertion `x == y` can fail
        --> race.c:24:5
        cause: atomicity violation: lines 7 to 8 of writer0 should
               be one step (x, y), but lines 13 to 14 of writer1 get
               in between

        orders:
          o1   line 13 of writer1 before line 7 of writer0
          o2   line 8 of writer0 before line 14 of writer1
          o3   line 7 of writer0 before line 13 of writer1
          o4   line 14 of writer1 before line 8 of writer0

        kill sets:
          KS1  {o1, o2}
          KS2  {o3, o4}

        No.  cover set  valid  simplified result
          1  {o1, o3}   cycle  -
          2  {o1, o4}   YES    {o4}
          3  {o2, o3}   YES    {o2}
          ... and more choices

    "#]]
    .assert_eq(table);
}

#[test]
fn a_patch_has_the_colours_of_a_patch() {
    let text = render(&repaired::two(), Style { color: true, ..PLAIN });
    assert!(text.contains("\u{1b}[32m+    pthread_mutex_lock(&xy_lock);\u{1b}[0m\n"), "{text:?}");
    assert!(text.contains("\u{1b}[36m@@ -4 +4,2 @@\u{1b}[0m\n"), "{text:?}");
    assert!(text.contains("\n     x = 0;\n"), "{text:?}");
}

#[test]
fn a_patch_cannot_move_the_cursor() {
    let mut report = repaired::two();
    report.repairs.as_mut().unwrap().verified[0].diff = "+\u{1b}[2J\tx\r\n".to_owned();
    let text = render(&report, PLAIN);
    assert!(text.contains("\n+[2J\tx\n"), "{text:?}");
}
