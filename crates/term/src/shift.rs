//! Shifts. One by a constant is a matter of slicing.

use crate::value;
use crate::{Node, Term, Terms};

impl Terms {
    /// Shifted left by `by`.
    pub fn shl(&mut self, a: Term, by: Term) -> Term {
        debug_assert!(self.same_width(a, by));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, by, |x, y| value::shl(width, x, y)) {
            return folded;
        }
        match self.shift_amount(by, width) {
            Some(0) => a,
            Some(by) if by == width => self.constant(width, 0),
            Some(by) => self.shl_constant(a, by),
            None if self.as_const(a) == Some(0) => a,
            None => self.intern(Node::Shl(a, by), width),
        }
    }

    /// Shifted left by a constant below the width.
    pub(crate) fn shl_constant(&mut self, a: Term, by: u16) -> Term {
        let width = self.width(a);
        // (x + 1) << 2 as (x << 2) + 4: indices of neighbours in an array then differ by a constant.
        if let Node::Add(x, k) = self.node(a)
            && let Some(bits) = self.as_const(k)
        {
            let x = self.shl_constant_of_part(x, by);
            let k = self.constant(width, value::shl(width, bits, u128::from(by)));
            return self.add(x, k);
        }
        self.shl_constant_of_part(a, by)
    }

    fn shl_constant_of_part(&mut self, a: Term, by: u16) -> Term {
        let width = self.width(a);
        let kept = self.extract(a, 0, width - by);
        let zeros = self.constant(by, 0);
        self.concat(kept, zeros)
    }

    /// Shifted right by `by`, zeros coming in.
    pub fn lshr(&mut self, a: Term, by: Term) -> Term {
        debug_assert!(self.same_width(a, by));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, by, |x, y| value::lshr(width, x, y)) {
            return folded;
        }
        match self.shift_amount(by, width) {
            Some(0) => a,
            Some(by) if by == width => self.constant(width, 0),
            Some(by) => {
                let kept = self.extract(a, by, width - by);
                self.zext(kept, width)
            }
            None if self.as_const(a) == Some(0) => a,
            None => self.intern(Node::Lshr(a, by), width),
        }
    }

    /// Shifted right by `by`, copies of the sign coming in.
    pub fn ashr(&mut self, a: Term, by: Term) -> Term {
        debug_assert!(self.same_width(a, by));
        let width = self.width(a);
        if let Some(folded) = self.fold_constants(a, by, |x, y| value::ashr(width, x, y)) {
            return folded;
        }
        if self.is_non_negative(a) {
            return self.lshr(a, by);
        }
        match self.shift_amount(by, width) {
            Some(0) => a,
            Some(by) => {
                let by = by.min(width - 1);
                let kept = self.extract(a, by, width - by);
                self.sext(kept, width)
            }
            None => self.intern(Node::Ashr(a, by), width),
        }
    }

    /// A constant amount, at most the width.
    fn shift_amount(&self, by: Term, width: u16) -> Option<u16> {
        // Every amount of a known minimum of the width shifts everything out.
        if self.range(by).0 >= u128::from(width) {
            return Some(width);
        }
        self.as_const(by).map(|by| by as u16)
    }
}
