//! Kinds of mutexes: normal, recursive, error-checking.
//!
//! What a lock does depends on the kind, so it must be known here: from the static initializer, or
//! from an initialization that every path passes. Anything else is unsupported, with its place.

use std::collections::BTreeMap;
use unravel_kinds::Unmodelled;

use unravel_program::Operand;
use unravel_program::library::codes;
use unravel_program::library::sync::{Argument, Class, MutexKind, SyncOp};
use unravel_term::Term;

use super::{Args, Executor};
use crate::object::ObjectId;
use crate::points_to::Target;
use crate::state::State;
use crate::value::{UNDEFINED, Value};

/// Kinds of mutexes at known places, and of mutex attributes.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    mutexes: BTreeMap<(ObjectId, u64), MutexKind>,
    attributes: BTreeMap<(ObjectId, u64), MutexKind>,
    /// Thread attributes that make a thread detached.
    detached: BTreeMap<(ObjectId, u64), bool>,
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
        if class != Class::Mutex {
            return MutexKind::Normal;
        }
        let Some(place) = self.known_place(address) else {
            self.kinds.used_unknown = true;
            let special = self.kinds.mutexes.values().any(|&kind| kind != MutexKind::Normal);
            if special || self.may_be_special(lock) {
                self.unsupported(state, Unmodelled::UnknownMutexKind);
            }
            return MutexKind::Normal;
        };
        if let Some(&kind) = self.kinds.mutexes.get(&place) {
            return kind;
        }
        let Some(kind) = self.static_kind(state, place) else {
            self.unsupported(state, Unmodelled::UnknownMutexKind);
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
            Some(number) => Some(kind_of(number)),
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
                MutexKind::of_number(u32::from(byte)) != MutexKind::Normal
                    && start.is_some_and(|start| stride.contains(start))
            })
        })
    }

    pub(super) fn initialize(
        &mut self,
        state: &mut State,
        op: SyncOp,
        address: Value,
        args: Args<'_>,
    ) {
        let kind = self.kind_argument(state, op, args);
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
        let known = before.or_else(|| self.static_kind(state, place));
        let changes = known != Some(kind) && (before.is_some() || !self.is_sole());
        if changes {
            return self.unsupported(state, Unmodelled::MutexKindByPath);
        }
        self.kinds.mutexes.insert(place, kind);
    }

    /// The kind of mutex that an operation's argument says, if it is known.
    fn kind_argument(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<MutexKind> {
        let operand = self.operand_of(op, args).unwrap_or(Operand::Int(0));
        match op.argument() {
            Argument::KindAttribute => self.attribute_kind(state, operand),
            Argument::KindFlags | Argument::KindNumber => {
                let number = self.number(state, operand, 32);
                let number = self.terms().as_const(number)?;
                Some(match op.argument() {
                    Argument::KindFlags => MutexKind::of_flags(number as u32),
                    _ => kind_of(number),
                })
            }
            _ => Some(MutexKind::Normal),
        }
    }

    fn attribute_kind(&mut self, state: &mut State, operand: Operand) -> Option<MutexKind> {
        let width = self.pointer_bits();
        let pointer = self.operand(state, operand, width);
        if self.terms().as_const(pointer.bits) == Some(0) {
            return Some(MutexKind::Normal);
        }
        let place = self.known_place(pointer)?;
        Some(self.kinds.attributes.get(&place).copied().unwrap_or(MutexKind::Normal))
    }

    pub(super) fn attribute(
        &mut self,
        state: &mut State,
        op: SyncOp,
        args: Args<'_>,
    ) -> Option<Term> {
        let (_, address) = self.argument(state, args, 0);
        let Some(place) = self.known_place(address) else {
            self.unsupported(state, Unmodelled::MutexAttributePlace);
            return None;
        };
        let kind = self.kind_argument(state, op, args);
        let Some(kind) = kind else {
            self.unsupported(state, Unmodelled::MutexAttributeKind);
            return None;
        };
        let before = self.kinds.attributes.get(&place).copied().unwrap_or(MutexKind::Normal);
        if kind != before && !self.is_sole() {
            self.unsupported(state, Unmodelled::MutexAttributeByPath);
            return None;
        }
        self.kinds.attributes.insert(place, kind);
        Some(self.number_code(0))
    }

    /// Sets whether threads created with an attribute are detached.
    pub fn set_detached(&mut self, state: &mut State, attribute: Operand, how: Operand) {
        let width = self.pointer_bits();
        let address = self.operand(state, attribute, width);
        let how = self.number(state, how, 32);
        let number = self.terms().as_const(how);
        let (Some(place), Some(number)) = (self.known_place(address), number) else {
            return self.unsupported(state, Unmodelled::ThreadAttribute);
        };
        let detached = number == u128::from(codes::CREATE_DETACHED);
        let before = self.kinds.detached.get(&place).copied().unwrap_or(false);
        if detached != before && !self.is_sole() {
            return self.unsupported(state, Unmodelled::ThreadAttributeByPath);
        }
        self.kinds.detached.insert(place, detached);
    }

    /// Whether a thread created with an attribute is detached.
    pub fn is_detached(&mut self, state: &mut State, attribute: Operand) -> bool {
        let width = self.pointer_bits();
        let address = self.operand(state, attribute, width);
        if self.terms().as_const(address.bits) == Some(0) {
            return false;
        }
        match self.known_place(address) {
            Some(place) => self.kinds.detached.get(&place).copied().unwrap_or(false),
            None => {
                if self.kinds.detached.values().any(|&it| it) {
                    self.unsupported(state, Unmodelled::ThreadAttribute);
                }
                false
            }
        }
    }
}

fn kind_of(number: u128) -> MutexKind {
    MutexKind::of_number(u32::try_from(number).unwrap_or(0))
}
