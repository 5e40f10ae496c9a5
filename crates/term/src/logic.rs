//! Bitwise operations, which at width 1 are the connectives.
//!
//! `and` and `or` are each other's mirror image, so their rules are written once, for an
//! [`Op`] and operands seen as [`Literal`]s: with `Or`, read every ∧ as ∨ and the reverse.

use crate::value::mask;
use crate::{Node, Term, Terms};

/// One of the two mirrored operations.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Op {
    And,
    Or,
}

impl Op {
    fn other(self) -> Op {
        match self {
            Op::And => Op::Or,
            Op::Or => Op::And,
        }
    }
}

/// A term that is not a `Not`, and whether it is negated.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Literal {
    pub(crate) term: Term,
    pub(crate) negated: bool,
}

impl Literal {
    fn flip(self) -> Literal {
        Literal { negated: !self.negated, ..self }
    }
}

/// The two operands of an operation, as literals.
type Pair = [Literal; 2];

fn contains(pair: Option<Pair>, literal: Literal) -> bool {
    pair.is_some_and(|pair| pair.contains(&literal))
}

/// What is beside a literal in a pair.
fn beside(pair: Option<Pair>, literal: Literal) -> Option<Literal> {
    let [a, b] = pair?;
    if a == literal { Some(b) } else { (b == literal).then_some(a) }
}

impl Terms {
    /// Every bit flipped.
    pub fn not(&mut self, a: Term) -> Term {
        let width = self.width(a);
        match self.node(a) {
            Node::Const(bits) => self.constant(width, !bits),
            Node::Not(inner) => inner,
            _ if width > 1 => self
                .map_ite_of_constants(a, width, |x| !x)
                .unwrap_or_else(|| self.intern(Node::Not(a), width)),
            _ => self.intern(Node::Not(a), width),
        }
    }

