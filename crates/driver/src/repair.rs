//! `unravel repair`: which smallest change of the source makes every schedule pass?
//!
//! ```text
//!   diagnosis ──► plans (unravel-repair) ──► texts (unravel-patch) ──► compiled and checked anew
//!                   ▲                                                       │ still fails
//!                   └────────────── once more, from the patched text ◄──────┘
//! ```
//!
//! - `realize`: plans as candidates, with `existing` mutexes, in `words`;
//! - `verify`: a candidate is compiled from its text and checked for all properties;
//! - `reach`: statements that a patch makes unreachable;
//! - `rank`: which verified repair is the best.

mod existing;
mod numbers;
mod rank;
mod reach;
mod realize;
mod verify;
mod words;

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
use rank::ranked;
use realize::{Candidate, Unwritten, Writer};
use verify::{Tried, Verified, Verifier};
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

/// Patches that are compiled and checked, unless all are wanted.
const MOST_TRIES: usize = 40;

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
    let Diagnosed { mut checked, rest, .. } = diagnose_and_keep(program, &options.check, watch)?;
    checked.report.command = "repair";
    if checked.report.findings.is_empty() {
        return Ok(checked);
    }
    let mut repairs = Repairs::default();
    match rest {
        Some((encoding, diagnosis)) => {
            let sources = Sources::parse(&program.files);
            let spots = Spots::new(program, encoding.graph());
            let mut workshop =
                Workshop { program, options, sources: &sources, spots, encoding, diagnosis };
            let mut bench = Bench { rebuild, watch, tried: Vec::new(), refused: Vec::new() };
            let stats = workshop.repair(&mut bench, &mut repairs)?;
            checked.report.stats.extend(stats);
        }
        None => repairs.remarks.push(
            "no repair was looked for: which orders make it fail is not known".to_owned(),
        ),
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
}

