//! Rounding to nearest, ties to even.

use super::{Format, SCALE};
use crate::{Term, Terms};

impl Terms {
    /// The number of a format nearest to ± `significand` × 2^`scale`. The significand is at least
    /// two bits wider than the format's; its last bit may be a sticky one.
    pub(super) fn round(
        &mut self,
        format: Format,
        sign: Term,
        scale: Term,
        significand: Term,
    ) -> Term {
        let width = self.width(significand);
        let (significand, scale) = self.normalized(significand, scale);
        let field = self.add_number(scale, i128::from(width - 1) + format.bias());
        let one = self.constant(SCALE, 1);
        let tiny = self.slt(field, one);
        let missing = self.sub(one, field);
        let nothing = self.constant(SCALE, 0);
        let missing = self.ite(tiny, missing, nothing);
        let missing = self.zext(missing, width);
        let (kept, lost) = self.shifted_out(significand, missing);
        let rounded = self.cut(format, kept, lost);
        // The leading one adds one to the field, and so does a carry out of the significand.
        let field_below = self.add_number(field, -1);
        let field_below = self.ite(tiny, nothing, field_below);
        let field_below = self.extract(field_below, 0, format.exponent);
        let zeros = self.constant(format.fraction(), 0);
        let base = self.concat(field_below, zeros);
        let packed = self.add(base, rounded);
        self.in_range(format, sign, significand, field, packed)
    }

    /// Zero if there is nothing, infinite if it is too large.
    fn in_range(
        &mut self,
        format: Format,
        sign: Term,
        significand: Term,
        field: Term,
        packed: Term,
    ) -> Term {
        let number = self.concat(sign, packed);
        let most = self.constant(SCALE, (1 << format.exponent) - 1);
        let large = self.sge(field, most);
        let infinity = self.infinity(format, sign);
        let number = self.ite(large, infinity, number);
        let nothing = self.is_zero(significand);
        let zero = self.zero_of(format, sign);
        self.ite(nothing, zero, number)
    }

    /// Shifted left until the first bit is set, unless none is.
    pub(super) fn normalized(&mut self, significand: Term, scale: Term) -> (Term, Term) {
        let width = self.width(significand);
        let (mut significand, mut scale) = (significand, scale);
        for by in [64, 32, 16, 8, 4, 2, 1] {
            if by >= width {
                continue;
            }
            let top = self.extract(significand, width - by, by);
            let empty = self.is_zero(top);
            let shifted = self.shl_constant(significand, by);
            significand = self.ite(empty, shifted, significand);
            let less = self.add_number(scale, -i128::from(by));
            scale = self.ite(empty, less, scale);
        }
        (significand, scale)
    }

    /// Shifted right, and whether a one was lost.
    pub(super) fn shifted_out(&mut self, term: Term, by: Term) -> (Term, Term) {
        debug_assert_eq!(self.width(term), self.width(by));
        let kept = self.lshr(term, by);
        let back = self.shl(kept, by);
        (kept, self.ne(back, term))
    }

    /// The leading bits, rounded, in the width of a magnitude.
    fn cut(&mut self, format: Format, significand: Term, lost: Term) -> Term {
        let rest = self.width(significand) - format.precision;
        let leading = self.extract(significand, rest, format.precision);
        let half = self.extract(significand, rest - 1, 1);
        let below = self.extract(significand, 0, rest - 1);
        let below = self.is_zero(below);
        let below = self.not(below);
        let odd = self.extract(leading, 0, 1);
        let more = self.or_all(&[below, lost, odd]);
        let up = self.and(half, more);
        let leading = self.zext(leading, format.magnitude());
        let up = self.zext(up, format.magnitude());
        self.add(leading, up)
    }
}