    /// Bitwise and.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.combine(Op::And, a, b)
    }

    /// Bitwise or.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.combine(Op::Or, a, b)
    }

    /// Whether the second holds if the first does.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// Whether all hold.
    pub fn and_all(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.truth(), |all, &term| self.and(all, term))
    }

    /// Whether any holds.
    pub fn or_all(&mut self, terms: &[Term]) -> Term {
        terms.iter().fold(self.falsity(), |any, &term| self.or(any, term))
    }

    pub(crate) fn literal(&self, term: Term) -> Literal {
        match self.node(term) {
            Node::Not(inner) => Literal { term: inner, negated: true },
            _ => Literal { term, negated: false },
        }
    }

    fn of_literal(&mut self, literal: Literal) -> Term {
        if literal.negated { self.not(literal.term) } else { literal.term }
    }

    /// The operands, if a literal is this operation; ¬(a ∨ b) counts as ¬a ∧ ¬b.
    fn operands(&self, op: Op, literal: Literal) -> Option<Pair> {
        let wanted = if literal.negated { op.other() } else { op };
        let (a, b) = match self.node(literal.term) {
            Node::And(a, b) if wanted == Op::And => (a, b),
            Node::Or(a, b) if wanted == Op::Or => (a, b),
            _ => return None,
        };
        let (a, b) = (self.literal(a), self.literal(b));
        Some(if literal.negated { [a.flip(), b.flip()] } else { [a, b] })
    }

    fn combine(&mut self, op: Op, a: Term, b: Term) -> Term {
        debug_assert!(self.same_width(a, b));
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(bits) = self.as_const(b) {
            return self.combine_constant(op, a, bits, b);
        }
        let (x, y) = (self.literal(a), self.literal(b));
        if x.term == y.term {
            return self.opposite(op, a);
        }
        if let Some(term) = self.nested(|t| t.combine_rules(op, a, b)) {
            return term;
        }
        let width = self.width(a);
        if x.negated && y.negated {
            let (p, q) = self.ordered(x.term, y.term);
            let plain = self.intern_op(op.other(), p, q);
            return self.not(plain);
        }
        if op == Op::Or
            && width > 1
            && let Some(joined) = self.nested(|t| t.join_disjoint(a, b))
        {
            return joined;
        }
        self.intern_op(op, a, b)
    }

    fn intern_op(&mut self, op: Op, a: Term, b: Term) -> Term {
        let width = self.width(a);
        match op {
            Op::And => self.intern(Node::And(a, b), width),
            Op::Or => self.intern(Node::Or(a, b), width),
        }
    }

    /// What `x ∧ ¬x` is.
    fn opposite(&mut self, op: Op, like: Term) -> Term {
        let width = self.width(like);
        self.constant(width, if op == Op::And { 0 } else { mask(width) })
    }

    fn combine_constant(&mut self, op: Op, a: Term, bits: u128, constant: Term) -> Term {
        let width = self.width(a);
        let (absorbing, neutral) = match op {
            Op::And => (0, mask(width)),
            Op::Or => (mask(width), 0),
        };
        if bits == absorbing {
            return constant;
        }
        if bits == neutral {
            return a;
        }
        let apply = |x: u128, y: u128| if op == Op::And { x & y } else { x | y };
        if let Some(folded) = self.fold_constants(a, constant, apply) {
            return folded;
        }
        let inner = match (op, self.node(a)) {
            (Op::And, Node::And(x, k)) | (Op::Or, Node::Or(x, k)) => {
                self.as_const(k).map(|k| (x, k))
            }
            _ => None,
        };
        if let Some((x, k)) = inner {
            let both = self.constant(width, apply(k, bits));
            return self.combine(op, x, both);
        }
        if op == Op::And
            && let Some(slice) = self.nested(|t| t.mask_run(a, bits))
        {
            return slice;
        }
        self.intern_op(op, a, constant)
    }

    fn combine_rules(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.literal(a), self.literal(b));
        self.absorb(op, (a, x), (b, y))
            .or_else(|| self.absorb(op, (b, y), (a, x)))
            .or_else(|| self.combine_pairs(op, (a, x), (b, y)))
    }

    /// Rules where the second operand as a whole is found again in the first.
    fn absorb(&mut self, op: Op, (a, x): (Term, Literal), (b, y): (Term, Literal)) -> Option<Term> {
        if let Some(pair) = self.operands(op, x) {
            return self.absorb_same(op, (a, pair), (b, y));
        }
        let pair = self.operands(op.other(), x)?;
        self.absorb_other(op, pair, (b, y))
    }

    /// The first operand is of the same operation.
    fn absorb_same(
        &mut self,
        op: Op,
        (a, pair): (Term, Pair),
        (b, y): (Term, Literal),
    ) -> Option<Term> {
        // (y ∧ …) ∧ y, one or two levels down.
        let lower = pair.map(|part| self.operands(op, part));
        if pair.contains(&y) || lower.iter().any(|&part| contains(part, y)) {
            return Some(a);
        }
        if pair.contains(&y.flip()) || lower.iter().any(|&part| contains(part, y.flip())) {
            return Some(self.opposite(op, a));
        }
        // ((y ∨ p) ∧ q) ∧ y is q ∧ y; ((¬y ∨ p) ∧ q) ∧ y is p ∧ q ∧ y.
        for (part, rest) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let sides = self.operands(op.other(), part);
            if contains(sides, y) {
                let rest = self.of_literal(rest);
                return Some(self.combine(op, rest, b));
            }
            if let Some(side) = beside(sides, y.flip()) {
                let (rest, side) = (self.of_literal(rest), self.of_literal(side));
                let rest = self.combine(op, rest, b);
                return Some(self.combine(op, rest, side));
            }
        }
        None
    }

    /// The first operand is of the mirrored operation.
    fn absorb_other(&mut self, op: Op, pair: Pair, (b, y): (Term, Literal)) -> Option<Term> {
        // (y ∨ …) ∧ y is y; (¬y ∨ p) ∧ y is p ∧ y.
        let lower = pair.map(|part| self.operands(op.other(), part));
        if pair.contains(&y) || lower.iter().any(|&part| contains(part, y)) {
            return Some(b);
        }
        if let Some(rest) = beside(Some(pair), y.flip()) {
            let rest = self.of_literal(rest);
            return Some(self.combine(op, rest, b));
        }
        // ((y ∧ p) ∨ q) ∧ y is (p ∨ q) ∧ y; ((¬y ∧ p) ∨ q) ∧ y is q ∧ y.
        for (part, rest) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            let sides = self.operands(op, part);
            let rest = if contains(sides, y.flip()) {
                self.of_literal(rest)
            } else if let Some(side) = beside(sides, y) {
                let (side, rest) = (self.of_literal(side), self.of_literal(rest));
                self.combine(op.other(), side, rest)
            } else {
                continue;
            };
            return Some(self.combine(op, rest, b));
        }
        None
    }

    /// Rules where parts of both operands meet.
    fn combine_pairs(
        &mut self,
        op: Op,
        (a, x): (Term, Literal),
        (b, y): (Term, Literal),
    ) -> Option<Term> {
        let (same_a, same_b) = (self.operands(op, x), self.operands(op, y));
        if let (Some(p), Some(q)) = (same_a, same_b) {
            if p.iter().any(|part| q.contains(&part.flip())) {
                return Some(self.opposite(op, a));
            }
            // (s ∧ p) ∧ (s ∧ q) is (s ∧ p) ∧ q.
            for part in p {
                if let Some(rest) = beside(same_b, part) {
                    let rest = self.of_literal(rest);
                    return Some(self.combine(op, a, rest));
                }
            }
        }
        let (dual_a, dual_b) = (self.operands(op.other(), x), self.operands(op.other(), y));
        if let (Some(p), Some(q)) = (dual_a, dual_b) {
            return self
                .factor(op, p, dual_b)
                .or_else(|| self.factor_deeper(op, p, q))
                .or_else(|| self.factor_deeper(op, q, p));
        }
        if let (Some(p), Some(_)) = (same_a, dual_b) {
            return self.absorb_part(op, (a, p), (b, dual_b));
        }
        if let (Some(q), Some(_)) = (same_b, dual_a) {
            return self.absorb_part(op, (b, q), (a, dual_a));
        }
        None
    }

    /// (s ∨ p) ∧ (s ∨ q) is s ∨ (p ∧ q). With q = ¬p, which is how two branches of a program meet
    /// again, it is s.
    fn factor(&mut self, op: Op, p: Pair, q: Option<Pair>) -> Option<Term> {
        for part in p {
            if let (Some(p), Some(q)) = (beside(Some(p), part), beside(q, part)) {
                let (p, q) = (self.of_literal(p), self.of_literal(q));
                let rest = self.combine(op, p, q);
                let part = self.of_literal(part);
                return Some(self.combine(op.other(), part, rest));
            }
        }
        None
    }

    /// ((s ∨ u) ∨ v) ∧ (s ∨ ¬u) is s ∨ (v ∧ ¬u): one branch has gone on before they meet.
    fn factor_deeper(&mut self, op: Op, p: Pair, q: Pair) -> Option<Term> {
        for (inner, v) in [(p[0], p[1]), (p[1], p[0])] {
            let Some([x, y]) = self.operands(op.other(), inner) else { continue };
            for (s, u) in [(x, y), (y, x)] {
                let Some(other) = beside(Some(q), s) else { continue };
                let kept = if other == u.flip() {
                    v
                } else if other == v.flip() {
                    u
                } else {
                    continue;
                };
                let [s, kept, other] = [s, kept, other].map(|literal| self.of_literal(literal));
                let rest = self.combine(op, kept, other);
                return Some(self.combine(op.other(), s, rest));
            }
        }
        None
    }

    /// (s ∧ p) ∧ (s ∨ q) is s ∧ p; (s ∧ p) ∧ (¬s ∨ q) is s ∧ p ∧ q.
    fn absorb_part(
        &mut self,
        op: Op,
        (a, p): (Term, Pair),
        (_, q): (Term, Option<Pair>),
    ) -> Option<Term> {
        for part in p {
            if contains(q, part) {
                return Some(a);
            }
            if let Some(rest) = beside(q, part.flip()) {
                let rest = self.of_literal(rest);
                return Some(self.combine(op, a, rest));
            }
        }
        None
    }
}
