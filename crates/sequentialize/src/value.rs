//! Values of a run as C constants.

use unravel_interp::choice::ChoiceKind;
use unravel_interp::value::signed;
use unravel_program::{Operand, Program};

use crate::trace::Entry;

/// The input that a call gave.
pub fn input(function: &str, entry: &Entry) -> String {
    let Some((choice, value)) = entry.inputs.first() else { return "0".to_owned() };
    let width = match choice.kind {
        ChoiceKind::Input { width, .. } => width,
        ChoiceKind::Pick { .. } => 32,
    };
    let name = function.strip_prefix("__VERIFIER_nondet_").unwrap_or("int");
    let is_unsigned =
        name.starts_with('u') || matches!(name, "bool" | "_Bool" | "size_t" | "pointer");
    number(value.bits, width, is_unsigned)
}

/// Bits as a number.
pub fn number(bits: u128, width: u16, is_unsigned: bool) -> String {
    if is_unsigned {
        let suffix = if width > 32 {
            "UL"
        } else if width == 32 {
            "U"
        } else {
            ""
        };
        return format!("{bits}{suffix}");
    }
    let value = signed(bits, width);
    let least = i128::MIN >> (128 - width.clamp(1, 128));
    let suffix = if width > 32 { "L" } else { "" };
    if value == least && width >= 32 {
        format!("({}{suffix} - 1)", value + 1)
    } else {
        format!("{value}{suffix}")
    }
}

/// What `main` is called with: a number, or strings with a null behind them.
pub fn main_argument(program: &Program, index: usize) -> String {
    let vector = match program.arguments.get(index) {
        Some(Operand::Global(id, _)) => program.global(*id),
        Some(Operand::Int(bits)) => return number(*bits, 32, false),
        _ => return "0".to_owned(),
    };
    let words = vector.relocations.iter().filter_map(|it| match it.target {
        Operand::Global(id, _) => program.global(id).bytes.as_deref().map(bytes_literal),
        _ => None,
    });
    let words: Vec<String> = words.chain(["NULL".to_owned()]).collect();
    format!("(char *[]){{{}}}", words.join(", "))
}

/// Bytes as a C string.
pub fn bytes_literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &byte in bytes {
        match byte {
            // Two question marks may begin a trigraph.
            b'"' | b'\\' | b'?' => out.extend(['\\', char::from(byte)]),
            b' '..=b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::{bytes_literal, number};

    #[test]
    fn bytes_are_escaped_so_that_what_follows_is_not_taken_for_a_digit() {
        assert_eq!(bytes_literal(b"a\x001\"\\?\xff"), r#""a\0001\"\\\?\377""#);
    }

    #[test]
    fn the_least_number_of_a_type_is_no_constant_of_it() {
        assert_eq!(number(1 << 31, 32, false), "(-2147483647 - 1)");
        assert_eq!(number(0xff, 8, false), "-1");
        assert_eq!(number(0xffff_ffff, 32, true), "4294967295U");
    }
}
