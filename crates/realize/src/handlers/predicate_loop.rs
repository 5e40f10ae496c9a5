//! `predicate-loop`: the use of a condition variable is mended.
//!
//! - *Applies* to every wait on a condition variable, since a wait may end without a signal; and to the
//!   wait and the signal of a lost wakeup.
//! - *Writes* a loop around the wait that tests again what is waited for; the signal, and the change
//!   before it, under the mutex of the wait; `pthread_cond_broadcast` for `pthread_cond_signal`; or a
//!   flag that remembers the signal.
//! - *Costs* no new lock.
//! - *Refused* if nothing is tested around the wait, if it is in a loop already, or if the mutex of the
//!   wait has no name where the signal is.

use unravel_diagnose::{Diagnosis, lost_signal};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Change, Cost, PredicateLoop};
use unravel_patch::{Edit, Refusal, predicate};
use unravel_span::Span;

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// The name of a flag that remembers a signal.
const FLAG: &str = "signaled";

/// Mends the use of condition variables.
pub(super) struct PredicateLoopHandler;

impl Handler for PredicateLoopHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::PredicateLoop
    }

    fn rank(&self) -> Rank {
        Rank::default()
    }

    fn because(&self, _has_plan: bool) -> Because {
        Because::WaitTests
    }

    fn for_diagnosis(&self, context: &Context<'_>, diagnosis: &Diagnosis) -> Vec<Attempt> {
        let graph = context.graph;
        let signals = context.places(graph.signals.iter().map(|it| it.step));
        let waits = context.places(graph.cond_waits.iter().map(|it| it.begin));
        let mut attempts = tests_again(context, &waits);
        let lost = diagnosis.runs.iter().find_map(|run| lost_signal(graph, run));
        if let Some((wait, signal)) = lost
            && let (Some(wait), Some(signal)) = (context.place_of(wait), context.place_of(signal))
        {
            attempts.extend(lost_wakeup(context, wait, signal));
        }
        if !waits.is_empty() && !signals.is_empty() {
            let edits = predicate::flag(context.sources, &waits, &signals, FLAG);
            attempts.push(attempt(PredicateLoop::RememberSignal, edits));
        }
        attempts
    }
}

/// A loop around each wait, then around all of them where that can be written.
fn tests_again(context: &Context<'_>, waits: &[Span]) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let (mut looped, mut all) = (Vec::new(), Vec::new());
    for &wait in waits {
        let at = context.line(wait);
        let edits = predicate::loop_around(context.sources, wait);
        if let Ok(edits) = &edits {
            looped.push(at.clone());
            all.extend(edits.iter().cloned());
        }
        attempts.push(attempt(PredicateLoop::TestAgain { waits: vec![at] }, edits));
    }
    if looped.len() > 1 {
        attempts.push(attempt(PredicateLoop::TestAgain { waits: looped }, Ok(all)));
    }
    attempts
}

/// What can be done about a wait that a signal came too early for.
fn lost_wakeup(context: &Context<'_>, wait: Span, signal: Span) -> Vec<Attempt> {
    let sources = context.sources;
    let (at, by) = (context.line(wait), context.line(signal));
    let looped = predicate::loop_around(sources, wait);
    let changes = predicate::changes_before(sources, wait, signal);
    let locked = predicate::signal_under_lock(sources, &[], &[signal], wait);
    let changed = predicate::signal_under_lock(sources, &changes, &[signal], wait);
    let all = predicate::broadcast(sources, signal);
    let signal = || by.clone();
    let again = PredicateLoop::TestAgainAndLockSignal { wait: at };
    let again = joined(again, &looped, &locked);
    let woken = joined(PredicateLoop::WakeAllLocked { signal: signal() }, &all, &locked);
    let mut attempts = vec![attempt(PredicateLoop::LockSignal { signal: signal() }, locked)];
    if !changes.is_empty() {
        let woken = PredicateLoop::LockChangeAndWakeAll { signal: signal() };
        attempts.extend(joined(woken, &all, &changed));
        attempts.push(attempt(PredicateLoop::LockChangeAndSignal { signal: signal() }, changed));
    }
    attempts.extend(again.into_iter().chain(woken));
    attempts.push(attempt(PredicateLoop::WakeAll { signal: by }, all));
    attempts
}

/// Edits, or why they cannot be written.
type Edits = Result<Vec<Edit>, Refusal>;

/// Two changes at once, if each of them can be written.
fn joined(change: PredicateLoop, one: &Edits, other: &Edits) -> Option<Attempt> {
    let (Ok(one), Ok(other)) = (one, other) else { return None };
    Some(attempt(change, Ok([one.as_slice(), other].concat())))
}

fn attempt(change: PredicateLoop, edits: Edits) -> Attempt {
    Attempt::new(Change::PredicateLoop(change), Cost::NoNewLock, edits)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, two_threads};

    #[test]
    fn what_is_waited_for_is_tested_again() {
        let text = two_threads(
            r#"
int ready;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    return arg;
}"#,
            "1",
        );
        check(
            RepairKind::PredicateLoop,
            &text,
            expect![[r#"
            [PredicateLoop(TestAgain { waits: [Lines { first: 9, last: 9, function: Some("one") }] })]
            [NoNewLock]
            WaitTests
            -    if (!ready)
            +    while (!ready)
        "#]],
        );
    }

    #[test]
    fn a_signal_is_sent_to_all_waiters() {
        let text = two_threads(
            r#"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}"#,
            "1",
        );
        check(
            RepairKind::PredicateLoop,
            &text,
            expect![[r#"
            [PredicateLoop(WakeAll { signal: Lines { first: 13, last: 13, function: Some("two") } })]
            [NoNewLock]
            WaitTests
            -    pthread_cond_signal(&c);
            +    pthread_cond_broadcast(&c);
        "#]],
        );
    }
}
