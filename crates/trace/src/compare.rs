//! Where two runs of one binary part.
//!
//! Addresses may differ between runs (libraries lie elsewhere, the kernel chooses stacks), so a value
//! that looks like an address of either run is not compared.

use unravel_wire::{Kind, Record};

/// The first event in which a run differs from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The records of the expected run up to here were the same.
    pub after: usize,
    /// The same place in the other run.
    pub in_found: usize,
    /// What should have happened; `None` if nothing more.
    pub expected: Option<Record>,
    /// What happened instead.
    pub found: Option<Record>,
}

/// Compares two runs, record by record.
#[must_use]
pub fn difference(expected: &[Record], found: &[Record]) -> Option<Difference> {
    let (mut expected, mut found) = (events(expected), events(found));
    let (mut same, mut in_found) = (0, 0);
    loop {
        let pair = (expected.next(), found.next());
        match pair {
            (None, None) => return None,
            (Some((at, a)), Some((other, b))) if are_same(a, b) => {
                (same, in_found) = (at + 1, other + 1)
            }
            (a, b) => {
                let (expected, found) = (a.map(|it| *it.1), b.map(|it| *it.1));
                return Some(Difference { after: same, in_found, expected, found });
            }
        }
    }
}

/// Where a thread gives the token away is no event: it may be told twice in a row.
fn events(records: &[Record]) -> impl Iterator<Item = (usize, &Record)> {
    records.iter().enumerate().filter(|(_, it)| it.kind() != Some(Kind::Stands))
}

/// Whether two events are the same, as far as can be told without knowing what lies where.
fn are_same(a: &Record, b: &Record) -> bool {
    a.head == b.head && a.site == b.site && (has_address(a) || a.a == b.a) && is_same_value(a, b)
}

fn has_address(record: &Record) -> bool {
    !matches!(record.kind(), Some(Kind::Nondet | Kind::Join | Kind::Ending | Kind::Yield))
}

fn is_same_value(a: &Record, b: &Record) -> bool {
    use Kind as K;
    let counts = matches!(
        a.kind(),
        Some(
            K::Read
                | K::Write
                | K::AtomicRead
                | K::AtomicWrite
                | K::Update
                | K::New
                | K::FailedUpdate
        )
    );
    !counts || a.b == b.b || looks_like_address(a.b) && looks_like_address(b.b)
}

/// Where Linux puts programs, libraries and stacks, and we the heap.
fn looks_like_address(value: u64) -> bool {
    (0x1000_0000_0000..0x8000_0000_0000).contains(&value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_found() {
        let record = |value| Record::new(Kind::Read, 0, 1).sized(8).with(0x7fff_0000_0000, value);
        let run = [record(1), record(2), record(0x5555_5555_0000)];
        assert_eq!(difference(&run, &run), None);
        let moved = [record(1), record(2), record(0x5666_5555_0000)];
        assert_eq!(difference(&run, &moved), None);
        let found = difference(&run, &[record(1), record(3)]).unwrap();
        assert_eq!((found.after, found.found), (1, Some(record(3))));
        assert_eq!(difference(&run, &run[..1]).unwrap().found, None);
    }
}
