//! Bounds of terms as unsigned numbers.
//!
//! Computed from the parts' bounds when a term is made, so asking costs a lookup. Most terms are
//! truth values or unbounded; only bounds narrower than the width are stored.

use crate::value::{mask, sext, sign_bit};
use crate::{Node, Term, Terms};

/// Least and greatest.
pub(crate) type Range = (u128, u128);

/// The smallest number of the form 2^k - 1 that is not below.
fn all_ones_above(number: u128) -> u128 {
    if number == 0 { 0 } else { u128::MAX >> number.leading_zeros() }
}

/// Sum of bounds, if either no pair of values wraps around or every pair does.
fn sum(width: u16, (a0, a1): Range, (b0, b1): Range) -> Option<Range> {
    let top = mask(width);
    let wraps = |x: u128, y: u128| y > top - x;
    match (wraps(a0, b0), wraps(a1, b1)) {
        (false, false) => Some((a0 + b0, a1 + b1)),
        (true, true) => Some((a0.wrapping_add(b0) & top, a1.wrapping_add(b1) & top)),
        _ => None,
    }
}

fn product(width: u16, (a0, a1): Range, (b0, b1): Range) -> Option<Range> {
    let high = a1.checked_mul(b1).filter(|&high| high <= mask(width))?;
    Some((a0 * b0, high))
}

fn shifted_left(width: u16, (a0, a1): Range, (b0, b1): Range) -> Option<Range> {
    let fits = b1 < u128::from(width) && (a1 << b1) >> b1 == a1 && a1 << b1 <= mask(width);
    fits.then(|| (a0 << b0, a1 << b1))
}

fn shifted_right(width: u16, (a0, a1): Range, (b0, b1): Range) -> Range {
    let shift = |x: u128, by: u128| if by >= u128::from(width) { 0 } else { x >> by };
    (shift(a0, b1), shift(a1, b0))
}

/// Bits `low..low + width` of numbers in the bounds.
fn slice((a0, a1): Range, low: u16, width: u16) -> Option<Range> {
    let (a0, a1) = (a0 >> low, a1 >> low);
    // What lies above the slice must be the same for both bounds, else the slice wraps.
    let same_above = width >= 128 || a0 >> width == a1 >> width;
    same_above.then(|| (a0 & mask(width), a1 & mask(width)))
}

fn sign_extended(from: u16, to: u16, (a0, a1): Range) -> Option<Range> {
    let same_sign = a1 < sign_bit(from) || a0 >= sign_bit(from);
    same_sign.then(|| (sext(from, to, a0), sext(from, to, a1)))
}

impl Terms {
    /// Bounds of a term's value as an unsigned number: least and greatest. They hold under every
    /// assignment; they need not be reached.
    #[must_use]
    pub fn range(&self, term: Term) -> (u128, u128) {
        match self.as_const(term) {
            Some(bits) => (bits, bits),
            None => self.narrow.get(&term).copied().unwrap_or_else(|| (0, mask(self.width(term)))),
        }
    }

    /// Whether the sign bit is known to be 0.
    #[must_use]
    pub fn is_non_negative(&self, term: Term) -> bool {
        self.range(term).1 < sign_bit(self.width(term))
    }

    /// Bounds of a node about to be made.
    pub(crate) fn range_of_node(&self, node: Node, width: u16) -> Range {
        self.narrow_range(node, width).unwrap_or((0, mask(width)))
    }

    fn narrow_range(&self, node: Node, width: u16) -> Option<Range> {
        let range = |t: Term| self.range(t);
        match node {
            Node::Const(bits) => Some((bits, bits)),
            Node::Not(a) => {
                let (low, high) = range(a);
                Some((mask(width) - high, mask(width) - low))
            }
            Node::And(a, b) => Some((0, range(a).1.min(range(b).1))),
            Node::Or(a, b) => {
                let ((a0, a1), (b0, b1)) = (range(a), range(b));
                Some((a0.max(b0), all_ones_above(a1 | b1)))
            }
            Node::Xor(a, b) => Some((0, all_ones_above(range(a).1 | range(b).1))),
            Node::Ite(_, a, b) => {
                let ((a0, a1), (b0, b1)) = (range(a), range(b));
                Some((a0.min(b0), a1.max(b1)))
            }
            Node::Add(a, b) => sum(width, range(a), range(b)),
            Node::Neg(a) => {
                let (low, high) = range(a);
                (low > 0).then(|| (mask(width) - high + 1, mask(width) - low + 1))
            }
            Node::Mul(a, b) => product(width, range(a), range(b)),
            Node::Udiv(a, b) => {
                let ((a0, a1), (b0, b1)) = (range(a), range(b));
                (b0 > 0).then(|| (a0 / b1, a1 / b0))
            }
            Node::Urem(a, b) => {
                let ((_, a1), (b0, b1)) = (range(a), range(b));
                Some((0, if b0 > 0 { a1.min(b1 - 1) } else { a1 }))
            }
            Node::Shl(a, b) => shifted_left(width, range(a), range(b)),
            Node::Lshr(a, b) => Some(shifted_right(width, range(a), range(b))),
            Node::Extract { of, low } => slice(range(of), low, width),
            Node::Concat { high, low } => {
                let ((h0, h1), (l0, l1)) = (range(high), range(low));
                let by = self.width(low);
                Some(((h0 << by) | l0, (h1 << by) | l1))
            }
            Node::ZeroExtend(a) => Some(range(a)),
            Node::SignExtend(a) => sign_extended(self.width(a), width, range(a)),
            Node::Var(_)
            | Node::Eq(..)
            | Node::Ult(..)
            | Node::Slt(..)
            | Node::Sdiv(..)
            | Node::Srem(..)
            | Node::Ashr(..) => None,
        }
    }
}
