//! Minimal cores of a failing run.
//!
//! Given the orders that hold in a failing run, a *core* is a minimal subset with which no complete
//! run passes, under the inputs of the failing run. It is found in three steps:
//!
//! 1. the solver's own core of the question "can a run with all these orders pass?", then deletion:
//!    without each order in turn, orders far from the failure first. Either the rest still excludes
//!    every passing run, and the solver's core of that answer is taken (clause-set refinement), or
//!    there is a passing run, which proves that the order is needed;
//! 2. smaller cores: hitting sets over what the passing runs break, until none is smaller;
//! 3. inputs: which of them are needed at all.

use std::collections::BTreeMap;

use unravel_encode::{Condition, Encoding, Query};
use unravel_solver::{Lit, Model, Outcome};

use crate::complete::CompleteRun;
use crate::hitting::Sets;
use crate::orders::{Contact, Order};
use crate::{Interrupted, Listener};

/// Questions after which a core that is minimal need not be the smallest any more.
const SMALLEST_LIMIT: usize = 64;

/// An order that a core needs, as an index, and a passing run without it, unless there is one only
/// beyond the bound.
type Needed = (usize, Option<Box<Model>>);

/// Why no run with these orders and inputs passes.
pub(crate) enum Found {
    /// Because of these orders and these inputs.
    Core { members: Vec<Needed>, inputs: Vec<Condition>, is_smallest: bool },
    /// No run with these inputs passes at all.
    NeverPasses { inputs: Vec<Condition> },
    /// The orders are not the reason: a run in which they all hold passes, or it is not known
    /// whether it does.
    Unexplained { passes: bool },
}

/// Asks the solver about passing runs.
pub(crate) struct Questions<'a> {
    pub encoding: &'a mut Encoding,
    pub listener: &'a mut dyn Listener,
    pub asked: u64,
    /// For pairs of accesses, whether some run executes both, on the same memory.
    pub conflicts: BTreeMap<(usize, usize), bool>,
}

impl Questions<'_> {
    /// Whether the two steps of an order conflict in some run.
    pub fn can_conflict(&mut self, order: &Order) -> Result<bool, Interrupted> {
        let Contact::Memory { before, after } = order.contact else { return Ok(true) };
        if let Some(&known) = self.conflicts.get(&(before, after)) {
            return Ok(known);
        }
        let conflict = self.encoding.conflict(before, after);
        let can = self.ask(&[conflict])?.is_ok();
        self.conflicts.insert((before, after), can);
        Ok(can)
    }

    /// A run under assumptions, or those that exclude it.
    pub fn ask(
        &mut self,
        assumptions: &[Lit],
    ) -> Result<Result<Box<Model>, Vec<Lit>>, Interrupted> {
        self.asked += 1;
        let mut stop = || self.listener.should_stop();
        match self.encoding.assume(assumptions, &mut stop) {
            Outcome::Sat(model) => Ok(Ok(Box::new(model))),
            Outcome::Unsat(core) => Ok(Err(core)),
            Outcome::Stopped => Err(Interrupted::Stopped),
            Outcome::Broken(why) => Err(Interrupted::Broken(why)),
        }
    }
}

/// The search for a core of one failing run.
struct Search<'q, 'a> {
    questions: &'q mut Questions<'a>,
    orders: &'q [Order],
    lits: Vec<Lit>,
    inputs: Vec<(Condition, Lit)>,
    /// What is assumed in every question: the run passes as far as it goes, and memory that was
    /// never written holds what it holds in the failing run.
    given: Vec<Lit>,
    /// What each passing run met so far breaks.
    broken: Sets,
}

