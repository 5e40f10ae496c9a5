//! What a term is made of.

use std::fmt;

/// A term: its place in the pool that made it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(pub(crate) u32);

impl Term {
    /// Its place: from 0, smaller than that of every term it is a part of.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// A variable: something the solver chooses.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// The top of a term. Its width is kept beside it ([`crate::Terms::width`]).
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number, its bits above the width 0.
    Const(u128),
    /// A variable.
    Var(VarId),
    /// Every bit flipped.
    Not(Term),
    /// Bitwise and.
    And(Term, Term),
    /// Bitwise or.
    Or(Term, Term),
    /// Bitwise exclusive or.
    Xor(Term, Term),
    /// The second if the first (of width 1) holds, else the third.
    Ite(Term, Term, Term),
    /// Whether both are equal.
    Eq(Term, Term),
    /// Whether the first is less, as unsigned numbers.
    Ult(Term, Term),
    /// Whether the first is less, as signed numbers.
    Slt(Term, Term),
    /// The sum of two terms.
    Add(Term, Term),
    /// Negated in two's complement.
    Neg(Term),
    /// The product of two terms.
    Mul(Term, Term),
    /// Unsigned quotient.
    Udiv(Term, Term),
    /// Unsigned remainder.
    Urem(Term, Term),
    /// Signed quotient, toward zero.
    Sdiv(Term, Term),
    /// Signed remainder, with the dividend's sign.
    Srem(Term, Term),
    /// Shifted left by the second.
    Shl(Term, Term),
    /// Shifted right by the second, zeros coming in.
    Lshr(Term, Term),
    /// Shifted right by the second, copies of the sign coming in.
    Ashr(Term, Term),
    /// Some of the bits, beginning with `low`.
    Extract {
        /// Of what.
        of: Term,
        /// The lowest bit taken.
        low: u16,
    },
    /// One after the other.
    Concat {
        /// The upper bits.
        high: Term,
        /// The lower bits.
        low: Term,
    },
    /// Zeros above.
    ZeroExtend(Term),
    /// Copies of the sign above.
    SignExtend(Term),
}

/// The parts of a node, at most three.
#[derive(Copy, Clone, Debug)]
pub struct Children {
    parts: [Term; 3],
    count: usize,
}

impl Children {
    fn of(list: &[Term]) -> Children {
        let mut parts = [Term(0); 3];
        parts[..list.len()].copy_from_slice(list);
        Children { parts, count: list.len() }
    }

    /// As a slice, in the order of the node's fields.
    #[must_use]
    pub fn as_slice(&self) -> &[Term] {
        &self.parts[..self.count]
    }
}

impl Node {
    /// Its parts.
    #[must_use]
    pub fn children(self) -> Children {
        match self {
            Node::Const(_) | Node::Var(_) => Children::of(&[]),
            Node::Not(a) | Node::Neg(a) | Node::ZeroExtend(a) | Node::SignExtend(a) => {
                Children::of(&[a])
            }
            Node::Extract { of, .. } => Children::of(&[of]),
            Node::Concat { high, low } => Children::of(&[high, low]),
            Node::Ite(c, a, b) => Children::of(&[c, a, b]),
            Node::And(a, b)
            | Node::Or(a, b)
            | Node::Xor(a, b)
            | Node::Eq(a, b)
            | Node::Ult(a, b)
            | Node::Slt(a, b)
            | Node::Add(a, b)
            | Node::Mul(a, b)
            | Node::Udiv(a, b)
            | Node::Urem(a, b)
            | Node::Sdiv(a, b)
            | Node::Srem(a, b)
            | Node::Shl(a, b)
            | Node::Lshr(a, b)
            | Node::Ashr(a, b) => Children::of(&[a, b]),
        }
    }
}
