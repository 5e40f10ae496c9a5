//! One of every kind that the stages pass on (crate `unravel-kinds`).

use unravel_kinds::{
    Awaited, Cut, Deed, InputSource, Misuse, ObjectName, Pattern, Related, Spin, StepKind,
    SyncClass, Undefined, Unmodelled, Untranslated, Variable, ViolationKind, Wait,
};

use super::{assert_covers, one_of_each};
use crate::examples::variable;

/// Memory that has a name, and memory that has none.
fn variables() -> Vec<Variable> {
    one_of_each!(Variable {
        Variable::Named(_) => [variable("queue.lock")],
        Variable::Heap { .. } => [
            Variable::Heap { line: 7, nth: 1, offset: 8 },
            Variable::Heap { line: 7, nth: 2, offset: 0 },
        ],
        Variable::Freed => [Variable::Freed],
    })
}

fn objects() -> Vec<ObjectName> {
    one_of_each!(ObjectName {
        ObjectName::Variable(_) => [ObjectName::Variable("table".to_owned())],
        ObjectName::HeapBlock { .. } => [ObjectName::HeapBlock { bytes: 16, line: 7 }],
        ObjectName::Freed => [ObjectName::Freed],
    })
}

/// Kinds of violation: those that every test goes over, and those about each form of memory.
pub fn violations() -> Vec<ViolationKind> {
    let mut all = ViolationKind::examples();
    assert_every_violation(&all);
    for object in objects() {
        let (bytes, offset, size) = (2, 15, 16);
        all.push(ViolationKind::OutOfBounds { bytes, offset, object: object.clone(), size });
        all.push(ViolationKind::InvalidFree { into: Some(object.clone()) });
        all.push(ViolationKind::WriteToConstant { object });
    }
    for object in variables() {
        all.push(ViolationKind::DataRace { variable: object.clone(), writes: false });
        all.push(ViolationKind::OverwriteInUse { object: object.clone() });
        all.push(ViolationKind::Misuse { what: Misuse::Relock, object: Some(object) });
    }
    all.extend(Misuse::ALL.map(|what| ViolationKind::Misuse { what, object: None }));
    all
}

fn assert_every_violation(all: &[ViolationKind]) {
    use ViolationKind as Kind;
    assert_covers!(
        all,
        Kind::Assertion { .. },
        Kind::Abort,
        Kind::ErrorCall,
        Kind::NullDereference,
        Kind::OutOfBounds { .. },
        Kind::UseAfterFree,
        Kind::UseAfterReturn,
        Kind::UseAfterExit,
        Kind::DoubleFree,
        Kind::InvalidFree { .. },
        Kind::UninitializedPointer,
        Kind::WildPointer,
        Kind::WriteToConstant { .. },
        Kind::BadAccess,
        Kind::BadCall { .. },
        Kind::LockCycle { .. },
        Kind::NoProgress { .. },
        Kind::Hang { .. },
        Kind::Misuse { .. },
        Kind::OverwriteInUse { .. },
        Kind::DataRace { .. },
        Kind::Undefined(_),
        Kind::Unreachable,
    );
    let undefined = Undefined::ALL;
    assert_covers!(
        undefined,
        Undefined::DivisionByZero,
        Undefined::DivisionOverflow,
        Undefined::ShiftOutOfRange,
        Undefined::LeftShift,
        Undefined::SignedOverflow,
        Undefined::Conversion,
    );
}

/// Steps and waits that belong to a violation.
pub fn related() -> Vec<Related> {
    let mut all = one_of_each!(Related {
        Related::OtherAccess { .. } => [
            Related::OtherAccess { thread: 0 },
            Related::OtherAccess { thread: 1 },
        ],
        Related::HeldBy { .. } => [Related::HeldBy { thread: 0 }, Related::HeldBy { thread: 2 }],
        Related::Took { .. } => [Related::Took { thread: 1, lock: variable("m") }],
        Related::Waits(_) => [wait(&Awaited::Nothing, None)],
        Related::Spins(_) => [
            spin(&[], &[]),
            spin(&["ready"], &[]),
            spin(&["ready"], &[1]),
            spin(&["ready", "m"], &[1, 2]),
            spin(&["ready", "m", "n"], &[2]),
        ],
    });
    for awaited in awaited() {
        all.extend([None, Some(2)].map(|holder| wait(&awaited, holder)));
    }
    all
}

