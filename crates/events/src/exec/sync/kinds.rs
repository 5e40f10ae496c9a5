//! Kinds of locks: normal, recursive, error-checking; reader-writer locks that prefer writers.
//!
//! What a lock does depends on the kind, so it must be known here: from the static initializer, or
//! from an initialization that every path passes. Anything else is unsupported, with its place.

use std::collections::BTreeMap;
use unravel_kinds::Unmodelled;

use unravel_program::library::sync::{Argument, Class, MutexKind, SyncOp};
use unravel_program::library::{attributes, codes};
use unravel_program::{Operand, Reg};
use unravel_term::Term;

use super::{Args, Executor, Object};
use crate::graph::StepId;
use crate::object::ObjectId;
use crate::points_to::Target;
use crate::state::State;
use crate::value::{UNDEFINED, Value};

/// Kinds of locks at known places.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    mutexes: BTreeMap<(ObjectId, u64), MutexKind>,
    /// A mutex was used whose place is not known.
    used_unknown: bool,
}

impl Executor<'_> {
    /// The kind of the mutex at an address: as initialized before, or as its static initializer
    /// says.
    pub(super) fn kind(
        &mut self,
        state: &mut State,
        class: Class,
        lock: Operand,
        address: Value,
    ) -> MutexKind {
        let Some(kind_at) = self.kind_offset(class) else { return MutexKind::Normal };
        let Some(place) = self.known_place(address) else {
            self.kinds.used_unknown = true;
            let special = self.kinds.mutexes.values().any(|&kind| kind != MutexKind::Normal);
            if special || self.may_be_special(lock, class, kind_at) {
                self.unsupported(state, Unmodelled::UnknownMutexKind);
            }
            return MutexKind::Normal;
        };
        let known = self.kinds.mutexes.get(&place).copied();
        let Some(kind) = known.or_else(|| self.static_kind(state, class, place)) else {
            self.unsupported(state, Unmodelled::UnknownMutexKind);
            return MutexKind::Normal;
        };
        self.kinds.mutexes.insert(place, kind);
        if kind == MutexKind::PrefersWriters {
            self.unsupported(state, Unmodelled::PrefersWriters);
        }
        kind
    }

    /// Where the kind of such a lock lies in it, if it has kinds.
    fn kind_offset(&self, class: Class) -> Option<u64> {
        match class {
            Class::Mutex => Some(codes::mutex_kind_offset(self.program.target.pointer_bytes)),
            Class::Rw => Some(codes::rwlock_kind_offset(self.program.target.pointer_bytes)),
            _ => None,
        }
    }

    /// The kind that the bytes of a lock say, if they are known.
    fn static_kind(
        &mut self,
        state: &State,
        class: Class,
        (id, offset): (ObjectId, u64),
    ) -> Option<MutexKind> {
        let at = offset + self.kind_offset(class)?;
        let object = self.graph.objects.get(id);
        if at >= object.size {
            return Some(MutexKind::Normal);
        }
        let (terms, objects) = self.parts();
        let byte = state.memory.read(terms, objects, id, at, 1);
        match terms.as_const(byte.bits) {
            Some(number) => Some(kind_of(class, number)),
            // Never written: to be reported as such, or initialized by a call that is yet to be
            // seen; any other kind than the normal one would be noticed then.
            None if terms.as_const(byte.provenance) == Some(UNDEFINED) => Some(MutexKind::Normal),
            None => None,
        }
    }

    /// Whether a static initializer of another kind lies where a lock may be.
    fn may_be_special(&self, lock: Operand, class: Class, kind_at: u64) -> bool {
        let places = self.points.places(self.function_id(), lock);
        places.into_iter().any(|(target, stride)| {
            let Target::Global(id) = target else { return false };
            let bytes = self.program.global(id).bytes.iter().flatten();
            (0u64..).zip(bytes).any(|(at, &byte)| {
                let start = at.checked_sub(kind_at);
                MutexKind::of(class, u32::from(byte)) != MutexKind::Normal
                    && start.is_some_and(|start| stride.contains(start))
            })
        })
    }

    pub(super) fn initialize(
        &mut self,
        state: &mut State,
        op: SyncOp,
        object: &Object,
        args: Args<'_>,
    ) {
        let address = object.address;
        let kind = self.kind_argument(state, op, object.step, args);
        let Some(kind) = kind else {
            return self.unsupported(state, Unmodelled::UnknownMutexKind);
        };
        let special = kind != MutexKind::Normal;
        if special && self.kinds.used_unknown {
            return self.unsupported(state, Unmodelled::UnknownMutexKind);
        }
        let Some(place) = self.known_place(address) else {
            if special {
                self.unsupported(state, Unmodelled::UnknownMutexKind);
            }
            return;
        };
        let before = self.kinds.mutexes.get(&place).copied();
        let known = before.or_else(|| self.static_kind(state, op.class(), place));
        let changes = known != Some(kind) && (before.is_some() || !self.is_sole());
        if changes {
            return self.unsupported(state, Unmodelled::MutexKindByPath);
        }
        self.kinds.mutexes.insert(place, kind);
    }

    /// The kind of lock that an operation's argument says, if it is known.
    fn kind_argument(
        &mut self,
        state: &mut State,
        op: SyncOp,
        step: StepId,
        args: Args<'_>,
    ) -> Option<MutexKind> {
        if op.argument() == Argument::KindFlags {
            let operand = self.operand_of(op, args).unwrap_or(Operand::Int(0));
            let number = self.number(state, operand, 32);
            let number = self.terms().as_const(number)?;
            return Some(MutexKind::of_flags(number as u32));
        }
        let number = self.attribute(state, op, step, args);
        // Where there is a kind to be set, it has to be known.
        match self.kind_offset(op.class()) {
            Some(_) => self.terms().as_const(number).map(|number| kind_of(op.class(), number)),
            None => Some(MutexKind::Normal),
        }
    }

    /// The setting in the attribute object that an initialization is given, in its step.
    pub(super) fn attribute(
        &mut self,
        state: &mut State,
        op: SyncOp,
        step: StepId,
        args: Args<'_>,
    ) -> Term {
        match (op.attribute(), args.get(1)) {
            (Some(tag), Some(&(_, operand))) => self.setting(state, operand, tag, step),
            _ => self.terms().constant(8, 0),
        }
    }

    /// The setting in an attribute object; 0 where there is none.
    fn setting(&mut self, state: &mut State, operand: Operand, tag: u8, step: StepId) -> Term {
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        let zero = self.terms().constant(width, 0);
        let default = self.terms().constant(8, 0);
        let none = self.terms().eq(pointer.bits, zero);
        if self.graph.terms.is_true(none) {
            return default;
        }
        if self.graph.terms.is_false(none) {
            return self.read_setting(state, operand, pointer, tag, step);
        }
        let mut given = default;
        let mut with = state.clone();
        let some = self.terms().not(none);
        with.require(&mut self.graph.terms, some);
        if !self.graph.terms.is_false(with.guard) {
            given = self.read_setting(&mut with, operand, pointer, tag, step);
        }
        // What was wrong with the object ends those paths that were given one.
        let fine = self.terms().or(none, with.guard);
        state.require(&mut self.graph.terms, fine);
        self.terms().ite(none, default, given)
    }

    fn read_setting(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        tag: u8,
        step: StepId,
    ) -> Term {
        let outer = self.together.replace(step);
        let (known, setting) = self.known_setting(state, operand, pointer, tag);
        self.together = outer;
        let default = self.terms().constant(8, 0);
        self.terms().ite(known, setting, default)
    }

    /// Reads an attribute object: whether it can be used, which is a misuse otherwise, and its setting.
    fn known_setting(
        &mut self,
        state: &mut State,
        operand: Operand,
        pointer: Value,
        tag: u8,
    ) -> (Term, Term) {
        let word = self.load(state, operand, pointer, attributes::BYTES);
        let at = |byte: u64| u16::try_from(8 * byte).unwrap_or(0);
        let terms = self.terms();
        let wanted = terms.constant(8, u128::from(tag));
        let found = terms.extract(word.bits, at(attributes::TAG_AT), 8);
        let setting = terms.extract(word.bits, at(attributes::SETTING_AT), 8);
        let never = terms.as_const(word.provenance) == Some(UNDEFINED);
        let right = if never { terms.falsity() } else { terms.eq(found, wanted) };
        let wrong = terms.not(right);
        (self.misuse(state, wrong), setting)
    }

    /// Whether an attribute object is none that a model (`threads.c`) can use, which is a misuse.
    pub fn attribute_refuses(&mut self, state: &mut State, args: Args<'_>, result: Option<Reg>) {
        let (operand, pointer) = self.argument(state, args, 0);
        let tag = args.get(1).map_or(Operand::Int(0), |&(_, tag)| tag);
        let tag = self.number(state, tag, 32);
        let tag = self.terms().as_const(tag).and_then(|tag| u8::try_from(tag).ok()).unwrap_or(0);
        let (known, _) = self.known_setting(state, operand, pointer, tag);
        let refuses = self.terms().not(known);
        self.answer(state, result, refuses);
    }

    /// Whether a thread created with an attribute object is detached.
    pub fn is_detached(&mut self, state: &mut State, attribute: Operand, step: StepId) -> bool {
        let setting = self.setting(state, attribute, attributes::THREAD, step);
        let detached = u128::from(codes::CREATE_DETACHED);
        match self.terms().as_const(setting) {
            Some(number) => number == detached,
            None if self.graph.terms.is_false(state.guard) => false,
            None => {
                self.unsupported(state, Unmodelled::ThreadAttribute);
                false
            }
        }
    }
}

fn kind_of(class: Class, number: u128) -> MutexKind {
    MutexKind::of(class, u32::try_from(number).unwrap_or(0))
}
