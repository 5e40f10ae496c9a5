//! A candidate is compiled from its text and checked for all properties.

use unravel_interp::Property;
use unravel_patch::between::between;
use unravel_patch::diff::diff;
use unravel_program::Program;
use unravel_report::model::{self, Place};
use unravel_span::{Edit, Files, apply, in_order};
use unravel_watch::{Phase, Watch};

use super::Rebuild;
use super::during::During;
use super::realize::Candidate;
use super::words::Words;
use crate::check::{CheckOptions, InternalFailure, check, check_with_formula};
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
    /// What the best one allows and this one does not.
    pub forbids: Option<String>,
    pub checked: Vec<String>,
    /// Lines added and removed.
    pub lines: usize,
    pub diff: String,
}

/// What came of a candidate.
pub enum Tried {
    Verified(Box<Verified>),
    StillFails { program: Box<Program>, why: String },
    Refused(String),
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
            return Ok(Tried::Refused("two of its changes overlap".to_owned()));
        };
        watch.phase(Phase::Compile);
        let patched = match rebuild.rebuild(&candidate.edits) {
            Ok(program) => program,
            Err(why) => return Ok(Tried::Refused(format!("it does not compile cleanly: {why}"))),
        };
        watch.phase(self.phase);
        let watch = &mut During(watch);
        let (checked, formula) = check_with_formula(&patched, self.options, watch)?;
        let report = checked.report;
        if let Some(finding) = report.findings.first() {
            let at = finding.place.as_ref().map_or(String::new(), |it| {
                format!(" (line {} of the patched file)", it.span.line)
            });
            let why = format!("still fails: {}{at}", finding.message);
            return Ok(Tried::StillFails { program: Box::new(patched), why });
        }
        let complete = report.verdict == model::Verdict::Safe;
        if !complete && !report.reasons.iter().all(|reason| reason.kind == "bound") {
            let why = report.reasons.first().map_or("no answer", |it| it.message.as_str());
            return Ok(Tried::Refused(format!("it could not be verified: {why}")));
        }
        watch.0.phase(Phase::Rank);
        let (race_free, races) = self.race_free(&patched, watch)?;
        let checked = self.words(complete, race_free);
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
            checked,
            lines: changed,
            diff,
        })))
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
        for finding in report.findings.iter().filter(|it| it.property == Property::Race.name()) {
            let other = finding.related.first().and_then(|it| it.place.clone());
            races.push(finding.place.clone().into_iter().chain(other).collect());
        }
        Ok((race_free, races))
    }

    fn words(&self, complete: bool, race_free: Option<bool>) -> Vec<String> {
        let names: Vec<&str> = self.options.properties.iter().map(Property::name).collect();
        let how = if complete { "exhaustive" } else { "up to the bounds of the loops" };
        let races = match race_free {
            Some(true) => "no data race is left",
            Some(false) => "a data race is left, which does no harm here: see `check --races`",
            None => "whether a data race is left is not known",
        };
        vec![
            format!(
                "no violation in any schedule of the patched text ({how}): {}",
                names.join(", ")
            ),
            races.to_owned(),
        ]
    }
}

fn is_changed(line: &str) -> bool {
    let added = line.starts_with('+') && !line.starts_with("+++");
    added || line.starts_with('-') && !line.starts_with("---")
}

impl Verified {
    /// Says that nobody looked for statements that are never reached, and for loops without end.
    pub fn reach_is_unknown(&mut self) {
        let what = "whether every statement is still reached, and every loop ends, is not known";
        self.checked.push(what.to_owned());
    }

    /// The repair as a row of a report.
    pub fn row(&self, words: &Words<'_>, rank: u32) -> model::Repair {
        let Candidate { kind, title, cost, edits, plan } = &self.candidate;
        let orders = plan.as_ref().map(|plan| words.plan(plan)).unwrap_or_default();
        let composite = plan.as_ref().is_some_and(unravel_repair::Plan::is_composite);
        let edits = in_order(edits);
        model::Repair {
            rank,
            kind,
            title: title.clone(),
            complete: self.complete,
            composite,
            because: words.because(kind, plan.as_ref()),
            orders,
            checked: self.checked.clone(),
            cost: cost.clone(),
            forbids: self.forbids.clone(),
            unreachable: self.unreachable.clone(),
            edits,
            diff: self.diff.clone(),
        }
    }
}

/// Two changes, the second made to the text that the first gives, as one change of the original.
pub fn stacked(
    original: &Program,
    patched: &Program,
    first: &Candidate,
    second: &Candidate,
) -> Option<Candidate> {
    let mut edits: Vec<Edit> = Vec::new();
    for (file, before) in original.files.iter() {
        let Some(text) = before.text.as_deref() else { continue };
        let Some(after) = patched_text(&patched.files, &before.path, &second.edits) else {
            continue;
        };
        edits.extend(between(file, text, &after));
    }
    (!edits.is_empty()).then(|| Candidate {
        kind: second.kind,
        title: format!("{}; then {}", first.title, second.title),
        cost: format!("{}; {}", first.cost, second.cost),
        edits,
        plan: None,
    })
}

fn patched_text(files: &Files, path: &str, edits: &[Edit]) -> Option<String> {
    let (id, file) = files.iter().find(|(_, file)| file.path == path)?;
    let own: Vec<Edit> = edits.iter().filter(|edit| edit.file == id).cloned().collect();
    apply(file.text.as_deref()?, &own)
}
