//! Functions of `<math.h>` that C does not define to the last bit.
//!
//! They are computed by the mathematical library of the machine that Unravel runs on. The exact
//! cases (`pow(2, 3)`, `exp(0)`) come out alike everywhere; elsewhere the last bit may differ on
//! another machine, as it does for the program itself.

use unravel_program::Type;
use unravel_program::library::{Math, codes};

/// A result, with what `errno` is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    /// The bits of the result.
    pub bits: u128,
    /// The error, if there is one.
    pub errno: Option<i32>,
}

/// The value of a function at these arguments, given by their bits; `None` if there are too few.
#[must_use]
pub fn evaluate(function: Math, ty: Type, args: &[u128]) -> Option<Computed> {
    if ty == Type::F32 {
        let args: Vec<f32> = args.iter().map(|&bits| f32::from_bits(bits as u32)).collect();
        let result = single(function, *args.first()?, args.get(1).copied())?;
        let wide: Vec<f64> = args.iter().copied().map(f64::from).collect();
        let errno = error(function, &wide, f64::from(result));
        return Some(Computed { bits: u128::from(result.to_bits()), errno });
    }
    let args: Vec<f64> = args.iter().map(|&bits| f64::from_bits(bits as u64)).collect();
    let result = double(function, *args.first()?, args.get(1).copied())?;
    Some(Computed { bits: u128::from(result.to_bits()), errno: error(function, &args, result) })
}

/// As the GNU C library sets it (C11 §7.12.1): no value is `EDOM`; too large, a pole, or nothing
/// left of a value that is not zero, is `ERANGE`.
fn error(function: Math, args: &[f64], result: f64) -> Option<i32> {
    if result.is_nan() {
        return (!args.iter().any(|it| it.is_nan())).then_some(codes::EDOM);
    }
    let finite = args.iter().all(|it| it.is_finite());
    let vanishes = matches!(function, Math::Exp | Math::Exp2 | Math::Pow)
        && result == 0.0
        && (function != Math::Pow || args.first() != Some(&0.0));
    (finite && (result.is_infinite() || vanishes)).then_some(codes::ERANGE)
}

macro_rules! functions {
    ($name:ident, $float:ty) => {
        fn $name(function: Math, x: $float, y: Option<$float>) -> Option<$float> {
            Some(match function {
                Math::Sin => x.sin(),
                Math::Cos => x.cos(),
                Math::Tan => x.tan(),
                Math::Asin => x.asin(),
                Math::Acos => x.acos(),
                Math::Atan => x.atan(),
                Math::Atan2 => x.atan2(y?),
                Math::Sinh => x.sinh(),
                Math::Cosh => x.cosh(),
                Math::Tanh => x.tanh(),
                Math::Exp => x.exp(),
                Math::Exp2 => x.exp2(),
                Math::Expm1 => x.exp_m1(),
                Math::Log => x.ln(),
                Math::Log10 => x.log10(),
                Math::Log2 => x.log2(),
                Math::Log1p => x.ln_1p(),
                Math::Pow => x.powf(y?),
                Math::Cbrt => x.cbrt(),
                Math::Hypot => x.hypot(y?),
            })
        }
    };
}

functions!(double, f64);
functions!(single, f32);

#[cfg(test)]
mod tests {
    use super::*;

    fn at(function: Math, args: &[f64]) -> (f64, Option<i32>) {
        let bits: Vec<u128> = args.iter().map(|it| u128::from(it.to_bits())).collect();
        let computed = evaluate(function, Type::F64, &bits).expect("enough arguments");
        (f64::from_bits(computed.bits as u64), computed.errno)
    }

    #[test]
    fn exact_cases_are_exact() {
        assert_eq!(at(Math::Pow, &[2.0, 3.0]), (8.0, None));
        assert_eq!(at(Math::Exp, &[0.0]), (1.0, None));
        assert_eq!(at(Math::Log2, &[1024.0]), (10.0, None));
        assert_eq!(at(Math::Cbrt, &[27.0]), (3.0, None));
        let three = [u128::from(9f32.to_bits()), u128::from(0.5f32.to_bits())];
        let root = evaluate(Math::Pow, Type::F32, &three).expect("enough arguments");
        assert_eq!(root.bits, u128::from(3f32.to_bits()));
    }

    #[test]
    fn errors_are_those_of_c() {
        assert_eq!(at(Math::Log, &[0.0]).1, Some(codes::ERANGE));
        assert_eq!(at(Math::Log, &[-1.0]).1, Some(codes::EDOM));
        assert_eq!(at(Math::Exp, &[1000.0]).1, Some(codes::ERANGE));
        assert_eq!(at(Math::Exp, &[-1000.0]).1, Some(codes::ERANGE));
        assert_eq!(at(Math::Pow, &[0.0, 2.0]), (0.0, None));
        assert_eq!(at(Math::Exp, &[f64::NEG_INFINITY]), (0.0, None));
        assert!(evaluate(Math::Pow, Type::F64, &[0]).is_none());
    }
}
