//! The order of objects in memory.
//!
//! C leaves it open which of two objects lies below the other (C11 6.5.8p5), and programs ask: two
//! locks are often taken in the order of their addresses. So the order is a choice of the run like
//! an input: free where it is first asked for, and the same from then on. Objects keep their place
//! after their end; that a new block may get the address of a freed one matters for equality only.

use std::collections::BTreeSet;

use unravel_program::CompareOp;

use crate::memory::ObjectId;
use crate::value::Value;

/// The two objects whose order a comparison asks for, if it is of their addresses.
#[must_use]
pub fn question(op: CompareOp, a: Value, b: Value) -> Option<(ObjectId, ObjectId)> {
    let (first, second) = (a.provenance?, b.provenance?);
    let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
    (first != second && !equality && !small_tags(a, b)).then_some((first, second))
}

/// Whether a comparison holds if the first object lies below the second, or if not.
#[must_use]
pub fn answer(op: CompareOp, below: bool) -> bool {
    use CompareOp::{Sle, Slt, Ule, Ult};
    below == matches!(op, Ult | Ule | Slt | Sle)
}

/// Whether both are the low bits of pointers, which alignment decides.
#[must_use]
pub fn small_tags(a: Value, b: Value) -> bool {
    a.bits < 16 && b.bits < 16
}

/// What a run has decided so far: pairs of the lower and the higher one, transitively closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    pairs: BTreeSet<(ObjectId, ObjectId)>,
}

impl Layout {
    /// Whether the first lies below the second, if that is decided.
    #[must_use]
    pub fn is_below(&self, first: ObjectId, second: ObjectId) -> Option<bool> {
        if self.pairs.contains(&(first, second)) {
            return Some(true);
        }
        self.pairs.contains(&(second, first)).then_some(false)
    }

    /// Decides that an object lies below another; nothing was decided about the two before.
    pub fn put_below(&mut self, low: ObjectId, high: ObjectId) {
        let mut lower: Vec<ObjectId> =
            self.pairs.iter().filter(|it| it.1 == low).map(|it| it.0).collect();
        let mut higher: Vec<ObjectId> =
            self.pairs.iter().filter(|it| it.0 == high).map(|it| it.1).collect();
        lower.push(low);
        higher.push(high);
        for &below in &lower {
            self.pairs.extend(higher.iter().map(|&above| (below, above)));
        }
    }

    /// All pairs of a lower and a higher object.
    pub fn pairs(&self) -> impl Iterator<Item = (ObjectId, ObjectId)> {
        self.pairs.iter().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::ObjectKind;

    fn object(number: u32) -> ObjectId {
        ObjectId { kind: ObjectKind::Heap, number }
    }

    #[test]
    fn what_follows_is_decided_too() {
        let mut layout = Layout::default();
        assert_eq!(layout.is_below(object(0), object(1)), None);
        layout.put_below(object(0), object(1));
        layout.put_below(object(2), object(3));
        assert_eq!(layout.is_below(object(0), object(3)), None);
        layout.put_below(object(1), object(2));
        assert_eq!(layout.is_below(object(0), object(3)), Some(true));
        assert_eq!(layout.is_below(object(3), object(1)), Some(false));
    }
}
