//! The section that carries the IR of a unit through the linker into the program.
//!
//! A linker puts sections of one name behind each other, so each part says how long it is:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `UNRAVEL1` |
//! | 4 | length of the header |
//! | | header: JSON |
//! | 4 | length of the bitcode |
//! | 4 | length of the compressed bitcode |
//! | | compressed bitcode: zstd |
//! | 4 | CRC-32 of all before |
//! | | zeros up to a multiple of 8 |
//!
//! Numbers are little-endian. The section has no flags: it is no part of the memory of the program,
//! and `--gc-sections`, `-r` and `strip` leave it alone.

use std::io::Read as _;

use serde::{Deserialize, Serialize};

use crate::error::{Error, UnitsError};
use crate::hooks::{Unit, UnitHeader};

/// Its name.
pub(super) const NAME: &str = ".unravel";

const MAGIC: &[u8; 8] = b"UNRAVEL1";

/// zstd's own default: higher levels take much longer for a few percent.
const LEVEL: i32 = 3;

/// The header as it is written.
#[derive(Serialize, Deserialize)]
struct Header {
    unit: String,
    #[serde(flatten)]
    rest: UnitHeader,
}

/// One part.
pub(super) fn pack(number: u64, header: &UnitHeader, bitcode: &[u8]) -> Result<Vec<u8>, Error> {
    let too_large = |_| Error::Invalid("a unit of more than 4 GB".to_owned());
    let length = |bytes: &[u8]| u32::try_from(bytes.len()).map_err(too_large);
    let failed = |error: &dyn std::fmt::Display| Error::Invalid(error.to_string());
    let header = Header { unit: format!("{number:010x}"), rest: header.clone() };
    let header = serde_json::to_vec(&header).map_err(|error| failed(&error))?;
    let packed = zstd::bulk::compress(bitcode, LEVEL).map_err(|error| failed(&error))?;
    let mut part = MAGIC.to_vec();
    part.extend(length(&header)?.to_le_bytes());
    part.extend(&header);
    part.extend(length(bitcode)?.to_le_bytes());
    part.extend(length(&packed)?.to_le_bytes());
    part.extend(&packed);
    part.extend(crc32fast::hash(&part).to_le_bytes());
    part.resize(part.len().next_multiple_of(8), 0);
    Ok(part)
}

/// File-scope assembly that makes the section.
pub(super) fn assembly(part: &[u8]) -> String {
    // Long lines are no trouble for assemblers, but for people who look at them.
    const LINE: usize = 120;
    let mut text = format!(".pushsection {NAME},\"\",@progbits\n.p2align 3\n");
    text.reserve(part.len() * 3);
    for line in part.chunks(LINE) {
        text.push_str(".ascii \"");
        line.iter().for_each(|byte| push_escaped(&mut text, *byte));
        text.push_str("\"\n");
    }
    text.push_str(".popsection\n");
    text
}

/// A byte as assemblers read it in a string.
fn push_escaped(text: &mut String, byte: u8) {
    match byte {
        b'"' | b'\\' => text.extend(['\\', char::from(byte)]),
        b' '..=b'~' => text.push(char::from(byte)),
        _ => {
            text.push('\\');
            for shift in [6, 3, 0] {
                text.push(char::from(b'0' + (byte >> shift & 7)));
            }
        }
    }
}

/// Reads all parts of a section.
pub(super) fn unpack(section: &[u8]) -> Result<Vec<Unit>, Error> {
    let mut units = Vec::new();
    let mut rest = section;
    loop {
        // Linkers fill gaps with zeros.
        rest = without_zeros(rest);
        if rest.is_empty() {
            return Ok(units);
        }
        let offset = section.len() - rest.len();
        let damaged = Error::Units(UnitsError::Damaged { offset: offset as u64 });
        let (unit, behind) = read_part(rest).ok_or(damaged)?;
        units.push(unit);
        rest = behind;
    }
}

fn without_zeros(bytes: &[u8]) -> &[u8] {
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    bytes.get(zeros..).unwrap_or_default()
}

/// Reads the first part; `None` if it is damaged. Gives what is behind it, too.
fn read_part(bytes: &[u8]) -> Option<(Unit, &[u8])> {
    let mut rest = bytes.strip_prefix(MAGIC)?;
    let length = number(&mut rest)?;
    let header = take(&mut rest, length)?;
    let whole = number(&mut rest)?;
    let length = number(&mut rest)?;
    let packed = take(&mut rest, length)?;
    let covered = bytes.len() - rest.len();
    if crc32fast::hash(bytes.get(..covered)?) != number(&mut rest)? {
        return None;
    }
    let header: Header = serde_json::from_slice(header).ok()?;
    let number = u64::from_str_radix(&header.unit, 16).ok()?;
    let bitcode = decompressed(packed, whole)?;
    Some((Unit { number, header: header.rest, bitcode }, rest))
}

fn number(rest: &mut &[u8]) -> Option<u32> {
    take(rest, 4)?.try_into().ok().map(u32::from_le_bytes)
}

fn take<'a>(rest: &mut &'a [u8], length: u32) -> Option<&'a [u8]> {
    let (taken, behind) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    *rest = behind;
    Some(taken)
}

/// No more memory is taken than what there is to decompress.
fn decompressed(packed: &[u8], length: u32) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let decoder = zstd::stream::read::Decoder::new(packed).ok()?;
    decoder.take(u64::from(length) + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() == length as usize).then_some(bytes)
}
