//! From a model of an encoding to a run that the interpreter has carried out.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use expect_test::{Expect, expect};
use support::Runs;

/// Creates two threads, waits for both, and fails if `x` is 1 then: lines 20 to 25.
const MAIN: &str = "
function @main() -> i32 {
bb0:
  %0 = alloca 8 align 8
  %1 = alloca 8 align 8
  %2: i32 = library pthread_create(ptr %0, ptr null, ptr &one, ptr null) !20
  %3: i32 = library pthread_create(ptr %1, ptr null, ptr &two, ptr null) !21
  %4 = load i64 %0 !22
  %5: i32 = library pthread_join(i64 %4, ptr null) !22
  %6 = load i64 %1 !23
  %7: i32 = library pthread_join(i64 %6, ptr null) !23
  %8 = load i32 @x !24
  %9 = compare eq i32 %8, 1 !24
  branch %9, bb1, bb2 !24
bb1:
  library reach_error() !25
  unreachable !25
bb2:
  return 0 !26
}
";

/// Two threads that add 1 to `x`, without a lock.
const INCREMENTS: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @x !3
      %2 = add i32 %1, 1 !3
      store i32 %2, @x !4
      return null !5
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @x !8
      %2 = add i32 %1, 1 !8
      store i32 %2, @x !9
      return null !10
    }";

/// Two threads that take two locks in opposite orders.
const CIRCLE: &str = "global @m size 40 align 8 = zero
    global @n size 40 align 8 = zero
    global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @m) !2
      %2: i32 = library pthread_mutex_lock(ptr @n) !3
      %3: i32 = library pthread_mutex_unlock(ptr @n) !4
      %4: i32 = library pthread_mutex_unlock(ptr @m) !5
      return null !6
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @n) !8
      %2: i32 = library pthread_mutex_lock(ptr @m) !9
      %3: i32 = library pthread_mutex_unlock(ptr @m) !10
      %4: i32 = library pthread_mutex_unlock(ptr @n) !11
      return null !12
    }";

/// One thread sets `x`, another sets `y`. `main` fails if it reads `x` too early.
const EARLY: &str = "global @x size 4 align 4 = zero
    global @y size 4 align 4 = zero
    function @set_x(%0: ptr) -> ptr {
    bb0:
      store i32 1, @x !3
      return null !4
    }
    function @set_y(%0: ptr) -> ptr {
    bb0:
      store i32 1, @y !6
      return null !7
    }
    function @main() -> i32 {
    bb0:
      %0 = alloca 8 align 8
      %1: i32 = library pthread_create(ptr %0, ptr null, ptr &set_x, ptr null) !10
      %2: i32 = library pthread_create(ptr %0, ptr null, ptr &set_y, ptr null) !11
      %3 = load i32 @x !12
      %4 = compare eq i32 %3, 0 !12
      branch %4, bb1, bb2 !12
    bb1:
      library reach_error() !13
      unreachable !13
    bb2:
      %5 = load i32 @y !15
      return 0 !16
    }";

/// Fails if an input is 7 and the other thread was faster.
const INPUT: &str = "global @x size 4 align 4 = zero
    function @set(%0: ptr) -> ptr {
    bb0:
      store i32 3, @x !3
      return null !4
    }
    function @main() -> i32 {
    bb0:
      %0 = alloca 8 align 8
      %1: i32 = library pthread_create(ptr %0, ptr null, ptr &set, ptr null) !7
      %2: i32 = library __VERIFIER_nondet_int() !8
      %3 = load i32 @x !9
      %4 = add i32 %2, %3 !9
      %5 = compare eq i32 %4, 10 !9
      %6 = compare eq i32 %3, 3 !9
      %7 = and i1 %5, %6 !9
      branch %7, bb1, bb2 !9
    bb1:
      library reach_error() !10
      unreachable !10
    bb2:
      return 0 !12
    }";

fn threads(code: &str) -> Runs {
    Runs::new(&format!("{code}{MAIN}"))
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(text);
}

#[test]
fn a_failing_run_has_only_what_leads_to_the_failure() {
    check(
        &Runs::new(EARLY).failing(&[]),
        expect![[r#"
        decisions: T0 T0 T0
        switches: 0
        steps: T0 L10 L11 L12
        end: error-call at L13"#]],
    );
}

#[test]
fn a_passing_run_goes_on_to_the_end() {
    check(
        &Runs::new(EARLY).passing(&[(3, 12), (6, 15)]),
        expect![[r#"
        decisions: T0 T0 T1 T2 T0
        switches: 3
        steps: T0 L10 L11 | T1 L3 L4 | T2 L6 L7 | T0 L12 L15
        end: Complete(0)"#]],
    );
}

#[test]
fn a_run_has_the_orders_of_its_model() {
    check(
        &threads(INCREMENTS).failing(&[(3, 9), (8, 4), (4, 9), (3, 8)]),
        expect![[r#"
        decisions: T0 T0 T1 T2 T1 T2 T0
        switches: 5
        steps: T0 L20 L21 | T1 L3 | T2 L8 | T1 L4 L5 | T2 L9 L10 | T0 L22 L23 L24
        end: error-call at L25"#]],
    );
    check(
        &threads(INCREMENTS).failing(&[(3, 8), (9, 4)]),
        expect![[r#"
        decisions: T0 T0 T1 T2 T2 T1 T0
        switches: 4
        steps: T0 L20 L21 | T1 L3 | T2 L8 L9 L10 | T1 L4 L5 | T0 L22 L23 L24
        end: error-call at L25"#]],
    );
}

#[test]
fn a_passing_run_has_few_context_switches() {
    check(
        &threads(INCREMENTS).passing(&[(4, 8)]),
        expect![[r#"
        decisions: T0 T0 T1 T1 T2 T2 T0
        switches: 3
        steps: T0 L20 L21 | T1 L3 L4 L5 | T2 L8 L9 L10 | T0 L22 L23 L24
        end: Complete(0)"#]],
    );
}

#[test]
fn a_deadlock_ends_where_all_threads_stand() {
    check(
        &threads(CIRCLE).failing(&[(2, 8)]),
        expect![[r#"
        decisions: T0 T0 T1 T2
        switches: 2
        steps: T0 L20 L21 | T1 L2 | T2 L8
        end: lock-cycle at L9"#]],
    );
}

#[test]
fn inputs_of_the_model_are_choices_of_the_run() {
    check(
        &Runs::new(INPUT).failing(&[]),
        expect![[r#"
        decisions: T0(7) T1 T0
        switches: 2
        steps: T0 L7 | T1 L3 | T0 L9
        end: error-call at L10"#]],
    );
}
