//! Synchronization objects.
//!
//! Locks are critical sections that the thread itself knows of (`locks`, `rw`): what threads have
//! to agree on is the order of their sections. Semaphores, barriers and once controls are counters
//! that all can change, so their state is a value in shared memory of its own kind (`state`), read
//! and written in one step. A wait on a condition variable gives up its section and begins another
//! (`cond`); which signal wakes whom matters only to those who are not woken.
//!
//! The tables of `unravel_program::library::sync` say what each operation does; the interpreter
//! executes them.

mod barrier;
mod cond;
mod kinds;
mod lifetime;
mod locks;
mod once;
mod rw;
mod sem;
mod state;

use std::rc::Rc;
use unravel_kinds::Unmodelled;

pub(crate) use kinds::Kinds;
use unravel_interp::Property;
use unravel_program::library::sync::{Class, SyncOp};
use unravel_program::library::{Convention, codes};
use unravel_program::{Operand, Reg, Type};
use unravel_term::Term;

use super::access::Demand;
use super::{Executor, access};
use crate::graph::{LockUse, MayAccess, StepId, Wait, WaitOn};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::Value;

type Args<'a> = &'a [(Type, Operand)];

/// Smallest memory that can hold an object of the class.
fn footprint(class: Class) -> u64 {
    match class {
        Class::Spin | Class::Once | Class::MutexAttr => 4,
        _ => 8,
    }
}

/// A synchronization object about to be used.
struct Object {
    step: StepId,
    operand: Operand,
    address: Value,
    /// Where it may lie.
    may: Rc<MayAccess>,
}

