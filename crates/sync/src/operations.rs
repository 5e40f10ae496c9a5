//! Every operation on a synchronization object: one row says what it is.

use crate::{Case, Class, Cond, Deed, Effect, Then, attributes, cases, codes};

/// An argument of an operation that both engines read, besides the first, the object's address.
/// Whether a time is over is for the schedule to say; that it is a time is looked at
/// ([`SyncOp::is_timed`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Argument {
    /// There is none.
    None,
    /// Flags that say what kind of mutex it is (`mtx_init`).
    KindFlags,
    /// The value of a semaphore, or how many threads meet at a barrier.
    Count,
    /// The mutex that a wait gives back and takes again.
    Mutex,
    /// The function to be called once.
    Function,
    /// Where a value is stored.
    Result,
}

impl Argument {
    /// Which argument of the call it is, counted from 0.
    #[must_use]
    pub fn position(self) -> usize {
        if self == Argument::Count { 2 } else { 1 }
    }
}

/// What an operation is.
#[derive(Clone, Copy, Debug)]
struct Row {
    class: Class,
    deed: Deed,
    argument: Argument,
    cases: &'static [Case],
}

/// Makes the type, its list and its table out of one row per operation.
macro_rules! operations {
    ($($op:ident: $class:ident, $deed:ident, $argument:ident, $cases:ident;)*) => {
        /// An operation on a synchronization object. The first argument is the object's address.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "the names are POSIX's")]
        pub enum SyncOp {
            $($op,)*
        }

        impl SyncOp {
            /// All of them.
            pub const ALL: &'static [SyncOp] = &[$(SyncOp::$op,)*];

            const ROWS: &'static [Row] = &[$(Row {
                class: Class::$class,
                deed: Deed::$deed,
                argument: Argument::$argument,
                cases: cases::$cases,
            },)*];
        }
    };
}

// A C function that behaves like one of these needs a row in `library/table.rs` only.
operations! {
    // operation       class      deed           argument       cases
    MutexInit:         Mutex,     Init,          None,          INIT;
    MutexInitC11:      Mutex,     Init,          KindFlags,     INIT;
    MutexDestroy:      Mutex,     Destroy,       None,          LOCK_DESTROY;
    MutexLock:         Mutex,     Lock,          None,          MUTEX_LOCK;
    MutexTryLock:      Mutex,     TryLock,       None,          MUTEX_TRYLOCK;
    MutexTimedLock:    Mutex,     TimedLock,     None,          MUTEX_TIMEDLOCK;
    MutexUnlock:       Mutex,     Unlock,        None,          MUTEX_UNLOCK;
    SpinInit:          Spin,      Init,          None,          INIT;
    SpinDestroy:       Spin,      Destroy,       None,          LOCK_DESTROY;
    SpinLock:          Spin,      Lock,          None,          SPIN_LOCK;
    SpinTryLock:       Spin,      TryLock,       None,          MUTEX_TRYLOCK;
    SpinUnlock:        Spin,      Unlock,        None,          SPIN_UNLOCK;
    RwInit:            Rw,        Init,          None,          INIT;
    RwDestroy:         Rw,        Destroy,       None,          LOCK_DESTROY;
    RwReadLock:        Rw,        ReadLock,      None,          RW_READ;
    RwTryReadLock:     Rw,        TryReadLock,   None,          RW_TRY_READ;
    RwTimedReadLock:   Rw,        TimedReadLock, None,          RW_TIMED_READ;
    RwWriteLock:       Rw,        WriteLock,     None,          RW_WRITE;
    RwWriteWake:       Rw,        WriteLock,     None,          RW_WRITE_WAKE;
    RwTryWriteLock:    Rw,        TryLock,       None,          RW_TRY_WRITE;
    RwTimedWriteLock:  Rw,        TimedLock,     None,          RW_TIMED_WRITE;
    RwTimedWriteWake:  Rw,        TimedLock,     None,          RW_TIMED_WRITE_WAKE;
    RwUnlock:          Rw,        Unlock,        None,          RW_UNLOCK;
    CondInit:          Cond,      Init,          None,          INIT;
    CondDestroy:       Cond,      Destroy,       None,          DESTROY;
    CondWait:          Cond,      Wait,          Mutex,         COND_WAIT;
    CondTimedWait:     Cond,      Wait,          Mutex,         COND_TIMEDWAIT;
    CondWake:          Cond,      Wake,          Mutex,         COND_WAKE;
    CondTimedWake:     Cond,      Wake,          Mutex,         COND_TIMEDWAKE;
    CondTimedOut:      Cond,      TimedOut,      Mutex,         COND_TIMEDOUT;
    CondSignal:        Cond,      Signal,        None,          COND_SIGNAL;
    CondBroadcast:     Cond,      Broadcast,     None,          COND_BROADCAST;
    BarrierInit:       Barrier,   Init,          Count,         BARRIER_INIT;
    BarrierDestroy:    Barrier,   Destroy,       None,          DESTROY;
    BarrierWait:       Barrier,   Arrive,        None,          BARRIER_WAIT;
    BarrierPass:       Barrier,   Pass,          None,          BARRIER_PASS;
    Once:              Once,      Once,          Function,      ONCE;
    OnceFinish:        Once,      OnceDone,      Function,      ONCE_FINISH;
    SemInit:           Sem,       Init,          Count,         SEM_INIT;
    SemDestroy:        Sem,       Destroy,       None,          SEM_DESTROY;
    SemWait:           Sem,       SemWait,       None,          SEM_WAIT;
    SemTryWait:        Sem,       SemTryWait,    None,          SEM_TRYWAIT;
    SemTimedWait:      Sem,       SemTimedWait,  None,          SEM_TIMEDWAIT;
    SemPost:           Sem,       Post,          None,          SEM_POST;
    SemGetValue:       Sem,       GetValue,      Result,        SEM_GETVALUE;
}

