//! `unravel repair`: which smallest change of the source makes every schedule pass?
//!
//! ```text
//!   diagnosis ──► plans (unravel-repair) ──► candidates (unravel-realize) ──► compiled and checked
//!       ▲                                                                         │ still fails
//!       └────────────────── once more, from the patched text ◄────────────────────┘
//! ```
//!
//! - `search`: in which order candidates are tried, `trial`: which of them at all; `verify`: a
//!   candidate is compiled from its text and checked for all properties;
//! - `races`: accesses beside the guarded ones; `reach`: statements that a patch makes unreachable;
//! - `rank`: which verified repair is the best.

mod numbers;
mod races;
mod rank;
mod reach;
mod search;
mod trial;
mod verify;
mod watches;

use unravel_diagnose::{Cause, Diagnosis, Explained, Reason, causes};
use unravel_encode::Encoding;
use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Changes, CodeOrder, WhyNone, WhyRefused};
use unravel_patch::Sources;
use unravel_program::Program;
use unravel_realize::Context;
use unravel_repair::cover::{self, Problem, Table};
use unravel_repair::plan::cores;
use unravel_repair::spot::Spots;
use unravel_repair::{Covers, KillSet, SourceOrder, kill_sets};
use unravel_report::model::{self, Refused, Repairs};
use unravel_span::Edit;
use unravel_watch::{Counts, Phase, Watch};

use crate::check::{CheckOptions, Checked, InternalFailure};
use crate::diagnose::{Diagnosed, diagnose_and_keep};
use crate::subject::Subject;
use rank::ranked;
use watches::UntilEnoughKnown;

/// Compiles the program with some of its text changed.
pub trait Rebuild {
    /// The program with these edits made.
    ///
    /// # Errors
    /// What the compiler says, if it does not compile without new warnings.
    fn rebuild(&mut self, edits: &[Edit]) -> Result<Program, String>;
}

/// What the user asked of a repair.
#[derive(Clone, Debug)]
pub struct RepairOptions {
    /// What counts as a violation, and the limits.
    pub check: CheckOptions,
    /// Kinds of change to try; empty for all.
    pub kinds: Vec<RepairKind>,
    /// Verify all candidates; else one of each kind.
    pub all: bool,
    /// List the covers.
    pub covers: bool,
    /// Costs of single orders, by the lines of their two steps (before, after); others cost 1.
    pub costs: Vec<((u32, u32), u32)>,
}

/// Choices that `--explain-covers` lists.
const MOST_CHOICES: usize = 256;

/// Repairs a valid program.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn repair<'a>(
    subject: impl Into<Subject<'a>>,
    options: &RepairOptions,
    rebuild: &mut dyn Rebuild,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let subject = subject.into();
    let program = subject.program;
    let options = &RepairOptions { check: subject.options(&options.check), ..options.clone() };
    let Diagnosed { mut checked, rest, .. } =
        diagnose_and_keep(subject, &options.check, &mut UntilEnoughKnown::new(watch))?;
    checked.report.command = model::Command::Repair;
    if checked.report.findings.is_empty() {
        return Ok(checked);
    }
    let mut repairs = Repairs::default();
    match rest {
        Some(learnt) => {
            let sources = Sources::parse(&program.files);
            watch.phase(Phase::Plan);
            let (tried, refused) = (Vec::new(), Vec::new());
            let mut progress = Progress { rebuild, watch, tried, refused, phase: Phase::Verify };
            let mut repairer = Repairer::new(program, options, &sources, learnt, &mut progress);
            let stats = repairer.repair(&mut progress, &mut repairs)?;
            checked.report.stats.extend(stats);
        }
        None => repairs.remarks.push(WhyNone::NotDiagnosed),
    }
    // What was not looked for to the end is not missing.
    if repairs.verified.is_empty() && watch.check(&Counts::default()).is_some() {
        repairs.remarks = vec![WhyNone::Stopped];
    }
    checked.report.repairs = Some(repairs);
    Ok(checked)
}

/// What was tried so far, with the compiler and the watch that all trials share.
struct Progress<'a> {
    rebuild: &'a mut dyn Rebuild,
    watch: &'a mut dyn Watch,
    /// Changes that were compiled and checked, as diffs.
    tried: Vec<String>,
    refused: Vec<Refused>,
    /// The phase that checks are counted for: until the first repair is found, or after that.
    phase: Phase,
}

impl Progress<'_> {
    fn is_stopped(&mut self) -> bool {
        self.watch.check(&Counts::default()).is_some()
    }

    fn refuse(&mut self, kind: RepairKind, changes: Changes, why: WhyRefused) {
        let refused = Refused { kind, changes, why };
        if !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
    }
}

/// A diagnosed program that is being repaired.
struct Repairer<'a> {
    program: &'a Program,
    options: &'a RepairOptions,
    sources: &'a Sources<'a>,
    spots: Spots,
    encoding: Encoding,
    diagnosis: Diagnosis,
    causes: Vec<Cause>,
    kill_sets: Vec<KillSet>,
    covers: Covers,
}