impl Executor<'_> {
    /// Whether the operation counts as an instruction here.
    pub fn sync(
        &mut self,
        state: &mut State,
        op: SyncOp,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        if op == SyncOp::Once {
            return self.once(state, convention, args, result);
        }
        if let Some(code) = self.sync_code(state, op, args) {
            self.report_code(state, convention, code, result);
        }
        true
    }

    /// The error code of the operation; `None` if no path goes on.
    fn sync_code(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        match op {
            SyncOp::MutexInit
            | SyncOp::MutexInitC11
            | SyncOp::SpinInit
            | SyncOp::RwInit
            | SyncOp::CondInit => self.lifetime(state, op, args, false),
            SyncOp::MutexDestroy | SyncOp::SpinDestroy | SyncOp::RwDestroy => {
                self.lifetime(state, op, args, true)
            }
            SyncOp::MutexLock | SyncOp::SpinLock => self.lock(state, op, args),
            SyncOp::MutexTryLock | SyncOp::SpinTryLock => {
                self.try_lock(state, op, args, codes::EBUSY)
            }
            SyncOp::MutexTimedLock => self.try_lock(state, op, args, codes::ETIMEDOUT),
            SyncOp::MutexUnlock | SyncOp::SpinUnlock => self.unlock(state, op, args),
            SyncOp::MutexAttrInit | SyncOp::MutexAttrSetType => self.attribute(state, op, args),
            SyncOp::RwReadLock => self.read_lock(state, op, args),
            SyncOp::RwTryReadLock => self.try_read_lock(state, op, args, codes::EBUSY),
            SyncOp::RwTimedReadLock => self.try_read_lock(state, op, args, codes::ETIMEDOUT),
            SyncOp::RwWriteLock => self.write_lock(state, op, args),
            SyncOp::RwTryWriteLock => self.try_write_lock(state, op, args, codes::EBUSY),
            SyncOp::RwTimedWriteLock => self.try_write_lock(state, op, args, codes::ETIMEDOUT),
            SyncOp::RwUnlock => self.rw_unlock(state, op, args),
            SyncOp::SemInit => self.sem_init(state, op, args),
            SyncOp::SemWait => self.sem_wait(state, op, args),
            SyncOp::SemTryWait => self.sem_try_wait(state, op, args, codes::EAGAIN),
            SyncOp::SemTimedWait => self.sem_try_wait(state, op, args, codes::ETIMEDOUT),
            SyncOp::SemPost => self.sem_post(state, op, args),
            SyncOp::SemGetValue => self.sem_value(state, op, args),
            SyncOp::SemDestroy => self.sem_destroy(state, op, args),
            SyncOp::BarrierInit => self.barrier_init(state, op, args),
            SyncOp::BarrierWait => self.barrier_wait(state, op, args),
            SyncOp::BarrierDestroy => self.barrier_destroy(state, op, args),
            SyncOp::CondWait => self.cond_wait(state, op, args, false),
            SyncOp::CondTimedWait => self.cond_wait(state, op, args, true),
            SyncOp::CondSignal => self.signal(state, op, args, false),
            SyncOp::CondBroadcast => self.signal(state, op, args, true),
            SyncOp::CondDestroy => self.cond_destroy(state, op, args),
            // These are halves of other operations, which no program calls.
            SyncOp::CondWake
            | SyncOp::CondTimedWake
            | SyncOp::CondTimedOut
            | SyncOp::BarrierPass
            | SyncOp::Once
            | SyncOp::OnceFinish => None,
        }
    }

    fn argument(&mut self, state: &State, args: Args<'_>, index: usize) -> (Operand, Value) {
        let operand = args.get(index).map_or(Operand::Undef, |&(_, operand)| operand);
        let width = self.pointer_bits();
        (operand, self.operand(state, operand, width))
    }

    /// Checks the address of an object, in a step of its own.
    fn object(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Object {
        let (operand, address) = self.argument(state, args, 0);
        let step = self.step(state);
        self.graph.steps[step.0 as usize].sync = Some(op);
        self.check_object(state, step, operand, address, op.class());
        let may = self.may_lie(operand, address);
        Object { step, operand, address, may }
    }

    fn check_object(
        &mut self,
        state: &mut State,
        step: StepId,
        operand: Operand,
        address: Value,
        class: Class,
    ) {
        let demand = Demand { bytes: footprint(class), writes: false, whole_block: false };
        let before = self.together.replace(step);
        self.resolve(state, operand, address, demand);
        self.together = before;
    }

    fn may_lie(&mut self, operand: Operand, address: Value) -> Rc<MayAccess> {
        let leaves: Rc<access::Leaves> = self.leaves(address.provenance);
        let anywhere_in = if leaves.unknown {
            self.points.places(self.function_id(), operand).into_iter().collect()
        } else {
            Vec::new()
        };
        Rc::new(MayAccess { objects: leaves.objects.iter().copied().collect(), anywhere_in })
    }

    /// Notes that an object is used, which must exist then.
    fn use_object(&mut self, state: &State, op: SyncOp, object: &Object) {
        let address = object.address;
        let written = self.known_place(address).is_some_and(|(id, offset)| {
            let (terms, objects) = self.parts();
            state.memory.is_written(id, offset, 8) && {
                let bytes = state.memory.read(terms, objects, id, offset, 8);
                terms.as_const(bytes.provenance) == Some(0)
            }
        });
        self.graph.lock_uses.push(LockUse {
            step: object.step,
            guard: state.guard,
            address,
            may: object.may.clone(),
            static_initializer: op.class().has_static_initializer(),
            written,
            has_state: matches!(op.class(), Class::Sem | Class::Barrier),
            class: op.class(),
        });
    }

    fn known_place(&mut self, address: Value) -> Option<(ObjectId, u64)> {
        let provenance = self.terms().as_const(address.provenance)?;
        let bits = u64::try_from(self.terms().as_const(address.bits)?).ok()?;
        let id = ObjectId::of_provenance(provenance)?;
        Some((id, bits.wrapping_sub(self.graph.objects.get(id).base)))
    }

    fn number_code(&mut self, code: i32) -> Term {
        self.terms().constant(32, i128::from(code).cast_unsigned())
    }

    pub fn wait(&mut self, guard: Term, on: WaitOn) {
        if self.graph.terms.is_false(guard) {
            return;
        }
        let (position, site) = (self.current.position, self.site());
        let thread = &mut self.graph.threads[self.current.id.0 as usize];
        thread.waits.push(Wait { guard, on, position, site });
    }

    /// A variable that says that the thread goes on here; where it does not, it stands.
    fn may_stand(&mut self, state: &mut State) -> (Term, Term) {
        let go = self.terms().var(1);
        let stops = self.terms().not(go);
        let stopped = self.terms().and(state.guard, stops);
        state.require(&mut self.graph.terms, go);
        (go, stopped)
    }

    /// A misuse where a condition holds. If misuses are not checked the operation refuses with a
    /// code, and the path goes on. Gives the condition under which it did not refuse.
    fn misuse(&mut self, state: &mut State, wrong: Term) -> Term {
        if self.config.properties.has(Property::Misuse) {
            self.violation(state, Property::Misuse, wrong);
            return self.terms().truth();
        }
        self.terms().not(wrong)
    }

    /// Whether an operation that may wait is inside an atomic section, which ends the path.
    fn waits_in_section(&mut self, state: &mut State) -> bool {
        let inside = state.atomic.is_some();
        if inside {
            self.unsupported(state, Unmodelled::MayWaitInAtomicSection);
        }
        inside
    }
}
