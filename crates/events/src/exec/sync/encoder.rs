//! Which operation is encoded how.
//!
//! The interpreter executes the cases of `unravel_program::library::sync` one after the other. The
//! symbolic engine makes constraints of them, and the comments of the table below say which, and
//! why. Two differences concern all operations:
//!
//! - Use of an object that was never initialized or was destroyed. Only semaphores and barriers have
//!   a state that says whether they exist, so only they are checked here. For the others the answer
//!   depends on the order of steps, and `unravel-encode` asks when all steps are known (`LockUse`,
//!   `Lifetime`).
//! - Misuse when it is not checked. Where it would change what other threads may do, such as an
//!   unlock of another thread's mutex, the path ends as unsupported (`Executor::misuse_ends`). The
//!   interpreter goes on as the case says.

use unravel_program::library::sync::{Class, Deed, SyncOp};
use unravel_term::Term;

use super::{Args, Executor};
use crate::state::State;

/// Executes an operation and gives its error code; `None` if no path goes on.
pub(super) type Encoder<'p> = fn(&mut Executor<'p>, &mut State, SyncOp, Args<'_>) -> Option<Term>;

/// How an operation is encoded; `None` for second halves, which no program calls, and for
/// `pthread_once`, which calls a function and so returns by itself ([`Executor::once`]).
pub(super) fn encoder<'p>(op: SyncOp) -> Option<Encoder<'p>> {
    Some(match (op.class(), op.deed()) {
        // A lock is a critical section: an interval between two steps of one thread. The thread
        // itself knows what it holds, since nobody else can unlock it. Only the order of sections
        // is left to the solver; owner and count, which the interpreter keeps, are not needed. The
        // kind has to be known while events are built, or the program is not supported: if it were a
        // term, every lock would need the events of all kinds.
        (Class::Mutex | Class::Spin | Class::Rw, Deed::Unlock) => Executor::unlock,
        (Class::Mutex | Class::Spin | Class::Rw, deed) if deed.takes_lock() => Executor::lock,
        // Whether a lock is in use when it is initialized or destroyed depends on the order of
        // sections, so it is asked when all of them are known.
        (Class::Mutex | Class::Spin | Class::Rw, Deed::Init | Deed::Destroy) => Executor::lifetime,
        (Class::Cond, Deed::Init) => Executor::lifetime,
        (Class::Cond, Deed::Destroy) => Executor::cond_destroy,
        // A wait ends the section of its mutex and begins another. A wakeup may come without a
        // signal, so signals matter only for threads that are *not* woken.
        (Class::Cond, Deed::Wait) => Executor::cond_wait,
        (Class::Cond, Deed::Signal | Deed::Broadcast) => Executor::signal,
        // Semaphores and barriers are counters that all threads change. Each is a value in shared
        // memory (`Space::Sync`) that is read and written in one step, like an atomic variable.
        (Class::Sem, Deed::Init) => Executor::sem_init,
        (Class::Sem, Deed::Destroy) => Executor::sem_destroy,
        (Class::Sem, Deed::Post) => Executor::sem_post,
        (Class::Sem, Deed::GetValue) => Executor::sem_value,
        (Class::Sem, deed) if deed.takes_from_semaphore() => Executor::sem_wait,
        (Class::Barrier, Deed::Init) => Executor::barrier_init,
        (Class::Barrier, Deed::Arrive) => Executor::barrier_wait,
        (Class::Barrier, Deed::Destroy) => Executor::barrier_destroy,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use unravel_program::library::Primitive;

    use super::*;

    /// A program can call whatever the library's table names; all of it has an encoding.
    #[test]
    fn every_operation_that_a_program_can_call_is_encoded() {
        for op in Primitive::all().filter_map(Primitive::sync_op) {
            assert!(encoder(op).is_some() || op == SyncOp::Once, "{op:?}");
        }
    }
}
