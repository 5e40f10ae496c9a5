//! MaxSAT, compared with trying everything.

// The lints allow these in test functions only, not in what test functions call.
#![allow(clippy::unwrap_used, clippy::expect_used)]
// The files shared with `tests/fuzz` hold more than is needed here.
#![allow(dead_code)]

#[path = "fuzz/generate.rs"]
mod generate;
#[path = "fuzz/instance.rs"]
mod instance;
#[path = "fuzz/random.rs"]
mod random;

use generate::Generator;
use instance::{Call, Player};
use random::Random;
use unravel_solver::maxsat::{Algorithm, Budget, Optimum, Outcome, maximize};
use unravel_solver::{Cadical, ClauseSink, Lit, NodeId, Options, Solver};

const ALGORITHMS: [Algorithm; 2] = [Algorithm::CoreGuided, Algorithm::Linear];
const UNLIMITED: Budget = Budget { conflicts: None };

fn never() -> bool {
    false
}

/// A random problem. Literals are numbered as in [`Call`].
struct Problem {
    calls: Vec<Call>,
    hard: Vec<i32>,
    strata: Vec<Vec<i32>>,
}

impl Problem {
    /// Clauses over at most twelve variables, or an ordering problem of `tests/fuzz`.
    fn new(seed: u64) -> Problem {
        let mut random = Random(seed ^ 0x6d61_7873_6174);
        let calls = match random.chance(50) {
            true => Generator::new(seed).calls(),
            false => clauses(&mut random),
        };
        let vars = 1 + calls.iter().filter(|call| matches!(call, Call::Var)).count();
        // Up to eight of the variables are soft; the others are not all needed for a hard problem.
        let soft: Vec<i32> = (0..8).map(|_| 1 + random.below(vars) as i32).collect();
        let lit = |random: &mut Random, var: i32| if random.chance(75) { var } else { -var };
        let hard = (0..random.below(5) / 2).map(|_| {
            let var = 1 + random.below(vars) as i32;
            lit(&mut random, var)
        });
        let hard = hard.collect();
        let strata = (0..1 + random.below(3)).map(|_| {
            let size = if random.chance(15) { 0 } else { 1 + random.below(10) };
            let lits = (0..size).map(|_| {
                let var = random.pick(&soft);
                lit(&mut random, var)
            });
            lits.collect()
        });
        let strata = strata.collect();
        Problem { calls, hard, strata }
    }

    fn player(&self) -> Player<Cadical> {
        let mut player = Player::new(Solver::new(Options::default()));
        for call in &self.calls {
            player.play(call);
        }
        player
    }

    fn cost(&self, value: &dyn Fn(i32) -> bool) -> Vec<u64> {
        let missed = |lits: &Vec<i32>| lits.iter().filter(|&&lit| !value(lit)).count() as u64;
        self.strata.iter().map(missed).collect()
    }

    /// Tries all values of the softs, the best first.
    fn brute_force(&self) -> Option<Vec<u64>> {
        let mut player = self.player();
        let mut vars: Vec<i32> = self.strata.iter().flatten().map(|lit| lit.abs()).collect();
        vars.sort_unstable();
        vars.dedup();
        let choose = |set: usize| {
            let lit = |(at, &var): (usize, &i32)| if set >> at & 1 == 1 { var } else { -var };
            vars.iter().enumerate().map(lit).collect::<Vec<i32>>()
        };
        let cost = |set: usize| {
            let chosen = choose(set);
            self.cost(&|lit| chosen.contains(&lit))
        };
        let mut sets: Vec<usize> = (0..1 << vars.len()).collect();
        sets.sort_by_cached_key(|&set| cost(set));
        let first = sets.into_iter().find(|&set| {
            let assumptions = [self.hard.clone(), choose(set)].concat();
            is_sat(&player.solve(&assumptions))
        });
        first.map(cost)
    }

