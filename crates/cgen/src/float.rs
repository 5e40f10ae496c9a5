//! Floating-point expressions.
//!
//! Infinities and NaN may arise inside an expression, but every value that is
//! stored, passed or printed is clamped first: the sign of a NaN is not
//! specified, and only a value in range may be converted to an integer.

use crate::expr::cast_to;
use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper;
use crate::place::Access;
use crate::tree::{Expr, parts};
use crate::types::{Int, Scalar};

type Rule = fn(&mut Gen, u32) -> Expr;

const RULES: &[(u32, Rule)] = &[
    (5, Gen::float_leaf),
    (6, Gen::float_arithmetic),
    (2, Gen::float_division),
    (2, Gen::float_from_int),
    (2, Gen::float_function),
    (1, Gen::float_ternary),
    (1, Gen::float_cast),
];

/// Conversions of a stored float, all of which are in range.
const TARGETS: &[(Int, bool)] = &[
    (Int::Int, false),
    (Int::Long, false),
    (Int::LLong, false),
    (Int::I128, false),
    (Int::UInt, true),
    (Int::ULong, true),
    (Int::U128, true),
];

impl Gen {
    /// An expression of type `float` or `double`.
    pub(crate) fn float_expr(&mut self, depth: u32) -> Expr {
        if depth == 0 {
            return self.float_leaf(0);
        }
        let rule = self.rng.weighted(RULES);
        rule(self, depth - 1)
    }

    fn float_leaf(&mut self, depth: u32) -> Expr {
        if self.rng.chance(75)
            && let Some(place) = self.place(Access::Read, true, depth)
        {
            return place.load();
        }
        self.float_literal()
    }

    fn float_arithmetic(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[" + ", " - ", " * "]);
        let a = self.float_expr(depth);
        let b = if self.rng.chance(25) { self.int_operand(depth) } else { self.float_expr(depth) };
        let double = a.ty == Scalar::Double || b.ty == Scalar::Double;
        let (ty, mark) = match double {
            true => (Scalar::Double, Feature::DoubleArithmetic),
            false => (Scalar::Float, Feature::FloatArithmetic),
        };
        Expr::new(ty, parts!["(", a, op, b, ")", mark])
    }

    /// An integer that any floating type can take.
    fn int_operand(&mut self, depth: u32) -> Expr {
        let value = self.int_expr(depth);
        if value.kind().bits() <= 64 { value } else { cast_to(Scalar::Int(Int::Long), value) }
    }

    fn float_division(&mut self, depth: u32) -> Expr {
        let (a, b) = (self.float_expr(depth), self.float_expr(depth));
        if self.rng.chance(50) {
            let call = parts![Helper::SafeFloatDiv, "(", a, ", ", b, ")"];
            return Expr::new(Scalar::Double, call);
        }
        let divisor = self.rng.pick(&["3.0", "7.5", "0.125"]);
        let quotient = parts!["(", a, format!(" / {divisor})"), Feature::DoubleArithmetic];
        Expr::new(Scalar::Double, quotient)
    }

    fn float_from_int(&mut self, depth: u32) -> Expr {
        let value = self.int_operand(depth);
        let ty = self.rng.pick(&[Scalar::Float, Scalar::Double]);
        // Small values are more telling, as large ones get clamped.
        let narrow = self.rng.pick(&[Int::Short, Int::UShort, Int::Int, Int::ULong, Int::SChar]);
        cast_to(ty, cast_to(Scalar::Int(narrow), value))
    }

    fn float_function(&mut self, depth: u32) -> Expr {
        let a = self.float_expr(depth);
        let (open, close, mark) = self.rng.pick(&[
            ("fabs(", ")", Feature::Fabs),
            ("sqrt(fabs(", "))", Feature::Sqrt),
            ("floor(", ")", Feature::Floor),
            ("ceil(", ")", Feature::Ceil),
        ]);
        Expr::new(Scalar::Double, parts![open, a, close, mark])
    }

    fn float_ternary(&mut self, depth: u32) -> Expr {
        let cond = self.float_comparison(depth);
        let (a, b) = (self.float_expr(depth), self.float_literal());
        let both = a.ty == Scalar::Float && b.ty == Scalar::Float;
        let ty = if both { Scalar::Float } else { Scalar::Double };
        Expr::new(ty, parts!["(", cond, " ? ", a, " : ", b, ")", Feature::Ternary])
    }

    fn float_cast(&mut self, depth: u32) -> Expr {
        let a = self.float_expr(depth);
        match a.ty {
            Scalar::Double => cast_to(Scalar::Float, a),
            _ => cast_to(Scalar::Double, a),
        }
    }

    fn float_comparison(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[" < ", " <= ", " > ", " >= ", " == ", " != "]);
        let (a, b) = (self.float_expr(depth), self.float_expr(depth));
        Expr::int(Int::Int, parts!["(", a, op, b, ")", Feature::FloatCompare])
    }

    /// An integer expression made of floats.
    pub(crate) fn int_of_floats(&mut self, depth: u32) -> Expr {
        match self.rng.below(3) {
            0 => self.float_comparison(depth),
            1 => {
                let call = parts![Helper::DoubleToInt, "(", self.float_expr(depth), ")"];
                Expr::int(Int::Int, parts![call, Feature::FloatToInt])
            }
            _ => self.truncated_place(depth),
        }
    }

    /// A stored float, which is in range, cast to an integer.
    fn truncated_place(&mut self, depth: u32) -> Expr {
        let Some(place) = self.place(Access::Read, true, depth) else {
            return self.float_comparison(depth);
        };
        let (kind, absolute) = self.rng.pick(TARGETS);
        let (open, close) = if absolute { ("fabs(", "))") } else { ("", ")") };
        let cast = parts![format!("(({}){open}", kind.name()), place.parts, close];
        Expr::int(kind, parts![cast, Feature::FloatToInt])
    }
}
