//! Circuits against the meaning of terms.
//!
//! A circuit is a function of its inputs, so with the literals of the variables set, unit
//! propagation alone must set every other literal, without a conflict, to the right value.

use unravel_solver::{ClauseSink, Lit};
use unravel_term::{Evaluator, Node, Term, Terms, VarId};

use super::Blaster;

/// A list of clauses with unit propagation.
#[derive(Default)]
struct Clauses {
    vars: u32,
    clauses: Vec<Vec<Lit>>,
    /// The clauses with each literal.
    occurrences: Vec<Vec<usize>>,
}

impl ClauseSink for Clauses {
    fn new_lit(&mut self) -> Lit {
        self.vars += 1;
        Lit::positive(self.vars)
    }

    fn clause(&mut self, lits: &[Lit]) {
        for lit in lits {
            if self.occurrences.len() <= lit.index() + 1 {
                self.occurrences.resize(lit.index() + 2, Vec::new());
            }
            self.occurrences[lit.index()].push(self.clauses.len());
        }
        self.clauses.push(lits.to_vec());
    }
}

impl Clauses {
    /// The literals that follow from these, as a table by index.
    fn propagate(&self, units: &[Lit]) -> Vec<bool> {
        let mut holds = vec![false; 2 * self.vars as usize + 2];
        let single = self.clauses.iter().filter(|clause| clause.len() == 1).map(|clause| clause[0]);
        let mut queue: Vec<Lit> = units.iter().copied().chain(single).collect();
        while let Some(lit) = queue.pop() {
            assert!(!holds[(!lit).index()], "conflict at {lit:?}");
            if std::mem::replace(&mut holds[lit.index()], true) {
                continue;
            }
            for &index in self.occurrences.get((!lit).index()).map_or(&[][..], |list| list) {
                let clause = &self.clauses[index];
                if clause.iter().any(|l| holds[l.index()]) {
                    continue;
                }
                let mut open = clause.iter().filter(|&&l| !holds[(!l).index()]);
                match (open.next(), open.next()) {
                    (None, _) => panic!("conflict in {clause:?}"),
                    (Some(&last), None) => queue.push(last),
                    _ => {}
                }
            }
        }
        holds
    }
}

/// Terms, their circuits, and the clauses.
struct Blasted {
    terms: Terms,
    clauses: Clauses,
    blaster: Blaster,
}

impl Blasted {
    fn new() -> Blasted {
        let mut clauses = Clauses::default();
        let truth = clauses.new_lit();
        clauses.clause(&[truth]);
        Blasted { terms: Terms::new(), clauses, blaster: Blaster::new(truth) }
    }

    /// The number of clauses for one more term.
    fn cost(&mut self, term: Term) -> usize {
        let before = self.clauses.clauses.len();
        self.bits(term);
        self.clauses.clauses.len() - before
    }

    fn bits(&mut self, term: Term) -> Vec<Lit> {
        self.blaster.bits(&self.terms, &mut self.clauses, term)
    }

    /// Checks the literals of these terms under values of the variables.
    fn check(&mut self, wanted: &[Term], vars: &[u128]) {
        let bits: Vec<Vec<Lit>> = wanted.iter().map(|&term| self.bits(term)).collect();
        let mut units = Vec::new();
        for (var, value) in vars.iter().enumerate() {
            let lits = self.blaster.var_bits(VarId(var as u32)).unwrap_or(&[]);
            let value = |i: usize| (value >> i) & 1 == 1;
            units.extend(lits.iter().enumerate().map(|(i, &l)| if value(i) { l } else { !l }));
        }
        let holds = self.clauses.propagate(&units);
        let environment = |var: VarId| vars[var.0 as usize];
        let mut evaluator = Evaluator::new(&self.terms, &environment);
        for (&term, bits) in wanted.iter().zip(&bits) {
            let value = evaluator.value(term);
            for (i, lit) in bits.iter().enumerate() {
                let expected = if (value >> i) & 1 == 1 { *lit } else { !*lit };
                let node = self.terms.node(term);
                assert!(holds[expected.index()], "bit {i} of {node:?} = {value} under {vars:?}");
            }
        }
    }
}

type Binary = fn(&mut Terms, Term, Term) -> Term;

const BINARY: [Binary; 13] = [
    Terms::and,
    Terms::or,
    Terms::xor,
    Terms::add,
    Terms::sub,
    Terms::mul,
    Terms::udiv,
    Terms::urem,
    Terms::sdiv,
    Terms::srem,
    Terms::shl,
    Terms::lshr,
    Terms::ashr,
];

const PREDICATES: [Binary; 7] =
    [Terms::eq, Terms::ne, Terms::ult, Terms::ule, Terms::slt, Terms::sle, Terms::sgt];

