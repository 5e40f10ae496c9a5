//! The same question without a theory.

use crate::instance::Instance;
use batsat::{BasicSolver, Lit, SolverInterface, lbool};

/// A plain SAT encoding: one variable per pair of nodes, transitivity as clauses.
pub fn plain(instance: &Instance, assumptions: &[i32]) -> bool {
    let pair = |a: u32, b: u32| {
        let (low, high) = (a.min(b), a.max(b));
        let var = instance.vars + 1 + (high * (high + 1) / 2 + low) as i32;
        if a < b { Ok(var) } else { Ok(-var) }
    };
    let mut clauses = ordering(instance, &pair);
    for a in 0..instance.nodes {
        for b in 0..instance.nodes {
            for c in 0..instance.nodes {
                if a != b && b != c && a != c {
                    push(&mut clauses, &[not(pair(a, b)), not(pair(b, c)), pair(a, c)]);
                }
            }
        }
    }
    solve(instance, &clauses, assumptions)
}

/// Every order of the nodes, one SAT question each, without transitivity clauses.
pub fn brute_force(instance: &Instance, assumptions: &[i32]) -> bool {
    let mut order: Vec<u32> = (0..instance.nodes).collect();
    permutations(&mut order, 0, &mut |order| {
        let place = |node: u32| order.iter().position(|&other| other == node).unwrap();
        let clauses = ordering(instance, &|a, b| Err(place(a) < place(b)));
        solve(instance, &clauses, assumptions)
    })
}

fn permutations(list: &mut Vec<u32>, fixed: usize, test: &mut dyn FnMut(&[u32]) -> bool) -> bool {
    if fixed == list.len() {
        return test(list);
    }
    (fixed..list.len()).any(|i| {
        list.swap(fixed, i);
        let found = permutations(list, fixed + 1, test);
        list.swap(fixed, i);
        found
    })
}

/// A literal or a constant.
type Term = Result<i32, bool>;

fn not(term: Term) -> Term {
    match term {
        Ok(lit) => Ok(-lit),
        Err(value) => Err(!value),
    }
}

fn push(clauses: &mut Vec<Vec<i32>>, terms: &[Term]) {
    if !terms.contains(&Err(true)) {
        clauses.push(terms.iter().filter_map(|term| term.ok()).collect());
    }
}

/// The definition of a run, clause by clause.
fn ordering(instance: &Instance, pair: &dyn Fn(u32, u32) -> Term) -> Vec<Vec<i32>> {
    let node_first = |a: u32, b: u32| if a == b { Err(false) } else { pair(a, b) };
    let first = |a: (u32, u32), b: (u32, u32)| match a.0 == b.0 {
        true => Err(a.1 < b.1),
        false => pair(a.0, b.0),
    };
    let mut clauses = Vec::new();
    for &(a, b) in &instance.edges {
        push(&mut clauses, &[node_first(a, b)]);
    }
    for &(lit, a, b) in &instance.conditional {
        push(&mut clauses, &[Ok(-lit), node_first(a, b)]);
    }
    for &(r, w1, rf, _) in &instance.sources {
        let Some(rf) = rf else { continue };
        let (read, seen) = (instance.reads[r as usize], instance.writes[w1 as usize]);
        push(&mut clauses, &[Ok(-rf), first(seen, read)]);
        for &(other, w2, _, live) in &instance.sources {
            if other == r && w2 != w1 {
                let write = instance.writes[w2 as usize];
                let terms = [Ok(-rf), Ok(-live), first(write, seen), first(read, write)];
                push(&mut clauses, &terms);
            }
        }
    }
    clauses
}

fn solve(instance: &Instance, clauses: &[Vec<i32>], assumptions: &[i32]) -> bool {
    let mut solver = BasicSolver::default();
    let units = assumptions.iter().map(|&lit| vec![lit]);
    for clause in instance.clauses.iter().chain(clauses).cloned().chain(units) {
        let mut clause: Vec<Lit> = clause
            .iter()
            .map(|&lit| Lit::new(solver.var_of_int(lit.unsigned_abs() - 1), lit > 0))
            .collect();
        if !solver.add_clause_reuse(&mut clause) {
            return false;
        }
    }
    solver.solve_limited(&[]) == lbool::TRUE
}
