//! Minimal correction sets: which few values have to be others for the run to pass.
//!
//! Sets of one value are found one by one, each with a call of the solver; larger ones by MaxSAT,
//! with all that contain a known set excluded, until none is left or the budget is used up.

use std::collections::BTreeSet;

use unravel_encode::{Condition, Encoding};
use unravel_events::relax::{Alternative, Use};
use unravel_events::{Position, StepId, ThreadId};
use unravel_interp::{Config, Machine};
use unravel_schedule::{Passing, passing_run};
use unravel_solver::maxsat::{Algorithm, Budget, Outcome as Best};
use unravel_solver::{Lit, Model, Outcome};
use unravel_term::Term;

use crate::change::{Change, apply};
use crate::executed::Executed;
use crate::mark::Marked;
use crate::values;

/// Sets of several values that are looked for.
const MOST_LARGE_SETS: usize = 16;

/// Most values in a set.
const MOST_VALUES: usize = 3;

/// Conflicts of the solver for one set of several values.
const CONFLICTS: u64 = 5_000;

/// Values with which the run passes that are judged, for one set, until one is robust.
const MOST_JUDGED: usize = 2;

/// A failing run.
#[derive(Clone, Copy)]
pub struct Failing<'a> {
    /// The model that it is a run of.
    pub model: &'a Model,
    /// Its steps, in order.
    pub steps: &'a [StepId],
    /// The thread that fails; `None` for a deadlock.
    pub thread: Option<ThreadId>,
    /// The marks of the check that fails ([`crate::own_checks`]).
    pub checks: &'a BTreeSet<usize>,
}

/// What becomes of a changed program under all schedules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// All pass.
    Robust,
    /// That is not known.
    Unknown,
    /// Some fails.
    Fails,
}

/// Judges changed programs.
pub trait Judge {
    /// Whether the program with these changes passes under all schedules.
    ///
    /// # Errors
    /// Why the search is to end.
    fn judge(&mut self, changes: &[Change]) -> Result<Judgement, Stop>;

    /// Whether the search is to end.
    fn should_stop(&mut self) -> bool;
}

/// Why a search ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// It was told to.
    Stopped,
    /// An internal check failed.
    Broken(String),
}

/// Changes with which the failing run passes, none of which can be left out.
#[derive(Clone, Debug)]
pub struct Correction {
    /// The changes, by mark.
    pub changes: Vec<Change>,
    /// What the failing run has in their places, if that is always the same.
    pub originals: Vec<Option<u128>>,
    /// The run that passes, carried out on the changed program.
    pub passing: Passing,
    /// What becomes of the changed program under all schedules.
    pub judgement: Judgement,
    /// Steps of the failing run that the passing one does not execute.
    pub skipped: usize,
    /// In the passing run the check is made that fails in the failing one.
    pub makes_check: bool,
    /// When the failing run comes to the first of the changes: after so many steps, and where.
    pub moment: (usize, Position),
}

/// All corrections that were found.
#[derive(Clone, Debug, Default)]
pub struct Localized {
    /// They, the smaller sets first.
    pub corrections: Vec<Correction>,
    /// There are no others, up to the bounds.
    pub is_complete: bool,
    /// With these inputs the program fails in every order, so none was kept.
    pub fails_in_every_order: bool,
    /// The same order of the same steps passes, too, without a change: then no value is at fault.
    pub passes_unchanged: bool,
}

/// Finds all minimal correction sets.
///
/// # Errors
/// Why the search ended early; what was found until then is in `localized`.
pub fn search(
    marked: &Marked,
    config: &Config,
    encoding: &mut Encoding,
    failing: Failing<'_>,
    judge: &mut dyn Judge,
    localized: &mut Localized,
) -> Result<(), Stop> {
    let (hard, order) = (hard(encoding, failing), encoding.follows(failing.steps));
    let executed = Executed::of(encoding, failing);
    let selectors: Vec<Lit> = {
        let all = encoding.graph().alternatives.clone();
        all.iter().map(|it| encoding.holds(it.selector)).collect()
    };
    let constants = values::constants(&marked.program);
    let mut search = Search { marked, config, encoding, hard, executed, selectors, constants };
    if search.ask(&[], &[], judge)?.is_some() {
        search.hard.push(order);
        if search.ask(&[], &[], judge)?.is_some() {
            localized.passes_unchanged = true;
            return Ok(());
        }
    } else {
        localized.fails_in_every_order = true;
    }
    search.run(judge, localized)
}

