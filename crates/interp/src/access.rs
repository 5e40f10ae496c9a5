//! Accesses to memory.

use std::sync::Arc;

use unravel_kinds::{Cut, Related, Unmodelled, ViolationKind};
use unravel_program::{Access, GlobalId, Op, Operand, Ordering, RmwOp, Type};

use crate::arith;
use crate::choice::{InputSource, Pick};
use crate::event::EventKind;
use crate::exec::{Exec, Interrupt, Result};
use crate::float;
use crate::memory::{Init, ObjectId, ObjectKind, Origin};
use crate::note::Note;
use crate::property::Property;
use crate::race::{Epoch, Mode};
use crate::value::{Value, mask};

/// Addresses below this are null with an offset (`p->field` of a null `p`).
const NULL_PAGE: u64 = 4096;

/// A plain read.
pub(crate) const READ: Mode =
    Mode { reads: true, writes: false, atomic: false, acquires: false, releases: false };
/// A plain write.
pub(crate) const WRITE: Mode = Mode { reads: false, writes: true, ..READ };

fn mode(access: Access, reads: bool, writes: bool) -> Mode {
    match access {
        Access::Plain | Access::Volatile => Mode { reads, writes, ..READ },
        Access::Atomic(ordering) => Mode {
            reads,
            writes,
            atomic: true,
            acquires: ordering.acquires(),
            releases: ordering.releases(),
        },
    }
}

impl Exec<'_, '_> {
    pub fn memory_access(&mut self, op: &Op) -> Result<()> {
        match *op {
            Op::Load { dst, ty, address, access } => {
                let value = self.load(address, ty, mode(access, true, false))?;
                self.set(dst, value);
                Ok(())
            }
            Op::Store { ty, address, value, access } => {
                let value = self.operand(value, self.width(ty));
                self.store(address, ty, value, mode(access, false, true))
            }
            Op::ReadModifyWrite { dst, op, ty, address, value, ordering } => {
                let old = self.read_modify_write(op, ty, address, value, ordering)?;
                self.set(dst, old);
                Ok(())
            }
            Op::CompareExchange { .. } => self.compare_exchange(op),
            Op::Alloca { .. } => self.alloca(op),
            _ => Ok(()),
        }
    }

    /// The object and offset that an access of `bytes` bytes goes to, or the memory error.
    pub fn resolve(&mut self, pointer: Value, bytes: u64) -> Result<(ObjectId, u64)> {
        if !pointer.is_defined() {
            return self.violation(ViolationKind::UninitializedPointer);
        }
        let address = pointer.address();
        let id = match pointer.provenance {
            Some(id) => id,
            None => self.resolve_number(address)?,
        };
        let Some(object) = self.state.object(id) else { return self.dangling(id) };
        let offset = address.wrapping_sub(object.base);
        if !object.contains(offset, bytes) {
            let (object, size) = (self.object_name(id), object.size());
            let offset = offset.cast_signed();
            return self.violation(ViolationKind::OutOfBounds { bytes, offset, object, size });
        }
        Ok((id, offset))
    }

    /// The object at an address whose provenance is lost.
    fn resolve_number(&mut self, address: u64) -> Result<ObjectId> {
        if address < NULL_PAGE {
            return self.violation(ViolationKind::NullDereference);
        }
        let Some(id) = self.state.find(address) else {
            return self.violation(ViolationKind::WildPointer);
        };
        if id.kind != ObjectKind::Global {
            // Without provenance nobody knew that it can be reached this way: accesses to it may
            // have been taken for local work, and states for the same.
            let what = Unmodelled::RebuiltPointer;
            self.notes.insert(Note::Unsupported { site: self.site(), what });
        }
        Ok(id)
    }

    fn dangling<T>(&mut self, id: ObjectId) -> Result<T> {
        self.violation(match id.kind {
            ObjectKind::Heap => ViolationKind::UseAfterFree,
            ObjectKind::Stack => ViolationKind::UseAfterReturn,
            ObjectKind::ThreadLocal => ViolationKind::UseAfterExit,
            _ => ViolationKind::BadAccess,
        })
    }

