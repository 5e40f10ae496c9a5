//! Folding never changes a value: random terms against a tape that does not fold.

mod common;

use common::plain::Op;
use common::{Random, Tape};
use unravel_term::{Evaluator, VarId};

/// What a line was made from, for a message.
fn describe(tape: &Tape, index: usize) -> String {
    let line = tape.lines[index];
    let parts: Vec<String> = line
        .operands
        .iter()
        .map(|&i| format!("{:?}:{:?}", tape.lines[i].term, tape.terms.node(tape.lines[i].term)))
        .collect();
    let node = tape.terms.node(line.term);
    format!("{:?} of width {} on {parts:?} became {node:?}", line.op, line.width)
}

/// Checks values and bounds of every line under one assignment.
fn check(tape: &Tape, vars: &[u128]) {
    let expected = tape.values(vars);
    let environment = |var: VarId| vars[var.0 as usize];
    let mut evaluator = Evaluator::new(&tape.terms, &environment);
    for (index, line) in tape.lines.iter().enumerate() {
        let value = evaluator.value(line.term);
        assert_eq!(value, expected[index], "{} under {vars:?}", describe(tape, index));
        let (low, high) = tape.terms.range(line.term);
        assert!(low <= value && value <= high, "bounds: {}", describe(tape, index));
    }
}

fn run(seed: u64, tapes: usize, lines: usize, var_widths: &[u16], widths: &[u16]) {
    let mut random = Random(seed);
    for _ in 0..tapes {
        let mut tape = Tape::new(var_widths);
        for _ in 0..lines {
            tape.grow(&mut random, widths);
        }
        for _ in 0..12 {
            let vars: Vec<u128> = var_widths.iter().map(|&w| random.number(w)).collect();
            check(&tape, &vars);
        }
    }
}

#[test]
fn mixed_widths() {
    let widths = [1, 3, 7, 8, 16, 32, 64, 128];
    run(1, 600, 80, &[1, 1, 3, 7, 8, 8, 16, 32, 32, 64, 64, 128], &widths);
}

#[test]
fn every_width_alone() {
    for width in [1, 2, 3, 7, 8, 16, 32, 64, 127, 128] {
        run(u64::from(width) + 7, 250, 60, &[1, width, width], &[1, width, width]);
    }
}

#[test]
fn small_widths_meet_often() {
    run(3, 1500, 70, &[1, 1, 2, 2, 4], &[1, 2, 4, 4, 6]);
}

/// All assignments of two 3-bit variables and a condition.
#[test]
fn small_widths_exhaustively() {
    let mut random = Random(11);
    for _ in 0..150 {
        let mut tape = Tape::new(&[1, 3, 3]);
        for _ in 0..60 {
            tape.grow(&mut random, &[1, 3]);
        }
        for assignment in 0..128u128 {
            check(&tape, &[assignment & 1, (assignment >> 1) & 7, assignment >> 4]);
        }
    }
}

/// Connectives over five variables, under all assignments.
#[test]
fn guards_exhaustively() {
    let mut random = Random(5);
    for _ in 0..3000 {
        let mut tape = Tape::new(&[1; 5]);
        for _ in 0..60 {
            let [a, b, c] = [0; 3].map(|_| {
                let recent = tape.lines.len().min(if random.below(2) == 0 { 6 } else { 40 });
                tape.lines.len() - 1 - random.below(recent)
            });
            let ops =
                [Op::And, Op::Or, Op::Not, Op::And, Op::Or, Op::Xor, Op::Ite, Op::Implies, Op::Eq];
            let op = random.pick(&ops);
            tape.apply(op, 1, [a, b, c]);
        }
        for assignment in 0..32u128 {
            let vars: Vec<u128> = (0..5).map(|i| (assignment >> i) & 1).collect();
            check(&tape, &vars);
        }
    }
}

/// Choices between constants, compared and computed with: what merged paths leave.
#[test]
fn choices_of_constants() {
    let mut random = Random(17);
    let ops = [Op::Add, Op::Sub, Op::Mul, Op::Eq, Op::Ult, Op::Slt, Op::Udiv, Op::And, Op::Shl];
    for _ in 0..2000 {
        let mut tape = Tape::new(&[1, 1, 1, 8]);
        let mut values = vec![3];
        for _ in 0..30 {
            let c = random.below(3);
            let constant = random.number(8);
            let k = tape.constant(8, constant);
            let (a, b) = (random.pick(&values), random.pick(&values));
            let (a, b) = match random.below(3) {
                0 => (a, k),
                1 => (k, b),
                _ => (a, b),
            };
            values.push(tape.apply(Op::Ite, 8, [c, a, b]));
            let op = random.pick(&ops);
            let width = if op.is_predicate() { 1 } else { 8 };
            let line = tape.apply(op, width, [random.pick(&values), k, k]);
            if width == 8 {
                values.push(line);
            }
        }
        for _ in 0..16 {
            let bits = u128::from(random.next());
            check(&tape, &[bits & 1, (bits >> 1) & 1, (bits >> 2) & 1, random.number(8)]);
        }
    }
}

/// Sums of four variables, compared, under all assignments.
#[test]
fn sums_exhaustively() {
    let mut random = Random(23);
    let ops =
        [Op::Add, Op::Add, Op::Sub, Op::Neg, Op::Not, Op::Xor, Op::Mul, Op::Eq, Op::Eq, Op::Ult];
    for _ in 0..1000 {
        let mut tape = Tape::new(&[2; 4]);
        for _ in 0..40 {
            let [a, b] = [0; 2].map(|_| tape.some(&mut random, 2));
            let op = random.pick(&ops);
            tape.apply(op, if op.is_predicate() { 1 } else { 2 }, [a, b, b]);
        }
        for assignment in 0..256u128 {
            let vars: Vec<u128> = (0..4).map(|i| (assignment >> (2 * i)) & 3).collect();
            check(&tape, &vars);
        }
    }
}
