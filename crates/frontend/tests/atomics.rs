//! Atomic accesses of all widths and orderings.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

mod common;

use common::{load_c, load_ll, load_with, ops, unsupported};
use unravel_program::*;

#[test]
fn accesses_of_all_widths_are_single_instructions() {
    for (ty, width) in [("char", 8), ("short", 16), ("int", 32), ("long", 64), ("__int128", 128)] {
        let program = load_c(&format!(
            "_Atomic {ty} x; int main(void) {{ x = 3; {ty} y = x; x += 2; return (int)y; }}"
        ));
        let ordering = Ordering::SequentiallyConsistent;
        let ty = Type::Int(width);
        let main = ops(&program, "main");
        assert!(
            main.iter().any(|op| matches!(op, Op::Store { ty: it, access: Access::Atomic(o), .. }
            if (*it, *o) == (ty, ordering)))
        );
        assert!(
            main.iter().any(|op| matches!(op, Op::Load { ty: it, access: Access::Atomic(o), .. }
            if (*it, *o) == (ty, ordering)))
        );
        assert!(
            main.iter().any(|op| matches!(op, Op::ReadModifyWrite { ty: it, op: RmwOp::Add, .. }
            if *it == ty))
        );
    }
}

#[test]
fn orderings_are_kept() {
    let program = load_c(
        "#include <stdatomic.h>
         atomic_int x;
         int main(void) {
           atomic_store_explicit(&x, 1, memory_order_relaxed);
           atomic_store_explicit(&x, 1, memory_order_release);
           atomic_thread_fence(memory_order_acquire);
           atomic_thread_fence(memory_order_acq_rel);
           atomic_signal_fence(memory_order_seq_cst);
           return atomic_load_explicit(&x, memory_order_acquire);
         }",
    );
    let orderings = ops(&program, "main").into_iter().filter_map(|op| match op {
        Op::Store { access: Access::Atomic(ordering), .. }
        | Op::Load { access: Access::Atomic(ordering), .. }
        | Op::Fence { ordering } => Some(*ordering),
        _ => None,
    });
    let expected = [
        Ordering::Relaxed,
        Ordering::Release,
        Ordering::Acquire,
        Ordering::AcquireRelease,
        Ordering::Acquire,
    ];
    assert_eq!(orderings.collect::<Vec<_>>(), expected);
}

#[test]
fn read_modify_write_operations_are_kept_apart() {
    let program = load_c(
        "int x; unsigned u; float f;
         int main(void) {
           __atomic_exchange_n(&x, 1, 5); __atomic_fetch_add(&x, 1, 5); __atomic_fetch_sub(&x, 1, 5);
           __atomic_fetch_and(&x, 1, 5); __atomic_fetch_nand(&x, 1, 5); __atomic_fetch_or(&x, 1, 5);
           __atomic_fetch_xor(&x, 1, 5); __atomic_fetch_max(&x, 1, 5); __atomic_fetch_min(&u, 1, 5);
           return 0;
         }",
    );
    let found = ops(&program, "main").into_iter().filter_map(|op| match op {
        Op::ReadModifyWrite { op, .. } => Some(*op),
        _ => None,
    });
    let expected = [
        RmwOp::Exchange,
        RmwOp::Add,
        RmwOp::Sub,
        RmwOp::And,
        RmwOp::Nand,
        RmwOp::Or,
        RmwOp::Xor,
        RmwOp::Max,
        RmwOp::UMin,
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    let rare = load_ll(
        "define i32 @f(ptr %p) { %1 = atomicrmw uinc_wrap ptr %p, i32 5 seq_cst ret i32 %1 }
         define float @g(ptr %p) { %1 = atomicrmw fadd ptr %p, float 1.0 seq_cst ret float %1 }",
    );
    assert_eq!(unsupported(&rare, "f").len(), 1);
    assert!(matches!(ops(&rare, "g")[0], Op::ReadModifyWrite { op: RmwOp::FAdd, .. }));
}

#[test]
fn compare_exchange_has_two_results_and_two_orderings() {
    let program = load_c(
        "#include <stdatomic.h>
         atomic_long x; _Atomic(void *) p;
         int main(void) {
           long old = 1; void *q = 0;
           atomic_compare_exchange_weak_explicit(&x, &old, 2, memory_order_acq_rel, memory_order_relaxed);
           return atomic_compare_exchange_strong(&p, &q, &old);
         }",
    );
    let found = ops(&program, "main").into_iter().filter_map(|op| match op {
        Op::CompareExchange { weak, on_success, on_failure, ty, .. } => {
            Some((*ty, *weak, *on_success, *on_failure))
        }
        _ => None,
    });
    let seq = Ordering::SequentiallyConsistent;
    let expected = [
        (Type::Int(64), true, Ordering::AcquireRelease, Ordering::Relaxed),
        (Type::Int(64), false, seq, seq),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn functions_behind_atomics_become_instructions() {
    let program = load_c(
        "long __atomic_load_8(void *, int); void __atomic_store_4(void *, int, int);
         int __atomic_add_fetch_4(void *, int, int);
         _Bool __atomic_compare_exchange_4(void *, void *, int, int, int);
         int x; long y;
         int main(void) {
           int e = 1;
           __atomic_store_4(&x, 1, 3); __atomic_add_fetch_4(&x, 2, 0);
           return __atomic_load_8(&y, 2) + __atomic_compare_exchange_4(&x, &e, 5, 4, 2);
         }",
    );
    assert_eq!(unsupported(&program, "main"), []);
    let main = ops(&program, "main");
    let release = Access::Atomic(Ordering::Release);
    assert!(main.iter().any(|op| matches!(op, Op::Store { access, .. } if *access == release)));
    assert!(
        main.iter().any(|op| matches!(op, Op::ReadModifyWrite { ordering: Ordering::Relaxed, .. }))
    );
    assert!(main.iter().any(|op| matches!(op, Op::CompareExchange { .. })));
    assert!(!main.iter().any(|op| matches!(op, Op::External { .. })));
}

#[test]
fn atomic_structs_are_supported_up_to_16_bytes() {
    let text = |members: &str| {
        format!(
            "struct s {{ {members} }}; _Atomic struct s x; int main(void) {{ struct s y = x; x = y; return 0; }}"
        )
    };
    let program = load_c(&text("long a, b;"));
    let wide =
        |op: &&Op| matches!(op, Op::Load { ty: Type::Int(128), access: Access::Atomic(_), .. });
    assert_eq!(ops(&program, "main").into_iter().filter(wide).count(), 1);
    assert_eq!(unsupported(&load_c(&text("long a, b, c;")), "main").len(), 2);
}

#[test]
fn atomics_wider_than_a_word_work_with_m32() {
    let program = load_with("_Atomic long long x; int main(void) { return ++x; }", &["-m32"]);
    assert_eq!(unsupported(&program, "main"), []);
}
