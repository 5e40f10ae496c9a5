//! Plans as candidates: edits of the text, still to be verified.

mod exclusion;
mod longer;
mod moved;
mod order;
mod special;
mod updates;

use std::collections::BTreeSet;

use unravel_events::{EventGraph, StepId};
use unravel_patch::{Edit, Refusal, Sources};
use unravel_program::Program;
use unravel_repair::spot::Spots;
use unravel_repair::{Plan, Requirement, SourceOrder, Spot, Stretch};
use unravel_span::Span;

use super::words::Words;

/// A change of the text, and what it is meant to do.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// As in `unravel_report::model::Repair::kind`.
    pub kind: &'static str,
    pub title: String,
    pub cost: String,
    pub edits: Vec<Edit>,
    /// What it enforces, if that can be said in orders.
    pub plan: Option<Plan>,
}

/// A change that could not be written.
#[derive(Clone, Debug)]
pub struct Unwritten {
    pub kind: &'static str,
    pub title: String,
    pub why: String,
}

/// One way to meet a requirement.
struct Way {
    kind: &'static str,
    title: String,
    cost: String,
    edits: Result<Vec<Edit>, Refusal>,
    /// What it enforces, where that is more than the requirement.
    meaning: Option<SourceOrder>,
}

/// Writes changes.
pub struct Writer<'a> {
    pub program: &'a Program,
    pub graph: &'a EventGraph,
    pub spots: &'a Spots,
    pub sources: &'a Sources<'a>,
}

impl Writer<'_> {
    fn words(&self) -> Words<'_> {
        Words { program: self.program, sources: self.sources }
    }

    /// All ways to carry out a plan; with several requirements, one kind of change for all where
    /// each has it.
    pub fn plan(&self, plan: &Plan, unwritten: &mut Vec<Unwritten>) -> Vec<Candidate> {
        let plan = &without_repetitions(plan);
        let merged = merged(plan);
        let subjects: Vec<String> = merged.iter().map(|it| self.subject(it)).collect();
        let mut ways: Vec<Vec<Way>> = Vec::new();
        for (index, requirement) in merged.iter().enumerate() {
            let same = subjects[..index].iter().filter(|it| **it == subjects[index]).count();
            ways.push(self.requirement(requirement, &ordinal(same), unwritten));
        }
        match &ways[..] {
            [] => Vec::new(),
            [alone] => alone.iter().filter_map(|way| candidate(plan, &[way])).collect(),
            several => together(several).iter().filter_map(|it| candidate(plan, it)).collect(),
        }
    }

    /// What names new objects for a requirement.
    fn subject(&self, it: &Requirement) -> String {
        let spots: Vec<&Spot> = match it {
            Requirement::Exclusive(all) => {
                all.iter().flat_map(|it| [&it.first, &it.last]).collect()
            }
            Requirement::Before(order) => vec![&order.before],
        };
        self.words().subject(spots.into_iter().filter_map(Spot::place))
    }

    /// The ways to meet a requirement; new objects have `ordinal` in their names.
    fn requirement(
        &self,
        it: &Requirement,
        ordinal: &str,
        unwritten: &mut Vec<Unwritten>,
    ) -> Vec<Way> {
        let ways = match it {
            Requirement::Exclusive(stretches) => self.exclusive(stretches, ordinal),
            Requirement::Before(order) => self.before(order, ordinal),
        };
        let mut written = Vec::new();
        for way in ways {
            match &way.edits {
                Ok(edits) if edits.is_empty() => {}
                Ok(_) => written.push(way),
                Err(refusal) => unwritten.push(Unwritten {
                    kind: way.kind,
                    title: way.title,
                    why: refusal.why.clone(),
                }),
            }
        }
        written
    }

    fn all_places(&self, steps: impl Fn(&EventGraph) -> Vec<StepId>) -> Vec<Span> {
        let place = |step: StepId| self.program.site(self.graph.step(step).site).span;
        let mut places: Vec<Span> = steps(self.graph).into_iter().filter_map(place).collect();
        places.sort();
        places.dedup();
        places
    }
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

/// Exclusions of the same code are one, whoever executes it.
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

/// One way for each requirement: of one kind that all have, for each such kind; else mixed.
fn together(several: &[Vec<Way>]) -> Vec<Vec<&Way>> {
    let mut kinds: Vec<&'static str> = Vec::new();
    for way in several.iter().flatten() {
        if !kinds.contains(&way.kind) {
            kinds.push(way.kind);
        }
    }
    let of = |kind: &'static str| -> Option<Vec<&Way>> {
        several.iter().map(|ways| ways.iter().find(|it| it.kind == kind)).collect()
    };
    let mixed = |kind: &'static str| -> Option<Vec<&Way>> {
        let own = |ways: &'_ [Way]| ways.iter().position(|it| it.kind == kind).unwrap_or(0);
        several.iter().map(|ways| ways.get(own(ways))).collect()
    };
    let same: Vec<Vec<&Way>> = kinds.iter().filter_map(|kind| of(kind)).collect();
    if same.is_empty() { kinds.iter().filter_map(|kind| mixed(kind)).collect() } else { same }
}

/// Keeps names apart: nothing for the first, then `2`, `3`, …
fn ordinal(index: usize) -> String {
    if index == 0 { String::new() } else { (index + 1).to_string() }
}

fn candidate(plan: &Plan, ways: &[&Way]) -> Option<Candidate> {
    let titles: Vec<&str> = ways.iter().map(|way| way.title.as_str()).collect();
    let kind = ways.first()?.kind;
    let (title, cost) = (titles.join("; "), costs(ways));
    let stronger = ways.iter().filter_map(|way| way.meaning.clone()).map(Requirement::Before);
    let mut requirements: Vec<Requirement> = stronger.collect();
    if requirements.len() < ways.len() {
        requirements.extend(plan.requirements.iter().cloned());
    }
    let (edits, plan) = (edits(ways)?, Some(Plan { requirements }));
    Some(Candidate { kind, title, cost, edits, plan })
}

/// The edits of all ways. A missing header is included once, and a body without braces gets one
/// pair of them, around everything.
fn edits(ways: &[&Way]) -> Option<Vec<Edit>> {
    let mut edits: Vec<Edit> = Vec::new();
    for way in ways {
        for edit in way.edits.as_ref().ok()? {
            let known = edits.iter().position(|it| it == edit);
            match (known, edit.text.trim()) {
                (Some(_), "{") => continue,
                (Some(_), text) if text.starts_with("#include") => continue,
                (Some(at), "}") => drop(edits.remove(at)),
                _ => {}
            }
            edits.push(edit.clone());
        }
    }
    Some(edits)
}

/// What all ways cost; the same several times is counted.
fn costs(ways: &[&Way]) -> String {
    let mut costs: Vec<(&str, usize)> = Vec::new();
    for way in ways {
        match costs.iter_mut().find(|(cost, _)| *cost == way.cost) {
            Some((_, count)) => *count += 1,
            None => costs.push((&way.cost, 1)),
        }
    }
    let cost = |&(cost, count): &(&str, usize)| match cost.strip_prefix("1 flag with its") {
        Some(rest) if count > 1 => format!("{count} flags, each with its{rest}"),
        _ => cost.to_owned(),
    };
    costs.iter().map(cost).collect::<Vec<_>>().join("; ")
}
