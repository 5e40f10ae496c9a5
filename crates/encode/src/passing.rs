//! Complete runs that violate nothing.
//!
//! To find a violation it is enough that a thread *may* stop where it waits: only what leads to
//! the violation matters. A run that passes is complete, so here every thread goes on as far as it
//! can:
//!
//! - *maximal*: no thread stops where it could go on: whoever waits, waits for a lock that is held
//!   or for a thread that has not ended, in the end of the run. Nothing is violated.
//! - *unrefuted*: maximal, and no thread was stopped by a failed assume; but one may have come to a
//!   bound, or met something that is not modelled, and what would follow is not known;
//! - *passing*: unrefuted, and neither of these.
//!
//! A thread may wake from a wait without a signal, but nobody owes it that. Whether a run in which
//! that happens counts is up to who asks: each wait has a literal that *excuses* it.
//!
//! A thread that turns a loop and changes nothing does so for ever only if nobody changes what it
//! reads: it read last values (`spins`).
//!
//! The end of the process stops nobody: others could have gone on before it (see the interpreter),
//! so a run that ends because `main` returns passes if all the others pass, too.
//!
//! Some literals of the violation query only say "if true, then this misuse happens". The converse,
//! which a passing run needs, is stated here.

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::{CondWait, Lifetime, LockUse, Spin, ThreadId, Wait};
use unravel_interp::Property;
use unravel_program::loops::Purpose;
use unravel_solver::{ClauseSink, Lit, Model, NodeId};
use unravel_term::Term;

use crate::beyond::EarlierSteps;
use crate::{Encoder, Encoding, Mutant, Query};

/// Literals for these questions, made when they are first asked.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    maximal: Option<Lit>,
    unrefuted: Option<Lit>,
    passing: Option<Lit>,
    owed: Option<Lit>,
    /// What implies these, and that every wakeup is owed.
    as_owed: BTreeMap<Lit, Lit>,
}

impl Encoding {
    /// A literal that, if true, makes the run complete and without violation, and has nobody wake
    /// without a signal: a run that needs such a wakeup shows no way out.
    pub fn passing(&mut self) -> Lit {
        let passing = self.passing_somehow();
        self.as_owed(passing)
    }

    /// The same for [`Encoding::unrefuted_somehow`].
    pub fn unrefuted(&mut self) -> Lit {
        let unrefuted = self.unrefuted_somehow();
        self.as_owed(unrefuted)
    }

    /// The same for [`Encoding::maximal_somehow`].
    pub fn maximal(&mut self) -> Lit {
        let maximal = self.maximal_somehow();
        self.as_owed(maximal)
    }

