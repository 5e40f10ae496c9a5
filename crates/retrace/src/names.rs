//! Which object of the interpreter is which memory of the binary.
//!
//! Nobody says so beforehand. The first event at an object shows it, and all others have to agree; so do
//! pointers that are read and written. Handles of threads and addresses of functions are numbers of each
//! side's own; they are paired in the same way.

use std::collections::BTreeMap;

use unravel_interp::memory::ObjectId;
use unravel_interp::value::Value;

/// The pairs that are known.
#[derive(Clone, Debug, Default)]
pub struct Names {
    bases: BTreeMap<ObjectId, u64>,
    numbers: BTreeMap<u64, u64>,
}

/// Where the binary's addresses lie: programs, libraries, stacks, and the runtime's heap.
fn is_address(number: u64) -> bool {
    (0x1000_0000_0000..0x8000_0000_0000).contains(&number)
}

impl Names {
    /// Whether the interpreter's place can be the binary's address. It is from then on.
    pub fn place(&mut self, object: ObjectId, offset: u64, address: u64) -> bool {
        let base = address.wrapping_sub(offset);
        *self.bases.entry(object).or_insert(base) == base
    }

    /// Whether one object lies below another in the binary; true if one of them was not seen yet.
    #[must_use]
    pub fn lies_below(&self, first: ObjectId, second: ObjectId) -> bool {
        let base = |object| self.bases.get(&object).copied();
        base(first).zip(base(second)).is_none_or(|(first, second)| first < second)
    }

    /// Whether the interpreter's value can be the binary's number. `base` is the interpreter's address of
    /// the object that the value points into.
    pub fn value(&mut self, value: Value, base: Option<u64>, width: u32, number: u64) -> bool {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        let known = mask & !(value.undef as u64);
        let ours = value.bits as u64;
        if (ours ^ number) & known == 0 {
            return true;
        }
        if width < 64 || known != mask {
            // Parts of pointers: nothing can be said about the rest of them.
            return value.provenance.is_some();
        }
        match (value.provenance, base) {
            (Some(object), Some(base)) => self.place(object, ours.wrapping_sub(base), number),
            _ => is_address(number) && *self.numbers.entry(ours).or_insert(number) == number,
        }
    }
}
