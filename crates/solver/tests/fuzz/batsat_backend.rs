//! The theory on batsat: a second opinion on how the theory and a SAT solver work together.

use batsat::{BasicSolver, SolverInterface, TheoryArg, Var, lbool};
use std::cell::RefCell;
use std::rc::Rc;
use unravel_solver::theory::Theory;
use unravel_solver::{Backend, Lit, Options, Verdict};

pub struct Batsat {
    solver: BasicSolver,
    theory: Adapter,
}

pub fn to_batsat(solver: &mut BasicSolver, lit: Lit) -> batsat::Lit {
    batsat::Lit::new(solver.var_of_int(lit.var() - 1), lit.is_positive())
}

fn from_batsat(lit: batsat::Lit) -> Lit {
    let positive = Lit::positive(lit.var().idx() + 1);
    if lit.sign() { positive } else { !positive }
}

impl Backend for Batsat {
    fn new(theory: Rc<RefCell<Theory>>, _: &Options) -> Batsat {
        let theory = Adapter { theory, told: 0, levels: Vec::new(), reason: Vec::new() };
        Batsat { solver: BasicSolver::default(), theory }
    }

    fn new_var(&mut self, var: u32) {
        let _: Var = self.solver.var_of_int(var - 1);
    }

    fn clause(&mut self, lits: &[Lit]) {
        let mut clause: Vec<_> = lits.iter().map(|&lit| to_batsat(&mut self.solver, lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }

    fn observe(&mut self, _: u32) {}

    fn solve(&mut self, assumptions: &[Lit], _: &mut dyn FnMut() -> bool) -> Verdict {
        let assumptions: Vec<_> =
            assumptions.iter().map(|&lit| to_batsat(&mut self.solver, lit)).collect();
        let result = self.solver.solve_limited_th(&mut self.theory, &assumptions);
        if result == lbool::TRUE {
            Verdict::Sat
        } else if result == lbool::FALSE {
            Verdict::Unsat
        } else {
            Verdict::Unknown
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        let lit = to_batsat(&mut self.solver, lit);
        self.solver.value_lit(lit) == lbool::TRUE
    }

    fn failed(&mut self, lit: Lit) -> bool {
        // Core literals come negated, contrary to the documentation.
        let lit = to_batsat(&mut self.solver, lit);
        self.solver.unsat_core().contains(&!lit)
    }

    fn conflicts(&self) -> u64 {
        self.solver.num_conflicts()
    }
}

struct Adapter {
    theory: Rc<RefCell<Theory>>,
    /// How much of the trail the theory has been told.
    told: usize,
    /// Per level, how much it had been told when the level began.
    levels: Vec<usize>,
    reason: Vec<batsat::Lit>,
}

impl Adapter {
    /// False if there is nothing to do for batsat.
    fn check(&mut self, acts: &mut TheoryArg) -> bool {
        let mut theory = self.theory.borrow_mut();
        for &lit in &acts.model()[self.told..] {
            theory.assign(from_batsat(lit));
        }
        self.told = acts.model().len();
        theory.propagate();
        if let Some(clause) = theory.take_conflict() {
            // batsat wants at least one literal; variable 0 is always true.
            let truth = Lit::positive(1);
            let clause = if clause.is_empty() { vec![!truth] } else { clause };
            let clause: Vec<_> = clause
                .iter()
                .map(|lit| batsat::Lit::new(Var::unsafe_from_idx(lit.var() - 1), lit.is_positive()))
                .collect();
            acts.raise_conflict(&clause, false);
            return true;
        }
        let mut busy = false;
        while let Some(lit) = theory.next_implied() {
            busy = true;
            let var = Var::unsafe_from_idx(lit.var() - 1);
            if !acts.propagate(batsat::Lit::new(var, lit.is_positive())) {
                break;
            }
        }
        busy
    }
}

impl batsat::Theory for Adapter {
    fn final_check(&mut self, acts: &mut TheoryArg) {
        if !self.check(acts) {
            self.theory.borrow_mut().linearize();
        }
    }

    fn partial_check(&mut self, acts: &mut TheoryArg) {
        self.check(acts);
    }

    fn create_level(&mut self) {
        self.levels.push(self.told);
        self.theory.borrow_mut().push_level();
    }

    fn pop_levels(&mut self, n: usize) {
        let level = self.levels.len() - n;
        self.told = self.levels[level];
        self.levels.truncate(level);
        self.theory.borrow_mut().backtrack(level);
    }

    fn n_levels(&self) -> usize {
        self.levels.len()
    }

    fn explain_propagation(&mut self, lit: batsat::Lit) -> &[batsat::Lit] {
        let clause = self.theory.borrow_mut().reason(from_batsat(lit)).expect("a reason");
        let others = clause.into_iter().filter(|&other| other != from_batsat(lit));
        self.reason = others
            .map(|other| {
                batsat::Lit::new(Var::unsafe_from_idx(other.var() - 1), !other.is_positive())
            })
            .collect();
        &self.reason
    }
}
