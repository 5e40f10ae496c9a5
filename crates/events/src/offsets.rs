//! Which offsets a symbolic index may have.
//!
//! Bounds and the low bits that are known (`a[i]` of an array of `int` is a multiple of 4) leave
//! few. Too many candidates only cost: an access goes to where its address says.

use unravel_term::{Node, Term, Terms};

/// Most places that one access may go to within one object.
pub const MOST: usize = 4096;

/// Offsets within an object of `size` bytes at which an access of `bytes` bytes may be, or `None`
/// if there are too many.
#[must_use]
pub fn candidates(terms: &Terms, offset: Term, bytes: u64, size: u64) -> Option<Vec<u64>> {
    let Some(last) = size.checked_sub(bytes) else { return Some(Vec::new()) };
    if let Some(offset) = terms.as_const(offset) {
        let offset = u64::try_from(offset).ok().filter(|&offset| offset <= last);
        return Some(offset.into_iter().collect());
    }
    let (low, high) = terms.range(offset);
    let high = u64::try_from(high).unwrap_or(u64::MAX).min(last);
    let Ok(low) = u64::try_from(low) else { return Some(Vec::new()) };
    let (known, residue) = low_bits(terms, offset, 12);
    let stride = 1u64 << known.min(32);
    let residue = (residue as u64) & (stride - 1);
    let skip = residue.wrapping_sub(low) & (stride - 1);
    let Some(first) = low.checked_add(skip) else { return Some(Vec::new()) };
    if first > high {
        return Some(Vec::new());
    }
    let count = (high - first) / stride + 1;
    if count > MOST as u64 {
        return None;
    }
    Some((0..count).map(|index| first + index * stride).collect())
}

/// How many low bits of a term are known, and what they are.
fn low_bits(terms: &Terms, term: Term, depth: u32) -> (u32, u128) {
    let width = u32::from(terms.width(term));
    let cut = |known: u32, bits: u128| {
        let known = known.min(width).min(127);
        (known, bits & ((1u128 << known) - 1))
    };
    let Some(depth) = depth.checked_sub(1) else { return (0, 0) };
    match terms.node(term) {
        Node::Const(bits) => cut(width, bits),
        Node::Add(a, b) => {
            let ((a, x), (b, y)) = (low_bits(terms, a, depth), low_bits(terms, b, depth));
            cut(a.min(b), x.wrapping_add(y))
        }
        Node::Neg(a) => {
            let (known, bits) = low_bits(terms, a, depth);
            cut(known, bits.wrapping_neg())
        }
        Node::Mul(a, b) => {
            let ((a, x), (b, y)) = (low_bits(terms, a, depth), low_bits(terms, b, depth));
            // 2^i·u times 2^j·v has i + j low zeros.
            let zeros = |known: u32, bits: u128| bits.trailing_zeros().min(known);
            let (i, j) = (zeros(a, x), zeros(b, y));
            cut((a + j).min(b + i), x.wrapping_mul(y))
        }
        Node::Ite(_, a, b) => {
            let ((a, x), (b, y)) = (low_bits(terms, a, depth), low_bits(terms, b, depth));
            cut(a.min(b).min((x ^ y).trailing_zeros()), x)
        }
        Node::ZeroExtend(a) | Node::SignExtend(a) => low_bits(terms, a, depth),
        Node::Extract { of, low: 0 } => {
            let (known, bits) = low_bits(terms, of, depth);
            cut(known, bits)
        }
        Node::Concat { high, low } => {
            let (known, bits) = low_bits(terms, low, depth);
            let low_width = u32::from(terms.width(low));
            if known < low_width {
                return (known, bits);
            }
            let (more, above) = low_bits(terms, high, depth);
            cut(low_width + more, bits | above.checked_shl(low_width).unwrap_or(0))
        }
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_steps_by_the_size_of_an_element() {
        let mut terms = Terms::new();
        let index = terms.var(8);
        let index = terms.zext(index, 64);
        let four = terms.constant(64, 4);
        let offset = terms.mul(index, four);
        assert_eq!(candidates(&terms, offset, 4, 16), Some(vec![0, 4, 8, 12]));
        let two = terms.constant(64, 2);
        let offset = terms.add(offset, two);
        assert_eq!(candidates(&terms, offset, 4, 16), Some(vec![2, 6, 10]));
    }

    #[test]
    fn a_constant_outside_has_no_place() {
        let mut terms = Terms::new();
        let offset = terms.constant(64, 13);
        assert_eq!(candidates(&terms, offset, 4, 16), Some(vec![]));
    }
}