impl SyncOp {
    fn row(self) -> &'static Row {
        &SyncOp::ROWS[self as usize]
    }

    /// The kind of object it works on.
    #[must_use]
    pub fn class(self) -> Class {
        self.row().class
    }

    /// What a thread does by it, in the words of a report.
    #[must_use]
    pub fn deed(self) -> Deed {
        self.row().deed
    }

    /// What it reads of its arguments besides the object.
    #[must_use]
    pub fn argument(self) -> Argument {
        self.row().argument
    }

    /// Whether it is given a time, as its last argument. Before it stands a clock in those functions
    /// whose name says so ([`SyncOp::clock_position`]).
    #[must_use]
    pub fn is_timed(self) -> bool {
        use SyncOp as S;
        matches!(
            self,
            S::MutexTimedLock
                | S::RwTimedReadLock
                | S::RwTimedWriteLock
                | S::CondTimedWait
                | S::SemTimedWait
        )
    }

    /// Which of so many arguments is the clock of a timed operation, if one is.
    #[must_use]
    pub fn clock_position(self, arguments: usize) -> Option<usize> {
        let least = if self.argument() == Argument::Mutex { 3 } else { 2 };
        (self.is_timed() && arguments > least).then(|| arguments - 2)
    }

    /// The tag of the attribute object that it is given as its second argument, or null, if it is.
    #[must_use]
    pub fn attribute(self) -> Option<u8> {
        let takes = self.deed() == Deed::Init && self != SyncOp::MutexInitC11;
        attributes::tag(self.class()).filter(|_| takes)
    }

    /// What it does in each state of the object; the first case that applies decides.
    #[must_use]
    pub fn cases(self) -> &'static [Case] {
        self.row().cases
    }

    /// What it does where exactly these of the conditions that its cases ask for hold.
    #[must_use]
    pub fn in_state(self, holding: &[Cond]) -> Then {
        let applies = |case: &&Case| case.when.iter().all(|cond| holding.contains(cond));
        self.cases().iter().find(applies).map_or(Then::Block, |case| case.then)
    }

    /// The error code that it returns in such a state, where misuse is not checked; `None` if it
    /// does not return there.
    #[must_use]
    pub fn code_in(self, holding: &[Cond]) -> Option<i32> {
        self.in_state(holding).code()
    }

    /// Whether a thread may have to wait for others, in it or in the second half of it.
    #[must_use]
    pub fn may_block(self) -> bool {
        self.reaches(&|then| matches!(then, Then::Block))
    }

    /// Whether it may give up because a time is over.
    #[must_use]
    pub fn may_time_out(self) -> bool {
        self.reaches(&|then| then.code() == Some(codes::ETIMEDOUT))
    }

    /// Whether something like this may happen in it or in the second half of it.
    fn reaches(self, wanted: &dyn Fn(&Then) -> bool) -> bool {
        self.cases().iter().any(|case| case.then.reaches(wanted))
    }
}

impl Then {
    /// The error code of an operation that ends so, where misuse is not checked.
    #[must_use]
    pub fn code(&self) -> Option<i32> {
        match self {
            Then::Return(_, code) | Then::Spurious(_, code) => Some(*code),
            Then::Misuse(_, otherwise) => otherwise.code(),
            Then::Choice(_) | Then::Enter(..) | Then::CallThenEnter(..) | Then::Block => None,
        }
    }

