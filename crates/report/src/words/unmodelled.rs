//! What is not modelled, as a noun phrase.

use unravel_kinds::{Unmodelled, Untranslated};

use super::violation;

/// Something that is not modelled, to be followed by "is not modelled".
pub(super) fn noun(what: &Unmodelled) -> String {
    match what {
        Unmodelled::Untranslated(what) => untranslated(what),
        Unmodelled::MissingFunction(name) => {
            format!("call of `{name}`, which no given file defines,")
        }
        Unmodelled::SymbolicFunction(name) => format!("`{name}` in the symbolic engine"),
        Unmodelled::Unchecked(kind) => violation::clause(kind),
        Unmodelled::LargeObject(bytes) => format!("an object of {bytes} bytes"),
        Unmodelled::BlockOfUnknownSizeAbove(bytes) => {
            format!("a heap block of unknown size, above {bytes} bytes")
        }
        Unmodelled::WideBits { operation, width } => format!("{operation} of {width} bits"),
        Unmodelled::FormatConversion(letter) => format!("the conversion `%{letter}`"),
        Unmodelled::ManyKeys(most) => format!("more than {most} keys of thread-specific data"),
        plain => plain_noun(plain).to_owned(),
    }
}

fn untranslated(what: &Untranslated) -> String {
    match what {
        Untranslated::Construct(name) => name.clone(),
        Untranslated::MissingVariable(name) => {
            format!("use of `{name}`, which no given file defines,")
        }
        Untranslated::OwnFunction(name) => {
            format!("call of `{name}`, which is not the library's and which no given file defines,")
        }
    }
}

/// Nouns without data: memory and numbers here, the library below.
fn plain_noun(what: &Unmodelled) -> &'static str {
    match what {
        Unmodelled::MemoryError => "a memory error",
        Unmodelled::FailureInAtomicSection => {
            "a failure that is not checked, inside an atomic section,"
        }
        Unmodelled::AddressAsNumber => "an address used as a number",
        Unmodelled::RebuiltPointer => "a pointer rebuilt from its bytes",
        Unmodelled::UnknownAddress => "an access through a number that is no known address",
        Unmodelled::OtherFunctionType => "call through a pointer of another function type",
        Unmodelled::FunctionFromParts => "a call of a function whose address was taken apart",
        Unmodelled::UnreachableCode => {
            "the end of a function without a return, or unreachable code"
        }
        Unmodelled::Beyond32Bits => "more memory than 32 bits can address",
        Unmodelled::ManyObjects => "more than 65,000 objects",
        Unmodelled::LargeArrayIndex => "an index into a very large array",
        Unmodelled::ArrayOfUnknownLength => "an array whose length is not known",
        Unmodelled::BlockOfUnknownSize => "a heap block whose size is not known",
        Unmodelled::OddRealloc => "realloc of a block of an odd size",
        Unmodelled::ReusedAddress => "the address of a freed block, which a new one may get,",
        Unmodelled::RangeOfUnknownLength => "a range of memory whose length is not known",
        Unmodelled::RangeAtUnknownPlace => "a range of memory whose place is not known",
        Unmodelled::UnalignedRange => "a range of memory that is not aligned, at an unknown place",
        Unmodelled::WideOverflow => "signed overflow of wide numbers",
        Unmodelled::FloatingPoint => "this floating point operation on unknown values",
        Unmodelled::Conversion => "a conversion of an unknown kind",
        Unmodelled::TooFewArguments => "a library call with too few arguments",
        Unmodelled::IncompleteFormat => "an incomplete format",
        Unmodelled::FormatBeyondArguments => "a format with more conversions than arguments",
        Unmodelled::LongConversion => "a conversion to very long text",
        Unmodelled::SharedText => "formatted text in memory that other threads can reach",
        Unmodelled::SharedErrno => "an error code in an `errno` that other threads can reach",
        Unmodelled::JoinOfNoThread => "join of something that is no thread",
        Unmodelled::JoinResult => "a join whose result may or may not be wanted",
        Unmodelled::CreationInAtomicSection => "a thread that is created inside an atomic section",
        Unmodelled::LockInAtomicSection => "a lock inside an atomic section",
        Unmodelled::WaitInAtomicSection => "an operation that waits inside an atomic section",
        Unmodelled::MayWaitInAtomicSection => "an operation that may wait inside an atomic section",
        other => library_noun(other),
    }
}

fn library_noun(what: &Unmodelled) -> &'static str {
    match what {
        Unmodelled::SectionBeginsOnOnePath => "an atomic section that begins on one path only",
        Unmodelled::SectionEndsOnOnePath => "an atomic section that ends on one path only",
        Unmodelled::UnknownSyncState => "a synchronization object in an unknown state",
        Unmodelled::UnknownMutexKind => "a mutex whose kind is not known",
        Unmodelled::MutexKindByPath => "a mutex whose kind depends on the path",
        Unmodelled::PrefersWriters => "a reader-writer lock that prefers writers",
        Unmodelled::ThreadAttribute => "a thread attribute that is not known",
        Unmodelled::ReusedThreadId => "the id of a thread that is gone, which a new one may get,",
        Unmodelled::WaitWithOtherMutex => {
            "a wait on a condition variable where others wait with another mutex"
        }
        Unmodelled::SeveralDestructors => "destructors of several keys, in any order",
        Unmodelled::DestructorSetsKey => "a destructor that sets its key again",
        Unmodelled::LifetimeInUse => "initialization or destruction of an object that is in use",
        Unmodelled::OverwriteInUse => "a write over a synchronization object that is in use",
        Unmodelled::UnlockNotHeld => "unlock of a lock that the thread does not hold",
        Unmodelled::WaitWithoutMutex => "a wait on a condition variable without its mutex",
        Unmodelled::UninitializedSemaphore => "the value of a semaphore that was not initialized",
        Unmodelled::SemaphoreInUse => "initialization or destroy of a semaphore that is in use",
        Unmodelled::BarrierInitInUse => "initialization of a barrier that is in use",
        Unmodelled::BarrierDestroyInUse => "destroy of a barrier that is in use",
        Unmodelled::BarrierStillLeft => "initialization of a barrier that some have yet to leave",
        Unmodelled::ReinitializedLock => "a lock that is destroyed and initialized again",
        Unmodelled::LockFromBytes => "a lock that is initialized by writing its bytes",
        Unmodelled::OverwrittenLock => "a write over a lock that is in use",
        Unmodelled::DestroyedLock => "use of a lock after it was destroyed",
        Unmodelled::UninitializedLock => "use of a lock that was never initialized",
        Unmodelled::JoinOfSelf => "a thread that joins itself",
        Unmodelled::JoinOfDetached => "join or detach of a detached thread",
        Unmodelled::DetachOfNoThread => "detaching something that is no thread",
        Unmodelled::JoinedTwice => "a thread that is joined or detached twice",
        Unmodelled::UnforeseenAccess => "an access to a place that was not foreseen",
        Unmodelled::PointerFromParts => "a pointer in memory that is put together from parts",
        Unmodelled::ConditionInitInUse => {
            "a condition variable that may be initialized while it is in use"
        }
        Unmodelled::TwoSyncClasses => {
            "one place that is used as two kinds of synchronization object"
        }
        _ => "something",
    }
}
