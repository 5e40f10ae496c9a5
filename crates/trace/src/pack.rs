//! How a chunk of records is made small.
//!
//! Column by column, since each is like itself: kinds and sizes, threads, sites as numbers of a table,
//! numbers, and both words as differences from the last record of the same site. Zstandard does the
//! rest. About a byte for an event of a loop, four for one that never came before.

use std::collections::HashMap;

use unravel_wire::Record;

/// Compression level: 1 is nearly as good as 3 on differences, and three times as fast.
const LEVEL: i32 = 1;

/// A chunk that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken;

/// The records as bytes.
#[must_use]
pub fn pack(records: &[Record]) -> Vec<u8> {
    let mut columns: [Vec<u8>; 6] = Default::default();
    let mut sites = Sites::default();
    let mut last_thread = 0;
    for record in records {
        let [heads, threads, places, numbers, a, b] = &mut columns;
        heads.extend_from_slice(&(record.head as u16).to_le_bytes());
        number(threads, zigzag(u64::from(record.thread()), last_thread));
        last_thread = u64::from(record.thread());
        number(numbers, u64::from(record.number()));
        let (index, is_new) = sites.index(record.site);
        number(places, index as u64);
        if is_new {
            number(places, record.site);
        }
        let last = &mut sites.last[index];
        number(a, zigzag(record.a, last.0));
        number(b, zigzag(record.b, last.1));
        *last = (record.a, record.b);
    }
    let mut all = Vec::new();
    for column in &columns {
        number(&mut all, column.len() as u64);
    }
    columns.iter().for_each(|column| all.extend_from_slice(column));
    // Compression into memory does not fail.
    zstd::bulk::compress(&all, LEVEL).unwrap_or_default()
}

/// The records of a chunk that [`pack`] made.
///
/// # Errors
/// The bytes are not those of so many records.
pub fn unpack(bytes: &[u8], count: usize, most: usize) -> Result<Vec<Record>, Broken> {
    let all = zstd::bulk::decompress(bytes, most).map_err(|_| Broken)?;
    let mut rest = Bytes(&all);
    let lengths: Vec<u64> = (0..6).map(|_| rest.number()).collect::<Result<_, _>>()?;
    let mut columns = Vec::new();
    for length in lengths {
        columns.push(rest.take(usize::try_from(length).map_err(|_| Broken)?)?);
    }
    let [heads, threads, places, numbers, a, b] = &mut columns[..] else { return Err(Broken) };
    let mut sites: Vec<(u64, u64, u64)> = Vec::new();
    let mut records = Vec::new();
    let mut thread = 0;
    for _ in 0..count {
        let head = heads.take(2)?.0;
        thread = unzigzag(threads.number()?, thread);
        let index = usize::try_from(places.number()?).map_err(|_| Broken)?;
        if index == sites.len() {
            sites.push((places.number()?, 0, 0));
        }
        let site = sites.get_mut(index).ok_or(Broken)?;
        site.1 = unzigzag(a.number()?, site.1);
        site.2 = unzigzag(b.number()?, site.2);
        let low = u64::from(u16::from_le_bytes([head[0], head[1]]));
        let head = low | (thread & 0xffff) << 16 | numbers.number()? << 32;
        records.push(Record { head, site: site.0, a: site.1, b: site.2 });
    }
    Ok(records)
}

/// Sites by number, with the last record's words.
struct Sites {
    index: HashMap<u64, usize>,
    last: Vec<(u64, u64)>,
    /// Sites that were looked up, by their lowest bits: a loop has few, and a look at the map for each
    /// record would take longer than all the rest.
    recent: Vec<(u64, usize)>,
}

/// A power of two.
const RECENT: usize = 1 << 10;

impl Default for Sites {
    fn default() -> Sites {
        let nothing = (u64::MAX, usize::MAX);
        Sites { index: HashMap::new(), last: Vec::new(), recent: vec![nothing; RECENT] }
    }
}

impl Sites {
    fn index(&mut self, site: u64) -> (usize, bool) {
        let slot = &mut self.recent[site as usize % RECENT];
        if slot.0 == site && slot.1 != usize::MAX {
            return (slot.1, false);
        }
        let next = self.last.len();
        let index = *self.index.entry(site).or_insert(next);
        *slot = (site, index);
        if index == next {
            self.last.push((0, 0));
        }
        (index, index == next)
    }
}

fn zigzag(value: u64, last: u64) -> u64 {
    let difference = value.wrapping_sub(last) as i64;
    (difference << 1 ^ difference >> 63) as u64
}

fn unzigzag(coded: u64, last: u64) -> u64 {
    let difference = (coded >> 1) as i64 ^ -((coded & 1) as i64);
    last.wrapping_add(difference as u64)
}

/// Seven bits in a byte, lowest first (LEB128).
fn number(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<Bytes<'b>, Broken> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Broken)?;
        self.0 = rest;
        Ok(Bytes(taken))
    }

    fn number(&mut self) -> Result<u64, Broken> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.0.split_first().ok_or(Broken)?;
            self.0 = rest;
            value |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(value);
            }
        }
        Err(Broken)
    }
}

#[cfg(test)]
mod tests {
    use unravel_wire::Kind;

    use super::*;

    fn some_records() -> Vec<Record> {
        let record = |at: u64| {
            let kind = Kind::ALL[at as usize % Kind::ALL.len()];
            let record = Record::new(kind, (at % 5) as u16, at % 11 * 0x0123_4567_89ab).sized(8);
            record.numbered((at * 3) as u32).with(at * 0x1000, at.wrapping_mul(u64::MAX / 7))
        };
        (0..1000).map(record).collect()
    }

    #[test]
    fn records_come_back() {
        let records = some_records();
        let bytes = pack(&records);
        assert_eq!(unpack(&bytes, records.len(), 1 << 20), Ok(records));
        assert_eq!(unpack(&pack(&[]), 0, 1 << 20), Ok(vec![]));
    }

    #[test]
    fn broken_bytes_are_refused_or_give_other_records() {
        let records = some_records();
        let bytes = pack(&records);
        for at in 0..bytes.len() {
            let mut broken = bytes.clone();
            broken[at] ^= 0x10;
            // What matters is that it ends, without a panic.
            let _ = unpack(&broken, records.len(), 1 << 20);
            let _ = unpack(&bytes[..at], records.len(), 1 << 20);
        }
    }

    #[test]
    fn an_event_of_a_loop_takes_about_a_byte() {
        let record = |at: u64| Record::new(Kind::Read, 0, 7 + at % 3).sized(8).with(at * 8, at);
        let records: Vec<Record> = (0..30_000).map(record).collect();
        assert!(pack(&records).len() < records.len());
    }
}
