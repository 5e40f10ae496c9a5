//! Integer arithmetic, bit operations and builtins, kept clear of overflow.
//!
//! Operands keep the types they have, so that promotions and conversions take
//! place; where the common type is unsigned, or the operands too narrow to
//! overflow, the bare operator is used.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper;
use crate::tree::{Expr, parts};
use crate::types::{Int, usual};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Op {
    Add,
    Sub,
    Mul,
}

impl Op {
    fn text(self) -> &'static str {
        match self {
            Op::Add => " + ",
            Op::Sub => " - ",
            Op::Mul => " * ",
        }
    }

    fn helper(self, kind: Int) -> Helper {
        match self {
            Op::Add => Helper::SafeAdd(kind),
            Op::Sub => Helper::SafeSub(kind),
            Op::Mul => Helper::SafeMul(kind),
        }
    }

    /// Can the operation on values of these types never overflow `int`?
    fn fits_int(self, a: Int, b: Int) -> bool {
        let narrow = a.bits() <= 16 && b.bits() <= 16;
        let both_ushort = a == Int::UShort && b == Int::UShort;
        narrow && (self != Op::Mul || !both_ushort)
    }
}

/// Builtins of one argument: name, type of the argument, guard, result.
const BUILTINS: &[(&str, Int, &str, Int, Feature)] = &[
    ("__builtin_popcount", Int::UInt, "", Int::Int, Feature::Popcount),
    ("__builtin_popcountll", Int::ULLong, "", Int::Int, Feature::Popcount),
    // Zero has no leading or trailing one, so a bit is set.
    ("__builtin_clz", Int::UInt, " | 1", Int::Int, Feature::Clz),
    ("__builtin_clzll", Int::ULLong, " | 1", Int::Int, Feature::Clz),
    ("__builtin_ctz", Int::UInt, " | 0x80000000u", Int::Int, Feature::Ctz),
    ("__builtin_ctzll", Int::ULLong, " | 1ULL << 63", Int::Int, Feature::Ctz),
    ("__builtin_bswap16", Int::UShort, "", Int::UShort, Feature::Bswap16),
    ("__builtin_bswap32", Int::UInt, "", Int::UInt, Feature::Bswap32),
    ("__builtin_bswap64", Int::ULong, "", Int::ULong, Feature::Bswap64),
    ("__builtin_parity", Int::UInt, "", Int::Int, Feature::Parity),
    ("__builtin_parityll", Int::ULLong, "", Int::Int, Feature::Parity),
];

impl Gen {
    pub(crate) fn arithmetic(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[Op::Add, Op::Sub, Op::Mul]);
        let (a, b) = self.two(depth);
        let common = usual(a.kind(), b.kind());
        if !common.signed() || op.fits_int(a.kind(), b.kind()) {
            let mark = Feature::NativeArithmetic;
            return Expr::int(common, parts!["(", a, op.text(), b, ")", mark]);
        }
        if self.rng.chance(40) {
            let call = parts![op.helper(common), "(", a, ", ", b, ")"];
            return Expr::int(common, call);
        }
        self.wrapped(op, common, a, b)
    }

    /// Arithmetic in the unsigned type, cast back or not.
    fn wrapped(&mut self, op: Op, common: Int, a: Expr, b: Expr) -> Expr {
        let unsigned = common.to_unsigned();
        let u = format!("({})", unsigned.name());
        let mark = Feature::WrappedArithmetic;
        if self.rng.chance(30) {
            return Expr::int(unsigned, parts!["(", &u, a, op.text(), b, ")", mark]);
        }
        let back = format!("(({})(", common.name());
        let sum = parts![&u, a, op.text(), &u, b, "))", mark];
        Expr::int(common, parts![back, sum])
    }

    pub(crate) fn bitwise(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[" & ", " | ", " ^ "]);
        let (a, b) = self.two(depth);
        let common = usual(a.kind(), b.kind());
        Expr::int(common, parts!["(", a, op, b, ")", Feature::BitwiseOp])
    }

    pub(crate) fn division(&mut self, depth: u32) -> Expr {
        let rem = self.rng.chance(50);
        let mark = if rem { Feature::Remainder } else { Feature::Division };
        let op = if rem { " % " } else { " / " };
        if self.rng.chance(30) {
            let divisor = self.rng.pick(&["2", "3", "7", "10", "16", "1000", "5u", "9L"]);
            return self.constant_division(op, divisor, mark, depth);
        }
        let (a, b) = self.two(depth);
        let common = usual(a.kind(), b.kind());
        if !common.signed() {
            return Expr::int(common, parts!["(", a, op, "(", b, " | 1))", mark]);
        }
        let helper = if rem { Helper::SafeRem(common) } else { Helper::SafeDiv(common) };
        Expr::int(common, parts![helper, "(", a, ", ", b, ")", mark])
    }

    fn constant_division(&mut self, op: &str, divisor: &str, mark: Feature, depth: u32) -> Expr {
        let a = self.int_expr(depth);
        let kind = match divisor.as_bytes().last() {
            Some(b'u') => Int::UInt,
            Some(b'L') => Int::Long,
            _ => Int::Int,
        };
        let common = usual(a.kind(), kind);
        Expr::int(common, parts!["(", a, op, divisor, ")", mark])
    }

    pub(crate) fn shift(&mut self, depth: u32) -> Expr {
        let (a, b) = self.two(depth);
        let kind = a.kind().promote();
        let amount = parts!["(", b, format!(" & {})", kind.bits() - 1), Feature::Shift];
        if self.rng.chance(50) {
            return Expr::int(kind, parts!["(", a, " >> ", amount, ")"]);
        }
        if !kind.signed() {
            return Expr::int(kind, parts!["(", a, " << ", amount, ")"]);
        }
        // Shifting a negative value left is undefined, so the unsigned one is.
        let casts = format!("(({})(({})", kind.name(), kind.to_unsigned().name());
        Expr::int(kind, parts![casts, a, " << ", amount, "))"])
    }

    pub(crate) fn unary(&mut self, depth: u32) -> Expr {
        let a = self.int_expr(depth);
        let kind = a.kind().promote();
        match self.rng.below(7) {
            0..=1 => Expr::int(kind, parts!["(~", a, ")", Feature::BitNot]),
            2..=3 => Expr::int(Int::Int, parts!["(!", a, ")", Feature::LogicNot]),
            4 => Expr::int(kind, parts!["(+", a, ")"]),
            _ => negated(kind, a),
        }
    }

    pub(crate) fn builtin(&mut self, depth: u32) -> Expr {
        if self.rng.chance(8) {
            return self.expect(depth);
        }
        let a = self.int_expr(depth);
        let (name, arg, guard, result, mark) = self.rng.pick(BUILTINS);
        let call = parts![format!("{name}(({})", arg.name()), a, guard, ")", mark];
        Expr::int(result, call)
    }

    fn expect(&mut self, depth: u32) -> Expr {
        let a = self.int_expr(depth);
        let likely = self.rng.below(2);
        let call = parts!["__builtin_expect(", a, format!(", {likely})"), Feature::Expect];
        Expr::int(Int::Long, call)
    }
}

fn negated(kind: Int, a: Expr) -> Expr {
    let mark = Feature::UnaryMinus;
    if !kind.signed() || a.kind().bits() <= 16 {
        return Expr::int(kind, parts!["(-", a, ")", mark]);
    }
    let casts = format!("(({})(-({})", kind.name(), kind.to_unsigned().name());
    Expr::int(kind, parts![casts, a, "))", mark])
}
