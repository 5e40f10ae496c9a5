//! The ordering theory of sequential consistency, independent of the SAT solver that uses it.
//!
//! The SAT solver tells the theory which literals are true ([`Theory::assign`]) and when it opens or leaves decision
//! levels; the theory keeps the order of the nodes that follows (`closure.rs`), and answers with a conflict, with
//! implied literals, or with nothing. Reasons are worked out only when asked for (`reason.rs`).
//!
//! The order that follows from the rules need not decide everything: writes to one address may be left unordered, and
//! not every way to order them is consistent. [`Theory::linearize`] therefore looks for a total order greedily. Where
//! that gets stuck it says which triples (read, write it sees, other live write) are in the way, the caller adds order
//! literals for them, and the search goes on. An answer always comes with a total order.

mod chains;
mod closure;
mod index;
mod linear;
mod prevent;
mod reason;
mod rules;
#[cfg(test)]
mod tests;

pub use linear::{Order, Stuck};

use crate::lit::Lit;
use crate::mutant::Mutation;
use crate::options::Options;
use crate::problem::Problem;
use chains::Chains;
use closure::{Closure, Why};
use index::{Index, Meaning, Run};
use reason::{Cause, Expansion};

/// A clause that is false under the assignment.
struct Conflict(Vec<Lit>);

/// How long the stacks were when a decision level began.
#[derive(Copy, Clone, Debug)]
struct Mark {
    trail: usize,
    trail_done: usize,
    edges: usize,
    records: usize,
    records_done: usize,
    reads: usize,
    implied: usize,
    implied_sent: usize,
    next_read: usize,
}

/// The theory: the problem, the assignment, and the order that follows.
#[derive(Debug, Default)]
pub struct Theory {
    pub(crate) problem: Problem,
    propagate: bool,
    mutation: Mutation,
    /// The problem has grown since the index was built.
    stale: bool,
    index: Index,
    closure: Closure,
    /// Per variable, its value.
    values: Vec<Option<bool>>,
    trail: Vec<Lit>,
    trail_done: usize,
    records_done: usize,
    /// Per read, the source it takes its value from.
    source_of: Vec<Option<u32>>,
    /// Per write, the sources by which it is read, oldest first.
    readers: Vec<Vec<u32>>,
    /// The sources that are read, oldest first.
    reads: Vec<u32>,
    implied: Vec<(Lit, Cause)>,
    implied_sent: usize,
    /// Per literal, its place in `implied` plus one.
    implied_at: Vec<u32>,
    /// Reads, in the order in which their sources are to be decided, and how many are settled.
    decisions: Vec<u32>,
    next_read: usize,
    levels: Vec<Mark>,
    conflict: Option<Vec<Lit>>,
    expansion: Expansion,
    answer: Option<Result<Order, Stuck>>,
    /// Literals implied so far.
    pub(crate) propagations: u64,
    /// Cycles found so far.
    pub(crate) conflicts: u64,
    failure: Option<String>,
}

impl Theory {
    /// A theory without nodes.
    #[must_use]
    pub fn new(options: &Options) -> Theory {
        Theory {
            propagate: options.propagate,
            mutation: options.mutation(),
            stale: true,
            ..Theory::default()
        }
    }

    /// The problem, to be extended. What is derived from it is built anew at the next propagation on level 0.
    pub(crate) fn extend(&mut self) -> &mut Problem {
        self.stale = true;
        &mut self.problem
    }

