//! Minimal cores of a failing run.
//!
//! Given the orders that hold in a failing run, a *core* is a minimal subset with which no complete
//! run passes, under the inputs of the failing run. It is found in three steps:
//!
//! 1. the solver's own core of the question "can a run with all these orders pass?", then deletion:
//!    without each order in turn, orders far from the failure first. Either the rest still excludes
//!    every passing run, and the solver's core of that answer is taken (clause-set refinement), or
//!    there is a passing run, which proves that the order is needed. Hard questions are put off, so
//!    that there soon is something to show;
//! 2. smaller cores: hitting sets over what the passing runs break, until none is smaller;
//! 3. inputs: which of them are needed at all.
//!
//! If it is stopped after the easy questions, what is known by then is a set of orders with which no
//! run passes, though perhaps not a minimal one.

use std::collections::{BTreeMap, BTreeSet};

use unravel_encode::{Condition, Encoding, Query};
use unravel_events::ThreadId;
use unravel_solver::{Lit, Model, Outcome};

use crate::complete::CompleteRun;
use crate::hitting::{Sets, TooHard};
use crate::orders::{Contact, Order};
use crate::{Interrupted, Listener};

/// Questions after which a core that is minimal need not be the smallest any more.
const SMALLEST_LIMIT: usize = 64;

/// Branches of the search for hitting sets after which it need not be either: each looks at all sets
/// that are known, so this is less than a second.
const HITTING_EFFORT: u64 = 50_000;

/// Looks of the solver at its watch after which a question is put off: some hundredths of a second.
const EASY: u64 = 400;

/// An order of a core, as an index into all orders.
pub(crate) struct Needed {
    /// The index of the order.
    pub member: usize,
    /// Why it is needed.
    pub proof: Proof,
}

/// Why an order is needed.
pub(crate) enum Proof {
    /// A run without it passes.
    Passes(Box<Model>),
    /// A run without it passes as far as it is known: up to a bound, or something not modelled.
    NotRefuted,
    /// It is not known to be.
    Missing,
}

/// Why no run with these orders and inputs passes.
pub(crate) enum Found {
    /// Because of these orders and these inputs.
    Core { members: Vec<Needed>, inputs: Vec<Condition>, is_smallest: bool, is_minimal: bool },
    /// No run with these inputs passes at all.
    NeverPasses { inputs: Vec<Condition> },
    /// The orders are not the reason: a run in which they all hold passes, or it is not known
    /// whether it does.
    Unexplained { passes: bool },
}

/// A run, or the assumptions that exclude it.
pub(crate) type Answer = Result<Box<Model>, Vec<Lit>>;

/// Asks the solver about passing runs.
pub(crate) struct Questions<'a> {
    pub encoding: &'a mut Encoding,
    pub listener: &'a mut dyn Listener,
    pub asked: u64,
    /// How often the solver has looked at its watch meanwhile: the work of all questions.
    pub looks: u64,
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
    pub fn ask(&mut self, assumptions: &[Lit]) -> Result<Answer, Interrupted> {
        self.ask_within(assumptions, u64::MAX)?.ok_or(Interrupted::Stopped)
    }

    /// The same, with limited effort: `None` if it is too hard.
    pub fn ask_within(
        &mut self,
        assumptions: &[Lit],
        effort: u64,
    ) -> Result<Option<Answer>, Interrupted> {
        self.asked += 1;
        let mut looks = 0;
        let mut stop = || {
            looks += 1;
            looks > effort || self.listener.should_stop()
        };
        let outcome = self.encoding.assume(assumptions, &mut stop);
        self.looks += looks;
        match outcome {
            Outcome::Sat(model) => Ok(Some(Ok(Box::new(model)))),
            Outcome::Unsat(core) => Ok(Some(Err(core))),
            Outcome::Stopped if looks > effort => Ok(None),
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
    given: Given,
    /// What is assumed in every question: the run passes as far as it goes, with what is given.
    assumed: Vec<Lit>,
    /// What each passing run met so far breaks.
    broken: Sets,
    /// The best set of orders so far with which no run passes.
    best: Vec<Needed>,
}

/// What is the same in all runs that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// Memory that was never written holds what it holds in the failing run.
    pub same_memory: Lit,
    /// Which threads wake without a signal.
    pub wakeups: Vec<Lit>,
    /// Threads that were given something.
    pub threads: BTreeSet<ThreadId>,
}

