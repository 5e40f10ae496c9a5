//! Deadlocks (DESIGN §2).
//!
//! A thread that waits for ever stands at one of its waits: there its stop variable is free, and
//! here it is said when it may count. In the end of the run
//!
//! - (a) some threads wait for each other in a circle, whatever others do: a set of threads each of
//!   which waits for a member of the set;
//! - (b) nobody can step and somebody waits: every thread has ended, or waits for a lock that is
//!   held, a thread that has not ended, a signal that nobody gave it, or an object whose state lets
//!   nobody on; none could go on from a bound, and the process has not ended.
//! - (c) the same, but some threads turn loops in which nothing changes any more (`spins`).

use unravel_events::{FindingKind, ThreadId, Value, Wait, WaitOn, handle};
use unravel_interp::Property;
use unravel_program::loops::Purpose;
use unravel_solver::{ClauseSink, Lit};
use unravel_term::Term;

use crate::Encoder;

impl Encoder {
    pub fn encode_deadlocks(&mut self) {
        if !self.properties.has(Property::Deadlock) {
            return;
        }
        let count = u32::try_from(self.graph.threads.len()).unwrap_or(u32::MAX);
        let threads: Vec<ThreadId> = (0..count).map(ThreadId).collect();
        let waits: Vec<Vec<(Wait, Lit)>> =
            threads.iter().map(|&thread| self.thread_waits(thread)).collect();
        self.circle(&threads, &waits);
        self.standstill(&threads, &waits);
    }

    pub(crate) fn thread_waits(&mut self, thread: ThreadId) -> Vec<(Wait, Lit)> {
        let waits = self.graph.threads[thread.0 as usize].waits.clone();
        let falsity = !self.solver.truth();
        waits
            .into_iter()
            .map(|wait| {
                let lit = self.lit(wait.guard);
                (wait, lit)
            })
            .filter(|(_, lit)| *lit != falsity)
            .collect()
    }

    /// A literal that implies that a thread holds a lock at the end of the run; if it is wanted
    /// for reading, that it holds it for writing. `None` if it never does.
    pub(crate) fn holds(&mut self, thread: ThreadId, address: Value, shared: bool) -> Option<Lit> {
        let mut held: Vec<Term> = Vec::new();
        for lock in self.alarm.until(self.graph.locks.clone()) {
            if self.graph.step(lock.step).thread != thread || shared && lock.shared {
                continue;
            }
            let same = self.same_address(lock.address, address);
            let closed: Vec<Term> = lock.unlocks.iter().map(|(_, closes)| *closes).collect();
            let terms = &mut self.graph.terms;
            let closed = terms.or_all(&closed);
            let open = terms.not(closed);
            held.push(terms.and_all(&[same, lock.guard, open]));
        }
        let held = self.graph.terms.or_all(&held);
        (!self.graph.terms.is_false(held)).then(|| self.lit(held))
    }

    /// A literal that implies that a lock is held, and not by a thread that turns a loop in which it
    /// gives the lock back for a while: who waits for it gets it then.
    fn unless_given_back(&mut self, held: Lit, holder: ThreadId, address: Value) -> Lit {
        let spins = self.graph.threads[holder.0 as usize].spins.clone();
        let mut moments = Vec::new();
        for spin in &spins {
            for &(lock, gives) in &spin.given_back {
                let same = self.same_address(lock, address);
                let moment = self.graph.terms.and_all(&[spin.guard, gives, same]);
                if !self.graph.terms.is_false(moment) {
                    moments.push(self.lit(moment));
                }
            }
        }
        if moments.is_empty() {
            return held;
        }
        let kept = self.solver.new_lit();
        self.solver.clause(&[!kept, held]);
        for moment in moments {
            self.solver.clause(&[!kept, !moment]);
        }
        kept
    }

    /// A literal that says that a wait is for a certain thread. `None` if it cannot be.
    pub(crate) fn waits_for(
        &mut self,
        waiter: ThreadId,
        wait: &Wait,
        other: ThreadId,
    ) -> Option<Lit> {
        match &wait.on {
            WaitOn::Itself => (waiter == other).then(|| self.solver.truth()),
            WaitOn::Lock { .. } | WaitOn::Wakeup(_) if waiter == other => None,
            WaitOn::Lock { address, shared } => {
                let held = self.holds(other, *address, *shared)?;
                Some(self.unless_given_back(held, other, *address))
            }
            WaitOn::Wakeup(index) => {
                let mutex = self.graph.cond_waits[*index].mutex;
                let held = self.holds(other, mutex, false)?;
                let held = self.unless_given_back(held, other, mutex);
                let both = self.solver.new_lit();
                self.solver.clause(&[!both, held]);
                self.solver.clause(&[!both, self.signaled(*index)]);
                Some(both)
            }
            WaitOn::State { .. } | WaitOn::Leaving(_) => None,
            WaitOn::Thread(joined) => {
                let width = self.graph.terms.width(*joined);
                let number = self.graph.terms.constant(width, handle(other));
                let thread = &self.graph.threads[other.0 as usize];
                let (ended, exists) = (thread.ended, thread.guard);
                let terms = &mut self.graph.terms;
                let same = terms.eq(*joined, number);
                let running = terms.not(ended);
                let waits = terms.and_all(&[same, running, exists]);
                (!self.graph.terms.is_false(waits)).then(|| self.lit(waits))
            }
        }
    }

