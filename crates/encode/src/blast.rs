//! Bit-blasting: terms as clauses.
//!
//! A solver knows only true and false, so a term of *n* bits becomes *n* literals, low bit first,
//! tied to its operands' literals by clauses that describe a circuit: gates for the connectives,
//! a ripple-carry adder for `+`, and so on. The encoding is Tseitin's: every gate's output is a
//! variable equal to the gate's function in both directions, so the literals of the variables
//! decide, by unit propagation, the literals of everything else.
//!
//! - `gates`: the gates, each made once, with constants folded;
//! - `arith`: adders, multipliers, dividers, shifters, comparisons out of gates;
//! - here: the walk over the terms.
//!
//! # Cost, in clauses, for width *n*
//!
//! | operation | clauses |
//! |---|---|
//! | not, slices, extensions | none |
//! | and, or | 3*n*, and *k* + 1 for a connective of *k* truth values |
//! | ite | 6*n* |
//! | = with a constant | 3*n*/2; 12 where all but the lowest byte were compared before |
//! | = | 5*n* |
//! | <, signed or not | 6*n* |
//! | + , - | 14*n*; 7*n* with a constant |
//! | · | 17*n*²/2; with a constant, one addition for each run of ones or zeros |
//! | /, % | 20*n*²/2 for both together |
//! | shift by a term | 6*n* log *n* |

mod arith;
mod gates;
#[cfg(test)]
mod tests;

use unravel_solver::{ClauseSink, Lit};
use unravel_term::hash::FastMap;
use unravel_term::{Node, Term, Terms, VarId};

use arith::Circuit;
use gates::{Gates, signed};

/// No literals yet.
const NOWHERE: u32 = u32::MAX;

/// Most operands of one connective: longer ones are split, as a clause that long is of little use.
const WIDEST_GATE: usize = 48;

/// Turns terms into literals and remembers those it has made.
#[derive(Debug)]
pub struct Blaster {
    gates: Gates,
    /// The literals of all terms, one after the other.
    literals: Vec<Lit>,
    /// Where each term's literals begin.
    places: Vec<u32>,
    vars: FastMap<VarId, (u32, u16)>,
    /// Bits of variables that are constant: which, and their values.
    fixed: FastMap<VarId, (u128, u128)>,
}

impl Blaster {
    /// With a literal that the sink knows to be true.
    #[must_use]
    pub fn new(truth: Lit) -> Blaster {
        Blaster {
            gates: Gates::new(truth),
            literals: Vec::new(),
            places: Vec::new(),
            vars: FastMap::default(),
            fixed: FastMap::default(),
        }
    }

    /// Makes the bits of a mask constant in a variable, before any term that has it is blasted.
    pub fn fix(&mut self, var: VarId, known: u128, bits: u128) {
        debug_assert!(!self.vars.contains_key(&var));
        self.fixed.insert(var, (known, bits));
    }

    /// Bits of variables that are constant: which, and their values.
    #[must_use]
    pub fn fixed(&self) -> &FastMap<VarId, (u128, u128)> {
        &self.fixed
    }

    /// The literal that is always true.
    #[must_use]
    pub fn truth(&self) -> Lit {
        self.gates.truth()
    }

    /// The literal of a term of width 1.
    pub fn lit(&mut self, terms: &Terms, sink: &mut dyn ClauseSink, term: Term) -> Lit {
        debug_assert!(terms.width(term) == 1);
        self.blast(terms, sink, term);
        self.known(terms, term)[0]
    }

    /// The literals of a term, low bit first.
    pub fn bits(&mut self, terms: &Terms, sink: &mut dyn ClauseSink, term: Term) -> Vec<Lit> {
        self.blast(terms, sink, term);
        self.known(terms, term).to_vec()
    }

    /// The literals of a variable, low bit first, if some term that was blasted has it.
    #[must_use]
    pub fn var_bits(&self, var: VarId) -> Option<&[Lit]> {
        let &(start, width) = self.vars.get(&var)?;
        self.literals.get(start as usize..start as usize + usize::from(width))
    }

    /// Whether all hold.
    pub fn and(&mut self, sink: &mut dyn ClauseSink, lits: &[Lit]) -> Lit {
        self.gates.and(sink, lits)
    }

    /// Whether any holds.
    pub fn or(&mut self, sink: &mut dyn ClauseSink, lits: &[Lit]) -> Lit {
        self.gates.or(sink, lits)
    }

    /// Whether exactly one holds.
    pub fn xor2(&mut self, sink: &mut dyn ClauseSink, a: Lit, b: Lit) -> Lit {
        self.gates.xor2(sink, a, b)
    }

    /// `a` if `c` holds, else `b`.
    pub fn ite(&mut self, sink: &mut dyn ClauseSink, c: Lit, a: Lit, b: Lit) -> Lit {
        self.gates.ite(sink, c, a, b)
    }

    fn is_known(&self, term: Term) -> bool {
        self.places.get(term.index()).is_some_and(|&place| place != NOWHERE)
    }

    /// The literals of a term that was blasted.
    fn known(&self, terms: &Terms, term: Term) -> &[Lit] {
        let start = self.places[term.index()] as usize;
        &self.literals[start..start + usize::from(terms.width(term))]
    }

