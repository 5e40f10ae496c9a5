//! The schedule that makes the binary go the same way again.

use unravel_wire::control::Decision;
use unravel_wire::record::SAME_STEP;
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
pub const EXPIRED: u32 = 1 << 15;

/// Whether the thread was asked before this event whether it may go on: the events that a segment's end
/// can name.
#[must_use]
pub fn is_point(record: &Record) -> bool {
    use Kind as K;
    if matches!(record.kind(), Some(K::Read | K::Write | K::WriteRange))
        && record.number() & SAME_STEP != 0
    {
        return false;
    }
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
                | K::Leave
                | K::Sync
                | K::Create
                | K::Join
                | K::End
                | K::Yield
                | K::Outside
                | K::Atomic
        )
    )
}

/// Who ran until where, from the records of a run.
///
/// A *stint* is what one thread does until it gives the token away, or waits. It waits, too, if it goes
/// on next itself because its time is over.
#[must_use]
pub fn schedule(records: &[Record]) -> Repeat {
    let steps: Vec<&Record> = records.iter().filter(|it| is_point(it) || is_mark(it)).collect();
    let begins = |pair: &[&Record]| pair[0].thread() != pair[1].thread() || is_end_of_wait(pair[1]);
    let is_one = |pair: &&Record, next: &&Record| !begins(&[*pair, *next]);
    let stints = steps.chunk_by(is_one);
    // A thread that stood before an event, was asked again and gave way again has done nothing.
    let stints = stints.filter(|it| it.iter().any(|it| it.kind() != Some(Kind::Stands)));
    Repeat { segments: stints.map(segment).collect(), choices: choices(records) }
}

fn segment(stint: &[&Record]) -> Segment {
    let first = stint[0];
    let expired = is_end_of_wait(first).into();
    let mut segment = Segment { thread: first.thread().into(), expired, ..Segment::default() };
    if let Some(last) = stint.last().filter(|it| it.kind() == Some(Kind::Stands) && it.site != 0) {
        // The thread stood before its first event already when it gave the token away.
        let known = usize::from(first.kind() != Some(Kind::Start));
        let again = stint[known..].iter().filter(|it| is_point(it) && it.site == last.site);
        (segment.site, segment.occurrence) = (last.site, again.count() as u64 + 1);
    }
    segment
}

/// Records that are no events, but that a schedule needs.
fn is_mark(record: &Record) -> bool {
    matches!(record.kind(), Some(Kind::Start | Kind::Stands))
}

/// Whether the thread had waited before this event, and goes on because its time is over or without a
/// reason.
fn is_end_of_wait(record: &Record) -> bool {
    match record.kind() {
        Some(Kind::Sync) => record.number() & EXPIRED != 0,
        Some(Kind::Yield) => record.a != 0,
        _ => false,
    }
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
            record(Kind::Stands, 0, 7),
            record(Kind::Start, 1, 0),
            record(Kind::Read, 1, 5),
            record(Kind::Stands, 1, 1),
            record(Kind::Stands, 0, 7),
            record(Kind::Stands, 1, 1),
            record(Kind::Write, 0, 7),
            record(Kind::End, 1, 1),
        ];
        let segment = |site, occurrence, thread| Segment { site, occurrence, thread, expired: 0 };
        let expected = [segment(7, 2, 0), segment(1, 1, 1), segment(0, 0, 0), segment(0, 0, 1)];
        assert_eq!(schedule(&records).segments, expected);
    }
}
