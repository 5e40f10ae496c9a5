//! Objects: what the program allocates, with what it holds at first.

use std::collections::BTreeMap;

use unravel_interp::memory::ObjectKind;
use unravel_program::SiteId;
use unravel_term::{Term, Terms};

use crate::points_to::Target;
use crate::value::{PROVENANCE, UNDEFINED, Value};

/// An object instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

impl ObjectId {
    /// Its provenance.
    #[must_use]
    pub fn provenance(self) -> u128 {
        u128::from(self.0) + 1
    }

    /// The object of a provenance, if it is one's.
    #[must_use]
    pub fn of_provenance(number: u128) -> Option<ObjectId> {
        let index = u32::try_from(number).ok()?.checked_sub(1)?;
        (number != UNDEFINED).then_some(ObjectId(index))
    }
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What made it.
    pub target: Target,
    /// Static, stack or heap.
    pub kind: ObjectKind,
    /// Its address.
    pub base: u64,
    /// Its size, or the largest it may have.
    pub size: u64,
    /// Its size, where that depends on the run.
    pub length: Option<Term>,
    /// Two threads may reach it: accesses are events.
    pub shared: bool,
    /// Writing to it is an error.
    pub constant: bool,
    /// It may cease to exist while somebody can still reach it.
    pub mortal: bool,
    /// Whether it is made at all.
    pub guard: Term,
    /// The place that makes it.
    pub site: SiteId,
    /// What it holds at first.
    pub initial: Initial,
}

impl Object {
    /// Whether the program makes it on its way; else it is there from the start.
    #[must_use]
    pub fn is_made(&self) -> bool {
        matches!(self.kind, ObjectKind::Stack | ObjectKind::Heap)
    }
}

/// What an object holds at first.
#[derive(Clone, Debug)]
pub enum Initial {
    /// All bytes are zero.
    Zero,
    /// These bytes, then zeros; pointers, and what may be another value, by offset.
    Bytes(Vec<u8>, BTreeMap<u64, Value>),
    /// Nothing: each part is an input when it is first read.
    Undefined,
}

/// All objects, with the variables for what was never written.
#[derive(Debug, Default)]
pub struct Objects {
    all: Vec<Object>,
    next_address: u64,
    /// Variables for undefined memory, by object and offset, with their size in bytes.
    undefined: BTreeMap<(ObjectId, u64), (u64, Term)>,
}

impl Objects {
    /// Adds an object. `None` if there are too many.
    pub fn add(&mut self, object: Object, align: u64) -> Option<ObjectId> {
        let index = u32::try_from(self.all.len()).ok().filter(|&index| index < 0xfff0)?;
        let base = self.next_address.max(0x0100_0000).next_multiple_of(align.max(16));
        // A gap keeps one-past-the-end of one object apart from the start of the next.
        self.next_address = base.saturating_add(object.size).saturating_add(16);
        self.all.push(Object { base, ..object });
        Some(ObjectId(index))
    }

    /// An object.
    #[must_use]
    pub fn get(&self, id: ObjectId) -> &Object {
        &self.all[id.0 as usize]
    }

    /// Says what an object holds at first, before anything has read it.
    pub fn set_initial(&mut self, id: ObjectId, initial: Initial) {
        self.all[id.0 as usize].initial = initial;
    }

    /// Says that an object's size depends on the run.
    pub fn set_length(&mut self, id: ObjectId, length: Option<Term>) {
        self.all[id.0 as usize].length = length;
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (0u32..).map(ObjectId).zip(&self.all)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The address of an object plus an offset.
    pub fn address(&self, terms: &mut Terms, id: ObjectId, offset: u64, width: u16) -> Value {
        Value {
            bits: terms.constant(width, u128::from(self.get(id).base.wrapping_add(offset))),
            provenance: terms.constant(PROVENANCE, id.provenance()),
        }
    }

    /// What `bytes` bytes of the object hold at first.
    pub fn initial(&mut self, terms: &mut Terms, id: ObjectId, offset: u64, bytes: u64) -> Value {
        match &self.get(id).initial {
            Initial::Zero => {
                let bits = terms.constant(width(bytes), 0);
                Value::number(terms, bits)
            }
            Initial::Bytes(content, pointers) => {
                if let Some(&pointer) = pointers.get(&offset)
                    && terms.width(pointer.bits) == width(bytes)
                {
                    return pointer;
                }
                let mut whole: Option<Term> = None;
                for at in offset..offset + bytes {
                    let byte = initial_byte(terms, content, pointers, at);
                    whole = Some(whole.map_or(byte, |low| terms.concat(byte, low)));
                }
                let bits = whole.unwrap_or_else(|| terms.constant(8, 0));
                Value::number(terms, bits)
            }
            Initial::Undefined => {
                let bits = self.undefined(terms, id, offset, bytes);
                Value { bits, provenance: terms.constant(PROVENANCE, UNDEFINED) }
            }
        }
    }

    /// The variable for undefined memory: one for the word as it is first asked for, pieced
    /// together where a later question cuts it differently.
    fn undefined(&mut self, terms: &mut Terms, id: ObjectId, offset: u64, bytes: u64) -> Term {
        if let Some(&(size, term)) = self.undefined.get(&(id, offset))
            && size == bytes
        {
            return term;
        }
        let overlaps = self.covering(id, offset).is_some()
            || self.undefined.range((id, offset)..(id, offset + bytes)).next().is_some();
        if !overlaps || bytes == 1 && self.covering(id, offset).is_none() {
            let term = terms.var(width(bytes));
            self.undefined.insert((id, offset), (bytes, term));
            return term;
        }
        let mut whole: Option<Term> = None;
        for at in offset..offset + bytes {
            let byte = match self.covering(id, at) {
                Some((start, term)) => {
                    terms.extract(term, u16::try_from((at - start) * 8).unwrap_or(0), 8)
                }
                None => self.undefined(terms, id, at, 1),
            };
            whole = Some(whole.map_or(byte, |low| terms.concat(byte, low)));
        }
        whole.unwrap_or_else(|| terms.constant(8, 0))
    }

    /// The variables for undefined memory that anything asked for.
    pub fn undefined_variables(&self) -> impl Iterator<Item = Term> {
        self.undefined.values().map(|(_, term)| *term)
    }

    /// The same for objects from one on.
    pub(crate) fn undefined_since(&self, first: ObjectId) -> impl Iterator<Item = Term> {
        self.undefined.range((first, 0)..).map(|(_, (_, term))| *term)
    }

    fn covering(&self, id: ObjectId, at: u64) -> Option<(u64, Term)> {
        let (&(_, start), &(size, term)) = self.undefined.range((id, 0)..=(id, at)).next_back()?;
        (start + size > at).then_some((start, term))
    }
}

fn initial_byte(
    terms: &mut Terms,
    content: &[u8],
    pointers: &BTreeMap<u64, Value>,
    at: u64,
) -> Term {
    let near = pointers.range(..=at).next_back();
    if let Some((&start, pointer)) = near
        && at - start < u64::from(terms.width(pointer.bits) / 8)
    {
        return terms.extract(pointer.bits, u16::try_from((at - start) * 8).unwrap_or(0), 8);
    }
    let byte = usize::try_from(at).ok().and_then(|at| content.get(at).copied()).unwrap_or(0);
    terms.constant(8, u128::from(byte))
}

/// Bits of so many bytes; an access has at most 16.
#[must_use]
pub fn width(bytes: u64) -> u16 {
    u16::try_from(bytes * 8).unwrap_or(128)
}
