//! A run as a file.
//!
//! ```text
//! "UNRAVELR"  version  length  header (JSON)  checksum
//! "CHNK"  records  length  bytes  checksum          as often as there are chunks
//! "DONE"  length  trailer (JSON)  checksum
//! ```
//!
//! Numbers are of 32 bits, lowest byte first; a checksum is the CRC-32 of what follows the tag. Each
//! chunk is written as soon as it is full, so that a crash of the recorder or a full disk costs at most
//! the last one. A reader takes what is whole, and says what is missing.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};
use unravel_wire::Record;

use crate::pack::{pack, unpack};

const MAGIC: &[u8; 8] = b"UNRAVELR";
const VERSION: u32 = 1;
const CHUNK: &[u8; 4] = b"CHNK";
const DONE: &[u8; 4] = b"DONE";
/// Records in a full chunk.
const FULL: usize = 1 << 16;
/// A chunk of records is never larger than this before it is compressed.
const MOST: usize = FULL * 64;
const MOST_HEADER: u32 = 1 << 24;

/// What was run, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Version of Unravel.
    pub tool: String,
    /// The executable, as an absolute path.
    pub program: String,
    /// A fingerprint of its content, in hexadecimal.
    pub fingerprint: String,
    /// What it was called with.
    pub arguments: Vec<String>,
    /// Where.
    pub directory: String,
    /// Who chose the threads.
    pub strategy: String,
    /// With which seed.
    pub seed: u64,
    /// The processor.
    pub machine: String,
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trailer {
    /// Exit code, if it has one.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// Records in all.
    pub records: u64,
}

/// A run that was read.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What was run.
    pub header: Header,
    /// What happened, in order.
    pub records: Vec<Record>,
    /// How it ended; `None` if the file ends before.
    pub trailer: Option<Trailer>,
    /// Where the file is damaged.
    pub damage: Option<Damage>,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// It is no recording.
    NotARecording,
    /// It was written by another version of Unravel.
    Version(u32),
    /// Its header cannot be read.
    Header,
    /// It ends in the middle, after so many records.
    Cut(u64),
    /// The chunk after so many records is not what was written.
    Chunk(u64),
    /// It ends without saying how the run ended, after so many records.
    NoEnd(u64),
}

/// Writes a run.
#[derive(Debug)]
pub struct Writer<W: Write> {
    out: W,
    open: Vec<Record>,
    written: u64,
    bytes: u64,
}

impl<W: Write> Writer<W> {
    /// Begins the file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(mut out: W, header: &Header) -> io::Result<Writer<W>> {
        let text = serde_json::to_vec(header)?;
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        part(&mut out, &text)?;
        let bytes = text.len() as u64;
        Ok(Writer { out, open: Vec::new(), written: 0, bytes })
    }

    /// Adds records.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn push(&mut self, records: &[Record]) -> io::Result<()> {
        for record in records {
            self.open.push(*record);
            if self.open.len() == FULL {
                self.close_chunk()?;
            }
        }
        Ok(())
    }

    fn close_chunk(&mut self) -> io::Result<()> {
        if self.open.is_empty() {
            return Ok(());
        }
        let mut body = (self.open.len() as u32).to_le_bytes().to_vec();
        body.extend(pack(&self.open));
        self.out.write_all(CHUNK)?;
        part(&mut self.out, &body)?;
        self.out.flush()?;
        self.written += self.open.len() as u64;
        self.bytes += body.len() as u64;
        self.open.clear();
        Ok(())
    }

    /// Ends the file. Returns how many bytes it has, roughly, and what was written it to.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn finish(mut self, code: Option<i32>, signal: Option<i32>) -> io::Result<(u64, W)> {
        self.close_chunk()?;
        let trailer = Trailer { code, signal, records: self.written };
        self.out.write_all(DONE)?;
        part(&mut self.out, &serde_json::to_vec(&trailer)?)?;
        self.out.flush()?;
        Ok((self.bytes, self.out))
    }
}

/// A length, bytes, and their checksum.
fn part(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    out.write_all(&(bytes.len() as u32).to_le_bytes())?;
    out.write_all(bytes)?;
    out.write_all(&crc32fast::hash(bytes).to_le_bytes())
}

