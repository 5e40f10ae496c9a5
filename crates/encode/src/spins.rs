//! Threads that turn a loop for ever, in complete runs.
//!
//! A thread that stands after a turn that changed nothing would turn again. In a complete run it
//! finds the same: whatever it read in that turn was not written later, whoever refused it a lock
//! holds it to the end, and it did not wake without a signal, which nobody owes it.

use unravel_events::{Access, Space, Spin, ThreadId, Value};
use unravel_solver::{ClauseSink, Lit};

use crate::Encoder;

impl Encoder {
    pub(crate) fn justify_spins(&mut self, maximal: Lit) {
        for thread in (0u32..).map(ThreadId).take(self.graph.threads.len()) {
            for spin in self.graph.threads[thread.0 as usize].spins.clone() {
                self.justify_spin(maximal, thread, &spin);
            }
        }
    }

    fn justify_spin(&mut self, maximal: Lit, thread: ThreadId, spin: &Spin) {
        let stands = self.lit(spin.guard);
        for &wait in &spin.cond_waits {
            let begun = self.lit(self.graph.cond_waits[wait].begun);
            self.solver.clause(&[!maximal, !stands, !begun]);
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
    pub(crate) fn overlap(&mut self, a: &Access, b: &Access) -> unravel_term::Term {
        match a.space {
            Space::Life => self.graph.terms.eq(a.address.provenance, b.address.provenance),
            Space::Sync => self.graph.terms.eq(a.address.bits, b.address.bits),
            Space::Data => self.ranges_meet((a.address, a.bytes), (b.address, b.bytes)),
        }
    }

    /// Whether two ranges of memory share a byte.
    pub(crate) fn ranges_meet(&mut self, a: (Value, u64), b: (Value, u64)) -> unravel_term::Term {
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