    fn maximize(
        &self,
        player: &mut Player<Cadical>,
        algorithm: Algorithm,
        stop: &mut dyn FnMut() -> bool,
    ) -> Outcome {
        let lits = |numbers: &Vec<i32>| numbers.iter().map(|&lit| player.lit(lit)).collect();
        let (hard, strata): (Vec<Lit>, Vec<_>) =
            (lits(&self.hard), self.strata.iter().map(lits).collect());
        maximize(&mut player.solver, &hard, &strata, algorithm, UNLIMITED, stop)
    }

    /// Whether the model has the cost, and the hard literals are true.
    fn check_model(&self, player: &Player<Cadical>, optimum: &Optimum) {
        let value = |lit: i32| player.value(&optimum.model, lit);
        assert_eq!(self.cost(&value), optimum.cost);
        assert!(self.hard.iter().all(|&lit| value(lit)));
        let clauses = self.calls.iter().filter_map(|call| match call {
            Call::Clause(clause) => Some(clause),
            _ => None,
        });
        assert!(clauses.into_iter().all(|clause| clause.iter().any(|&lit| value(lit))));
    }

    /// Questions that have nothing to do with the softs, and their answers.
    fn other_questions(&self, player: &mut Player<Cadical>, seed: u64) -> Vec<bool> {
        let mut random = Random(seed);
        let vars = 1 + self.calls.iter().filter(|call| matches!(call, Call::Var)).count();
        let ask = |_| {
            let assumptions: Vec<i32> = (0..random.below(5))
                .map(|_| 1 + random.below(vars) as i32)
                .collect::<Vec<i32>>()
                .into_iter()
                .map(|var| if random.chance(50) { var } else { -var })
                .collect();
            is_sat(&player.solve(&assumptions))
        };
        (0..12).map(ask).collect()
    }
}

fn clauses(random: &mut Random) -> Vec<Call> {
    let vars = 3 + random.below(10);
    let mut calls = vec![Call::Var; vars];
    // Mostly negative, and the softs mostly positive: that is where the conflicts are.
    for _ in 0..vars + random.below(3 * vars) {
        let size = 2 + random.below(2);
        let lits = (0..size).map(|_| {
            let var = 2 + random.below(vars) as i32;
            if random.chance(70) { -var } else { var }
        });
        calls.push(Call::Clause(lits.collect()));
    }
    calls
}

fn is_sat(outcome: &unravel_solver::Outcome) -> bool {
    match outcome {
        unravel_solver::Outcome::Sat(_) => true,
        unravel_solver::Outcome::Unsat(_) => false,
        other => unreachable!("{other:?}"),
    }
}

