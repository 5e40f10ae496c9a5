//! A question, as a list of calls: it can be put to any solver, and solved several times on the way.

use unravel_solver::{Backend, ClauseSink, Lit, Model, NodeId, Outcome, ReadId, Solver, WriteId};

/// One call. Literals are numbered as in DIMACS; variable 1 is always true.
#[derive(Clone, Debug)]
pub enum Call {
    Var,
    Clause(Vec<i32>),
    Node,
    Edge(u32, u32),
    EdgeIf(i32, u32, u32),
    /// Node, position, guard.
    Write(u32, u32, i32),
    /// Node, position, guard.
    Read(u32, u32, i32),
    /// Read, write, rf, live.
    Source(u32, u32, Option<i32>, i32),
    /// Solves under these assumptions.
    Solve(Vec<i32>),
}

/// What has been stated so far.
#[derive(Clone, Debug, Default)]
pub struct Instance {
    pub vars: i32,
    pub clauses: Vec<Vec<i32>>,
    pub nodes: u32,
    pub edges: Vec<(u32, u32)>,
    pub conditional: Vec<(i32, u32, u32)>,
    pub writes: Vec<(u32, u32)>,
    pub reads: Vec<(u32, u32)>,
    pub sources: Vec<(u32, u32, Option<i32>, i32)>,
}

impl Instance {
    pub fn new() -> Instance {
        Instance { vars: 1, clauses: vec![vec![1]], ..Instance::default() }
    }

    pub fn state(&mut self, call: &Call) {
        match call {
            Call::Var => self.vars += 1,
            Call::Clause(clause) => self.clauses.push(clause.clone()),
            Call::Node => self.nodes += 1,
            Call::Edge(a, b) => self.edges.push((*a, *b)),
            Call::EdgeIf(lit, a, b) => self.conditional.push((*lit, *a, *b)),
            Call::Write(node, position, _) => self.writes.push((*node, *position)),
            Call::Read(node, position, _) => self.reads.push((*node, *position)),
            Call::Source(read, write, rf, live) => {
                self.sources.push((*read, *write, *rf, *live));
            }
            Call::Solve(_) => {}
        }
    }

    /// Whether a total order of the nodes is a run under an assignment.
    pub fn is_run(&self, order: &[u32], value: &dyn Fn(i32) -> bool) -> bool {
        let place = |node: u32| order.iter().position(|&other| other == node).unwrap();
        let key = |(node, position): (u32, u32)| (place(node), position);
        let sources = || self.sources.iter().copied();
        order.len() == self.nodes as usize
            && self.edges.iter().all(|&(a, b)| place(a) < place(b))
            && self.conditional.iter().all(|&(lit, a, b)| !value(lit) || place(a) < place(b))
            && sources().filter(|source| source.2.is_some_and(value)).all(|(r, w1, _, _)| {
                let seen = key(self.writes[w1 as usize]);
                let read = key(self.reads[r as usize]);
                seen < read
                    && sources().all(|(other, w2, _, live)| {
                        let write = key(self.writes[w2 as usize]);
                        other != r || !value(live) || write <= seen || write >= read
                    })
            })
    }
}

/// A solver under test, with its own numbers for literals.
pub struct Player<B: Backend> {
    pub solver: Solver<B>,
    lits: Vec<Lit>,
}

impl<B: Backend> Player<B> {
    pub fn new(solver: Solver<B>) -> Player<B> {
        let lits = vec![solver.truth()];
        Player { solver, lits }
    }

    pub fn lit(&self, number: i32) -> Lit {
        let lit = self.lits[number.unsigned_abs() as usize - 1];
        if number > 0 { lit } else { !lit }
    }

    fn all(&self, numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&number| self.lit(number)).collect()
    }

    pub fn play(&mut self, call: &Call) -> Option<Outcome> {
        match call {
            Call::Var => {
                let lit = self.solver.new_lit();
                self.lits.push(lit);
            }
            Call::Clause(clause) => self.solver.clause(&self.all(clause)),
            Call::Node => drop(self.solver.node()),
            Call::Edge(a, b) => self.solver.edge(NodeId(*a), NodeId(*b)),
            Call::EdgeIf(lit, a, b) => {
                self.solver.edge_if(self.lit(*lit), NodeId(*a), NodeId(*b));
            }
            Call::Write(node, position, guard) => {
                self.solver.write(NodeId(*node), *position, self.lit(*guard));
            }
            Call::Read(node, position, guard) => {
                self.solver.read(NodeId(*node), *position, self.lit(*guard));
            }
            Call::Source(read, write, rf, live) => {
                let rf = rf.map(|rf| self.lit(rf));
                self.solver.source(ReadId(*read), WriteId(*write), rf, self.lit(*live));
            }
            Call::Solve(assumptions) => return Some(self.solve(assumptions)),
        }
        None
    }

    pub fn solve(&mut self, assumptions: &[i32]) -> Outcome {
        let assumptions = self.all(assumptions);
        self.solver.solve(&assumptions, &mut || false)
    }

    /// A core in the numbers of the instance.
    pub fn numbers(&self, core: &[Lit], assumptions: &[i32]) -> Vec<i32> {
        let numbers: Vec<i32> =
            assumptions.iter().copied().filter(|&a| core.contains(&self.lit(a))).collect();
        assert!(core.iter().all(|&lit| assumptions.iter().any(|&a| self.lit(a) == lit)));
        numbers
    }

    pub fn value(&self, model: &Model, number: i32) -> bool {
        model.value(self.lit(number))
    }
}
