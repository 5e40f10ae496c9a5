//! Turns of a loop that change nothing (DESIGN §3, waiting loops).
//!
//! A thread that waits in a loop may turn it any number of times, so unrolling alone never proves
//! such a program safe. But a turn that writes no shared memory, comes back to the head of the loop
//! with everything as it was, and holds the same locks can be left out of a run: what is left is a
//! run again, and ends alike. So no run needs another turn after one that changed nothing; a thread
//! that makes one stands there, as one that turns for ever does. Whoever asks what happens in such
//! turns has one of them kept (`Bounds::lingering`).
//!
//! A turn that gives a lock back for a while lets others in: a wait on a condition variable, or
//! `unlock` and `lock` while polling. Without it, what was locked before the loop would stay locked.
//! The first of several such turns stays, and stands for all: it gives the lock back where the first
//! does, and has it again where the last does. A turn whose wait took a signal does the same for those
//! that follow it, since who is woken may come back late.
//!
//! Whether a turn changed anything is a condition like any other. A write of what was just read in
//! the same step is none (a failed test-and-set). A wait that ended without a signal is none; one
//! that took a signal is, since that signal is lost to others.

use unravel_program::loops::Purpose;
use unravel_program::{BlockId, Reg};
use unravel_term::Term;

use super::Executor;
use crate::graph::{Access, InputKind, LoopId, Spin};
use crate::mutant::Mutant;
use crate::object::ObjectId;
use crate::state::{Open, State};
use crate::value::Value;

/// Where a turn began: the state, and how much there was of everything.
pub(crate) struct Turn {
    state: State,
    accesses: usize,
    refusals: usize,
    cond_waits: usize,
    objects: usize,
    inputs: usize,
    /// Things that no turn that changes nothing does.
    deeds: usize,
    /// The turn before changed nothing, but for a signal that it may have taken.
    after_quiet: Term,
}

/// What a turn was.
pub(crate) struct Turned {
    /// It changed nothing, but for a signal that it may have taken.
    pub quiet: Term,
    /// It may have changed nothing and is kept, since it gives a lock back for a while.
    pub is_window: bool,
}

