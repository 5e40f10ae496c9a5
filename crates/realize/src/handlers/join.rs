//! `join`: a thread is joined earlier, or created later.
//!
//! - *Applies* where a step of one thread must come before a step of another one that created it, that
//!   it creates, or that is created by the same code; and to threads of one loop that tear each other's
//!   regions.
//! - *Writes* a join before the later step, or moves the one that is there; moves the earlier step
//!   before the creation of the other thread, or that creation behind the step.
//! - *Costs* nothing if a statement moves. A join waits for the whole of the other thread.
//! - *Refused* if the handle of the thread has no name at the place, if several threads may be created
//!   there, or if what is passed on the way is used in between.

use unravel_diagnose::{Cause, Diagnosis};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Change, Cost, Join};
use unravel_patch::around::loop_step;
use unravel_patch::threads;
use unravel_repair::{SourceOrder, Spot, Stretch};
use unravel_span::Span;

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// Places at which a join is tried.
const MOST_PLACES: usize = 4;

/// Joins threads earlier, or creates them later.
pub(super) struct JoinHandler;

impl Handler for JoinHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Join
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: true, ..Rank::default() }
    }

    fn before(&self, context: &Context<'_>, order: &SourceOrder, _ordinal: &str) -> Vec<Attempt> {
        let mut attempts = by_creator(context, order);
        attempts.extend(by_sibling(context, order));
        attempts.extend(by_creation(context, order));
        attempts.extend(by_twin(context, order));
        attempts
    }

    /// Threads of one loop that tear each other's regions: each is joined before the next is created.
    fn for_cause(
        &self,
        context: &Context<'_>,
        _diagnosis: &Diagnosis,
        cause: &Cause,
    ) -> Vec<Attempt> {
        let Some(torn) = context.torn_among_equals(&cause.shape) else { return Vec::new() };
        let Some(step) = loop_step(context.sources, torn.create) else { return Vec::new() };
        let change = Join::EachBeforeNext { thread: torn.thread };
        vec![joins(context, change, &[(torn.create, step)])]
    }
}

/// The thread that created the other one joins it before its own step.
fn by_creator(context: &Context<'_>, order: &SourceOrder) -> Vec<Attempt> {
    let creations = context.creations(&order.before, &order.after);
    let places: Vec<(Span, Span)> =
        creations.iter().filter_map(|it| in_one_function(it, &order.after)).collect();
    if places.is_empty() {
        return Vec::new();
    }
    let thread = context.thread_name(&order.before);
    let before = context.spot(&order.after);
    let change = Join::Thread { thread, before, instead_of: None };
    let enforced = after_the_end(context, &order.before, &order.after);
    let mut attempts = vec![joins(context, change.clone(), &places).enforcing(enforced.clone())];
    attempts.extend(instead(context, change, &places).map(|it| it.enforcing(enforced)));
    attempts
}

/// Threads created at the first of each pair of places are joined before the second. Those that are
/// joined there already are left as they are.
fn joins(context: &Context<'_>, change: Join, places: &[(Span, Span)]) -> Attempt {
    let known = all_joins(context);
    let (mut edits, mut refusal) = (Vec::new(), None);
    for &(create, before) in places {
        let join = |join| threads::join_before(context.sources, create, join, before);
        let moved = match known[..] {
            [single] => join(Some(single)).ok(),
            _ => None,
        };
        match moved.map_or_else(|| join(None), Ok) {
            Ok(more) => edits.extend(more),
            Err(why) => refusal = Some(why),
        }
    }
    let edits = match refusal {
        Some(why) if edits.is_empty() => Err(why),
        _ => Ok(edits),
    };
    Attempt::new(Change::Join(change), Cost::WaitsForEnd, edits)
}

/// The one join of the program is in another function: it is taken away there.
fn instead(context: &Context<'_>, change: Join, places: &[(Span, Span)]) -> Option<Attempt> {
    let &[(create, before)] = places else { return None };
    let &[join] = &all_joins(context)[..] else { return None };
    let Join::Thread { thread, before: step, .. } = change else { return None };
    let edits = threads::join_instead(context.sources, create, join, before).ok()?;
    let instead_of = Some(context.line(join));
    let change = Join::Thread { thread, before: step, instead_of };
    Some(Attempt::new(Change::Join(change), Cost::WaitsForEnd, Ok(edits)))
}

/// Where the program joins threads.
fn all_joins(context: &Context<'_>) -> Vec<Span> {
    context.places(context.graph.joins.iter().map(|join| join.step))
}

