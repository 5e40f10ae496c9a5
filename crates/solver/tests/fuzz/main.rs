//! Random questions, put to the theory on CaDiCaL, to the theory on batsat, and to encodings without a theory.
//!
//! `UNRAVEL_FUZZ_ORDERS` sets the number of questions, `UNRAVEL_FUZZ_SEED` the first seed.

// The lints allow these in test functions only, not in what test functions call.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod batsat_backend;
mod generate;
mod instance;
mod oracle;
mod random;

use batsat_backend::Batsat;
use generate::Generator;
use instance::{Call, Instance, Player};
use random::Random;
use unravel_solver::{Backend, Cadical, Model, NodeId, Options, Outcome, Solver};

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// What was seen, so that a test that has become trivial is noticed.
#[derive(Default, Debug)]
struct Tally {
    sat: u64,
    unsat: u64,
    refinements: u64,
    propagations: u64,
    conflicts: u64,
}

/// Plays one question on one backend and compares each answer with the oracle.
fn play<B: Backend>(seed: u64, options: &Options, tally: &mut Tally) -> Result<(), String> {
    let mut player = Player::<B>::new(Solver::on_backend(options.clone()));
    let mut instance = Instance::new();
    for call in Generator::new(seed).calls() {
        instance.state(&call);
        let outcome = player.play(&call);
        if let (Call::Solve(assumptions), Some(outcome)) = (&call, outcome) {
            let expected = oracle::plain(&instance, assumptions);
            if instance.nodes <= 5 && seed.is_multiple_of(4) {
                let brute = oracle::brute_force(&instance, assumptions);
                assert_eq!(expected, brute, "seed {seed}: the oracles disagree");
            }
            judge(seed, &mut player, &instance, assumptions, outcome, expected)?;
            *(if expected { &mut tally.sat } else { &mut tally.unsat }) += 1;
        }
    }
    let stats = player.solver.stats();
    tally.refinements += stats.refinements;
    tally.propagations += stats.theory_propagations;
    tally.conflicts += stats.theory_conflicts;
    Ok(())
}

fn judge<B: Backend>(
    seed: u64,
    player: &mut Player<B>,
    instance: &Instance,
    assumptions: &[i32],
    outcome: Outcome,
    expected: bool,
) -> Result<(), String> {
    match outcome {
        Outcome::Sat(_) if !expected => Err("Sat, expected Unsat".to_owned()),
        Outcome::Unsat(_) if expected => Err("Unsat, expected Sat".to_owned()),
        Outcome::Sat(model) => check_model(seed, player, instance, assumptions, &model),
        Outcome::Unsat(core) => {
            let core = player.numbers(&core, assumptions);
            if oracle::plain(instance, &core) {
                return Err(format!("{core:?} is not a core"));
            }
            match player.solve(&core) {
                Outcome::Unsat(_) => Ok(()),
                other => Err(format!("core {core:?} solved alone: {other:?}")),
            }
        }
        other => Err(format!("{other:?}")),
    }
}

fn check_model<B: Backend>(
    seed: u64,
    player: &Player<B>,
    instance: &Instance,
    assumptions: &[i32],
    model: &Model,
) -> Result<(), String> {
    let value = |lit: i32| player.value(model, lit);
    if !assumptions.iter().all(|&lit| value(lit)) {
        return Err("an assumption is false".to_owned());
    }
    if !instance.clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit))) {
        return Err("a clause is false".to_owned());
    }
    let order: Vec<u32> = model.order().linear.iter().map(|node| node.0).collect();
    if !instance.is_run(&order, &value) {
        return Err(format!("{order:?} is not a run"));
    }
    let mut random = Random(seed);
    for _ in 0..3 {
        let order = any_order(&mut random, instance.nodes, model);
        if !instance.is_run(&order, &value) {
            return Err(format!("{order:?} respects the order but is not a run"));
        }
    }
    Ok(())
}

/// A random total order that respects the partial order of an answer.
fn any_order(random: &mut Random, nodes: u32, model: &Model) -> Vec<u32> {
    let mut left: Vec<u32> = (0..nodes).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let before = |a: u32, b: u32| model.order().before(NodeId(a), NodeId(b));
        let ready: Vec<u32> =
            left.iter().copied().filter(|&b| !left.iter().any(|&a| before(a, b))).collect();
        assert!(!ready.is_empty(), "the partial order has a cycle");
        let node = random.pick(&ready);
        left.retain(|&other| other != node);
        order.push(node);
    }
    order
}

fn variant(seed: u64) -> Options {
    let (propagate, decide) = (seed.is_multiple_of(2), seed / 2 % 2 == 1);
    Options { propagate, decide, ..Options::default() }
}

#[test]
fn all_solvers_agree() {
    let count = number("UNRAVEL_FUZZ_ORDERS", 800);
    let first = number("UNRAVEL_FUZZ_SEED", 0);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let options = &variant(seed);
        let cadical = play::<Cadical>(seed, options, &mut tally);
        assert_eq!(cadical, Ok(()), "seed {seed} on CaDiCaL with {options:?}");
        let batsat = play::<Batsat>(seed, options, &mut tally);
        assert_eq!(batsat, Ok(()), "seed {seed} on batsat with {options:?}");
    }
    println!("{tally:?}");
    if count >= 500 {
        let Tally { sat, unsat, refinements, propagations, conflicts } = tally;
        assert!(sat > count / 2 && unsat > count / 2, "one answer is rare");
        assert!(refinements > 0 && propagations > count && conflicts > count / 2, "too easy");
    }
}

#[test]
fn answers_are_the_same_every_time() {
    for seed in 0..40 {
        let run = || {
            let mut player = Player::<Cadical>::new(Solver::new(Options::default()));
            let calls = Generator::new(seed).calls();
            let outcomes: Vec<String> = calls
                .iter()
                .filter_map(|call| player.play(call))
                .map(|outcome| format!("{outcome:?}"))
                .collect();
            (outcomes, player.solver.stats())
        };
        assert_eq!(run(), run(), "seed {seed}");
    }
}

/// Every deliberate bug is noticed: by a wrong answer, or by the solver's own checks.
#[cfg(feature = "mutants")]
#[test]
fn mutants_are_caught() {
    use unravel_solver::Mutant::*;
    std::panic::set_hook(Box::new(|_| {}));
    for mutant in [CoReason, FrReason, P1Reason, P2Reason, NoCompleteness, NoFr, NoCo] {
        let options = Options { mutant: Some(mutant), ..Options::default() };
        let mut tally = Tally::default();
        let caught = (0..5_000).find(|&seed| {
            // A wrong reason may also make batsat panic: that is caught, too.
            let play = std::panic::AssertUnwindSafe(|| {
                play::<Cadical>(seed, &options, &mut tally)
                    .and_then(|()| play::<Batsat>(seed, &options, &mut tally))
            });
            !matches!(std::panic::catch_unwind(play), Ok(Ok(())))
        });
        println!("{mutant:?}: caught by seed {caught:?}");
        assert!(caught.is_some(), "{mutant:?} was not caught");
    }
}
