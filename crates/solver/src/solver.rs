//! The solver: clauses, the ordering problem, and the search.

use crate::backend::{Backend, Verdict};
use crate::cadical::Cadical;
use crate::check::check;
use crate::lit::{ClauseSink, Lit};
use crate::mutant::Mutant;
use crate::options::{Options, Stats};
use crate::problem::{Conditional, Event, NodeId, Problem, ReadId, Source, WriteId};
use crate::theory::{Order, Stuck, Theory};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a search ended with.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// There is a run.
    Sat(Model),
    /// There is none. These assumptions, a subset of those given, are enough to exclude all.
    Unsat(Vec<Lit>),
    /// The caller wanted to stop, or the limit of conflicts was reached.
    Stopped,
    /// The solver contradicts itself; the answer, whatever it was, is not to be trusted.
    Broken(String),
}

/// An assignment, and an order that fits it.
#[derive(Clone, Debug)]
pub struct Model {
    /// Per variable, its value.
    values: Vec<bool>,
    order: Order,
}

impl Model {
    /// The value of a literal. Variables created after the search are false.
    #[must_use]
    pub fn value(&self, lit: Lit) -> bool {
        value_in(&self.values, lit)
    }

    /// The order of the nodes.
    #[must_use]
    pub fn order(&self) -> &Order {
        &self.order
    }
}

fn value_in(values: &[bool], lit: Lit) -> bool {
    values.get(lit.var() as usize).copied().unwrap_or(false) == lit.is_positive()
}

/// A SAT solver that also decides whether the steps of a program can be ordered.
pub struct Solver<B: Backend = Cadical> {
    backend: B,
    theory: Rc<RefCell<Theory>>,
    options: Options,
    truth: Lit,
    vars: u32,
    clauses: u64,
    refinements: u64,
    conflict_limit: Option<u64>,
    /// Per variable, whether the theory observes it.
    observed: Vec<bool>,
    /// Variables up to this one took part in a search, and may have been eliminated if they were not observed.
    searched: u32,
    /// Per variable that was observed too late, a variable that is equal to it.
    twins: BTreeMap<u32, Lit>,
    /// Order literals added for completeness, per pair of nodes.
    order_lits: BTreeMap<(u32, u32), Lit>,
}

impl Solver {
    /// A solver without clauses and nodes, on top of CaDiCaL.
    #[must_use]
    pub fn new(options: Options) -> Solver {
        Solver::on_backend(options)
    }
}

impl<B: Backend> ClauseSink for Solver<B> {
    fn new_lit(&mut self) -> Lit {
        self.vars += 1;
        self.backend.new_var(self.vars);
        Lit::positive(self.vars)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.backend.clause(lits);
    }
}

impl<B: Backend> Solver<B> {
    /// A solver without clauses and nodes, on top of some SAT solver.
    #[must_use]
    pub fn on_backend(options: Options) -> Solver<B> {
        let theory = Rc::new(RefCell::new(Theory::new(&options)));
        let mut solver = Solver {
            backend: B::new(Rc::clone(&theory), &options),
            theory,
            options,
            truth: Lit::positive(1),
            vars: 0,
            clauses: 0,
            refinements: 0,
            conflict_limit: None,
            observed: Vec::new(),
            searched: 0,
            twins: BTreeMap::new(),
            order_lits: BTreeMap::new(),
        };
        solver.truth = solver.new_lit();
        solver.clause(&[solver.truth]);
        solver.watch(solver.truth);
        solver
    }

    /// A literal that is always true.
    #[must_use]
    pub fn truth(&self) -> Lit {
        self.truth
    }

    /// A new step.
    pub fn node(&mut self) -> NodeId {
        self.extend(|problem| {
            problem.nodes += 1;
            NodeId(problem.nodes - 1)
        })
    }

    /// A fixed edge. If fixed edges form a cycle, there is no run.
    pub fn edge(&mut self, before: NodeId, after: NodeId) {
        self.extend(|problem| problem.fixed.push((before.0, after.0)));
    }

    /// An edge that holds if `lit` is true. If `lit` is false, nothing is said.
    pub fn edge_if(&mut self, lit: Lit, before: NodeId, after: NodeId) {
        let edge = Conditional { lit: self.watch(lit), before: before.0, after: after.0 };
        self.extend(|problem| problem.conditional.push(edge));
    }

    /// A write within a node. `position` is its place in the fixed order of the events of the node. Whether it is
    /// executed is told per read, by [`Solver::source`], so its guard is not needed here.
    pub fn write(&mut self, node: NodeId, position: u32, _guard: Lit) -> WriteId {
        self.extend(|problem| {
            problem.writes.push(Event { node: node.0, position });
            WriteId(problem.writes.len() as u32 - 1)
        })
    }

    /// A read within a node. It is executed if and only if one of its `rf` literals is true; the guard only tells the
    /// theory, where that is to decide, which reads need a source.
    pub fn read(&mut self, node: NodeId, position: u32, guard: Lit) -> ReadId {
        let guard = self.options.decide.then(|| self.watch(guard));
        self.extend(|problem| {
            problem.reads.push(Event { node: node.0, position });
            problem.read_guards.push(guard);
            ReadId(problem.reads.len() as u32 - 1)
        })
    }

    /// `write` may supply or overwrite what `read` reads. `rf`: the read takes its value from the write (`None`: it
    /// never does, but the write may come between). `live`: the write is executed and has the address of the read. At
    /// most one `rf` of a read can be true; clauses that say so help, but are not needed.
    pub fn source(&mut self, read: ReadId, write: WriteId, rf: Option<Lit>, live: Lit) {
        let rf = rf.map(|lit| self.watch(lit));
        let source = Source { read: read.0, write: write.0, rf, live: self.watch(live) };
        self.extend(|problem| problem.sources.push(source));
    }

