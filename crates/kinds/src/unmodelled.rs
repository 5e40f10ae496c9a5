//! What is not modelled.

use crate::ViolationKind;

/// Something that the front end cannot translate; it stands in the program in its place.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Untranslated {
    /// A construct of C or of LLVM, as the front end names it: `setjmp`.
    Construct(String),
    /// A variable that no given file defines.
    MissingVariable(String),
    /// A function with a name of the library that is not the library's, and that no given file
    /// defines.
    OwnFunction(String),
}

impl From<String> for Untranslated {
    fn from(name: String) -> Untranslated {
        Untranslated::Construct(name)
    }
}

impl From<&str> for Untranslated {
    fn from(name: &str) -> Untranslated {
        Untranslated::Construct(name.to_owned())
    }
}

impl From<Untranslated> for Unmodelled {
    fn from(what: Untranslated) -> Unmodelled {
        Unmodelled::Untranslated(what)
    }
}

/// Something that an engine does not model. It can turn *safe* into *inconclusive*.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Unmodelled {
    /// Something that the front end could not translate.
    Untranslated(Untranslated),
    /// A call of a function that no given file defines.
    MissingFunction(String),
    /// A library function that only the interpreter knows.
    SymbolicFunction(String),
    /// What happens after a violation of a property that is not checked.
    Unchecked(Box<ViolationKind>),
    /// A memory error where the property `memory` is not checked.
    MemoryError,
    /// A failure of a property that is not checked, inside an atomic section.
    FailureInAtomicSection,

    /// An address used as a number.
    AddressAsNumber,
    /// A pointer that was put together from its bytes.
    RebuiltPointer,
    /// An access through a number that is no known address.
    UnknownAddress,
    /// A call through a pointer of another function type.
    OtherFunctionType,
    /// A call of a function whose address was taken apart.
    FunctionFromParts,
    /// The end of a function without a return, or unreachable code.
    UnreachableCode,

    /// An object of this many bytes.
    LargeObject(u128),
    /// More memory than 32 bits can address.
    Beyond32Bits,
    /// More objects than the symbolic engine can tell apart.
    ManyObjects,
    /// An index into a very large array.
    LargeArrayIndex,
    /// An array whose length is not known.
    ArrayOfUnknownLength,
    /// A heap block whose size is not known.
    BlockOfUnknownSize,
    /// A heap block of unknown size, which may be above this many bytes.
    BlockOfUnknownSizeAbove(u128),
    /// `realloc` of a block of an odd size.
    OddRealloc,
    /// The address of a freed block, which a new one may get.
    ReusedAddress,
    /// A range of memory whose length is not known.
    RangeOfUnknownLength,
    /// A range of memory whose place is not known.
    RangeAtUnknownPlace,
    /// A range of memory that is not aligned, at an unknown place.
    UnalignedRange,

    /// An operation on bits of this name and width.
    WideBits {
        /// The operation.
        operation: String,
        /// The width of its operands in bits.
        width: u16,
    },
    /// Signed overflow of numbers that are too wide.
    WideOverflow,
    /// A floating point operation on values that are not known.
    FloatingPoint,
    /// A conversion between numbers that is not known.
    Conversion,

    /// A library call with too few arguments.
    TooFewArguments,
    /// A format string that ends in the middle of a conversion.
    IncompleteFormat,
    /// A format string with more conversions than there are arguments.
    FormatBeyondArguments,
    /// A conversion of a format string, by its letter.
    FormatConversion(char),
    /// A conversion to very long text.
    LongConversion,
    /// Formatted text in memory that other threads can reach.
    SharedText,
    /// An error code in an `errno` that other threads can reach.
    SharedErrno,

    /// A join of something that is no thread.
    JoinOfNoThread,
    /// A join whose result may or may not be wanted.
    JoinResult,
    /// A thread that is created inside an atomic section.
    CreationInAtomicSection,
    /// A lock inside an atomic section.
    LockInAtomicSection,
    /// An operation inside an atomic section that waits.
    WaitInAtomicSection,
    /// An operation inside an atomic section that may wait.
    MayWaitInAtomicSection,
    /// An atomic section that begins on one path only.
    SectionBeginsOnOnePath,
    /// An atomic section that ends on one path only.
    SectionEndsOnOnePath,

    /// A synchronization object in an unknown state.
    UnknownSyncState,
    /// A mutex whose kind is not known.
    UnknownMutexKind,
    /// A mutex whose kind depends on the path.
    MutexKindByPath,
    /// A reader-writer lock that prefers writers.
    PrefersWriters,
    /// A thread attribute that is not known.
    ThreadAttribute,
    /// The id of a thread that is gone, which a new one may get.
    ReusedThreadId,
    /// A wait on a condition variable where others wait with another mutex.
    WaitWithOtherMutex,
    /// More keys of thread-specific data than this.
    ManyKeys(u64),
    /// Destructors of several keys of thread-specific data, which run in any order.
    SeveralDestructors,
    /// A destructor of thread-specific data that sets its key again.
    DestructorSetsKey,
    /// Initialization or destruction of an object that is in use.
    LifetimeInUse,
    /// A plain write over a synchronization object that is in use.
    OverwriteInUse,
    /// An unlock of a lock that the thread does not hold.
    UnlockNotHeld,
    /// A wait on a condition variable without its mutex.
    WaitWithoutMutex,
    /// The value of a semaphore that was not initialized.
    UninitializedSemaphore,
    /// Destruction of a semaphore that is in use.
    SemaphoreInUse,
    /// Initialization of a barrier that is in use.
    BarrierInitInUse,
    /// Destruction of a barrier that is in use.
    BarrierDestroyInUse,
    /// Initialization of a barrier that some threads have yet to leave.
    BarrierStillLeft,
    /// A lock that is destroyed and initialized again.
    ReinitializedLock,
    /// A lock that is initialized by writing its bytes.
    LockFromBytes,
    /// A plain write over a lock that is in use.
    OverwrittenLock,
    /// Use of a lock after it was destroyed.
    DestroyedLock,
    /// Use of a lock that was never initialized.
    UninitializedLock,
    /// A thread that joins itself.
    JoinOfSelf,
    /// A join or detach of a detached thread.
    JoinOfDetached,
    /// A detach of something that is no thread.
    DetachOfNoThread,
    /// A thread that is joined or detached twice.
    JoinedTwice,
    /// An access to a place that the points-to analysis did not foresee.
    UnforeseenAccess,
    /// A pointer in memory that is put together from parts.
    PointerFromParts,
    /// A condition variable that may be initialized while it is in use.
    ConditionInitInUse,
    /// One place that is used as two kinds of synchronization object.
    TwoSyncClasses,
}
