//! Memory: objects with bytes, initialization state and the pointers stored in them.
//!
//! An object has an address so that programs can compare, tag and hash pointers, but an access is
//! judged by the *provenance* of its pointer: an index that runs off one array into the next is
//! out of bounds although some object lives there. Object ids are never used twice in a run, so a
//! dangling pointer names an object that is gone.
//!
//! The address space is a plain one: globals, then whatever is allocated, each after the other
//! with a gap. Which addresses these are is one choice among many; see `Notes::addresses` for
//! where a program looks.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use unravel_program::{GlobalId, SiteId, TypeId};
use xxhash_rust::xxh3::Xxh3;

use crate::value::Value;

/// Where an object comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObjectKind {
    /// A variable with static storage.
    Global,
    /// One thread's instance of a thread-local variable.
    ThreadLocal,
    /// A local variable.
    Stack,
    /// A block from `malloc` and its kind.
    Heap,
    /// A function: can be called, not accessed.
    Function,
}

/// Identity of an object, unique in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId {
    /// Where it comes from.
    pub kind: ObjectKind,
    /// Number within its kind.
    pub number: u32,
}

/// State of a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Init {
    /// Never written: its value is decided, once, when it is first read.
    Undefined,
    /// Has a value.
    Defined,
}

/// An object.
#[derive(Debug)]
pub struct Object {
    /// Its address.
    pub base: u64,
    /// What the user calls it.
    pub origin: Origin,
    /// Can another thread reach it? Once shared, always shared.
    pub shared: bool,
    /// Never written.
    pub constant: bool,
    /// It has the address of a block freed before: a dangling pointer may equal a pointer to it.
    pub reused: bool,
    /// Its bytes.
    data: Vec<u8>,
    /// Per byte, whether it has a value; `None` if all have.
    init: Option<Vec<Init>>,
    /// Provenance of the pointers stored in it, by offset.
    pointers: BTreeMap<u64, ObjectId>,
    /// Fingerprint of `data` (without pointers) and `init`, kept until the next write.
    content: OnceLock<u128>,
}

impl Clone for Object {
    fn clone(&self) -> Self {
        Object {
            base: self.base,
            origin: self.origin.clone(),
            shared: self.shared,
            constant: self.constant,
            reused: self.reused,
            data: self.data.clone(),
            init: self.init.clone(),
            pointers: self.pointers.clone(),
            // Cloned in order to be written.
            content: OnceLock::new(),
        }
    }
}

/// What an object is, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A global variable, or a thread's instance of it.
    Global(GlobalId),
    /// A local variable.
    Local {
        /// Its name, if it has one.
        name: Option<Arc<str>>,
        /// Its debug type, if known.
        ty: Option<TypeId>,
    },
    /// A heap block.
    Heap {
        /// The place that allocated it.
        site: SiteId,
        /// Which one from there it is in this run, from 1.
        nth: u32,
    },
    /// This thread's `errno`, the argument vector of `main` and their kind.
    Runtime(&'static str),
}

impl Object {
    /// An object of `size` bytes, all zero or all undefined.
    #[must_use]
    pub fn new(base: u64, size: u64, origin: Origin, zeroed: bool) -> Object {
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        Object {
            base,
            origin,
            shared: false,
            constant: false,
            reused: false,
            data: vec![0; size],
            init: (!zeroed).then(|| vec![Init::Undefined; size]),
            pointers: BTreeMap::new(),
            content: OnceLock::new(),
        }
    }