/// Finds a smallest core of a failing run.
pub(crate) fn find(
    questions: &mut Questions<'_>,
    orders: &[Order],
    inputs: &[Condition],
    same_memory: Lit,
) -> Result<Found, Interrupted> {
    let encoding = &mut *questions.encoding;
    let given = vec![encoding.unrefuted(), same_memory];
    let lits: Vec<Lit> = orders.iter().map(|it| encoding.order(it.before, it.after)).collect();
    let inputs = inputs.iter().map(|&input| (input, encoding.condition(input))).collect();
    let mut search = Search { questions, orders, lits, inputs, given, broken: Sets::default() };
    search.run()
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<Found, Interrupted> {
        let all: Vec<usize> = (0..self.orders.len()).collect();
        let core = match self.ask(&all)? {
            Ok(model) => {
                let passes = self.not_cut(&all, model)?.is_some();
                return Ok(Found::Unexplained { passes });
            }
            Err(core) => self.members_of(&core),
        };
        if core.is_empty() {
            return Ok(Found::NeverPasses { inputs: self.needed_inputs(&[])? });
        }
        let core = self.minimize(core)?;
        let (members, is_smallest) = self.smallest(core)?;
        if members.is_empty() {
            return Ok(Found::NeverPasses { inputs: self.needed_inputs(&[])? });
        }
        let chosen: Vec<usize> = members.iter().map(|(member, _)| *member).collect();
        let inputs = self.needed_inputs(&chosen)?;
        Ok(Found::Core { members, inputs, is_smallest })
    }

    /// Is there a run that passes, as far as it goes, with these orders and all inputs?
    fn ask(&mut self, chosen: &[usize]) -> Result<Result<Box<Model>, Vec<Lit>>, Interrupted> {
        let assumptions = self.assumptions(chosen);
        let answer = self.questions.ask(&assumptions)?;
        if let Ok(model) = &answer {
            let run = CompleteRun::of(self.questions.encoding, model);
            let breaks = |&it: &usize| !run.holds(self.orders[it].before, self.orders[it].after);
            let broken = (0..self.orders.len()).filter(breaks).collect();
            self.broken.add(broken);
        }
        Ok(answer)
    }

    fn members_of(&self, core: &[Lit]) -> Vec<usize> {
        (0..self.lits.len()).filter(|&it| core.contains(&self.lits[it])).collect()
    }

    /// Deletes what is not needed; what is left comes with a passing run without it.
    fn minimize(&mut self, mut core: Vec<usize>) -> Result<Vec<Needed>, Interrupted> {
        let mut needed: Vec<Needed> = Vec::new();
        // Orders are sorted by their distance from the failure, so the last are the farthest.
        while let Some(candidate) = core.pop() {
            let mut rest: Vec<usize> = needed.iter().map(|(member, _)| *member).collect();
            rest.extend(&core);
            match self.ask(&rest)? {
                Ok(model) => needed.push((candidate, self.not_cut(&rest, model)?)),
                Err(reason) => {
                    let reason = self.members_of(&reason);
                    core.retain(|it| reason.contains(it));
                }
            }
        }
        needed.sort_by_key(|(member, _)| *member);
        Ok(needed)
    }

    /// The run if no bound cuts it, else another that none does, if there is one.
    fn not_cut(
        &mut self,
        chosen: &[usize],
        model: Box<Model>,
    ) -> Result<Option<Box<Model>>, Interrupted> {
        if !is_cut(self.questions.encoding, &model) {
            return Ok(Some(model));
        }
        let passing = self.questions.encoding.passing();
        let mut assumptions = self.assumptions(chosen);
        assumptions.push(passing);
        Ok(self.questions.ask(&assumptions)?.ok())
    }

    fn assumptions(&self, chosen: &[usize]) -> Vec<Lit> {
        let mut assumptions = self.given.clone();
        assumptions.extend(self.inputs.iter().map(|(_, lit)| *lit));
        assumptions.extend(chosen.iter().map(|&it| self.lits[it]));
        assumptions
    }

    /// A smallest core, given a minimal one; and whether that is proved.
    fn smallest(&mut self, mut best: Vec<Needed>) -> Result<(Vec<Needed>, bool), Interrupted> {
        for _ in 0..SMALLEST_LIMIT {
            let Some(smaller) = self.broken.smallest_hitting(best.len()) else {
                return Ok((best, true));
            };
            if let Err(core) = self.ask(&smaller)? {
                let core = self.members_of(&core);
                best = self.minimize(core)?;
            }
        }
        Ok((best, false))
    }

    /// Inputs without which a run with these orders can pass.
    fn needed_inputs(&mut self, chosen: &[usize]) -> Result<Vec<Condition>, Interrupted> {
        let mut left = self.inputs.clone();
        let mut needed: Vec<(Condition, Lit)> = Vec::new();
        let mut first = true;
        while first || !left.is_empty() {
            // The first question is about all, and the solver's core often leaves none.
            let candidate = if first { None } else { left.pop() };
            first = false;
            let mut assumptions = self.given.clone();
            assumptions.extend(chosen.iter().map(|&it| self.lits[it]));
            assumptions.extend(needed.iter().chain(&left).map(|(_, lit)| *lit));
            if left.is_empty() && needed.is_empty() && candidate.is_none() {
                break;
            }
            match (self.questions.ask(&assumptions)?, candidate) {
                (Ok(_), Some(input)) => needed.push(input),
                (Ok(_), None) => break,
                (Err(core), _) => left.retain(|(_, lit)| core.contains(lit)),
            }
        }
        let mut needed: Vec<Condition> = needed.into_iter().map(|(input, _)| input).collect();
        needed.sort_unstable();
        Ok(needed)
    }
}

/// Whether a run comes to a bound, or meets something that is not modelled.
pub(crate) fn is_cut(encoding: &Encoding, model: &Model) -> bool {
    if !encoding.reached_in(model, Query::Unsupported).is_empty() {
        return true;
    }
    encoding.valuation(model).with(|value| {
        let mut cut = encoding.graph().threads.iter().flat_map(|thread| &thread.cut);
        cut.any(|&term| value(term) == 1)
    })
}
