//! Condition variables: which signal wakes whom.
//!
//! A wait may end without a signal, so this matters only to threads that are *not* woken: those
//! that stand at the end of the run, and those whose time was over. Each signal goes to one thread
//! that waits at that moment, if there is one, and each wait takes one signal at most; so a thread
//! that got none saw every signal go to somebody else. That may be one whose time is over and that
//! has not returned yet. Cost: a literal per signal and wait, and for
//! each such pair a clause with the ways in which the wait was over by then.

use unravel_events::{CondClash, CondEnd, CondWait, Signal, StepId};
use unravel_kinds::Unmodelled;
use unravel_solver::{ClauseSink, Lit};

use crate::{Encoder, Mutant};

/// Literals per wait.
#[derive(Debug, Default)]
pub(crate) struct Wakeups {
    /// If true, the wait was given a signal or broadcast.
    signaled: Vec<Lit>,
    /// If true, it was given none up to the end of the run.
    forgotten: Vec<Lit>,
    /// If true, it may end without a signal in a complete run.
    excused: Vec<Lit>,
}

/// A signal, with the waits that it may end.
struct Sent {
    signal: Signal,
    picks: Vec<(usize, Lit)>,
}

impl Encoder {
    pub fn encode_conds(&mut self) {
        let waits = self.graph.cond_waits.clone();
        let (broadcasts, signals): (Vec<usize>, Vec<usize>) =
            (0..self.graph.signals.len()).partition(|&at| self.graph.signals[at].all);
        let signals = self.alarm.until(signals);
        let sent: Vec<Sent> = signals.map(|at| self.send(at, &waits)).collect();
        let broadcasts: Vec<Signal> =
            broadcasts.into_iter().map(|at| self.graph.signals[at].clone()).collect();
        for (index, wait) in self.alarm.until(waits.iter().enumerate()) {
            self.wakeup(index, wait, &sent, &broadcasts);
        }
        for at in 0..sent.len() {
            for (index, wait) in self.alarm.until(waits.iter().enumerate()) {
                self.given(at, &sent, index, wait, &broadcasts);
            }
        }
        for end in self.alarm.until(self.graph.cond_ends.clone()) {
            self.encode_cond_end(&end, &waits, &sent, &broadcasts);
        }
        for clash in self.graph.cond_clashes.clone() {
            self.encode_clash(&clash, &waits, &sent, &broadcasts);
        }
        self.made_anew(&waits);
    }

    /// Whether somebody waits with another mutex where a wait begins.
    fn encode_clash(
        &mut self,
        it: &CondClash,
        waits: &[CondWait],
        sent: &[Sent],
        broadcasts: &[Signal],
    ) {
        let clash = self.graph.terms.and(it.guard, it.clash);
        let clash = self.lit(clash);
        let executed = self.lit(it.guard);
        let mut somebody = vec![!clash];
        for (index, wait) in waits.iter().enumerate().filter(|(_, wait)| wait.begin != it.step) {
            let same = self.same_address(it.address, wait.address);
            let terms = &mut self.graph.terms;
            let other = terms.ne(it.mutex.bits, wait.mutex.bits);
            let both = terms.and_all(&[it.guard, wait.begun, same, other]);
            if terms.is_false(both) || self.must.precedes(it.step, wait.begin) {
                continue;
            }
            let there = self.lit(both);
            let mut gone = vec![!executed, clash, !there];
            gone.extend(self.may_precede(it.step, wait.begin));
            gone.extend(self.over_by(it.step, index, wait, sent, broadcasts));
            self.solver.clause(&gone);
            somebody.extend(self.waits_at(it.step, index, wait, there, sent, broadcasts));
        }
        self.solver.clause(&somebody);
    }

    /// A condition variable that is initialized forgets who waits there, which is not followed.
    fn made_anew(&mut self, waits: &[CondWait]) {
        for init in self.graph.lifetimes.clone().into_iter().filter(|it| !it.ends) {
            for wait in self.alarm.until(waits) {
                if self.must.precedes(init.step, wait.begin) {
                    continue;
                }
                let same = self.same_address(init.address, wait.address);
                let both = self.graph.terms.and_all(&[same, init.done, wait.begun]);
                if !self.graph.terms.is_false(both) {
                    let what = Unmodelled::ConditionInitInUse;
                    self.remark(both, init.step, what);
                }
            }
        }
    }