    /// Parts before wholes, with a stack of its own: terms are deep.
    fn blast(&mut self, terms: &Terms, sink: &mut dyn ClauseSink, term: Term) {
        if self.places.len() < terms.len() {
            self.places.resize(terms.len(), NOWHERE);
        }
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.is_known(top) {
                stack.pop();
                continue;
            }
            let parts = self.parts(terms, top);
            let missing = parts.iter().map(|&(part, _)| part).filter(|&part| !self.is_known(part));
            let before = stack.len();
            stack.extend(missing);
            if stack.len() == before {
                let bits = self.build(terms, sink, top, &parts);
                self.remember(terms, top, &bits);
                stack.pop();
            }
        }
    }

    fn remember(&mut self, terms: &Terms, term: Term, bits: &[Lit]) {
        debug_assert!(bits.len() == usize::from(terms.width(term)));
        let start = self.literals.len() as u32;
        self.literals.extend_from_slice(bits);
        self.places[term.index()] = start;
        if let Node::Var(var) = terms.node(term) {
            self.vars.insert(var, (start, terms.width(term)));
        }
    }

    /// The terms whose literals are needed, and for connectives whether they come in negated.
    fn parts(&self, terms: &Terms, term: Term) -> Vec<(Term, bool)> {
        let node = terms.node(term);
        match node {
            Node::And(..) | Node::Or(..) if terms.width(term) == 1 => self.conjuncts(terms, term),
            // One adder does a subtraction.
            Node::Add(a, b) => match (terms.node(a), terms.node(b)) {
                (_, Node::Neg(b)) => vec![(a, false), (b, true)],
                (Node::Neg(a), _) => vec![(b, false), (a, true)],
                _ => vec![(a, false), (b, false)],
            },
            _ => node.children().as_slice().iter().map(|&part| (part, false)).collect(),
        }
    }

    /// The operands of one wide gate: inner connectives that nothing else uses are dissolved.
    /// A disjunction is a negated conjunction of negations, so for it all signs are flipped.
    fn conjuncts(&self, terms: &Terms, term: Term) -> Vec<(Term, bool)> {
        let mut leaves = Vec::new();
        let mut pending = vec![(term, matches!(terms.node(term), Node::Or(..)))];
        while let Some((mut part, mut negated)) = pending.pop() {
            let mut dissolves = part == term || terms.parents(part) == 1;
            if let Node::Not(inner) = terms.node(part) {
                (part, negated) = (inner, !negated);
                dissolves &= terms.parents(part) == 1;
            }
            let full = leaves.len() + pending.len() + 2 > WIDEST_GATE;
            match terms.node(part) {
                Node::And(a, b) if !negated && dissolves && !full && !self.is_known(part) => {
                    pending.extend([(b, negated), (a, negated)]);
                }
                Node::Or(a, b) if negated && dissolves && !full && !self.is_known(part) => {
                    pending.extend([(b, negated), (a, negated)]);
                }
                _ => leaves.push((part, negated)),
            }
        }
        leaves
    }

    fn build(
        &mut self,
        terms: &Terms,
        sink: &mut dyn ClauseSink,
        term: Term,
        parts: &[(Term, bool)],
    ) -> Vec<Lit> {
        let width = usize::from(terms.width(term));
        let node = terms.node(term);
        if let Node::Var(var) = node {
            let (known, bits) = self.fixed.get(&var).copied().unwrap_or_default();
            let bit = |i: usize| match known >> i & 1 {
                0 => sink.new_lit(),
                _ => signed(self.truth(), bits >> i & 1 == 0),
            };
            return (0..width).map(bit).collect();
        }
        if let Node::And(..) | Node::Or(..) = node
            && width == 1
        {
            let lits: Vec<Lit> = parts
                .iter()
                .map(|&(part, negated)| signed(self.known(terms, part)[0], negated))
                .collect();
            let all = self.gates.and(sink, &lits);
            return vec![signed(all, matches!(node, Node::Or(..)))];
        }
        let operand = |index: usize| -> &[Lit] {
            parts.get(index).map_or(&[], |&(part, _)| {
                let start = self.places[part.index()] as usize;
                &self.literals[start..start + usize::from(terms.width(part))]
            })
        };
        let (a, b, c) = (operand(0), operand(1), operand(2));
        let mut circuit = Circuit { gates: &mut self.gates, sink };
        match node {
            Node::Const(bits) => (0..width).map(|i| circuit.constant(bits >> i & 1 == 1)).collect(),
            Node::Var(_) => Vec::new(),
            Node::Not(_) => a.iter().map(|&l| !l).collect(),
            Node::And(..) => circuit.zip(a, b, Circuit::and2),
            Node::Or(..) => circuit.zip(a, b, Circuit::or2),
            Node::Xor(..) => circuit.zip(a, b, Circuit::xor2),
            Node::Ite(..) => circuit.choose(a[0], b, c),
            Node::Eq(..) => vec![circuit.equal(a, b)],
            Node::Ult(..) => vec![circuit.less(a, b)],
            Node::Slt(..) => vec![circuit.less_signed(a, b)],
            Node::Add(..) if parts[1].1 => circuit.subtract(a, b),
            Node::Add(..) => circuit.sum(a, b),
            Node::Neg(_) => circuit.negate(a),
            Node::Mul(..) => circuit.multiply(a, b),
            Node::Udiv(..) => circuit.divide(a, b).0,
            Node::Urem(..) => circuit.divide(a, b).1,
            Node::Sdiv(..) => circuit.divide_signed(a, b).0,
            Node::Srem(..) => circuit.divide_signed(a, b).1,
            Node::Shl(..) => circuit.shift_left(a, b),
            Node::Lshr(..) => circuit.shift_right(a, b, false),
            Node::Ashr(..) => circuit.shift_right(a, b, true),
            Node::Extract { low, .. } => a[usize::from(low)..][..width].to_vec(),
            Node::Concat { .. } => [b, a].concat(),
            Node::ZeroExtend(_) => circuit.extended(a, width, false),
            Node::SignExtend(_) => circuit.extended(a, width, true),
        }
    }
}
