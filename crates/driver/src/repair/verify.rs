//! A candidate is compiled from its text and checked for all properties.

use unravel_interp::Property;
use unravel_kinds::repair::WhyRefused;
use unravel_kinds::{Cut, ReasonKind};
use unravel_patch::diff::diff;
use unravel_program::Program;
use unravel_realize::{Candidate, Context};
use unravel_report::model::{self, Forbids, Place, VerifiedFor};
use unravel_span::in_order;
use unravel_watch::{Phase, Watch};

use super::Rebuild;
use super::watches::SamePhase;
use crate::check::{CheckOptions, InternalFailure, check, check_with_formula};
use crate::search::Engine;
use crate::symbolic::WithFormula;

/// A repair that every schedule passes with.
pub struct Verified {
    pub candidate: Candidate,
    /// The program with the change made.
    pub patched: Program,
    /// What the symbolic engine saw of it in a short search, until that is asked what is reached.
    pub formula: Option<WithFormula>,
    /// Without a bound.
    pub complete: bool,
    /// No data race is left; `None` if that is not known.
    pub race_free: Option<bool>,
    /// The two accesses of each race that is left, in the patched text.
    pub races: Vec<Vec<Place>>,
    /// One of them is on the data that it mends.
    pub mends_racily: bool,
    /// Statements that are not reached any more.
    pub unreachable: Vec<Place>,
    /// How the best one differs, if this one forbids more.
    pub forbids: Option<Forbids>,
    /// It is not known which statements are still reached.
    pub reach_is_unknown: bool,
    /// The properties that it was checked for.
    pub properties: Vec<Property>,
    /// Lines added and removed.
    pub lines: usize,
    pub diff: String,
}

/// What came of a candidate.
pub enum Tried {
    Verified(Box<Verified>),
    StillFails { program: Box<Program>, why: WhyRefused },
    Refused(WhyRefused),
}

/// Verifies candidates.
pub struct Verifier<'a> {
    pub program: &'a Program,
    pub options: &'a CheckOptions,
    /// What the time is spent for.
    pub phase: Phase,
}

impl Verifier<'_> {
    pub fn verify(
        &mut self,
        candidate: &Candidate,
        rebuild: &mut dyn Rebuild,
        watch: &mut dyn Watch,
    ) -> Result<Tried, InternalFailure> {
        let Some(diff) = diff(&self.program.files, &candidate.edits) else {
            return Ok(Tried::Refused(WhyRefused::EditsOverlap));
        };
        watch.phase(Phase::Compile);
        let patched = match rebuild.rebuild(&candidate.edits) {
            Ok(program) => program,
            Err(why) => return Ok(Tried::Refused(WhyRefused::NotCompiled(why))),
        };
        watch.phase(self.phase);
        let watch = &mut SamePhase(watch);
        let (checked, formula) = check_with_formula(&patched, self.options, watch)?;
        let report = checked.report;
        if let Some(finding) = report.findings.first() {
            let line = finding.place.as_ref().map(|it| it.span.line);
            let why = WhyRefused::StillFails { kind: Box::new(finding.kind.clone()), line };
            return Ok(Tried::StillFails { program: Box::new(patched), why });
        }
        let complete = report.verdict == model::Verdict::Safe;
        let is_fine = |kind: &ReasonKind| {
            // Whether it hangs must be known.
            kind.is_bound() && !matches!(kind, ReasonKind::Bound { cut: Cut::Polling, .. })
        };
        if !complete && !report.reasons.iter().all(|reason| is_fine(&reason.kind)) {
            let reason = report.reasons.into_iter().next().map(|it| it.kind);
            return Ok(Tried::Refused(WhyRefused::NotVerified { reason }));
        }
        if let Some(why) = self.gets_stuck(&patched, complete, watch)? {
            return Ok(Tried::StillFails { program: Box::new(patched), why });
        }
        watch.0.phase(Phase::Rank);
        let (race_free, races) = self.race_free(&patched, watch)?;
        let changed = diff.lines().filter(|line| is_changed(line)).count();
        Ok(Tried::Verified(Box::new(Verified {
            candidate: candidate.clone(),
            patched,
            formula,
            complete,
            race_free,
            races,
            mends_racily: false,
            unreachable: Vec::new(),
            forbids: None,
            reach_is_unknown: false,
            properties: self.options.properties.iter().collect(),
            lines: changed,
            diff,
        })))
    }

    /// A way in which the patched program can get stuck and the original cannot, whatever properties
    /// the user chose; and, where loops were cut, one that lies beyond the bound and not too far. A
    /// patch that makes threads wait is worse than the failure if nobody lets them go.
    fn gets_stuck(
        &self,
        patched: &Program,
        complete: bool,
        watch: &mut dyn Watch,
    ) -> Result<Option<WhyRefused>, InternalFailure> {
        let chosen = self.options.properties.has(Property::Deadlock);
        let properties = self.options.properties.with(Property::Deadlock);
        let options = CheckOptions { properties, all: !chosen, ..self.options.clone() };
        let mut found = Vec::new();
        if !chosen {
            found = deadlocks(patched, &options, watch)?;
        }
        if !complete && found.is_empty() {
            let (engine, states) = (Engine::Explore, STATES_BEYOND.min(options.states));
            let explore = CheckOptions { engine, states, unwind: None, ..options.clone() };
            found = deadlocks(patched, &explore, watch)?;
        }
        if !chosen && !found.is_empty() {
            let known = deadlocks(self.program, &options, watch)?;
            found.retain(|it| !known.iter().any(|known| is_alike(it, known)));
        }
        Ok(found.into_iter().next().map(|it| {
            let line = it.finding.place.as_ref().map(|it| it.span.line);
            WhyRefused::StillFails { kind: Box::new(it.finding.kind), line }
        }))
    }

    fn race_free(
        &self,
        patched: &Program,
        watch: &mut dyn Watch,
    ) -> Result<(Option<bool>, Vec<Vec<Place>>), InternalFailure> {
        let properties = self.options.properties.with(Property::Race);
        let options = CheckOptions { properties, all: true, ..self.options.clone() };
        let report = check(patched, &options, watch)?.report;
        let race_free = match report.verdict {
            model::Verdict::Safe => Some(true),
            model::Verdict::Unsafe => Some(false),
            model::Verdict::Inconclusive => None,
        };
        let mut races = Vec::new();
        for finding in report.findings.iter().filter(|it| it.property() == Property::Race) {
            let other = finding.related.first().and_then(|it| it.place.clone());
            races.push(finding.place.clone().into_iter().chain(other).collect());
        }
        Ok((race_free, races))
    }
}

