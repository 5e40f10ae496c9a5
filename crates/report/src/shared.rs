//! What a run says about shared memory: which variables matter, and what they hold when.

use std::collections::{HashMap, HashSet};

use unravel_kinds::{Property, StepKind};

use crate::model::{Core, End, Finding, Order, PassingRun, Place, StepRow};

/// Whether a step reads or writes memory.
pub fn is_access(step: &StepRow) -> bool {
    step.kind.is_access()
}

/// Whether a step writes memory.
pub fn is_write(step: &StepRow) -> bool {
    step.kind.is_write()
}

/// Index of the first step that creates a thread; 0 if there is none.
pub fn first_creation(steps: &[StepRow]) -> usize {
    let creates = |step: &StepRow| matches!(step.kind, StepKind::Create(_));
    steps.iter().position(creates).unwrap_or(0)
}

/// What a run does with a variable.
struct Use {
    /// The first thread that accesses it.
    thread: u32,
    /// Another thread does, too.
    shared: bool,
    written: bool,
}

/// Variables that at least two threads access and at least one writes, those touched last first.
pub fn variables(finding: &Finding) -> Vec<&str> {
    let mut uses: HashMap<&str, Use> = HashMap::new();
    for (name, step) in named_accesses(finding) {
        let new = Use { thread: step.thread, shared: false, written: false };
        let mine = uses.entry(name).or_insert(new);
        mine.shared |= step.thread != mine.thread;
        mine.written |= is_write(step);
    }
    // Taken out where it is met first, so that no name comes twice.
    let names = named_accesses(finding).rev().map(|(name, _)| name);
    names.filter(|name| uses.remove(name).is_some_and(|it| it.shared && it.written)).collect()
}

/// Accesses of variables that have a name, with it, in order.
fn named_accesses(finding: &Finding) -> impl DoubleEndedIterator<Item = (&str, &StepRow)> {
    let accesses = finding.schedule.iter().filter(|step| is_access(step));
    accesses.filter_map(|step| Some((step.variable.as_deref()?, step)))
}

/// The last write of each of some variables, as far as there is one.
pub fn last_writes<'a>(finding: &'a Finding, names: &[&'a str]) -> Vec<usize> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    for (at, step) in finding.schedule.iter().enumerate().filter(|(_, step)| is_write(step)) {
        last.extend(step.variable.as_deref().map(|name| (name, at)));
    }
    names.iter().filter_map(|name| last.get(name).copied()).collect()
}

/// Notes in `values` (one per name) what a step tells about a variable.
pub fn observe<'a>(values: &mut [Option<&'a str>], names: &[&str], step: &'a StepRow) {
    if !is_access(step) {
        return;
    }
    for (value, name) in values.iter_mut().zip(names) {
        if step.variable.as_deref() == Some(*name) && step.value.is_some() {
            *value = step.value.as_deref();
        }
    }
}

/// Index of the step that is the violation itself, if the run shows it.
///
/// A race is an access that took place, with at most thread-local work of the same thread behind
/// it; other violations prevent the step that would be next.
pub fn violating_step(finding: &Finding) -> Option<usize> {
    let span = |place: &Option<Place>| place.as_ref().map(|place| place.span);
    let is_it = |step: &StepRow| is_access(step) && span(&step.place) == span(&finding.place);
    let steps = finding.schedule.iter().enumerate().rev();
    let mut mine = steps.take_while(|(_, step)| step.thread == finding.thread);
    let found = mine.find(|(_, step)| is_it(step)).map(|(index, _)| index);
    found.filter(|_| finding.property() == Property::Race)
}

/// Number of the violating step: its own, or the next after the run.
pub fn violating_number(finding: &Finding) -> u32 {
    let last = finding.schedule.last().map_or(0, |step| step.step);
    let own = violating_step(finding).and_then(|index| finding.schedule.get(index));
    own.map_or(last.saturating_add(1), |step| step.step)
}

/// The core that is explained: the first of the first cause.
pub fn core(finding: &Finding) -> Option<&Core> {
    let diagnosis = finding.diagnosis.as_ref()?;
    let first = diagnosis.causes.first().and_then(|cause| cause.cores.first());
    let core = diagnosis.cores.get(first.copied().unwrap_or(0));
    core.filter(|core| !core.orders.is_empty())
}

/// The last order of a core that has a passing run, with that run.
pub fn passing(core: &Core) -> Option<(&Order, &PassingRun)> {
    let mut orders = core.orders.iter().rev();
    orders.find_map(|order| order.passing.as_ref().map(|run| (order, run)))
}

/// Orders of a core that are explained where it is not known which of them are needed.
const MAX_UNPROVED: usize = 12;

/// The orders of a core that are explained: all, or the last of many that may not be needed.
pub fn explained(core: &Core) -> &[Order] {
    let most = if core.is_minimal { usize::MAX } else { MAX_UNPROVED };
    &core.orders[core.orders.len().saturating_sub(most)..]
}

/// The ends of the orders of a core that are explained, each with the letter of its order.
pub fn ends(core: &Core) -> impl Iterator<Item = (&str, &End)> {
    explained(core)
        .iter()
        .flat_map(|order| [(order.id.as_str(), &order.before), (order.id.as_str(), &order.after)])
}

/// Variables of the core that is explained, if the run of the finding accesses them.
pub fn core_variables(finding: &Finding) -> Vec<&str> {
    let mut accessed: HashSet<&str> = named_accesses(finding).map(|(name, _)| name).collect();
    let ends = core(finding).into_iter().flat_map(ends);
    let names = ends.filter_map(|(_, end)| end.variable.as_deref());
    // Taken out where it is met first, so that no name comes twice.
    names.filter(|name| accessed.remove(name)).collect()
}

/// Whether an end of an order is the violating step, or the one that the violation prevents.
pub fn is_violation(finding: &Finding, end: &End) -> bool {
    let span = |place: &Option<Place>| place.as_ref().map(|place| place.span);
    let is_here = end.place.is_some() && span(&end.place) == span(&finding.place);
    let is_then = || end.step.is_none_or(|step| step == violating_number(finding));
    finding.property() != Property::Deadlock && end.thread == finding.thread && is_here && is_then()
}
