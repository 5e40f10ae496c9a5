//! Formats of `scanf` and `fscanf`: which variables a call writes.
//!
//! Only formats of numbers and single characters are known, with at most four variables; a call with
//! another one stays a call of something that is not modelled.

use crate::ir::{Op, Operand, Program, Type};

/// Variables that one call may write.
const MOST: usize = 4;

/// A call of the family, as the model of it is called: its name and its arguments.
pub(super) struct Scan {
    pub(super) model: &'static str,
    pub(super) args: Vec<Operand>,
}

/// What a call of `scanf` or `fscanf` is, if its format is known.
pub(super) fn scan(program: &Program, op: &Op) -> Option<Scan> {
    let Op::External { name, args, .. } = op else { return None };
    let name =
        ["__isoc99_", "__isoc23_"].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
    let (model, stream) = match name {
        "scanf" => ("__unravel_scanf", 0),
        "fscanf" => ("__unravel_fscanf", 1),
        _ => return None,
    };
    if args.iter().any(|(ty, _)| *ty != Type::Ptr) {
        return None;
    }
    let given: Vec<Operand> = args.iter().map(|&(_, arg)| arg).collect();
    let format = text(program, *given.get(stream)?)?;
    let sizes = sizes(format, program.target.pointer_bytes)?;
    let variables = given.get(stream + 1..)?;
    if sizes.len() > MOST || sizes.len() > variables.len() {
        return None;
    }
    let packed = sizes.iter().rev().fold(0, |packed, &size| packed << 4 | u128::from(size));
    let mut args: Vec<Operand> = given.get(..stream)?.to_vec();
    args.extend([Operand::Int(sizes.len() as u128), Operand::Int(packed)]);
    args.extend(variables.iter().take(sizes.len()));
    args.resize(stream + 2 + MOST, Operand::Int(0));
    Some(Scan { model, args })
}

/// The bytes of a text that is never written.
fn text(program: &Program, operand: Operand) -> Option<&[u8]> {
    let Operand::Global(id, 0) = operand else { return None };
    let global = program.global(id);
    let bytes = global.bytes.as_deref().filter(|_| global.constant)?;
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    bytes.get(..end)
}

/// The number of bytes of each variable that a format writes.
fn sizes(format: &[u8], pointer_bytes: u8) -> Option<Vec<u8>> {
    let mut sizes = Vec::new();
    let mut rest = format.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            continue;
        }
        let is_skipped = rest.next_if_eq(&b'*').is_some();
        let has_width = rest.peek().is_some_and(u8::is_ascii_digit);
        while rest.next_if(u8::is_ascii_digit).is_some() {}
        let mut length = Vec::new();
        while let Some(letter) = rest.next_if(|it| b"hljzt".contains(it)) {
            length.push(letter);
        }
        let size = match rest.next()? {
            b'%' => continue,
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => match &length[..] {
                b"" => 4,
                b"hh" => 1,
                b"h" => 2,
                b"l" | b"z" | b"t" => pointer_bytes,
                b"ll" | b"j" => 8,
                _ => return None,
            },
            b'c' if !has_width && length.is_empty() => 1,
            _ => return None,
        };
        if !is_skipped {
            sizes.push(size);
        }
    }
    Some(sizes)
}

#[cfg(test)]
mod tests {
    use super::sizes;

    #[test]
    fn formats_of_numbers_are_known() {
        assert_eq!(sizes(b"%d", 8), Some(vec![4]));
        assert_eq!(sizes(b" %3hd, %lu%% %*d %c %hhx %lld", 8), Some(vec![2, 8, 1, 1, 8]));
        assert_eq!(sizes(b"%ld %zu", 4), Some(vec![4, 4]));
        assert_eq!(sizes(b"x", 8), Some(vec![]));
        for unknown in [&b"%s"[..], b"%", b"%l", b"%8c", b"%[a-z]", b"%p", b"%hld", b"%f"] {
            assert_eq!(sizes(unknown, 8), None);
        }
    }
}
