//! `lock-order`: locks are taken in one order.
//!
//! - *Applies* to deadlocks in which each thread holds a lock that another one wants.
//! - *Writes* the inner lock before the outer one, in one of the functions. Where an index or an
//!   argument chooses the locks, it writes them in the order of their addresses.
//! - *Costs* no new lock.
//! - *Refused* if the two locks are taken in different functions, or if what is locked is decided
//!   between them. That locks cannot be sorted by address is not reported.

use std::collections::BTreeSet;

use unravel_diagnose::{Cause, Diagnosis, Pattern, Shape};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Change, Cost, LockOrder};
use unravel_patch::Edit;
use unravel_patch::locks::{Nested, by_address, reorder};
use unravel_repair::{Stretch, composite};

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// Changes the order in which locks are taken.
pub(super) struct LockOrderHandler;

impl Handler for LockOrderHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::LockOrder
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: false, reuses_locks: true, guards: false }
    }

    fn because(&self, _has_plan: bool) -> Because {
        Because::OneLockOrder
    }

    fn for_cause(
        &self,
        context: &Context<'_>,
        _diagnosis: &Diagnosis,
        cause: &Cause,
    ) -> Vec<Attempt> {
        if cause.pattern != Pattern::Deadlock {
            return Vec::new();
        }
        let ends: Vec<Nested> = stretches(context, &cause.shape)
            .iter()
            .filter_map(Stretch::ends)
            .map(|(_, outer, inner)| Nested { outer, inner })
            .collect();
        let mut attempts: Vec<Attempt> = ends.iter().map(|it| swapped(context, it)).collect();
        let pairs: BTreeSet<Nested> = ends.into_iter().collect();
        let pairs: Vec<Nested> = pairs.into_iter().collect();
        // One of them may follow that order already.
        attempts.extend(pairs.chunks(1).filter_map(|pair| sorted(context, pair)));
        if pairs.len() > 1 {
            attempts.extend(sorted(context, &pairs));
        }
        attempts
    }
}

/// Per thread of a deadlock, from the lock that it holds to the one that it wants.
fn stretches(context: &Context<'_>, shape: &Shape) -> Vec<Stretch> {
    let Context { program, graph, .. } = *context;
    match shape {
        Shape::Torn { region, by } => {
            let of = |region| Stretch::of(program, graph, region);
            [region, by].into_iter().filter_map(of).collect()
        }
        Shape::Early(_) => composite::of_circle(program, graph, shape),
    }
}

/// The inner lock before the outer one.
fn swapped(context: &Context<'_>, nested: &Nested) -> Attempt {
    let outer = context.line(nested.outer);
    let order = LockOrder::InnerFirst { inner: nested.inner.line, outer };
    let edits = reorder(context.sources, nested);
    Attempt::new(Change::LockOrder(order), Cost::NoNewLock, edits)
}

/// Locks that an index or an argument chooses, taken in the order of their addresses.
fn sorted(context: &Context<'_>, pairs: &[Nested]) -> Option<Attempt> {
    let edits = pairs.iter().map(|pair| by_address(context.sources, pair));
    // Two functions of one file include the same header.
    let edits: BTreeSet<Edit> =
        edits.collect::<Result<Vec<_>, _>>().ok()?.concat().into_iter().collect();
    let lines: BTreeSet<u32> = pairs.iter().flat_map(|it| [it.outer.line, it.inner.line]).collect();
    let order = LockOrder::ByAddress { lines: lines.into_iter().collect() };
    let edits = Ok(edits.into_iter().collect());
    Some(Attempt::new(Change::LockOrder(order), Cost::NoNewLock, edits))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, check_refused, two_threads};

    #[test]
    fn the_inner_lock_is_taken_first() {
        let text = two_threads(
            r#"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}"#,
            "1",
        );
        check(
            RepairKind::LockOrder,
            &text,
            expect![[r#"
            [LockOrder(InnerFirst { inner: 13, outer: Lines { first: 12, last: 12, function: Some("two") } })]
            [NoNewLock]
            OneLockOrder
            +    pthread_mutex_lock(&m);
            -    pthread_mutex_lock(&m);
        "#]],
        );
    }

    #[test]
    fn locks_in_different_functions_keep_their_order() {
        let text = two_threads(
            r#"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static void inner(pthread_mutex_t *it) {
    pthread_mutex_lock(it);
    pthread_mutex_unlock(it);
}
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    inner(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&n);
    inner(&m);
    pthread_mutex_unlock(&n);
    return arg;
}"#,
            "1",
        );
        check_refused(
            RepairKind::LockOrder,
            &text,
            expect![[r#"
            LockOrder(InnerFirst { inner: 16, outer: Lines { first: 15, last: 15, function: Some("two") } }): no statement that takes a lock is here
            LockOrder(InnerFirst { inner: 10, outer: Lines { first: 9, last: 9, function: Some("one") } }): no statement that takes a lock is here
        "#]],
        );
    }
}
