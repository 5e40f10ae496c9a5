//! Files that are no UTF-8.
//!
//! C takes any bytes in comments and strings, and sources in Latin-1 are common. Texts are strings
//! here, so a byte that is part of no character becomes a character of its own, in a range of
//! Unicode that is for private use, and is that byte again when the text is written. Characters of
//! that range in the file are taken byte by byte, too, so that nothing is ambiguous.

/// The character for byte 0; only those for 0x80 to 0xff are used.
const FIRST: u32 = 0xf700;

/// The text of a file.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match byte_of(character) {
                None => text.push(character),
                Some(_) => {
                    let mut buffer = [0; 4];
                    text.extend(character.encode_utf8(&mut buffer).bytes().map(character_of));
                }
            }
        }
        text.extend(chunk.invalid().iter().copied().map(character_of));
    }
    text
}

/// The bytes of a text: the inverse of [`decode`].
#[must_use]
pub fn encode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut buffer = [0; 4];
    for character in text.chars() {
        match byte_of(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(character.encode_utf8(&mut buffer).bytes()),
        }
    }
    bytes
}

/// A text to be shown: what is no character is the mark for that.
#[must_use]
pub fn shown(text: &str) -> String {
    let mark = |it: char| if byte_of(it).is_some() { char::REPLACEMENT_CHARACTER } else { it };
    text.chars().map(mark).collect()
}

fn character_of(byte: u8) -> char {
    char::from_u32(FIRST + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn byte_of(character: char) -> Option<u8> {
    let number = u32::from(character).checked_sub(FIRST)?;
    u8::try_from(number).ok().filter(|byte| *byte >= 0x80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_written_as_it_was_read() {
        let private = "\u{f7e9}\u{f700}\u{e000}".as_bytes();
        let files: [&[u8]; 6] =
            [b"int x;\n", b"caf\xe9", "café €".as_bytes(), private, b"\xe2\x82", b"\xff\xfe\x80"];
        for file in files {
            assert_eq!(encode(&decode(file)), file);
        }
        assert_eq!(shown(&decode(b"caf\xe9!")), "caf\u{fffd}!");
    }
}
