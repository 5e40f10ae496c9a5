//! Mutexes and spin locks.
//!
//! What a thread holds is its own knowledge: nobody else can unlock it, other than by a misuse.
//! So a lock that the thread does not hold begins a critical section, the matching unlocks end
//! it, and all that threads have to agree on is the order of their sections ([`Lock`]).

use std::collections::BTreeMap;
use std::rc::Rc;

use unravel_interp::Property;
use unravel_program::library::sync::{Class, MutexKind, SyncOp};
use unravel_program::library::{Convention, codes};
use unravel_program::{Operand, Reg, Type};
use unravel_term::Term;

use super::Executor;
use super::access::Demand;
use crate::graph::{
    FindingKind, Lifetime, Lock, LockId, LockUse, MayAccess, Refusal, StepId, Wait, WaitOn,
};
use crate::object::ObjectId;
use crate::points_to::Target;
use crate::state::{Open, State};
use crate::value::{UNDEFINED, Value};

/// Kinds of mutexes at known places, and of mutex attributes.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    mutexes: BTreeMap<(ObjectId, u64), MutexKind>,
    attributes: BTreeMap<(ObjectId, u64), MutexKind>,
    /// A mutex was used whose place is not known.
    used_unknown: bool,
}

/// A lock operation about to be executed.
struct Operation {
    step: StepId,
    address: Value,
    kind: MutexKind,
    /// Whether the thread holds the lock.
    mine: Term,
}

type Args<'a> = &'a [(Type, Operand)];

