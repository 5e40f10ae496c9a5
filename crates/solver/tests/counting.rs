//! Programs whose final values are known, asked for all values on one incremental solver. Unlike the small random
//! questions of `tests/fuzz`, these take thousands of conflicts, so that CaDiCaL restarts, simplifies and forgets.

#[path = "../examples/scale/program.rs"]
mod program;

use program::{Kind, Program};
use unravel_solver::{Options, Outcome};

/// Asks for each value up to one more than the largest, twice.
fn check(kind: Kind, threads: usize, rounds: usize, reachable: std::ops::RangeInclusive<u32>) {
    for (propagate, decide) in [(true, false), (false, false), (true, true)] {
        let mut options = Options::default();
        (options.propagate, options.decide) = (propagate, decide);
        let mut program = Program::new(kind, threads, rounds, options);
        for number in (0..=reachable.end() + 1).chain((0..=reachable.end() + 1).rev()) {
            let assumptions = program.equal(number);
            let outcome = program.solver.solve(&assumptions, &mut || false);
            let name = format!("{kind:?} {threads}×{rounds} = {number}");
            match outcome {
                Outcome::Sat(_) => assert!(reachable.contains(&number), "{name} is sat"),
                Outcome::Unsat(core) => {
                    assert!(!reachable.contains(&number), "{name} is unsat");
                    assert!(core.iter().all(|lit| assumptions.contains(lit)));
                    let again = program.solver.solve(&core, &mut || false);
                    assert!(matches!(again, Outcome::Unsat(_)), "{name}: wrong core");
                }
                other => unreachable!("{name}: {other:?}"),
            }
        }
    }
}

#[test]
fn plain_increments_lose_all_but_two() {
    check(Kind::Plain, 2, 1, 1..=2);
    check(Kind::Plain, 3, 1, 1..=3);
    check(Kind::Plain, 2, 4, 2..=8);
    check(Kind::Plain, 3, 2, 2..=6);
}

#[test]
fn atomic_increments_lose_nothing() {
    check(Kind::Atomic, 4, 1, 4..=4);
    check(Kind::Atomic, 2, 4, 8..=8);
}

#[test]
fn locked_increments_lose_nothing() {
    check(Kind::Locked, 4, 1, 4..=4);
    check(Kind::Locked, 2, 4, 8..=8);
}