    /// A literal that implies another, and that nobody wakes without a signal.
    fn as_owed(&mut self, somehow: Lit) -> Lit {
        if let Some(&known) = self.passing.as_owed.get(&somehow) {
            return known;
        }
        let owed = self.owed();
        let both = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!both, somehow]);
        self.encoder.solver.clause(&[!both, owed]);
        self.passing.as_owed.insert(somehow, both);
        both
    }

    /// A literal that, if true, has every wakeup of a maximal run owed: it has a signal.
    fn owed(&mut self) -> Lit {
        if let Some(lit) = self.passing.owed {
            return lit;
        }
        let owed = self.encoder.solver.new_lit();
        for at in 0..self.encoder.graph.cond_waits.len() {
            let excused = self.encoder.excused(at);
            self.encoder.solver.clause(&[!owed, !excused]);
        }
        self.passing.owed = Some(owed);
        owed
    }

    /// What to assume so that only these waits may end without a signal in a maximal run.
    pub fn owed_but(&mut self, excused: &BTreeSet<usize>) -> Vec<Lit> {
        let all = 0..self.encoder.graph.cond_waits.len();
        let others = all.filter(|it| !excused.contains(it));
        others.map(|it| !self.encoder.excused(it)).collect()
    }

    /// The waits that end without a signal in a model.
    #[must_use]
    pub fn wakes_without_signal(&self, model: &Model) -> BTreeSet<usize> {
        let waits = self.encoder.graph.cond_waits.iter().enumerate();
        let is_given_up = |value: &mut dyn FnMut(Term) -> u128, wait: &CondWait| {
            wait.timeout.is_some_and(|(_, gives_up)| value(gives_up) == 1)
        };
        self.valuation(model).with(|value| {
            let unowed = waits.filter(|(at, wait)| {
                value(wait.woken) == 1
                    && !model.value(self.encoder.signaled(*at))
                    && !is_given_up(value, wait)
            });
            unowed.map(|(at, _)| at).collect()
        })
    }

    /// A literal that, if true, makes the run complete and without violation.
    pub fn passing_somehow(&mut self) -> Lit {
        if let Some(lit) = self.passing.passing {
            return lit;
        }
        let unrefuted = self.unrefuted_somehow();
        let threads = self.encoder.graph.threads.iter();
        let cut: Vec<Term> = threads
            .flat_map(|it| it.cut.iter().copied().chain(it.spins.iter().map(|spin| spin.guard)))
            .collect();
        let passing = self.without(unrefuted, &cut);
        let clean = self.clean;
        self.encoder.solver.clause(&[!passing, clean]);
        self.passing.passing = Some(passing);
        passing
    }

    /// A literal that, if true, makes the run complete and without violation, and lets it end: nobody
    /// turns a loop for ever, or the process ends beside whoever does.
    pub fn ending(&mut self) -> Lit {
        let unrefuted = self.unrefuted();
        let threads = &self.encoder.graph.threads;
        let cut: Vec<Term> = threads.iter().flat_map(|it| it.cut.iter().copied()).collect();
        let spins: Vec<Term> =
            threads.iter().flat_map(|it| it.spins.iter().map(|spin| spin.guard)).collect();
        let ending = self.without(unrefuted, &cut);
        let clean = self.clean;
        self.encoder.solver.clause(&[!ending, clean]);
        let exits: Vec<Term> = self.encoder.graph.exits.clone();
        let exits: Vec<Lit> = exits.into_iter().map(|exit| self.encoder.lit(exit)).collect();
        for spin in spins {
            let mut clause = vec![!ending, !self.encoder.lit(spin)];
            clause.extend(&exits);
            self.encoder.solver.clause(&clause);
        }
        ending
    }

    /// A literal that, if true, makes the run pass as far as it is known: a thread may have come to
    /// a bound, or met something that is not modelled.
    pub fn unrefuted_somehow(&mut self) -> Lit {
        if let Some(lit) = self.passing.unrefuted {
            return lit;
        }
        let maximal = self.maximal_somehow();
        let threads = self.encoder.graph.threads.iter();
        let mut stuck: Vec<Term> = threads.clone().flat_map(|it| it.stuck.clone()).collect();
        if self.encoder.broken(Mutant::CoresIgnoreBounds) {
            stuck.extend(threads.flat_map(|it| it.cut.clone()));
        }
        let unrefuted = self.without(maximal, &stuck);
        self.passing.unrefuted = Some(unrefuted);
        unrefuted
    }

    /// A literal that, if true, makes the run complete and without violation, but without an end: some
    /// thread turns a loop for ever, since nobody changes any more what it reads.
    pub fn hanging(&mut self) -> Lit {
        let unrefuted = self.unrefuted();
        let graph = &self.encoder.graph;
        let cut = graph.threads.iter().flat_map(|it| it.cut.iter().copied());
        let otherwise: Vec<Term> = cut.chain(graph.exits.iter().copied()).collect();
        let spins = graph.threads.iter().flat_map(|it| it.spins.iter().map(|spin| spin.guard));
        let spins: Vec<Term> = spins.collect();
        let hanging = self.without(unrefuted, &otherwise);
        let mut ways = vec![!hanging];
        for spin in spins {
            ways.push(self.encoder.lit(spin));
        }
        self.encoder.solver.clause(&ways);
        hanging
    }

    /// A literal that implies another, and that none of these terms holds.
    fn without(&mut self, other: Lit, terms: &[Term]) -> Lit {
        let none = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!none, other]);
        for &term in terms {
            let holds = self.encoder.lit(term);
            self.encoder.solver.clause(&[!none, !holds]);
        }
        none
    }

    /// A literal that, if true, lets every thread go as far as it can, without violation.
    pub fn maximal_somehow(&mut self) -> Lit {
        if let Some(lit) = self.passing.maximal {
            return lit;
        }
        let maximal = self.encoder.solver.new_lit();
        self.encoder.encode_maximal(maximal);
        self.passing.maximal = Some(maximal);
        maximal
    }
}

