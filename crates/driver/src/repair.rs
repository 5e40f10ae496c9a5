//! `unravel repair`: which smallest change of the source makes every schedule pass?
//!
//! ```text
//!   diagnosis ──► plans (unravel-repair) ──► texts (unravel-patch) ──► compiled and checked anew
//!                   ▲                                                       │ still fails
//!                   └────────────── once more, from the patched text ◄──────┘
//! ```
//!
//! - `realize`: plans as candidates, with `existing` mutexes, in `words`;
//! - `trial`: which candidates are tried; `verify`: a candidate is compiled from its text and checked for all properties;
//! - `races`: accesses beside the guarded ones; `reach`: statements that a patch makes unreachable;
//! - `rank`: which verified repair is the best.

mod during;
mod existing;
mod numbers;
mod races;
mod rank;
mod reach;
mod realize;
mod trial;
mod verify;
mod words;

use std::cell::RefCell;

use unravel_diagnose::{Cause, Diagnosis, Reason, causes};
use unravel_encode::Encoding;
use unravel_explore::{Counts, Phase, Watch};
use unravel_patch::Sources;
use unravel_program::Program;
use unravel_repair::cover::{self, Problem, Table};
use unravel_repair::plan::{cores, of_races};
use unravel_repair::spot::Spots;
use unravel_repair::{Covers, Judge, KillSet, Plan, SourceOrder, Verdict, kill_sets, plans};
use unravel_report::model::{self, Refused, Repairs};
use unravel_span::Edit;

use crate::check::{CheckOptions, Checked, InternalFailure};
use crate::diagnose::{Diagnosed, diagnose_and_keep};
use during::{During, OnTheWay};
use rank::ranked;
use reach::{Before, Fate, Runs};
use realize::{Candidate, Unwritten, Writer};
use trial::Trial;
use verify::{Tried, Verified};
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