/// States up to which runs beyond the bound are looked at: less than a second's work.
const STATES_BEYOND: usize = 50_000;

/// A way to get stuck, with the text of its line.
struct Deadlock {
    finding: model::Finding,
    text: Option<String>,
}

fn deadlocks(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Result<Vec<Deadlock>, InternalFailure> {
    let findings = check(program, options, watch)?.report.findings.into_iter();
    let with_text = |finding: model::Finding| {
        let line =
            finding.place.as_ref().and_then(|it| program.files.line(it.span.file, it.span.line));
        let text = line.map(|it| it.trim().to_owned());
        Deadlock { finding, text }
    };
    Ok(findings.filter(|it| it.property() == Property::Deadlock).map(with_text).collect())
}

/// Whether threads get stuck in the same way on the same line, wherever a patch has moved it.
fn is_alike(a: &Deadlock, b: &Deadlock) -> bool {
    a.finding.kind.code() == b.finding.kind.code() && a.text == b.text
}

fn is_changed(line: &str) -> bool {
    let added = line.starts_with('+') && !line.starts_with("+++");
    added || line.starts_with('-') && !line.starts_with("---")
}

impl Verified {
    /// Says that nobody looked for statements that are never reached, and for loops without end.
    pub fn reach_is_unknown(&mut self) {
        self.reach_is_unknown = true;
    }

    /// The repair as a row of a report.
    pub fn row(&self, context: &Context<'_>, rank: u32) -> model::Repair {
        let Candidate { kind, changes, costs, edits, plan } = &self.candidate;
        model::Repair {
            rank,
            kind: *kind,
            changes: changes.clone(),
            complete: self.complete,
            composite: plan.as_ref().is_some_and(unravel_repair::Plan::is_composite),
            required: plan.as_ref().map(|plan| context.required(plan)).unwrap_or_default(),
            because: self.candidate.because(),
            verified_for: VerifiedFor {
                properties: self.properties.clone(),
                race_free: self.race_free,
                reach_is_unknown: self.reach_is_unknown,
                tried: None,
            },
            costs: costs.clone(),
            forbids: self.forbids,
            unreachable: self.unreachable.clone(),
            edits: in_order(edits),
            diff: self.diff.clone(),
        }
    }
}