/// Two threads created by the same code: the first is joined before the second is created.
fn by_sibling(context: &Context<'_>, order: &SourceOrder) -> Option<Attempt> {
    let (first, second) = (order.before.actor?, order.after.actor?);
    let before = (first.file, first.line) < (second.file, second.line);
    if order.before.role == order.after.role || !before {
        return None;
    }
    let (thread, other) = (context.thread_name(&order.before), context.thread_name(&order.after));
    let created = context.spots.at_place(second).next()?;
    let enforced = after_the_end(context, &order.before, created);
    let change = Join::BeforeCreation { thread, other };
    Some(joins(context, change, &[(first, second)]).enforcing(enforced))
}

/// The thread that makes the first step creates the other one: it does so later.
fn by_creation(context: &Context<'_>, order: &SourceOrder) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for creation in context.creations(&order.after, &order.before) {
        let Some((create, first)) = in_one_function(&creation, &order.before) else { continue };
        let thread = context.thread_name(&order.after);
        let statement = context.line(first);
        let enforced = SourceOrder { before: order.before.clone(), after: creation.clone() };
        let changes = [
            (
                Join::StatementFirst { statement: statement.clone(), thread: thread.clone() },
                threads::move_before(context.sources, first, create),
            ),
            (
                Join::CreatedAfter { thread, statement },
                threads::create_after(context.sources, create, first),
            ),
        ];
        attempts.extend(changes.into_iter().map(|(change, edits)| {
            let attempt = Attempt::new(Change::Join(change), Cost::Nothing, edits);
            attempt.enforcing(Some(enforced.clone()))
        }));
    }
    attempts
}

/// Two threads that run the same code: the first is joined before the second is created, or before a
/// statement between the two creations, which may keep the first thread from ending. A wait for one
/// step costs less, so this comes last.
fn by_twin(context: &Context<'_>, order: &SourceOrder) -> Vec<Attempt> {
    let Some((one, other)) = context.twins(order) else { return Vec::new() };
    let created = context.spots.at_place(other).next();
    let enforced = created.and_then(|it| after_the_end(context, &order.before, it));
    let between = threads::places_between(context.sources, one, other);
    let places = [other].into_iter().chain(between).take(MOST_PLACES);
    let join = |place: Span| {
        let is_creation = place == other;
        let change = Join::FirstThread { before: context.line(place), is_creation };
        let edits = threads::join_before(context.sources, one, None, place);
        let attempt = Attempt::new(Change::Join(change), Cost::NeverTogether, edits);
        Attempt { is_last_resort: true, ..attempt.enforcing(enforced.clone()) }
    };
    places.map(join).collect()
}

/// Two places of one role in the innermost function that has both.
fn in_one_function(a: &Spot, b: &Spot) -> Option<(Span, Span)> {
    let both = Stretch { first: a.clone(), last: b.clone(), crosses_iterations: false };
    both.ends().map(|(_, a, b)| (a, b))
}

/// The order of a place after the end of the threads that come to another.
fn after_the_end(context: &Context<'_>, thread: &Spot, then: &Spot) -> Option<SourceOrder> {
    let mut threads = context.graph.threads.iter().filter(|it| it.start == thread.role);
    let end = threads.find_map(|it| context.spots.spot(*it.steps.last()?))?;
    Some(SourceOrder { before: end.clone(), after: then.clone() })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::check;

    #[test]
    fn the_creator_joins_before_it_reads() {
        let text = r#"#include <assert.h>
#include <pthread.h>
int x;
static void *set(void *arg) {
    x = 1;
    return arg;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, set, 0);
    assert(x == 1);
    pthread_join(a, 0);
    return 0;
}
"#;
        check(
            RepairKind::Join,
            text,
            expect![[r#"
            [Join(Thread { thread: "set", before: Lines { first: 11, last: 11, function: Some("main") }, instead_of: None })]
            [WaitsForEnd]
            Required
            +    pthread_join(a, 0);
            -    pthread_join(a, 0);
        "#]],
        );
    }

    #[test]
    fn what_a_thread_reads_is_written_before_it_is_created() {
        let text = r#"#include <assert.h>
#include <pthread.h>
int x;
static void *get(void *arg) {
    assert(x == 1);
    return arg;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    x = 1;
    pthread_join(a, 0);
    return 0;
}
"#;
        check(
            RepairKind::Join,
            text,
            expect![[r#"
            [Join(StatementFirst { statement: Lines { first: 11, last: 11, function: Some("main") }, thread: "get" })]
            [Nothing]
            Required
            +    x = 1;
            -    x = 1;
        "#]],
        );
    }
}