    /// A literal that says that a wait is for something that no particular thread has. `None` if
    /// it is not.
    pub(crate) fn waits_in_vain(&mut self, wait: &Wait) -> Option<Lit> {
        match &wait.on {
            WaitOn::State { blocked } => Some(self.lit(*blocked)),
            WaitOn::Wakeup(index) => Some(self.forgotten(*index)),
            WaitOn::Leaving(address) => self.leaving(*address),
            WaitOn::Itself | WaitOn::Lock { .. } | WaitOn::Thread(_) => None,
        }
    }

    /// (a): a set of threads, each of which waits for a member.
    fn circle(&mut self, threads: &[ThreadId], waits: &[Vec<(Wait, Lit)>]) {
        let members: Vec<Lit> = threads.iter().map(|_| self.solver.new_lit()).collect();
        for (&thread, waits) in threads.iter().zip(waits) {
            let member = members[thread.0 as usize];
            let mut some = vec![!member];
            for (wait, stands) in waits {
                for &other in self.alarm.until(threads) {
                    if let Some(target) = self.waits_for(thread, wait, other) {
                        let edge = self.solver.new_lit();
                        self.solver.clause(&[!edge, *stands]);
                        self.solver.clause(&[!edge, target]);
                        self.solver.clause(&[!edge, members[other.0 as usize]]);
                        some.push(edge);
                    }
                }
            }
            self.solver.clause(&some);
        }
        let any = self.solver.new_lit();
        let mut clause = vec![!any];
        clause.extend(&members);
        self.solver.clause(&clause);
        self.deadlocked(any);
    }

    /// (b) and (c): nobody goes on, and somebody waits.
    fn standstill(&mut self, threads: &[ThreadId], waits: &[Vec<(Wait, Lit)>]) {
        let stands = self.solver.new_lit();
        self.standstill = Some(stands);
        for exit in self.graph.exits.clone() {
            let exit = self.lit(exit);
            self.solver.clause(&[!stands, !exit]);
        }
        let mut somebody = vec![!stands];
        // Those in which somebody waits for what no thread has are asked for on their own, too.
        let lost = self.solver.new_lit();
        let mut in_vain = vec![!lost];
        self.solver.clause(&[!lost, stands]);
        for (&thread, waits) in threads.iter().zip(waits) {
            let (exists, ended, stuck) = {
                let thread = &self.graph.threads[thread.0 as usize];
                let stuck: Vec<Term> = thread.stuck.iter().chain(&thread.cut).copied().collect();
                (thread.guard, thread.ended, stuck)
            };
            let mut here = vec![!stands];
            let exists = self.lit(exists);
            here.push(!exists);
            let ended = self.lit(ended);
            here.push(ended);
            for stuck in stuck {
                // A failed assume, a bound or something unknown: the thread might go on.
                let stuck = self.lit(stuck);
                self.solver.clause(&[!stands, !stuck]);
            }
            for (wait, lit) in waits {
                let mut disabled: Vec<Lit> = self.waits_in_vain(wait).into_iter().collect();
                if let Some(&vain) = disabled.first() {
                    let here = self.solver.new_lit();
                    self.solver.clause(&[!here, vain]);
                    self.solver.clause(&[!here, *lit]);
                    in_vain.push(here);
                }
                for &other in self.alarm.until(threads) {
                    disabled.extend(self.waits_for(thread, wait, other));
                }
                let blocked = self.solver.new_lit();
                self.solver.clause(&[!blocked, *lit]);
                let mut clause = vec![!blocked];
                clause.extend(disabled);
                self.solver.clause(&clause);
                here.push(blocked);
                somebody.push(blocked);
            }
            for spin in self.graph.threads[thread.0 as usize].spins.clone() {
                if let Some(waits) = self.waits_by_spinning(thread, &spin) {
                    here.push(waits);
                    // A loop without a way out waits for nothing.
                    somebody.extend((spin.purpose == Purpose::Waits).then_some(waits));
                }
            }
            self.solver.clause(&here);
        }
        self.solver.clause(&somebody);
        self.solver.clause(&in_vain);
        if in_vain.len() > 1 {
            self.deadlocked(lost);
        }
        self.deadlocked(stands);
    }

    fn deadlocked(&mut self, lit: Lit) {
        let kind = FindingKind::Violation(Property::Deadlock);
        if let Some(&step) = self.graph.threads.first().and_then(|thread| thread.steps.last()) {
            self.reach_at(kind, lit, step);
        }
    }
}
