//! `printf` formats.
//!
//! Parsing is apart from rendering, since what a conversion takes (an integer, a float, a string)
//! has to be fetched from the program in between.

use std::ops::Range;

/// A piece of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text as it stands, in these bytes of the format.
    Text(Range<usize>),
    /// A conversion.
    Conversion(Spec),
}

/// Width or precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// None given.
    None,
    /// A number.
    Number(usize),
    /// `*`: the next argument.
    Argument,
}

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// A space.
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// Field width.
    pub width: Count,
    /// The precision of the conversion.
    pub precision: Count,
    /// `hh`, `h`, `l`, `ll`, `z`, `t`, `j`, `L` or nothing.
    pub length: String,
    /// The conversion letter.
    pub letter: char,
}

/// The pieces of a format; `None` if it ends within a conversion.
#[must_use]
pub fn parse(format: &[u8]) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(rest) = format.get(at..).filter(|rest| !rest.is_empty()) {
        let text = rest.iter().take_while(|&&byte| byte != b'%').count();
        // Of two signs, the second is text.
        let (skipped, text) = match rest {
            [b'%', b'%', ..] => (1, 1),
            _ => (0, text),
        };
        if text > 0 {
            pieces.push(Piece::Text(at + skipped..at + skipped + text));
            at += skipped + text;
            continue;
        }
        let (spec, tail) = parse_spec(rest.get(1..)?)?;
        pieces.push(Piece::Conversion(spec));
        at = format.len() - tail.len();
    }
    Some(pieces)
}

fn parse_spec(mut rest: &[u8]) -> Option<(Spec, &[u8])> {
    let mut flags = Vec::new();
    while let Some((&flag, tail)) = rest.split_first().filter(|(flag, _)| b"-+ #0".contains(flag)) {
        flags.push(flag);
        rest = tail;
    }
    let (width, tail) = parse_count(rest);
    rest = tail;
    let mut precision = Count::None;
    if let Some(tail) = rest.strip_prefix(b".") {
        (precision, rest) = parse_count(tail);
        if precision == Count::None {
            precision = Count::Number(0);
        }
    }
    let length = rest.iter().take_while(|byte| b"hlzjtqL".contains(byte)).count();
    let (length, tail) = rest.split_at(length);
    let (&letter, tail) = tail.split_first()?;
    let spec = Spec {
        left: flags.contains(&b'-'),
        plus: flags.contains(&b'+'),
        space: flags.contains(&b' '),
        alternate: flags.contains(&b'#'),
        zero: flags.contains(&b'0'),
        width,
        precision,
        length: String::from_utf8_lossy(length).into_owned(),
        letter: char::from(letter),
    };
    Some((spec, tail))
}

fn parse_count(rest: &[u8]) -> (Count, &[u8]) {
    if let Some(tail) = rest.strip_prefix(b"*") {
        return (Count::Argument, tail);
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, tail) = rest.split_at(digits);
    let number = std::str::from_utf8(number).ok().and_then(|text| text.parse().ok());
    (number.map_or(Count::None, Count::Number), tail)
}

const LEFT: u32 = 0x100;
const PLUS: u32 = 0x200;
const SPACE: u32 = 0x400;
const ALTERNATE: u32 = 0x800;
const ZERO: u32 = 0x1000;
const WIDE: u32 = 0x2000;

impl Spec {
    /// Letter and flags as a number, as `print.c` takes them. `is_wide`: of more than 32 bits.
    #[must_use]
    pub fn packed(&self, is_wide: bool) -> u32 {
        let flags = [
            (self.left, LEFT),
            (self.plus, PLUS),
            (self.space, SPACE),
            (self.alternate, ALTERNATE),
            (self.zero, ZERO),
            (is_wide, WIDE),
        ];
        let flags = flags.iter().filter(|(is_set, _)| *is_set).map(|(_, flag)| flag);
        u32::from(self.letter as u8) | flags.sum::<u32>()
    }

    /// The letter and flags of such a number.
    #[must_use]
    pub fn unpacked(packed: u32) -> Spec {
        let has = |flag: u32| packed & flag != 0;
        Spec {
            left: has(LEFT),
            plus: has(PLUS),
            space: has(SPACE),
            alternate: has(ALTERNATE),
            zero: has(ZERO),
            width: Count::None,
            precision: Count::None,
            length: String::new(),
            letter: char::from(packed as u8),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_percent() {
        let pieces = parse(b"a%%b %-5ld").expect("a format");
        assert_eq!(pieces[..3], [Piece::Text(0..1), Piece::Text(2..3), Piece::Text(3..5)]);
        assert!(matches!(&pieces[3], Piece::Conversion(spec) if spec.left && spec.letter == 'd'));
        assert!(parse(b"%").is_none() && parse(b"%5").is_none());
    }

    #[test]
    fn flags_can_be_packed() {
        let pieces = parse(b"%-+ #0x").expect("a format");
        let [Piece::Conversion(spec)] = &pieces[..] else { panic!("one conversion") };
        assert_eq!(Spec::unpacked(spec.packed(true)), *spec);
    }
}