    /// Size in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.data.len() as u64
    }

    /// Whether `bytes` bytes at `offset` lie inside.
    #[must_use]
    pub fn contains(&self, offset: u64, bytes: u64) -> bool {
        offset.checked_add(bytes).is_some_and(|end| end <= self.size())
    }

    /// The bytes, whatever their state.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.data
    }

    /// Pointers stored here, by offset.
    pub fn pointers(&self) -> impl Iterator<Item = (u64, ObjectId)> {
        self.pointers.iter().map(|(&offset, &target)| (offset, target))
    }

    /// State of a byte.
    #[must_use]
    pub fn init_at(&self, offset: u64) -> Init {
        let state = self.init.as_ref().and_then(|init| init.get(offset as usize));
        state.copied().unwrap_or(Init::Defined)
    }

    /// Whether any of the bytes was never written.
    #[must_use]
    pub fn any_undefined(&self, offset: u64, bytes: u64) -> bool {
        self.init.is_some() && (offset..offset + bytes).any(|at| self.init_at(at) != Init::Defined)
    }

    /// Whether all of the bytes were never written but by a clock, and nothing read them yet.
    #[must_use]
    pub fn all_undefined(&self, offset: u64, bytes: u64) -> bool {
        self.init.is_some() && (offset..offset + bytes).all(|at| self.init_at(at) != Init::Defined)
    }

    /// Reads up to 16 bytes, little endian. The range must lie inside (`contains`).
    #[must_use]
    pub fn read(&self, offset: u64, bytes: u64, pointer_bytes: u64) -> Value {
        let mut value = Value::ZERO;
        for at in (offset..offset + bytes).rev() {
            let byte = self.data.get(at as usize).copied().unwrap_or(0);
            let defined = self.init_at(at) == Init::Defined;
            value.bits = value.bits << 8 | if defined { u128::from(byte) } else { 0 };
            value.undef = value.undef << 8 | if defined { 0 } else { 0xff };
        }
        if bytes == pointer_bytes {
            value.provenance = self.pointers.get(&offset).copied();
        }
        value
    }

    /// Writes up to 16 bytes. The range must lie inside (`contains`).
    pub fn write(&mut self, offset: u64, bytes: u64, pointer_bytes: u64, value: Value) {
        self.forget(offset, bytes, pointer_bytes);
        let (mut bits, mut undef) = (value.bits, value.undef);
        for at in offset..offset + bytes {
            if let Some(byte) = self.data.get_mut(at as usize) {
                *byte = (bits & 0xff) as u8;
            }
            self.set_init(at, if undef & 0xff == 0 { Init::Defined } else { Init::Undefined });
            (bits, undef) = (bits >> 8, undef >> 8);
        }
        if bytes == pointer_bytes
            && let Some(target) = value.provenance
        {
            self.pointers.insert(offset, target);
        }
    }

    /// Sets one byte's content and state, keeping pointers elsewhere.
    pub fn write_byte(&mut self, offset: u64, byte: u8, init: Init, pointer_bytes: u64) {
        self.forget(offset, 1, pointer_bytes);
        if let Some(place) = self.data.get_mut(offset as usize) {
            *place = byte;
        }
        self.set_init(offset, init);
    }

    /// Records that a pointer with this provenance stands at `offset`.
    pub fn set_pointer(&mut self, offset: u64, target: ObjectId) {
        self.content = OnceLock::new();
        self.pointers.insert(offset, target);
    }

    /// The provenance of the pointer at exactly this offset.
    #[must_use]
    pub fn pointer_at(&self, offset: u64) -> Option<ObjectId> {
        self.pointers.get(&offset).copied()
    }

    /// Changes the size, as `realloc` does; new bytes are undefined.
    pub fn resize(&mut self, size: u64) {
        self.content = OnceLock::new();
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if size > self.data.len() {
            let old = self.data.len();
            let init = self.init.get_or_insert_with(|| vec![Init::Defined; old]);
            init.resize(size, Init::Undefined);
        } else if let Some(init) = &mut self.init {
            init.truncate(size);
        }
        self.data.resize(size, 0);
        self.pointers.retain(|&offset, _| (offset as usize) < size);
    }

    fn set_init(&mut self, offset: u64, state: Init) {
        if state == Init::Defined && self.init.is_none() {
            return;
        }
        let size = self.data.len();
        let init = self.init.get_or_insert_with(|| vec![Init::Defined; size]);
        if let Some(place) = init.get_mut(offset as usize) {
            *place = state;
        }
    }

    /// Drops pointers that overlap a range about to be written.
    fn forget(&mut self, offset: u64, bytes: u64, pointer_bytes: u64) {
        self.content = OnceLock::new();
        let first = offset.saturating_sub(pointer_bytes - 1);
        let hit: Vec<u64> = self.pointers.range(first..offset + bytes).map(|(&at, _)| at).collect();
        for at in hit {
            self.pointers.remove(&at);
        }
    }

    /// Fingerprint of everything but the pointers, which a state hash names canonically.
    #[must_use]
    pub fn content_hash(&self, pointer_bytes: u64) -> u128 {
        *self.content.get_or_init(|| {
            let mut hasher = Xxh3::new();
            let mut from = 0usize;
            for &offset in self.pointers.keys() {
                hasher.update(self.data.get(from..offset as usize).unwrap_or(&[]));
                from = (offset + pointer_bytes) as usize;
            }
            hasher.update(self.data.get(from..).unwrap_or(&[]));
            if let Some(init) = &self.init {
                let states: Vec<u8> = init.iter().map(|&state| state as u8).collect();
                // A byte that was never written holds whatever was there; its state says so.
                hasher.update(&states);
            }
            hasher.digest128()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAP: ObjectId = ObjectId { kind: ObjectKind::Heap, number: 7 };

    fn object() -> Object {
        Object::new(0x1000, 24, Origin::Runtime("test"), false)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut object = object();
        object.write(4, 4, 8, Value::int(0xdead_beef));
        assert_eq!(object.read(4, 4, 8), Value::int(0xdead_beef));
        assert_eq!(object.read(4, 2, 8), Value::int(0xbeef));
        assert_eq!(object.read(6, 4, 8).undef, 0xffff_0000);
        assert!(object.any_undefined(0, 8));
        assert!(object.all_undefined(8, 8));
    }

    #[test]
    fn a_pointer_keeps_its_provenance_until_it_is_overwritten() {
        let mut object = object();
        object.write(8, 8, 8, Value::pointer(0x2000, HEAP));
        assert_eq!(object.read(8, 8, 8).provenance, Some(HEAP));
        object.write(15, 1, 8, Value::ZERO);
        assert_eq!(object.read(8, 8, 8).provenance, None);
        assert_eq!(object.read(8, 8, 8).bits, 0x2000);
    }

    #[test]
    fn the_fingerprint_follows_the_content() {
        let mut object = object();
        let before = object.content_hash(8);
        object.write(0, 4, 8, Value::int(1));
        let one = object.content_hash(8);
        assert_ne!(before, one);
        object.write(0, 4, 8, Value::int(2));
        object.write(0, 4, 8, Value::int(1));
        assert_eq!(object.content_hash(8), one);
    }
}
