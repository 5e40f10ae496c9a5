//! Arithmetic on numbers of a given width, held in the low bits of a `u128`.
//!
//! The one place that says what the operations mean; folding and evaluation use it.

/// All bits of the width set.
#[must_use]
pub fn mask(width: u16) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The bit of the sign.
#[must_use]
pub fn sign_bit(width: u16) -> u128 {
    1 << (width.clamp(1, 128) - 1)
}

/// As a signed number.
#[must_use]
pub fn signed(width: u16, bits: u128) -> i128 {
    let unused = 128 - u32::from(width.clamp(1, 128));
    (bits << unused).cast_signed() >> unused
}

/// The bits of a signed number.
#[must_use]
pub fn unsigned(width: u16, number: i128) -> u128 {
    number.cast_unsigned() & mask(width)
}

/// The sum, cut to the width.
#[must_use]
pub fn add(width: u16, a: u128, b: u128) -> u128 {
    a.wrapping_add(b) & mask(width)
}

/// The number with the other sign, cut to the width.
#[must_use]
pub fn neg(width: u16, a: u128) -> u128 {
    a.wrapping_neg() & mask(width)
}

/// The product, cut to the width.
#[must_use]
pub fn mul(width: u16, a: u128, b: u128) -> u128 {
    a.wrapping_mul(b) & mask(width)
}

/// Unsigned quotient; all bits set if `b` is 0.
#[must_use]
pub fn udiv(width: u16, a: u128, b: u128) -> u128 {
    a.checked_div(b).unwrap_or_else(|| mask(width))
}

/// Unsigned remainder; `a` if `b` is 0.
#[must_use]
pub fn urem(a: u128, b: u128) -> u128 {
    a.checked_rem(b).unwrap_or(a)
}

/// Signed quotient; if `b` is 0, 1 for a negative `a`, else -1.
#[must_use]
pub fn sdiv(width: u16, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    let by_zero = if x < 0 { 1 } else { -1 };
    unsigned(width, if y == 0 { by_zero } else { x.wrapping_div(y) })
}

/// Signed remainder; `a` if `b` is 0.
#[must_use]
pub fn srem(width: u16, a: u128, b: u128) -> u128 {
    let (x, y) = (signed(width, a), signed(width, b));
    unsigned(width, if y == 0 { x } else { x.wrapping_rem(y) })
}

/// Shifted left.
#[must_use]
pub fn shl(width: u16, a: u128, by: u128) -> u128 {
    if by >= u128::from(width) { 0 } else { (a << by) & mask(width) }
}

/// Shifted right, zeros coming in.
#[must_use]
pub fn lshr(width: u16, a: u128, by: u128) -> u128 {
    if by >= u128::from(width) { 0 } else { a >> by }
}

/// Shifted right, copies of the sign coming in.
#[must_use]
pub fn ashr(width: u16, a: u128, by: u128) -> u128 {
    unsigned(width, signed(width, a) >> by.min(127))
}

/// The bits from `low` on.
#[must_use]
pub fn extract(a: u128, low: u16, width: u16) -> u128 {
    if low >= 128 { 0 } else { (a >> low) & mask(width) }
}

/// `high` above the `low_width` bits of `low`.
#[must_use]
pub fn concat(high: u128, low: u128, low_width: u16) -> u128 {
    if low_width >= 128 { low } else { (high << low_width) | low }
}

/// Sign-extended from one width to another.
#[must_use]
pub fn sext(from: u16, to: u16, a: u128) -> u128 {
    unsigned(to, signed(from, a))
}
