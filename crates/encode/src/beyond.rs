//! What a thread at a bound could still do.
//!
//! A thread that comes to a bound, or to something that is not modelled, stands there, though the
//! real one goes on. What others do afterwards may come out otherwise then: a violation after that is
//! one of this run, but no proof that a run with the same orders fails.

use std::collections::BTreeMap;

use unravel_events::{FindingKind, Position, StepId, ThreadId};
use unravel_interp::Property;
use unravel_solver::{ClauseSink, Lit};

use crate::{Encoder, Encoding, Mutant, Reached};

/// Per step before a violation, with its thread's, and step of another thread: the literal that says
/// that the other one comes after it, and after all that the violating thread did before. The thread is
/// told since the steps before its first one are its creator's.
type LaterSteps = BTreeMap<(ThreadId, StepId, StepId), Lit>;

/// The same for threads that are cut before a violation. All pairs of steps for all pairs of ends are
/// too many, so each pair of steps is said once.
#[derive(Default)]
pub(crate) struct EarlierSteps {
    /// Per thread, step, other thread and its last step: whether all that is executed up to the step
    /// comes before something that the other thread executes.
    all: BTreeMap<(ThreadId, StepId, ThreadId, Option<StepId>), Lit>,
    /// Per step, other thread and step of it: whether the other thread executes something up to there
    /// that comes after the step.
    some: BTreeMap<(StepId, ThreadId, StepId), Option<Lit>>,
}

impl Encoding {
    /// A literal that, if true, has the failing run end before any other thread comes to a bound, or
    /// to something that is not modelled.
    pub fn certain(&mut self) -> Lit {
        if let Some(lit) = self.certain {
            return lit;
        }
        if self.encoder.broken(Mutant::CoresIgnoreBounds) {
            return self.encoder.solver.truth();
        }
        let certain = self.encoder.solver.new_lit();
        let mut known = LaterSteps::new();
        for (selected, reached) in self.ends_in_violation() {
            let end = self.encoder.reached[reached].clone();
            for cut in self.encoder.cuts_beside(&end) {
                let mut clause = vec![!certain, !selected, !cut.lit];
                clause.extend(self.encoder.steps_after(&end, &cut, &mut known));
                self.encoder.solver.clause(&clause);
            }
        }
        self.certain = Some(certain);
        certain
    }
}

impl Encoder {
    /// Literals, one for each place where another thread may be cut: if true, it stands there before a
    /// violation.
    pub(crate) fn cut_before(&mut self, violation: &Reached, known: &mut EarlierSteps) -> Vec<Lit> {
        let violating = self.last_steps(violation.thread, violation.position);
        let mut ways = Vec::new();
        for cut in self.cuts_beside(violation) {
            let last = self.last_steps(cut.thread, cut.position);
            let way = self.solver.new_lit();
            self.solver.clause(&[!way, cut.lit]);
            if let Some(all) = self.all_before(&last, &violating, [&cut, violation], known) {
                self.solver.clause(&[!way, all]);
            }
            ways.push(way);
        }
        ways
    }

    /// A literal that, if true, has each of some steps, the latest first, that is executed come before
    /// an executed one of others; `None` if there are none of the first.
    fn all_before(
        &mut self,
        first: &[StepId],
        then: &[StepId],
        [one, other]: [&Reached; 2],
        known: &mut EarlierSteps,
    ) -> Option<Lit> {
        let mut earlier: Option<Lit> = None;
        for &step in first.iter().rev() {
            let key = (one.thread, step, other.thread, then.first().copied());
            if let Some(&way) = known.all.get(&key) {
                earlier = Some(way);
                continue;
            }
            let way = self.solver.new_lit();
            let executed = self.executed(step);
            let mut clause = vec![!way, !executed];
            clause.extend(self.some_after(step, then, other.thread, known));
            self.solver.clause(&clause);
            if let Some(earlier) = earlier {
                self.solver.clause(&[!way, earlier]);
            }
            known.all.insert(key, way);
            earlier = Some(way);
        }
        earlier
    }

