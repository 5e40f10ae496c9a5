//! Rules P1 and P2: literals that can no longer be true.
//!
//! They follow from the other rules by a conflict each. Saying so at once prevents the conflict.
//!
//! - P1: `r → w` gives `¬rf(w,r)`; likewise the order `b → a` refutes the literal of a conditional edge `a → b`
//! - P2: `w1 → w2 → r` refutes one of `rf(w1,r)` and `live(w2,r)` when the other is true

use super::Theory;
use super::index::{Run, within};
use super::reason::Cause;

impl Theory {
    /// P1, for what fixed edges and the inner order of nodes say. These pairs never appear as news.
    pub(super) fn prevent_statically(&mut self) {
        for source in 0..self.problem.sources.len() as u32 {
            let (read, write) = (self.problem.read_of(source), self.problem.write_of(source));
            if self.precedes(read, write) {
                self.refute_rf(source, Cause::ReadFirst(source));
            }
        }
        for i in 0..self.problem.conditional.len() {
            let edge = self.problem.conditional[i];
            if edge.before == edge.after || self.closure.before(edge.after, edge.before) {
                self.imply(!edge.lit, Cause::Against(i as u32));
            }
        }
    }

    /// P1, for a node that now comes before a run of another chain.
    pub(super) fn prevent_reading_the_future(&mut self, node: u32, run: Run) {
        for i in 0..self.index.reads_in[node as usize].len() {
            let read = self.index.reads_in[node as usize][i] as usize;
            for j in within(&self.index.by_read[read], run) {
                let source = self.index.by_read[read][j].item;
                self.refute_rf(source, Cause::ReadFirst(source));
            }
        }
        for i in within(&self.index.into[node as usize], run) {
            let edge = self.index.into[node as usize][i].item;
            let lit = self.problem.conditional[edge as usize].lit;
            self.imply(!lit, Cause::Against(edge));
        }
    }

    /// P2, for a source that is read: another that lies between cannot be live.
    pub(super) fn prevent_live(&mut self, rf: u32, live: u32) {
        let (first, second) = (self.problem.write_of(rf), self.problem.write_of(live));
        let read = self.problem.read_of(rf);
        if self.propagate && self.precedes(first, second) && self.precedes(second, read) {
            self.imply(!self.problem.source(live).live, Cause::NotLive { rf, live });
        }
    }

    /// P2, for a live source: if it comes before the read, what comes before it cannot be read.
    pub(super) fn prevent_reads_across(&mut self, live: u32) {
        let (between, read) = (self.problem.write_of(live), self.problem.read_of(live));
        if !self.propagate || !self.precedes(between, read) || self.is_overtaken(live) {
            return;
        }
        let source = self.problem.source(live);
        for i in 0..self.index.by_read[source.read as usize].len() {
            let rf = self.index.by_read[source.read as usize][i].item;
            if self.problem.source(rf).write != source.write
                && self.is_open(rf)
                && self.precedes(self.problem.write_of(rf), between)
            {
                self.refute_rf(rf, Cause::NotRead { rf, live });
            }
        }
    }

    /// Whether a later live write of the same chain comes before the read as well. That one refutes all that this one
    /// could refute. News comes for whole chains at once, so this saves nearly all the work.
    fn is_overtaken(&self, live: u32) -> bool {
        let (read, event) = (self.problem.source(live).read, self.problem.read_of(live));
        let write = self.problem.write_of(live);
        let mut later = self.index.later_in_chain(read, live).map_while(|other| {
            let other_write = self.problem.write_of(other);
            // What does not come before the read is followed by nothing that does.
            self.precedes(other_write, event).then_some((other, other_write))
        });
        later.any(|(other, other_write)| {
            self.value(self.problem.source(other).live) == Some(true)
                && self.precedes(write, other_write)
        })
    }

    /// P2, for a write that now comes before a run of another chain: it cannot be read across a live write there.
    pub(super) fn prevent_reads_before(&mut self, write: u32, run: Run) {
        let head = self.closure.chains.members[run.chain as usize][run.first as usize];
        for i in 0..self.index.by_write[write as usize].len() {
            let rf = self.index.by_write[write as usize][i].item;
            let read = self.problem.read_of(rf);
            // What the first node of the run does not reach, the others do not reach either.
            let reached = head == read.node || self.closure.before(head, read.node);
            if reached && self.is_open(rf) {
                self.prevent_read_across(rf, run);
            }
        }
    }

    fn prevent_read_across(&mut self, rf: u32, run: Run) {
        let source = self.problem.source(rf);
        let read = self.problem.read_of(rf);
        let list = &self.index.by_read[source.read as usize];
        let between = list[within(list, run)].iter().map(|entry| entry.item).find(|&live| {
            let other = self.problem.source(live);
            other.write != source.write
                && self.value(other.live) == Some(true)
                && self.precedes(self.problem.write_of(live), read)
        });
        if let Some(live) = between {
            self.refute_rf(rf, Cause::NotRead { rf, live });
        }
    }

    /// Whether a source may still be read, as far as is known.
    fn is_open(&self, source: u32) -> bool {
        self.problem.source(source).rf.is_some_and(|rf| self.value(rf).is_none())
    }

    fn refute_rf(&mut self, source: u32, cause: Cause) {
        if let Some(rf) = self.problem.source(source).rf {
            self.imply(!rf, cause);
        }
    }
}
