//! From the text of a program to its event graph.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod support;

use expect_test::{Expect, expect};
use unravel_events::Bounds;

/// Creates two threads and waits for both: lines 20 to 23.
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
  return 0 !24
}
";

#[track_caller]
fn check(code: &str, bounds: &Bounds, expected: Expect) {
    expected.assert_eq(&support::printed(code, bounds));
}

#[track_caller]
fn check_threads(code: &str, expected: Expect) {
    check(&format!("{code}{MAIN}"), &Bounds::growing(), expected);
}

#[test]
fn accesses_of_two_threads_to_one_variable() {
    check_threads(
        "global @x size 4 align 4 = zero
        function @one(%0: ptr) -> ptr {
        bb0:
          %1 = load i32 @x !3
          %2 = add i32 %1, 1 !3
          store i32 %2, @x !4
          return null !5
        }
        function @two(%0: ptr) -> ptr {
        bb0:
          store i32 7, @x !8
          return null !9
        }",
        expect![[r#"
            thread 0 main
              L20 create
              L21 create
              L22 join
              L23 join ?
              L24 end never
              may stand at L22 for a thread ?
              may stand at L23 for a thread ?
            thread 1 one created at L20
              L3 read x
              L4 write x
              L5 end
            thread 2 two created at L21
              L8 write x
              L9 end"#]],
    );
}

#[test]
fn a_lock_makes_a_critical_section() {
    check_threads(
        "global @m size 40 align 8 = zero
        global @x size 4 align 4 = zero
        function @one(%0: ptr) -> ptr {
        bb0:
          %1: i32 = library pthread_mutex_lock(ptr @m) !3
          store i32 1, @x !4
          %2: i32 = library pthread_mutex_unlock(ptr @m) !5
          return null !6
        }
        function @two(%0: ptr) -> ptr {
        bb0:
          %1: i32 = library pthread_mutex_lock(ptr @m) !8
          %2 = load i32 @x !9
          %3: i32 = library pthread_mutex_unlock(ptr @m) !10
          return null !11
        }",
        expect![[r#"
            thread 0 main
              L20 create
              L21 create
              L22 join
              L23 join ?
              L24 end never
              may stand at L22 for a thread ?
              may stand at L23 for a thread ?
            thread 1 one created at L20
              L3 MutexLock
              L4 write x ?
              L5 MutexUnlock ?
              L6 end ?
              may stand at L3 for a lock ?
            thread 2 two created at L21
              L8 MutexLock
              L9 read x ?
              L10 MutexUnlock ?
              L11 end ?
              may stand at L8 for a lock ?
            section L3..L5 ? ?
            section L8..L10 ? ?"#]],
    );
}

#[test]
fn an_access_in_a_branch_has_a_guard() {
    check_threads(
        "global @flag size 4 align 4 = zero
        global @x size 4 align 4 = zero
        function @one(%0: ptr) -> ptr {
        bb0:
          %1 = load i32 @flag !3
          %2 = compare eq i32 %1, 1 !3
          branch %2, bb1, bb2 !3
        bb1:
          store i32 5, @x !4
          jump bb2 !4
        bb2:
          %3 = load i32 @x !6
          return null !7
        }
        function @two(%0: ptr) -> ptr {
        bb0:
          store i32 1, @flag !9
          store i32 2, @x !10
          return null !11
        }",
        expect![[r#"
            thread 0 main
              L20 create
              L21 create
              L22 join
              L23 join ?
              L24 end never
              may stand at L22 for a thread ?
              may stand at L23 for a thread ?
            thread 1 one created at L20
              L3 read flag
              L4 write x ?
              L6 read x
              L7 end
            thread 2 two created at L21
              L9 write flag
              L10 write x
              L11 end"#]],
    );
}

#[test]
fn a_violation_is_a_finding_with_its_condition() {
    check_threads(
        "global @x size 4 align 4 = zero
        function @one(%0: ptr) -> ptr {
        bb0:
          store i32 1, @x !3
          return null !4
        }
        function @two(%0: ptr) -> ptr {
        bb0:
          %1 = load i32 @x !6
          %2 = compare eq i32 %1, 1 !6
          branch %2, bb1, bb2 !6
        bb1:
          library reach_error() !7
          unreachable !7
        bb2:
          return null !9
        }",
        expect![[r#"
            thread 0 main
              L20 create
              L21 create
              L22 join
              L23 join ?
              L24 end never
              may stand at L22 for a thread ?
              may stand at L23 for a thread ?
            thread 1 one created at L20
              L3 write x
              L4 end
            thread 2 two created at L21
              L6 read x
              L9 end ?
            finding Violation(Reach) at L7 in thread 2 ?"#]],
    );
}

/// Counts up to a limit that another thread sets.
const LOOP: &str = "global @limit size 4 align 4 = zero
    function @set(%0: ptr) -> ptr {
    bb0:
      store i32 3, @limit !3
      return null !4
    }
    function @main() -> i32 {
    bb0:
      %0 = alloca 8 align 8
      %1: i32 = library pthread_create(ptr %0, ptr null, ptr &set, ptr null) !7
      jump bb1(0) !8
    bb1(%2: i32):
      %3 = load i32 @limit !8
      %4 = compare slt i32 %2, %3 !8
      branch %4, bb2, bb3 !8
    bb2:
      %5 = add i32 %2, 1 !9
      jump bb1(%5) !8
    bb3:
      return 0 !11
    }";

#[test]
fn a_loop_is_cut_at_its_bound() {
    check(
        LOOP,
        &Bounds::fixed(1),
        expect![[r#"
        thread 0 main
          L7 create
          L8 read limit
          L8 read limit ?
          L11 end never
        thread 1 set created at L7
          L3 write limit
          L4 end
        finding bound of main bb1 after 1 at L8 in thread 0 ?"#]],
    );
    check(
        LOOP,
        &Bounds::fixed(2),
        expect![[r#"
        thread 0 main
          L7 create
          L8 read limit
          L8 read limit ?
          L8 read limit ?
          L11 end never
        thread 1 set created at L7
          L3 write limit
          L4 end
        finding bound of main bb1 after 2 at L8 in thread 0 ?"#]],
    );
}

#[test]
fn threads_exist_where_their_creation_is_executed() {
    check(
        "global @x size 4 align 4 = zero
        function @set(%0: ptr) -> ptr {
        bb0:
          store i32 1, @x !3
          return null !4
        }
        function @main() -> i32 {
        bb0:
          %0 = alloca 8 align 8
          %1: i32 = library pthread_create(ptr %0, ptr null, ptr &set, ptr null) !7
          %2 = load i32 @x !8
          %3 = compare eq i32 %2, 1 !8
          branch %3, bb1, bb2 !8
        bb1:
          %4: i32 = library pthread_create(ptr %0, ptr null, ptr &set, ptr null) !9
          jump bb2 !9
        bb2:
          %5 = load i64 %0 !11
          %6: i32 = library pthread_join(i64 %5, ptr null) !11
          return 0 !12
        }",
        &Bounds::growing(),
        expect![[r#"
            thread 0 main
              L7 create
              L8 read x
              L9 create ?
              L11 join
              L12 end never
              may stand at L11 for a thread ?
            thread 1 set created at L7
              L3 write x
              L4 end
            thread 2 set created at L9 ?
              L3 write x ?
              L4 end ?"#]],
    );
}

#[test]
fn a_construct_that_is_not_modelled_is_a_finding() {
    check_threads(
        "global @x size 4 align 4 = zero
        function @one(%0: ptr) -> ptr {
        bb0:
          store i32 1, @x !3
          return null !4
        }
        function @two(%0: ptr) -> ptr {
        bb0:
          %1 = load i32 @x !6
          %2 = compare eq i32 %1, 1 !6
          branch %2, bb1, bb2 !6
        bb1:
          unsupported \"inline assembly\" !7
          jump bb2 !7
        bb2:
          return null !9
        }",
        expect![[r#"
            thread 0 main
              L20 create
              L21 create
              L22 join
              L23 join ?
              L24 end never
              may stand at L22 for a thread ?
              may stand at L23 for a thread ?
            thread 1 one created at L20
              L3 write x
              L4 end
            thread 2 two created at L21
              L6 read x
              L9 end ?
            finding Unsupported(Untranslated(Construct("inline assembly"))) at L7 in thread 2 ?"#]],
    );
}
