//! From the text of a program that fails to cores and causes.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod support;

use expect_test::{Expect, expect};

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

/// A thread adds 1 to `x`, and another sets it.
const INTERRUPTED: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @x !3
      %2 = add i32 %1, 1 !3
      store i32 %2, @x !4
      return null !5
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      store i32 5, @x !8
      return null !9
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

/// A thread sets two variables, and another fails if it reads different values.
const SEVERAL: &str = "global @y size 4 align 4 = zero
    global @z size 4 align 4 = zero
    global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      store i32 1, @y !2
      store i32 1, @z !3
      return null !4
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @y !7
      %2 = load i32 @z !8
      %3 = compare ne i32 %1, %2 !9
      branch %3, bb1, bb2 !9
    bb1:
      library reach_error() !10
      unreachable !10
    bb2:
      return null !12
    }";

/// A value is used before the other thread has set it.
const EARLY: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1 = load i32 @x !3
      %2 = compare eq i32 %1, 0 !3
      branch %2, bb1, bb2 !3
    bb1:
      library reach_error() !4
      unreachable !4
    bb2:
      return null !6
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      store i32 2, @x !8
      return null !9
    }";

/// A thread waits without a look at the state, so a signal that comes first is lost.
const SIGNAL: &str = "global @m size 40 align 8 = zero
    global @c size 48 align 8 = zero
    global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @m) !2
      %2: i32 = library pthread_cond_wait(ptr @c, ptr @m) !3
      %3: i32 = library pthread_mutex_unlock(ptr @m) !4
      return null !5
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      %1: i32 = library pthread_mutex_lock(ptr @m) !8
      %2: i32 = library pthread_cond_signal(ptr @c) !9
      %3: i32 = library pthread_mutex_unlock(ptr @m) !10
      return null !11
    }";

/// `x` is 1 in the end in every order.
const SEQUENTIAL: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      store i32 1, @x !3
      return null !4
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      store i32 1, @x !8
      return null !9
    }";

/// `main` fails if the input is 1 and is written last.
const INPUT: &str = "global @x size 4 align 4 = zero
    function @one(%0: ptr) -> ptr {
    bb0:
      %1: i8 = library __VERIFIER_nondet_bool() !2
      %2 = zext i8 %1 to i32 !2
      store i32 %2, @x !3
      return null !4
    }
    function @two(%0: ptr) -> ptr {
    bb0:
      store i32 2, @x !8
      return null !9
    }";

#[track_caller]
fn check(code: &str, expected: Expect) {
    expected.assert_eq(&support::diagnosed(&format!("{code}{MAIN}")));
}

#[test]
fn an_interrupted_increment_is_an_atomicity_violation() {
    check(
        INTERRUPTED,
        expect![[r#"
        core L3 < L8, L8 < L4
        cause atomicity violation: L3..L4 torn by L8..L8; cores: 1"#]],
    );
}

#[test]
fn variables_that_should_agree_are_an_atomicity_violation_of_several() {
    check(
        SEVERAL,
        expect![[r#"
        core L2 < L7, L8 < L3
        core L3 < L8, L7 < L2
        cause atomicity violation of several variables: L2..L3 torn by L7..L8; cores: 2"#]],
    );
}

#[test]
fn a_use_before_the_write_is_an_order_violation() {
    check(
        EARLY,
        expect![[r#"
        core L3 < L8
        cause order violation: L3 before L8; cores: 1"#]],
    );
}

#[test]
fn locks_in_opposite_orders_are_a_deadlock() {
    check(
        CIRCLE,
        expect![[r#"
        core L2 < L9, L8 < L3
        cause deadlock: L8..L9 torn by L2..L3; cores: 1"#]],
    );
}

#[test]
fn a_signal_before_the_wait_is_a_lost_wakeup() {
    check(
        SIGNAL,
        expect![[r#"
        core L9 < L3
        cause lost wakeup: L9 before L3; cores: 1"#]],
    );
}

#[test]
fn a_failure_in_every_order_is_sequential() {
    check(SEQUENTIAL, expect!["sequential"]);
}

#[test]
fn a_core_names_the_inputs_that_it_needs() {
    check(
        INPUT,
        expect![[r#"
        core L8 < L3 with input 0 = 1
        cause order violation: L8 before L3; cores: 1"#]],
    );
}