impl Encoder {
    fn encode_maximal(&mut self, maximal: Lit) {
        let mut known = EarlierSteps::default();
        for at in self.alarm.until(0..self.reached.len()) {
            if Query::of(&self.reached[at].kind) == Some(Query::Violation) {
                let reached = self.reached[at].clone();
                let mut clause = vec![!maximal, !reached.lit];
                if !self.broken(Mutant::CoresIgnoreBounds) {
                    clause.extend(self.cut_before(&reached, &mut known));
                }
                self.solver.clause(&clause);
            }
        }
        for thread in 0..self.graph.threads.len() {
            for idle in self.graph.threads[thread].idle.clone() {
                let idle = self.lit(idle);
                self.solver.clause(&[!maximal, !idle]);
            }
        }
        if self.properties.has(Property::Misuse) {
            for twice in self.twice.clone() {
                self.solver.clause(&[!maximal, !twice]);
            }
        }
        self.owe_wakeups(maximal);
        self.justify_waits(maximal);
        self.justify_spins(maximal);
        let uses = self.graph.lock_uses.clone().into_iter().filter(|it| !it.has_state);
        for lock_use in self.alarm.until(uses) {
            self.before_every_destroy(maximal, &lock_use);
            self.after_some_init(maximal, &lock_use);
        }
        for lifetime in self.alarm.until(self.graph.lifetimes.clone()) {
            self.outside_of_sections(maximal, &lifetime);
        }
    }

    /// A literal that, if true, lets nobody wake without a signal. `None` if nobody waits.
    pub(crate) fn only_owed_wakeups(&mut self) -> Option<Lit> {
        if self.graph.cond_waits.is_empty() {
            return None;
        }
        if self.owed.is_none() {
            let owed = self.solver.new_lit();
            for (index, wait) in self.graph.cond_waits.clone().into_iter().enumerate() {
                let woken = self.lit(wait.woken);
                let mut clause = vec![!owed, !woken, self.signaled(index)];
                if let Some((_, gives_up)) = wait.timeout {
                    clause.push(self.lit(gives_up));
                }
                self.solver.clause(&clause);
            }
            self.owed = Some(owed);
        }
        self.owed
    }

    /// Nobody wakes without a signal, unless the wait is excused.
    fn owe_wakeups(&mut self, maximal: Lit) {
        let waits = self.graph.cond_waits.clone().into_iter().enumerate();
        for (index, wait) in self.alarm.until(waits) {
            let woken = self.lit(wait.woken);
            let mut clause = vec![!maximal, !woken, self.signaled(index), self.excused(index)];
            if let Some((_, gives_up)) = wait.timeout {
                clause.push(self.lit(gives_up));
            }
            self.solver.clause(&clause);
        }
    }

    /// Who waits in the end waits for somebody. If deadlocks are checked, nobody waits in a circle
    /// (the threads get ranks, and each waits for one of lower rank), and either the process has
    /// ended, or somebody stands elsewhere and might still come to let the others go on.
    fn justify_waits(&mut self, maximal: Lit) {
        let threads: Vec<ThreadId> =
            (0u32..).map(ThreadId).take(self.graph.threads.len()).collect();
        let ranks: Vec<NodeId> = threads.iter().map(|_| self.solver.node()).collect();
        let checked = self.properties.has(Property::Deadlock);
        let hopes = self.hopes();
        if checked {
            self.no_hang(maximal, &hopes);
        }
        for &thread in &threads {
            for (wait, stands) in self.thread_waits(thread) {
                let mut reasons = vec![!maximal, !stands];
                reasons.extend(self.waits_in_vain(&wait));
                for &other in self.alarm.until(&threads) {
                    reasons.extend(self.waits_in_order(thread, &wait, other, checked, &ranks));
                }
                self.solver.clause(&reasons);
                if checked {
                    let mut hope = vec![!maximal, !stands];
                    hope.extend(&hopes);
                    self.solver.clause(&hope);
                }
            }
        }
    }

    /// Whoever might still let the others go on: the end of the process, somebody at a bound, or in a
    /// loop that does not count as waiting.
    fn hopes(&mut self) -> Vec<Lit> {
        let threads = self.graph.threads.iter();
        let stops = threads.flat_map(|it| it.stuck.iter().chain(&it.cut).copied());
        let mut hopes: Vec<Term> = self.graph.exits.iter().copied().chain(stops).collect();
        let spins = self.graph.threads.iter().flat_map(|it| it.spins.clone());
        for spin in spins.collect::<Vec<Spin>>() {
            hopes.push(self.goes_on_spinning(&spin));
        }
        hopes.into_iter().map(|term| self.lit(term)).collect()
    }

