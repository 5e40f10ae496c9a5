//! Synchronization objects.
//!
//! `unravel_program::library::sync` says what each operation is and what it does in which state.
//! The interpreter executes that. Here the same rows and cases are read as far as they are about
//! one thread: error codes, misuse, what an owner may do again, what may wait, which argument is
//! which. What threads do to each other is encoded in other ways; the table in [`mod@encoder`] says how, and why.

mod barrier;
mod cond;
mod encoder;
mod kinds;
mod lifetime;
mod locks;
mod once;
mod sem;
mod state;
mod time;

use std::rc::Rc;
use unravel_kinds::Unmodelled;

use encoder::encoder;
pub(crate) use kinds::Kinds;
use unravel_interp::Property;
use unravel_program::library::Convention;
use unravel_program::library::sync::{Class, Cond, SyncOp};
use unravel_program::{Operand, Reg, Type};
use unravel_term::Term;

use super::access::Demand;
use super::{Executor, access};
use crate::graph::{FindingKind, LockUse, MayAccess, StepId, Wait, WaitOn};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::Value;

type Args<'a> = &'a [(Type, Operand)];

/// A synchronization object about to be used.
struct Object {
    step: StepId,
    operand: Operand,
    address: Value,
    /// Where it may lie.
    may: Rc<MayAccess>,
}

/// An operation that the symbolic engine does not execute inside an atomic section.
fn in_section(op: SyncOp) -> Unmodelled {
    if op.may_block() {
        Unmodelled::MayWaitInAtomicSection
    } else {
        Unmodelled::LockInAtomicSection
    }
}

impl Executor<'_> {
    /// Executes an operation. Whether it counts as an instruction here.
    pub fn sync(
        &mut self,
        state: &mut State,
        op: SyncOp,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        if state.atomic.is_some() && (op.may_block() || op.deed().takes_lock()) {
            self.unsupported(state, in_section(op));
            return true;
        }
        if op.class() == Class::Once {
            return self.once(state, op, convention, args, result);
        }
        let Some(encode) = encoder(op) else {
            self.unsupported(state, Unmodelled::SymbolicFunction(format!("{op:?}")));
            return true;
        };
        let code = match op.is_timed() {
            true => self.timed(state, op, args, encode),
            false => encode(self, state, op, args),
        };
        if let Some(code) = code {
            self.report_code(state, convention, code, result);
        }
        true
    }

    /// The error code that the operation returns where these of its conditions hold.
    fn code_in(&mut self, op: SyncOp, holding: &[Cond]) -> Term {
        self.number_code(op.code_in(holding).unwrap_or(0))
    }

    /// The operand of the argument that the operation reads besides the object.
    fn operand_of(&self, op: SyncOp, args: Args<'_>) -> Option<Operand> {
        args.get(op.argument().position()).map(|&(_, operand)| operand)
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
        let bytes = class.size(self.pointer_bytes());
        let demand = Demand { bytes, writes: false, whole_block: false };
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

    /// Refuses with a code where a condition holds, and does something else where it does not.
    fn refuse_or(
        &mut self,
        state: &mut State,
        refuses: Term,
        code: i32,
        otherwise: impl FnOnce(&mut Self, &mut State) -> Option<Term>,
    ) -> Option<Term> {
        if self.graph.terms.is_false(refuses) {
            return otherwise(self, state);
        }
        let code = self.number_code(code);
        let mut refused = state.clone();
        refused.require(&mut self.graph.terms, refuses);
        let goes = self.terms().not(refuses);
        state.require(&mut self.graph.terms, goes);
        let mut other = code;
        if !self.graph.terms.is_false(state.guard) {
            other = otherwise(self, state).unwrap_or(code);
        }
        let mut merged = None;
        let done = std::mem::replace(state, self.dead());
        self.join_paths(&mut merged, done);
        self.join_paths(&mut merged, refused);
        *state = merged.unwrap_or_else(|| self.dead());
        (!self.graph.terms.is_false(state.guard)).then(|| self.terms().ite(refuses, code, other))
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

    /// A misuse where a condition holds. If misuses are not checked, what it would do to other
    /// threads is not modelled, and the path ends there.
    fn misuse_ends(&mut self, state: &mut State, wrong: Term, what: Unmodelled) {
        if self.config.properties.has(Property::Misuse) {
            return self.violation(state, Property::Misuse, wrong);
        }
        let guard = self.terms().and(state.guard, wrong);
        if self.terms().is_false(guard) {
            return;
        }
        self.find(guard, FindingKind::Unsupported(what), state);
        let fine = self.terms().not(wrong);
        state.require(&mut self.graph.terms, fine);
    }

    /// A use of an object whose state says that it does not exist is a misuse. Gives the condition
    /// under which the operation did not refuse for that.
    fn require_live(&mut self, state: &mut State, live: Term) -> Term {
        let unknown = self.terms().not(live);
        self.misuse(state, unknown)
    }

    /// A code, or that of an object that does not exist where the operation refused for that.
    fn unless_refused(&mut self, op: SyncOp, known: Term, code: Term) -> Term {
        let refused = self.code_in(op, &[Cond::Uninitialized]);
        self.terms().ite(known, code, refused)
    }
}