fn spin(until: &[&str], others: &[u32]) -> Related {
    let until = until.iter().map(|name| variable(name)).collect();
    Related::Spins(Spin { thread: 0, until, others: others.to_vec() })
}

fn wait(awaited: &Awaited, held_by: Option<u32>) -> Related {
    Related::Waits(Wait { thread: 1, awaited: awaited.clone(), held_by })
}

fn awaited() -> Vec<Awaited> {
    let mut all = one_of_each!(Awaited {
        Awaited::Nothing => [Awaited::Nothing],
        Awaited::End { .. } => [Awaited::End { thread: 0 }, Awaited::End { thread: 3 }],
        Awaited::Signal(_) => [Awaited::Signal(variable("ready"))],
        Awaited::Object(..) => [Awaited::Object(SyncClass::Mutex, Variable::Freed)],
    });
    all.extend(SyncClass::ALL.map(|class| Awaited::Object(class, variable("m"))));
    all
}

/// What a thread can do in a step. An operation comes without an error code, with success and with
/// an error; one of them comes with every error that has a name, and with one that has none.
pub fn steps() -> Vec<StepKind> {
    let lock = |code| StepKind::Sync { deed: Deed::Lock, code: Some(code) };
    let mut all = one_of_each!(StepKind {
        StepKind::Read => [StepKind::Read],
        StepKind::Write => [StepKind::Write],
        StepKind::Update => [StepKind::Update],
        StepKind::FailedUpdate => [StepKind::FailedUpdate],
        StepKind::Free => [StepKind::Free],
        StepKind::Sync { .. } => [
            lock(1), lock(3), lock(11), lock(16), lock(22), lock(35), lock(75), lock(110), lock(-7),
        ],
        StepKind::SpuriousWake => [StepKind::SpuriousWake],
        StepKind::Create(_) => [StepKind::Create(1)],
        StepKind::Join(_) => [StepKind::Join(1)],
        StepKind::End => [StepKind::End],
        StepKind::Exit(_) => [StepKind::Exit(3)],
        StepKind::Input => [StepKind::Input],
        StepKind::AssumeFailed => [StepKind::AssumeFailed],
        StepKind::Output => [StepKind::Output],
        StepKind::Local => [StepKind::Local],
    });
    for deed in deeds() {
        all.extend([None, Some(0), Some(16)].map(|code| StepKind::Sync { deed, code }));
    }
    all
}

/// What a thread can do to a synchronization object.
pub fn deeds() -> [Deed; 24] {
    let all = Deed::ALL;
    assert_covers!(
        all,
        Deed::Init,
        Deed::Destroy,
        Deed::Lock,
        Deed::TryLock,
        Deed::TimedLock,
        Deed::ReadLock,
        Deed::TryReadLock,
        Deed::TimedReadLock,
        Deed::WriteLock,
        Deed::Unlock,
        Deed::Wait,
        Deed::Wake,
        Deed::TimedOut,
        Deed::Signal,
        Deed::Broadcast,
        Deed::Arrive,
        Deed::Pass,
        Deed::Once,
        Deed::OnceDone,
        Deed::SemWait,
        Deed::SemTryWait,
        Deed::SemTimedWait,
        Deed::Post,
        Deed::GetValue,
    );
    all
}

/// Where inputs come from.
pub fn inputs() -> Vec<InputSource> {
    one_of_each!(InputSource {
        InputSource::Call(_) => [InputSource::Call("rand".to_owned())],
        InputSource::Uninitialized => [InputSource::Uninitialized],
        InputSource::Layout => [InputSource::Layout],
    })
}

/// Names of what goes wrong.
pub fn patterns() -> Vec<Pattern> {
    let mut all = Pattern::ALL.to_vec();
    all.push(Pattern::AtomicityViolation { multi_variable: true });
    assert_covers!(
        all,
        Pattern::AtomicityViolation { .. },
        Pattern::OrderViolation,
        Pattern::UseBeforeInitialization,
        Pattern::UseAfterFree,
        Pattern::Deadlock,
        Pattern::LostWakeup,
        Pattern::DataRace,
        Pattern::Sequential,
    );
    all
}

