//! Rules RF, CO, FR and CYC: what must be added to the order.
//!
//! For a read `r` that takes its value from `w1`, and another live write `w2`:
//!
//! - RF: `w1 → r`
//! - CO: `w2 → r` gives `w2 → w1`, or `w2` would lie between
//! - FR: `w1 → w2` gives `r → w2`, for the same reason
//! - CYC: an edge against the order is a conflict

use super::closure::{Edge, Why};
use super::index::{Run, within};
use super::{Conflict, Theory};
use crate::mutant::Mutant;
use crate::problem::Event;

impl Theory {
    /// Whether one event comes before another: by their nodes, or within their node.
    pub(super) fn precedes(&self, first: Event, second: Event) -> bool {
        match first.node == second.node {
            true => first.position < second.position,
            false => self.closure.before(first.node, second.node),
        }
    }

    /// States that one event comes before another.
    fn order(&mut self, first: Event, second: Event, why: Why) -> Result<(), Conflict> {
        if first.node != second.node {
            return self.link(first.node, second.node, why);
        }
        if first.position < second.position {
            return Ok(());
        }
        Err(Conflict(self.cycle(why, None)))
    }

    /// States that one node comes before another.
    pub(super) fn link(&mut self, before: u32, after: u32, why: Why) -> Result<(), Conflict> {
        if before == after || self.closure.before(after, before) {
            return Err(Conflict(self.cycle(why, Some((after, before)))));
        }
        if !self.closure.before(before, after) {
            self.closure.insert(Edge { before, after, why });
        }
        Ok(())
    }

    /// A read takes its value from this source.
    pub(super) fn begin_read(&mut self, rf: u32) -> Result<(), Conflict> {
        let source = self.problem.source(rf);
        let Some(lit) = source.rf else { return Ok(()) };
        match self.source_of[source.read as usize] {
            None => self.set_source(rf),
            Some(old) if old != rf => {
                // A read takes its value from one write. Usually clauses say so; this makes it certain.
                let old = self.problem.source(old).rf;
                return Err(Conflict(old.into_iter().chain([lit]).map(|lit| !lit).collect()));
            }
            Some(_) => {}
        }
        let (write, read) = (self.problem.write_of(rf), self.problem.read_of(rf));
        self.order(write, read, Why::Literal(lit))?;
        for i in 0..self.index.by_read[source.read as usize].len() {
            let live = self.index.by_read[source.read as usize][i].item;
            if self.problem.source(live).write == source.write {
                continue;
            }
            self.settle(rf, live)?;
        }
        Ok(())
    }

    /// Applies CO and FR to a source that is read and another source of the same read.
    pub(super) fn settle(&mut self, rf: u32, live: u32) -> Result<(), Conflict> {
        let (seen, other) = (self.problem.write_of(rf), self.problem.write_of(live));
        let read = self.problem.read_of(rf);
        match self.value(self.problem.source(live).live) {
            Some(true) => {
                if self.precedes(other, read) && !self.mutation.is(Mutant::NoCo) {
                    self.order(other, seen, Why::Co { rf, live })?;
                }
                if self.precedes(seen, other) && !self.mutation.is(Mutant::NoFr) {
                    self.order(read, other, Why::Fr { rf, live })?;
                }
            }
            None => self.prevent_live(rf, live),
            Some(false) => {}
        }
        Ok(())
    }

    /// The write of this source is executed, at the address of the read.
    pub(super) fn begin_live(&mut self, live: u32) -> Result<(), Conflict> {
        let source = self.problem.source(live);
        match self.source_of[source.read as usize] {
            Some(rf) if self.problem.source(rf).write == source.write => Ok(()),
            Some(rf) => self.settle(rf, live),
            None => {
                self.prevent_reads_across(live);
                Ok(())
            }
        }
    }

    /// A node now comes before a run of another chain.
    pub(super) fn spread(&mut self, node: u32, run: Run) -> Result<(), Conflict> {
        for i in 0..self.index.writes_in[node as usize].len() {
            let write = self.index.writes_in[node as usize][i];
            self.write_before_reads(write, run)?;
            self.write_before_writes(write, run)?;
        }
        if self.propagate {
            self.prevent_reading_the_future(node, run);
        }
        Ok(())
    }

    /// New pairs `w2 → r`.
    fn write_before_reads(&mut self, write: u32, run: Run) -> Result<(), Conflict> {
        for i in within(&self.index.by_write[write as usize], run) {
            let live = self.index.by_write[write as usize][i].item;
            match self.source_of[self.problem.source(live).read as usize] {
                Some(rf) if self.problem.source(rf).write == write => {}
                Some(rf) => self.settle(rf, live)?,
                None => {
                    if self.value(self.problem.source(live).live) == Some(true) {
                        self.prevent_reads_across(live);
                    }
                }
            }
        }
        Ok(())
    }

    /// New pairs `w1 → w2`.
    fn write_before_writes(&mut self, write: u32, run: Run) -> Result<(), Conflict> {
        for i in 0..self.readers[write as usize].len() {
            let rf = self.readers[write as usize][i];
            let read = self.problem.source(rf).read as usize;
            for j in within(&self.index.by_read[read], run) {
                let live = self.index.by_read[read][j].item;
                if self.problem.source(live).write != write {
                    self.settle(rf, live)?;
                }
            }
        }
        if self.propagate {
            self.prevent_reads_before(write, run);
        }
        Ok(())
    }
}