impl<'a> Repairer<'a> {
    fn new(
        program: &'a Program,
        options: &'a RepairOptions,
        sources: &'a Sources<'a>,
        (encoding, diagnosis): (Encoding, Diagnosis),
        progress: &mut Progress<'_>,
    ) -> Repairer<'a> {
        let spots = Spots::new(program, encoding.graph());
        let runs: Vec<usize> = (0..diagnosis.runs.len()).collect();
        let causes = causes(program, encoding.graph(), &diagnosis, &runs);
        let kill_sets = kill_sets(encoding.graph(), &spots, &cores(&diagnosis));
        let covers = Covers::default();
        let mut repairer = Repairer {
            program,
            options,
            sources,
            spots,
            encoding,
            diagnosis,
            causes,
            kill_sets,
            covers,
        };
        repairer.covers = repairer.problem(|problem| {
            cover::covers(problem, &mut || progress.watch.check(&Counts::default()).is_some())
        });
        repairer
    }

    fn repair(
        &mut self,
        progress: &mut Progress<'_>,
        repairs: &mut Repairs,
    ) -> Result<Vec<(&'static str, u64)>, InternalFailure> {
        if self.options.covers {
            repairs.covers = Some(self.explain_covers());
        }
        let mut verified = self.first_level(progress)?;
        self.close_races(progress, &mut verified)?;
        let before = if verified.is_empty() { None } else { self.before(progress)? };
        let kinds: Vec<RepairKind> = verified.iter().map(|it| it.candidate.kind).collect();
        self.look_for_unreachable(progress, before.as_ref(), &mut verified)?;
        self.replace_lossy(progress, before.as_ref(), &kinds, &mut verified)?;
        if verified.is_empty() {
            repairs.remarks.push(self.why_none(progress.refused.is_empty()));
        }
        let stats = numbers::numbers(&self.kill_sets, &self.covers);
        let stopped = progress.is_stopped();
        ranked(self, &mut verified, &mut || stopped);
        let context = self.context();
        let rows = verified.iter().zip(1..).map(|(it, rank)| it.row(&context, rank));
        repairs.verified = rows.collect();
        repairs.refused = std::mem::take(&mut progress.refused);
        Ok(stats)
    }

    /// What candidates are made from.
    fn context(&self) -> Context<'_> {
        Context {
            program: self.program,
            graph: self.encoding.graph(),
            spots: &self.spots,
            sources: self.sources,
        }
    }

    fn problem<T>(&self, ask: impl FnOnce(&Problem<'_>) -> T) -> T {
        let cost = |order: &SourceOrder| {
            let line = |spot: &unravel_repair::Spot| spot.place().map_or(0, |it| it.line);
            let lines = (line(&order.before), line(&order.after));
            self.options.costs.iter().find(|(known, _)| *known == lines).map_or(1, |it| it.1)
        };
        ask(&Problem {
            graph: self.encoding.graph(),
            spots: &self.spots,
            kill_sets: &self.kill_sets,
            always_before: &|a, b| self.encoding.always_before(a, b),
            cost: &cost,
        })
    }

    /// Figure 6 of ConcBugAssist.
    fn explain_covers(&self) -> model::Covers {
        let context = self.context();
        let orders = |all: &[SourceOrder]| -> Vec<CodeOrder> {
            all.iter().map(|it| context.order(it)).collect()
        };
        let choices = self.problem(|it| Table::new(it).choices(it, MOST_CHOICES));
        let all: usize =
            self.kill_sets.iter().fold(1, |product, set| product.saturating_mul(set.orders.len()));
        let row = |choice: cover::Choice| model::CoverRow {
            chosen: orders(&choice.chosen),
            simplified: choice.simplified.as_deref().map(orders),
        };
        model::Covers {
            kill_sets: self.kill_sets.iter().map(|set| orders(&set.orders)).collect(),
            cut: choices.len() < all,
            rows: choices.into_iter().map(row).collect(),
        }
    }

    /// Why nothing helps.
    fn why_none(&self, nothing_tried: bool) -> WhyNone {
        let sequential = |run: &Explained| {
            matches!(run.reason, Reason::Sequential { .. } | Reason::NeverPasses { .. })
        };
        if self.diagnosis.runs.iter().any(sequential) {
            return WhyNone::FailsInEverySchedule;
        }
        let is_race = |run: &Explained| matches!(run.reason, Reason::Race);
        if self.causes.is_empty() && !self.diagnosis.runs.iter().any(is_race) {
            return WhyNone::NoOrderKnown;
        }
        if let Some(it) = self.program.unsupported.first() {
            return WhyNone::NotModelled(it.what.clone().into());
        }
        if nothing_tried { WhyNone::NothingWritten } else { WhyNone::NoneHelps }
    }
}
