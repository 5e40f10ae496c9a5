//! Minimal correction sets: which few values have to be others for the run to pass.
//!
//! Sets of one value are found one by one, each with a call of the solver; larger ones by MaxSAT,
//! with all that contain a known set excluded, until none is left or the budget is used up.

use unravel_encode::{Condition, Encoding};
use unravel_events::Position;
use unravel_events::relax::{Alternative, Use};
use unravel_interp::{Config, Machine};
use unravel_schedule::passing_run;
use unravel_solver::maxsat::{Algorithm, Budget, Outcome as Best};
use unravel_solver::{Lit, Model, Outcome};
use unravel_term::Term;

use crate::change::{Change, apply};
use crate::correction::{Correction, Judge, Judgement, Localized, Reference, Stop};
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

/// Finds all minimal correction sets.
///
/// # Errors
/// Why the search ended early; what was found until then is in `localized`.
pub fn search(
    marked: &Marked,
    config: &Config,
    encoding: &mut Encoding,
    failing: Reference<'_>,
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
    let mut search =
        Search { marked, config, encoding, hard, order: None, executed, selectors, constants };
    if search.ask(&[], &[], judge)?.is_some() {
        search.order = Some(order);
        if search.ask(&[], &[], judge)?.is_some() {
            localized.passes_unchanged = true;
            return Ok(());
        }
    } else {
        localized.fails_in_every_order = true;
    }
    search.run(judge, localized)
}

/// What every correction has to satisfy: the run passes, with the inputs of the failing one.
fn hard(encoding: &mut Encoding, failing: Reference<'_>) -> Vec<Lit> {
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
    /// The run follows the failing one, unless the program fails in every order.
    order: Option<Lit>,
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
            let found = match self.single(candidate, judge)? {
                Some(correction) => Some(correction),
                None => self.with_waiting(candidate, judge)?,
            };
            if let Some(correction) = found {
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
        assumptions.extend(self.order);
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
                let found = self.correction(&[index], model, judge)?;
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
            None => self.correction(&[index], own, judge).map(Some),
        }
    }

    /// Another count of a semaphore or a barrier, if every schedule passes with it. Threads wait then
    /// that went on in the failing run, whose order cannot be followed; and need not be, since the
    /// change is right in every order.
    fn with_waiting(
        &mut self,
        index: usize,
        judge: &mut dyn Judge,
    ) -> Result<Option<Correction>, Stop> {
        let alternative = self.alternative(index);
        let mark = &self.marked.marks[alternative.mark];
        let original = self.executed.original(alternative.mark);
        let (Some(original), true, Some(order)) = (original, mark.is_count, self.order) else {
            return Ok(None);
        };
        let values = values::neighbours(mark.width, original);
        self.order = None;
        let mut best = None;
        for model in self.with_values(&[index], &alternative, (values, &[]), judge)? {
            let found = self.correction(&[index], model, judge)?;
            best = best.or(Some(found).filter(|it| rank(it) == rank_of_the_best()));
        }
        self.order = Some(order);
        Ok(best)
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
        hard.extend(self.order);
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
            let correction = self.correction(&chosen, model, judge)?;
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
        model: Model,
        judge: &mut dyn Judge,
    ) -> Result<Correction, Stop> {
        let graph = self.encoding.graph();
        let check: Option<Use> = self.executed.check.map(|index| graph.relaxed_uses[index]);
        let alternatives: Vec<Alternative> =
            chosen.iter().map(|&it| self.alternative(it)).collect();
        let kept: Vec<Term> =
            self.executed.steps.iter().map(|&step| graph.step(step).passed).collect();
        let (changes, makes_check, skipped) = self.encoding.valuation(&model).with(|value| {
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
