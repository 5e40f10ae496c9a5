//! The schedule that makes the binary go the same way again.

use unravel_wire::control::Decision;
use unravel_wire::{Choice, Kind, Record, Segment};

/// A schedule for the runtime.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repeat {
    /// Who runs until where.
    pub segments: Vec<Segment>,
    /// What is decided besides.
    pub choices: Vec<Choice>,
}

/// The bit of a synchronization record that says that a wait ended without a signal.
const EXPIRED: u32 = 1 << 15;

/// Whether the thread was asked before this event whether it may go on: the events that a segment's end
/// can name.
#[must_use]
pub fn is_point(record: &Record) -> bool {
    use Kind as K;
    matches!(
        record.kind(),
        Some(
            K::Read
                | K::Write
                | K::AtomicRead
                | K::AtomicWrite
                | K::Update
                | K::FailedUpdate
                | K::Fence
                | K::ReadRange
                | K::WriteRange
                | K::Free
                | K::Sync
                | K::Create
                | K::Join
                | K::End
                | K::Yield
                | K::Outside
        )
    )
}

/// Who ran until where, from the records of a run.
#[must_use]
pub fn schedule(records: &[Record]) -> Repeat {
    let points: Vec<&Record> = records.iter().filter(|it| is_point(it) || starts(it)).collect();
    let mut segments = Vec::new();
    let mut begin = 0;
    while begin < points.len() {
        let thread = points[begin].thread();
        let rest = &points[begin..];
        let length = rest.iter().position(|it| it.thread() != thread).unwrap_or(rest.len());
        let end = begin + length;
        let expired =
            points[begin].kind() == Some(Kind::Sync) && points[begin].number() & EXPIRED != 0;
        let next = points[end..].iter().find(|it| it.thread() == thread);
        let mut segment =
            Segment { thread: thread.into(), expired: expired.into(), ..Segment::default() };
        if let Some(next) = next.filter(|it| it.site != 0) {
            let same = points[begin + 1..end].iter().filter(|it| it.site == next.site).count();
            (segment.site, segment.occurrence) = (next.site, same as u64 + 1);
        }
        segments.push(segment);
        begin = end;
    }
    Repeat { segments, choices: choices(records) }
}

fn starts(record: &Record) -> bool {
    record.kind() == Some(Kind::Start)
}

fn choices(records: &[Record]) -> Vec<Choice> {
    let choice = |record: &Record| {
        let (what, value) = match record.kind()? {
            Kind::Woken => (Decision::Woken, record.b),
            Kind::Nondet => (Decision::Nondet, record.a),
            _ => return None,
        };
        Some(Choice { thread: record.thread().into(), what: what as u32, value })
    };
    records.iter().filter_map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: Kind, thread: u16, site: u64) -> Record {
        Record::new(kind, thread, site)
    }

    #[test]
    fn a_segment_ends_before_the_threads_next_event() {
        let records = [
            record(Kind::Start, 0, 0),
            record(Kind::Write, 0, 7),
            record(Kind::Create, 0, 8),
            record(Kind::Start, 1, 0),
            record(Kind::Read, 1, 5),
            record(Kind::Write, 0, 7),
            record(Kind::End, 1, 0),
        ];
        let segment = |site, occurrence, thread| Segment { site, occurrence, thread, expired: 0 };
        let expected = [segment(7, 2, 0), segment(0, 0, 1), segment(0, 0, 0), segment(0, 0, 1)];
        assert_eq!(schedule(&records).segments, expected);
    }
}