    pub(crate) fn signaled(&self, wait: usize) -> Lit {
        self.wakeups.signaled[wait]
    }

    pub(crate) fn excused(&self, wait: usize) -> Lit {
        self.wakeups.excused[wait]
    }

    pub(crate) fn forgotten(&self, wait: usize) -> Lit {
        self.wakeups.forgotten[wait]
    }

    /// A literal that says that a signal or broadcast is sent to the condition variable of a wait
    /// that has begun, in some order. `None` if it cannot be.
    fn meets(&mut self, signal: &Signal, wait: &CondWait) -> Option<Lit> {
        let same = self.same_address(signal.address, wait.address);
        let both = self.graph.terms.and_all(&[signal.guard, wait.begun, same]);
        (!self.graph.terms.is_false(both)).then(|| self.lit(both))
    }

    /// The waits that a signal may end.
    fn send(&mut self, at: usize, waits: &[CondWait]) -> Sent {
        let signal = self.graph.signals[at].clone();
        let mut picks = Vec::new();
        for (index, wait) in self.alarm.until(waits.iter().enumerate()) {
            let early = self.must.precedes(signal.step, wait.begin);
            let late = self.must.precedes(wait.wake, signal.step);
            let Some(meets) = self.meets(&signal, wait).filter(|_| !early && !late) else {
                continue;
            };
            let term = self.graph.terms.var(1);
            self.graph.signals[at].picks.push((index, term));
            let pick = self.lit(term);
            picks.push((index, pick));
            self.solver.clause(&[!pick, meets]);
            self.order_lit(pick, wait.begin, signal.step);
            let woken = self.lit(wait.woken);
            self.implies_order(&[pick, woken], signal.step, wait.wake);
        }
        let lits: Vec<Lit> = picks.iter().map(|&(_, pick)| pick).collect();
        self.at_most_one(&lits);
        Sent { signal, picks }
    }

    /// If all premises hold, one step comes before another.
    fn implies_order(&mut self, premises: &[Lit], before: StepId, after: StepId) {
        let mut clause: Vec<Lit> = premises.iter().map(|&lit| !lit).collect();
        clause.extend(self.may_precede(before, after));
        self.solver.clause(&clause);
    }

    /// What may wake a wait, and that nothing did.
    fn wakeup(&mut self, index: usize, wait: &CondWait, sent: &[Sent], broadcasts: &[Signal]) {
        let picks: Vec<(StepId, Lit)> = sent
            .iter()
            .flat_map(|sent| sent.picks.iter().map(|&(to, pick)| (sent.signal.step, to, pick)))
            .filter(|&(_, to, _)| to == index)
            .map(|(step, _, pick)| (step, pick))
            .collect();
        let lits: Vec<Lit> = picks.iter().map(|&(_, pick)| pick).collect();
        self.at_most_one(&lits);
        let (signaled, forgotten) = (self.solver.new_lit(), self.solver.new_lit());
        let mut reasons = vec![!signaled];
        reasons.extend(&lits);
        for &pick in &lits {
            self.solver.clause(&[!forgotten, !pick]);
        }
        for broadcast in self.alarm.until(broadcasts) {
            let Some(meets) = self.meets(broadcast, wait) else { continue };
            reasons.extend(self.reaches(broadcast, wait, meets));
            self.implies_order(&[forgotten, meets], broadcast.step, wait.begin);
            self.not_before_broadcast(wait, &picks, broadcast, meets);
        }
        self.solver.clause(&reasons);
        if let Some((step, gives_up)) = wait.timeout {
            let gives_up = self.lit(gives_up);
            self.without_signal(gives_up, step, wait, &picks, broadcasts);
        }
        let claimed = self.lit(wait.signaled);
        self.solver.clause(&[!claimed, signaled]);
        if self.broken(Mutant::NoSpuriousWakeups) {
            let woken = self.lit(wait.woken);
            self.solver.clause(&[!woken, signaled]);
        }
        self.wakeups.signaled.push(signaled);
        self.wakeups.forgotten.push(forgotten);
        let excused = self.solver.new_lit();
        self.wakeups.excused.push(excused);
    }

