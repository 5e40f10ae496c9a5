//! New blocks at the address of freed ones. Whether `malloc` gives an address again is not up to the
//! program; in the file the block is handed over: `free` keeps it, and the next owner takes it. Nor is
//! it up to the program whether there is memory at all.

use std::collections::BTreeMap;

use tree_sitter::Node;
use unravel_interp::memory::{ObjectId, ObjectKind};
use unravel_program::library::{Action, MemoryFunction};

use crate::output::Output;
use crate::pieces::{Filled, Val};
use crate::trace::{Entry, Trace, What};
use crate::walk::{Extent, Walk, Walker};

/// What becomes of a block that shares its address with others.
#[derive(Clone, Debug)]
pub struct Shared {
    /// The variable that holds the block between two owners.
    name: String,
    /// An earlier block had the address.
    is_taken: bool,
    /// A later block gets it.
    is_left: bool,
}

/// Finds the blocks that share an address.
pub fn keep(trace: &Trace, out: &mut Output) {
    let mut owners: BTreeMap<u64, Vec<(usize, ObjectId)>> = BTreeMap::new();
    for entry in trace.threads.iter().flatten() {
        if let Some((address, object)) = allocated(entry) {
            owners.entry(address).or_default().push((entry.decision, object));
        }
    }
    for mut blocks in owners.into_values().filter(|it| it.len() > 1) {
        blocks.sort_unstable();
        let name = out.fresh("reused_block");
        out.globals.push(format!("static void *{name};"));
        let last = blocks.len() - 1;
        for (index, (_, object)) in blocks.into_iter().enumerate() {
            let shared = Shared { name: name.clone(), is_taken: index > 0, is_left: index < last };
            out.shared.insert(object, shared);
        }
    }
}

/// The block that an instruction allocates, with its address.
fn allocated(entry: &Entry) -> Option<(u64, ObjectId)> {
    let What::Library(primitive) = entry.what else { return None };
    let allocates = matches!(primitive.action(), Action::Memory(_));
    let result = entry.result.filter(|_| allocates)?;
    let object = result.provenance.filter(|it| it.kind == ObjectKind::Heap)?;
    Some((result.address(), object))
}

impl<'a> Walker<'_, 'a> {
    /// What a call gives that allocates and finds no memory in the run.
    pub fn refused_allocation(
        &mut self,
        rest: &Extent,
        node: Node<'a>,
        filled: &mut [Filled<'a>],
    ) -> Walk<Option<Val>> {
        let entries = &self.entries()[self.at..rest.end];
        let refused = |it: &&Entry| it.depth == self.depth && it.is_refused_allocation();
        let Some(entry) = entries.iter().find(refused).cloned() else { return Ok(None) };
        self.settle(filled, rest.segment)?;
        self.set_errno(node, entry.errno, rest.segment.unwrap_or(self.segment))?;
        let result = entry.result.filter(|it| it.bits != 0);
        let text = result.map_or_else(|| "NULL".to_owned(), |it| it.bits.to_string());
        self.go(rest.end);
        Ok(Some(Val::known(text)))
    }

    /// The text of a call that takes a block from another owner, or leaves one; none if it does
    /// neither.
    pub fn handed_over(
        &mut self,
        rest: &Extent,
        node: Node<'a>,
        filled: &mut [Filled<'a>],
    ) -> Walk<Option<String>> {
        let entries = &self.entries()[self.at..rest.end];
        let found = entries.iter().find_map(|it| {
            let taken = allocated(it).map(|(_, object)| object);
            let shared = |object: &ObjectId| self.out.shared.get(object);
            let taken = taken.as_ref().and_then(shared).filter(|it| it.is_taken);
            let left = it.block.as_ref().and_then(shared).filter(|it| it.is_left);
            (taken.is_some() || left.is_some()).then(|| (it.clone(), taken.cloned(), left.cloned()))
        });
        let Some((entry, taken, left)) = found else { return Ok(None) };
        for it in filled.iter_mut().filter(|it| it.val.effects) {
            self.settle_one(it)?;
        }
        let values: Vec<&str> =
            filled.iter().filter(|it| it.is_value()).map(Filled::text).collect();
        let function = match entry.what {
            What::Library(primitive) if entry.depth == self.depth => match primitive.action() {
                Action::Memory(function) => Some(function),
                _ => None,
            },
            _ => None,
        };
        match (function, taken, left, values.as_slice()) {
            (Some(MemoryFunction::Malloc | MemoryFunction::AlignedAlloc), Some(it), ..) => {
                Ok(Some(it.name))
            }
            (Some(MemoryFunction::Calloc), Some(it), _, [count, size]) => {
                Ok(Some(format!("memset({}, 0, ({count}) * ({size}))", it.name)))
            }
            (Some(MemoryFunction::Free), None, Some(it), [pointer]) => {
                Ok(Some(format!("{} = {pointer}", it.name)))
            }
            _ => self.refuse("a new block at the address of one that was freed", node),
        }
    }
}
