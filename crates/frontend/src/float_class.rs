//! `llvm.is.fpclass`, which clang writes for `isnan`, `isinf`, `isfinite` and `isnormal`: is a number
//! of one of the classes in a mask? As unsigned integers, the bits of each class are an interval, and
//! so are those of neighbouring classes together.

use unravel_program::{BinaryOp, CastOp, CompareOp, Op, Operand, Reg, Type};

use crate::function::Body;
use crate::llvm::Value;
use crate::lower::What;

/// The bits of LLVM's mask, from the least number without a sign to the last NaN with one.
const CLASSES: [u32; 12] = [6, 7, 8, 9, 0, 1, 5, 4, 3, 2, 0, 1];

impl<'m> Body<'_, 'm> {
    /// Lowers a call with a number and a mask.
    pub(crate) fn float_class(&mut self, at: Value<'m>) -> Result<(), What> {
        let number = at.operand(0).ok_or("a malformed call")?;
        let mask = at.operand(1).and_then(|it| it.int_bits()).ok_or("a malformed call")?;
        let ty = self.float_type(number)?;
        let (width, fraction) = if ty == Type::F32 { (32, 23) } else { (64, 52) };
        let value = self.operand(number)?;
        let dst = self.result(at)?;
        let bits = self.fresh(Type::Int(width));
        let from = ty;
        self.emit(Op::Cast { dst: bits, op: CastOp::Bitcast, from, to: Type::Int(width), value });
        let mut found = Operand::Int(0);
        for (first, last) in intervals(mask, width, fraction) {
            found = self.within(bits, width, (first, last), found);
        }
        self.emit(Op::Copy { dst, value: found });
        Ok(())
    }

    /// Whether the bits lie in an interval, or something else was found before.
    fn within(
        &mut self,
        bits: Reg,
        width: u16,
        (first, last): (u128, u128),
        or: Operand,
    ) -> Operand {
        let [above, inside, either] =
            [Type::Int(width), Type::Int(1), Type::Int(1)].map(|ty| self.fresh(ty));
        self.emit(Op::Binary {
            dst: above,
            op: BinaryOp::Sub,
            width,
            lhs: Operand::Reg(bits),
            rhs: Operand::Int(first),
            no_signed_wrap: false,
        });
        self.emit(Op::Compare {
            dst: inside,
            op: CompareOp::Ule,
            ty: Type::Int(width),
            lhs: Operand::Reg(above),
            rhs: Operand::Int(last - first),
        });
        self.emit(Op::Binary {
            dst: either,
            op: BinaryOp::Or,
            width: 1,
            lhs: Operand::Reg(inside),
            rhs: or,
            no_signed_wrap: false,
        });
        Operand::Reg(either)
    }
}

/// The intervals of the classes in a mask, neighbours as one.
fn intervals(mask: u128, width: u16, fraction: u32) -> Vec<(u128, u128)> {
    let sign = 1u128 << (width - 1);
    let normal = 1 << fraction;
    let infinity = sign - normal;
    let quiet = infinity | normal >> 1;
    let starts = [0, 1, normal, infinity, infinity + 1, quiet];
    let starts = starts.iter().copied().chain(starts.iter().map(|start| sign | start));
    let starts: Vec<u128> = starts.chain([sign << 1]).collect();
    let mut found: Vec<(u128, u128)> = Vec::new();
    for (class, bounds) in CLASSES.iter().zip(starts.windows(2)) {
        if mask >> class & 1 == 0 {
            continue;
        }
        match found.last_mut() {
            Some((_, last)) if *last + 1 == bounds[0] => *last = bounds[1] - 1,
            _ => found.push((bounds[0], bounds[1] - 1)),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::intervals;

    #[test]
    fn classes_are_intervals() {
        let is = |mask: u128, bits: u64| {
            let inside = |&(first, last): &(u128, u128)| (first..=last).contains(&u128::from(bits));
            intervals(mask, 64, 52).iter().any(inside)
        };
        let numbers = [0.0, -0.0, 1.5, -1.5, 5e-324, -5e-324, 1e308, f64::INFINITY, f64::NAN];
        for number in numbers.into_iter().chain(numbers.map(|it| -it)) {
            let bits = number.to_bits();
            assert_eq!(is(3, bits), number.is_nan(), "{number}");
            assert_eq!(is(0x204, bits), number.is_infinite(), "{number}");
            assert_eq!(is(0x1f8, bits), number.is_finite(), "{number}");
            assert_eq!(is(0x108, bits), number.is_normal(), "{number}");
            assert_eq!(is(0x60, bits), number == 0.0, "{number}");
            assert_eq!(is(0x3c, bits), number.is_sign_negative() && !number.is_nan(), "{number}");
        }
        assert_eq!(intervals(0x3ff, 32, 23), [(0, u128::from(u32::MAX))]);
    }
}