impl Executor<'_> {
    /// Notes where a turn begins, and whether the turn before it changed nothing.
    pub fn begin_turn(&mut self, head: BlockId, after_quiet: Term) -> Option<Turn> {
        let state = self.frame().pending.get(&head)?.clone();
        Some(Turn {
            state,
            after_quiet,
            accesses: self.graph.accesses.len(),
            refusals: self.graph.refusals.len(),
            cond_waits: self.graph.cond_waits.len(),
            objects: self.graph.objects.len(),
            inputs: self.graph.inputs.len(),
            deeds: self.deeds(),
        })
    }

    fn deeds(&self) -> usize {
        let graph = &self.graph;
        graph.threads.len()
            + graph.joins.len()
            + graph.detached.len()
            + graph.lifetimes.len()
            + graph.signals.len()
            + graph.cond_ends.len()
            + graph.sem_ends.len()
            + self.freed.len()
            + self.made.len()
    }

    /// Lets paths that come back to the head as they began stand there.
    pub fn end_turn(&mut self, head: BlockId, id: LoopId, turn: &Turn) -> Turned {
        let Some(mut state) = self.frame().pending.remove(&head) else {
            return Turned { quiet: self.terms().falsity(), is_window: false };
        };
        let quiet = self.changes_nothing(head, turn, &state);
        let unsignaled = self.takes_no_signal(turn);
        let idle = self.terms().and(quiet, unsignaled);
        let keeps = self.keeps_locks(&turn.state.open, &state.open);
        let spare = self.terms().or(keeps, turn.after_quiet);
        let last = self.terms().and_all(&[idle, spare, state.lingered]);
        let stands = self.terms().and(state.guard, last);
        if !self.graph.terms.is_false(stands) {
            let mut spin = self.spin(id, stands, turn);
            spin.given_back = self.given_back(&turn.state.open, &state.open);
            self.graph.threads[self.current.id.0 as usize].spins.push(spin);
            let goes_on = self.terms().not(last);
            state.require(&mut self.graph.terms, goes_on);
        }
        state.lingered = self.terms().or(state.lingered, idle);
        if !self.graph.terms.is_false(state.guard) {
            self.frame().pending.insert(head, state);
        }
        let is_window = !self.graph.terms.is_false(idle) && !self.graph.terms.is_true(spare);
        Turned { quiet, is_window }
    }

    /// Whether all locks that were held are still held, without a moment in between.
    fn keeps_locks(&mut self, before: &[Open], after: &[Open]) -> Term {
        let given_back: Vec<Term> =
            self.given_back(before, after).into_iter().map(|(_, gives)| gives).collect();
        let some = self.terms().or_all(&given_back);
        self.terms().not(some)
    }

    /// Locks that were held and are no longer held without a moment in between, each with the
    /// condition for that.
    fn given_back(&mut self, before: &[Open], after: &[Open]) -> Vec<(Value, Term)> {
        let mut given_back = Vec::new();
        for open in before {
            let same: Vec<Term> =
                after.iter().filter(|it| it.lock == open.lock).map(|it| it.held).collect();
            let terms = self.terms();
            let still = terms.or_all(&same);
            let gone = terms.not(still);
            let gives = terms.and(open.held, gone);
            if !terms.is_false(gives) {
                given_back.push((open.address, gives));
            }
        }
        given_back
    }

    /// Whether no wait of a turn took a signal.
    fn takes_no_signal(&mut self, turn: &Turn) -> Term {
        let mut none = vec![self.terms().truth()];
        for at in turn.cond_waits..self.graph.cond_waits.len() {
            let (begun, signaled) = {
                let wait = &self.graph.cond_waits[at];
                (wait.begun, wait.signaled)
            };
            let unsignaled = self.terms().not(signaled);
            none.push(self.terms().implies(begun, unsignaled));
        }
        self.terms().and_all(&none)
    }

    fn spin(&self, id: LoopId, guard: Term, turn: &Turn) -> Spin {
        let reads = (turn.accesses..).zip(&self.graph.accesses[turn.accesses..]);
        let inputs = (turn.inputs..).zip(&self.graph.inputs[turn.inputs..]);
        Spin {
            id,
            guard,
            reads: reads.filter(|(_, it)| !it.writes).map(|(at, _)| at).collect(),
            refusals: (turn.refusals..self.graph.refusals.len()).collect(),
            cond_waits: (turn.cond_waits..self.graph.cond_waits.len()).collect(),
            inputs: inputs.filter(|(_, it)| is_from_outside(it.kind)).map(|(at, _)| at).collect(),
            given_back: Vec::new(),
            purpose: self.purpose(id),
        }
    }

    fn purpose(&self, id: LoopId) -> Purpose {
        let LoopId::Head(function, head) = id else { return Purpose::Nothing };
        self.loops.at(function, head).map_or(Purpose::Nothing, |it| it.purpose)
    }

    /// Whether the state at the head is as it was, and nothing was done that others can notice.
    fn changes_nothing(&mut self, head: BlockId, turn: &Turn, state: &State) -> Term {
        if turn.deeds != self.deeds() || turn.state.atomic.is_some() {
            return self.terms().falsity();
        }
        let mut same = vec![self.same_registers(head, &turn.state, state)];
        if self.graph.terms.is_false(same[0]) {
            return same[0];
        }
        same.push(self.same_locks(&turn.state.open, &state.open));
        let before = ObjectId(u32::try_from(turn.objects).unwrap_or(u32::MAX));
        let (terms, objects) = self.parts();
        same.push(state.memory.same(terms, objects, &turn.state.memory, before));
        same.push(self.writes_nothing(turn.accesses));
        self.terms().and_all(&same)
    }

    fn same_registers(&mut self, head: BlockId, before: &State, after: &State) -> Term {
        let function = self.function_id();
        let liveness = self.liveness(function);
        let live = liveness.before(head, 0);
        let mut same = vec![self.terms().truth()];
        for (index, (old, new)) in (0u32..).zip(before.registers.iter().zip(&after.registers)) {
            if old == new || !live.contains(Reg(index)) {
                continue;
            }
            same.push(match (*old, *new) {
                (Some(old), Some(new)) => self.same_value(old, new),
                _ => self.terms().falsity(),
            });
        }
        self.terms().and_all(&same)
    }

    fn same_value(&mut self, a: Value, b: Value) -> Term {
        let terms = self.terms();
        let bits = terms.eq(a.bits, b.bits);
        let provenance = terms.eq(a.provenance, b.provenance);
        terms.and(bits, provenance)
    }

    /// Whether the same locks are held as often, whichever section it is: a wait on a condition
    /// variable ends one and begins another.
    fn same_locks(&mut self, before: &[Open], after: &[Open]) -> Term {
        let mut same = vec![self.terms().truth()];
        let mut seen: Vec<(Term, bool)> = Vec::new();
        for open in before.iter().chain(after) {
            let lock = (open.address.bits, open.shared);
            if seen.contains(&lock) {
                continue;
            }
            seen.push(lock);
            let (old, new) = (self.times_held(before, lock), self.times_held(after, lock));
            same.push(self.terms().eq(old, new));
        }
        self.terms().and_all(&same)
    }

    /// How often a lock is held.
    fn times_held(&mut self, open: &[Open], (address, shared): (Term, bool)) -> Term {
        let terms = self.terms();
        let (mut times, one) = (terms.constant(32, 0), terms.constant(32, 1));
        for open in open.iter().filter(|open| open.shared == shared) {
            let same = terms.eq(open.address.bits, address);
            let here = terms.and(open.held, same);
            let held = terms.add(open.again, one);
            times = terms.ite(here, held, times);
        }
        times
    }

    /// Whether all writes since then are of what was just read in the same step.
    fn writes_nothing(&mut self, since: usize) -> Term {
        let accesses: Vec<Access> = self.graph.accesses[since..].to_vec();
        let mut quiet = vec![self.terms().truth()];
        if self.bounds.broken(Mutant::WritingTurnsAreIdle) {
            return quiet[0];
        }
        for (at, write) in accesses.iter().enumerate().filter(|(_, it)| it.writes) {
            let same_place = |it: &&Access| {
                !it.writes
                    && it.step == write.step
                    && it.space == write.space
                    && it.address == write.address
                    && it.bytes == write.bytes
            };
            let read = accesses[..at].iter().rev().find(same_place);
            let same = match read {
                Some(read) => self.same_value(read.value, write.value),
                None => self.terms().falsity(),
            };
            quiet.push(self.terms().implies(write.guard, same));
        }
        self.terms().and_all(&quiet)
    }
}

/// Whether a choice is an input, and not part of the schedule.
fn is_from_outside(kind: InputKind) -> bool {
    match kind {
        InputKind::Value => true,
        // Every load may be one.
        InputKind::Memory | InputKind::Pick | InputKind::Wakeup => false,
    }
}