    /// The value of a literal, as far as the SAT solver has told.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        let value = self.values.get(lit.var() as usize).copied().flatten();
        value.map(|value| value == lit.is_positive())
    }

    /// The SAT solver has made this literal true. It may say so repeatedly.
    pub fn assign(&mut self, lit: Lit) {
        let var = lit.var() as usize;
        if var >= self.values.len() {
            self.values.resize(var + 1, None);
        }
        match self.values[var] {
            None => {
                self.values[var] = Some(lit.is_positive());
                self.trail.push(lit);
            }
            Some(value) if value != lit.is_positive() => {
                self.fail(format!("literal {lit:?} was assigned both ways"));
            }
            Some(_) => {}
        }
    }

    /// How many decision levels are open.
    #[must_use]
    pub fn level(&self) -> usize {
        self.levels.len()
    }

    /// The SAT solver opens a decision level.
    pub fn push_level(&mut self) {
        self.levels.push(Mark {
            trail: self.trail.len(),
            trail_done: self.trail_done,
            edges: self.closure.edges.len(),
            records: self.closure.records.len(),
            records_done: self.records_done,
            reads: self.reads.len(),
            implied: self.implied.len(),
            implied_sent: self.implied_sent,
            next_read: self.next_read,
        });
    }

    /// The SAT solver goes back to this level. How far the stacks had been worked off goes back as well: what follows
    /// from an older literal may have been worked out, and is now undone, on a newer level.
    pub fn backtrack(&mut self, level: usize) {
        let Some(&mark) = self.levels.get(level) else { return };
        self.levels.truncate(level);
        self.conflict = None;
        for lit in self.trail.drain(mark.trail..) {
            self.values[lit.var() as usize] = None;
        }
        for rf in self.reads.drain(mark.reads..).rev() {
            let source = self.problem.source(rf);
            self.source_of[source.read as usize] = None;
            self.readers[source.write as usize].pop();
        }
        for (lit, _) in self.implied.drain(mark.implied..) {
            self.implied_at[lit.index()] = 0;
        }
        self.closure.undo(mark.edges, mark.records);
        self.trail_done = mark.trail_done;
        self.records_done = mark.records_done;
        self.implied_sent = mark.implied_sent;
        self.next_read = mark.next_read;
    }

    /// Applies the rules to all that is new.
    pub fn propagate(&mut self) {
        if self.stale && !self.rebuild() {
            return;
        }
        if self.conflict.is_none()
            && let Err(Conflict(clause)) = self.saturate()
        {
            self.conflicts += 1;
            self.conflict = Some(clause);
        }
    }

    /// Literals first, then what they changed in the order. A step that ends in a conflict is not counted as done, so
    /// that it is taken again if the SAT solver does not leave the level.
    fn saturate(&mut self) -> Result<(), Conflict> {
        loop {
            if let Some(&lit) = self.trail.get(self.trail_done) {
                for at in self.index.meanings(lit) {
                    self.apply(lit, self.index.meaning(at))?;
                }
                self.trail_done += 1;
            } else if let Some(&record) = self.closure.records.get(self.records_done) {
                let end = self.closure.replaced(record).min(self.chain_end(record.chain));
                let run = Run { chain: record.chain, first: record.bound, end };
                self.spread(record.node, run)?;
                self.records_done += 1;
            } else {
                return Ok(());
            }
        }
    }

    fn chain_end(&self, chain: u32) -> u32 {
        self.closure.chains.members[chain as usize].len() as u32
    }

    fn apply(&mut self, lit: Lit, meaning: Meaning) -> Result<(), Conflict> {
        match meaning {
            Meaning::Edge(edge) => {
                let edge = self.problem.conditional[edge as usize];
                self.link(edge.before, edge.after, Why::Literal(lit))
            }
            Meaning::Rf(source) => self.begin_read(source),
            Meaning::Live(source) => self.begin_live(source),
        }
    }

    fn set_source(&mut self, rf: u32) {
        let source = self.problem.source(rf);
        self.source_of[source.read as usize] = Some(rf);
        self.readers[source.write as usize].push(rf);
        self.reads.push(rf);
    }

    /// Builds all that is derived from the problem. The literals of level 0 stay; what follows from them is derived
    /// anew. False if that is not possible.
    fn rebuild(&mut self) -> bool {
        if !self.levels.is_empty() {
            self.fail("the problem grew during the search".to_owned());
            return false;
        }
        let Some(chains) = Chains::new(self.problem.nodes, &self.problem.fixed) else {
            // No order at all satisfies the fixed edges.
            self.conflict = Some(Vec::new());
            return false;
        };
        self.index = Index::new(&self.problem, &chains);
        self.closure = Closure::new(chains);
        self.source_of = vec![None; self.problem.reads.len()];
        self.readers = vec![Vec::new(); self.problem.writes.len()];
        self.reads.clear();
        self.implied.clear();
        self.implied_at.clear();
        (self.trail_done, self.records_done) = (0, 0);
        (self.implied_sent, self.next_read) = (0, 0);
        self.conflict = None;
        self.rank_decisions();
        self.stale = false;
        if self.propagate {
            self.prevent_statically();
        }
        true
    }

    /// Notes that a literal follows, unless that is known. A literal that is false already is left to the other rules:
    /// they find the conflict.
    fn imply(&mut self, lit: Lit, cause: Cause) {
        if self.value(lit).is_some() {
            return;
        }
        if lit.index() >= self.implied_at.len() {
            self.implied_at.resize(lit.index() + 1, 0);
        }
        let at = &mut self.implied_at[lit.index()];
        if *at == 0 {
            self.implied.push((lit, cause));
            *at = self.implied.len() as u32;
            self.propagations += 1;
        }
    }

    fn cause_of(&self, lit: Lit) -> Option<Cause> {
        let at = self.implied_at.get(lit.index()).copied().filter(|&at| at > 0)?;
        self.implied.get(at as usize - 1).map(|&(_, cause)| cause)
    }

    /// The next implied literal that the SAT solver has not been told.
    pub fn next_implied(&mut self) -> Option<Lit> {
        while let Some(&(lit, _)) = self.implied.get(self.implied_sent) {
            self.implied_sent += 1;
            if self.value(lit) != Some(true) {
                return Some(lit);
            }
        }
        None
    }

    /// Whether a conflict waits to be taken.
    #[must_use]
    pub fn has_conflict(&self) -> bool {
        self.conflict.is_some()
    }

    /// The clause that is violated, if one is.
    pub fn take_conflict(&mut self) -> Option<Vec<Lit>> {
        self.conflict.take()
    }

    /// Reads with few sources first: a wrong choice shows early.
    fn rank_decisions(&mut self) {
        self.decisions = (0..self.problem.reads.len() as u32).collect();
        let by_read = &self.index.by_read;
        self.decisions.sort_by_key(|&read| by_read[read as usize].len());
    }

    /// A literal to decide: an open `rf` of a read that is executed.
    pub fn decide(&mut self) -> Option<Lit> {
        while let Some(&read) = self.decisions.get(self.next_read) {
            if self.source_of[read as usize].is_none() {
                // A read whose guard is open may still be executed: go on, but look again later.
                let guard = self.problem.read_guards[read as usize]?;
                match self.value(guard) {
                    Some(true) => {
                        if let Some(lit) = self.open_source(read) {
                            return Some(lit);
                        }
                    }
                    Some(false) => {}
                    None => return None,
                }
            }
            self.next_read += 1;
        }
        None
    }

    /// Writes of other threads first: what is interesting comes from there.
    fn open_source(&self, read: u32) -> Option<Lit> {
        let chain_of = |node: u32| self.closure.chains.chain[node as usize];
        let own = chain_of(self.problem.reads[read as usize].node);
        let open = self.index.by_read[read as usize].iter().filter_map(|entry| {
            let lit = self.problem.source(entry.item).rf?;
            let local = chain_of(self.problem.write_of(entry.item).node) == own;
            self.value(lit).is_none().then_some((local, lit))
        });
        open.min_by_key(|&(local, _)| local).map(|(_, lit)| lit)
    }

    /// Notes an internal error; the answer will be that, and nothing else.
    pub fn fail(&mut self, message: String) {
        self.failure.get_or_insert(message);
    }

    /// The internal error, if one occurred.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }
}
