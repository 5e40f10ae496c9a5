//! Both engines on a generated program, and what all of them came to.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::path::Path;

use unravel_cgen::{ConcurrentProgram, Construct, Extra};
use unravel_driver::{Engine, check};
use unravel_interp::{Properties, Property};
use unravel_program::Program;
use unravel_report::model::{Report, Verdict};
use unravel_report::words;

use crate::support::engines::{StopAfter, load, options, properties};

/// What the engines say about a program.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub explored: Verdict,
    /// The property that the exploration found violated.
    pub violated: Option<&'static str>,
    pub symbolic: Verdict,
    /// Why the symbolic engine has no answer.
    pub reasons: Vec<String>,
}

impl Outcome {
    /// Has the exploration an answer and the symbolic engine none?
    pub fn is_open(&self) -> bool {
        self.explored != Verdict::Inconclusive && self.symbolic == Verdict::Inconclusive
    }
}

/// What is checked of a program.
pub fn properties_of(extra: Extra) -> Properties {
    match extra {
        Extra::None => properties(),
        Extra::Races => properties().with(Property::Race),
        Extra::Ub => properties().with(Property::Ub),
    }
}

/// How long an engine may look: one that may leave a program open need not try for long, and a
/// loop without bound gives it work for ever.
const PATIENCE: u64 = 1 << 24;
const SHORT_PATIENCE: u64 = 10_000;

fn answer(
    program: &Program,
    engine: Engine,
    properties: Properties,
    patience: u64,
) -> Result<Report, String> {
    let checked = check(program, &options(engine, properties), &mut StopAfter(patience));
    checked.map(|checked| checked.report).map_err(|failure| format!("{engine:?}: {failure}"))
}

/// What both engines say, or how they contradict each other. `None` if the program does not
/// compile, which only happens while shrinking.
pub fn compare(
    program: &ConcurrentProgram,
    name: &str,
    folder: &Path,
) -> Option<Result<Outcome, String>> {
    let path = folder.join(format!("{name}.c"));
    std::fs::write(&path, program.source()).expect("written");
    let loaded = load(&path);
    let _ = std::fs::remove_file(&path);
    let patience = if is_beyond_mutexes(program) { SHORT_PATIENCE } else { PATIENCE };
    Some(compare_loaded(&loaded?, properties_of(program.extra()), patience))
}

fn compare_loaded(
    program: &Program,
    properties: Properties,
    patience: u64,
) -> Result<Outcome, String> {
    let explored = answer(program, Engine::Explore, properties, PATIENCE)?;
    let symbolic = answer(program, Engine::Sat, properties, patience)?;
    let outcome = Outcome {
        explored: explored.verdict,
        violated: explored.findings.first().map(|finding| finding.property().name()),
        symbolic: symbolic.verdict,
        reasons: symbolic
            .reasons
            .iter()
            .map(|reason| words::reason::message(&reason.kind))
            .collect(),
    };
    let open = [outcome.explored, outcome.symbolic].contains(&Verdict::Inconclusive);
    if open || outcome.explored == outcome.symbolic {
        return Ok(outcome);
    }
    let found = |report: &Report| match report.findings.first() {
        Some(finding) => format!("{}: {:?}", finding.property().name(), finding.kind),
        None => report.verdict.word().to_owned(),
    };
    Err(format!("explored: {}; symbolic: {}", found(&explored), found(&symbolic)))
}

/// What became of the programs of some seeds.
#[derive(Default)]
pub struct Tally(pub BTreeMap<u64, Outcome>);

/// How many are safe and how many unsafe, by the exploration.
#[derive(Clone, Copy, Debug, Default)]
pub struct Split {
    pub safe: u64,
    pub violated: u64,
}

impl Split {
    fn enter(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Safe => self.safe += 1,
            Verdict::Unsafe => self.violated += 1,
            Verdict::Inconclusive => {}
        }
    }
}

impl Tally {
    pub fn all(&self) -> Split {
        let mut split = Split::default();
        self.0.values().for_each(|outcome| split.enter(outcome.explored));
        split
    }

    pub fn by_construct(&self) -> BTreeMap<Construct, Split> {
        let mut found: BTreeMap<_, _> =
            Construct::ALL.iter().map(|it| (*it, Split::default())).collect();
        for (&seed, outcome) in &self.0 {
            for construct in ConcurrentProgram::generate(seed).constructs() {
                found.entry(construct).or_default().enter(outcome.explored);
            }
        }
        found
    }

    /// Safe programs of which the property was checked, and programs that violate it.
    pub fn by_property(&self) -> BTreeMap<&'static str, Split> {
        let mut found: BTreeMap<_, _> =
            Property::ALL.map(|it| (it.name(), Split::default())).into_iter().collect();
        for (&seed, outcome) in &self.0 {
            let checked = properties_of(ConcurrentProgram::generate(seed).extra());
            for property in Property::ALL.into_iter().filter(|it| checked.has(*it)) {
                let violated = outcome.violated == Some(property.name());
                if violated || outcome.explored == Verdict::Safe {
                    found.entry(property.name()).or_default().enter(outcome.explored);
                }
            }
        }
        found
    }

    /// The seeds whose programs the symbolic engine leaves open, by reason; of those beyond
    /// mutexes and atomics, or of all others.
    pub fn open(&self, beyond_mutexes: bool) -> BTreeMap<String, Vec<u64>> {
        let mut found: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for (&seed, outcome) in self.0.iter().filter(|(_, outcome)| outcome.is_open()) {
            if is_beyond_mutexes(&ConcurrentProgram::generate(seed)) == beyond_mutexes {
                found.entry(outcome.reasons.join("; ")).or_default().push(seed);
            }
        }
        found
    }

    /// How many are beyond mutexes and atomics.
    pub fn beyond_mutexes(&self) -> u64 {
        let programs = self.0.keys().map(|seed| ConcurrentProgram::generate(*seed));
        programs.filter(is_beyond_mutexes).count() as u64
    }
}

/// Does the program use more than mutexes and atomics, or check more than the default?
fn is_beyond_mutexes(program: &ConcurrentProgram) -> bool {
    program.extra() != Extra::None
        || program.constructs().iter().any(|construct| construct.is_beyond_mutexes())
}