    /// A read. Memory that was never written gets its value, an input, at the first read.
    pub fn load(&mut self, address: Operand, ty: Type, mode: Mode) -> Result<Value> {
        let pointer = self.operand(address, self.width(Type::Ptr));
        let bytes = ty.bytes(self.machine.program.target);
        let (object, offset) = self.resolve(pointer, bytes)?;
        let value = self.read(object, offset, ty, mode)?;
        Ok(value)
    }

    pub fn read(&mut self, id: ObjectId, offset: u64, ty: Type, mode: Mode) -> Result<Value> {
        let bytes = ty.bytes(self.machine.program.target);
        let pointer_bytes = self.machine.pointer_bytes();
        let Some(object) = self.state.object(id) else { return self.dangling(id) };
        let mut value = object.read(offset, bytes, pointer_bytes);
        if object.all_undefined(offset, bytes) {
            let width = u16::try_from(bytes * 8).unwrap_or(128);
            value = Value::int(self.input(width, InputSource::Uninitialized)?);
            if let Some(object) = self.state.object_mut(id) {
                object.write(offset, bytes, pointer_bytes, value);
            }
        }
        value.bits &= mask(self.width(ty));
        value.undef &= mask(self.width(ty));
        self.accessed(id, offset, bytes, mode);
        self.record_access(EventKind::Read, id, offset, bytes, Some((value, ty)));
        Ok(value)
    }

    /// A write.
    pub fn store(&mut self, address: Operand, ty: Type, value: Value, mode: Mode) -> Result<()> {
        let pointer = self.operand(address, self.width(Type::Ptr));
        let bytes = ty.bytes(self.machine.program.target);
        let (object, offset) = self.resolve(pointer, bytes)?;
        self.write(object, offset, ty, value, mode, EventKind::Write)
    }

    pub fn write(
        &mut self,
        id: ObjectId,
        offset: u64,
        ty: Type,
        value: Value,
        mode: Mode,
        kind: EventKind,
    ) -> Result<()> {
        let bytes = ty.bytes(self.machine.program.target);
        self.check_writable(id)?;
        self.overwrite_sync(id, offset, bytes)?;
        let pointer_bytes = self.machine.pointer_bytes();
        if let Some(object) = self.state.object_mut(id) {
            object.write(offset, bytes, pointer_bytes, value);
            if object.shared
                && let Some(target) = value.provenance
            {
                self.state.share(target);
            }
        }
        self.accessed(id, offset, bytes, mode);
        self.record_access(kind, id, offset, bytes, Some((value, ty)));
        Ok(())
    }

    pub fn check_writable(&mut self, id: ObjectId) -> Result<()> {
        if self.state.object(id).is_some_and(|object| object.constant) {
            let object = self.object_name(id);
            return self.violation(ViolationKind::WriteToConstant { object });
        }
        Ok(())
    }

    fn read_modify_write(
        &mut self,
        op: RmwOp,
        ty: Type,
        address: Operand,
        value: Operand,
        ordering: Ordering,
    ) -> Result<Value> {
        let width = self.width(ty);
        let pointer = self.operand(address, self.width(Type::Ptr));
        let bytes = ty.bytes(self.machine.program.target);
        let (id, offset) = self.resolve(pointer, bytes)?;
        let old = self.current(id, offset, ty)?;
        let operand = self.operand(value, width);
        let new = if op == RmwOp::Exchange {
            operand
        } else {
            let operand = self.force(operand, width)?;
            let bits = arith::read_modify_write(op, width, old.bits, operand.bits)
                .unwrap_or_else(|| float::read_modify_write(op, ty, old.bits, operand.bits));
            old.with_bits(bits)
        };
        let mode = mode(Access::Atomic(ordering), true, true);
        self.write(id, offset, ty, new, mode, EventKind::Update)?;
        Ok(old)
    }

    /// The value at a place, decided if it was never written; part of an atomic operation.
    fn current(&mut self, id: ObjectId, offset: u64, ty: Type) -> Result<Value> {
        let bytes = ty.bytes(self.machine.program.target);
        let Some(object) = self.state.object(id) else { return self.dangling(id) };
        let value = object.read(offset, bytes, self.machine.pointer_bytes());
        self.force(value, self.width(ty))
    }