/// Every operation on all pairs of 4-bit numbers, both variable.
#[test]
fn all_4_bit_operands() {
    let mut bench = Blasted::new();
    let (x, y, c) = (bench.terms.var(4), bench.terms.var(4), bench.terms.var(1));
    let t = &mut bench.terms;
    let mut wanted: Vec<Term> =
        BINARY.iter().chain(&PREDICATES).map(|operation| operation(t, x, y)).collect();
    wanted.extend([t.not(x), t.neg(x), t.ite(c, x, y), t.concat(x, y)]);
    wanted.extend([t.extract(x, 1, 2), t.zext(x, 9), t.sext(x, 9)]);
    for value in 0..512 {
        bench.check(&wanted, &[value & 15, (value >> 4) & 15, value >> 8]);
    }
}

/// Every operation with every 4-bit constant on either side.
#[test]
fn all_4_bit_constants() {
    let mut bench = Blasted::new();
    let x = bench.terms.var(4);
    let t = &mut bench.terms;
    let mut wanted = Vec::new();
    for bits in 0..16 {
        let k = t.constant(4, bits);
        for operation in BINARY.iter().chain(&PREDICATES) {
            wanted.push(operation(t, x, k));
            wanted.push(operation(t, k, x));
        }
    }
    for value in 0..16 {
        bench.check(&wanted, &[value]);
    }
}

/// A small random generator (xorshift), so that failures repeat.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 20) as usize % bound
    }

    fn number(&mut self, width: u16) -> u128 {
        let number = match self.below(4) {
            0 => self.below(4) as u128,
            1 => (self.below(4) as u128).wrapping_neg(),
            2 => 1 << self.below(usize::from(width)),
            _ => (u128::from(self.next()) << 64) | u128::from(self.next()),
        };
        number & (u128::MAX >> (128 - width))
    }
}

/// One more random term of this width, or of width 1.
fn random_term(random: &mut Random, t: &mut Terms, words: &[Term], flags: &[Term]) -> Term {
    let width = t.width(words[0]);
    let (mut a, mut b) = (words[random.below(words.len())], words[random.below(words.len())]);
    let (p, q) = (flags[random.below(flags.len())], flags[random.below(flags.len())]);
    match random.below(5) {
        0 => a = t.constant(width, random.number(width)),
        1 => b = t.constant(width, random.number(width)),
        _ => {}
    }
    match random.below(10) {
        0..=3 => BINARY[random.below(13)](t, a, b),
        4 => PREDICATES[random.below(7)](t, a, b),
        5 | 6 => t.ite(p, a, b),
        7 => BINARY[random.below(3)](t, p, q),
        8 => {
            let kept = 1 + random.below(usize::from(width)) as u16;
            let part = t.extract(a, random.below(usize::from(width - kept) + 1) as u16, kept);
            if p < q { t.zext(part, width) } else { t.sext(part, width) }
        }
        _ => t.not(a),
    }
}

#[test]
fn random_terms() {
    let mut random = Random(1);
    for width in [2, 3, 7, 8, 13, 32, 64, 128] {
        for _ in 0..if width > 13 { 3 } else { 40 } {
            let mut bench = Blasted::new();
            let t = &mut bench.terms;
            let mut flags = vec![t.var(1), t.var(1)];
            let mut words = vec![t.var(width), t.var(width), t.var(width)];
            for _ in 0..25 {
                let term = random_term(&mut random, t, &words, &flags);
                if t.width(term) == 1 { &mut flags } else { &mut words }.push(term);
            }
            let wanted = [words, flags].concat();
            for _ in 0..6 {
                let bit = random.next();
                let mut vars = vec![u128::from(bit & 1), u128::from((bit >> 1) & 1)];
                vars.extend((0..3).map(|_| random.number(width)));
                bench.check(&wanted, &vars);
            }
        }
    }
}

#[test]
fn extended_operands() {
    let mut random = Random(9);
    let mut bench = Blasted::new();
    let t = &mut bench.terms;
    let (x, y, z) = (t.var(5), t.var(7), t.var(12));
    let (xs, xu, ys) = (t.sext(x, 12), t.zext(x, 12), t.sext(y, 12));
    let mut wanted = vec![t.mul(xs, ys), t.mul(xu, ys), t.mul(xs, z), t.mul(z, xu)];
    wanted.extend([t.udiv(xu, z), t.urem(xu, z), t.udiv(z, xu), t.urem(z, xu)]);
    wanted.extend([t.sdiv(xs, ys), t.srem(ys, xs), t.sdiv(z, xu), t.srem(z, xu)]);
    for _ in 0..300 {
        let vars = [random.number(5), random.number(7), random.number(12)];
        bench.check(&wanted, &vars);
    }
}

