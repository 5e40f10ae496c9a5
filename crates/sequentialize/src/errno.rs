//! `errno`, of which the file has one for all threads.

use tree_sitter::Node;

use crate::model::is_decided_outside;
use crate::trace::Entry;
use crate::walk::{Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// What a part of the trace leaves in `errno` because the outside decides so: called again, the
    /// function may leave something else. Nothing, if the program does not look at it.
    pub fn errno_from_outside(&self, entries: &[Entry]) -> Option<u128> {
        let is_decided = entries.iter().any(is_decided_outside);
        let last = entries.iter().rev().find_map(|it| it.errno);
        last.filter(|_| is_decided && self.reads_errno())
    }

    /// Writes what an operation that failed leaves in `errno`.
    pub fn set_errno(&mut self, node: Node<'a>, errno: Option<u128>, segment: usize) -> Walk<()> {
        let Some(errno) = errno.filter(|_| self.reads_errno()) else { return Ok(()) };
        let has_one = |it: &&Vec<Entry>| it.iter().any(|it| it.errno.is_some());
        if self.trace.threads.iter().filter(has_one).count() > 1 {
            return self.refuse("`errno` of several threads", node);
        }
        self.write(segment, format!("errno = {errno};"), node);
        Ok(())
    }

    fn reads_errno(&self) -> bool {
        crate::unit::words(self.unit.source.text).any(|it| it == "errno")
    }
}