/// Patches that still fail and are gone on from.
const MOST_SECOND_TRIES: usize = 4;

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
    /// Edits that were compiled and checked.
    tried: Vec<Vec<Edit>>,
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
        self.look_for_unreachable(bench, &mut verified)?;
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

    /// Plans, the most promising first.
    fn plans(&self) -> Vec<Plan> {
        let graph = self.encoding.graph();
        let mut plans = plans(self.program, graph, &self.diagnosis, &self.causes, &self.covers);
        plans.extend(of_races(self.program, &self.spots, &self.diagnosis));
        plans
    }

    /// What a writer writes; what it refuses is noted.
    fn written(
        &self,
        bench: &mut Bench<'_>,
        write: impl FnOnce(&Writer<'_>, &mut Vec<Unwritten>) -> Vec<Candidate>,
    ) -> Vec<Candidate> {
        let writer = Writer {
            program: self.program,
            graph: self.encoding.graph(),
            spots: &self.spots,
            sources: self.sources,
        };
        let mut unwritten: Vec<Unwritten> = Vec::new();
        let candidates = write(&writer, &mut unwritten);
        for Unwritten { kind, title, why } in unwritten {
            bench.refuse(kind, title, why);
        }
        candidates
    }

    /// What the formula says of a plan.
    fn judge(&mut self, plan: &Plan, bench: &mut Bench<'_>) -> Verdict {
        let mut judge = Judge { encoding: &mut self.encoding, spots: &self.spots };
        judge.judge(plan, &mut || bench.watch.check(&Counts::default()).is_some())
    }

    /// A plan that helps, without requirements that it helps without.
    fn lean(&mut self, plan: &Plan, bench: &mut Bench<'_>) -> Plan {
        let mut lean = plan.clone();
        for at in (0..plan.requirements.len()).rev() {
            let mut less = lean.clone();
            less.requirements.remove(at);
            if !less.requirements.is_empty() && self.judge(&less, bench) == Verdict::Helps {
                lean = less;
            }
        }
        lean
    }

    /// Candidates in the order in which they are tried, each handed to `try_out` as long as
    /// `is_wanted` says so. Plans that help by their order meaning come before those that seem not
    /// to: a failing run that keeps all orders of a plan may have steps beyond its end that a patch
    /// would not have.
    fn candidates(
        &mut self,
        bench: &mut Bench<'_>,
        is_wanted: &mut dyn FnMut(&mut Bench<'_>, &Candidate) -> bool,
        try_out: &mut dyn FnMut(&mut Bench<'_>, Candidate) -> Result<(), InternalFailure>,
    ) -> Result<(), InternalFailure> {
        let special = self.written(bench, |it, no| it.special(&self.diagnosis, &self.causes, no));
        let mut later = Vec::new();
        for candidate in special {
            try_out(bench, candidate)?;
        }
        for plan in self.plans() {
            if bench.is_stopped() {
                return Ok(());
            }
            let mut candidates = self.written(bench, |it, no| it.plan(&plan, no));
            candidates.retain(|candidate| is_wanted(bench, candidate));
            if candidates.is_empty() {
                continue;
            }
            if matches!(self.judge(&plan, bench), Verdict::StillFails | Verdict::Blocks) {
                later.extend(candidates);
                continue;
            }
            let lean = self.lean(&plan, bench);
            if lean != plan {
                candidates = self.written(bench, |it, no| it.plan(&lean, no));
            }
            for candidate in candidates {
                try_out(bench, candidate)?;
            }
        }
        for candidate in later {
            if bench.is_stopped() {
                return Ok(());
            }
            try_out(bench, candidate)?;
        }
        Ok(())
    }

    /// Tries candidates; if none holds, goes on from those that still fail.
    fn first_level(&mut self, bench: &mut Bench<'_>) -> Result<Vec<Verified>, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let verified = RefCell::new(Vec::new());
        let mut failed: Vec<(Candidate, Program)> = Vec::new();
        let mut is_wanted = |bench: &mut Bench<'_>, candidate: &Candidate| {
            trial.is_wanted(bench, &verified.borrow(), candidate)
        };
        self.candidates(bench, &mut is_wanted, &mut |bench, candidate| {
            if !trial.takes(bench, &verified.borrow(), &candidate) {
                return Ok(());
            }
            match trial.run(bench, &candidate)? {
                Tried::Verified(it) => verified.borrow_mut().push(*it),
                Tried::StillFails { program, why } => {
                    bench.refuse(candidate.kind, candidate.title.clone(), why);
                    failed.push((candidate, *program));
                }
                Tried::Refused(why) => bench.refuse(candidate.kind, candidate.title, why),
            }
            Ok(())
        })?;
        let mut verified = verified.into_inner();
        for (candidate, program) in failed.into_iter().take(MOST_SECOND_TRIES) {
            if verified.is_empty() {
                verified.extend(self.second_level(bench, &candidate, &program)?);
            }
        }
        Ok(verified)
    }

    /// Repairs a patch that still fails, from its text.
    fn second_level(
        &self,
        bench: &mut Bench<'_>,
        first: &Candidate,
        patched: &Program,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let mut watch = During(&mut *bench.watch);
        let diagnosed = diagnose_and_keep(patched, &self.options.check, &mut watch)?;
        let Some(learnt) = diagnosed.rest else { return Ok(Vec::new()) };
        let sources = Sources::parse(&patched.files);
        let options = self.options;
        let mut workshop = Workshop::new(patched, options, &sources, learnt, bench);
        let trial = Trial { program: self.program, options };
        let mut verified: Vec<Verified> = Vec::new();
        workshop.candidates(bench, &mut |_, _| true, &mut |bench, second| {
            let Some(both) = verify::stacked(self.program, patched, first, &second) else {
                return Ok(());
            };
            if trial.takes(bench, &verified, &both)
                && let Tried::Verified(it) = trial.run(bench, &both)?
            {
                verified.push(*it);
            }
            Ok(())
        })?;
        Ok(verified)
    }

    /// Finds statements that passing runs of the original reach and none of a patched program does.
    fn look_for_unreachable(
        &mut self,
        bench: &mut Bench<'_>,
        verified: &mut Vec<Verified>,
    ) -> Result<(), InternalFailure> {
        if verified.is_empty() {
            return Ok(());
        }
        let mut stop = || bench.watch.check(&Counts::default()).is_some();
        let Some(lines) =
            reach::reached(self.program, &mut self.encoding, Runs::Passing, &mut stop)
        else {
            verified.iter_mut().for_each(Verified::reach_is_unknown);
            return Ok(());
        };
        let hangs = reach::hangs(&mut self.encoding, &mut stop);
        let before = Before { lines, hangs };
        let mut kept = Vec::new();
        for mut it in verified.drain(..) {
            match reach::fate(self.program, &self.options.check, &before, &it, bench)? {
                Fate::Kept(lost) => {
                    it.unreachable = lost;
                    kept.push(it);
                }
                Fate::Unknown => {
                    it.reach_is_unknown();
                    kept.push(it);
                }
                Fate::Refused(why) => {
                    bench.refuse(it.candidate.kind, it.candidate.title, why.to_owned());
                }
            }
        }
        *verified = kept;
        Ok(())
    }

    /// Why nothing helps, in words.
    fn why_none(&self, nothing_tried: bool) -> Vec<String> {
        let sequential = |run: &unravel_diagnose::Failing| {
            matches!(run.reason, Reason::Sequential { .. } | Reason::NeverPasses { .. })
        };
        if self.diagnosis.runs.iter().any(sequential) {
            return vec![
                "no order repairs it: it fails in every schedule, so its cause is a value, not an order"
                    .to_owned(),
            ];
        }
        let is_race = |run: &unravel_diagnose::Failing| matches!(run.reason, Reason::Race);
        if self.causes.is_empty() && !self.diagnosis.runs.iter().any(is_race) {
            return vec![
                "no repair was looked for: no order of steps is known to be its cause".to_owned(),
            ];
        }
        if nothing_tried {
            return vec!["no change that enforces other orders can be written here".to_owned()];
        }
        vec!["none of the changes that were tried makes every schedule pass".to_owned()]
    }
}
