//! Small C functions that generated programs call to stay clear of undefined
//! behaviour. The printer emits the definitions of those in use.

use crate::feature::Feature;
use crate::types::Int;

/// A helper function; the signed types are `int` and wider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Helper {
    /// Folds a value into the checksum.
    Mix,
    /// Bits of a double, for the checksum.
    DoubleBits,
    /// Brings a float into (-1e6, 1e6); NaN becomes a number.
    ClampFloat,
    /// The same for a double.
    ClampDouble,
    /// Division that does not divide by (nearly) nothing.
    SafeFloatDiv,
    /// Double to int, for any value.
    DoubleToInt,
    SafeAdd(Int),
    SafeSub(Int),
    SafeMul(Int),
    SafeDiv(Int),
    SafeRem(Int),
}

impl Helper {
    /// The name under which it is called.
    pub(crate) fn name(self) -> String {
        match self {
            Helper::Mix => "mix".into(),
            Helper::DoubleBits => "double_bits".into(),
            Helper::ClampFloat => "clamp_float".into(),
            Helper::ClampDouble => "clamp_double".into(),
            Helper::SafeFloatDiv => "safe_fdiv".into(),
            Helper::DoubleToInt => "double_to_int".into(),
            Helper::SafeAdd(kind) => format!("safe_add_{}", kind.tag()),
            Helper::SafeSub(kind) => format!("safe_sub_{}", kind.tag()),
            Helper::SafeMul(kind) => format!("safe_mul_{}", kind.tag()),
            Helper::SafeDiv(kind) => format!("safe_div_{}", kind.tag()),
            Helper::SafeRem(kind) => format!("safe_rem_{}", kind.tag()),
        }
    }

    /// The feature that the definition itself brings in, if any.
    pub(crate) fn feature(self) -> Option<Feature> {
        match self {
            Helper::SafeAdd(_) | Helper::SafeSub(_) => Some(Feature::GuardedHelper),
            Helper::SafeDiv(_) | Helper::SafeRem(_) => Some(Feature::GuardedHelper),
            // __muloti4 is missing from libgcc, so only 64 bits overflow-check.
            Helper::SafeMul(kind) if kind.bits() <= 64 => Some(Feature::MulOverflow),
            _ => None,
        }
    }

    /// The definition in C.
    pub(crate) fn definition(self) -> String {
        match self {
            Helper::Mix => MIX.into(),
            Helper::DoubleBits => DOUBLE_BITS.into(),
            Helper::ClampFloat => clamp("float", "1e6f", "0.5f"),
            Helper::ClampDouble => clamp("double", "1e6", "0.5"),
            Helper::SafeFloatDiv => SAFE_FDIV.into(),
            Helper::DoubleToInt => DOUBLE_TO_INT.into(),
            Helper::SafeAdd(kind) => self.guarded(kind, SAFE_ADD),
            Helper::SafeSub(kind) => self.guarded(kind, SAFE_SUB),
            Helper::SafeMul(kind) if kind.bits() <= 64 => self.guarded(kind, SAFE_MUL),
            Helper::SafeMul(kind) => self.guarded(kind, WRAPPING_MUL),
            Helper::SafeDiv(kind) => self.guarded(kind, SAFE_DIV),
            Helper::SafeRem(kind) => self.guarded(kind, SAFE_REM),
        }
    }

    /// Fills a body into a function of two operands of `kind`.
    fn guarded(self, kind: Int, body: &str) -> String {
        let (ty, unsigned) = (kind.name(), kind.to_unsigned().name());
        // MAX and MIN are spelled by shifts since __int128 has no macros.
        let max = format!("(({ty})(({unsigned})-1 >> 1))");
        let body = body
            .replace("MIN", &format!("(-{max} - 1)"))
            .replace("MAX", &max)
            .replace("UT", unsigned)
            .replace('T', ty);
        format!("static {ty} {}({ty} a, {ty} b) {{ {body} }}\n", self.name())
    }
}

fn clamp(ty: &str, limit: &str, otherwise: &str) -> String {
    format!(
        "static {ty} clamp_{ty}({ty} x) {{ return x > -{limit} && x < {limit} ? x : {otherwise}; }}\n"
    )
}

const MIX: &str = "\
static uint64_t checksum = 14695981039346656037u;
static void mix(uint64_t v) {
    checksum = (checksum ^ v) * 1099511628211u;
    checksum ^= checksum >> 29;
}
";
const DOUBLE_BITS: &str =
    "static uint64_t double_bits(double d) { uint64_t u; memcpy(&u, &d, sizeof u); return u; }\n";
const SAFE_FDIV: &str =
    "static double safe_fdiv(double a, double b) { return b > 1e-3 || b < -1e-3 ? a / b : a; }\n";
const DOUBLE_TO_INT: &str =
    "static int double_to_int(double x) { return x > -1e9 && x < 1e9 ? (int)x : 7; }\n";
const SAFE_ADD: &str = "return (b > 0 && a > MAX - b) || (b < 0 && a < MIN - b) ? a : a + b;";
const SAFE_SUB: &str = "return (b < 0 && a > MAX + b) || (b > 0 && a < MIN + b) ? a : a - b;";
const SAFE_MUL: &str = "T r; return __builtin_mul_overflow(a, b, &r) ? b : r;";
const WRAPPING_MUL: &str = "return (T)((UT)a * (UT)b);";
const SAFE_DIV: &str = "return b == 0 || (a == MIN && b == -1) ? a : a / b;";
const SAFE_REM: &str = "return b == 0 || (a == MIN && b == -1) ? b : a % b;";
