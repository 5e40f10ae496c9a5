//! From a failing run to the passing run that is closest to it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use expect_test::{Expect, expect};
use support::{Compares, Search};

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

/// A thread reads two variables, and both must have been set by another.
const TWO_EARLY: &str = "global @x size 4 align 4 = zero
    global @y size 4 align 4 = zero
    global @z size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @y !2
      %2 = load i32 @z !3
      %3 = and i32 %1, %2 !4
      %4 = compare eq i32 %3, 0 !4
      %5 = zext i1 %4 to i32 !4
      store i32 %5, @x !4
      return null !5
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      store i32 1, @z !8
      store i32 1, @y !9
      return null !10
    }";

#[track_caller]
fn check(code: &str, orders: &[(u32, u32)], search: Search, expected: Expect) {
    let compared = Compares::new(&format!("{code}{MAIN}")).compared(orders, search);
    expected.assert_eq(&compared);
}

/// A run of [`INCREMENTS`] in which the addition of `two` comes inside that of `one`.
const INSIDE: [(u32, u32); 2] = [(3, 8), (9, 4)];

#[test]
fn the_closest_passing_run_moves_one_operation() {
    check(
        INCREMENTS,
        &INSIDE,
        Search::Exact,
        expect![[r#"
        failing: T0 L20 L21 | T1 L3 | T2 L8 L9 L10 | T1 L4 L5 | T0 L22 L23 L24
        passing: T0 L20 L21 | T2 L8 L9 L10 | T1 L3 L4 L5 | T0 L22 L23 L24
        flips 1, DF 1, BS 0, CTX 3, OP 6, optimal"#]],
    );
}

#[test]
fn the_progressive_search_keeps_the_beginning() {
    check(
        INCREMENTS,
        &INSIDE,
        Search::Progressive,
        expect![[r#"
        failing: T0 L20 L21 | T1 L3 | T2 L8 L9 L10 | T1 L4 L5 | T0 L22 L23 L24
        passing: T0 L20 L21 | T1 L3 L4 L5 | T2 L8 L9 L10 | T0 L22 L23 L24
        flips 1, DF 2, BS 0, CTX 3, OP 8"#]],
    );
}

#[test]
fn a_swap_of_one_pair_is_enough_for_one_variable() {
    check(
        INCREMENTS,
        &INSIDE,
        Search::Swap,
        expect![[r#"
        failing: T0 L20 L21 | T1 L3 | T2 L8 L9 L10 | T1 L4 L5 | T0 L22 L23 L24
        passing: T0 L20 L21 | T1 L3 L4 | T2 L8 L9 L10 | T1 L5 | T0 L22 L23 L24
        flips 1, DF 2, BS 1, CTX 2, OP 7"#]],
    );
}

#[test]
fn a_swap_of_one_pair_is_not_enough_where_two_steps_come_too_early() {
    check(
        TWO_EARLY,
        &[(4, 8)],
        Search::Swap,
        expect![[r#"
        failing: T0 L20 L21 | T1 L2 L3 L4 L5 | T2 L8 L9 L10 | T0 L22 L23 L24
        NonePasses"#]],
    );
    check(
        TWO_EARLY,
        &[(4, 8)],
        Search::Exact,
        expect![[r#"
        failing: T0 L20 L21 | T1 L2 L3 L4 L5 | T2 L8 L9 L10 | T0 L22 L23 L24
        passing: T0 L20 L21 | T2 L8 L9 L10 | T1 L2 L3 L4 L5 | T0 L22 L23 L24
        flips 1, DF 2, BS 0, CTX 3, OP 8, optimal"#]],
    );
}

#[test]
fn a_deadlock_is_left_without_another_data_flow() {
    check(
        CIRCLE,
        &[(2, 8)],
        Search::Exact,
        expect![[r#"
        failing: T0 L20 L21 | T1 L2 | T2 L8
        passing: T0 L20 L21 | T1 L2 L3 L4 L5 L6 | T2 L8 L9 L10 L11 L12 | T0 L22 L23
        flips 0, DF 0, BS 0, CTX 0, OP 2, optimal"#]],
    );
}
