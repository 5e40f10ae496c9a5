//! The records of one thread, in order.

use std::sync::Arc;

use unravel_wire::record::Ending;
use unravel_wire::{Kind, Record};

/// Whether a record is not the first of its instruction.
fn is_continued(record: &Record) -> bool {
    use Kind as K;
    let has_number = [K::Read, K::Write, K::ReadRange, K::WriteRange];
    record.kind().is_some_and(|it| has_number.contains(&it)) && record.number() != 0
}

/// The records of one thread, and how far the interpreter has come. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Number in the whole run, record.
    records: Arc<Vec<(usize, Record)>>,
    /// The first record that no instruction has had yet.
    next: usize,
    /// The records of the instruction that is being executed that were not compared yet.
    open: usize,
    /// The site of that instruction. What is left of its records has no counterpart: an access to memory
    /// that only this thread can reach is no event of the interpreter.
    current: u64,
}

/// Records that stand beside the one of an instruction, or that no instruction of ours has: they may be
/// passed over.
fn is_beside(record: &Record) -> bool {
    use Kind as K;
    if record.kind() == Some(K::Ending) {
        // That nobody can go on is no step of anybody.
        let nobodys = [Ending::Deadlock, Ending::NoProgress, Ending::Limit];
        return nobodys.iter().any(|it| *it as u32 == record.number());
    }
    matches!(
        record.kind(),
        None | Some(
            K::None
                | K::Start
                | K::Module
                | K::Local
                | K::Leave
                | K::Allocate
                | K::Free
                | K::Result
                | K::Value
                | K::New
                | K::Woken
                | K::Misuse
                | K::Diverged
                | K::Yield
                | K::Atomic
                | K::Outside
        )
    )
}

impl Line {
    /// The lines of all threads of a run.
    #[must_use]
    pub fn of_run(records: &[Record]) -> Vec<Line> {
        let mut lines: Vec<Vec<(usize, Record)>> = Vec::new();
        // Where a thread stands when it gives the token away, or waits in the end, is no event.
        let is_event = |it: &Record| !matches!(it.kind(), Some(Kind::Stands | Kind::Waits));
        for (index, record) in records.iter().enumerate().filter(|it| is_event(it.1)) {
            let thread = usize::from(record.thread());
            if lines.len() <= thread {
                lines.resize_with(thread + 1, Vec::new);
            }
            lines[thread].push((index, *record));
        }
        let line = |records| Line { records: Arc::new(records), ..Line::default() };
        lines.into_iter().map(line).collect()
    }

    /// Where the next record of a site stands in the line, if no record of another instruction comes
    /// before it.
    /// An instruction that begins (`fresh`) does not begin with what is left of its last time.
    fn find(&self, site: u64, fresh: bool) -> Option<usize> {
        for at in self.next..self.records.len() {
            let (_, record) = self.records[at];
            if record.site == site {
                if fresh && is_continued(&record) {
                    continue;
                }
                return Some(at);
            }
            if !is_beside(&record) && record.site != self.current {
                return None;
            }
        }
        None
    }

    /// When in the run the thread takes its next step, which is at this site: the number of its record;
    /// where it has none, that of the thread's next record.
    #[must_use]
    pub fn moment(&self, site: Option<u64>, fresh: bool) -> usize {
        let found = site.and_then(|site| self.find(site, fresh));
        let at = found.or_else(|| {
            let rest = self.next..self.records.len();
            rest.into_iter().find(|&at| {
                let (_, record) = self.records[at];
                !is_beside(&record) && record.site != self.current
            })
        });
        at.map_or(usize::MAX, |at| self.records[at].0)
    }

    /// The interpreter executes an instruction of this site.
    pub fn execute(&mut self, site: u64, fresh: bool) {
        if let Some(at) = self.find(site, fresh) {
            self.next = at + 1;
            self.open = at;
        } else if site != self.current {
            let is_done = |it: &&(usize, Record)| is_beside(&it.1) || it.1.site == self.current;
            self.next += self.records[self.next..].iter().take_while(is_done).count();
        }
        self.current = site;
    }

    /// The next record of the instruction that is being executed, of one of these kinds. It is used up.
    pub fn take(&mut self, site: u64, kinds: &[Kind]) -> Option<Record> {
        let at = self.seek(site, kinds)?;
        self.open = at + 1;
        self.next = self.next.max(at + 1);
        Some(self.records[at].1)
    }

    /// The same, not used up.
    #[must_use]
    pub fn peek(&self, site: u64, kinds: &[Kind]) -> Option<Record> {
        self.seek(site, kinds).map(|at| self.records[at].1)
    }

    fn seek(&self, site: u64, kinds: &[Kind]) -> Option<usize> {
        for at in self.open..self.records.len() {
            let (_, record) = self.records[at];
            if record.site == site && record.kind().is_some_and(|it| kinds.contains(&it)) {
                return Some(at);
            }
            if record.site != site && !is_beside(&record) {
                return None;
            }
        }
        None
    }

    /// How many records no instruction has had, of those that one should have: what follows at once on
    /// the last instruction is left of it.
    #[must_use]
    pub fn left(&self) -> usize {
        let is_due = |it: &Record| !is_beside(it) && !is_last(it);
        let rest = self.records[self.next..].iter().map(|(_, it)| it);
        // What is left of the instruction that was executed last is not due.
        let rest = rest.skip_while(|it| !is_due(it) || it.site == self.current);
        rest.filter(|it| is_due(it)).count()
    }
}

/// What a run or thread ends with is no instruction's.
fn is_last(record: &Record) -> bool {
    use Kind as K;
    matches!(record.kind(), Some(K::End | K::Ending | K::AssumeFailed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_another_instruction_is_not_passed_over() {
        let record = |kind, site| Record::new(kind, 0, site);
        let run = [
            record(Kind::Local, 9),
            record(Kind::Read, 5),
            record(Kind::Write, 6),
            record(Kind::Read, 5),
        ];
        let mut lines = Line::of_run(&run);
        let line = &mut lines[0];
        assert_eq!(line.moment(Some(6), true), 1);
        line.execute(6, true);
        line.execute(5, true);
        assert!(line.take(5, &[Kind::Read]).is_some() && line.take(5, &[Kind::Read]).is_none());
        assert_eq!(line.moment(Some(6), true), 2);
        assert_eq!(line.left(), 2);
    }
}
