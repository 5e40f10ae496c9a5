//! Gates: constants folded, operands in normal order, every gate made once.

use unravel_solver::{ClauseSink, Lit};
use unravel_term::hash::FastMap;

/// A literal, negated if asked.
pub fn signed(lit: Lit, negated: bool) -> Lit {
    if negated { !lit } else { lit }
}

/// A gate of up to three inputs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
    Xor3([Lit; 3]),
    Majority([Lit; 3]),
}

/// The gates made so far and their outputs.
#[derive(Debug)]
pub struct Gates {
    truth: Lit,
    made: FastMap<Gate, Lit>,
    /// Conjunctions of more than two.
    wide: FastMap<Box<[Lit]>, Lit>,
}

impl Gates {
    /// With a literal that is always true.
    pub fn new(truth: Lit) -> Gates {
        Gates { truth, made: FastMap::default(), wide: FastMap::default() }
    }

    /// The literal that is always true.
    pub fn truth(&self) -> Lit {
        self.truth
    }

    /// Whether a literal is constant.
    pub fn is_constant(&self, lit: Lit) -> bool {
        self.value(lit).is_some()
    }

    /// The value of a literal, if it is constant.
    fn value(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.truth.var()).then_some(lit == self.truth)
    }

    /// The output of a gate: an old one, or a new one for which `clauses` are given, each made
    /// from it.
    fn output<const N: usize>(
        &mut self,
        sink: &mut dyn ClauseSink,
        gate: Gate,
        clauses: impl FnOnce(Lit) -> [[Lit; 3]; N],
    ) -> Lit {
        if let Some(&known) = self.made.get(&gate) {
            return known;
        }
        let out = sink.new_lit();
        self.made.insert(gate, out);
        for clause in clauses(out) {
            sink.clause(&clause);
        }
        out
    }

    /// Whether both hold.
    pub fn and2(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit) -> Lit {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (self.value(a), self.value(b)) {
            (Some(true), _) => return b,
            (_, Some(true)) => return a,
            (Some(false), _) | (_, Some(false)) => return !self.truth,
            _ if a == b => return a,
            _ if a == !b => return !self.truth,
            _ => {}
        }
        let gate = Gate::And(a, b);
        if let Some(&known) = self.made.get(&gate) {
            return known;
        }
        let out = sink.new_lit();
        self.made.insert(gate, out);
        sink.clause(&[!out, a]);
        sink.clause(&[!out, b]);
        sink.clause(&[out, !a, !b]);
        out
    }

    /// Whether either holds.
    pub fn or2(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit) -> Lit {
        !self.and2(sink, !a, !b)
    }

    /// Whether all hold.
    pub fn and(&mut self, sink: &mut dyn ClauseSink, lits: &[Lit]) -> Lit {
        let truth = self.truth;
        let mut lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != truth).collect();
        // By variable, so that opposite literals become neighbours.
        lits.sort_unstable_by_key(|lit| lit.index());
        lits.dedup();
        if lits.contains(&!truth) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return !truth;
        }
        match lits[..] {
            [] => truth,
            [only] => only,
            [a, b] => self.and2(sink, a, b),
            _ => self.and_wide(sink, lits),
        }
    }

    fn and_wide(&mut self, sink: &mut dyn ClauseSink, mut lits: Vec<Lit>) -> Lit {
        if let Some(&known) = self.wide.get(lits.as_slice()) {
            return known;
        }
        let out = sink.new_lit();
        self.wide.insert(lits.clone().into_boxed_slice(), out);
        for lit in &mut lits {
            sink.clause(&[!out, *lit]);
            *lit = !*lit;
        }
        lits.push(out);
        sink.clause(&lits);
        out
    }

    /// Whether any holds.
    pub fn or(&mut self, sink: &mut dyn ClauseSink, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.and(sink, &negated)
    }

    /// Whether exactly one holds.
    pub fn xor2(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit) -> Lit {
        match (self.value(a), self.value(b)) {
            (Some(a), _) => return signed(b, a),
            (_, Some(b)) => return signed(a, b),
            _ if a.var() == b.var() => return signed(self.truth, a == b),
            _ => {}
        }
        let odd = a.is_positive() != b.is_positive();
        let (mut a, mut b) = (Lit::positive(a.var()), Lit::positive(b.var()));
        if b < a {
            (a, b) = (b, a);
        }
        let out = self.output(sink, Gate::Xor(a, b), |out| {
            [[!out, a, b], [!out, !a, !b], [out, !a, b], [out, a, !b]]
        });
        signed(out, odd)
    }

    /// `a` if `c` holds, else `b`.
    pub fn ite(&mut self, sink: &mut dyn ClauseSink, c: Lit, a: Lit, b: Lit) -> Lit {
        if !c.is_positive() {
            return self.ite(sink, !c, b, a);
        }
        match (self.value(c), self.value(a), self.value(b)) {
            (Some(c), _, _) => return if c { a } else { b },
            (_, Some(true), _) => return self.or2(sink, c, b),
            (_, Some(false), _) => return self.and2(sink, !c, b),
            (_, _, Some(true)) => return self.or2(sink, !c, a),
            (_, _, Some(false)) => return self.and2(sink, c, a),
            _ => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return self.xor2(sink, c, b);
        }
        // The condition again in a branch is a constant there.
        if a.var() == c.var() {
            let a = signed(self.truth, a != c);
            return self.ite(sink, c, a, b);
        }
        if b.var() == c.var() {
            let b = signed(self.truth, b == c);
            return self.ite(sink, c, a, b);
        }
        let negated = !a.is_positive();
        let (a, b) = (signed(a, negated), signed(b, negated));
        // The last two follow from the others, but not by unit propagation.
        let out = self.output(sink, Gate::Ite(c, a, b), |out| {
            [[!c, !a, out], [!c, a, !out], [c, !b, out], [c, b, !out], [!a, !b, out], [a, b, !out]]
        });
        signed(out, negated)
    }

    /// Whether one or three hold: the sum of a full adder.
    pub fn xor3(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit, c: Lit) -> Lit {
        let is_simple = |x: Lit, y: Lit, t: Lit| x.var() == y.var() || x.var() == t.var();
        let truth = self.truth;
        if is_simple(a, b, truth) || is_simple(b, c, truth) || is_simple(c, a, truth) {
            // In an order that folds first.
            let (x, y, z) = if is_simple(a, b, truth) {
                (a, b, c)
            } else if is_simple(b, c, truth) {
                (b, c, a)
            } else {
                (c, a, b)
            };
            let first = self.xor2(sink, x, y);
            return self.xor2(sink, first, z);
        }
        let odd = a.is_positive() ^ b.is_positive() ^ c.is_positive();
        let mut inputs = [a, b, c].map(|lit| Lit::positive(lit.var()));
        inputs.sort_unstable();
        let gate = Gate::Xor3(inputs);
        let out = match self.made.get(&gate) {
            Some(&known) => known,
            None => {
                let out = sink.new_lit();
                self.made.insert(gate, out);
                let [x, y, z] = inputs;
                for signs in 0..8u8 {
                    let [p, q, r] = [signs & 1 == 1, signs & 2 == 2, signs & 4 == 4];
                    // The inputs are p, q, r in this line of the table.
                    let line =
                        [signed(x, p), signed(y, q), signed(z, r), signed(out, !(p ^ q ^ r))];
                    sink.clause(&line);
                }
                out
            }
        };
        signed(out, !odd)
    }

    /// Whether at least two hold: the carry of a full adder.
    pub fn majority(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit, c: Lit) -> Lit {
        for (x, y, z) in [(a, b, c), (b, c, a), (c, a, b)] {
            match self.value(x) {
                Some(true) => return self.or2(sink, y, z),
                Some(false) => return self.and2(sink, y, z),
                None if x == y => return x,
                None if x == !y => return z,
                None => {}
            }
        }
        let mut inputs = [a, b, c];
        inputs.sort_unstable_by_key(|lit| lit.index());
        // The majority of negations is the negated majority.
        let negated = !inputs[0].is_positive();
        let inputs = inputs.map(|lit| signed(lit, negated));
        let [x, y, z] = inputs;
        let out = self.output(sink, Gate::Majority(inputs), |out| {
            [[!x, !y, out], [!x, !z, out], [!y, !z, out], [x, y, !out], [x, z, !out], [y, z, !out]]
        });
        signed(out, negated)
    }
}
