//! Steps that come too early: memory that is given up in use, values that are not there yet.

use unravel_kinds::{Deed, Mistake, StepKind, Variable};
use unravel_program::{Access, Op, Program, SiteId};

use crate::ended;
use crate::spot::{Held, Spot};
use crate::{Evidence, Order, Runs, Shape};

/// What others can see before it is complete.
///
/// One thread writes what lets others in, a pointer or a flag, and later what they will need;
/// another follows the first and does not find the second. That the first lets others in shows in
/// its value, which is the address of the second; or in the passing run without that order, in
/// which the other thread does not come to its second step at all.
pub fn published(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    for late in evidence.orders.iter().filter(|it| is_set_too_late(it)) {
        let sets = set(late);
        let writer = sets.thread;
        for seen in evidence.orders {
            let lets_in = seen.before.thread == writer
                && seen.after.thread == late.before.thread
                && seen.before.kind.is_write()
                && seen.before.variable != sets.variable;
            if lets_in
                && (is_atomic(evidence.program, seen.after.site) || !is_guarded(&seen.before, late))
                && (leads_to(&seen.before, &sets) || is_gate(runs, seen, &late.before))
            {
                return Some(of(&seen.before, late));
            }
        }
        if let Some(seen) = followed(evidence.program, runs, late) {
            return Some(of(seen, late));
        }
    }
    None
}

fn of(publishes: &Spot, late: &Order) -> Mistake<Spot> {
    let (publishes, sets, reads) = (publishes.clone(), set(late), late.before.clone());
    Mistake::Published { publishes, sets, reads }
}

/// The step that sets what the other has read. Where it does not happen in the failing run, it is about
/// the same memory as the read.
fn set(late: &Order) -> Spot {
    let variable = late.after.variable.clone().or_else(|| late.before.variable.clone());
    Spot { variable, ..late.after.clone() }
}

fn is_set_too_late(order: &Order) -> bool {
    let sets = order.after.kind.is_write() || order.after.is_deed(Deed::Init);
    sets && (order.before.is_read() || order.before.kind.deed().is_some())
}

/// Whether a lock is meant to keep others away: the thread holds it from one step to the other, or at
/// both where the reader does not hold it.
fn is_guarded(publishes: &Spot, late: &Order) -> bool {
    let is_ignored = |lock: &Variable| late.before.section(lock).is_none();
    let at_both = |held: &Held| late.after.section(&held.lock).is_some() && is_ignored(&held.lock);
    in_one_section(publishes, &late.after) || publishes.held.iter().any(at_both)
}

/// Whether a thread holds one lock from one step to the other.
fn in_one_section(first: &Spot, last: &Spot) -> bool {
    first
        .held
        .iter()
        .any(|held| last.section(&held.lock).is_some_and(|it| it.number == held.number))
}

/// Whether the program reads there what is atomic: then it means to read it without a lock.
fn is_atomic(program: &Program, site: SiteId) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks
        .flat_map(|block| &block.instructions)
        .any(|it| it.site == site && matches!(it.op, Op::Load { access: Access::Atomic(_), .. }))
}

/// Whether what is written is the address of the object that the other step is about.
pub fn leads_to(publishes: &Spot, sets: &Spot) -> bool {
    let (Some(value), Some(variable)) = (&publishes.value, &sets.variable) else { return false };
    match variable {
        Variable::Heap { line, nth, .. } => {
            let block = Variable::Heap { line: *line, nth: *nth, offset: 0 }.to_string();
            let block = block.trim_end_matches("+0");
            value.strip_prefix(block).is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
        }
        Variable::Named(name) => {
            let root =
                |path: &str| path.split(['.', '[', '+']).next().unwrap_or_default().to_owned();
            value.strip_prefix('&').is_some_and(|to| root(to) == root(name))
        }
        Variable::Freed => false,
    }
}

/// Whether a thread does not come to a step where it does not see what lets it in.
fn is_gate(runs: &Runs, seen: &Order, step: &Spot) -> bool {
    let Some(run) = seen.passing.and_then(|at| runs.passing.get(at)) else { return false };
    !run.iter().any(|it| it.thread == step.thread && it.site == step.site)
}

/// The pointer that a thread followed to the step that is too early, as it was written.
fn followed<'a>(program: &Program, runs: &'a Runs, late: &Order) -> Option<&'a Spot> {
    let sets = set(late);
    let steps = runs.failing.get(..late.before.index?)?;
    let reads = steps.iter().enumerate().rev();
    let mut reads = reads.filter(|(_, it)| it.thread == late.before.thread && it.is_read());
    reads.find_map(|(at, read)| {
        let source = steps[..at]
            .iter()
            .rev()
            .find(|it| it.kind.is_write() && it.variable == read.variable)?;
        let lets_in = source.thread == late.after.thread
            && source.variable != sets.variable
            && !source.alone
            && leads_to(source, &sets)
            && (is_atomic(program, read.site) || !is_guarded(source, late));
        lets_in.then_some(source)
    })
}

/// The first step that comes too early.
pub fn mistake(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    let Some(Shape::Early(pairs)) = evidence.shape else { return None };
    let (early, due) = pairs.first()?.clone();
    if early.ends_something() {
        return Some(ended::mistake(runs, early, due));
    }
    let creates = runs
        .failing
        .iter()
        .find(|it| it.thread == due.thread && it.kind == StepKind::Create(early.thread));
    let sets = due.kind.is_write() || due.is_deed(Deed::Init);
    match creates {
        Some(creates) if sets && due.index.is_none_or(|at| creates.index < Some(at)) => {
            let creates = creates.clone();
            Some(Mistake::StartedTooEarly { creates, sets: due, uses: early })
        }
        _ => Some(Mistake::NotAwaited { uses: early, sets: due }),
    }
}