/// What bounds can cut.
pub fn cuts() -> Vec<Cut> {
    one_of_each!(Cut {
        Cut::Loop { .. } => [Cut::Loop { iterations: 1 }, Cut::Loop { iterations: 4 }],
        Cut::Calls { .. } => [Cut::Calls { depth: 100 }],
        Cut::Threads { .. } => [Cut::Threads { limit: 64 }],
        Cut::Memory { .. } => [Cut::Memory { bytes: 1 << 40 }],
        Cut::Instructions { .. } => [Cut::Instructions { limit: 1_000_000 }],
        Cut::Polling => [Cut::Polling],
    })
}

fn untranslated() -> Vec<Untranslated> {
    one_of_each!(Untranslated {
        Untranslated::Construct(_) => [Untranslated::from("inline assembly")],
        Untranslated::MissingVariable(_) => [Untranslated::MissingVariable("table".to_owned())],
        Untranslated::OwnFunction(_) => [Untranslated::OwnFunction("send".to_owned())],
    })
}

/// What is not modelled.
pub fn unmodelled() -> Vec<Unmodelled> {
    use Unmodelled as It;
    let mut all: Vec<It> = untranslated().into_iter().map(It::from).collect();
    all.extend(one_of_each!(It: with_data [
        It::Untranslated(_) => [It::from(Untranslated::from("setjmp"))],
        It::MissingFunction(_) => [It::MissingFunction("work".to_owned())],
        It::SymbolicFunction(_) => [It::SymbolicFunction("qsort".to_owned())],
        It::Unchecked(_) => [
            It::Unchecked(Box::new(ViolationKind::DoubleFree)),
            It::Unchecked(Box::new(ViolationKind::Undefined(Undefined::SignedOverflow))),
        ],
        It::LargeObject(_) => [It::LargeObject(1 << 40)],
        It::BlockOfUnknownSizeAbove(_) => [It::BlockOfUnknownSizeAbove(4096)],
        It::WideBits { .. } => [It::WideBits { operation: "division".to_owned(), width: 128 }],
        It::FormatConversion(_) => [It::FormatConversion('n')],
        It::ManyKeys(_) => [It::ManyKeys(128)],
    ] without_data [
        MemoryError, FailureInAtomicSection, AddressAsNumber, RebuiltPointer, UnknownAddress,
        OtherFunctionType, FunctionFromParts, UnreachableCode, Beyond32Bits, ManyObjects,
        LargeArrayIndex, ArrayOfUnknownLength, BlockOfUnknownSize, OddRealloc, ReusedAddress,
        RangeOfUnknownLength, RangeAtUnknownPlace, UnalignedRange, WideOverflow, FloatingPoint,
        Conversion, TooFewArguments, IncompleteFormat, FormatBeyondArguments, LongConversion,
        SharedText, SharedErrno, JoinOfNoThread, JoinResult, CreationInAtomicSection,
        LockInAtomicSection, WaitInAtomicSection, MayWaitInAtomicSection, SectionBeginsOnOnePath,
        SectionEndsOnOnePath, UnknownSyncState, UnknownMutexKind, MutexKindByPath,
        PrefersWriters, ThreadAttribute, ReusedThreadId, WaitWithOtherMutex, SeveralDestructors,
        DestructorSetsKey, LifetimeInUse,
        OverwriteInUse, UnlockNotHeld, WaitWithoutMutex, UninitializedSemaphore, SemaphoreInUse,
        BarrierInitInUse, BarrierDestroyInUse, BarrierStillLeft, ReinitializedLock, LockFromBytes,
        OverwrittenLock, DestroyedLock, UninitializedLock, JoinOfSelf, JoinOfDetached,
        DetachOfNoThread, JoinedTwice, UnforeseenAccess, PointerFromParts, ConditionInitInUse,
        TwoSyncClasses,
    ]));
    all
}
