//! Joins: the joined thread has ended, its end comes first, its result is handed over.

use unravel_events::{Join, StepId, ThreadId, Value, handle};
use unravel_kinds::Unmodelled;
use unravel_solver::ClauseSink;
use unravel_term::Term;

use crate::Encoder;

impl Encoder {
    pub fn encode_joins(&mut self) {
        let joins = self.graph.joins.clone();
        let mut matches: Vec<(usize, ThreadId, Term)> = Vec::new();
        for (index, join) in self.alarm.until(joins.iter().enumerate()) {
            let found = self.encode_join(join);
            matches.extend(found.into_iter().map(|(thread, same)| (index, thread, same)));
        }
        self.join_twice(&joins, &matches);
    }

    /// Gives the threads that it may join, each with its condition.
    fn encode_join(&mut self, join: &Join) -> Vec<(ThreadId, Term)> {
        let step = self.graph.step(join.step).clone();
        let mut found = Vec::new();
        let mut any = Vec::new();
        let mut itself = self.graph.terms.falsity();
        let count = u32::try_from(self.graph.threads.len()).unwrap_or(u32::MAX);
        for id in self.alarm.until((0..count).map(ThreadId)) {
            let width = self.graph.terms.width(join.handle);
            let number = self.graph.terms.constant(width, handle(id));
            let mut same = self.graph.terms.eq(join.handle, number);
            let exists = self.graph.threads[id.0 as usize].guard;
            same = self.graph.terms.and(same, exists);
            if self.graph.terms.is_false(same) {
                continue;
            }
            if id == step.thread {
                itself = same;
                continue;
            }
            any.push(same);
            self.joins_thread(join, id, same);
            found.push((id, same));
        }
        let any = self.graph.terms.or_all(&any);
        let (guard, valid) = (self.lit(join.guard), self.lit(any));
        self.solver.clause(&[!guard, valid]);
        let known = self.graph.terms.or(any, itself);
        let none = self.graph.terms.not(known);
        self.wrong_join(join.step, none, Unmodelled::JoinOfNoThread);
        self.wrong_join(join.step, itself, Unmodelled::JoinOfSelf);
        found
    }

    /// A join that is undefined under a condition. `what`: what it is where misuse is not checked.
    fn wrong_join(&mut self, step: StepId, condition: Term, what: Unmodelled) {
        let guard = self.graph.step(step).guard;
        let wrong = self.graph.terms.and(guard, condition);
        if self.graph.terms.is_false(wrong) {
            return;
        }
        let (kind, wrong) = (self.misuse(what), self.lit(wrong));
        self.reach_at(kind, wrong, step);
    }

    fn joins_thread(&mut self, join: &Join, id: ThreadId, same: Term) {
        let both = self.graph.terms.and(join.guard, same);
        let joined = self.lit(both);
        let thread = self.graph.threads[id.0 as usize].clone();
        let ended = self.lit(thread.ended);
        self.solver.clause(&[!joined, ended]);
        if let Some(&end) = thread.steps.last() {
            self.order_lit(joined, end, join.step);
            self.handovers.push((end, join.step, joined));
        }
        let width = self.graph.terms.width(join.result.bits);
        let bits = self.graph.terms.resize_zext(thread.result.bits, width);
        self.equate(joined, join.result, Value { bits, ..thread.result });
    }

    /// Joining or detaching a thread that was joined or detached before, or created so.
    fn join_twice(&mut self, joins: &[Join], matches: &[(usize, ThreadId, Term)]) {
        let mut uses: Vec<(StepId, ThreadId, Term)> =
            matches.iter().map(|&(at, thread, same)| (joins[at].step, thread, same)).collect();
        for (joined, step) in self.graph.detached.clone() {
            uses.extend(self.detached_threads(joined, step));
        }
        for &(step, thread, same) in &uses {
            if self.graph.threads[thread.0 as usize].detached {
                let guard = self.graph.terms.and(self.graph.step(step).guard, same);
                let wrong = self.lit(guard);
                let kind = self.misuse(Unmodelled::JoinOfDetached);
                self.reach_at(kind, wrong, step);
            }
        }
        for (at, &first) in uses.iter().enumerate() {
            for &second in self.alarm.until(&uses[at + 1..]) {
                if first.0 != second.0 && first.1 == second.1 {
                    self.used_twice(first, second);
                    self.used_twice(second, first);
                }
            }
        }
    }

    /// The threads that a handle may be, each with its condition.
    fn detached_threads(&mut self, joined: Term, step: StepId) -> Vec<(StepId, ThreadId, Term)> {
        let (mut uses, mut known) = (Vec::new(), Vec::new());
        for id in (0..self.graph.threads.len()).filter_map(|it| u32::try_from(it).ok()) {
            let width = self.graph.terms.width(joined);
            let number = self.graph.terms.constant(width, handle(ThreadId(id)));
            let exists = self.graph.threads[id as usize].guard;
            let same = self.graph.terms.eq(joined, number);
            let same = self.graph.terms.and(same, exists);
            known.push(same);
            if !self.graph.terms.is_false(same) {
                uses.push((step, ThreadId(id), same));
            }
        }
        let known = self.graph.terms.or_all(&known);
        let unknown = self.graph.terms.not(known);
        let guard = self.graph.terms.and(self.graph.step(step).guard, unknown);
        self.remark(guard, step, Unmodelled::DetachOfNoThread);
        uses
    }

    /// A second join or detach of a thread after the first.
    fn used_twice(
        &mut self,
        (a, _, same_a): (StepId, ThreadId, Term),
        (b, _, same_b): (StepId, ThreadId, Term),
    ) {
        let parts = [self.graph.step(a).passed, self.graph.step(b).guard, same_a, same_b];
        let both = self.graph.terms.and_all(&parts);
        if self.graph.terms.is_false(both) {
            return;
        }
        let both = self.lit(both);
        let Some(twice) = self.before_if(both, a, b) else { return };
        let kind = self.misuse(Unmodelled::JoinedTwice);
        self.reach_at(kind, twice, b);
        self.twice.push(both);
    }
}
