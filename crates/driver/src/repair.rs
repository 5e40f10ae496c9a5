//! `unravel repair`: which smallest change of the source makes every schedule pass?
//!
//! ```text
//!   diagnosis ──► plans (unravel-repair) ──► texts (unravel-patch) ──► compiled and checked anew
//!                   ▲                                                       │ still fails
//!                   └────────────── once more, from the patched text ◄──────┘
//! ```
//!
//! - `realize`: plans as candidates, with `existing` mutexes, in `words`;
//! - `search`: in which order they are tried, `trial`: which of them at all; `verify`: a candidate is compiled from its text and checked for all properties;
//! - `races`: accesses beside the guarded ones; `reach`: statements that a patch makes unreachable;
//! - `rank`: which verified repair is the best.

mod during;
mod existing;
mod numbers;
mod races;
mod rank;
mod reach;
mod realize;
mod search;
mod trial;
mod verify;
mod words;

use unravel_diagnose::{Cause, Diagnosis, Explained, Reason, causes};
use unravel_encode::Encoding;
use unravel_patch::Sources;
use unravel_program::Program;
use unravel_repair::cover::{self, Problem, Table};
use unravel_repair::plan::cores;
use unravel_repair::spot::Spots;
use unravel_repair::{Covers, KillSet, SourceOrder, kill_sets};
use unravel_report::model::{self, Refused, Repairs};
use unravel_span::Edit;
use unravel_watch::{Counts, Phase, Watch};

use crate::check::{CheckOptions, Checked, InternalFailure, help_of_all};
use crate::diagnose::{Diagnosed, diagnose_and_keep};
use during::OnTheWay;
use rank::ranked;
use words::Words;

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
    /// Kinds of change to try, as in `unravel_report::model::Repair::kind`; empty for all.
    pub kinds: Vec<String>,
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
pub fn repair(
    program: &Program,
    options: &RepairOptions,
    rebuild: &mut dyn Rebuild,
    watch: &mut dyn Watch,
) -> Result<Checked, InternalFailure> {
    let Diagnosed { mut checked, rest, .. } =
        diagnose_and_keep(program, &options.check, &mut OnTheWay::new(watch))?;
    checked.report.command = "repair";
    if checked.report.findings.is_empty() {
        return Ok(checked);
    }
    let mut repairs = Repairs::default();
    match rest {
        Some(learnt) => {
            let sources = Sources::parse(&program.files);
            watch.phase(Phase::Plan);
            let (tried, refused) = (Vec::new(), Vec::new());
            let mut bench = Bench { rebuild, watch, tried, refused, phase: Phase::Verify };
            let mut workshop = Workshop::new(program, options, &sources, learnt, &mut bench);
            let stats = workshop.repair(&mut bench, &mut repairs)?;
            checked.report.stats.extend(stats);
        }
        None => repairs
            .remarks
            .push("no repair was looked for: which orders make it fail is not known".to_owned()),
    }
    checked.report.repairs = Some(repairs);
    Ok(checked)
}

/// What comes from outside, and what was tried with it.
struct Bench<'a> {
    rebuild: &'a mut dyn Rebuild,
    watch: &'a mut dyn Watch,
    /// Changes that were compiled and checked, as diffs.
    tried: Vec<String>,
    refused: Vec<Refused>,
    /// What checks are for: the first repair, or further ones.
    phase: Phase,
}

impl Bench<'_> {
    fn is_stopped(&mut self) -> bool {
        self.watch.check(&Counts::default()).is_some()
    }

    fn refuse(&mut self, kind: &'static str, title: String, why: String) {
        let refused = Refused { kind, title, why };
        if !self.refused.contains(&refused) {
            self.refused.push(refused);
        }
    }
}

/// A program with its diagnosis.
struct Workshop<'a> {
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

impl<'a> Workshop<'a> {
    fn new(
        program: &'a Program,
        options: &'a RepairOptions,
        sources: &'a Sources<'a>,
        (encoding, diagnosis): (Encoding, Diagnosis),
        bench: &mut Bench<'_>,
    ) -> Workshop<'a> {
        let spots = Spots::new(program, encoding.graph());
        let runs: Vec<usize> = (0..diagnosis.runs.len()).collect();
        let causes = causes(program, encoding.graph(), &diagnosis, &runs);
        let kill_sets = kill_sets(encoding.graph(), &spots, &cores(&diagnosis));
        let covers = Covers::default();
        let mut workshop = Workshop {
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
        workshop.covers = workshop.problem(|problem| {
            cover::covers(problem, &mut || bench.watch.check(&Counts::default()).is_some())
        });
        workshop
    }

    fn repair(
        &mut self,
        bench: &mut Bench<'_>,
        repairs: &mut Repairs,
    ) -> Result<Vec<(&'static str, u64)>, InternalFailure> {
        if self.options.covers {
            repairs.covers = Some(self.explain_covers());
        }
        let mut verified = self.first_level(bench)?;
        self.close_races(bench, &mut verified)?;
        let before = if verified.is_empty() { None } else { self.before(bench)? };
        let kinds: Vec<&'static str> = verified.iter().map(|it| it.candidate.kind).collect();
        self.look_for_unreachable(bench, before.as_ref(), &mut verified)?;
        self.replace_lossy(bench, before.as_ref(), &kinds, &mut verified)?;
        if verified.is_empty() {
            repairs.remarks.extend(self.why_none(bench.refused.is_empty()));
        }
        let stats = numbers::numbers(&self.kill_sets, &self.covers);
        let stopped = bench.is_stopped();
        ranked(self, &mut verified, &mut || stopped);
        let words = Words { program: self.program, sources: self.sources };
        let rows = verified.iter().zip(1..).map(|(it, rank)| it.row(&words, rank));
        repairs.verified = rows.collect();
        repairs.refused = std::mem::take(&mut bench.refused);
        Ok(stats)
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
        let words = Words { program: self.program, sources: self.sources };
        let orders = |all: &[SourceOrder]| all.iter().map(|it| words.order(it)).collect::<Vec<_>>();
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

    /// Why nothing helps, in words.
    fn why_none(&self, nothing_tried: bool) -> Vec<String> {
        let sequential = |run: &Explained| {
            matches!(run.reason, Reason::Sequential { .. } | Reason::NeverPasses { .. })
        };
        if self.diagnosis.runs.iter().any(sequential) {
            return vec![
                "no order repairs it: it fails in every schedule, so its cause is a value, not an order"
                    .to_owned(),
            ];
        }
        let is_race = |run: &Explained| matches!(run.reason, Reason::Race);
        if self.causes.is_empty() && !self.diagnosis.runs.iter().any(is_race) {
            return vec![
                "no repair was looked for: no order of steps is known to be its cause".to_owned(),
            ];
        }
        if let Some(it) = self.program.unsupported.first() {
            let help = help_of_all(&it.what).map_or(String::new(), |help| format!("; {help}"));
            return vec![format!("no change can be verified: {} is not modelled{help}", it.what)];
        }
        if nothing_tried {
            return vec!["no change that enforces other orders can be written here".to_owned()];
        }
        vec!["none of the changes that were tried makes every schedule pass".to_owned()]
    }
}