    /// A literal that, if true, has one of some steps of a thread, the latest first, executed after a
    /// step; `None` if none can be.
    fn some_after(
        &mut self,
        step: StepId,
        then: &[StepId],
        thread: ThreadId,
        known: &mut EarlierSteps,
    ) -> Option<Lit> {
        let mut earlier: Option<Lit> = None;
        for &later in then.iter().rev() {
            let key = (step, thread, later);
            if let Some(&way) = known.some.get(&key) {
                earlier = way;
                continue;
            }
            let there = self.executed(later);
            let ways = [self.before_if(there, step, later), earlier];
            let way = match ways {
                [None, None] => None,
                [Some(only), None] | [None, Some(only)] => Some(only),
                [Some(own), Some(rest)] => {
                    let way = self.solver.new_lit();
                    self.solver.clause(&[!way, own, rest]);
                    Some(way)
                }
            };
            known.some.insert(key, way);
            earlier = way;
        }
        earlier
    }

    /// Where other threads may be cut.
    fn cuts_beside(&self, violation: &Reached) -> Vec<Reached> {
        let is_cut = |it: &&Reached| match it.kind {
            FindingKind::Bound(..) | FindingKind::Unsupported(_) | FindingKind::Primitive(_) => {
                it.thread != violation.thread
            }
            FindingKind::Violation(_) | FindingKind::External(_) => false,
        };
        // Who waits while somebody is cut is in no deadlock.
        if violation.kind == FindingKind::Violation(Property::Deadlock) {
            return Vec::new();
        }
        self.reached.iter().filter(is_cut).cloned().collect()
    }

    /// Literals, one of which is true if a thread that is cut takes a step after a violation.
    fn steps_after(
        &mut self,
        violation: &Reached,
        cut: &Reached,
        known: &mut LaterSteps,
    ) -> Vec<Lit> {
        let violating = self.last_steps(violation.thread, violation.position);
        let later = self.last_steps(cut.thread, cut.position);
        let thread = violation.thread;
        let one = |last| self.step_after((thread, &violating), last, known);
        later.into_iter().map(one).collect()
    }

    /// A literal that, if true, has a step executed after all of some steps, the latest first. What is
    /// known of all but the latest is not said again: with all pairs of steps for all pairs of ends, a
    /// program of two files took four gigabytes.
    fn step_after(
        &mut self,
        (thread, before): (ThreadId, &[StepId]),
        last: StepId,
        known: &mut LaterSteps,
    ) -> Lit {
        let mut earlier: Option<Lit> = None;
        for &step in before.iter().rev() {
            if let Some(&way) = known.get(&(thread, step, last)) {
                earlier = Some(way);
                continue;
            }
            let way = self.solver.new_lit();
            let there = self.executed(step);
            let mut clause = vec![!way, !there];
            clause.extend(self.may_precede(step, last));
            self.solver.clause(&clause);
            let rest = earlier.unwrap_or_else(|| self.executed(last));
            self.solver.clause(&[!way, rest]);
            known.insert((thread, step, last), way);
            earlier = Some(way);
        }
        earlier.unwrap_or_else(|| self.executed(last))
    }

    fn executed(&mut self, step: StepId) -> Lit {
        let guard = self.graph.step(step).guard;
        self.lit(guard)
    }

    /// The steps of a thread that may be its last up to a position, on one path or another; then the
    /// one that creates the thread, if there may be none.
    pub(crate) fn last_steps(&self, thread: ThreadId, position: Position) -> Vec<StepId> {
        let graph = &self.graph;
        let steps = graph.threads[thread.0 as usize].steps.iter().rev().copied();
        let all: Vec<StepId> = steps.filter(|&id| graph.step(id).position <= position).collect();
        // Every path passes a sole step, so none before it is the last.
        match all.iter().position(|&id| graph.step(id).sole) {
            Some(at) => all[..=at].to_vec(),
            None => {
                let creator = graph.threads[thread.0 as usize].created_by;
                all.into_iter().chain(creator).collect()
            }
        }
    }
}