    /// Nobody turns a loop for ever without hope.
    fn no_hang(&mut self, maximal: Lit, hopes: &[Lit]) {
        let spins = self.graph.threads.iter().flat_map(|it| it.spins.clone());
        for spin in spins.collect::<Vec<Spin>>() {
            if spin.purpose == Purpose::Waits {
                let mut hope = vec![!maximal, !self.lit(spin.guard)];
                hope.extend(hopes);
                self.solver.clause(&hope);
            }
        }
    }

    fn waits_in_order(
        &mut self,
        waiter: ThreadId,
        wait: &Wait,
        other: ThreadId,
        ranked: bool,
        ranks: &[NodeId],
    ) -> Option<Lit> {
        let target = self.waits_for(waiter, wait, other)?;
        if !ranked {
            return Some(target);
        }
        if waiter == other {
            return None;
        }
        let reason = self.solver.new_lit();
        self.solver.clause(&[!reason, target]);
        let (lower, higher) = (ranks[other.0 as usize], ranks[waiter.0 as usize]);
        self.solver.edge_if(reason, lower, higher);
        Some(reason)
    }

    /// A lock is used before each destruction of it. (One that is initialized again afterwards is
    /// not modelled, see `locks`.)
    fn before_every_destroy(&mut self, maximal: Lit, lock_use: &LockUse) {
        for lifetime in self.graph.lifetimes.clone() {
            if !lifetime.ends || lifetime.step == lock_use.step {
                continue;
            }
            let same = self.same_address(lifetime.address, lock_use.address);
            let both = self.graph.terms.and_all(&[same, lifetime.done, lock_use.guard]);
            if self.graph.terms.is_false(both) {
                continue;
            }
            let both = self.lit(both);
            let mut clause = vec![!maximal, !both];
            clause.extend(self.may_precede(lock_use.step, lifetime.step));
            self.solver.clause(&clause);
        }
    }

    /// A lock in memory that was never written is initialized before it is used.
    fn after_some_init(&mut self, maximal: Lit, lock_use: &LockUse) {
        let undefined = self.undefined_objects(lock_use);
        if undefined.is_empty() || lock_use.written && lock_use.static_initializer {
            return;
        }
        let there = self.graph.terms.or_all(&undefined);
        let there = self.graph.terms.and(there, lock_use.guard);
        let there = self.lit(there);
        let mut clause = vec![!maximal, !there];
        for lifetime in self.graph.lifetimes.clone().into_iter().filter(|it| !it.ends) {
            let same = self.same_address(lifetime.address, lock_use.address);
            let made = self.graph.terms.and(same, lifetime.done);
            if self.graph.terms.is_false(made) {
                continue;
            }
            if let Some(order) = self.may_precede(lifetime.step, lock_use.step) {
                let made = self.lit(made);
                let both = self.solver.new_lit();
                self.solver.clause(&[!both, made]);
                self.solver.clause(&[!both, order]);
                clause.push(both);
            }
        }
        self.solver.clause(&clause);
    }

    /// An initialization or destruction that finds nobody holding the lock.
    fn outside_of_sections(&mut self, maximal: Lit, lifetime: &Lifetime) {
        let unused = self.graph.terms.not(lifetime.in_use);
        let free = self.graph.terms.and(lifetime.guard, unused);
        let free = self.lit(free);
        for lock in self.alarm.until(self.graph.locks.clone()) {
            let own = self.graph.step(lock.step).thread == self.graph.step(lifetime.step).thread;
            let same = self.same_address(lock.address, lifetime.address);
            let there = self.graph.terms.and(same, lock.guard);
            if own || self.graph.terms.is_false(there) {
                continue;
            }
            let there = self.lit(there);
            let mut clause = vec![!maximal, !free, !there];
            clause.extend(self.may_precede(lifetime.step, lock.step));
            for &(unlock, closes) in &lock.unlocks {
                if let Some(order) = self.may_precede(unlock, lifetime.step) {
                    let closes = self.lit(closes);
                    let closed = self.solver.new_lit();
                    self.solver.clause(&[!closed, closes]);
                    self.solver.clause(&[!closed, order]);
                    clause.push(closed);
                }
            }
            self.solver.clause(&clause);
        }
    }
}
