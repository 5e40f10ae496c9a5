//! From plans and causes to candidates.
//!
//! A plan may have several requirements, and a repair must meet all of them. Each handler is asked for
//! its ways to meet each requirement; then one way for each requirement is put together, of one kind
//! for all of them where that is possible.

use std::collections::BTreeSet;

use unravel_diagnose::{Cause, Diagnosis};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Changes, Costs};
use unravel_patch::Edit;
use unravel_patch::combine::combined;
use unravel_repair::{Plan, Requirement, SourceOrder, Stretch};
use unravel_span::Span;

use crate::attempt::only_written;
use crate::handlers::HANDLERS;
use crate::names::ordinal;
use crate::{Attempt, Candidate, Context, Unwritten, guarded};

/// All ways to carry out a plan.
#[must_use]
pub fn for_plan(
    context: &Context<'_>,
    plan: &Plan,
    unwritten: &mut Vec<Unwritten>,
) -> Vec<Candidate> {
    let plan = &without_repetitions(plan);
    let merged = merged(plan);
    let subjects: Vec<String> = merged.iter().map(|it| context.subject(it)).collect();
    let mut ways: Vec<Vec<Attempt>> = Vec::new();
    for (index, requirement) in merged.iter().enumerate() {
        let same = subjects[..index].iter().filter(|it| **it == subjects[index]).count();
        let attempts = attempts(context, requirement, &ordinal(same));
        ways.push(only_written(attempts, unwritten));
    }
    match &ways[..] {
        [] => Vec::new(),
        [single] => single.iter().filter_map(|way| candidate(plan, &[way])).collect(),
        several => one_for_each(several).iter().filter_map(|it| candidate(plan, it)).collect(),
    }
}

/// All changes that follow from a diagnosis without a plan: those that are about locks, signals and
/// statements of one thread, and not about orders of accesses.
#[must_use]
pub fn for_diagnosis(
    context: &Context<'_>,
    diagnosis: &Diagnosis,
    causes: &[Cause],
    unwritten: &mut Vec<Unwritten>,
) -> Vec<Candidate> {
    let mut attempts = Vec::new();
    for cause in causes {
        attempts.extend(HANDLERS.iter().flat_map(|it| it.for_cause(context, diagnosis, cause)));
    }
    attempts.extend(HANDLERS.iter().flat_map(|it| it.for_diagnosis(context, diagnosis)));
    let written = only_written(attempts, unwritten);
    written.iter().filter_map(unplanned).collect()
}

/// The ways to meet a requirement, in the order of the handlers. New objects have `ordinal` in their
/// names.
fn attempts(context: &Context<'_>, requirement: &Requirement, ordinal: &str) -> Vec<Attempt> {
    let mut attempts: Vec<Attempt> = Vec::new();
    match requirement {
        Requirement::Exclusive(stretches) => {
            attempts.extend(HANDLERS.iter().flat_map(|it| it.exclusive(context, stretches)));
            for code in guarded::all(context, stretches, ordinal) {
                attempts.extend(HANDLERS.iter().filter_map(|it| it.guard(&code)));
            }
        }
        Requirement::Before(order) => {
            attempts.extend(HANDLERS.iter().flat_map(|it| it.before(context, order, ordinal)));
        }
    }
    attempts.sort_by_key(|it| it.is_last_resort);
    attempts
}

/// The requirements, with orders between threads of one role that concern the same two places as one:
/// all of them come to the first place before any goes on to the second.
fn merged(plan: &Plan) -> Vec<Requirement> {
    let mut result: Vec<Requirement> = Vec::new();
    for requirement in &plan.requirements {
        match result.iter_mut().find(|it| is_same(it, requirement)) {
            Some(Requirement::Before(known)) => {
                (known.before.actor, known.after.actor) = (None, None);
            }
            Some(Requirement::Exclusive(_)) => {}
            None => result.push(requirement.clone()),
        }
    }
    result
}

