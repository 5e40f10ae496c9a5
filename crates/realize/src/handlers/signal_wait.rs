//! `signal-wait`: one thread waits until another has made a step.
//!
//! - *Applies* where a step of one thread must come before a step of another one. Threads that run the
//!   same code are told apart by when they are created: the creation of the later one waits.
//! - *Writes* a flag with a mutex and a condition variable; sets and signals it behind the earlier
//!   step, and waits for it before the later one. Where the steps themselves cannot be changed, it tries
//!   the calls that lead to them.
//! - *Costs* the flag with its mutex and condition variable.
//! - *Refused* if one of the places is no statement, or if the step cannot be counted.

use unravel_diagnose::{Cause, Diagnosis};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Change, Cost, SignalWait};
use unravel_patch::around::{loop_step, ways_out};
use unravel_patch::wait::{Order, wait_behind, wait_for};
use unravel_repair::{SourceOrder, Stretch};
use unravel_span::Span;

use super::{Handler, Rank};
use crate::{Attempt, Context};

/// Lets threads wait for steps of others.
pub(super) struct SignalWaitHandler;

impl Handler for SignalWaitHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::SignalWait
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: true, ..Rank::default() }
    }

    fn before(&self, context: &Context<'_>, order: &SourceOrder, ordinal: &str) -> Vec<Attempt> {
        let mut attempts = by_wait(context, order, ordinal);
        attempts.extend(by_wait_for_each(context, order));
        attempts
    }

    /// Threads of one loop that tear each other's regions: the next one is created when the last has
    /// the region behind it.
    fn for_cause(
        &self,
        context: &Context<'_>,
        _diagnosis: &Diagnosis,
        cause: &Cause,
    ) -> Vec<Attempt> {
        let Some(torn) = context.torn_among_equals(&cause.shape) else { return Vec::new() };
        let stretch = Stretch::of(context.program, context.graph, torn.region);
        let next = |it: Stretch| next_creation(context, torn.create, torn.thread, it.last.path[0]);
        stretch.map(next).into_iter().collect()
    }
}

fn by_wait(context: &Context<'_>, order: &SourceOrder, ordinal: &str) -> Vec<Attempt> {
    let flag = context.flag_name(&order.before, ordinal);
    if order.before.role == order.after.role && order.before.actor.is_some() {
        return by_later_creation(context, order, &flag).into_iter().collect();
    }
    let arrivals = u32::try_from(context.spots.arrivals(&order.before)).unwrap_or(u32::MAX);
    let change = SignalWait::Step {
        waiting: context.spot(&order.after),
        awaited: context.spot(&order.before),
    };
    let mut attempts: Vec<Attempt> = Vec::new();
    // Where the step is made, else where that is called from.
    for depth in [order.before.path.len() - 1, 0] {
        for other in [order.after.path.len() - 1, 0] {
            let (first, second) = (order.before.path[depth], order.after.path[other]);
            let attempt = wait(context, change.clone(), first, second, arrivals, &flag);
            if !attempts.iter().any(|it| it.written == attempt.written) {
                attempts.push(attempt);
            }
        }
    }
    attempts
}

/// Two threads that run the same code: the second is created only when the first has made the step.
fn by_later_creation(context: &Context<'_>, order: &SourceOrder, flag: &str) -> Option<Attempt> {
    let (_, creation) = context.twins(order)?;
    let change = SignalWait::Creation {
        creation: context.line(creation),
        awaited: context.spot(&order.before),
    };
    let created = context.spots.at_place(creation).next();
    let enforced =
        created.map(|it| SourceOrder { before: order.before.clone(), after: it.clone() });
    let attempt = wait(context, change, order.before.path[0], creation, 1, flag);
    Some(attempt.enforcing(enforced))
}

/// A place waits until threads have arrived at another one.
fn wait(
    context: &Context<'_>,
    change: SignalWait,
    first: Span,
    second: Span,
    arrivals: u32,
    flag: &str,
) -> Attempt {
    let second = ways_out(context.sources, second).unwrap_or_else(|| vec![second]);
    let order = Order { first: vec![first], second, arrivals, name: flag.to_owned() };
    let edits = wait_for(context.sources, &order);
    Attempt::new(Change::SignalWait(change), Cost::Flag, edits)
}

/// A loop creates threads and then does what must come after a step of theirs: it goes on only when
/// the new one has made the step.
fn by_wait_for_each(context: &Context<'_>, order: &SourceOrder) -> Vec<Attempt> {
    let creations = context.creations(&order.before, &order.after);
    let places = creations.iter().filter_map(unravel_repair::Spot::place);
    let looped = places.filter(|it| loop_step(context.sources, *it).is_some());
    let last = order.before.path[0];
    looped
        .map(|create| next_creation(context, create, context.thread_name(&order.before), last))
        .collect()
}

/// The creator of threads goes on only when the new one has passed a place.
fn next_creation(context: &Context<'_>, create: Span, thread: String, last: Span) -> Attempt {
    let flag = format!("{}_done", context.data_at([last].into_iter()));
    let order = Order { first: vec![last], second: vec![create], arrivals: 1, name: flag };
    let change = SignalWait::NextCreation { thread, passed: last.line };
    Attempt::new(Change::SignalWait(change), Cost::Flag, wait_behind(context.sources, &order))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use unravel_kinds::RepairKind;

    use crate::testing::{check, two_threads};

    #[test]
    fn a_step_waits_for_a_flag() {
        let text = two_threads(
            r#"
int x;
static void *one(void *arg) {
    x = 1;
    return arg;
}
static void *two(void *arg) {
    assert(x == 1);
    return arg;
}"#,
            "1",
        );
        check(
            RepairKind::SignalWait,
            &text,
            expect![[r#"
            [SignalWait(Step { waiting: Lines { first: 9, last: 9, function: Some("two") }, awaited: Lines { first: 5, last: 5, function: Some("one") } })]
            [Flag]
            Required
            +static pthread_mutex_t x_done_lock = PTHREAD_MUTEX_INITIALIZER;
            +static pthread_cond_t x_done_cond = PTHREAD_COND_INITIALIZER;
            +static int x_done;
            +    pthread_mutex_lock(&x_done_lock);
            +    x_done = 1;
            +    pthread_cond_broadcast(&x_done_cond);
            +    pthread_mutex_unlock(&x_done_lock);
            +    pthread_mutex_lock(&x_done_lock);
            +    while (!x_done)
            +        pthread_cond_wait(&x_done_cond, &x_done_lock);
            +    pthread_mutex_unlock(&x_done_lock);
        "#]],
        );
    }
}