impl Workshop<'_> {
    fn repair(
        &mut self,
        bench: &mut Bench<'_>,
        repairs: &mut Repairs,
    ) -> Result<Vec<(&'static str, u64)>, InternalFailure> {
        let causes = self.causes();
        let kill_sets = kill_sets(self.encoding.graph(), &self.spots, &cores(&self.diagnosis));
        let covers = self.covers(&kill_sets, bench);
        if self.options.covers {
            repairs.covers = Some(self.explain_covers(&kill_sets));
        }
        let mut verified = self.first_level(bench, &causes, &covers)?;
        self.look_for_unreachable(bench, &mut verified)?;
        if verified.is_empty() {
            repairs.remarks.extend(self.why_none(&causes));
        }
        let stats = numbers::numbers(&kill_sets, &covers);
        let stopped = bench.is_stopped();
        ranked(self, &mut verified, &mut || stopped);
        let words = Words { program: self.program, sources: self.sources };
        let rows = verified.iter().zip(1..).map(|(it, rank)| it.row(self.program, &words, rank));
        repairs.verified = rows.collect();
        repairs.refused = std::mem::take(&mut bench.refused);
        Ok(stats)
    }

    fn causes(&self) -> Vec<Cause> {
        let runs: Vec<usize> = (0..self.diagnosis.runs.len()).collect();
        causes(self.program, self.encoding.graph(), &self.diagnosis, &runs)
    }

    fn problem_of<T>(&self, kill_sets: &[KillSet], ask: impl FnOnce(&Problem<'_>) -> T) -> T {
        let cost = |order: &SourceOrder| {
            let line = |spot: &unravel_repair::Spot| spot.place().map_or(0, |it| it.line);
            let lines = (line(&order.before), line(&order.after));
            self.options.costs.iter().find(|(known, _)| *known == lines).map_or(1, |it| it.1)
        };
        ask(&Problem {
            graph: self.encoding.graph(),
            spots: &self.spots,
            kill_sets,
            always_before: &|a, b| self.encoding.always_before(a, b),
            cost: &cost,
        })
    }

    fn covers(&self, kill_sets: &[KillSet], bench: &mut Bench<'_>) -> Covers {
        self.problem_of(kill_sets, |problem| {
            cover::covers(problem, &mut || bench.watch.check(&Counts::default()).is_some())
        })
    }

    /// Figure 6 of ConcBugAssist.
    fn explain_covers(&self, kill_sets: &[KillSet]) -> model::Covers {
        let words = Words { program: self.program, sources: self.sources };
        let orders = |all: &[SourceOrder]| all.iter().map(|it| words.order(it)).collect::<Vec<_>>();
        let choices = self.problem_of(kill_sets, |problem| {
            Table::new(problem).choices(problem, MOST_CHOICES)
        });
        let all: usize =
            kill_sets.iter().fold(1, |product, set| product.saturating_mul(set.orders.len()));
        let row = |choice: cover::Choice| model::CoverRow {
            chosen: orders(&choice.chosen),
            simplified: choice.simplified.as_deref().map(orders),
        };
        model::Covers {
            kill_sets: kill_sets.iter().map(|set| orders(&set.orders)).collect(),
            cut: choices.len() < all,
            rows: choices.into_iter().map(row).collect(),
        }
    }

    /// Candidates in the order in which they are tried.
    fn candidates(
        &mut self,
        bench: &mut Bench<'_>,
        causes: &[Cause],
        covers: &Covers,
    ) -> Vec<Candidate> {
        let graph = self.encoding.graph();
        let mut plans = plans(self.program, graph, &self.diagnosis, causes, covers);
        plans.extend(of_races(self.program, &self.spots, &self.diagnosis));
        let plans = self.judged(plans, bench);
        let writer = Writer {
            program: self.program,
            graph: self.encoding.graph(),
            spots: &self.spots,
            sources: self.sources,
        };
        let mut unwritten: Vec<Unwritten> = Vec::new();
        let mut candidates = writer.special(&self.diagnosis, causes, &mut unwritten);
        for plan in &plans {
            candidates.extend(writer.plan(plan, &mut unwritten));
        }
        for Unwritten { kind, title, why } in unwritten {
            bench.refuse(kind, title, why);
        }
        candidates
    }

    /// Plans that help by their order meaning, then those of which that is not known: a failing run
    /// that keeps all orders of a plan has steps beyond its end that a patch would not have.
    fn judged(&mut self, plans: Vec<Plan>, bench: &mut Bench<'_>) -> Vec<Plan> {
        let mut judge = Judge { encoding: &mut self.encoding, spots: &self.spots };
        let mut judged: Vec<(Verdict, Plan)> = Vec::new();
        for plan in plans {
            let mut stop = || bench.watch.check(&Counts::default()).is_some();
            judged.push((judge.judge(&plan, &mut stop), plan));
        }
        let place = |(verdict, _): &(Verdict, Plan)| match verdict {
            Verdict::Helps => 0,
            Verdict::Unknown => 1,
            Verdict::StillFails => 2,
            Verdict::Blocks => 3,
        };
        judged.sort_by_key(place);
        judged.into_iter().map(|(_, plan)| plan).collect()
    }

    /// Tries candidates; if none of a kind holds, goes on from those that still fail.
    fn first_level(
        &mut self,
        bench: &mut Bench<'_>,
        causes: &[Cause],
        covers: &Covers,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let candidates = self.candidates(bench, causes, covers);
        let mut verified: Vec<Verified> = Vec::new();
        let mut failed: Vec<(Candidate, Program)> = Vec::new();
        for candidate in candidates {
            if bench.is_stopped() {
                break;
            }
            if !self.is_wanted(bench, &verified, &candidate) {
                continue;
            }
            match self.try_out(bench, &candidate)? {
                Tried::Verified(it) => verified.push(*it),
                Tried::StillFails { program, why } => {
                    bench.refuse(candidate.kind, candidate.title.clone(), why);
                    failed.push((candidate, *program));
                }
                Tried::Refused(why) => bench.refuse(candidate.kind, candidate.title, why),
            }
        }
        if verified.is_empty() {
            for (candidate, program) in failed.into_iter().take(MOST_SECOND_TRIES) {
                verified.extend(self.second_level(bench, &candidate, &program)?);
                if !verified.is_empty() {
                    break;
                }
            }
        }
        Ok(verified)
    }

    fn is_wanted(&self, bench: &mut Bench<'_>, verified: &[Verified], it: &Candidate) -> bool {
        let kinds = &self.options.kinds;
        let asked = kinds.is_empty() || kinds.iter().any(|kind| kind == it.kind);
        let known = verified.iter().any(|known| known.candidate.kind == it.kind);
        let enough = !self.options.all && (known || bench.tried.len() >= MOST_TRIES);
        let mut edits = it.edits.clone();
        edits.sort();
        let fresh = !bench.tried.contains(&edits);
        if asked && !enough && fresh {
            bench.tried.push(edits);
            return true;
        }
        false
    }

    fn try_out(
        &self,
        bench: &mut Bench<'_>,
        candidate: &Candidate,
    ) -> Result<Tried, InternalFailure> {
        bench.watch.phase(Phase::Build);
        let mut verifier = Verifier { program: self.program, options: &self.options.check };
        verifier.verify(candidate, &mut *bench.rebuild, &mut *bench.watch)
    }

    /// Repairs a patch that still fails, from its text.
    fn second_level(
        &self,
        bench: &mut Bench<'_>,
        candidate: &Candidate,
        patched: &Program,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let diagnosed = diagnose_and_keep(patched, &self.options.check, &mut *bench.watch)?;
        let Some((encoding, diagnosis)) = diagnosed.rest else { return Ok(Vec::new()) };
        let sources = Sources::parse(&patched.files);
        let spots = Spots::new(patched, encoding.graph());
        let options = self.options;
        let mut workshop =
            Workshop { program: patched, options, sources: &sources, spots, encoding, diagnosis };
        let causes = workshop.causes();
        let kills = kill_sets(workshop.encoding.graph(), &workshop.spots, &cores(&workshop.diagnosis));
        let covers = workshop.covers(&kills, bench);
        let more = workshop.candidates(bench, &causes, &covers);
        let mut verified: Vec<Verified> = Vec::new();
        for next in more {
            if bench.is_stopped() {
                break;
            }
            let Some(both) = verify::stacked(self.program, patched, candidate, &next) else {
                continue;
            };
            if !self.is_wanted(bench, &verified, &both) {
                continue;
            }
            if let Tried::Verified(it) = self.try_out(bench, &both)? {
                verified.push(*it);
            }
        }
        Ok(verified)
    }

    /// Finds statements that passing runs of the original reach and none of a patched program does.
    fn look_for_unreachable(
        &mut self,
        bench: &mut Bench<'_>,
        verified: &mut [Verified],
    ) -> Result<(), InternalFailure> {
        if verified.is_empty() {
            return Ok(());
        }
        let mut stop = || bench.watch.check(&Counts::default()).is_some();
        let Some(before) = reach::reached(self.program, &mut self.encoding, &mut stop) else {
            return Ok(());
        };
        for it in verified {
            it.unreachable = reach::lost(self.program, &self.options.check, &before, it, bench)?;
        }
        Ok(())
    }

    /// Why nothing helps, in words.
    fn why_none(&self, causes: &[Cause]) -> Vec<String> {
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
        if causes.is_empty() && !self.diagnosis.runs.iter().any(is_race) {
            return vec!["no repair was looked for: no order of steps is known to be its cause".to_owned()];
        }
        vec!["none of the changes that were tried makes every schedule pass".to_owned()]
    }
}
