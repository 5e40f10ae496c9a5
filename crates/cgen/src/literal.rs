//! Literals, with a liking for the extremes.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::tree::{Expr, parts};
use crate::types::{Int, Scalar};

/// The kinds of variables and literals, by how often they are wanted.
const KINDS: &[(u32, Int)] = &[
    (3, Int::Bool),
    (3, Int::Char),
    (4, Int::SChar),
    (5, Int::UChar),
    (5, Int::Short),
    (5, Int::UShort),
    (12, Int::Int),
    (9, Int::UInt),
    (7, Int::Long),
    (7, Int::ULong),
    (4, Int::LLong),
    (4, Int::ULLong),
    (2, Int::I128),
    (2, Int::U128),
];

/// Zero is missing: gcc 12 takes `0.0 - n` for an integer `n` to be the same as
/// `-(double)n`, which has the wrong sign when `n` is 0.
const FLOATS: &[&str] = &["0.5", "1.5", "0.1", "3.25", "-2.75", "100.0", "1e3", "7e-5", "-0.0625"];

const WORDS: &[&str] = &["alpha", "beta", "zig", "q", "", "omega7", "abcabc", "Hello", "x-y z"];

const NUMBERS: &[&str] = &["42", "-17", "  99", "+5", "123abc", "0", "-2147483648", "x1", "007"];

impl Gen {
    pub(crate) fn kind(&mut self) -> Int {
        self.rng.weighted(KINDS)
    }

    /// The text of a string literal of at most eight characters.
    pub(crate) fn word(&mut self) -> &'static str {
        self.rng.pick(WORDS)
    }

    /// The text of a string that begins, perhaps, with a number.
    pub(crate) fn number_word(&mut self) -> &'static str {
        self.rng.pick(NUMBERS)
    }

    pub(crate) fn float_literal(&mut self) -> Expr {
        let text = self.rng.pick(FLOATS);
        if self.rng.chance(40) {
            return Expr::new(Scalar::Float, parts![format!("({text}f)")]);
        }
        Expr::new(Scalar::Double, parts![format!("({text})")])
    }

    /// A constant of any scalar type.
    pub(crate) fn constant(&mut self, ty: Scalar) -> Expr {
        match ty {
            Scalar::Int(kind) => self.literal(kind),
            Scalar::Float | Scalar::Double => {
                Expr::new(ty, parts![format!("({})({})", ty.name(), self.rng.pick(FLOATS))])
            }
        }
    }

    /// A literal of exactly this integer type.
    pub(crate) fn literal(&mut self, kind: Int) -> Expr {
        let (value, extreme) = self.value(kind);
        let text = self.spell(kind, value);
        let mut parts = parts![text];
        if extreme {
            parts.push(Feature::ExtremeLiteral.into());
        }
        Expr::int(kind, parts)
    }

    /// The bits of a value of `kind`, and whether it is an extreme one.
    fn value(&mut self, kind: Int) -> (u128, bool) {
        let bits = kind.bits();
        let mask = u128::MAX >> (128 - bits);
        let top = 1u128 << (bits - 1);
        match self.rng.below(10) {
            0..=4 => (u128::from(self.rng.below(12)) & mask, false),
            5..=6 => (u128::from(self.rng.below(1 << 12)) & mask, false),
            7 => {
                let low = u128::from(self.rng.bits());
                ((low | u128::from(self.rng.bits()) << 64) & mask, false)
            }
            _ => {
                let extremes = [mask, top, top.wrapping_sub(1) & mask, top.wrapping_add(1) & mask];
                (self.rng.pick(&extremes), true)
            }
        }
    }

    fn spell(&mut self, kind: Int, bits: u128) -> String {
        if kind.bits() == 128 {
            return spell_wide(kind, bits);
        }
        if !kind.signed() {
            return self.spell_unsigned(kind, bits as u64);
        }
        let shift = 64 - kind.bits();
        let value = ((bits as u64) << shift) as i64 >> shift;
        self.spell_signed(kind, value)
    }

    fn spell_unsigned(&mut self, kind: Int, value: u64) -> String {
        let digits = self.digits(value);
        match kind {
            Int::UInt => format!("{digits}u"),
            Int::ULong => format!("{digits}UL"),
            Int::ULLong => format!("{digits}ULL"),
            _ => format!("(({}){digits})", kind.name()),
        }
    }

    fn spell_signed(&mut self, kind: Int, value: i64) -> String {
        let digits = match value {
            // The most negative value has no literal of its own.
            i64::MIN => return format!("(-{}{} - 1)", i64::MAX, suffix(kind)),
            v if v < 0 => format!("(-{}{})", v.unsigned_abs(), suffix(kind)),
            v => format!("{}{}", self.digits(v.unsigned_abs()), suffix(kind)),
        };
        match kind {
            Int::Int if value == i64::from(i32::MIN) => format!("(-{} - 1)", i32::MAX),
            Int::Int | Int::Long | Int::LLong => digits,
            _ => format!("(({}){digits})", kind.name()),
        }
    }

    /// Digits in one of the three bases of C.
    fn digits(&mut self, value: u64) -> String {
        match self.rng.below(6) {
            0 | 1 => format!("0x{value:x}"),
            2 if value > 0 => format!("0{value:o}"),
            // A large decimal literal without `u` would get a wider type.
            _ if value > i32::MAX as u64 => format!("0x{value:X}"),
            _ => value.to_string(),
        }
    }
}

fn suffix(kind: Int) -> &'static str {
    match kind {
        Int::Long => "L",
        Int::LLong => "LL",
        _ => "",
    }
}

/// There are no literals of 128 bits, so two halves are put together.
fn spell_wide(kind: Int, bits: u128) -> String {
    let (high, low) = ((bits >> 64) as u64, bits as u64);
    let name = kind.name();
    format!("(({name})((unsigned __int128)0x{high:x}ULL << 64 | 0x{low:x}ULL))")
}