/// The plan with each exclusion once, if several are about the same code in different threads.
fn without_repetitions(plan: &Plan) -> Plan {
    let mut requirements: Vec<Requirement> = Vec::new();
    for requirement in &plan.requirements {
        let is_exclusion = matches!(requirement, Requirement::Exclusive(_));
        if !(is_exclusion && requirements.iter().any(|it| is_same(it, requirement))) {
            requirements.push(requirement.clone());
        }
    }
    Plan { requirements }
}

/// Whether two requirements are about the same code.
fn is_same(one: &Requirement, other: &Requirement) -> bool {
    match (one, other) {
        (Requirement::Before(one), Requirement::Before(other)) => {
            let places = |it: &SourceOrder| {
                (it.before.role, it.before.path.clone(), it.after.role, it.after.path.clone())
            };
            places(one) == places(other) && one.before.role == one.after.role
        }
        (Requirement::Exclusive(one), Requirement::Exclusive(other)) => {
            let code = |stretches: &[Stretch]| -> BTreeSet<(Vec<Span>, Vec<Span>)> {
                let ends = stretches.iter().map(|it| (it.first.path.clone(), it.last.path.clone()));
                ends.collect()
            };
            code(one) == code(other)
        }
        _ => false,
    }
}

/// One attempt for each requirement: of one kind that all have, for each such kind; if there is no such
/// kind, of each kind where a requirement has it, and the first attempt elsewhere.
fn one_for_each(several: &[Vec<Attempt>]) -> Vec<Vec<&Attempt>> {
    let mut kinds: Vec<RepairKind> = Vec::new();
    for kind in several.iter().flatten().map(|it| it.change.kind()) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let position = |attempts: &[Attempt], kind: RepairKind| {
        attempts.iter().position(|it| it.change.kind() == kind)
    };
    let of = |kind: RepairKind| -> Option<Vec<&Attempt>> {
        several.iter().map(|it| it.get(position(it, kind)?)).collect()
    };
    let mixed = |kind: RepairKind| -> Option<Vec<&Attempt>> {
        several.iter().map(|it| it.get(position(it, kind).unwrap_or(0))).collect()
    };
    let same: Vec<Vec<&Attempt>> = kinds.iter().filter_map(|&kind| of(kind)).collect();
    if same.is_empty() { kinds.iter().filter_map(|&kind| mixed(kind)).collect() } else { same }
}

/// Attempts that together carry out a plan, as one candidate.
fn candidate(plan: &Plan, attempts: &[&Attempt]) -> Option<Candidate> {
    let kind = attempts.first()?.change.kind();
    let written: Option<Vec<_>> = attempts.iter().map(|it| it.written.as_ref().ok()).collect();
    let written = written?;
    let enforced = attempts.iter().filter_map(|it| it.enforces.clone()).map(Requirement::Before);
    let mut requirements: Vec<Requirement> = enforced.collect();
    if requirements.len() < attempts.len() {
        requirements.extend(plan.requirements.iter().cloned());
    }
    let edits: Vec<&[Edit]> = written.iter().map(|it| it.edits.as_slice()).collect();
    Some(Candidate {
        kind,
        changes: Changes::of(attempts.iter().map(|it| it.change.clone()).collect()),
        costs: Costs::of(written.iter().map(|it| it.cost.clone()).collect()),
        edits: combined(&edits),
        plan: Some(Plan { requirements }),
    })
}

/// An attempt that carries out no plan, as a candidate.
fn unplanned(attempt: &Attempt) -> Option<Candidate> {
    let written = attempt.written.as_ref().ok()?;
    Some(Candidate {
        kind: attempt.change.kind(),
        changes: Changes::of(vec![attempt.change.clone()]),
        costs: Costs::of(vec![written.cost.clone()]),
        edits: written.edits.clone(),
        plan: None,
    })
}
