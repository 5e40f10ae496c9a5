//! Comparisons, held against all passing runs.
#![allow(dead_code, reason = "each test binary uses a part")]

use std::cmp::Ordering;

use unravel_driver::{
    CheckOptions, CompareOptions, Distance, HowClose, TrackedComparison, compare_and_track,
};
use unravel_program::Program;
use unravel_report::model::{Obstacle, RelatedKind, Report};

use crate::closest::{Cheapest, Cost, Oracle, Run};
use crate::support::engines::StopAfter;

/// Checks of its watch after which a search is given up: a bound that does not depend on the machine.
const CHECKS: u64 = 200_000;

/// What became of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// Nothing is violated, or nothing was found.
    NotUnsafe,
    /// There is no passing run beside the failing one, and why.
    NotCompared(String),
    /// Not all passing runs can be seen, and why.
    NotEnumerable(&'static str),
    /// No run passes.
    NonePasses,
    /// The run that was found is the closest of all; whether branches are flipped in it.
    Closest {
        /// It takes another path.
        flips: bool,
    },
}

impl Judged {
    /// Whether anything was held against all runs.
    pub fn is_enumerated(&self) -> bool {
        matches!(self, Judged::NonePasses | Judged::Closest { .. })
    }

    /// Whether there is a failing run to compare with.
    pub fn is_bug(&self) -> bool {
        !matches!(self, Judged::NotUnsafe)
    }
}

/// What became of a program.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub judged: Judged,
    /// How many operations differ by the exact and by the progressive search.
    pub operations: Option<(usize, usize)>,
}

impl From<Judged> for Outcome {
    fn from(judged: Judged) -> Outcome {
        Outcome { judged, operations: None }
    }
}

/// A comparison of a program.
struct Compared {
    report: Report,
    schedule: String,
    tracked: Option<TrackedComparison>,
}

fn compared(
    program: &Program,
    options: &CheckOptions,
    (equal_weights, linear, search): (bool, bool, HowClose),
) -> Result<Compared, String> {
    let how = CompareOptions { equal_weights, linear, search: Some(search), conflicts: 200_000 };
    let (checked, tracked) = compare_and_track(program, options, &how, &mut StopAfter(CHECKS))
        .map_err(|failure| format!("internal: {failure}"))?;
    let schedule = checked.schedules.into_iter().next().unwrap_or_default();
    Ok(Compared { report: checked.report, schedule, tracked })
}

fn cost(it: Distance) -> Cost {
    Cost {
        flips: it.flips,
        which: 0,
        flows: it.flows,
        segments: it.segments,
        switches: it.switches,
    }
}

/// The searches: whether models lead to better ones, and how far to look.
const SEARCHES: [(bool, HowClose); 3] =
    [(false, HowClose::Exact), (true, HowClose::Exact), (false, HowClose::Progressive)];

/// Compares the failing run of a program by all searches, and holds them against all passing runs.
///
/// # Errors
/// What is wrong.
pub fn judge(program: &Program, options: &CheckOptions) -> Result<Outcome, String> {
    judge_changed(program, options, &|_| {})
}

/// The same of comparisons that somebody changes first.
///
/// # Errors
/// What is wrong.
pub fn judge_changed(
    program: &Program,
    options: &CheckOptions,
    change: &dyn Fn(&mut TrackedComparison),
) -> Result<Outcome, String> {
    let first = compared(program, options, (false, false, HowClose::Exact))?;
    let Some(finding) = first.report.findings.first() else { return Ok(Judged::NotUnsafe.into()) };
    let Some(tracked) = &first.tracked else {
        let why = finding.related.last().map(|remark| &remark.what);
        return without(program, options, &first, why).map(Outcome::from);
    };
    let (operations, steps) = (&tracked.operations, &tracked.failing);
    let run = Run { operations, steps, schedule: &first.schedule };
    let oracle = Oracle::new(program, options, &run)?;
    let mut judged = Judged::Closest { flips: tracked.distance.flips > 0 };
    let mut sizes = Vec::new();
    for equal_weights in [false, true] {
        let mut least = None;
        if judged.is_enumerated() {
            match oracle.cheapest(equal_weights)? {
                Cheapest::Run(cost) => least = Some(cost),
                Cheapest::NonePasses => return Err("no run passes, but one is shown".to_owned()),
                Cheapest::Unknown(why) => judged = Judged::NotEnumerable(why),
            }
        }
        for (linear, search) in SEARCHES {
            let mut found = compared(program, options, (equal_weights, linear, search))?;
            found.tracked.iter_mut().for_each(change);
            let said = check(&oracle, &first, &found, equal_weights, least).map_err(|why| {
                format!("{search:?}, linear {linear}, equal {equal_weights}: {why}")
            })?;
            // Where nobody knows the least, all must at least agree on it.
            least = least.or(found.tracked.as_ref().filter(|it| it.is_optimal).map(|_| said));
            sizes.extend(found.tracked.map(|it| it.distance.operations));
        }
    }
    let operations = sizes.first().copied().zip(sizes.get(2).copied());
    Ok(Outcome { judged, operations })
}

/// Whether a run that was found passes, and is no closer than the closest: and just as close, if that
/// is said. Where a thread ends in the run is nobody's business, so segments and switches are what is
/// said.
fn check(
    oracle: &Oracle<'_>,
    first: &Compared,
    found: &Compared,
    equal_weights: bool,
    least: Option<Cost>,
) -> Result<Cost, String> {
    if found.schedule != first.schedule {
        return Err("it is another failing run".to_owned());
    }
    let Some(it) = &found.tracked else { return Err("it finds none".to_owned()) };
    let (said, measured) = (cost(it.distance), oracle.measure(&it.passing)?);
    if (said.flips, said.flows) != (measured.flips, measured.flows) && oracle.is_sighted() {
        return Err(format!("{said:?} is said of a run with {measured:?}"));
    }
    let said = Cost { which: measured.which, ..said };
    let least = least.unwrap_or(said);
    match said.by(equal_weights).cmp(&least.by(equal_weights)) {
        Ordering::Less => Err(format!("{said:?} is closer than the closest, {least:?}")),
        Ordering::Greater if it.is_optimal => {
            Err(format!("{said:?} should be the closest, but {least:?} is closer"))
        }
        Ordering::Equal | Ordering::Greater => Ok(said),
    }
}

/// There is no passing run beside it: if that is said to be so since none passes, none does.
fn without(
    program: &Program,
    options: &CheckOptions,
    first: &Compared,
    why: Option<&RelatedKind>,
) -> Result<Judged, String> {
    if why != Some(&RelatedKind::NoPassingRun(Obstacle::NonePasses)) {
        return Ok(Judged::NotCompared(format!("{why:?}")));
    }
    let run = Run { operations: &[], steps: &[], schedule: &first.schedule };
    match Oracle::new(program, options, &run)?.cheapest(false)? {
        Cheapest::NonePasses => Ok(Judged::NonePasses),
        Cheapest::Unknown(why) => Ok(Judged::NotEnumerable(why)),
        Cheapest::Run(_) => Err("no run should pass, but one does".to_owned()),
    }
}
