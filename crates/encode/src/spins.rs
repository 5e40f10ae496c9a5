//! Threads that turn a loop for ever, in complete runs and in hangs.
//!
//! A thread that stands after a turn that changed nothing would turn again. In a complete run it
//! finds the same: whatever it read in that turn was not written later, whoever refused it a lock
//! holds it to the end, and it did not wake without a signal, which nobody owes it; but a wait may
//! have ended by its time.
//!
//! Such a thread counts as waiting (DESIGN §2, case (c) of `deadlock`) unless it took an input in
//! that turn, or the loop is one that leads nowhere and does nothing (`unravel_program::loops`). The
//! interpreter knows more: while one thread holds a lock in its turn, another may be refused it and
//! leave its loop. So a hang that it does not confirm is taken back ([`Encoding::not_this_hang`]).

use unravel_events::{Access, Space, Spin, ThreadId, Value};
use unravel_program::loops::Purpose;
use unravel_solver::{ClauseSink, Lit, Model};
use unravel_term::Term;

use crate::mutant::Mutant;
use crate::{Encoder, Encoding};

impl Encoding {
    /// Whether some thread turns a loop for ever in the run of a model.
    #[must_use]
    pub fn spins_in(&self, model: &Model) -> bool {
        !self.standing_spins(model).is_empty()
    }

    /// A model was taken for a hang, and the threads can go on: this combination of loops is none.
    pub fn not_this_hang(&mut self, model: &Model) {
        let Some(stands) = self.encoder.standstill else { return };
        let mut clause = vec![!stands];
        for guard in self.standing_spins(model) {
            let stands = self.encoder.lit(guard);
            clause.push(!stands);
        }
        self.encoder.solver.clause(&clause);
    }

    /// No run is taken for a hang any more.
    pub fn no_hangs(&mut self) {
        let Some(stands) = self.encoder.standstill else { return };
        let threads = self.encoder.graph.threads.iter();
        let guards: Vec<Term> =
            threads.flat_map(|it| it.spins.iter().map(|spin| spin.guard)).collect();
        for guard in guards {
            let spins = self.encoder.lit(guard);
            self.encoder.solver.clause(&[!stands, !spins]);
        }
    }

    fn standing_spins(&self, model: &Model) -> Vec<Term> {
        let threads = &self.graph().threads;
        let guards: Vec<Term> =
            threads.iter().flat_map(|it| it.spins.iter().map(|spin| spin.guard)).collect();
        let mut standing = Vec::new();
        self.valuation(model).with(|value| {
            standing.extend(guards.iter().copied().filter(|&guard| value(guard) == 1));
        });
        standing
    }
}

impl Encoder {
    pub(crate) fn justify_spins(&mut self, maximal: Lit) {
        for thread in (0u32..).map(ThreadId).take(self.graph.threads.len()) {
            for spin in self.graph.threads[thread.0 as usize].spins.clone() {
                self.justify_spin(maximal, thread, &spin);
            }
        }
    }

    /// A literal that implies that a thread stands at this turn and waits, as one that hangs does.
    /// `None` if it never counts as waiting.
    pub(crate) fn waits_by_spinning(&mut self, thread: ThreadId, spin: &Spin) -> Option<Lit> {
        if spin.purpose == Purpose::Nothing || self.broken(Mutant::SpinsNeverHang) {
            return None;
        }
        let waits = self.solver.new_lit();
        let stands = self.lit(spin.guard);
        self.solver.clause(&[!waits, stands]);
        for &input in &spin.inputs {
            let asked = self.lit(self.graph.inputs[input].guard);
            self.solver.clause(&[!waits, !asked]);
        }
        self.justify_spin(waits, thread, spin);
        Some(waits)
    }

    /// Whether a thread stands at this turn and counts as able to go on.
    pub(crate) fn goes_on_spinning(&mut self, spin: &Spin) -> Term {
        if spin.purpose == Purpose::Nothing {
            return spin.guard;
        }
        let asked: Vec<Term> =
            spin.inputs.iter().map(|&input| self.graph.inputs[input].guard).collect();
        let asked = self.graph.terms.or_all(&asked);
        self.graph.terms.and(spin.guard, asked)
    }

    fn justify_spin(&mut self, maximal: Lit, thread: ThreadId, spin: &Spin) {
        let stands = self.lit(spin.guard);
        for &wait in &spin.cond_waits {
            let wait = self.graph.cond_waits[wait].clone();
            let mut clause = vec![!maximal, !stands, !self.lit(wait.begun)];
            if let Some((_, gives_up)) = wait.timeout {
                clause.push(self.lit(gives_up));
            }
            self.solver.clause(&clause);
        }
        for &refusal in &spin.refusals {
            let refusal = self.graph.refusals[refusal].clone();
            let refused = self.lit(refusal.guard);
            let mut clause = vec![!maximal, !stands, !refused];
            let threads = (0u32..).map(ThreadId).take(self.graph.threads.len());
            for other in self.alarm.until(threads) {
                if other != thread {
                    clause.extend(self.holds(other, refusal.address, refusal.shared));
                }
            }
            self.solver.clause(&clause);
        }
        for &read in &spin.reads {
            let read = self.graph.accesses[read].clone();
            self.reads_last(maximal, stands, &read);
        }
    }

    /// No write to what was read comes later.
    fn reads_last(&mut self, maximal: Lit, stands: Lit, read: &Access) {
        let executed = self.lit(read.guard);
        let objects = self.graph.candidates(&read.may);
        let thread = self.graph.step(read.step).thread;
        for write in self.alarm.until(self.graph.accesses.clone()) {
            let own = self.graph.step(write.step).thread == thread;
            if !write.writes || own || write.space != read.space {
                continue;
            }
            if !self.graph.candidates(&write.may).iter().any(|id| objects.contains(id)) {
                continue;
            }
            let overlap = self.overlap(read, &write);
            let there = self.graph.terms.and(write.guard, overlap);
            if self.graph.terms.is_false(there) {
                continue;
            }
            let there = self.lit(there);
            let mut clause = vec![!maximal, !stands, !executed, !there];
            clause.extend(self.may_precede(write.step, read.step));
            self.solver.clause(&clause);
        }
    }

    /// Whether two accesses to one kind of memory touch the same.
    pub(crate) fn overlap(&mut self, a: &Access, b: &Access) -> Term {
        match a.space {
            Space::Life => self.graph.terms.eq(a.address.provenance, b.address.provenance),
            Space::Sync => self.graph.terms.eq(a.address.bits, b.address.bits),
            Space::Data => self.ranges_meet((a.address, a.bytes), (b.address, b.bytes)),
        }
    }

    /// Whether two ranges of memory share a byte.
    pub(crate) fn ranges_meet(&mut self, a: (Value, u64), b: (Value, u64)) -> Term {
        let terms = &mut self.graph.terms;
        let mut end = |(address, bytes): (Value, u64)| {
            let width = terms.width(address.bits);
            let bytes = terms.constant(width, u128::from(bytes));
            terms.add(address.bits, bytes)
        };
        let (end_a, end_b) = (end(a), end(b));
        let parts = [terms.ult(a.0.bits, end_b), terms.ult(b.0.bits, end_a)];
        terms.and_all(&parts)
    }
}