    fn extend<T>(&mut self, change: impl FnOnce(&mut Problem) -> T) -> T {
        change(self.theory.borrow_mut().extend())
    }

    /// Has the theory told about a literal. CaDiCaL cannot observe a variable that it may have eliminated: such a
    /// literal is replaced by a new one that is equal to it.
    fn watch(&mut self, lit: Lit) -> Lit {
        let var = lit.var();
        self.observed.resize(self.observed.len().max(var as usize + 1), false);
        if self.observed[var as usize] {
            return lit;
        }
        if var > self.searched {
            self.observed[var as usize] = true;
            self.backend.observe(var);
            return lit;
        }
        let twin = match self.twins.get(&var) {
            Some(&twin) => twin,
            None => self.new_twin(var),
        };
        if lit.is_positive() { twin } else { !twin }
    }

    fn new_twin(&mut self, var: u32) -> Lit {
        let twin = self.new_lit();
        let twin = self.watch(twin);
        self.clause(&[!twin, Lit::positive(var)]);
        self.clause(&[twin, !Lit::positive(var)]);
        self.twins.insert(var, twin);
        twin
    }

    /// Has each of the following searches give up, as if it had been stopped, after this many conflicts; `None`: no
    /// limit. Unlike `stop`, this does not depend on time. The SAT solver may overrun it by a few conflicts.
    pub fn limit_conflicts(&mut self, limit: Option<u64>) {
        self.conflict_limit = limit;
    }

    /// The limit set by [`Solver::limit_conflicts`].
    #[must_use]
    pub fn conflict_limit(&self) -> Option<u64> {
        self.conflict_limit
    }

    /// Nothing more is asked, and the process ends soon: memory need not be given back piece by piece.
    pub fn abandon(&mut self) {
        self.backend.abandon();
    }

    /// Searches for a run under assumptions. `stop` is asked regularly; if it says yes, the search is given up.
    pub fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Outcome {
        let end = self.conflict_limit.map(|limit| self.backend.conflicts().saturating_add(limit));
        loop {
            if stop() {
                return Outcome::Stopped;
            }
            if let Some(end) = end {
                self.backend.limit_conflicts(end.saturating_sub(self.backend.conflicts()));
            }
            self.searched = self.vars;
            self.theory.borrow_mut().take_answer();
            let verdict = self.backend.solve(assumptions, stop);
            if let Some(failure) = self.theory.borrow().failure() {
                return Outcome::Broken(failure.to_owned());
            }
            match verdict {
                Verdict::Unknown => return Outcome::Stopped,
                Verdict::Unsat => return Outcome::Unsat(self.core(assumptions)),
                Verdict::Sat => {}
            }
            let answer = self.theory.borrow_mut().take_answer();
            match answer {
                Some(Ok(order)) => return self.model(order),
                Some(Err(stuck)) => self.refine(&stuck),
                None => return Outcome::Broken("no order was prepared".to_owned()),
            }
        }
    }

    fn core(&mut self, assumptions: &[Lit]) -> Vec<Lit> {
        let mut core = assumptions.to_vec();
        core.sort_unstable();
        core.dedup();
        core.retain(|&lit| self.backend.failed(lit));
        core
    }

    /// Reads the assignment, and checks it against the order.
    fn model(&mut self, order: Order) -> Outcome {
        let mut values = vec![false; self.vars as usize + 1];
        for var in 1..=self.vars {
            values[var as usize] = self.backend.value(Lit::positive(var));
        }
        let theory = self.theory.borrow();
        let checked = check(&theory.problem, &order.linear, &|lit| value_in(&values, lit));
        match checked {
            Err(message) if !self.options.mutation().is(Mutant::NoCompleteness) => {
                Outcome::Broken(message)
            }
            _ => Outcome::Sat(Model { values, order }),
        }
    }

    /// Adds order literals where the greedy search for a total order got stuck: a live write comes before the write
    /// that is read, or after the read. In each round at least one triple is new, so that the rounds come to an end.
    fn refine(&mut self, stuck: &Stuck) {
        self.refinements += 1;
        for &(rf, live) in &stuck.triples {
            let (seen, other, read, lits) = {
                let theory = self.theory.borrow();
                let problem = &theory.problem;
                let lits = (problem.source(rf).rf, problem.source(live).live);
                let seen = problem.write_of(rf).node;
                (seen, problem.write_of(live).node, problem.read_of(rf).node, lits)
            };
            let first = self.order_lit(other, seen);
            let last = self.order_lit(read, other);
            let mut clause = vec![!lits.1, first, last];
            clause.extend(lits.0.map(|rf| !rf));
            self.clause(&clause);
        }
    }

    fn order_lit(&mut self, before: u32, after: u32) -> Lit {
        if let Some(&lit) = self.order_lits.get(&(before, after)) {
            return lit;
        }
        let lit = self.new_lit();
        self.edge_if(lit, NodeId(before), NodeId(after));
        self.order_lits.insert((before, after), lit);
        lit
    }

    /// Sizes and effort so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let theory = self.theory.borrow();
        Stats {
            variables: u64::from(self.vars),
            clauses: self.clauses,
            nodes: u64::from(theory.problem.nodes),
            sources: theory.problem.sources.len() as u64,
            theory_propagations: theory.propagations,
            theory_conflicts: theory.conflicts,
            solver_conflicts: self.backend.conflicts(),
            refinements: self.refinements,
        }
    }
}