    fn compare_exchange(&mut self, op: &Op) -> Result<()> {
        let Op::CompareExchange {
            old,
            success,
            ty,
            address,
            expected,
            new,
            weak,
            on_success,
            on_failure,
        } = *op
        else {
            return Ok(());
        };
        let width = self.width(ty);
        let pointer = self.operand(address, self.width(Type::Ptr));
        let (id, offset) = self.resolve(pointer, ty.bytes(self.machine.program.target))?;
        let current = self.current(id, offset, ty)?;
        let expected = self.forced(expected, width)?;
        // Addresses are compared, not provenances: that is what makes ABA possible.
        let equal = current.bits == expected.bits;
        let swaps = equal && !(weak && self.pick(2, Pick::WeakFailure)? == 1);
        if swaps {
            let new = self.operand(new, width);
            let mode = mode(Access::Atomic(on_success), true, true);
            self.write(id, offset, ty, new, mode, EventKind::Update)?;
        } else {
            let bytes = ty.bytes(self.machine.program.target);
            self.accessed(id, offset, bytes, mode(Access::Atomic(on_failure), true, false));
            let value = Some((current, ty));
            self.record_access(EventKind::FailedUpdate, id, offset, bytes, value);
        }
        self.set(old, current);
        self.set(success, swaps.into());
        Ok(())
    }

    pub fn fence(&mut self, ordering: Ordering) {
        let me = self.me;
        if let Some(races) = self.races() {
            races.fence(me, ordering.acquires(), ordering.releases());
        }
    }

    /// Enters an access into the happens-before bookkeeping.
    pub fn accessed(&mut self, id: ObjectId, offset: u64, bytes: u64, mode: Mode) {
        let (me, site) = (self.me, self.site());
        // Private memory counts, too: it may be published without an order.
        if self.state.races.is_none() {
            return;
        }
        // Atomic sections do not race with each other.
        let inside = self.state.thread(me).atomic_depth > 0;
        let atomic = Mode { atomic: true, acquires: true, releases: true, ..mode };
        let mode = if inside { atomic } else { mode };
        let race =
            self.races().and_then(|races| races.access(me, id, offset..offset + bytes, mode, site));
        self.report_race(race, id, offset, bytes, mode);
    }

    fn report_race(
        &mut self,
        race: Option<Epoch>,
        id: ObjectId,
        offset: u64,
        bytes: u64,
        mode: Mode,
    ) {
        let Some(other) = race else { return };
        let variable = self.describe(id, offset, bytes);
        let kind = ViolationKind::DataRace { variable, writes: mode.writes };
        let related = Related::OtherAccess { thread: other.thread.0 };
        self.soft_violation(kind, vec![(other.site, related)]);
    }

    /// Enters the end of a block: it conflicts with every access, and nothing comes after it.
    pub fn freed(&mut self, id: ObjectId) {
        let me = self.me;
        let race = self.races().and_then(|races| races.conflict_with_all(me, id));
        self.report_race(race, id, 0, 1, WRITE);
    }

    fn is_shared_object(&self, id: ObjectId) -> bool {
        self.state.object(id).is_some_and(|object| object.shared && !object.constant)
    }

    pub fn record_access(
        &mut self,
        kind: EventKind,
        id: ObjectId,
        offset: u64,
        bytes: u64,
        value: Option<(Value, Type)>,
    ) {
        if self.recorder.wants_events() && self.is_shared_object(id) {
            self.record(kind, Some((id, offset, bytes)), value);
        }
    }

    fn alloca(&mut self, op: &Op) -> Result<()> {
        let Op::Alloca { dst, size, count, align, name, ty } = op else { return Ok(()) };
        let count = self.forced(*count, self.width(Type::Ptr))?.bits;
        let bytes = u128::from(*size).saturating_mul(count);
        self.check_memory(bytes)?;
        let origin = Origin::Local { name: name.as_deref().map(Into::into), ty: *ty };
        let id = self.state.allocate(ObjectKind::Stack, bytes as u64, *align, origin, false);
        let base = self.state.objects[&id].base;
        self.frame_mut().objects.push(id);
        self.set(*dst, Value::pointer(base, id));
        Ok(())
    }

    /// The block of a local ends.
    pub fn end_local(&mut self, address: Operand) {
        let Some(id) = self.peek(address).provenance else { return };
        self.frame_mut().objects.retain(|&object| object != id);
        self.state.remove(id);
    }

