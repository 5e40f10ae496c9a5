//! How the solver scales: threads that increment one variable, and a question about its final value.
//!
//! `cargo run --release -p unravel-solver --example scale [seconds per question]`

mod program;

use program::{Kind, Program};
use std::time::{Duration, Instant};
use unravel_solver::{ClauseSink, Lit, Options, Outcome};

/// What is asked about the final value.
#[derive(Clone, Copy, Debug)]
enum Question {
    Is(u32),
    IsNot(u32),
}

fn ask(program: &mut Program, question: Question) {
    match question {
        Question::Is(number) => {
            for lit in program.equal(number) {
                program.solver.clause(&[lit]);
            }
        }
        Question::IsNot(number) => {
            let differ: Vec<Lit> = program.equal(number).iter().map(|&lit| !lit).collect();
            program.solver.clause(&differ);
        }
    }
}

fn measure(kind: Kind, threads: usize, rounds: usize, question: Question, limit: Duration) {
    print!("{kind:?} {threads}×{rounds} {question:?}:");
    for (name, propagate, decide) in [
        ("default", true, false),
        ("no propagation", false, false),
        ("decide", true, true),
        ("decide, no propagation", false, true),
    ] {
        let options = Options { propagate, decide, ..Options::default() };
        let mut program = Program::new(kind, threads, rounds, options);
        ask(&mut program, question);
        let begin = Instant::now();
        let outcome = program.solver.solve(&[], &mut || begin.elapsed() > limit);
        let verdict = match outcome {
            Outcome::Sat(_) => "sat",
            Outcome::Unsat(_) => "unsat",
            Outcome::Stopped => "stopped",
            Outcome::Broken(_) => "BROKEN",
        };
        let stats = program.solver.stats();
        print!(
            "  {name} {verdict} {:.3} s ({} conflicts, {} of the theory, {} propagations, {} rounds)",
            begin.elapsed().as_secs_f64(),
            stats.solver_conflicts,
            stats.theory_conflicts,
            stats.theory_propagations,
            stats.refinements,
        );
    }
    println!();
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10);
    let limit = Duration::from_secs(seconds);
    for threads in 2..=5 {
        for rounds in [1, 3, 5] {
            let total = (threads * rounds) as u32;
            let unreachable = if rounds == 1 { 0 } else { 1 };
            measure(Kind::Plain, threads, rounds, Question::Is(total), limit);
            measure(Kind::Plain, threads, rounds, Question::Is(2), limit);
            measure(Kind::Plain, threads, rounds, Question::Is(unreachable), limit);
            measure(Kind::Atomic, threads, rounds, Question::IsNot(total), limit);
            measure(Kind::Locked, threads, rounds, Question::IsNot(total), limit);
        }
    }
}
