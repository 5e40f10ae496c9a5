//! From the text of a program to the answers of its encoding.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use expect_test::{Expect, expect};
use support::Asked;
use unravel_events::Bounds;

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

/// Two threads that add 1 to `x`, with a lock.
const LOCKED: &str = "global @m size 40 align 8 = zero
    global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @m) !2
      %2 = load i32 @x !3
      %3 = add i32 %2, 1 !3
      store i32 %3, @x !4
      %4: i32 = library pthread_mutex_unlock(ptr @m) !5
      return null !6
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @m) !8
      %2 = load i32 @x !9
      %3 = add i32 %2, 1 !9
      store i32 %3, @x !10
      %4: i32 = library pthread_mutex_unlock(ptr @m) !11
      return null !12
    }";

/// A loop that runs as often as another thread says, and a failure after two iterations.
const LOOP: &str = "global @x size 4 align 4 = zero
    function @set(%0: ptr) -> ptr {
    bb0:
      store i32 2, @x !3
      return null !4
    }
    function @main() -> i32 {
    bb0:
      %0 = alloca 8 align 8
      %1: i32 = library pthread_create(ptr %0, ptr null, ptr &set, ptr null) !7
      jump bb1(0) !8
    bb1(%2: i32):
      %3 = load i32 @x !8
      %4 = compare slt i32 %2, %3 !8
      branch %4, bb2, bb3 !8
    bb2:
      %5 = add i32 %2, 1 !9
      jump bb1(%5) !9
    bb3:
      %6 = compare eq i32 %2, 2 !10
      branch %6, bb4, bb5 !10
    bb4:
      library reach_error() !11
      unreachable !11
    bb5:
      return 0 !12
    }";

/// A thread that meets something that is not modelled if it sees the other's write (line 7), and
/// something else if it sees a value that nobody writes (line 10).
const UNSUPPORTED: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      store i32 2, @x !3
      return null !4
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @x !6
      %2 = compare eq i32 %1, 2 !6
      branch %2, bb1, bb2 !6
    bb1:
      unsupported \"inline assembly\" !7
      jump bb2 !7
    bb2:
      %3 = compare eq i32 %1, 3 !9
      branch %3, bb3, bb4 !9
    bb3:
      unsupported \"vector\" !10
      jump bb4 !10
    bb4:
      return null !11
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

fn threads(code: &str) -> Asked {
    Asked::new(&format!("{code}{MAIN}"), &Bounds::growing())
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(text);
}

#[test]
fn increments_without_a_lock_may_be_lost() {
    check(
        &threads(INCREMENTS).answers(),
        expect![[r#"
        Violation: T0 L25
        Bound: unreachable
        Unsupported: unreachable"#]],
    );
}

#[test]
fn increments_with_a_lock_are_not_lost() {
    check(
        &threads(LOCKED).answers(),
        expect![[r#"
        Violation: unreachable
        Bound: unreachable
        Unsupported: unreachable"#]],
    );
}

#[test]
fn locks_in_opposite_orders_may_deadlock() {
    check(
        &threads(CIRCLE).answers(),
        expect![[r#"
        Violation: deadlock
        Bound: unreachable
        Unsupported: unreachable"#]],
    );
}

#[test]
fn a_bound_that_cuts_a_loop_is_reachable() {
    check(
        &Asked::new(LOOP, &Bounds::fixed(1)).answers(),
        expect![[r#"
        Violation: unreachable
        Bound: T0 L8
        Unsupported: unreachable"#]],
    );
    check(
        &Asked::new(LOOP, &Bounds::fixed(2)).answers(),
        expect![[r#"
        Violation: T0 L11
        Bound: unreachable
        Unsupported: unreachable"#]],
    );
}

#[test]
fn an_unsupported_construct_is_reachable_where_its_condition_can_hold() {
    check(
        &threads(UNSUPPORTED).answers(),
        expect![[r#"
        Violation: unreachable
        Bound: unreachable
        Unsupported: T2 L7"#]],
    );
}

#[test]
fn a_read_may_see_the_writes_that_nothing_hides() {
    check(
        &threads(INCREMENTS).sources(),
        expect![[r#"
        L3 from L9 | initial
        L8 from L4 | initial
        L24 from L4 | L9"#]],
    );
    check(
        &threads(LOCKED).sources(),
        expect![[r#"
        L3 from L10 | initial
        L9 from L4 | initial
        L24 from L4 | L10 | initial"#]],
    );
    check(
        &Asked::new(LOOP, &Bounds::fixed(1)).sources(),
        expect![[r#"
        L8 from L3 | initial
        L8 from L3 | initial"#]],
    );
}

#[test]
fn creation_join_and_program_order_always_hold() {
    let pairs = [(3, 4), (4, 3), (20, 3), (21, 3), (20, 8), (4, 8), (9, 3), (4, 24), (9, 23)];
    check(
        &threads(INCREMENTS).orders(&pairs),
        expect![[r#"
        L3 < L4: always
        L4 < L3: not always
        L20 < L3: always
        L21 < L3: not always
        L20 < L8: always
        L4 < L8: not always
        L9 < L3: not always
        L4 < L24: always
        L9 < L23: always"#]],
    );
}

#[test]
fn critical_sections_have_no_order_that_always_holds() {
    check(
        &threads(LOCKED).orders(&[(2, 8), (8, 2), (5, 8), (11, 2), (2, 5)]),
        expect![[r#"
        L2 < L8: not always
        L8 < L2: not always
        L5 < L8: not always
        L11 < L2: not always
        L2 < L5: always"#]],
    );
}
