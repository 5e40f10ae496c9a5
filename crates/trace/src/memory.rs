//! What lies where, at each moment of a run.
//!
//! Blocks of the heap and locals that others may reach come and go with records of their own; variables
//! with static storage are where the executable says.

use std::collections::BTreeMap;

use unravel_wire::{Kind, Record};

use crate::symbols::Symbols;

/// An object of a run, by where it comes from. The same object has the same name in every run.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Object {
    /// A variable with static storage, by its name for the linker.
    Global(String),
    /// A thread's own instance of such a variable.
    ThreadLocal(u16, String),
    /// A block of the heap: the call that made it, and how many that call had made by then, from 1.
    Heap {
        /// The call.
        site: u64,
        /// Which of its blocks.
        nth: u32,
    },
    /// A local variable: its declaration, and the thread.
    Local(u16, u64),
    /// Nothing that is known.
    Unknown,
}

/// A place in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The object.
    pub object: Object,
    /// Bytes from its beginning; the address itself where the object is not known.
    pub offset: u64,
}

/// What lies where.
#[derive(Clone, Debug)]
pub struct Memory<'s> {
    symbols: &'s Symbols,
    base: u64,
    pointers: BTreeMap<u16, u64>,
    /// Objects that come and go, by address: their end, what they are.
    objects: BTreeMap<u64, (u64, Object)>,
    made: BTreeMap<u64, u32>,
}

impl<'s> Memory<'s> {
    /// Before the first record.
    #[must_use]
    pub fn new(symbols: &'s Symbols) -> Memory<'s> {
        Memory {
            symbols,
            base: 0,
            pointers: BTreeMap::new(),
            objects: BTreeMap::new(),
            made: BTreeMap::new(),
        }
    }

    /// Takes note of a record.
    pub fn step(&mut self, record: &Record) {
        match record.kind() {
            Some(Kind::Module) => self.base = record.a,
            Some(Kind::Start) => drop(self.pointers.insert(record.thread(), record.a)),
            Some(Kind::Allocate) => {
                let nth = self.made.entry(record.site).or_insert(0);
                *nth += 1;
                let object = Object::Heap { site: record.site, nth: *nth };
                self.begin(record.a, record.b, object);
            }
            Some(Kind::Free) => drop(self.objects.remove(&record.a)),
            Some(Kind::Local) => {
                self.begin(record.a, record.b, Object::Local(record.thread(), record.site));
            }
            _ => {}
        }
    }

    /// A new object; what lay there before is gone.
    fn begin(&mut self, at: u64, bytes: u64, object: Object) {
        let end = at.saturating_add(bytes.max(1));
        let overlaps = |(_, it): &(&u64, &(u64, Object))| it.0 > at;
        let gone: Vec<u64> =
            self.objects.range(..end).rev().take_while(overlaps).map(|it| *it.0).collect();
        gone.iter().for_each(|at| drop(self.objects.remove(at)));
        self.objects.insert(at, (end, object));
    }

    /// What lies at an address.
    #[must_use]
    pub fn place(&self, address: u64) -> Place {
        if let Some((start, (end, object))) = self.objects.range(..=address).next_back()
            && address < *end
        {
            return Place { object: object.clone(), offset: address - start };
        }
        if let Some((symbol, offset)) = self.symbols.variable(address, self.base) {
            return Place { object: Object::Global(symbol.name.clone()), offset };
        }
        for (owner, pointer) in &self.pointers {
            if let Some((symbol, offset)) = self.symbols.local(address, *pointer) {
                return Place { object: Object::ThreadLocal(*owner, symbol.name.clone()), offset };
            }
        }
        Place { object: Object::Unknown, offset: address }
    }

    /// The name of the function at an address.
    #[must_use]
    pub fn function(&self, address: u64) -> Option<&str> {
        self.symbols.function(address, self.base).map(|it| it.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_and_go() {
        let symbols = Symbols::default();
        let mut memory = Memory::new(&symbols);
        let record = |kind, a, b| Record::new(kind, 0, 7).with(a, b);
        memory.step(&record(Kind::Allocate, 0x1000, 16));
        memory.step(&record(Kind::Allocate, 0x1010, 16));
        let heap = |nth, offset| Place { object: Object::Heap { site: 7, nth }, offset };
        assert_eq!(memory.place(0x100f), heap(1, 15));
        assert_eq!(memory.place(0x1010), heap(2, 0));
        memory.step(&record(Kind::Free, 0x1010, 0));
        assert_eq!(memory.place(0x1010).object, Object::Unknown);
        memory.step(&record(Kind::Allocate, 0x1008, 16));
        assert_eq!(memory.place(0x1000).object, Object::Unknown);
        assert_eq!(memory.place(0x1010), heap(3, 8));
    }
}
