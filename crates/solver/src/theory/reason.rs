//! From an edge or a pair of the closure back to the literals that it rests on.
//!
//! Reasons form a DAG that points backwards in time. It is expanded only when the SAT solver asks, and each edge and
//! record is visited once; copied lists of literals would grow exponentially.

use super::Theory;
use super::closure::Why;
use crate::lit::Lit;
use crate::mutant::Mutant;

/// Why the theory implied a literal.
#[derive(Copy, Clone, Debug)]
pub(super) enum Cause {
    /// P1 for a read: it comes before the write of this source.
    ReadFirst(u32),
    /// P1 for a conditional edge: the order says the opposite.
    Against(u32),
    /// P2: the write of `live` lies between the write of `rf` and the read. Explains the falsity of `rf`.
    NotRead {
        /// Cannot be read from.
        rf: u32,
        /// Lies between.
        live: u32,
    },
    /// P2, and explains the falsity of `live`.
    NotLive {
        /// Is read from.
        rf: u32,
        /// Would lie between.
        live: u32,
    },
}

/// Marks of one expansion.
#[derive(Clone, Debug, Default)]
pub(super) struct Expansion {
    edges: Vec<u32>,
    records: Vec<u32>,
    stamp: u32,
    work: Vec<u32>,
}

impl Expansion {
    fn begin(&mut self, edges: usize, records: usize) {
        self.stamp += 1;
        self.edges.resize(self.edges.len().max(edges), 0);
        self.records.resize(self.records.len().max(records), 0);
    }

    fn visit_edge(&mut self, edge: u32) -> bool {
        let mark = &mut self.edges[edge as usize];
        std::mem::replace(mark, self.stamp) != self.stamp
    }

    fn visit_record(&mut self, record: u32) {
        let mark = &mut self.records[record as usize];
        if std::mem::replace(mark, self.stamp) != self.stamp {
            self.work.push(record);
        }
    }
}

impl Theory {
    /// The clause by which `lit` was implied, `lit` first; `None` if the theory did not imply it.
    pub fn reason(&mut self, lit: Lit) -> Option<Vec<Lit>> {
        let cause = self.cause_of(lit)?;
        let mut expansion = self.begin_expansion();
        let mut reason = Vec::new();
        self.expand_cause(cause, &mut expansion, &mut reason);
        self.finish(expansion, &mut reason);
        if self.mutation.is(Mutant::P1Reason)
            && matches!(cause, Cause::ReadFirst(_) | Cause::Against(_))
        {
            reason.pop();
        }
        let mut clause = vec![lit];
        clause.extend(reason.into_iter().map(|other| !other));
        Some(clause)
    }

    /// The clause against an edge that closes a cycle: not its own reason, or not the way back from `after` to `before`.
    pub(super) fn cycle(&mut self, why: Why, back: Option<(u32, u32)>) -> Vec<Lit> {
        let mut expansion = self.begin_expansion();
        let mut reason = Vec::new();
        self.expand_why(why, &mut expansion, &mut reason);
        if let Some((after, before)) = back {
            self.expand_pair(after, before, &mut expansion);
        }
        self.finish(expansion, &mut reason);
        reason.into_iter().map(|lit| !lit).collect()
    }

    fn begin_expansion(&mut self) -> Expansion {
        let mut expansion = std::mem::take(&mut self.expansion);
        expansion.begin(self.closure.edges.len(), self.closure.records.len());
        expansion
    }

    /// Works off the records, and leaves the literals sorted and without repetition.
    fn finish(&mut self, mut expansion: Expansion, reason: &mut Vec<Lit>) {
        while let Some(record) = expansion.work.pop() {
            let record = self.closure.records[record as usize];
            let edge = self.closure.edges[record.edge as usize];
            if expansion.visit_edge(record.edge) {
                self.expand_why(edge.why, &mut expansion, reason);
            }
            // To the place where the bound fell; from there the chain itself leads on.
            let members = &self.closure.chains.members[record.chain as usize];
            let reached = members[record.bound as usize];
            self.expand_pair(record.node, edge.before, &mut expansion);
            self.expand_pair(edge.after, reached, &mut expansion);
        }
        self.expansion = expansion;
        reason.sort_unstable();
        reason.dedup();
    }

    fn expand_pair(&self, before: u32, after: u32, expansion: &mut Expansion) {
        if before != after
            && let Some(record) = self.closure.record_of(before, after)
        {
            expansion.visit_record(record);
        }
    }

    fn expand_why(&self, why: Why, expansion: &mut Expansion, reason: &mut Vec<Lit>) {
        let problem = &self.problem;
        match why {
            Why::Literal(lit) => reason.push(lit),
            Why::Co { rf, live } => {
                reason.extend(problem.source(rf).rf);
                if !self.mutation.is(Mutant::CoReason) {
                    reason.push(problem.source(live).live);
                }
                let (write, read) = (problem.write_of(live), problem.read_of(live));
                self.expand_pair(write.node, read.node, expansion);
            }
            Why::Fr { rf, live } => {
                if !self.mutation.is(Mutant::FrReason) {
                    reason.extend(problem.source(rf).rf);
                }
                reason.push(problem.source(live).live);
                let (first, second) = (problem.write_of(rf), problem.write_of(live));
                self.expand_pair(first.node, second.node, expansion);
            }
            // Choices are made after the SAT solver has asked its last question.
            Why::Choice => {}
        }
    }

    fn expand_cause(&self, cause: Cause, expansion: &mut Expansion, reason: &mut Vec<Lit>) {
        let problem = &self.problem;
        match cause {
            Cause::ReadFirst(source) => {
                let (read, write) = (problem.read_of(source), problem.write_of(source));
                self.expand_pair(read.node, write.node, expansion);
            }
            Cause::Against(edge) => {
                let edge = problem.conditional[edge as usize];
                self.expand_pair(edge.after, edge.before, expansion);
            }
            Cause::NotRead { rf, live } | Cause::NotLive { rf, live } => {
                if !self.mutation.is(Mutant::P2Reason) {
                    match cause {
                        Cause::NotRead { .. } => reason.push(problem.source(live).live),
                        _ => reason.extend(problem.source(rf).rf),
                    }
                }
                let (first, second) = (problem.write_of(rf), problem.write_of(live));
                self.expand_pair(first.node, second.node, expansion);
                self.expand_pair(second.node, problem.read_of(live).node, expansion);
            }
        }
    }
}