/// The cost, if there is a model and it is proved to be the best.
fn proved(outcome: Outcome) -> Option<Optimum> {
    match outcome {
        Outcome::Found(optimum) => {
            assert!(optimum.is_proved);
            Some(optimum)
        }
        Outcome::None => None,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn both_algorithms_find_the_optimum() {
    let (mut none, mut free, mut total) = (0, 0, 0);
    for seed in 0..1_500 {
        let problem = Problem::new(seed);
        let expected = problem.brute_force();
        match &expected {
            None => none += 1,
            Some(cost) => {
                free += u64::from(cost.iter().all(|&cost| cost == 0));
                total += cost.iter().sum::<u64>();
            }
        }
        let answers = problem.other_questions(&mut problem.player(), seed);
        for algorithm in ALGORITHMS {
            let mut player = problem.player();
            let name = format!("seed {seed}, {algorithm:?}");
            let optimum = proved(problem.maximize(&mut player, algorithm, &mut never));
            assert_eq!(optimum.as_ref().map(|found| &found.cost), expected.as_ref(), "{name}");
            optimum.iter().for_each(|optimum| problem.check_model(&player, optimum));
            assert_eq!(problem.other_questions(&mut player, seed), answers, "{name}: afterwards");
            // Once more, on the solver that has been used.
            for again in ALGORITHMS {
                let optimum = proved(problem.maximize(&mut player, again, &mut never));
                assert_eq!(optimum.map(|found| found.cost), expected, "{name}: {again:?} again");
            }
            let free = Problem { hard: Vec::new(), calls: Vec::new(), strata: Vec::new() };
            let outcome = proved(free.maximize(&mut player, algorithm, &mut never));
            assert_eq!(outcome.is_some(), is_sat(&player.solve(&[])), "{name}: without softs");
        }
    }
    println!("{none} without model, {free} without loss, {total} lost");
    assert!(none > 100 && free > 50 && total > 2_000, "too easy");
}

/// Wherever it is stopped, the best model so far is returned, and the solver can be used again.
#[test]
fn it_can_be_stopped_anywhere() {
    let (mut early, mut unproved, mut done) = (0, 0, 0);
    for seed in 0..60 {
        let problem = Problem::new(seed);
        let expected = problem.brute_force();
        for algorithm in ALGORITHMS {
            let mut last: Option<Vec<u64>> = None;
            for polls in [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30] {
                let mut player = problem.player();
                let mut asked = 0;
                let outcome = problem.maximize(&mut player, algorithm, &mut || {
                    asked += 1;
                    asked > polls
                });
                match outcome {
                    Outcome::Stopped => early += 1,
                    Outcome::Found(optimum) => {
                        problem.check_model(&player, &optimum);
                        let best = expected.as_ref().unwrap();
                        assert!(
                            optimum.cost == *best || !optimum.is_proved && optimum.cost > *best
                        );
                        // The longer, the better: the search is the same up to where it is stopped.
                        assert!(last.is_none_or(|last| optimum.cost <= last), "seed {seed}");
                        last = Some(optimum.cost);
                        *(if optimum.is_proved { &mut done } else { &mut unproved }) += 1;
                    }
                    Outcome::None => assert_eq!(expected, None),
                    Outcome::Broken(message) => unreachable!("{message}"),
                }
                assert!(polls > 0 || asked == 1, "asked again after it said stop");
                let optimum = proved(problem.maximize(&mut player, algorithm, &mut never));
                assert_eq!(optimum.map(|found| found.cost), expected, "seed {seed} resumed");
            }
        }
    }
    println!("{early} stopped, {unproved} unproved, {done} done");
    assert!(early > 0 && unproved > 0 && done > 0);
}

#[test]
fn answers_are_the_same_every_time() {
    for seed in 0..40 {
        let problem = Problem::new(seed);
        for algorithm in ALGORITHMS {
            let run = || {
                let mut player = problem.player();
                let outcome = problem.maximize(&mut player, algorithm, &mut never);
                (format!("{outcome:?}"), player.solver.stats())
            };
            assert_eq!(run(), run(), "seed {seed}");
        }
    }
}

/// All edges between nodes, in both directions: half of them can hold.
fn all_edges(solver: &mut Solver, count: usize) -> Vec<Lit> {
    let nodes: Vec<NodeId> = (0..count).map(|_| solver.node()).collect();
    let mut lits = Vec::new();
    for &a in &nodes {
        for &b in nodes.iter().filter(|&&b| b != a) {
            let lit = solver.new_lit();
            solver.edge_if(lit, a, b);
            lits.push(lit);
        }
    }
    lits
}

/// A node comes before each that is less than half the circle away.
fn circle(solver: &mut Solver, count: usize) -> Vec<Lit> {
    let nodes: Vec<NodeId> = (0..count).map(|_| solver.node()).collect();
    let mut lits = Vec::new();
    for (at, &node) in nodes.iter().enumerate() {
        for step in 1..count.div_ceil(2) {
            let lit = solver.new_lit();
            solver.edge_if(lit, node, nodes[(at + step) % count]);
            lits.push(lit);
        }
    }
    lits
}

fn run(solver: &mut Solver, strata: &[Vec<Lit>], algorithm: Algorithm, budget: Budget) -> Outcome {
    maximize(solver, &[], strata, algorithm, budget, &mut never)
}

#[test]
fn half_of_all_edges_hold() {
    for algorithm in ALGORITHMS {
        for count in 2..=6 {
            let mut solver = Solver::new(Options::default());
            let lits = all_edges(&mut solver, count);
            let optimum = proved(run(&mut solver, &[lits], algorithm, UNLIMITED)).unwrap();
            assert_eq!(optimum.cost, [(count * (count - 1) / 2) as u64]);
        }
    }
}

/// Cut open anywhere, a circle of `2k + 1` loses 1 + … + k edges, and not fewer.
#[test]
fn a_circle_is_cut_open() {
    for algorithm in ALGORITHMS {
        for half in 1..=4 {
            let mut solver = Solver::new(Options::default());
            let lits = circle(&mut solver, 2 * half + 1);
            let optimum = proved(run(&mut solver, &[lits], algorithm, UNLIMITED)).unwrap();
            assert_eq!(optimum.cost, [(half * (half + 1) / 2) as u64]);
        }
    }
}

/// At most `most` of the literals, by a clause per set that is too large.
fn at_most(solver: &mut Solver, lits: &[Lit], most: u32) {
    for set in (0..1_u32 << lits.len()).filter(|set| set.count_ones() == most + 1) {
        let chosen = lits.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let clause: Vec<Lit> = chosen.map(|(_, &lit)| !lit).collect();
        solver.clause(&clause);
    }
}

/// Large cores that have to be given up more than once.
#[test]
fn a_core_may_fail_more_than_once() {
    for algorithm in ALGORITHMS {
        for most in 0..=9 {
            let mut solver = Solver::new(Options::default());
            let lits: Vec<Lit> = (0..9).map(|_| solver.new_lit()).collect();
            at_most(&mut solver, &lits, most);
            let strata = [lits[..6].to_vec(), lits[4..].to_vec()];
            let optimum = proved(run(&mut solver, &strata, algorithm, UNLIMITED)).unwrap();
            let first = u64::from(most.min(6));
            // Two are in both; all that are true in the first stratum but those two are lost for the second.
            let second = u64::from(most.min(2)) + u64::from(most.saturating_sub(6));
            assert_eq!(optimum.cost, [6 - first, 5 - second], "{most} with {algorithm:?}");
        }
    }
}

#[test]
fn literals_may_be_constant_or_occur_twice() {
    for algorithm in ALGORITHMS {
        let mut solver = Solver::new(Options::default());
        let yes = solver.truth();
        let [a, b, c] = [solver.new_lit(), solver.new_lit(), solver.new_lit()];
        solver.clause(&[!a, !b]);
        solver.clause(&[!a, !c]);
        let cost = |solver: &mut Solver, strata: &[Vec<Lit>]| {
            proved(run(solver, strata, algorithm, UNLIMITED)).unwrap().cost
        };
        assert_eq!(cost(&mut solver, &[]), []);
        assert_eq!(cost(&mut solver, &[vec![], vec![]]), [0, 0]);
        assert_eq!(cost(&mut solver, &[vec![yes, !yes, yes, !yes]]), [2]);
        assert_eq!(cost(&mut solver, &[vec![a, !a]]), [1]);
        assert_eq!(cost(&mut solver, &[vec![a, a, a, b, c]]), [2]);
        assert_eq!(cost(&mut solver, &[vec![a, b, b, c]]), [1]);
        assert_eq!(cost(&mut solver, &[vec![a, a, !a, a, a, b, c, !yes]]), [4]);
        assert_eq!(cost(&mut solver, &[vec![a], vec![b, b], vec![c, a]]), [0, 2, 1]);
        assert_eq!(cost(&mut solver, &[vec![], vec![b, yes], vec![a, a, !a]]), [0, 0, 2]);
    }
}

#[test]
fn an_unsatisfiable_hard_part_has_no_optimum() {
    for algorithm in ALGORITHMS {
        let mut solver = Solver::new(Options::default());
        let [a, b] = [solver.new_lit(), solver.new_lit()];
        solver.clause(&[!a, !b]);
        for strata in [vec![], vec![vec![]], vec![vec![a]], vec![vec![!a, b], vec![a]]] {
            let outcome = maximize(&mut solver, &[a, b], &strata, algorithm, UNLIMITED, &mut never);
            assert!(matches!(outcome, Outcome::None), "{outcome:?}");
            let outcome =
                maximize(&mut solver, &[a, !a], &strata, algorithm, UNLIMITED, &mut never);
            assert!(matches!(outcome, Outcome::None), "{outcome:?}");
        }
        let optimum = proved(run(&mut solver, &[vec![a, b]], algorithm, UNLIMITED)).unwrap();
        assert_eq!(optimum.cost, [1]);
    }
}

/// Pigeons that sit in different holes, each only if its literal is true.
fn pigeons(solver: &mut Solver, pigeons: usize, holes: usize) -> Vec<Lit> {
    let mut earlier: Vec<Vec<Lit>> = Vec::new();
    let mut seated = Vec::new();
    for _ in 0..pigeons {
        let sits: Vec<Lit> = (0..holes).map(|_| solver.new_lit()).collect();
        let lit = solver.new_lit();
        solver.clause(&[sits.as_slice(), &[!lit]].concat());
        for (&a, &b) in earlier.iter().flat_map(|other| sits.iter().zip(other)) {
            solver.clause(&[!a, !b]);
        }
        earlier.push(sits);
        seated.push(lit);
    }
    seated
}

#[test]
fn a_limit_of_conflicts_ends_a_call() {
    let mut solver = Solver::new(Options::default());
    let all = pigeons(&mut solver, 11, 10);
    for limit in [0, 1, 100, 1000] {
        solver.limit_conflicts(Some(limit));
        let before = solver.stats().solver_conflicts;
        let outcome = solver.solve(&all, &mut never);
        assert!(matches!(outcome, unravel_solver::Outcome::Stopped), "{outcome:?}");
        let spent = solver.stats().solver_conflicts - before;
        assert!((limit..limit + 20).contains(&spent), "{spent} of {limit}");
    }
    solver.limit_conflicts(None);
    let easy = solver.new_lit();
    solver.clause(&[!easy]);
    assert!(!is_sat(&solver.solve(&[easy], &mut never)));
}

#[test]
fn a_budget_is_kept() {
    for algorithm in ALGORITHMS {
        let mut solver = Solver::new(Options::default());
        let hard = pigeons(&mut solver, 11, 10);
        let softs = [vec![solver.new_lit(), solver.new_lit()]];
        solver.limit_conflicts(Some(1_000_000));
        for conflicts in [0, 10, 500] {
            let before = solver.stats().solver_conflicts;
            let budget = Budget { conflicts: Some(conflicts) };
            let outcome = maximize(&mut solver, &hard, &softs, algorithm, budget, &mut never);
            assert!(matches!(outcome, Outcome::Stopped), "{outcome:?}");
            assert!(solver.stats().solver_conflicts - before < conflicts + 20);
            assert_eq!(solver.conflict_limit(), Some(1_000_000));
        }
    }
}

/// With too small a budget for the proof there is a model nevertheless.
#[test]
fn a_budget_leaves_the_best_model() {
    for algorithm in ALGORITHMS {
        let (mut unproved, mut done) = (0, 0);
        for conflicts in [1, 10, 100, 1_000, 10_000, 100_000] {
            let mut solver = Solver::new(Options::default());
            let softs = pigeons(&mut solver, 8, 6);
            let budget = Budget { conflicts: Some(conflicts) };
            match run(&mut solver, &[softs], algorithm, budget) {
                Outcome::Found(optimum) if optimum.is_proved => {
                    assert_eq!(optimum.cost, [2]);
                    done += 1;
                }
                Outcome::Found(optimum) => {
                    assert!(optimum.cost[0] >= 2);
                    unproved += 1;
                }
                other => unreachable!("{other:?}"),
            }
        }
        println!("{algorithm:?}: {unproved} unproved, {done} proved");
        assert!(unproved > 0 && done > 0, "{algorithm:?}");
    }
}
