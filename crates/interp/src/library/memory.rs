//! `malloc` and its family.

use std::sync::Arc;

use unravel_kinds::ViolationKind;
use unravel_program::library::{MemoryFunction, codes};

use super::Args;
use crate::choice::Pick;
use crate::event::EventKind;
use crate::exec::{Exec, Result};
use crate::memory::{Object, ObjectId, ObjectKind, Origin};
use crate::state::Freed;
use crate::value::Value;

impl Exec<'_, '_> {
    pub fn memory_function(&mut self, function: MemoryFunction, args: Args<'_>) -> Result<Value> {
        match function {
            MemoryFunction::Malloc => {
                let size = self.number(args, 0)?;
                self.malloc(u128::from(size), 16, false)
            }
            MemoryFunction::Calloc => {
                let size = u128::from(self.number(args, 0)?) * u128::from(self.number(args, 1)?);
                self.malloc(size, 16, true)
            }
            MemoryFunction::AlignedAlloc => {
                let (align, size) = (self.number(args, 0)?, self.number(args, 1)?);
                self.malloc(u128::from(size), align, false)
            }
            MemoryFunction::Realloc => {
                let size = u128::from(self.number(args, 1)?);
                self.realloc(args, size)
            }
            MemoryFunction::ReallocArray => {
                let size = u128::from(self.number(args, 1)?) * u128::from(self.number(args, 2)?);
                self.realloc(args, size)
            }
            MemoryFunction::Free => {
                let pointer = self.arg(args, 0);
                self.free(pointer)?;
                Ok(Value::ZERO)
            }
        }
    }

    fn malloc(&mut self, size: u128, align: u64, zeroed: bool) -> Result<Value> {
        if self.allocation_fails()? {
            return Ok(Value::ZERO);
        }
        self.check_memory(size)?;
        let size = size as u64;
        let id = self.new_block(size, align, zeroed)?;
        let base = self.state.object(id).map_or(0, |object| object.base);
        Ok(Value::pointer(base, id))
    }

    /// Whether an allocation fails, which sets `errno`.
    fn allocation_fails(&mut self) -> Result<bool> {
        let fails =
            self.machine.config.allocation_failure && self.pick(2, Pick::AllocationFailure)? == 1;
        if fails {
            self.set_errno(codes::ENOMEM);
        }
        Ok(fails)
    }

    /// What the next block from here is.
    fn heap_origin(&mut self) -> Origin {
        let site = self.site();
        let nth = Arc::make_mut(&mut self.state.allocated).entry(site).or_insert(0);
        *nth += 1;
        Origin::Heap { site, nth: *nth }
    }

    /// A block at a fresh address or, where the program could tell, at that of a freed block that
    /// is large enough.
    fn new_block(&mut self, size: u64, align: u64, zeroed: bool) -> Result<ObjectId> {
        let origin = self.heap_origin();
        let reusable: Vec<Freed> =
            self.state.freed.iter().copied().filter(|freed| freed.size >= size).collect();
        if self.machine.reuses_addresses && !reusable.is_empty() {
            let pick = self.pick(reusable.len() + 1, Pick::Address)?;
            if let Some(freed) = pick.checked_sub(1).and_then(|index| reusable.get(index)) {
                self.state.freed.retain(|other| other.object != freed.object);
                let mut object = Object::new(freed.base, size, origin, zeroed);
                object.reused = true;
                return Ok(self.state.insert(ObjectKind::Heap, object));
            }
        }
        Ok(self.state.allocate(ObjectKind::Heap, size, align, origin, zeroed))
    }

    fn realloc(&mut self, args: Args<'_>, size: u128) -> Result<Value> {
        let old = self.arg(args, 0);
        if old.is_defined() && old.bits == 0 {
            return self.malloc(size, 16, false);
        }
        let old_id = self.heap_block(old)?;
        self.check_memory(size)?;
        if self.allocation_fails()? {
            return Ok(Value::ZERO);
        }
        let Some(content) = self.state.object(old_id).cloned() else { return Ok(Value::ZERO) };
        let mut block = (*content).clone();
        block.shared = false;
        block.origin = self.heap_origin();
        block.resize(size as u64);
        // It may stay where it is, wherever the program could tell.
        block.reused = self.machine.reuses_addresses && self.pick(2, Pick::Address)? == 1;
        if !block.reused {
            block.base = self.state.fresh_address(size as u64, 16);
        }
        let (base, moved) = (block.base, !block.reused);
        let id = self.state.insert(ObjectKind::Heap, block);
        self.release_block(old_id);
        if !moved {
            self.state.freed.retain(|freed| freed.object != old_id);
        }
        Ok(Value::pointer(base, id))
    }

    fn free(&mut self, pointer: Value) -> Result<()> {
        if pointer.is_defined() && pointer.bits == 0 {
            return Ok(());
        }
        let id = self.heap_block(pointer)?;
        self.release_block(id);
        Ok(())
    }

    fn release_block(&mut self, id: ObjectId) {
        let Some(object) = self.state.object(id) else { return };
        let (base, size) = (object.base, object.size());
        self.freed(id);
        self.record_access(EventKind::Free, id, 0, size, None);
        self.state.remove(id);
        if self.machine.reuses_addresses {
            self.state.freed.push(Freed { object: id, base, size });
        }
    }

    /// The block that a pointer given to `free` or `realloc` is the start of.
    fn heap_block(&mut self, pointer: Value) -> Result<ObjectId> {
        let id = pointer.provenance.or_else(|| self.state.find(pointer.address()));
        let Some(id) = id.filter(|_| pointer.is_defined()) else {
            return self.violation(ViolationKind::InvalidFree { into: None });
        };
        let Some(object) = self.state.object(id) else {
            return self.violation(ViolationKind::DoubleFree);
        };
        if id.kind != ObjectKind::Heap || object.base != pointer.address() {
            let into = Some(self.object_name(id));
            return self.violation(ViolationKind::InvalidFree { into });
        }
        Ok(id)
    }
}