    /// A literal that, if true, has a broadcast reach a wait.
    fn reaches(&mut self, broadcast: &Signal, wait: &CondWait, meets: Lit) -> Option<Lit> {
        let after = self.may_precede(wait.begin, broadcast.step)?;
        let reaches = self.solver.new_lit();
        self.solver.clause(&[!reaches, meets]);
        self.solver.clause(&[!reaches, after]);
        let woken = self.lit(wait.woken);
        self.implies_order(&[reaches, woken], broadcast.step, wait.wake);
        if let Some((step, gives_up)) = wait.timeout {
            let gives_up = self.lit(gives_up);
            self.implies_order(&[reaches, gives_up], broadcast.step, step);
        }
        Some(reaches)
    }

    /// A signal does not go to a wait that a broadcast has ended.
    fn not_before_broadcast(
        &mut self,
        wait: &CondWait,
        picks: &[(StepId, Lit)],
        broadcast: &Signal,
        meets: Lit,
    ) {
        for &(step, pick) in picks {
            let mut clause = vec![!pick, !meets];
            clause.extend(self.may_precede(broadcast.step, wait.begin));
            clause.extend(self.may_precede(step, broadcast.step));
            self.solver.clause(&clause);
        }
    }

    /// A thread that gives up in a step was not signaled before it.
    fn without_signal(
        &mut self,
        gives_up: Lit,
        step: StepId,
        wait: &CondWait,
        picks: &[(StepId, Lit)],
        broadcasts: &[Signal],
    ) {
        for &(signal, pick) in picks {
            self.implies_order(&[gives_up, pick], step, signal);
        }
        for broadcast in self.alarm.until(broadcasts) {
            let Some(meets) = self.meets(broadcast, wait) else { continue };
            let mut clause = vec![!gives_up, !meets];
            clause.extend(self.may_precede(broadcast.step, wait.begin));
            clause.extend(self.may_precede(step, broadcast.step));
            self.solver.clause(&clause);
        }
    }

    /// A signal goes to a wait, or to another, or the wait has not begun or is over by then.
    fn given(
        &mut self,
        at: usize,
        sent: &[Sent],
        index: usize,
        wait: &CondWait,
        broadcasts: &[Signal],
    ) {
        let Sent { signal, picks } = &sent[at];
        let Some(meets) = self.meets(signal, wait) else { return };
        if self.must.precedes(signal.step, wait.begin) {
            return;
        }
        let mut ways = vec![!meets];
        let to_any = !self.broken(Mutant::NoSignalConsumption);
        let given = picks.iter().filter(|(to, _)| to_any || *to == index);
        ways.extend(given.map(|&(_, pick)| pick));
        ways.extend(self.may_precede(signal.step, wait.begin));
        ways.extend(self.over_by(signal.step, index, wait, sent, broadcasts));
        self.solver.clause(&ways);
    }

    /// Literals each of which, if true, has a wait be over before a step.
    fn over_by(
        &mut self,
        step: StepId,
        index: usize,
        wait: &CondWait,
        sent: &[Sent],
        broadcasts: &[Signal],
    ) -> Vec<Lit> {
        let mut ways = Vec::new();
        ways.extend(self.done_before(wait.woken, wait.wake, step));
        if let Some((timeout, gives_up)) = wait.timeout {
            ways.extend(self.done_before(gives_up, timeout, step));
        }
        for other in self.alarm.until(sent) {
            if let Some(&(_, pick)) = other.picks.iter().find(|(to, _)| *to == index) {
                ways.extend(self.before_if(pick, other.signal.step, step));
            }
        }
        for broadcast in self.alarm.until(broadcasts) {
            let Some(meets) = self.meets(broadcast, wait) else { continue };
            let Some(reaches) = self.reaches(broadcast, wait, meets) else { continue };
            ways.extend(self.before_if(reaches, broadcast.step, step));
        }
        ways
    }

    /// A literal that, if true, has a step executed, before another.
    fn done_before(
        &mut self,
        done: unravel_term::Term,
        step: StepId,
        other: StepId,
    ) -> Option<Lit> {
        let done = self.lit(done);
        self.before_if(done, step, other)
    }

