//! The constructs that a concurrent program can use, one name each.

/// Declares the enum, the list of all its members and their names together,
/// so that the three cannot drift apart.
macro_rules! constructs {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {
        /// Something of C, its library or its idioms that a program uses.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[allow(missing_docs)] // the names say what they are
        pub enum Construct { $($(#[$doc])* $name),* }

        impl Construct {
            /// Every construct, in the order of declaration.
            pub const ALL: &'static [Construct] = &[$(Construct::$name),*];

            /// The name, as written in the source.
            pub fn name(self) -> &'static str {
                match self { $(Construct::$name => stringify!($name)),* }
            }
        }
    };
}

constructs! {
    // Plain shared variables and arithmetic.
    PlainInt, PlainShort, PlainChar, PlainLong, PlainUnsigned, Increment, AddAssign, ReadCheckWrite,
    UnsignedArithmetic, LongArithmetic, Shift, Division, Cast, Float,
    // Locks.
    Mutex, TwoMutexes, MutexInit, UnlockOnReturn, LockThroughPointer, NestedLocks,
    LockInFunction, MutexArray,
    // Atomics.
    AtomicLoad, AtomicStore, AtomicFetchAdd, AtomicFetchSub, AtomicFetchOr, AtomicFetchXor,
    AtomicExchange, CompareExchangeStrong, CompareExchangeWeak, SyncBuiltin, AtomicBuiltin,
    AtomicSection, AtomicFunction,
    // Inputs.
    Input, Assume,
    // Data.
    ComputedIndex, OutOfBounds, Struct, StructArray, Union, BitField, Memcpy, Memset,
    TextWritten, TextPrinted,
    StaticLocal, ThreadLocal, Setting,
    // Pointers.
    SharedPointer, NullPointer, PointerCompare, PointerOrder, EscapingLocal, HeapHandOver, Free, DoubleFree,
    LinkedNodes, Realloc, FunctionTable, FunctionPointer,
    // Control.
    Switch, NestedIf, GotoForward, BoundedLoop, CappedLoop, Recursion, Call, EarlyReturn, Exit,
    Abort, BoundedSpin,
    // Threads.
    ThreeThreads, FourThreads, NotJoined, CreateInLoop, CreateConditionally, SameFunctionTwice,
    IndexArgument, PointerArgument, ThreadResult, PthreadExit, ManySwitches,
    // From here on: beyond mutexes and atomics. Kinds of mutexes, and ways to lock them.
    RecursiveMutex, ErrorCheckMutex, MutexTrylock, MutexTimedlock, MutexDestroy,
    // Condition variables.
    CondWait, CondTimedwait, CondSignal, CondBroadcast, CondDestroy,
    // Semaphores.
    SemWait, SemPost, SemTrywait, SemTimedwait, SemGetvalue, SemDestroy,
    // Other locks of POSIX.
    ReadLock, WriteLock, RwTrylock, RwDestroy, SpinLock, SpinTrylock,
    // What happens at once, and once.
    Barrier, BarrierSerial, PthreadOnce, CallOnce,
    // Thread-specific data.
    ThreadSpecific, C11Specific, Destructor,
    // Threads.
    Detach, DetachedAttribute, ThreadIdentity, C11Thread, JoinUnderLock,
    // C11.
    C11Mutex, C11RecursiveMutex, C11Trylock, C11Wait, C11Signal,
    // Atomics with orders.
    AtomicFlag, Fence, Relaxed, AcquireRelease,
    // Loops that wait, and locks by hand.
    UnboundedSpin, VolatileVariable, PollUnderLock, HandMadeLock, LockOrder, CountedWait,
}

impl Construct {
    /// Is it more than mutexes and atomics?
    pub fn is_beyond_mutexes(self) -> bool {
        self >= Construct::RecursiveMutex
    }
}

impl std::fmt::Display for Construct {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Constructs that show in the text, each with what tells it.
pub(super) const BY_TEXT: &[(Construct, &[&str])] = &[
    (Construct::MutexInit, &["pthread_mutex_init("]),
    (Construct::Mutex, &["pthread_mutex_lock("]),
    (Construct::AtomicLoad, &["atomic_load("]),
    (Construct::AtomicStore, &["atomic_store("]),
    (Construct::AtomicFetchAdd, &["atomic_fetch_add("]),
    (Construct::AtomicFetchSub, &["atomic_fetch_sub("]),
    (Construct::AtomicFetchOr, &["atomic_fetch_or("]),
    (Construct::AtomicFetchXor, &["atomic_fetch_xor("]),
    (Construct::AtomicExchange, &["atomic_exchange("]),
    (Construct::CompareExchangeStrong, &["atomic_compare_exchange_strong("]),
    (Construct::CompareExchangeWeak, &["atomic_compare_exchange_weak("]),
    (Construct::SyncBuiltin, &["__sync_"]),
    (Construct::AtomicBuiltin, &["__atomic_"]),
    (Construct::AtomicSection, &["__VERIFIER_atomic_begin("]),
    (Construct::AtomicFunction, &["void __VERIFIER_atomic_f"]),
    (Construct::Input, &["__VERIFIER_nondet_"]),
    (Construct::Assume, &["__VERIFIER_assume("]),
    (Construct::Memcpy, &["memcpy("]),
    (Construct::Memset, &["memset("]),
    (Construct::ThreadLocal, &["_Thread_local"]),
    (Construct::Switch, &["switch ("]),
    (Construct::GotoForward, &["goto "]),
    (Construct::Exit, &[" exit(0)"]),
    (Construct::Abort, &["abort()"]),
    (Construct::PthreadExit, &["pthread_exit("]),
    (Construct::RecursiveMutex, &["PTHREAD_MUTEX_RECURSIVE", "PTHREAD_RECURSIVE_"]),
    (Construct::ErrorCheckMutex, &["PTHREAD_MUTEX_ERRORCHECK", "PTHREAD_ERRORCHECK_"]),
    (Construct::MutexTrylock, &["pthread_mutex_trylock("]),
    (Construct::MutexTimedlock, &["pthread_mutex_timedlock("]),
    (Construct::MutexDestroy, &["pthread_mutex_destroy("]),
    (Construct::CondWait, &["pthread_cond_wait("]),
    (Construct::CondTimedwait, &["pthread_cond_timedwait("]),
    (Construct::CondSignal, &["pthread_cond_signal("]),
    (Construct::CondBroadcast, &["pthread_cond_broadcast("]),
    (Construct::CondDestroy, &["pthread_cond_destroy("]),
    (Construct::SemWait, &["sem_wait("]),
    (Construct::SemPost, &["sem_post("]),
    (Construct::SemTrywait, &["sem_trywait("]),
    (Construct::SemTimedwait, &["sem_timedwait("]),
    (Construct::SemGetvalue, &["sem_getvalue("]),
    (Construct::SemDestroy, &["sem_destroy("]),
    (Construct::ReadLock, &["pthread_rwlock_rdlock("]),
    (Construct::WriteLock, &["pthread_rwlock_wrlock("]),
    // The names go on with the mode.
    (Construct::RwTrylock, &["pthread_rwlock_try", "pthread_rwlock_timed"]),
    (Construct::RwDestroy, &["pthread_rwlock_destroy("]),
    (Construct::SpinLock, &["pthread_spin_lock("]),
    (Construct::SpinTrylock, &["pthread_spin_trylock("]),
    (Construct::Barrier, &["pthread_barrier_wait("]),
    (Construct::BarrierSerial, &["PTHREAD_BARRIER_SERIAL_THREAD"]),
    (Construct::PthreadOnce, &["pthread_once("]),
    (Construct::CallOnce, &["call_once("]),
    (Construct::ThreadSpecific, &["pthread_setspecific("]),
    (Construct::C11Specific, &["tss_set("]),
    (Construct::Detach, &["pthread_detach(", "thrd_detach("]),
    (Construct::DetachedAttribute, &["PTHREAD_CREATE_DETACHED"]),
    (Construct::ThreadIdentity, &["pthread_self(", "thrd_current("]),
    (Construct::C11Thread, &["thrd_create("]),
    (Construct::C11Mutex, &["mtx_lock("]),
    (Construct::C11RecursiveMutex, &["mtx_recursive"]),
    (Construct::C11Trylock, &["mtx_trylock(", "mtx_timedlock("]),
    (Construct::C11Wait, &["cnd_wait(", "cnd_timedwait("]),
    (Construct::C11Signal, &["cnd_signal(", "cnd_broadcast("]),
    (Construct::AtomicFlag, &["atomic_flag_test_and_set("]),
    (Construct::Fence, &["atomic_thread_fence("]),
    (Construct::Relaxed, &["memory_order_relaxed"]),
    (Construct::AcquireRelease, &["memory_order_acq", "memory_order_release"]),
    // No loop with a bound ends like this.
    (Construct::UnboundedSpin, &[")) ;"]),
    (Construct::VolatileVariable, &["volatile "]),
];
