//! Memory that only one thread reaches: plain value flow, part of the state of a path.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use unravel_term::{Term, Terms};

use crate::object::{ObjectId, Objects};
use crate::value::{PROVENANCE, Value};

/// What has been written to one object: parts that do not overlap, by offset, with their size.
/// The rest is as it was at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Content {
    parts: BTreeMap<u64, (u64, Value)>,
    /// Whether it is gone; `None` if it certainly exists.
    gone: Option<Term>,
}

/// The private objects of a path.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: BTreeMap<ObjectId, Rc<Content>>,
}

impl Memory {
    /// Whether the object is gone.
    #[must_use]
    pub fn gone(&self, terms: &Terms, id: ObjectId) -> Term {
        let gone = self.objects.get(&id).and_then(|content| content.gone);
        gone.unwrap_or_else(|| terms.falsity())
    }

    /// The object ends where a condition holds.
    pub fn end(&mut self, terms: &mut Terms, id: ObjectId, condition: Term) {
        let before = self.gone(terms, id);
        let gone = terms.or(before, condition);
        Rc::make_mut(self.objects.entry(id).or_default()).gone = Some(gone);
    }

    /// Reads up to 16 bytes.
    pub fn read(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Value {
        let Some(content) = self.objects.get(&id) else {
            return objects.initial(terms, id, offset, bytes);
        };
        content.read(terms, objects, id, offset, bytes)
    }

    /// Writes up to 16 bytes.
    pub fn write(&mut self, terms: &mut Terms, id: ObjectId, offset: u64, bytes: u64, it: Value) {
        let content = Rc::make_mut(self.objects.entry(id).or_default());
        content.clear(terms, offset, bytes);
        content.parts.insert(offset, (bytes, it));
    }

    /// Whether anything was written to a range.
    #[must_use]
    pub fn is_written(&self, id: ObjectId, offset: u64, bytes: u64) -> bool {
        self.objects.get(&id).is_some_and(|content| content.touches(offset, bytes))
    }

    /// Whether this memory holds what the other does, in objects that existed before a certain one:
    /// variables with static storage always did, though they are entered when they are first used.
    pub fn same(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        other: &Memory,
        before: ObjectId,
    ) -> Term {
        let ids: BTreeSet<ObjectId> =
            self.objects.keys().chain(other.objects.keys()).copied().collect();
        let empty = Rc::new(Content::default());
        let mut same = vec![terms.truth()];
        for id in ids {
            let made_since = id >= before && objects.get(id).is_made();
            if made_since {
                continue;
            }
            let here = self.objects.get(&id).unwrap_or(&empty);
            let there = other.objects.get(&id).unwrap_or(&empty);
            if !Rc::ptr_eq(here, there) && here != there {
                same.push(here.same(terms, objects, id, there));
            }
        }
        terms.and_all(&same)
    }

    /// Where a condition holds this memory, elsewhere the other.
    pub fn merge(
        &mut self,
        terms: &mut Terms,
        objects: &mut Objects,
        condition: Term,
        other: &Memory,
    ) {
        let ids: BTreeSet<ObjectId> =
            self.objects.keys().chain(other.objects.keys()).copied().collect();
        for id in ids {
            let same = match (self.objects.get(&id), other.objects.get(&id)) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a == b,
                _ => false,
            };
            if same {
                continue;
            }
            let empty = Rc::new(Content::default());
            let here = self.objects.get(&id).cloned().unwrap_or_else(|| empty.clone());
            let there = other.objects.get(&id).unwrap_or(&empty);
            let merged = here.merge(terms, objects, id, condition, there);
            self.objects.insert(id, Rc::new(merged));
        }
    }
}

