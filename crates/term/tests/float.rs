//! The circuits of floating point against the processor, on numbers where something happens.

mod common;

use common::Random;
use unravel_term::float::{DOUBLE, Format, SINGLE};
use unravel_term::{Evaluator, Term, Terms, VarId};

/// Numbers at the borders of the format, near each other, small integers, and any bits.
fn operand(random: &mut Random, format: Format, other: u128) -> u128 {
    let width = format.width();
    let fraction = format.precision - 1;
    let bits = random.number(width);
    let sign = bits & (1 << (width - 1));
    let exponent = |field: u128| sign | field << fraction | bits & ((1 << fraction) - 1);
    let most = (1 << format.exponent) - 1;
    match random.below(16) {
        0 => bits,
        1 => sign,
        2 => sign | most << fraction,
        3 => exponent(most),
        4 => exponent(0),
        5 => sign | random.number(2),
        6 => exponent(1),
        7 => exponent(most - 1),
        8 => other ^ (1 << (width - 1)),
        9 => other ^ random.number(3),
        10 => exponent((other >> fraction) & most),
        11 => exponent(((other >> fraction) & most).saturating_sub(random.number(6))),
        12 => exponent(most / 2 + random.number(5)),
        13 => sign | (most / 2 + random.number(3)) << fraction,
        _ => {
            let integer = random.number(6) as i32 - 20;
            if format == SINGLE {
                (integer as f32).to_bits().into()
            } else {
                f64::from(integer).to_bits().into()
            }
        }
    }
}

/// The NaN that the operands give, if one is NaN.
fn nan32(a: f32, b: f32, result: f32) -> u32 {
    let quiet = 1 << 22;
    if a.is_nan() {
        a.to_bits() | quiet
    } else if b.is_nan() {
        b.to_bits() | quiet
    } else if result.is_nan() {
        0xffc0_0000
    } else {
        result.to_bits()
    }
}

fn nan64(a: f64, b: f64, result: f64) -> u64 {
    let quiet = 1 << 51;
    if a.is_nan() {
        a.to_bits() | quiet
    } else if b.is_nan() {
        b.to_bits() | quiet
    } else if result.is_nan() {
        0xfff8_0000_0000_0000
    } else {
        result.to_bits()
    }
}

type Built = fn(&mut Terms, Format, Term, Term) -> Term;
type Computed<T> = fn(T, T) -> T;

const BUILT: [Built; 4] = [Terms::float_add, Terms::float_sub, Terms::float_mul, Terms::float_div];

/// Evaluates a term of two variables on many pairs.
fn pairs(
    format: Format,
    seed: u64,
    count: usize,
    built: Built,
    expected: &dyn Fn(u128, u128) -> u128,
) {
    let mut terms = Terms::new();
    let (x, y) = (terms.var(format.width()), terms.var(format.width()));
    let result = built(&mut terms, format, x, y);
    let mut random = Random(seed);
    for _ in 0..count {
        let a = operand(&mut random, format, 0);
        let b = operand(&mut random, format, a);
        let values = [a, b];
        let environment = |var: VarId| values[var.0 as usize];
        let value = Evaluator::new(&terms, &environment).value(result);
        assert_eq!(value, expected(a, b), "{a:#x} {b:#x}: {value:#x}");
    }
}

#[test]
fn arithmetic_of_doubles() {
    let computed: [Computed<f64>; 4] = [|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b];
    for (seed, (built, computed)) in BUILT.into_iter().zip(computed).enumerate() {
        pairs(DOUBLE, seed as u64 + 1, 20_000, built, &|a, b| {
            let (a, b) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            nan64(a, b, computed(a, b)).into()
        });
    }
}

#[test]
fn arithmetic_of_singles() {
    let computed: [Computed<f32>; 4] = [|a, b| a + b, |a, b| a - b, |a, b| a * b, |a, b| a / b];
    for (seed, (built, computed)) in BUILT.into_iter().zip(computed).enumerate() {
        pairs(SINGLE, seed as u64 + 11, 40_000, built, &|a, b| {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            nan32(a, b, computed(a, b)).into()
        });
    }
}

#[test]
fn comparisons() {
    let built: [Built; 3] = [Terms::float_eq, Terms::float_lt, Terms::float_unordered];
    let computed: [fn(f64, f64) -> bool; 3] =
        [|a, b| a == b, |a, b| a < b, |a, b| a.is_nan() || b.is_nan()];
    for (seed, (built, computed)) in built.into_iter().zip(computed).enumerate() {
        pairs(DOUBLE, seed as u64 + 21, 40_000, built, &|a, b| {
            computed(f64::from_bits(a as u64), f64::from_bits(b as u64)).into()
        });
        pairs(SINGLE, seed as u64 + 31, 40_000, built, &|a, b| {
            let (a, b) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            computed(a.into(), b.into()).into()
        });
    }
}

