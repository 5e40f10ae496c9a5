//! Cells of shared memory whose value a thread knows, because nobody else writes them: they hold
//! what the thread itself wrote there last.
//!
//! The accesses are events all the same. Only their values are known while events are built, so
//! that loops end and arrays have a length. See [`crate::writers`] for which cells these are.

use std::collections::{BTreeMap, BTreeSet};

use unravel_term::{Term, Terms};

use crate::object::ObjectId;
use crate::points_to::Target;
use crate::value::Value;

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Where its object comes from.
    pub target: Target,
    /// The object.
    pub object: ObjectId,
    /// The offset in it, in bytes.
    pub offset: u64,
}

/// The cells whose value a thread knows on one path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KnownCells {
    /// Each with its size and value; they do not overlap.
    cells: BTreeMap<Place, (u64, Value)>,
    /// Where objects come from of which something is not known that was written. Variables are
    /// entered when they are first used, which may be after a write through a pointer.
    lost: BTreeSet<Target>,
}

/// What is known of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Known {
    /// It holds this value.
    Value(Value),
    /// Nothing was written to it.
    Initial,
    /// Its value is not known.
    Nothing,
}

impl KnownCells {
    /// What is known of a cell.
    #[must_use]
    pub fn read(&self, at: Place, bytes: u64) -> Known {
        match self.cells.get(&at) {
            Some(&(size, value)) if size == bytes => Known::Value(value),
            _ if self.lost.contains(&at.target) || self.overlapping(at, bytes).is_some() => {
                Known::Nothing
            }
            _ => Known::Initial,
        }
    }

    /// A cell holds a value now.
    pub fn write(&mut self, at: Place, bytes: u64, value: Value) {
        self.clear(at, bytes);
        self.cells.insert(at, (bytes, value));
    }

    /// Something was written to a cell.
    pub fn forget_cell(&mut self, at: Place, bytes: u64) {
        self.clear(at, bytes);
        self.lost.insert(at.target);
    }

    /// Something was written to some object.
    pub fn forget(&mut self, target: Target) {
        self.cells.retain(|place, _| place.target != target);
        self.lost.insert(target);
    }

    /// What another thread knows, of cells that nobody writes any more.
    #[must_use]
    pub fn settled(&self, is_settled: impl Fn(Place, u64) -> bool) -> KnownCells {
        let mut known = self.clone();
        for (&place, &(bytes, _)) in &self.cells {
            if !is_settled(place, bytes) {
                known.cells.remove(&place);
                known.lost.insert(place.target);
            }
        }
        known
    }

    /// Where a condition holds the other, elsewhere this.
    pub fn merge(&mut self, terms: &mut Terms, condition: Term, other: &KnownCells) {
        self.lost.extend(&other.lost);
        let places: BTreeSet<Place> =
            self.cells.keys().chain(other.cells.keys()).copied().collect();
        for place in places {
            match (self.cells.get(&place).copied(), other.cells.get(&place).copied()) {
                (Some(here), Some(there)) if here == there => {}
                (Some((size, here)), Some((other_size, there))) if size == other_size => {
                    let value = there.or_else(terms, condition, here);
                    self.cells.insert(place, (size, value));
                }
                _ => {
                    self.cells.remove(&place);
                    self.lost.insert(place.target);
                }
            }
        }
    }

    /// A cell that overlaps a range.
    fn overlapping(&self, at: Place, bytes: u64) -> Option<Place> {
        let end = Place { offset: at.offset.saturating_add(bytes), ..at };
        let (&place, &(size, _)) = self.cells.range(..end).next_back()?;
        let reaches = place.offset.saturating_add(size) > at.offset;
        (place.object == at.object && reaches).then_some(place)
    }

    /// Takes out what a write covers; of a cell that it covers in part, nothing is known.
    fn clear(&mut self, at: Place, bytes: u64) {
        while let Some(place) = self.overlapping(at, bytes) {
            let size = self.cells.remove(&place).map_or(0, |(size, _)| size);
            let is_covered = place.offset >= at.offset && place.offset + size <= at.offset + bytes;
            if !is_covered {
                self.lost.insert(at.target);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: Place = Place { target: Target::Errno, object: ObjectId(1), offset: 0 };

    fn at(offset: u64) -> Place {
        Place { offset, ..PLACE }
    }

    fn number(terms: &mut Terms, bits: u128) -> Value {
        let bits = terms.constant(32, bits);
        Value::number(terms, bits)
    }

    #[test]
    fn a_write_is_known_until_part_of_it_is_written_over() {
        let mut terms = Terms::new();
        let (one, two) = (number(&mut terms, 1), number(&mut terms, 2));
        let mut known = KnownCells::default();
        assert_eq!(known.read(at(4), 4), Known::Initial);
        known.write(at(4), 4, one);
        assert_eq!(known.read(at(4), 4), Known::Value(one));
        assert_eq!(known.read(at(0), 4), Known::Initial);
        assert_eq!(known.read(at(4), 2), Known::Nothing);
        assert_eq!(known.read(at(2), 4), Known::Nothing);
        known.write(at(6), 4, two);
        assert_eq!(known.read(at(4), 4), Known::Nothing);
        assert_eq!(known.read(at(6), 4), Known::Value(two));
        assert_eq!(known.read(at(0), 4), Known::Nothing, "something of the object is not known");
    }

    #[test]
    fn a_write_somewhere_takes_all() {
        let mut terms = Terms::new();
        let one = number(&mut terms, 1);
        let mut known = KnownCells::default();
        known.write(at(0), 4, one);
        known.forget(Target::Errno);
        assert_eq!(known.read(at(0), 4), Known::Nothing);
        assert_eq!(known.read(Place { object: ObjectId(2), ..at(0) }, 4), Known::Nothing);
    }

    #[test]
    fn paths_agree_or_choose() {
        let mut terms = Terms::new();
        let (one, two) = (number(&mut terms, 1), number(&mut terms, 2));
        let (mut here, mut there) = (KnownCells::default(), KnownCells::default());
        here.write(at(0), 4, one);
        there.write(at(0), 4, two);
        here.write(at(4), 4, one);
        there.write(at(4), 4, one);
        there.write(at(8), 4, two);
        let condition = terms.var(1);
        here.merge(&mut terms, condition, &there);
        let chosen = two.or_else(&mut terms, condition, one);
        assert_eq!(here.read(at(0), 4), Known::Value(chosen));
        assert_eq!(here.read(at(4), 4), Known::Value(one));
        assert_eq!(here.read(at(8), 4), Known::Nothing);
    }

    #[test]
    fn what_is_not_settled_is_not_known_to_others() {
        let mut terms = Terms::new();
        let one = number(&mut terms, 1);
        let mut known = KnownCells::default();
        known.write(at(0), 4, one);
        known.write(at(8), 8, one);
        let others = known.settled(|place, _| place.offset == 0);
        assert_eq!(others.read(at(0), 4), Known::Value(one));
        assert_eq!(others.read(at(8), 4), Known::Nothing, "not what was there at first");
    }
}
