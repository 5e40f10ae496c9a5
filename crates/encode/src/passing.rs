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
//! A thread that turns a loop and changes nothing does so for ever only if nobody changes what it
//! reads: it read last values (`spins`).
//!
//! The end of the process stops nobody: others could have gone on before it (see the interpreter),
//! so a run that ends because `main` returns passes if all the others pass, too.
//!
//! Some literals of the violation query only say "if true, then this misuse happens". The converse,
//! which a passing run needs, is stated here.

use unravel_events::{Lifetime, LockUse, ThreadId, Wait};
use unravel_interp::Property;
use unravel_solver::{ClauseSink, Lit, NodeId};
use unravel_term::Term;

use crate::{Encoder, Encoding, Query};

/// Literals for these questions, made when they are first asked.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    maximal: Option<Lit>,
    unrefuted: Option<Lit>,
    passing: Option<Lit>,
}

impl Encoding {
    /// A literal that, if true, makes the run complete and without violation.
    pub fn passing(&mut self) -> Lit {
        if let Some(lit) = self.passing.passing {
            return lit;
        }
        let unrefuted = self.unrefuted();
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

    /// A literal that, if true, makes the run pass as far as it is known: a thread may have come to
    /// a bound, or met something that is not modelled.
    pub fn unrefuted(&mut self) -> Lit {
        if let Some(lit) = self.passing.unrefuted {
            return lit;
        }
        let maximal = self.maximal();
        let stuck: Vec<Term> =
            self.encoder.graph.threads.iter().flat_map(|thread| thread.stuck.clone()).collect();
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
    pub fn maximal(&mut self) -> Lit {
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
        for at in self.alarm.until(0..self.reached.len()) {
            if Query::of(&self.reached[at].kind) == Some(Query::Violation) {
                let violated = self.reached[at].lit;
                self.solver.clause(&[!maximal, !violated]);
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
        self.no_spurious_wakeups(maximal);
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

    /// Nobody wakes without a signal: such a wakeup may come, but nobody owes it, so a run that
    /// needs one shows no way out.
    fn no_spurious_wakeups(&mut self, maximal: Lit) {
        let waits = self.graph.cond_waits.clone().into_iter().enumerate();
        for (index, wait) in self.alarm.until(waits) {
            let woken = self.lit(wait.woken);
            let mut clause = vec![!maximal, !woken, self.signaled(index)];
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
        let threads_stop = self.graph.threads.iter().flat_map(|it| {
            let spins = it.spins.iter().map(|spin| spin.guard);
            it.stuck.iter().chain(&it.cut).copied().chain(spins)
        });
        let hopes: Vec<Term> = self.graph.exits.iter().copied().chain(threads_stop).collect();
        let hopes: Vec<Lit> = hopes.into_iter().map(|term| self.lit(term)).collect();
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
