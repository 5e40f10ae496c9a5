//! The solver as its caller sees it.

use unravel_solver::{ClauseSink, Lit, NodeId, Options, Outcome, Solver};

fn never() -> bool {
    false
}

fn is_sat(solver: &mut Solver, assumptions: &[Lit]) -> bool {
    match solver.solve(assumptions, &mut never) {
        Outcome::Sat(_) => true,
        Outcome::Unsat(_) => false,
        other => unreachable!("{other:?}"),
    }
}

fn core(solver: &mut Solver, assumptions: &[Lit]) -> Vec<Lit> {
    match solver.solve(assumptions, &mut never) {
        Outcome::Unsat(core) => core,
        other => unreachable!("{other:?}"),
    }
}

fn nodes<const N: usize>(solver: &mut Solver) -> [NodeId; N] {
    std::array::from_fn(|_| solver.node())
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    let mut solver = Solver::new(Options::default());
    let [a, b, c] = nodes(&mut solver);
    let lits: [Lit; 4] = std::array::from_fn(|_| solver.new_lit());
    solver.edge_if(lits[0], a, b);
    solver.edge_if(lits[1], b, c);
    solver.edge_if(lits[2], c, a);
    solver.edge_if(lits[3], a, c);
    assert!(is_sat(&mut solver, &lits[..2]));
    let mut core = core(&mut solver, &[lits[3], lits[0], lits[1], lits[2], lits[2]]);
    core.sort();
    assert!(core == vec![lits[2], lits[3]] || core == lits[..3]);
    assert!(is_sat(&mut solver, &[lits[0], lits[2]]));
}

#[test]
fn everything_may_grow_between_two_calls() {
    let mut solver = Solver::new(Options::default());
    let [a, b] = nodes(&mut solver);
    let first = solver.new_lit();
    solver.edge_if(first, a, b);
    solver.edge_if(!first, b, a);
    assert!(is_sat(&mut solver, &[first]) && is_sat(&mut solver, &[!first]));
    let [c] = nodes(&mut solver);
    solver.edge(b, c);
    let last = solver.new_lit();
    solver.edge_if(last, c, a);
    assert!(is_sat(&mut solver, &[last]));
    assert_eq!(core(&mut solver, &[first, last]).len(), 2);
    solver.clause(&[first]);
    assert_eq!(core(&mut solver, &[last]), vec![last]);
    assert!(is_sat(&mut solver, &[]));
    solver.clause(&[last]);
    assert!(core(&mut solver, &[first]).is_empty());
}

/// CaDiCaL eliminates variables that nobody observes; they can still be given a meaning later.
#[test]
fn old_literals_may_become_edges() {
    let mut solver = Solver::new(Options::default());
    let old: Vec<Lit> = (0..30).map(|_| solver.new_lit()).collect();
    for pair in old.windows(2) {
        solver.clause(&[!pair[0], pair[1]]);
    }
    assert!(is_sat(&mut solver, &[old[0]]));
    let [a, b] = nodes(&mut solver);
    solver.edge_if(old[10], a, b);
    solver.edge_if(old[20], b, a);
    assert_eq!(core(&mut solver, &[old[5]]), vec![old[5]]);
    assert!(is_sat(&mut solver, &[old[15]]));
}

#[test]
fn a_cycle_of_fixed_edges_excludes_all_runs() {
    let mut solver = Solver::new(Options::default());
    let [a, b] = nodes(&mut solver);
    solver.edge(a, b);
    assert!(is_sat(&mut solver, &[]));
    solver.edge(b, a);
    assert!(core(&mut solver, &[]).is_empty());
    assert!(core(&mut solver, &[]).is_empty());
}

#[test]
fn without_nodes_it_is_a_sat_solver() {
    let mut solver = Solver::new(Options::default());
    let (a, b) = (solver.new_lit(), solver.new_lit());
    solver.clause(&[a, b]);
    let Outcome::Sat(model) = solver.solve(&[!a], &mut never) else { panic!() };
    assert!(model.value(b) && model.value(!a) && model.value(solver.truth()));
    assert!(model.order().linear.is_empty());
    let mut core = core(&mut solver, &[!b, !a]);
    core.sort();
    assert_eq!(core, vec![!b, !a]);
}

/// As many pigeons as do not fit.
fn hard(solver: &mut Solver) {
    let holes: Vec<Vec<Lit>> =
        (0..11).map(|_| (0..10).map(|_| solver.new_lit()).collect()).collect();
    for (i, pigeon) in holes.iter().enumerate() {
        solver.clause(pigeon);
        for other in &holes[..i] {
            for (&a, &b) in pigeon.iter().zip(other) {
                solver.clause(&[!a, !b]);
            }
        }
    }
}

#[test]
fn it_stops_when_told_to() {
    let mut solver = Solver::new(Options::default());
    hard(&mut solver);
    let mut asked = 0;
    let outcome = solver.solve(&[], &mut || {
        asked += 1;
        asked > 5
    });
    assert!(matches!(outcome, Outcome::Stopped));
    assert_eq!(asked, 6);
}

#[test]
fn a_panic_of_the_caller_does_not_cross_the_border() {
    let mut solver = Solver::new(Options::default());
    hard(&mut solver);
    let mut asked = 0;
    let outcome = solver.solve(&[], &mut || {
        asked += 1;
        assert!(asked < 3, "on purpose");
        false
    });
    assert!(matches!(outcome, Outcome::Stopped));
}

#[test]
fn stats_count() {
    let mut solver = Solver::new(Options::default());
    let [a, b] = nodes(&mut solver);
    let lit = solver.new_lit();
    solver.edge(a, b);
    solver.edge_if(lit, b, a);
    assert!(!is_sat(&mut solver, &[lit]));
    let stats = solver.stats();
    assert_eq!((stats.nodes, stats.sources, stats.variables), (2, 0, 2));
    assert!(stats.theory_propagations > 0);
}