impl Content {
    fn read(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Value {
        if let Some(&(size, value)) = self.parts.get(&offset)
            && size == bytes
        {
            return value;
        }
        if !self.touches(offset, bytes) {
            return objects.initial(terms, id, offset, bytes);
        }
        self.assemble(terms, objects, id, offset, bytes)
    }

    fn touches(&self, offset: u64, bytes: u64) -> bool {
        let before = self.parts.range(..offset).next_back();
        before.is_some_and(|(&start, &(size, _))| start + size > offset)
            || self.parts.range(offset..offset + bytes).next().is_some()
    }

    /// Puts a value together from parts and what was there at first.
    fn assemble(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        offset: u64,
        bytes: u64,
    ) -> Value {
        let end = offset + bytes;
        let mut whole: Option<Term> = None;
        let mut at = offset;
        while at < end {
            let part = self.parts.range(..=at).next_back();
            let part = part.filter(|&(&start, &(size, _))| start + size > at);
            let (piece, length) = match part {
                Some((&start, &(size, value))) => {
                    let length = (start + size).min(end) - at;
                    let low = u16::try_from((at - start) * 8).unwrap_or(0);
                    (terms.extract(value.bits, low, crate::object::width(length)), length)
                }
                None => {
                    let next = self.parts.range(at..end).next().map_or(end, |(&start, _)| start);
                    (objects.initial(terms, id, at, next - at).bits, next - at)
                }
            };
            whole = Some(whole.map_or(piece, |low| terms.concat(piece, low)));
            at += length;
        }
        let bits = whole.unwrap_or_else(|| terms.constant(8, 0));
        Value::number(terms, bits)
    }

    /// Cuts off what a write is about to cover.
    fn clear(&mut self, terms: &mut Terms, offset: u64, bytes: u64) {
        let end = offset + bytes;
        let first = self.parts.range(..offset).next_back().map_or(offset, |(&start, _)| start);
        let hit: Vec<(u64, (u64, Value))> =
            self.parts.range(first..end).map(|(&start, &part)| (start, part)).collect();
        for (start, (size, value)) in hit {
            if start + size <= offset {
                continue;
            }
            self.parts.remove(&start);
            let mut keep = |from: u64, to: u64| {
                if from < to {
                    let low = u16::try_from((from - start) * 8).unwrap_or(0);
                    let width = crate::object::width(to - from);
                    let bits = terms.extract(value.bits, low, width);
                    let provenance = terms.constant(PROVENANCE, 0);
                    self.parts.insert(from, (to - from, Value { bits, provenance }));
                }
            };
            keep(start, offset.max(start).min(start + size));
            keep(end.min(start + size), start + size);
        }
    }

    /// Pieces that either of two contents has, each with both values.
    fn pieces(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        other: &Content,
    ) -> Vec<(u64, u64, Value, Value)> {
        let mut cuts = BTreeSet::new();
        for (&start, &(size, _)) in self.parts.iter().chain(&other.parts) {
            cuts.extend([start, start + size]);
        }
        let mut pieces = Vec::new();
        let cuts: Vec<u64> = cuts.into_iter().collect();
        for pair in cuts.windows(2) {
            let (start, bytes) = (pair[0], pair[1] - pair[0]);
            if self.touches(start, bytes) || other.touches(start, bytes) {
                let here = self.read(terms, objects, id, start, bytes);
                let there = other.read(terms, objects, id, start, bytes);
                pieces.push((start, bytes, here, there));
            }
        }
        pieces
    }

    fn same(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        other: &Content,
    ) -> Term {
        let falsity = terms.falsity();
        let gone = terms.eq(self.gone.unwrap_or(falsity), other.gone.unwrap_or(falsity));
        let mut same = vec![gone];
        for (_, _, here, there) in self.pieces(terms, objects, id, other) {
            same.push(terms.eq(here.bits, there.bits));
            same.push(terms.eq(here.provenance, there.provenance));
        }
        terms.and_all(&same)
    }

    fn merge(
        &self,
        terms: &mut Terms,
        objects: &mut Objects,
        id: ObjectId,
        condition: Term,
        other: &Content,
    ) -> Content {
        let mut parts = BTreeMap::new();
        for (start, bytes, here, there) in self.pieces(terms, objects, id, other) {
            parts.insert(start, (bytes, here.or_else(terms, condition, there)));
        }
        let falsity = terms.falsity();
        let (here, there) = (self.gone.unwrap_or(falsity), other.gone.unwrap_or(falsity));
        let gone = terms.ite(condition, here, there);
        Content { parts, gone: (!terms.is_false(gone)).then_some(gone) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Initial, Object};
    use crate::points_to::Target;
    use unravel_interp::memory::ObjectKind;
    use unravel_program::SiteId;

    fn with_object(initial: Initial) -> (Terms, Objects, ObjectId) {
        let terms = Terms::new();
        let mut objects = Objects::default();
        let object = Object {
            target: Target::Errno,
            kind: ObjectKind::Stack,
            base: 0,
            size: 16,
            length: None,
            shared: false,
            constant: false,
            mortal: false,
            guard: terms.truth(),
            site: SiteId(0),
            initial,
        };
        let id = objects.add(object, 16).expect("there is room");
        (terms, objects, id)
    }

    fn number(terms: &mut Terms, bytes: u64, bits: u128) -> Value {
        let bits = terms.constant(crate::object::width(bytes), bits);
        Value::number(terms, bits)
    }

    #[test]
    fn a_read_across_two_writes_puts_them_together() {
        let (mut terms, mut objects, id) = with_object(Initial::Zero);
        let mut memory = Memory::default();
        let low = number(&mut terms, 4, 0x1111_2222);
        memory.write(&mut terms, id, 0, 4, low);
        let high = number(&mut terms, 2, 0x3333);
        memory.write(&mut terms, id, 4, 2, high);
        let whole = memory.read(&mut terms, &mut objects, id, 2, 8);
        assert_eq!(terms.as_const(whole.bits), Some(0x3333_1111));
    }

    #[test]
    fn a_write_into_the_middle_keeps_both_ends() {
        let (mut terms, mut objects, id) = with_object(Initial::Zero);
        let mut memory = Memory::default();
        let word = number(&mut terms, 8, 0x1122_3344_5566_7788);
        memory.write(&mut terms, id, 0, 8, word);
        let byte = number(&mut terms, 1, 0xff);
        memory.write(&mut terms, id, 3, 1, byte);
        let whole = memory.read(&mut terms, &mut objects, id, 0, 8);
        assert_eq!(terms.as_const(whole.bits), Some(0x1122_3344_ff66_7788));
    }

    #[test]
    fn merged_paths_keep_what_each_wrote() {
        let (mut terms, mut objects, id) = with_object(Initial::Zero);
        let condition = terms.var(1);
        let (mut here, mut there) = (Memory::default(), Memory::default());
        let (one, two) = (number(&mut terms, 4, 1), number(&mut terms, 4, 2));
        here.write(&mut terms, id, 0, 4, one);
        there.write(&mut terms, id, 4, 4, two);
        here.merge(&mut terms, &mut objects, condition, &there);
        let first = here.read(&mut terms, &mut objects, id, 0, 4);
        let second = here.read(&mut terms, &mut objects, id, 4, 4);
        assert_eq!(terms.eval(first.bits, &|_| 1), 1);
        assert_eq!(terms.eval(first.bits, &|_| 0), 0);
        assert_eq!(terms.eval(second.bits, &|_| 1), 0);
        assert_eq!(terms.eval(second.bits, &|_| 0), 2);
    }

    #[test]
    fn undefined_memory_reads_the_same_twice_however_it_is_cut() {
        let (mut terms, mut objects, id) = with_object(Initial::Undefined);
        let memory = Memory::default();
        let word = memory.read(&mut terms, &mut objects, id, 0, 4);
        assert_eq!(memory.read(&mut terms, &mut objects, id, 0, 4), word);
        let half = memory.read(&mut terms, &mut objects, id, 2, 2);
        let value = |_| 0xaabb_ccdd;
        assert_eq!(terms.eval(half.bits, &value), 0xaabb);
    }
}
