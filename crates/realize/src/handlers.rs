//! The kinds of change, one file each.
//!
//! A handler finds the changes of its kind that meet a requirement of a plan, or remove a cause of a
//! diagnosis, and describes them. [`HANDLERS`] is the only list of them. Each file begins with when the
//! kind applies, what it writes, what it costs and when it is refused; its tests are in it.

mod atomic;
mod join;
mod lock_order;
mod move_statement;
mod mutex;
mod predicate_loop;
mod signal_wait;
mod widen;

use unravel_diagnose::{Cause, Diagnosis};
use unravel_kinds::RepairKind;
use unravel_kinds::repair::Because;
use unravel_repair::{SourceOrder, Stretch};

use crate::{Attempt, Context, GuardedCode};

/// All handlers. Attempts for one requirement or one cause are made in this order; which of the
/// repairs that help is the best is decided later.
pub static HANDLERS: [&dyn Handler; 8] = [
    &lock_order::LockOrderHandler,
    &move_statement::MoveHandler,
    &join::JoinHandler,
    &signal_wait::SignalWaitHandler,
    &widen::WidenHandler,
    &mutex::MutexHandler,
    &predicate_loop::PredicateLoopHandler,
    &atomic::AtomicHandler,
];

/// The handler of a kind.
#[must_use]
pub fn of(kind: RepairKind) -> Option<&'static dyn Handler> {
    HANDLERS.iter().copied().find(|it| it.kind() == kind)
}

/// What ranks repairs of one kind among those of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// A repair of this kind that has no plan enforces one order. A repair that leaves the order to
    /// the run is preferred.
    pub decides_order: bool,
    /// It uses locks that the program has; that is preferred to a new one (DESIGN §5).
    pub reuses_locks: bool,
    /// It guards code with a lock. Where such a repair must guard more, it may need another lock.
    pub guards: bool,
}

/// One kind of change. A handler implements the questions that its kind has an answer to.
pub trait Handler: Sync {
    /// The kind.
    fn kind(&self) -> RepairKind;

    /// What ranks its repairs.
    fn rank(&self) -> Rank;

    /// Why a repair of this kind helps; `has_plan`: it carries out a plan.
    fn because(&self, has_plan: bool) -> Because {
        if has_plan { Because::Required } else { Because::OrdersExcluded }
    }

    /// Changes without a lock after which no two threads are in these stretches at the same time.
    fn exclusive(&self, _context: &Context<'_>, _stretches: &[Stretch]) -> Vec<Attempt> {
        Vec::new()
    }

    /// A change that is this code under a lock.
    fn guard(&self, _code: &GuardedCode) -> Option<Attempt> {
        None
    }

    /// Changes after which one place comes before another. New objects have `ordinal` in their names.
    fn before(&self, _context: &Context<'_>, _order: &SourceOrder, _ordinal: &str) -> Vec<Attempt> {
        Vec::new()
    }

    /// Changes that remove a cause.
    fn for_cause(
        &self,
        _context: &Context<'_>,
        _diagnosis: &Diagnosis,
        _cause: &Cause,
    ) -> Vec<Attempt> {
        Vec::new()
    }

    /// Changes that a diagnosis as a whole suggests.
    fn for_diagnosis(&self, _context: &Context<'_>, _diagnosis: &Diagnosis) -> Vec<Attempt> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_handler() {
        for kind in RepairKind::ALL {
            assert_eq!(HANDLERS.iter().filter(|it| it.kind() == kind).count(), 1, "{kind:?}");
        }
    }
}