    /// What changes when an operation ends so, where misuse is not checked.
    #[must_use]
    pub fn effects(&self) -> &'static [Effect] {
        match *self {
            Then::Return(effects, _) | Then::Spurious(effects, _) => effects,
            Then::Enter(effects, _) | Then::CallThenEnter(effects, _) => effects,
            Then::Misuse(_, otherwise) => otherwise.effects(),
            Then::Choice(_) | Then::Block => &[],
        }
    }

    fn reaches(&self, wanted: &dyn Fn(&Then) -> bool) -> bool {
        wanted(self)
            || match self {
                Then::Choice(ways) => ways.iter().any(|way| way.reaches(wanted)),
                Then::Enter(_, next) | Then::CallThenEnter(_, next) => next.reaches(wanted),
                Then::Misuse(_, otherwise) => otherwise.reaches(wanted),
                Then::Return(..) | Then::Spurious(..) | Then::Block => false,
            }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec::Vec;

    use super::*;
    use crate::{Misuse, MutexKind};

    fn visit(op: &SyncOp, see: &mut dyn FnMut(&Then)) {
        fn within(then: &Then, see: &mut dyn FnMut(&Then)) {
            see(then);
            match then {
                Then::Choice(ways) => ways.iter().for_each(|way| within(way, see)),
                Then::Misuse(_, otherwise) => within(otherwise, see),
                _ => {}
            }
        }
        op.cases().iter().for_each(|case| within(&case.then, see));
    }

    #[test]
    fn some_case_always_applies_and_none_is_hidden() {
        for op in SyncOp::ALL {
            let (last, others) = op.cases().split_last().expect("cases");
            assert!(last.when.is_empty(), "{op:?} has no default");
            assert!(others.iter().all(|case| !case.when.is_empty()), "{op:?} ends early");
            for (at, case) in others.iter().enumerate() {
                let hides = |other: &Case| case.when.iter().all(|cond| other.when.contains(cond));
                assert!(!others[at + 1..].iter().any(hides), "{op:?} has a case that is hidden");
            }
        }
    }

    #[test]
    fn every_code_has_a_name() {
        for op in SyncOp::ALL {
            visit(op, &mut |then| {
                let code = then.code().filter(|&code| code != 0 && code != codes::SERIAL_THREAD);
                assert!(code.is_none_or(|it| codes::name(it).is_some()), "{op:?}: {then:?}");
            });
        }
    }

    /// Deeds are words; what the cases do must agree with them.
    #[test]
    fn deeds_say_what_the_cases_do() {
        for op in SyncOp::ALL {
            let (mut effects, deed) = (Vec::new(), op.deed());
            visit(op, &mut |then| effects.extend(then.effects()));
            let does = |effect| effects.contains(&effect);
            let takes = does(Effect::Acquire) || does(Effect::AddReader);
            assert_eq!(takes, deed.takes_lock(), "{op:?}");
            assert_eq!(does(Effect::AddReader), deed.is_shared(), "{op:?}");
            assert_eq!(does(Effect::Decrement), deed.takes_from_semaphore(), "{op:?}");
            assert_eq!(does(Effect::Initialize), deed == Deed::Init, "{op:?}");
            assert_eq!(does(Effect::Destroy), deed == Deed::Destroy, "{op:?}");
            assert_eq!(does(Effect::Release), deed == Deed::Unlock, "{op:?}");
            let takes = deed.takes_lock() || deed.takes_from_semaphore();
            assert_eq!(takes && !op.may_block(), deed.is_attempt(), "{op:?}");
        }
    }

    /// No row may read an argument that its cases do not use, or the other way round.
    #[test]
    fn arguments_fit_the_cases() {
        for op in SyncOp::ALL {
            let mut effects = Vec::new();
            visit(op, &mut |then| effects.extend(then.effects()));
            let conds: Vec<Cond> = op.cases().iter().flat_map(|case| case.when).copied().collect();
            let does = |effect| effects.contains(&effect);
            let asks = |cond| conds.contains(&cond);
            let counts = asks(Cond::ArgumentZero) || asks(Cond::ValueTooLarge);
            assert_eq!(counts, op.argument() == Argument::Count, "{op:?}");
            let mutex = does(Effect::ReleaseWaitMutex) || does(Effect::AcquireWaitMutex);
            assert_eq!(mutex, op.argument() == Argument::Mutex, "{op:?}");
            assert_eq!(does(Effect::ReportValue), op.argument() == Argument::Result, "{op:?}");
            assert_eq!(asks(Cond::TimeInvalid), op.is_timed(), "{op:?}");
            assert_eq!(op.class() == Class::Once, op.argument() == Argument::Function, "{op:?}");
        }
    }

    #[test]
    fn what_an_operation_may_do_follows_from_its_cases() {
        assert!(SyncOp::CondTimedWait.may_time_out() && !SyncOp::CondWait.may_time_out());
        assert!(SyncOp::CondWait.may_block() && SyncOp::BarrierWait.may_block());
        assert!(!SyncOp::MutexTimedLock.may_block() && !SyncOp::MutexDestroy.may_block());
        let own = |kind| SyncOp::MutexLock.in_state(&[Cond::HeldBySelf, Cond::Kind(kind)]);
        assert_eq!(own(MutexKind::ErrorCheck).code(), Some(codes::EDEADLK));
        assert_eq!(own(MutexKind::Recursive).effects(), [Effect::Relock]);
        assert_eq!(own(MutexKind::Normal), Then::Misuse(Misuse::Relock, &Then::Block));
    }
}