    /// A literal that, if true, has a condition hold, and one step come before another.
    pub(crate) fn before_if(&mut self, condition: Lit, step: StepId, other: StepId) -> Option<Lit> {
        let order = self.may_precede(step, other)?;
        if order == self.solver.truth() {
            return Some(condition);
        }
        let both = self.solver.new_lit();
        self.solver.clause(&[!both, condition]);
        self.solver.clause(&[!both, order]);
        Some(both)
    }

    // ----- Destruction -----

    /// A condition variable is destroyed when nobody is there any more, or somebody waits who was
    /// not woken, which is a misuse.
    fn encode_cond_end(
        &mut self,
        end: &CondEnd,
        waits: &[CondWait],
        sent: &[Sent],
        broadcasts: &[Signal],
    ) {
        let in_use = self.graph.terms.and(end.done, end.in_use);
        let in_use = self.lit(in_use);
        let done = self.lit(end.done);
        let mut somebody = vec![!in_use];
        for (index, wait) in self.alarm.until(waits.iter().enumerate()) {
            let same = self.same_address(end.address, wait.address);
            let both = self.graph.terms.and(wait.begun, same);
            if self.graph.terms.is_false(both) {
                continue;
            }
            let there = self.lit(both);
            let mut clause = vec![!done, in_use, !there];
            clause.extend(self.may_precede(end.step, wait.begin));
            clause.extend(self.done_before(wait.woken, wait.wake, end.step));
            if let Some((step, gives_up)) = wait.timeout {
                clause.extend(self.done_before(gives_up, step, end.step));
            }
            self.solver.clause(&clause);
            somebody.extend(self.waits_at(end.step, index, wait, there, sent, broadcasts));
        }
        self.solver.clause(&somebody);
    }

    /// A literal that, if true, has a thread wait without a signal at a step, such as the destruction
    /// of the condition variable.
    fn waits_at(
        &mut self,
        at: StepId,
        index: usize,
        wait: &CondWait,
        there: Lit,
        sent: &[Sent],
        broadcasts: &[Signal],
    ) -> Option<Lit> {
        let begun = self.may_precede(wait.begin, at)?;
        let waits = self.solver.new_lit();
        self.solver.clause(&[!waits, there]);
        self.solver.clause(&[!waits, begun]);
        let woken = self.lit(wait.woken);
        self.implies_order(&[waits, woken], at, wait.wake);
        if let Some((step, gives_up)) = wait.timeout {
            let gives_up = self.lit(gives_up);
            self.implies_order(&[waits, gives_up], at, step);
        }
        for sent in self.alarm.until(sent) {
            if let Some(&(_, pick)) = sent.picks.iter().find(|(to, _)| *to == index) {
                self.implies_order(&[waits, pick], at, sent.signal.step);
            }
        }
        for broadcast in self.alarm.until(broadcasts) {
            let Some(meets) = self.meets(broadcast, wait) else { continue };
            let mut clause = vec![!waits, !meets];
            clause.extend(self.may_precede(broadcast.step, wait.begin));
            clause.extend(self.may_precede(at, broadcast.step));
            self.solver.clause(&clause);
        }
        Some(waits)
    }

    /// A literal that, if true, has a thread stand at a condition variable at the end of the run
    /// that was woken. `None` if there is none.
    pub(crate) fn leaving(&mut self, address: unravel_events::Value) -> Option<Lit> {
        let mut some = Vec::new();
        let waits = self.graph.cond_waits.clone().into_iter().enumerate();
        for (index, wait) in self.alarm.until(waits) {
            let same = self.same_address(address, wait.address);
            let terms = &mut self.graph.terms;
            let stays = terms.not(wait.woken);
            let gives_up = wait.timeout.map_or(terms.falsity(), |(_, gives_up)| gives_up);
            let patient = terms.not(gives_up);
            let there = terms.and_all(&[same, wait.begun, stays, patient]);
            if self.graph.terms.is_false(there) {
                continue;
            }
            let there = self.lit(there);
            let lit = self.solver.new_lit();
            self.solver.clause(&[!lit, there]);
            self.solver.clause(&[!lit, self.signaled(index)]);
            some.push(lit);
        }
        if some.is_empty() {
            return None;
        }
        let any = self.solver.new_lit();
        let mut clause = vec![!any];
        clause.extend(some);
        self.solver.clause(&clause);
        Some(any)
    }
}
