//! Gadgets: short passages, each about one corner of C.
//!
//! The grammar of statements and expressions would hit on some idioms (a list
//! on the heap, a table of function pointers) too seldom, or could not keep
//! them free of undefined behaviour. A gadget writes such an idiom out, with
//! random types and with holes for random expressions.

mod aggregates;
mod atomics;
mod builtins;
mod functions;
mod heap;
mod memory;
mod pointers;
mod storage;
mod strings;

use crate::generator::Gen;
use crate::rng::Rng;
use crate::tree::{Stmt, parts};
use crate::types::Int;

/// Yields the statements of a passage, to stand in a block of their own.
pub(crate) type Gadget = fn(&mut Gen) -> Vec<Stmt>;

/// Those with many variants are listed twice, that each be common enough.
const ALL: &[Gadget] = &[
    aggregates::struct_by_value,
    aggregates::struct_by_value,
    aggregates::enumeration,
    aggregates::enumeration,
    aggregates::union_punning,
    atomics::c11,
    atomics::gnu,
    atomics::sync,
    builtins::overflow,
    builtins::overflow,
    functions::table,
    functions::parameter,
    functions::recursion,
    heap::array,
    heap::zeroed,
    heap::linked_list,
    memory::copy,
    memory::copy,
    memory::char_walk,
    memory::float_bits,
    pointers::walk,
    pointers::chain,
    pointers::integer_round_trip,
    pointers::void_swap,
    storage::static_local,
    storage::thread_local,
    storage::variable_length,
    strings::operations,
    strings::operations,
    strings::parsing,
    strings::buffer,
    strings::buffer,
    strings::table,
];

/// `count` gadgets, all different or nearly so.
pub(crate) fn selection(rng: &mut Rng, count: usize) -> Vec<Gadget> {
    let mut gadgets = ALL.to_vec();
    rng.shuffle(&mut gadgets);
    gadgets.truncate(count);
    gadgets
}

/// Some gadget.
pub(crate) fn any(rng: &mut Rng) -> Gadget {
    rng.pick(ALL)
}

/// Integer types whose bytes may take any value.
const PLAIN: &[Int] = &[
    Int::SChar,
    Int::UChar,
    Int::Short,
    Int::UShort,
    Int::Int,
    Int::UInt,
    Int::Long,
    Int::ULong,
    Int::LLong,
    Int::ULLong,
];

impl Gen {
    fn plain_kind(&mut self) -> Int {
        self.rng.pick(PLAIN)
    }

    /// `type name[count] = {...};` that stays as long as it is mentioned.
    fn filled_array(&mut self, kind: Int, name: &str, count: u32) -> Stmt {
        let ty = crate::types::Type::Array(Box::new(crate::types::Type::int(kind)), count);
        let value = self.initializer(&ty, false);
        let declared = self.declare(&ty, name);
        Stmt::declares(name, parts![declared, " = ", value, ";"])
    }
}