    /// Refuses an allocation that would take more memory than a run may.
    pub fn check_memory(&mut self, bytes: u128) -> Result<()> {
        let limit = u128::from(self.machine.config.memory_limit);
        if bytes > limit {
            return self.unsupported(Unmodelled::LargeObject(bytes));
        }
        let total: u128 = self.state.objects.values().map(|it| u128::from(it.size())).sum();
        if total + bytes > limit {
            return self.bound(Cut::Memory { bytes: total });
        }
        let in_32_bits = self.machine.pointer_bytes() == 4;
        if in_32_bits && u128::from(self.state.next_address) + bytes > 0xfff0_0000 {
            return self.unsupported(Unmodelled::Beyond32Bits);
        }
        Ok(())
    }

    /// This thread's instance of a thread-local variable.
    pub fn thread_local(&mut self, global: GlobalId, offset: i64) -> Value {
        let known = self.state.thread(self.me).locals.get(&global).copied();
        let id = known.unwrap_or_else(|| {
            let info = self.machine.program.global(global);
            let (size, align) = (info.size, info.align);
            let origin = Origin::Global(global);
            let id = self.state.allocate(ObjectKind::ThreadLocal, size, align, origin, true);
            let base = self.state.objects[&id].base;
            let content = self.machine.initial_content(global, base);
            self.state.objects.insert(id, Arc::new(content));
            self.state.thread_mut(self.me).locals.insert(global, id);
            id
        });
        let base = self.state.object(id).map_or(0, |object| object.base);
        Value::pointer(base.wrapping_add_signed(offset), id)
    }

    // ----- Ranges -----

    /// `memcpy`: word by word where the memory is shared, since others may come between.
    pub fn memory_copy(
        &mut self,
        to: Operand,
        from: Operand,
        length: Operand,
        unit: u8,
    ) -> Result<()> {
        let pointer = self.width(Type::Ptr);
        let length = self.forced(length, pointer)?.bits as u64;
        let (to, from) = (self.operand(to, pointer), self.operand(from, pointer));
        if length == 0 {
            self.advance();
            return Ok(());
        }
        let (target, target_offset) = self.resolve(to, length)?;
        let (source, source_offset) = self.resolve(from, length)?;
        self.check_writable(target)?;
        self.overwrite_sync(target, target_offset, length)?;
        // Backwards where the ranges overlap that way, as `memmove` promises.
        let backwards = target == source && target_offset > source_offset;
        loop {
            let done = self.frame_mut().progress;
            let rest = length - done;
            let first = if backwards { rest } else { done };
            let mut chunk = self.chunk(rest, unit, target_offset + first, source_offset + first);
            let mut at = if backwards { rest - chunk } else { done };
            if let Some(pointer) = self.pointer_ahead(source, source_offset, at, rest, backwards) {
                (at, chunk) = (pointer, self.machine.pointer_bytes());
            }
            self.copy_chunk((target, target_offset + at), (source, source_offset + at), chunk);
            self.frame_mut().progress = done + chunk;
            if done + chunk >= length {
                self.advance();
                return Ok(());
            }
            self.pause_if_shared(&[target, source])?;
        }
    }

    /// `memset`, likewise.
    pub fn memory_set(
        &mut self,
        to: Operand,
        byte: Operand,
        length: Operand,
        unit: u8,
    ) -> Result<()> {
        let pointer = self.width(Type::Ptr);
        let length = self.forced(length, pointer)?.bits as u64;
        let byte = self.operand(byte, 8);
        let to = self.operand(to, pointer);
        if length == 0 {
            self.advance();
            return Ok(());
        }
        let (target, offset) = self.resolve(to, length)?;
        self.check_writable(target)?;
        self.overwrite_sync(target, offset, length)?;
        let init = if byte.is_defined() { Init::Defined } else { Init::Undefined };
        loop {
            let done = self.frame_mut().progress;
            let chunk = self.chunk(length - done, unit, offset + done, offset + done);
            let pointer_bytes = self.machine.pointer_bytes();
            if let Some(object) = self.state.object_mut(target) {
                for at in offset + done..offset + done + chunk {
                    object.write_byte(at, byte.bits as u8, init, pointer_bytes);
                }
            }
            self.accessed(target, offset + done, chunk, WRITE);
            self.record_access(EventKind::Write, target, offset + done, chunk, None);
            self.frame_mut().progress = done + chunk;
            if done + chunk >= length {
                self.advance();
                return Ok(());
            }
            self.pause_if_shared(&[target])?;
        }
    }

