//! The library model: what the functions that a program calls but does not define do.
//!
//! This is the one place that knows them: the interpreter, the symbolic engine and the reports read
//! it. A function that behaves like one of the table needs one more row there.
//!
//! - [`table`] lists every modelled C function with its [`Action`].
//! - [`sync`] describes the operations on synchronization objects; it is a crate of its own
//!   (`unravel-sync`), since the runtime of recorded programs reads it, too. Each has a row (class of
//!   object, deed, argument) and an ordered list of cases, each with a condition on the object's
//!   state and an outcome: a result, blocking, a misuse.
//! - [`codes`] has the numbers of the platform: error codes, and where glibc keeps a mutex's kind.
//! - [`models`]: functions that touch memory or ask the outside are ordinary code: `models.c` beside
//!   this file, lowered once and kept in the text form of the IR, so that every access is a step
//!   like any other.
//! - What is in neither is not modelled: it may write a variable, take a lock or end the program, so
//!   that nothing is said about what follows its call.
//! - [`attributes`]: what attribute objects hold, for those who are given one.
//!
//! A [`Primitive`] is an index into the table; it prints as the function's C name.

pub mod format;
pub mod models;
mod table;
mod variables;

pub use unravel_sync::{self as sync, attributes, codes};

use sync::SyncOp;
pub use table::{Action, Convention, Math, MemoryFunction, Print, Process, Show, Thread, Verifier};
pub use variables::is_library_variable;

/// A modelled library function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Primitive(u16);

impl Primitive {
    /// The model of the C function `name`, if there is one.
    ///
    /// `__VERIFIER_nondet_T` exists for every `T`: the call's result type says how wide it is.
    #[must_use]
    pub fn named(name: &str) -> Option<Primitive> {
        let name = if name.starts_with("__VERIFIER_nondet_") { "__VERIFIER_nondet_" } else { name };
        let index = table::TABLE.iter().position(|entry| entry.0 == name)?;
        u16::try_from(index).ok().map(Primitive)
    }

    /// All of them.
    pub fn all() -> impl Iterator<Item = Primitive> {
        table::TABLE.iter().filter_map(|entry| Primitive::named(entry.0))
    }

    /// Its C name.
    #[must_use]
    pub fn name(self) -> &'static str {
        table::TABLE[usize::from(self.0)].0
    }

    /// What it does.
    #[must_use]
    pub fn action(self) -> Action {
        table::TABLE[usize::from(self.0)].1
    }

    /// The operation on a synchronization object that it performs, if it does.
    #[must_use]
    pub fn sync_op(self) -> Option<SyncOp> {
        match self.action() {
            Action::Sync(op, _) => Some(op),
            _ => None,
        }
    }

    /// Whether the model stands even where the program defines the function: DESIGN §2 fixes the
    /// meaning of these names "whatever their body".
    #[must_use]
    pub fn overrides_definition(self) -> bool {
        matches!(self.action(), Action::Verifier(_) | Action::Process(Process::ReachError))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::sync::Then;
    use super::*;

    #[test]
    fn every_name_is_listed_once() {
        let names: BTreeSet<_> = table::TABLE.iter().map(|entry| entry.0).collect();
        assert_eq!(names.len(), table::TABLE.len());
    }

    #[test]
    fn a_primitive_has_the_name_it_was_found_by() {
        for entry in table::TABLE {
            assert_eq!(Primitive::named(entry.0).map(Primitive::name), Some(entry.0));
        }
        assert!(Primitive::named("__VERIFIER_nondet_ulonglong").is_some());
        assert!(Primitive::named("no_such_function").is_none());
    }

    /// Operations that some C function performs.
    fn called() -> BTreeSet<SyncOp> {
        Primitive::all().filter_map(Primitive::sync_op).collect()
    }

    /// Operations that are the second half of another.
    fn entered() -> BTreeSet<SyncOp> {
        fn within(then: &Then, entered: &mut BTreeSet<SyncOp>) {
            match then {
                Then::Enter(_, next) | Then::CallThenEnter(_, next) => {
                    entered.insert(*next);
                }
                Then::Choice(ways) => ways.iter().for_each(|way| within(way, entered)),
                Then::Misuse(_, otherwise) => within(otherwise, entered),
                Then::Return(..) | Then::Spurious(..) | Then::Block => {}
            }
        }
        let mut entered = BTreeSet::new();
        let cases = SyncOp::ALL.iter().flat_map(|op| op.cases());
        cases.for_each(|case| within(&case.then, &mut entered));
        entered
    }

    #[test]
    fn every_operation_is_called_or_entered_but_not_both() {
        let (called, entered) = (called(), entered());
        assert_eq!(called.intersection(&entered).count(), 0);
        let known: BTreeSet<SyncOp> = called.union(&entered).copied().collect();
        assert_eq!(known, SyncOp::ALL.iter().copied().collect());
    }
}