impl Executor<'_> {
    /// Whether the operation counts as an instruction here.
    pub fn sync(
        &mut self,
        state: &mut State,
        op: SyncOp,
        name: &'static str,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        let code = match op {
            SyncOp::MutexInit | SyncOp::MutexInitC11 | SyncOp::SpinInit => {
                self.lifetime(state, op, args, false)
            }
            SyncOp::MutexDestroy | SyncOp::SpinDestroy => self.lifetime(state, op, args, true),
            SyncOp::MutexLock | SyncOp::SpinLock => self.lock(state, op, args),
            SyncOp::MutexTryLock | SyncOp::SpinTryLock => {
                self.try_lock(state, op, args, codes::EBUSY)
            }
            SyncOp::MutexTimedLock => self.try_lock(state, op, args, codes::ETIMEDOUT),
            SyncOp::MutexUnlock | SyncOp::SpinUnlock => self.unlock(state, op, args),
            SyncOp::MutexAttrInit | SyncOp::MutexAttrSetType => self.attribute(state, op, args),
            _ => {
                let guard = state.guard;
                self.find(guard, FindingKind::Primitive(name), state);
                state.guard = self.graph.terms.falsity();
                return true;
            }
        };
        if let Some(code) = code {
            self.report_code(state, convention, code, result);
        }
        true
    }

    fn address(&mut self, state: &State, args: Args<'_>) -> (Operand, Value) {
        let operand = args.first().map_or(Operand::Undef, |&(_, operand)| operand);
        let width = self.pointer_bits();
        (operand, self.operand(state, operand, width))
    }

    /// Checks the address and finds out what the thread knows of the lock.
    fn lock_operation(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Operation {
        let (operand, address) = self.address(state, args);
        let step = self.step(state);
        self.together = Some(step);
        let small = matches!(op.class(), Class::Spin);
        let demand = Demand { bytes: if small { 4 } else { 8 }, writes: false, whole_block: false };
        self.resolve(state, operand, address, demand);
        self.together = None;
        let kind = self.kind(state, op, operand, address);
        self.use_lock(state, op, operand, address, step);
        let mine = self.is_mine(state, address);
        Operation { step, address, kind, mine }
    }

    fn use_lock(
        &mut self,
        state: &State,
        op: SyncOp,
        operand: Operand,
        address: Value,
        step: StepId,
    ) {
        let leaves = self.leaves(address.provenance);
        let anywhere_in = if leaves.unknown {
            self.points.places(self.function_id(), operand).into_iter().collect()
        } else {
            Vec::new()
        };
        let may =
            Rc::new(MayAccess { objects: leaves.objects.iter().copied().collect(), anywhere_in });
        let static_initializer = op.class().has_static_initializer();
        let written = self.known_place(address).is_some_and(|(id, offset)| {
            let (terms, objects) = self.parts();
            state.memory.is_written(id, offset, 8) && {
                let bytes = state.memory.read(terms, objects, id, offset, 8);
                terms.as_const(bytes.provenance) == Some(0)
            }
        });
        let guard = state.guard;
        self.graph.lock_uses.push(LockUse {
            step,
            guard,
            address,
            may,
            static_initializer,
            written,
        });
    }

    fn is_mine(&mut self, state: &State, address: Value) -> Term {
        let mut mine = self.terms().falsity();
        for open in &state.open {
            let terms = self.terms();
            let same = terms.eq(open.address.bits, address.bits);
            let here = terms.and(open.held, same);
            mine = terms.or(mine, here);
        }
        mine
    }

    fn known_place(&mut self, address: Value) -> Option<(ObjectId, u64)> {
        let provenance = self.terms().as_const(address.provenance)?;
        let bits = u64::try_from(self.terms().as_const(address.bits)?).ok()?;
        let id = ObjectId::of_provenance(provenance)?;
        Some((id, bits.wrapping_sub(self.graph.objects.get(id).base)))
    }

    /// The kind of the mutex at an address: as initialized before, or as its static initializer
    /// says.
    fn kind(&mut self, state: &mut State, op: SyncOp, lock: Operand, address: Value) -> MutexKind {
        if op.class() != Class::Mutex {
            return MutexKind::Normal;
        }
        let Some(place) = self.known_place(address) else {
            self.kinds.used_unknown = true;
            let special = self.kinds.mutexes.values().any(|&kind| kind != MutexKind::Normal);
            if special || self.may_be_special(lock) {
                self.unsupported(state, "a mutex whose kind is not known");
            }
            return MutexKind::Normal;
        };
        if let Some(&kind) = self.kinds.mutexes.get(&place) {
            return kind;
        }
        let Some(kind) = self.static_kind(state, place) else {
            self.unsupported(state, "a mutex whose kind is not known");
            return MutexKind::Normal;
        };
        self.kinds.mutexes.insert(place, kind);
        kind
    }

    /// The kind that the bytes of a mutex say, if they are known.
    fn static_kind(&mut self, state: &State, (id, offset): (ObjectId, u64)) -> Option<MutexKind> {
        let at = offset + codes::mutex_kind_offset(self.program.target);
        let object = self.graph.objects.get(id);
        if at >= object.size {
            return Some(MutexKind::Normal);
        }
        let (terms, objects) = self.parts();
        let byte = state.memory.read(terms, objects, id, at, 1);
        match terms.as_const(byte.bits) {
            Some(number) => Some(mutex_kind(number)),
            // Never written: to be reported as such, or initialized by a call that is yet to be
            // seen; any other kind than the normal one would be noticed then.
            None if terms.as_const(byte.provenance) == Some(UNDEFINED) => Some(MutexKind::Normal),
            None => None,
        }
    }

    /// Whether a static initializer of another kind lies where a lock may be.
    fn may_be_special(&self, lock: Operand) -> bool {
        let kind_at = codes::mutex_kind_offset(self.program.target);
        let places = self.points.places(self.function_id(), lock);
        places.into_iter().any(|(target, stride)| {
            let Target::Global(id) = target else { return false };
            let bytes = self.program.global(id).bytes.iter().flatten();
            (0u64..).zip(bytes).any(|(at, &byte)| {
                let start = at.checked_sub(kind_at);
                mutex_kind(u128::from(byte)) != MutexKind::Normal
                    && start.is_some_and(|start| stride.contains(start))
            })
        })
    }

    fn number_code(&mut self, code: i32) -> Term {
        self.terms().constant(32, i128::from(code).cast_unsigned())
    }

    fn lock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        if state.atomic.is_some() {
            self.unsupported(state, "an operation that may wait inside an atomic section");
            return None;
        }
        let it = self.lock_operation(state, op, args);
        match it.kind {
            MutexKind::Normal => {
                self.relock(state, &it);
                self.acquire(state, &it);
                Some(self.number_code(0))
            }
            MutexKind::Recursive => {
                self.count(state, &it, true);
                self.acquire(state, &it);
                Some(self.number_code(0))
            }
            MutexKind::ErrorCheck => {
                self.acquire(state, &it);
                let (error, fine) = (self.number_code(codes::EDEADLK), self.number_code(0));
                Some(self.terms().ite(it.mine, error, fine))
            }
        }
    }

    /// A non-recursive lock that the thread holds already: misuse, or it waits for itself.
    fn relock(&mut self, state: &mut State, it: &Operation) {
        let guard = self.terms().and(state.guard, it.mine);
        if self.terms().is_false(guard) {
            return;
        }
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, it.mine, "relock");
        }
        self.wait(guard, WaitOn::Itself);
        let not = self.terms().not(it.mine);
        state.require(&mut self.graph.terms, not);
    }

    pub fn wait(&mut self, guard: Term, on: WaitOn) {
        let (position, site) = (self.current.position, self.site());
        let thread = &mut self.graph.threads[self.current.id.0 as usize];
        thread.waits.push(Wait { guard, on, position, site });
    }

    /// Begins a section, where the thread does not hold the lock, or waits for ever.
    fn acquire(&mut self, state: &mut State, it: &Operation) {
        let terms = &mut self.graph.terms;
        let go = terms.var(1);
        let not_mine = terms.not(it.mine);
        let asks = terms.and(state.guard, not_mine);
        let stops = terms.not(go);
        let stopped = terms.and(asks, stops);
        let taken = terms.and(asks, go);
        let on = terms.or(it.mine, go);
        state.require(terms, on);
        self.wait(stopped, WaitOn::Lock(it.address));
        self.begin_section(state, it, taken, go);
    }

    fn begin_section(&mut self, state: &mut State, it: &Operation, guard: Term, held: Term) {
        if self.graph.terms.is_false(guard) {
            return;
        }
        let lock = LockId(u32::try_from(self.graph.locks.len()).unwrap_or(u32::MAX));
        let (step, address) = (it.step, it.address);
        self.graph.locks.push(Lock { step, guard, address, unlocks: Vec::new() });
        let terms = &mut self.graph.terms;
        let not_mine = terms.not(it.mine);
        let held = terms.and(held, not_mine);
        let again = terms.constant(32, 0);
        state.open.push(Open { lock, address, held, again });
    }

    /// A recursive mutex that the thread holds is locked once more or less.
    fn count(&mut self, state: &mut State, it: &Operation, up: bool) {
        for open in &mut state.open {
            let terms = &mut self.graph.terms;
            let same = terms.eq(open.address.bits, it.address.bits);
            let here = terms.and(open.held, same);
            let one = terms.constant(32, 1);
            let next = if up { terms.add(open.again, one) } else { terms.sub(open.again, one) };
            open.again = terms.ite(here, next, open.again);
        }
    }

    fn try_lock(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
        refused: i32,
    ) -> Option<Term> {
        if state.atomic.is_some() {
            self.unsupported(state, "a lock inside an atomic section");
            return None;
        }
        let it = self.lock_operation(state, op, args);
        let won = self.terms().var(1);
        let terms = &mut self.graph.terms;
        let (lost, not_mine) = (terms.not(won), terms.not(it.mine));
        let taken = terms.and_all(&[state.guard, not_mine, won]);
        let fails = terms.and_all(&[state.guard, not_mine, lost]);
        if !terms.is_false(fails) {
            let (step, address) = (it.step, it.address);
            self.graph.refusals.push(Refusal { step, guard: fails, address });
        }
        let recursive = it.kind == MutexKind::Recursive;
        if recursive {
            self.count(state, &it, true);
        }
        self.begin_section(state, &it, taken, won);
        let deadlock = it.kind == MutexKind::ErrorCheck && refused == codes::ETIMEDOUT;
        let own = if deadlock { codes::EDEADLK } else { refused };
        let own = self.number_code(if recursive { 0 } else { own });
        let (refused, fine) = (self.number_code(refused), self.number_code(0));
        let other = self.terms().ite(won, fine, refused);
        Some(self.terms().ite(it.mine, own, other))
    }

    fn unlock(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let it = self.lock_operation(state, op, args);
        let mut code = self.number_code(0);
        if it.kind == MutexKind::Normal {
            self.unlock_not_held(state, &it);
        } else {
            let error = self.number_code(codes::EPERM);
            code = self.terms().ite(it.mine, code, error);
        }
        for index in 0..state.open.len() {
            let open = state.open[index];
            let terms = &mut self.graph.terms;
            let same = terms.eq(open.address.bits, it.address.bits);
            let zero = terms.constant(32, 0);
            let last = terms.eq(open.again, zero);
            let here = terms.and_all(&[open.held, same, last]);
            let guard = terms.and(state.guard, here);
            let not = terms.not(here);
            state.open[index].held = terms.and(open.held, not);
            let one = terms.constant(32, 1);
            let less = terms.sub(open.again, one);
            let nested = terms.not(last);
            let nested = terms.and_all(&[open.held, same, nested]);
            state.open[index].again = terms.ite(nested, less, open.again);
            if !self.graph.terms.is_false(guard) {
                let lock = &mut self.graph.locks[open.lock.0 as usize];
                lock.unlocks.push((it.step, guard));
            }
        }
        let terms = &self.graph.terms;
        state.open.retain(|open| !terms.is_false(open.held));
        Some(code)
    }

    fn unlock_not_held(&mut self, state: &mut State, it: &Operation) {
        let wrong = self.terms().not(it.mine);
        let guard = self.terms().and(state.guard, wrong);
        if self.terms().is_false(guard) {
            return;
        }
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, wrong, "unlock");
        }
        // It may release another's lock, which would break what sections promise.
        let what = "unlock of a lock that the thread does not hold";
        self.find(guard, FindingKind::Unsupported(what.to_owned()), state);
        state.require(&mut self.graph.terms, it.mine);
    }

    fn lifetime(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
        ends: bool,
    ) -> Option<Term> {
        let (operand, address) = self.address(state, args);
        let step = self.step(state);
        self.together = Some(step);
        let demand = Demand { bytes: 4, writes: !ends, whole_block: false };
        self.resolve(state, operand, address, demand);
        self.together = None;
        if ends {
            self.use_lock(state, op, operand, address, step);
        } else {
            self.initialize(state, op, address, args);
        }
        let mine = self.is_mine(state, address);
        let in_use = self.terms().var(1);
        let wrong = self.terms().or(mine, in_use);
        let guard = self.terms().and(state.guard, wrong);
        if self.config.properties.has(Property::Misuse) {
            self.violation(state, Property::Misuse, wrong, "in use");
        } else {
            let what = "initialization or destruction of a lock that is in use";
            self.find(guard, FindingKind::Unsupported(what.to_owned()), state);
            let fine = self.terms().not(wrong);
            state.require(&mut self.graph.terms, fine);
        }
        let done = state.guard;
        let guard = self.terms().or(guard, done);
        self.graph.lifetimes.push(Lifetime { step, guard, done, address, ends, in_use });
        Some(self.number_code(0))
    }

    fn initialize(&mut self, state: &mut State, op: SyncOp, address: Value, args: Args<'_>) {
        let kind = match op {
            SyncOp::MutexInit => self.attribute_kind(state, args),
            SyncOp::MutexInitC11 => {
                let flags = args.get(1).map_or(Operand::Int(0), |&(_, operand)| operand);
                let flags = self.number(state, flags, 32);
                self.terms().as_const(flags).map(|flags| {
                    let recursive = flags & u128::from(codes::C11_RECURSIVE) != 0;
                    if recursive { MutexKind::Recursive } else { MutexKind::Normal }
                })
            }
            _ => Some(MutexKind::Normal),
        };
        let Some(kind) = kind else {
            return self.unsupported(state, "a mutex whose kind is not known");
        };
        let special = kind != MutexKind::Normal;
        if special && self.kinds.used_unknown {
            return self.unsupported(state, "a mutex whose kind is not known");
        }
        let Some(place) = self.known_place(address) else {
            if special {
                self.unsupported(state, "a mutex whose kind is not known");
            }
            return;
        };
        let before = self.kinds.mutexes.get(&place).copied();
        let known = before.or_else(|| self.static_kind(state, place));
        let changes = known != Some(kind) && (before.is_some() || !self.is_sole());
        if changes {
            return self.unsupported(state, "a mutex whose kind depends on the path");
        }
        self.kinds.mutexes.insert(place, kind);
    }

    fn attribute_kind(&mut self, state: &mut State, args: Args<'_>) -> Option<MutexKind> {
        let operand = args.get(1).map_or(Operand::Int(0), |&(_, operand)| operand);
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        if self.terms().as_const(pointer.bits) == Some(0) {
            return Some(MutexKind::Normal);
        }
        let place = self.known_place(pointer)?;
        Some(self.kinds.attributes.get(&place).copied().unwrap_or(MutexKind::Normal))
    }

    fn attribute(&mut self, state: &mut State, op: SyncOp, args: Args<'_>) -> Option<Term> {
        let (_, address) = self.address(state, args);
        let Some(place) = self.known_place(address) else {
            self.unsupported(state, "a mutex attribute whose place is not known");
            return None;
        };
        let kind = if op == SyncOp::MutexAttrSetType {
            let operand = args.get(1).map_or(Operand::Int(0), |&(_, operand)| operand);
            let number = self.number(state, operand, 32);
            self.terms().as_const(number).map(mutex_kind)
        } else {
            Some(MutexKind::Normal)
        };
        let Some(kind) = kind else {
            self.unsupported(state, "a mutex attribute whose kind is not known");
            return None;
        };
        let before = self.kinds.attributes.get(&place).copied().unwrap_or(MutexKind::Normal);
        if kind != before && !self.is_sole() {
            self.unsupported(state, "a mutex attribute that is set on some paths only");
            return None;
        }
        self.kinds.attributes.insert(place, kind);
        Some(self.number_code(0))
    }
}

fn mutex_kind(number: u128) -> MutexKind {
    match u32::try_from(number).unwrap_or(0) {
        codes::MUTEX_RECURSIVE => MutexKind::Recursive,
        codes::MUTEX_ERRORCHECK => MutexKind::ErrorCheck,
        _ => MutexKind::Normal,
    }
}