/// What every correction has to satisfy: the run passes, with the inputs of the failing one. Unless
/// the program fails in every order, it also follows the failing run's.
fn hard(encoding: &mut Encoding, failing: Failing<'_>) -> Vec<Lit> {
    let inputs: Vec<Condition> = encoding.inputs_in(failing.model, failing.steps);
    let mut hard = vec![encoding.passing(), encoding.same_memory(failing.model)];
    hard.extend(inputs.into_iter().map(|input| encoding.condition(input)));
    hard
}

struct Search<'a> {
    marked: &'a Marked,
    config: &'a Config,
    encoding: &'a mut Encoding,
    hard: Vec<Lit>,
    executed: Executed,
    /// The selectors, in the order of the graph's alternatives.
    selectors: Vec<Lit>,
    constants: Vec<u128>,
}

impl Search<'_> {
    fn run(&mut self, judge: &mut dyn Judge, localized: &mut Localized) -> Result<(), Stop> {
        let (candidates, others): (Vec<usize>, Vec<usize>) =
            (0..self.selectors.len()).partition(|&it| self.executed.has(&self.alternative(it)));
        for other in others {
            let selector = self.selectors[other];
            self.encoding.exclude_together(&[selector]);
        }
        for &candidate in &candidates {
            if let Some(correction) = self.single(candidate, judge)? {
                localized.corrections.push(correction);
                let selector = self.selectors[candidate];
                self.encoding.exclude_together(&[selector]);
            }
        }
        localized.is_complete = self.larger(&candidates, judge, localized)?;
        Ok(())
    }

    fn alternative(&self, index: usize) -> Alternative {
        self.encoding.graph().alternatives[index]
    }

    /// A passing run in which exactly these alternatives are chosen.
    fn ask(
        &mut self,
        chosen: &[usize],
        also: &[Lit],
        judge: &mut dyn Judge,
    ) -> Result<Option<Model>, Stop> {
        let mut assumptions = self.hard.clone();
        for (index, &selector) in self.selectors.iter().enumerate() {
            assumptions.push(if chosen.contains(&index) { selector } else { !selector });
        }
        assumptions.extend(also);
        match self.encoding.assume(&assumptions, &mut || judge.should_stop()) {
            Outcome::Sat(model) => Ok(Some(model)),
            Outcome::Unsat(_) => Ok(None),
            Outcome::Stopped => Err(Stop::Stopped),
            Outcome::Broken(why) => Err(Stop::Broken(why)),
        }
    }

    /// The best value of one alternative, if there is any.
    fn single(&mut self, index: usize, judge: &mut dyn Judge) -> Result<Option<Correction>, Stop> {
        let Some(own) = self.ask(&[index], &[], judge)? else { return Ok(None) };
        let alternative = self.alternative(index);
        let width = self.marked.marks[alternative.mark].width;
        let original = self.executed.original(alternative.mark);
        let mut best: Option<Correction> = None;
        let mut judged = 0;
        for tier in values::candidates(width, original, &self.constants) {
            for model in self.with_values(&[index], &alternative, (tier, &[]), judge)? {
                let found = self.correction(&[index], &model, judge)?;
                if best.as_ref().is_none_or(|best| rank(&found) < rank(best)) {
                    best = Some(found);
                }
                judged += 1;
                let is_good = best.as_ref().is_some_and(|it| rank(it) == rank_of_the_best());
                if is_good || judged == MOST_JUDGED {
                    return Ok(best);
                }
            }
        }
        match best {
            Some(best) => Ok(Some(best)),
            None => self.correction(&[index], &own, judge).map(Some),
        }
    }

    /// Passing runs with some of these values for an alternative, in their order, as many as are
    /// judged. One question for all of them comes first: most often none is right.
    fn with_values(
        &mut self,
        chosen: &[usize],
        alternative: &Alternative,
        (values, also): (Vec<u128>, &[Lit]),
        judge: &mut dyn Judge,
    ) -> Result<Vec<Model>, Stop> {
        let lits: Vec<Lit> =
            values.iter().map(|&it| self.encoding.has_value(alternative.value, it)).collect();
        let some = self.encoding.some_of(&lits);
        let mut found = Vec::new();
        if self.ask(chosen, &[also, &[some]].concat(), judge)?.is_some() {
            for lit in lits {
                found.extend(self.ask(chosen, &[also, &[lit]].concat(), judge)?);
                if found.len() == MOST_JUDGED {
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Sets of several alternatives, all executions of each. Whether there are no more.
    fn larger(
        &mut self,
        candidates: &[usize],
        judge: &mut dyn Judge,
        localized: &mut Localized,
    ) -> Result<bool, Stop> {
        let free: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|&it| self.alternative(it).iteration.is_none())
            .collect();
        let mut hard = self.hard.clone();
        let fixed = (0..self.selectors.len()).filter(|it| !free.contains(it));
        hard.extend(fixed.map(|it| !self.selectors[it]));
        let softs: Vec<Lit> = free.iter().map(|&it| !self.selectors[it]).collect();
        for _ in 0..MOST_LARGE_SETS {
            let budget = Budget { conflicts: Some(CONFLICTS) };
            let mut stop = || judge.should_stop();
            let strata = [softs.clone()];
            let best =
                self.encoding.maximize(&hard, &strata, Algorithm::CoreGuided, budget, &mut stop);
            let best = match best {
                Best::Found(best) => best,
                Best::None => return Ok(true),
                Best::Stopped => return Ok(false),
                Best::Broken(why) => return Err(Stop::Broken(why)),
            };
            let chosen: Vec<usize> =
                free.iter().copied().filter(|&it| best.model.value(self.selectors[it])).collect();
            if !best.is_proved || chosen.len() > MOST_VALUES {
                return Ok(false);
            }
            let model = self.with_small_values(&chosen, best.model, judge)?;
            let correction = self.correction(&chosen, &model, judge)?;
            localized.corrections.push(correction);
            let lits: Vec<Lit> = chosen.iter().map(|&it| self.selectors[it]).collect();
            self.encoding.exclude_together(&lits);
        }
        Ok(false)
    }

    /// Such a run with values that say more than the solver's, one after the other.
    fn with_small_values(
        &mut self,
        chosen: &[usize],
        mut model: Model,
        judge: &mut dyn Judge,
    ) -> Result<Model, Stop> {
        let mut fixed = Vec::new();
        for &index in chosen {
            let alternative = self.alternative(index);
            let width = self.marked.marks[alternative.mark].width;
            let original = self.executed.original(alternative.mark);
            for tier in values::candidates(width, original, &self.constants) {
                let found = self.with_values(chosen, &alternative, (tier, &fixed), judge)?;
                if let Some(better) = found.into_iter().next() {
                    model = better;
                    break;
                }
            }
            let value = self.encoding.valuation(&model).with(|value| value(alternative.value));
            fixed.push(self.encoding.has_value(alternative.value, value));
        }
        Ok(model)
    }

    /// A correction, confirmed by the interpreter and judged.
    fn correction(
        &mut self,
        chosen: &[usize],
        model: &Model,
        judge: &mut dyn Judge,
    ) -> Result<Correction, Stop> {
        let graph = self.encoding.graph();
        let check: Option<Use> = self.executed.check.map(|index| graph.relaxed_uses[index]);
        let alternatives: Vec<Alternative> =
            chosen.iter().map(|&it| self.alternative(it)).collect();
        let kept: Vec<Term> =
            self.executed.steps.iter().map(|&step| graph.step(step).passed).collect();
        let (changes, makes_check, skipped) = self.encoding.valuation(model).with(|value| {
            let change = |it: &Alternative| {
                let (mark, iteration) = (it.mark, it.iteration);
                Change { mark, iteration, value: value(it.value) }
            };
            let changes: Vec<Change> = alternatives.iter().map(change).collect();
            let skipped = kept.iter().filter(|&&passed| value(passed) == 0).count();
            (changes, check.is_none_or(|check| value(check.guard) == 1), skipped)
        });
        let program = apply(self.marked, &changes);
        let machine = Machine::new(&program, self.config.clone());
        let passing = passing_run(&machine, self.encoding, model).map_err(|divergence| {
            Stop::Broken(format!(
                "a run that should pass with other values cannot be followed: step {}, {}",
                divergence.at, divergence.why
            ))
        })?;
        let start = Position { segment: 0, index: 0, progress: 0 };
        let lasts = changes.iter().map(|it| self.executed.last.get(&it.mark));
        let moments = lasts.map(|last| last.map_or((0, start), |it| (it.0, it.1)));
        let moment = moments.min().unwrap_or((0, start));
        let originals = changes.iter().map(|it| self.executed.original(it.mark)).collect();
        let judgement = judge.judge(&changes)?;
        Ok(Correction { changes, originals, passing, judgement, skipped, makes_check, moment })
    }
}

/// The smaller, the better.
fn rank(correction: &Correction) -> (bool, Judgement) {
    (!correction.makes_check, correction.judgement)
}

fn rank_of_the_best() -> (bool, Judgement) {
    (false, Judgement::Robust)
}