impl Recording {
    /// Reads a file, as far as it is whole.
    ///
    /// # Errors
    /// It is no recording, or not even its header can be read; or reading fails.
    pub fn read(mut file: impl Read) -> io::Result<Result<Recording, Damage>> {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Recording::parse(&bytes))
    }

    /// Reads the bytes of a file, as far as they are whole.
    ///
    /// # Errors
    /// They are no recording, or not even the header can be read.
    pub fn parse(bytes: &[u8]) -> Result<Recording, Damage> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(Damage::NotARecording)?;
        let (version, mut rest) = word(rest).ok_or(Damage::NotARecording)?;
        if version != VERSION {
            return Err(Damage::Version(version));
        }
        let text = take(&mut rest).map_err(|_| Damage::Header)?;
        let header = serde_json::from_slice(text).map_err(|_| Damage::Header)?;
        let mut recording = Recording { header, records: Vec::new(), trailer: None, damage: None };
        recording.damage = recording.chunks(rest).err();
        Ok(recording)
    }

    fn chunks(&mut self, mut rest: &[u8]) -> Result<(), Damage> {
        loop {
            let so_far = self.records.len() as u64;
            let Some((tag, after)) = rest.split_at_checked(4) else {
                return Err(if rest.is_empty() {
                    Damage::NoEnd(so_far)
                } else {
                    Damage::Cut(so_far)
                });
            };
            rest = after;
            let broken = |whole: Broken| match whole {
                Broken::Short => Damage::Cut(so_far),
                Broken::Wrong => Damage::Chunk(so_far),
            };
            let body = take(&mut rest).map_err(broken)?;
            if tag == DONE {
                let trailer = serde_json::from_slice(body).map_err(|_| Damage::Chunk(so_far))?;
                self.trailer = Some(trailer);
                return Ok(());
            }
            let (count, packed) = word(body).ok_or(Damage::Chunk(so_far))?;
            if tag != CHUNK || count as usize > FULL {
                return Err(Damage::Chunk(so_far));
            }
            let records =
                unpack(packed, count as usize, MOST).map_err(|_| Damage::Chunk(so_far))?;
            self.records.extend(records);
        }
    }
}

enum Broken {
    Short,
    Wrong,
}

fn word(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (word, rest) = bytes.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*word), rest))
}

fn take<'b>(rest: &mut &'b [u8]) -> Result<&'b [u8], Broken> {
    let (length, after) = word(rest).ok_or(Broken::Short)?;
    if length > MOST_HEADER.max(MOST as u32) {
        return Err(Broken::Wrong);
    }
    let (body, after) = after.split_at_checked(length as usize).ok_or(Broken::Short)?;
    let (sum, after) = word(after).ok_or(Broken::Short)?;
    if sum != crc32fast::hash(body) {
        return Err(Broken::Wrong);
    }
    *rest = after;
    Ok(body)
}

#[cfg(test)]
mod tests {
    use unravel_wire::Kind;

    use super::*;

    fn header() -> Header {
        Header {
            tool: "0".to_owned(),
            program: "/p".to_owned(),
            fingerprint: "f".to_owned(),
            arguments: vec!["a b".to_owned()],
            directory: "/".to_owned(),
            strategy: "serial".to_owned(),
            seed: 1,
            machine: "x86_64".to_owned(),
        }
    }

    fn file(count: u64) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new(), &header()).unwrap();
        let record = |at| Record::new(Kind::Read, 1, at % 9).with(at, at * at);
        writer.push(&(0..count).map(record).collect::<Vec<_>>()).unwrap();
        writer.finish(Some(0), None).unwrap().1
    }

    #[test]
    fn a_file_gives_back_what_was_written() {
        let count = FULL as u64 + 100;
        let recording = Recording::parse(&file(count)).unwrap();
        assert_eq!((recording.header, recording.damage), (header(), None));
        assert_eq!(recording.records.len() as u64, count);
        assert_eq!(
            recording.trailer,
            Some(Trailer { code: Some(0), signal: None, records: count })
        );
    }

    #[test]
    fn a_file_that_is_cut_is_read_up_to_there() {
        let whole = file(FULL as u64 + 100);
        let recording = Recording::parse(&whole[..whole.len() - 60]).unwrap();
        assert!(matches!(recording.damage, Some(Damage::Cut(_) | Damage::NoEnd(_))));
        assert!(recording.records.len() >= FULL);
        assert_eq!(Recording::parse(b"hello").err(), Some(Damage::NotARecording));
    }

    #[test]
    fn no_change_of_a_byte_makes_it_panic() {
        let whole = file(300);
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 0x41;
            let read = Recording::parse(&broken);
            assert!(read.is_err() || read.is_ok_and(|it| it.damage.is_some()), "byte {at}");
            let _ = Recording::parse(&whole[..at]);
        }
    }
}
