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
    UnsignedArithmetic, LongArithmetic, Shift, Division, Cast,
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
    StaticLocal, ThreadLocal,
    // Pointers.
    SharedPointer, NullPointer, PointerCompare, EscapingLocal, HeapHandOver, Free, DoubleFree,
    LinkedNodes, FunctionTable, FunctionPointer,
    // Control.
    Switch, NestedIf, GotoForward, BoundedLoop, CappedLoop, Recursion, Call, EarlyReturn, Exit,
    Abort, BoundedSpin,
    // Threads.
    ThreeThreads, FourThreads, NotJoined, CreateInLoop, CreateConditionally, SameFunctionTwice,
    IndexArgument, PointerArgument, ThreadResult, PthreadExit, ManySwitches,
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
];
