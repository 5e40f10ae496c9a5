//! `printf` formats, rendered. How they are parsed is with the library model.

pub use unravel_program::library::format::{Count, Piece, Spec, parse};

/// Width and precision with their `*` resolved.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent {
    /// Field width.
    pub width: usize,
    /// Precision, if any.
    pub precision: Option<usize>,
}

/// An integer conversion: `negative` and the magnitude.
#[must_use]
pub fn integer(spec: &Spec, extent: Extent, negative: bool, magnitude: u128) -> Vec<u8> {
    let mut digits = match spec.letter {
        'x' => format!("{magnitude:x}"),
        'X' => format!("{magnitude:X}"),
        'o' => format!("{magnitude:o}"),
        _ => magnitude.to_string(),
    };
    if extent.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let least = extent.precision.unwrap_or(0);
    digits = format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len())));
    let prefix = match spec.letter {
        'x' if spec.alternate && magnitude != 0 => "0x",
        'X' if spec.alternate && magnitude != 0 => "0X",
        'o' if spec.alternate && !digits.starts_with('0') => "0",
        _ => sign(spec, negative),
    };
    let zero = spec.zero && extent.precision.is_none();
    pad(spec, extent.width, prefix, &digits, zero)
}

fn sign(spec: &Spec, negative: bool) -> &'static str {
    let is_signed = matches!(spec.letter, 'd' | 'i' | 'f' | 'F' | 'e' | 'E' | 'g' | 'G');
    match () {
        () if negative => "-",
        () if is_signed && spec.plus => "+",
        () if is_signed && spec.space => " ",
        () => "",
    }
}

/// A string or character conversion.
#[must_use]
pub fn text(spec: &Spec, extent: Extent, bytes: &[u8]) -> Vec<u8> {
    let fill = vec![b' '; extent.width.saturating_sub(bytes.len())];
    if spec.left { [bytes, &fill].concat() } else { [&fill[..], bytes].concat() }
}

/// A floating point conversion; `None` for a letter that is not supported (`%a`).
#[must_use]
pub fn float(spec: &Spec, extent: Extent, value: f64) -> Option<Vec<u8>> {
    let upper = spec.letter.is_ascii_uppercase();
    let prefix = sign(spec, value.is_sign_negative() && !value.is_nan());
    let magnitude = value.abs();
    if !magnitude.is_finite() {
        let word = if magnitude.is_nan() { "nan" } else { "inf" };
        let word = if upper { word.to_uppercase() } else { word.to_owned() };
        return Some(pad(spec, extent.width, prefix, &word, false));
    }
    let precision = extent.precision.unwrap_or(6);
    let digits = match spec.letter.to_ascii_lowercase() {
        'f' => fixed(magnitude, precision, spec.alternate),
        'e' => exponent(magnitude, precision, spec.alternate),
        'g' => general(magnitude, precision.max(1), spec.alternate),
        _ => return None,
    };
    let digits = if upper { digits.to_uppercase() } else { digits };
    Some(pad(spec, extent.width, prefix, &digits, spec.zero))
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let dot = if alternate && precision == 0 { "." } else { "" };
    format!("{value:.precision$}{dot}")
}

/// C's exponent has a sign and at least two digits; Rust's has neither.
fn exponent(value: f64, precision: usize, alternate: bool) -> String {
    let rust = format!("{value:.precision$e}");
    let (mantissa, power) = rust.split_once('e').unwrap_or((&rust, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let dot = if alternate && precision == 0 { "." } else { "" };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{mantissa}{dot}e{sign}{:02}", power.abs())
}

/// C11 §7.21.6.1: `%e` or `%f` by the exponent that `%e` would print, without trailing zeros.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let scientific = format!("{value:.*e}", precision - 1);
    let power = scientific.split_once('e').and_then(|(_, power)| power.parse::<i32>().ok());
    let power = power.unwrap_or(0);
    let limit = i32::try_from(precision).unwrap_or(i32::MAX);
    if power < -4 || power >= limit {
        let text = exponent(value, precision - 1, alternate);
        let (mantissa, tail) = text.split_once('e').unwrap_or((&text, "+00"));
        let mantissa = if alternate { mantissa } else { trim_zeros(mantissa) };
        return format!("{mantissa}e{tail}");
    }
    let places = usize::try_from(limit - 1 - power).unwrap_or(0);
    let text = fixed(value, places, alternate);
    if alternate { text } else { trim_zeros(&text).to_owned() }
}

fn trim_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

fn pad(spec: &Spec, width: usize, prefix: &str, digits: &str, zero: bool) -> Vec<u8> {
    let fill = width.saturating_sub(prefix.len() + digits.len());
    let line = match (spec.left, zero) {
        (true, _) => format!("{prefix}{digits}{}", " ".repeat(fill)),
        (false, true) => format!("{prefix}{}{digits}", "0".repeat(fill)),
        (false, false) => format!("{}{prefix}{digits}", " ".repeat(fill)),
    };
    line.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(format: &str) -> (Spec, Extent) {
        let pieces = parse(format.as_bytes()).expect("a format");
        let [Piece::Conversion(spec)] = &pieces[..] else { panic!("one conversion") };
        let number = |count| if let Count::Number(n) = count { Some(n) } else { None };
        let extent =
            Extent { width: number(spec.width).unwrap_or(0), precision: number(spec.precision) };
        (spec.clone(), extent)
    }

    fn int(format: &str, negative: bool, magnitude: u128) -> String {
        let (spec, extent) = spec(format);
        String::from_utf8(integer(&spec, extent, negative, magnitude)).expect("text")
    }

    fn real(format: &str, value: f64) -> String {
        let (spec, extent) = spec(format);
        String::from_utf8(float(&spec, extent, value).expect("known")).expect("text")
    }

    #[test]
    fn integers() {
        assert_eq!(int("%5d", true, 42), "  -42");
        assert_eq!(int("%-5d", true, 42), "-42  ");
        assert_eq!(int("%05d", true, 42), "-0042");
        assert_eq!(int("%+d", false, 42), "+42");
        assert_eq!(int("%#x", false, 255), "0xff");
        assert_eq!(int("%#o", false, 8), "010");
        assert_eq!(int("%.3d", false, 7), "007");
        assert_eq!(int("%.0d", false, 0), "");
    }

    #[test]
    fn floats() {
        assert_eq!(real("%f", 1.5), "1.500000");
        assert_eq!(real("%.3e", 12345.678), "1.235e+04");
        assert_eq!(real("%g", 0.0001), "0.0001");
        assert_eq!(real("%g", 0.00001), "1e-05");
        assert_eq!(real("%g", 1e6), "1e+06");
        assert_eq!(real("%g", 100000.0), "100000");
        assert_eq!(real("%g", 0.0), "0");
        assert_eq!(real("%08.2f", -2.71), "-0002.71");
        assert_eq!(real("%f", f64::INFINITY), "inf");
    }
}