/// Finds a smallest core of a failing run.
pub(crate) fn find(
    questions: &mut Questions<'_>,
    orders: &[Order],
    inputs: &[Condition],
    given: Given,
) -> Result<Found, Interrupted> {
    let encoding = &mut *questions.encoding;
    let mut assumed = vec![encoding.unrefuted_somehow(), given.same_memory];
    assumed.extend(&given.wakeups);
    let lits: Vec<Lit> = orders.iter().map(|it| encoding.order(it.before, it.after)).collect();
    let inputs = inputs.iter().map(|&input| (input, encoding.condition(input))).collect();
    let (broken, best) = (Sets::default(), Vec::new());
    let mut search = Search { questions, orders, lits, inputs, given, assumed, broken, best };
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
        let core = self.with_few_threads(core)?;
        self.best = self.minimize(core, EASY)?;
        let so_far: Vec<Order> = self.best.iter().map(|it| self.orders[it.member]).collect();
        self.questions.listener.found_so_far(self.questions.encoding, &so_far);
        let (is_smallest, is_minimal) = match self.prove().and_then(|()| self.smallest()) {
            Ok(is_smallest) => (is_smallest, true),
            Err(Interrupted::Stopped) => (false, false),
            Err(broken) => return Err(broken),
        };
        if self.best.is_empty() {
            return Ok(Found::NeverPasses { inputs: self.needed_inputs(&[])? });
        }
        let inputs = match self.needed_inputs(&self.chosen()) {
            Ok(inputs) => inputs,
            Err(Interrupted::Stopped) => self.inputs.iter().map(|(input, _)| *input).collect(),
            Err(broken) => return Err(broken),
        };
        let members = std::mem::take(&mut self.best);
        Ok(Found::Core { members, inputs, is_smallest, is_minimal })
    }

    /// Orders between few threads with which no run passes, where some threads are equal: those that
    /// no order names can be put in order, which makes all further questions easy. The given ones if
    /// that is not easy itself.
    fn with_few_threads(&mut self, core: Vec<usize>) -> Result<Vec<usize>, Interrupted> {
        if self.questions.encoding.graph().symmetry.is_empty() {
            return Ok(core);
        }
        let all: BTreeSet<ThreadId> = core.iter().flat_map(|&it| self.threads(it)).collect();
        let mut named = BTreeSet::new();
        for &member in &core {
            let threads = self.threads(member);
            if threads.iter().all(|it| named.contains(it)) {
                continue;
            }
            named.extend(threads);
            if named == all {
                break;
            }
            let among = |&it: &usize| self.threads(it).iter().all(|it| named.contains(it));
            let chosen: Vec<usize> = (0..self.orders.len()).filter(among).collect();
            match self.ask_within(&chosen, EASY)? {
                Some(Err(reason)) => return Ok(self.members_of(&reason)),
                Some(Ok(_)) => {}
                None => break,
            }
        }
        Ok(core)
    }

    /// The two threads of an order.
    fn threads(&self, member: usize) -> [ThreadId; 2] {
        let Order { before, after, .. } = self.orders[member];
        [before, after].map(|step| self.questions.encoding.graph().step(step).thread)
    }

    fn chosen(&self) -> Vec<usize> {
        self.best.iter().map(|it| it.member).collect()
    }

    /// Is there a run that passes, as far as it goes, with these orders and all inputs?
    fn ask(&mut self, chosen: &[usize]) -> Result<Answer, Interrupted> {
        self.ask_within(chosen, u64::MAX)?.ok_or(Interrupted::Stopped)
    }

    fn ask_within(&mut self, chosen: &[usize], effort: u64) -> Result<Option<Answer>, Interrupted> {
        let assumptions = self.assumptions(chosen);
        let answer = self.questions.ask_within(&assumptions, effort)?;
        if let Some(Ok(model)) = &answer {
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

    /// Deletes what is not needed, as far as that takes no more than some effort for each.
    fn minimize(&mut self, mut core: Vec<usize>, effort: u64) -> Result<Vec<Needed>, Interrupted> {
        let mut needed: Vec<Needed> = Vec::new();
        // Orders are sorted by their distance from the failure, so the last are the farthest.
        while let Some(member) = core.pop() {
            let mut rest: Vec<usize> = needed.iter().map(|it| it.member).collect();
            rest.extend(&core);
            match self.ask_within(&rest, effort)? {
                None => needed.push(Needed { member, proof: Proof::Missing }),
                Some(Ok(model)) => {
                    let proof = self.proof(&rest, model)?;
                    needed.push(Needed { member, proof });
                }
                Some(Err(reason)) => {
                    let reason = self.members_of(&reason);
                    core.retain(|it| reason.contains(it));
                    needed.retain(|it| reason.contains(&it.member));
                }
            }
        }
        needed.sort_by_key(|it| it.member);
        Ok(needed)
    }

    /// Answers the questions that were put off, the farthest first.
    fn prove(&mut self) -> Result<(), Interrupted> {
        let is_open = |it: &Needed| matches!(it.proof, Proof::Missing);
        while let Some(open) = self.best.iter().rposition(is_open) {
            let member = self.best[open].member;
            let rest: Vec<usize> =
                self.chosen().into_iter().filter(|&other| other != member).collect();
            match self.ask(&rest)? {
                Ok(model) => self.best[open].proof = self.proof(&rest, model)?,
                Err(reason) => {
                    let reason = self.members_of(&reason);
                    self.best.retain(|it| reason.contains(&it.member));
                }
            }
        }
        Ok(())
    }

    /// A run without an order proves that it is needed.
    fn proof(&mut self, chosen: &[usize], model: Box<Model>) -> Result<Proof, Interrupted> {
        Ok(self.not_cut(chosen, model)?.map_or(Proof::NotRefuted, Proof::Passes))
    }

    /// The run if no bound cuts it, else another that none does, if there is one. One in which
    /// nobody wakes without a signal comes first: it shows a way that can be relied on.
    fn not_cut(
        &mut self,
        chosen: &[usize],
        model: Box<Model>,
    ) -> Result<Option<Box<Model>>, Interrupted> {
        let encoding = &mut *self.questions.encoding;
        let is_cut = is_cut(encoding, &model);
        if !is_cut && encoding.wakes_without_signal(&model).is_empty() {
            return Ok(Some(model));
        }
        let (owed, somehow) = (encoding.passing(), encoding.passing_somehow());
        let assumptions = self.assumptions(chosen);
        if let Ok(model) = self.questions.ask(&[&assumptions[..], &[owed]].concat())? {
            return Ok(Some(model));
        }
        if !is_cut {
            return Ok(Some(model));
        }
        Ok(self.questions.ask(&[&assumptions[..], &[somehow]].concat())?.ok())
    }

    /// Threads that the orders do not name may change places if they are equal, so only runs with
    /// these in one order are asked for.
    fn assumptions(&mut self, chosen: &[usize]) -> Vec<Lit> {
        let mut assumptions = self.assumed.clone();
        assumptions.extend(self.inputs.iter().map(|(_, lit)| *lit));
        assumptions.extend(chosen.iter().map(|&it| self.lits[it]));
        let named = chosen.iter().map(|&it| &self.orders[it]);
        let named = named.flat_map(|order| [order.before, order.after]).collect();
        assumptions.extend(self.questions.encoding.sorted_except(&named, &self.given.threads));
        assumptions
    }

    /// Looks for smaller cores; whether it is proved that there are none.
    fn smallest(&mut self) -> Result<bool, Interrupted> {
        let mut effort = HITTING_EFFORT;
        for _ in 0..SMALLEST_LIMIT {
            let smaller = match self.broken.smallest_hitting(self.best.len(), &mut effort) {
                Ok(Some(smaller)) => smaller,
                Ok(None) => return Ok(true),
                Err(TooHard) => return Ok(false),
            };
            if let Err(core) = self.ask(&smaller)? {
                let core = self.members_of(&core);
                self.best = self.minimize(core, u64::MAX)?;
            }
        }
        Ok(false)
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
            let mut assumptions = self.assumed.clone();
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

/// Whether a run has no end that is known: it comes to a bound, meets something that is not modelled,
/// or a thread turns a loop for ever.
pub(crate) fn is_cut(encoding: &Encoding, model: &Model) -> bool {
    if !encoding.reached_in(model, Query::Unsupported).is_empty() {
        return true;
    }
    encoding.valuation(model).with(|value| {
        // Who turns a loop for ever does not come to the end either.
        let mut cut = encoding.graph().threads.iter().flat_map(|thread| {
            thread.cut.iter().copied().chain(thread.spins.iter().map(|spin| spin.guard))
        });
        cut.any(|term| value(term) == 1)
    })
}
