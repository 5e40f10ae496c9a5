//! What the objects of one place may hold, field by field.
//!
//! A field is an offset, or offsets in regular steps, with a number of bytes. A read sees all fields
//! that it may overlap. Without fields, a queue of tasks with a function, an argument and a link
//! would be one heap of pointers, and every access through one of them might go to any of them.

use std::collections::BTreeMap;

use crate::points_to::{Stride, Target, Targets, extend};

/// What objects may hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contents {
    fields: BTreeMap<(Stride, u64), Targets>,
}

impl Contents {
    /// What so many bytes at some offsets may hold.
    pub fn at(&self, at: Stride, bytes: u64) -> Targets {
        let mut held = Targets::new();
        let met = self.fields.iter().filter(|((field, size), _)| field.meets(*size, at, bytes));
        for (_, targets) in met {
            extend(&mut held, targets);
        }
        held
    }

    /// Adds what so many bytes at some offsets may hold; says whether that is new.
    pub fn put(&mut self, at: Stride, bytes: u64, held: &Targets) -> bool {
        extend(self.fields.entry((at, bytes)).or_default(), held)
    }

    /// Adds what others hold from some offset on, at some offset of these; says whether that is new.
    pub fn copy(&mut self, to: Stride, held: &Contents, from: Stride) -> bool {
        let mut changed = false;
        for (&(field, bytes), targets) in &held.fields {
            changed |= match to.distance(from) {
                Some(distance) => self.put(field.shifted(distance), bytes, targets),
                None => self.put(Stride::ANY, bytes, targets),
            };
        }
        changed
    }

    /// All that they may lead to.
    pub fn targets(&self) -> impl Iterator<Item = &Target> {
        self.fields.values().flat_map(BTreeMap::keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(number: u32) -> Targets {
        let target = Target::Function(unravel_program::FunctionId(number));
        Targets::from([(target, Stride::exactly(0))])
    }

    #[test]
    fn fields_are_told_apart_unless_they_overlap() {
        let mut contents = Contents::default();
        assert!(contents.put(Stride::exactly(0), 8, &function(0)));
        assert!(contents.put(Stride::exactly(8), 16, &function(1)));
        assert!(!contents.put(Stride::exactly(8), 16, &function(1)));
        assert_eq!(contents.at(Stride::exactly(0), 8), function(0));
        assert_eq!(contents.at(Stride::exactly(16), 8), function(1));
        assert_eq!(contents.at(Stride::exactly(24), 8), Targets::new());
        assert_eq!(contents.at(Stride::exactly(4), 8).len(), 2);
        assert_eq!(contents.at(Stride::ANY, 8).len(), 2);
    }

    #[test]
    fn elements_of_arrays_are_one_field() {
        let mut contents = Contents::default();
        let element = Stride::exactly(8).join(Stride::exactly(24));
        contents.put(element, 8, &function(0));
        assert_eq!(contents.at(Stride::exactly(40), 8), function(0));
        assert_eq!(contents.at(Stride::exactly(48), 8), Targets::new());
        assert_eq!(contents.at(Stride::exactly(44), 8), function(0));
        assert_eq!(contents.at(Stride::exactly(-8), 8), function(0));
    }

    #[test]
    fn a_copy_keeps_distances() {
        let (mut contents, mut copy) = (Contents::default(), Contents::default());
        contents.put(Stride::exactly(16), 8, &function(0));
        copy.copy(Stride::exactly(100), &contents, Stride::exactly(8));
        assert_eq!(copy.at(Stride::exactly(108), 8), function(0));
        assert_eq!(copy.at(Stride::exactly(16), 8), Targets::new());
        copy.copy(Stride::ANY, &contents, Stride::exactly(8));
        assert_eq!(copy.at(Stride::exactly(16), 8), function(0));
    }
}
