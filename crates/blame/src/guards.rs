//! Which lock guards which variable, and who accesses the variable without it.
//!
//! As in Eraser (Savage et al., 1997), the lock of a variable is the one that is held at its
//! accesses. Eraser wants it held at all of them; here the run is known to fail, and the lock that
//! is held at most lines that access the variable is taken for the one that was meant.

use std::collections::{BTreeMap, BTreeSet};

use unravel_kinds::{Deed, Harm, Mistake, StepKind, Variable};

use crate::spot::{Held, Line, Spot};
use crate::{Evidence, Runs, Shape};

/// Accesses of the violating thread that may have to do with the failure, where no orders are known.
const LAST_ACCESSES: usize = 12;

/// A variable or lock on behalf of all objects of its kind: without indices, without the number of
/// its heap block.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind(String);

/// Which of these objects.
type Instance = Vec<String>;

fn kind(variable: &Variable) -> (Kind, Instance) {
    match variable {
        Variable::Named(name) => without_indices(name),
        Variable::Heap { line, nth, offset } => {
            (Kind(format!("heap@{line}+{offset}")), vec![nth.to_string()])
        }
        Variable::Freed => (Kind(String::new()), Vec::new()),
    }
}

/// `slots[2].lock` as `slots[].lock` and `2`.
fn without_indices(name: &str) -> (Kind, Instance) {
    let (mut kind, mut indices) = (String::new(), Vec::new());
    for part in name.split('[') {
        match part.split_once(']') {
            Some((index, rest)) => {
                indices.push(index.to_owned());
                kind.push_str("[]");
                kind.push_str(rest);
            }
            None => kind.push_str(part),
        }
    }
    (Kind(kind), indices)
}

/// A lock as seen from a variable: the same for all, or the one of the same object.
type Guard = (Kind, bool);

fn guard(variable: &Instance, lock: &Variable) -> Option<Guard> {
    let (kind, instance) = kind(lock);
    match (instance.is_empty(), instance == *variable) {
        (true, _) => Some((kind, false)),
        (false, true) => Some((kind, true)),
        // The lock of another object: seen from the variable, it guards nothing.
        (false, false) => Some((kind, false)),
    }
}

/// The lock that guards a variable, with the accesses that hold it and those that do not.
struct Guarded<'a> {
    guard: Guard,
    locked: Vec<&'a Spot>,
    unlocked: Vec<&'a Spot>,
}

impl Guarded<'_> {
    /// The lock, as this access holds it.
    fn held<'b>(&self, access: &'b Spot) -> Option<&'b Held> {
        let instance = access.variable.as_ref().map(|it| kind(it).1)?;
        access.held.iter().find(|it| guard(&instance, &it.lock).as_ref() == Some(&self.guard))
    }
}

/// Who accesses what the orders are about outside of the lock that guards it.
pub fn mistake(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    let ends = ends(evidence, runs);
    let mut seen: BTreeSet<Kind> = BTreeSet::new();
    ends.iter().find_map(|end| {
        let variable = end.variable.as_ref().filter(|_| end.kind.is_access())?;
        let (kind, _) = kind(variable);
        seen.insert(kind.clone()).then(|| of_variable(evidence, runs, &kind, &ends))?
    })
}

/// The steps that the failure is about.
fn ends<'a>(evidence: &'a Evidence<'_>, runs: &'a Runs) -> Vec<&'a Spot> {
    if evidence.orders.is_empty() {
        let thread = evidence.violation.thread.0;
        let last = runs.failing.iter().rev().filter(|it| it.thread == thread);
        return last.filter(|it| it.kind.is_access()).take(LAST_ACCESSES).collect();
    }
    evidence.orders.iter().flat_map(|order| [&order.before, &order.after]).collect()
}

fn of_variable(
    evidence: &Evidence<'_>,
    runs: &Runs,
    variable: &Kind,
    ends: &[&Spot],
) -> Option<Mistake<Spot>> {
    let found = guarded(evidence, runs, variable)?;
    let lines: BTreeSet<Line> = ends.iter().map(|it| it.line(evidence.program)).collect();
    let threads: BTreeSet<u32> = ends.iter().map(|it| it.thread).collect();
    let rank = |it: &&&Spot| {
        let is_end = lines.contains(&it.line(evidence.program));
        let is_it = ends.iter().any(|end| end.index.is_some() && end.index == it.index);
        (!is_end, !is_it, !threads.contains(&it.thread), it.index)
    };
    let &access = found.unlocked.iter().min_by_key(rank)?;
    // The section that it can disturb, or be disturbed by: another thread's where there is one.
    let other = |it: &&&&Spot| (it.thread == access.thread, !it.kind.is_write());
    let &locked = found.locked.iter().min_by_key(|it| other(&it))?;
    let held = found.held(locked)?;
    let harm = harm(evidence, access);
    let lock = locked.taking(held);
    Some(Mistake::Unlocked { access: access.clone(), lock, locked: locked.clone(), harm })
}

fn harm(evidence: &Evidence<'_>, access: &Spot) -> Harm<Spot> {
    match evidence.shape {
        Some(Shape::Torn { region: (first, last), .. })
            if first.line(evidence.program) != access.line(evidence.program)
                && last.line(evidence.program) != access.line(evidence.program)
                && first.thread != access.thread
                && first.kind.is_access()
                && last.kind.is_access() =>
        {
            Harm::Between { first: first.clone(), last: last.clone() }
        }
        _ => Harm::OutOfDate,
    }
}

/// The lock that most lines hold at their accesses of a variable, if others do not.
fn guarded<'a>(evidence: &Evidence<'_>, runs: &'a Runs, variable: &Kind) -> Option<Guarded<'a>> {
    let is_it = |it: &&Spot| {
        let (Some(own), false) = (&it.variable, it.alone) else { return false };
        it.kind.is_access() && kind(own).0 == *variable
    };
    let all: Vec<&Spot> = runs.all().flatten().filter(is_it).collect();
    if !all.iter().any(|it| it.kind.is_write()) {
        return None;
    }
    let mut lines: BTreeMap<Guard, BTreeSet<Line>> = BTreeMap::new();
    for access in &all {
        for guard in guards_of(access) {
            lines.entry(guard).or_default().insert(access.line(evidence.program));
        }
    }
    let most = lines.iter().max_by_key(|(_, lines)| lines.len())?;
    let guard = most.0.clone();
    let (locked, unlocked): (Vec<&Spot>, Vec<&Spot>) =
        all.into_iter().partition(|it| guards_of(it).contains(&guard));
    // An atomic update is one step without a lock, too.
    let is_plain = |it: &&Spot| matches!(it.kind, StepKind::Read | StepKind::Write);
    let unlocked: Vec<&Spot> = unlocked.into_iter().filter(is_plain).collect();
    let conflicts = |a: &Spot| {
        let clash = |b: &&Spot| b.kind.is_write() || a.kind.is_write();
        locked.iter().any(clash) || unlocked.iter().any(clash)
    };
    let unlocked: Vec<&Spot> = unlocked.iter().copied().filter(|it| conflicts(it)).collect();
    Some(Guarded { guard, locked, unlocked })
}

fn guards_of(access: &Spot) -> BTreeSet<Guard> {
    let Some(variable) = &access.variable else { return BTreeSet::new() };
    let (_, instance) = kind(variable);
    access.held.iter().filter_map(|it| guard(&instance, &it.lock)).collect()
}

/// Whether a step gives a lock back.
pub fn gives_back(spot: &Spot, lock: &Variable) -> bool {
    spot.is_deed(Deed::Unlock) && spot.variable.as_ref() == Some(lock)
}