/// What a term costs, so that a change that makes circuits larger is noticed.
#[test]
fn small_circuits() {
    let mut bench = Blasted::new();
    let t = &mut bench.terms;
    let (x, y, z, c) = (t.var(32), t.var(32), t.var(32), t.var(1));
    let (k, ten) = (t.constant(32, 0x1234_5677), t.constant(32, 10));
    let near = t.constant(32, 0x1234_5688);
    let (wide, byte) = (t.sext(x, 64), t.extract(y, 0, 8));
    let other = t.sext(y, 64);
    let byte = t.zext(byte, 32);
    let cases = [
        ("x + 0x12345677", t.add(x, k), 217),
        ("x + y", t.add(x, y), 32 * 14),
        ("x - z", t.sub(x, z), 32 * 14),
        ("x = 0x12345677", t.eq(x, k), 4 * 9 + 3 * 3),
        ("x = 0x12345688, after that", t.eq(x, near), 9 + 3),
        ("x = y", t.eq(x, y), 32 * 5 + 1),
        ("x < y", t.ult(x, y), 32 * 6),
        ("x < 10, signed", t.slt(x, ten), 32 * 3),
        ("ite(c, x, y)", t.ite(c, x, y), 32 * 6),
        ("x · 10", t.mul(x, ten), 32 * 14),
        ("x · y", t.mul(x, y), 32 * 33 / 2 * 17),
        ("64-bit product of ints", t.mul(wide, other), 33 * 64 * 17),
        ("z · a byte", t.mul(z, byte), 8 * 32 * 17),
        ("z / a byte", t.udiv(z, byte), 9 * 32 * 20),
        ("x / y", t.udiv(x, y), 32 * 33 / 2 * 20 + 700),
        ("x % y, after x / y", t.urem(x, y), 0),
        ("x % 10", t.urem(x, ten), 2200),
        ("x << y", t.shl(x, y), 6 * 32 * 6),
    ];
    for (name, term, most) in cases {
        let cost = bench.cost(term);
        println!("{name}: {cost}");
        assert!(cost <= most, "{name} takes {cost} clauses, more than {most}");
    }
}

#[test]
fn what_is_fixed_folds() {
    let mut bench = Blasted::new();
    let (x, y) = (bench.terms.var(8), bench.terms.var(8));
    let Node::Var(var) = bench.terms.node(x) else { panic!("no variable") };
    bench.blaster.fix(var, u128::MAX, 0x5a);
    let sum = bench.terms.add(x, y);
    let three = bench.terms.constant(8, 3);
    let is_three = bench.terms.eq(x, three);
    assert_eq!(bench.cost(is_three), 0);
    bench.check(&[sum], &[0x5a, 0x17]);
}

#[test]
fn wide_connectives_are_one_gate() {
    let mut bench = Blasted::new();
    let vars: Vec<Term> = (0..20).map(|_| bench.terms.var(1)).collect();
    let all = bench.terms.and_all(&vars);
    assert_eq!(bench.cost(all), 21);
    // A prefix that is asked for later is its own gate; nothing else is made twice.
    let not_all = bench.terms.not(all);
    assert_eq!(bench.cost(not_all), 0);
}

#[test]
fn shared_prefixes_stay_gates() {
    let mut bench = Blasted::new();
    let mut guard = bench.terms.truth();
    let mut guards = Vec::new();
    for _ in 0..100 {
        let var = bench.terms.var(1);
        guard = bench.terms.and(guard, var);
        let other = bench.terms.var(8);
        let zero = bench.terms.constant(8, 0);
        guards.push(bench.terms.ite(guard, other, zero));
    }
    bench.cost(guards[99]);
    let total: usize = guards.iter().map(|&term| bench.cost(term)).sum();
    assert!(total <= 100 * (3 + 8 * 3), "{total}");
}

/// Depth costs no stack.
#[test]
fn deep_terms() {
    let mut bench = Blasted::new();
    let t = &mut bench.terms;
    let mut sum = t.var(2);
    for _ in 0..200_000 {
        let (c, x) = (t.var(1), t.var(2));
        sum = t.ite(c, x, sum);
    }
    assert_eq!(bench.bits(sum).len(), 2);
}

#[test]
fn gates_for_the_caller() {
    let mut clauses = Clauses::default();
    let truth = clauses.new_lit();
    clauses.clause(&[truth]);
    let mut blaster = Blaster::new(truth);
    let (a, b, c) = (clauses.new_lit(), clauses.new_lit(), clauses.new_lit());
    assert_eq!(blaster.and(&mut clauses, &[a, truth, a]), a);
    assert_eq!(blaster.and(&mut clauses, &[a, b, !a]), !truth);
    assert_eq!(blaster.or(&mut clauses, &[]), !truth);
    assert_eq!(blaster.xor2(&mut clauses, a, !a), truth);
    let both = blaster.and(&mut clauses, &[b, a]);
    assert_eq!(blaster.and(&mut clauses, &[a, b]), both);
    assert_eq!(blaster.or(&mut clauses, &[!a, !b]), !both);
    let odd = blaster.xor2(&mut clauses, a, b);
    assert_eq!(blaster.xor2(&mut clauses, !b, a), !odd);
    let choice = blaster.ite(&mut clauses, c, a, b);
    assert_eq!(blaster.ite(&mut clauses, !c, !b, !a), !choice);
    assert_eq!(blaster.ite(&mut clauses, c, c, b), blaster.or(&mut clauses, &[c, b]));
}