    /// A pointer in the source that is next to be copied, wherever it lies: it is copied whole,
    /// so that it stays one.
    fn pointer_ahead(
        &self,
        source: ObjectId,
        offset: u64,
        at: u64,
        rest: u64,
        backwards: bool,
    ) -> Option<u64> {
        let bytes = self.machine.pointer_bytes();
        let start = if backwards { rest.checked_sub(bytes)? } else { at };
        let whole = backwards || rest >= bytes;
        let object = self.state.object(source)?;
        object.pointer_at(offset + start).filter(|_| whole).map(|_| start)
    }

    /// A write over a synchronization object makes it a fresh one, if the bytes say so.
    fn overwrite_sync(&mut self, id: ObjectId, offset: u64, bytes: u64) -> Result<()> {
        let end = offset.saturating_add(bytes);
        let near = self.state.sync.range((id, offset.saturating_sub(7))..(id, end));
        let hit: Vec<_> = near
            .filter(|(place, object)| place.1 + object.class.footprint() > offset)
            .map(|(&place, object)| {
                let held = object.owner.is_some() || !object.readers.is_empty();
                (place, held || !object.waiting.is_empty())
            })
            .collect();
        for (place, in_use) in hit {
            if in_use && self.machine.config.properties.has(Property::Misuse) {
                let object = self.describe(id, place.1, 8);
                return self.violation(ViolationKind::OverwriteInUse { object });
            }
            Arc::make_mut(&mut self.state.sync).remove(&place);
        }
        Ok(())
    }

    /// Ends the step in the middle of a range, where another thread may come between.
    pub fn pause_if_shared(&mut self, objects: &[ObjectId]) -> Result<()> {
        let inside = self.state.thread(self.me).atomic_depth > 0;
        let shared = objects.iter().any(|&id| self.is_shared_object(id));
        if shared && !inside && self.state.others_run(self.me) {
            return Err(Interrupt::Blocked);
        }
        Ok(())
    }

    fn chunk(&self, rest: u64, unit: u8, to: u64, from: u64) -> u64 {
        unravel_program::copied_at_once(
            self.machine.pointer_bytes().min(u64::from(unit)),
            rest,
            to,
            from,
        )
    }

    fn copy_chunk(&mut self, to: (ObjectId, u64), from: (ObjectId, u64), bytes: u64) {
        let pointer_bytes = self.machine.pointer_bytes();
        let Some(source) = self.state.object(from.0).cloned() else { return };
        let provenance = if bytes == pointer_bytes { source.pointer_at(from.1) } else { None };
        if let Some(target) = self.state.object_mut(to.0) {
            for index in 0..bytes {
                let byte = source.bytes().get((from.1 + index) as usize).copied().unwrap_or(0);
                let init = source.init_at(from.1 + index);
                target.write_byte(to.1 + index, byte, init, pointer_bytes);
            }
            if let Some(provenance) = provenance {
                target.set_pointer(to.1, provenance);
                if target.shared {
                    self.state.share(provenance);
                }
            }
        }
        self.accessed(from.0, from.1, bytes, READ);
        self.accessed(to.0, to.1, bytes, WRITE);
        self.record_copy(to, from, bytes, &source);
    }

    fn record_copy(
        &mut self,
        to: (ObjectId, u64),
        from: (ObjectId, u64),
        bytes: u64,
        source: &crate::memory::Object,
    ) {
        if !self.recorder.wants_events() {
            return;
        }
        let ty = Type::Int(u16::try_from(bytes * 8).unwrap_or(64));
        let value = Some((source.read(from.1, bytes, self.machine.pointer_bytes()), ty));
        self.record_access(EventKind::Read, from.0, from.1, bytes, value);
        self.record_access(EventKind::Write, to.0, to.1, bytes, value);
    }

    /// The bytes of a C string, up to its terminator.
    pub fn c_string(&mut self, pointer: Value) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let at = pointer.with_bits(pointer.bits + text.len() as u128);
            let (id, offset) = self.resolve(at, 1)?;
            let byte = self.read(id, offset, Type::Int(8), READ)?;
            let byte = self.force(byte, 8)?.bits as u8;
            if byte == 0 {
                return Ok(text);
            }
            text.push(byte);
        }
    }
}
