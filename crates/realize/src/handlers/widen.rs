//! `widen`: a critical section that exists is made longer.
//!
//! - *Applies* where a mutex guards a part of what must be one step: one function lets go of it too
//!   early or takes it too late, or two functions that lock for themselves are called in a row.
//! - *Writes* the lock or the unlock at another place. A function that is called in the longer section
//!   leaves the locking to its callers.
//! - *Costs* no new mutex, but the section is longer.
//! - *Refused* as [`mutex`](super::mutex) is.
//!
//! For a cause, each section of each function that is involved is tried on its own: to move one line is
//! often enough, where a lock over all regions of a core would be taken in the callers.

use unravel_diagnose::{Cause, Diagnosis, Reason};
use unravel_events::StepId;
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Because, Change, HeldBy};
use unravel_patch::guard::Mutex;
use unravel_repair::{Spot, Stretch};

use super::mutex::{one_line, shown};
use super::{Handler, Rank};
use crate::{Attempt, Context, GuardedCode, guarded, mutexes};

/// Sections that are tried for a cause.
const MOST: usize = 6;

/// Makes critical sections longer.
pub(super) struct WidenHandler;

impl Handler for WidenHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Widen
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: false, reuses_locks: true, guards: true }
    }

    fn because(&self, has_plan: bool) -> Because {
        if has_plan { Because::Required } else { Because::WholeSection }
    }

    fn guard(&self, code: &GuardedCode) -> Option<Attempt> {
        if !code.is_widened() {
            return None;
        }
        let held = match &code.mutex {
            Mutex::New { name } => HeldBy::Mutex(name.clone()),
            Mutex::Existing { expression, .. } => HeldBy::Mutex(shown(expression)),
            Mutex::Spelled { spelling, .. } => {
                let (take, give) = (one_line(&spelling.take), one_line(&spelling.give));
                HeldBy::Statements { take, give }
            }
        };
        let callers_lock_for =
            code.outcome.as_ref().map_or_else(|_| Vec::new(), |it| it.lifted.clone());
        let change = Change::Widen { what: code.what.clone(), held, callers_lock_for };
        let written = code.written();
        Some(Attempt { change, written, enforces: None, is_last_resort: false })
    }

    /// Each section in whose call a cause has steps outside of it, over all of them.
    fn for_cause(
        &self,
        context: &Context<'_>,
        diagnosis: &Diagnosis,
        cause: &Cause,
    ) -> Vec<Attempt> {
        let spots = spots_of(context, diagnosis, cause);
        let mut attempts: Vec<Attempt> = Vec::new();
        for lock in context.graph.locks.iter().filter_map(|it| context.spots.spot(it.step)) {
            let Some(stretch) = around(lock, &spots) else { continue };
            let stretch = [stretch];
            let regions = guarded::regions(context, &stretch);
            let Some(innermost) = regions.first() else { continue };
            for mutex in mutexes::existing(context, &stretch) {
                let code = GuardedCode::new(context, &stretch, innermost, mutex);
                let is_known = attempts.iter().any(|known| known.edits() == code.edits());
                attempts.extend(self.guard(&code).filter(|_| !is_known));
            }
        }
        attempts.truncate(MOST);
        attempts
    }
}

/// Where the steps of a cause are.
fn spots_of(context: &Context<'_>, diagnosis: &Diagnosis, cause: &Cause) -> Vec<Spot> {
    let mut steps: Vec<StepId> = Vec::new();
    for run in &cause.runs {
        if let Reason::Core(core) = &diagnosis.runs[*run].reason {
            let members = core.members.iter();
            steps.extend(members.flat_map(|it| [it.order.before, it.order.after]));
            steps.extend(core.implied.iter().flat_map(|it| [it.before, it.after]));
        }
    }
    let mut spots: Vec<Spot> =
        steps.into_iter().filter_map(|step| context.spots.spot(step).cloned()).collect();
    spots.sort();
    spots.dedup();
    spots
}

/// From the first to the last of some spots, in the call that takes a lock; `None` if none is there.
fn around(lock: &Spot, spots: &[Spot]) -> Option<Stretch> {
    let (_, calls) = lock.path.split_last()?;
    let here = |spot: &&Spot| {
        (spot.role, spot.actor) == (lock.role, lock.actor) && spot.path.starts_with(calls)
    };
    let at_level = |spot: &Spot| {
        let path = spot.path.get(..=calls.len())?.to_vec();
        Some(Spot { path, ..spot.clone() })
    };
    let mut own: Vec<Spot> = spots.iter().filter(here).filter_map(at_level).collect();
    own.sort_by(|one, other| one.path.cmp(&other.path));
    let (first, last) = (own.first()?.clone(), own.last()?.clone());
    Some(Stretch { first, last, crosses_iterations: false })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, two_threads};

    #[test]
    fn two_sections_become_one() {
        let text = two_threads(
            r#"
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *one(void *arg) {
    pthread_mutex_lock(&m);
    int old = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x = old + 1;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg) {
    pthread_mutex_lock(&m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    return arg;
}"#,
            "x == 2",
        );
        check(
            RepairKind::Widen,
            &text,
            expect![[r#"
            [Widen { what: [Lines { first: 7, last: 10, function: Some("one") }], held: Mutex("m"), callers_lock_for: [] }]
            [Sections { new_mutex: false, sections: 1, statements: 2 }]
            WholeSection
            -    pthread_mutex_unlock(&m);
            -    pthread_mutex_lock(&m);
        "#]],
        );
    }

    #[test]
    fn functions_that_lock_for_themselves_leave_it_to_their_callers() {
        let text = two_threads(
            r#"
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int get(void) {
    pthread_mutex_lock(&m);
    int old = x;
    pthread_mutex_unlock(&m);
    return old;
}
static void set(int new) {
    pthread_mutex_lock(&m);
    x = new;
    pthread_mutex_unlock(&m);
}
static void *one(void *arg) {
    int old = get();
    set(old + 1);
    return arg;
}
static void *two(void *arg) {
    int old = get();
    set(old + 1);
    return arg;
}"#,
            "x == 2",
        );
        check(
            RepairKind::Widen,
            &text,
            expect![[r#"
            [Widen { what: [Lines { first: 17, last: 18, function: Some("one") }, Lines { first: 22, last: 23, function: Some("two") }], held: Mutex("m"), callers_lock_for: ["set", "get"] }]
            [Sections { new_mutex: false, sections: 2, statements: 4 }]
            Required
            -    pthread_mutex_lock(&m);
            -    pthread_mutex_unlock(&m);
            -    pthread_mutex_lock(&m);
            -    pthread_mutex_unlock(&m);
            +    pthread_mutex_lock(&m);
            +    pthread_mutex_unlock(&m);
            +    pthread_mutex_lock(&m);
            +    pthread_mutex_unlock(&m);
        "#]],
        );
    }
}
