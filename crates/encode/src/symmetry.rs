//! Equal threads in one order (`unravel_events::SymmetryClass`).
//!
//! Of all runs that differ only in who of some interchangeable threads does what, one is enough: the
//! one in which they come to some step in the order of their numbers, those that do not come there
//! last. Where a question means the same for all of them, it is asked of such runs only: `n`
//! factorial times fewer, which is what makes ten equal workers provable.
//!
//! Each pair gets a literal when it is first wanted, so that a question that names some of the
//! threads can leave these out and order the others.

use std::collections::BTreeSet;

use unravel_events::{InputKind, StepId, SymmetryClass, ThreadId};
use unravel_solver::{ClauseSink, Lit, Model};

use crate::Encoding;

impl Encoding {
    /// Literals that, if true, put equal threads in order: for questions that name none of them.
    pub fn sorted(&mut self) -> Vec<Lit> {
        self.sort(&BTreeSet::new(), &BTreeSet::new())
    }

    /// The same for questions about some steps: threads that these belong to, or that are special for
    /// another reason, stay as they are, and so do all of a class if one of these steps creates or
    /// joins one of them.
    pub fn sorted_except(
        &mut self,
        named: &BTreeSet<StepId>,
        special: &BTreeSet<ThreadId>,
    ) -> Vec<Lit> {
        let owners = named.iter().map(|&step| self.graph().step(step).thread);
        let threads = owners.chain(special.iter().copied()).collect();
        self.sort(named, &threads)
    }

    /// Threads that have inputs, or memory of their own that was never written and is not zero in a
    /// run: special if a question is about what the run was given.
    #[must_use]
    pub fn given_something(&self, model: &Model) -> BTreeSet<ThreadId> {
        let graph = self.graph();
        let threads = (0u32..).map(ThreadId).zip(&graph.threads);
        if !graph.undefined_copies.is_empty() {
            return threads.map(|(id, _)| id).collect();
        }
        let inputs = graph.inputs.iter().filter(|it| it.kind != InputKind::Memory);
        let mut given: BTreeSet<ThreadId> = inputs.map(|it| it.thread).collect();
        self.valuation(model).with(|value| {
            let filled = threads.filter(|(_, it)| it.unwritten.iter().any(|&it| value(it) != 0));
            given.extend(filled.map(|(id, _)| id));
        });
        given
    }

    fn sort(&mut self, named: &BTreeSet<StepId>, threads: &BTreeSet<ThreadId>) -> Vec<Lit> {
        let mut lits = Vec::new();
        for class in self.graph().symmetry.clone() {
            if !class.frame.is_disjoint(named) {
                continue;
            }
            let keys = unnamed_keys(&class, threads);
            lits.extend(keys.windows(2).map(|pair| self.comes_first(pair[0], pair[1])));
        }
        lits
    }

    /// A literal that, if true, lets the second step be executed only after the first.
    fn comes_first(&mut self, first: StepId, second: StepId) -> Lit {
        if let Some(&lit) = self.sorted.get(&(first, second)) {
            return lit;
        }
        let order = self.order(first, second);
        let passed = self.encoder.graph.step(second).passed;
        let passed = self.encoder.lit(passed);
        let lit = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!lit, !passed, order]);
        self.sorted.insert((first, second), lit);
        lit
    }
}

fn unnamed_keys(class: &SymmetryClass, named: &BTreeSet<ThreadId>) -> Vec<StepId> {
    let pairs = class.members.iter().zip(&class.keys);
    pairs.filter(|(member, _)| !named.contains(member)).map(|(_, &key)| key).collect()
}