#[test]
fn signs() {
    let built: [Built; 3] = [
        |terms, format, a, _| terms.float_neg(format, a),
        |terms, format, a, _| terms.float_abs(format, a),
        Terms::float_copy_sign,
    ];
    let computed: [Computed<f64>; 3] = [|a, _| -a, |a, _| a.abs(), f64::copysign];
    for (seed, (built, computed)) in built.into_iter().zip(computed).enumerate() {
        pairs(DOUBLE, seed as u64 + 41, 5_000, built, &|a, b| {
            computed(f64::from_bits(a as u64), f64::from_bits(b as u64)).to_bits().into()
        });
    }
}

#[test]
fn between_formats() {
    pairs(DOUBLE, 51, 60_000, |terms, _, a, _| terms.float_to_float(DOUBLE, SINGLE, a), &|a, _| {
        let a = f64::from_bits(a as u64);
        let carried = (a.to_bits() >> 63 << 31 | a.to_bits() >> 29 & 0x3f_ffff) as u32;
        u128::from(if a.is_nan() { carried | 0x7fc0_0000 } else { (a as f32).to_bits() })
    });
    pairs(SINGLE, 52, 60_000, |terms, _, a, _| terms.float_to_float(SINGLE, DOUBLE, a), &|a, _| {
        let a = f32::from_bits(a as u32);
        let bits = u64::from(a.to_bits());
        let carried = bits >> 31 << 63 | (bits & 0x3f_ffff) << 29;
        u128::from(if a.is_nan() { carried | 0x7ff8 << 48 } else { f64::from(a).to_bits() })
    });
    // Doubles near the borders of singles.
    let mut random = Random(53);
    let mut terms = Terms::new();
    let x = terms.var(64);
    let result = terms.float_to_float(DOUBLE, SINGLE, x);
    for _ in 0..60_000 {
        let single = operand(&mut random, SINGLE, 0) as u32;
        let near = f64::from(f32::from_bits(single)).to_bits() ^ random.number(31) as u64;
        if f64::from_bits(near).is_nan() {
            continue;
        }
        let environment = |_: VarId| u128::from(near);
        let value = Evaluator::new(&terms, &environment).value(result);
        assert_eq!(value, u128::from((f64::from_bits(near) as f32).to_bits()), "{near:#x}");
    }
}

#[test]
fn from_integers() {
    let mut random = Random(61);
    for width in [1, 8, 16, 32, 64, 128] {
        let mut terms = Terms::new();
        let x = terms.var(width);
        let unsigned = terms.float_from_unsigned(DOUBLE, x);
        let signed = terms.float_from_signed(DOUBLE, x);
        let single = terms.float_from_signed(SINGLE, x);
        for _ in 0..8_000 {
            let few = 1 + random.number(7) as u16 % width;
            let bits =
                if random.number(1) == 0 { random.number(width) } else { random.number(few) };
            let number = unravel_term::value::signed(width, bits);
            let environment = |_: VarId| bits;
            let mut evaluator = Evaluator::new(&terms, &environment);
            assert_eq!(evaluator.value(unsigned), u128::from((bits as f64).to_bits()), "{bits:#x}");
            assert_eq!(evaluator.value(signed), u128::from((number as f64).to_bits()), "{number}");
            assert_eq!(evaluator.value(single), u128::from((number as f32).to_bits()), "{number}");
        }
    }
}

#[test]
fn to_integers() {
    pairs(
        DOUBLE,
        71,
        40_000,
        |terms, format, a, _| terms.float_to_signed(format, a, 32),
        &|a, _| u128::from((f64::from_bits(a as u64) as i32).cast_unsigned()),
    );
    pairs(
        DOUBLE,
        72,
        40_000,
        |terms, format, a, _| terms.float_to_signed(format, a, 64),
        &|a, _| u128::from((f64::from_bits(a as u64) as i64).cast_unsigned()),
    );
    pairs(
        SINGLE,
        73,
        40_000,
        |terms, format, a, _| terms.float_to_signed(format, a, 8),
        &|a, _| u128::from((f32::from_bits(a as u32) as i8).cast_unsigned()),
    );
    pairs(
        DOUBLE,
        74,
        40_000,
        |terms, format, a, _| terms.float_to_unsigned(format, a, 64),
        &|a, _| {
            let a = f64::from_bits(a as u64);
            // Beyond 2^116 the low 64 bits of a double are zero.
            let whole = if a.abs() < 2f64.powi(116) { a as i128 } else { 0 };
            u128::from(whole as u64)
        },
    );
}
