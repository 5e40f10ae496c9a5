//! Every modelled C function, with what it does.

use super::sync::SyncOp;

/// How a function reports an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// Returns the error code, 0 for none (pthreads).
    Code,
    /// Returns −1 and sets `errno` (semaphores).
    Errno,
    /// Returns a `thrd_…` result (C11 `threads.h`).
    C11,
    /// Returns nothing (`call_once`, `mtx_destroy`).
    Void,
}

/// What a library function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// An operation on a synchronization object, first argument its address.
    Sync(SyncOp, Convention),
    /// Threads, their attributes and their data.
    Thread(Thread, Convention),
    /// `malloc` and its family.
    Memory(MemoryFunction),
    /// Ends or fails the program.
    Process(Process),
    /// The verifier's own functions.
    Verifier(Verifier),
    /// `__unravel_refuses(object, tag)`: whether an attribute object is not one that can be used, which
    /// is a misuse; what the models of `threads.c` ask first.
    Attribute,
    /// Formats a text; calls with a constant format become code ([`super::models`]).
    Print(Print),
    /// Collects what is printed, for those who show a run. Changes nothing.
    Show(Show),
    /// A function of `<math.h>` that is computed.
    Math(Math),
    /// Leaves memory alone and returns 0 (`usleep`, `fflush`).
    Nothing,
    /// Returns the address of this thread's `errno`.
    ErrnoLocation,
}

/// Functions on threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thread {
    /// `pthread_create(id, attr, start, arg)`.
    Create,
    /// `thrd_create(id, start, arg)`: the start function returns an `int`.
    CreateC11,
    /// `pthread_join(id, result)`; blocks until the thread has ended.
    Join,
    /// `thrd_join(id, result)`: the result is an `int`.
    JoinC11,
    /// The thread will not be joined.
    Detach,
    /// Ends the calling thread.
    Exit,
    /// The calling thread's id.
    Current,
    /// Whether two ids are the same.
    Equal,
    /// `pthread_key_create(key, destructor)`.
    KeyCreate,
    /// `pthread_key_delete(key)`.
    KeyDelete,
    /// `pthread_getspecific(key)`.
    KeyGet,
    /// `pthread_setspecific(key, value)`.
    KeySet,
}

/// The `malloc` family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are C's")]
pub enum MemoryFunction {
    Malloc,
    Calloc,
    Realloc,
    ReallocArray,
    Free,
    AlignedAlloc,
}

/// Functions that end or fail the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Process {
    /// `__assert_fail(expression, file, line, function)`: violates `reach`.
    AssertFail,
    /// `abort`, `__builtin_trap`: violates `reach`.
    Abort,
    /// `reach_error`, `__VERIFIER_error`: violates `reach`.
    ReachError,
    /// Ends the process.
    Exit,
}

/// The verifier's functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verifier {
    /// An arbitrary value of the result type.
    Nondet,
    /// The run is of no interest unless the argument is non-zero.
    Assume,
    /// No other thread steps until the matching end.
    AtomicBegin,
    /// Ends the atomic section.
    AtomicEnd,
    /// `__unravel_between(ordinary, low, high)`: an arbitrary value from `low` to `high`; what the
    /// models of library functions return where the outside decides.
    Between,
}

/// Output functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Print {
    /// `printf(format, …)`.
    Printf,
    /// `fprintf(file, format, …)`.
    Fprintf,
    /// `dprintf(descriptor, format, …)`.
    Dprintf,
    /// `sprintf(buffer, format, …)`.
    Sprintf,
    /// `snprintf(buffer, size, format, …)`.
    Snprintf,
    /// `syslog(priority, format, …)`.
    Syslog,
}

/// Parts of what is printed, as the models of `print.c` and of formats hand them over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Show {
    /// `__unravel_shows_byte(byte)`: of a text.
    Byte,
    /// `__unravel_shows_padding(spec, width)`: the text ends, and is padded.
    Padding,
    /// `__unravel_shows_literal(address, length)`: a part of the format.
    Literal,
    /// `__unravel_shows_number(spec, width, precision, number)`; also floats and addresses.
    Number,
    /// `__unravel_shows_line(is_stdout, stream, standard)`: the call ends. It wrote to the standard output
    /// if so or if the two streams are one.
    Line,
}

/// Functions of `<math.h>` whose results are rounded as the mathematical library does it, in double
/// or, with an `f` behind the name, single precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are C's")]
pub enum Math {
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Exp,
    Exp2,
    Expm1,
    Log,
    Log10,
    Log2,
    Log1p,
    Pow,
    Cbrt,
    Hypot,
}

use Action as A;
use Convention::{C11, Code, Errno, Void};
use SyncOp as S;
use Thread as T;

/// Name and action of every modelled function, by topic.
pub(super) const TABLE: &[(&str, Action)] = &[
    // Threads.
    ("pthread_create", A::Thread(T::Create, Code)),
    ("pthread_join", A::Thread(T::Join, Code)),
    ("pthread_detach", A::Thread(T::Detach, Code)),
    ("pthread_exit", A::Thread(T::Exit, Void)),
    ("pthread_self", A::Thread(T::Current, Code)),
    ("pthread_equal", A::Thread(T::Equal, Code)),
    ("thrd_create", A::Thread(T::CreateC11, C11)),
    ("thrd_join", A::Thread(T::JoinC11, C11)),
    ("thrd_detach", A::Thread(T::Detach, C11)),
    ("thrd_exit", A::Thread(T::Exit, Void)),
    ("thrd_current", A::Thread(T::Current, C11)),
    ("thrd_equal", A::Thread(T::Equal, C11)),
    ("pthread_key_create", A::Thread(T::KeyCreate, Code)),
    ("pthread_key_delete", A::Thread(T::KeyDelete, Code)),
    ("pthread_getspecific", A::Thread(T::KeyGet, Code)),
    ("pthread_setspecific", A::Thread(T::KeySet, Code)),
    ("tss_create", A::Thread(T::KeyCreate, C11)),
    ("tss_delete", A::Thread(T::KeyDelete, Void)),
    ("tss_get", A::Thread(T::KeyGet, C11)),
    ("tss_set", A::Thread(T::KeySet, C11)),
    // Mutexes.
    ("pthread_mutex_init", A::Sync(S::MutexInit, Code)),
    ("pthread_mutex_destroy", A::Sync(S::MutexDestroy, Code)),
    ("pthread_mutex_lock", A::Sync(S::MutexLock, Code)),
    ("pthread_mutex_trylock", A::Sync(S::MutexTryLock, Code)),
    ("pthread_mutex_timedlock", A::Sync(S::MutexTimedLock, Code)),
    ("pthread_mutex_clocklock", A::Sync(S::MutexTimedLock, Code)),
    ("pthread_mutex_unlock", A::Sync(S::MutexUnlock, Code)),
    ("mtx_init", A::Sync(S::MutexInitC11, C11)),
    ("mtx_destroy", A::Sync(S::MutexDestroy, Void)),
    ("mtx_lock", A::Sync(S::MutexLock, C11)),
    ("mtx_trylock", A::Sync(S::MutexTryLock, C11)),
    ("mtx_timedlock", A::Sync(S::MutexTimedLock, C11)),
    ("mtx_unlock", A::Sync(S::MutexUnlock, C11)),
    // Spin locks.
    ("pthread_spin_init", A::Sync(S::SpinInit, Code)),
    ("pthread_spin_destroy", A::Sync(S::SpinDestroy, Code)),
    ("pthread_spin_lock", A::Sync(S::SpinLock, Code)),
    ("pthread_spin_trylock", A::Sync(S::SpinTryLock, Code)),
    ("pthread_spin_unlock", A::Sync(S::SpinUnlock, Code)),
    // Reader-writer locks.
    ("pthread_rwlock_init", A::Sync(S::RwInit, Code)),
    ("pthread_rwlock_destroy", A::Sync(S::RwDestroy, Code)),
    ("pthread_rwlock_rdlock", A::Sync(S::RwReadLock, Code)),
    ("pthread_rwlock_tryrdlock", A::Sync(S::RwTryReadLock, Code)),
    ("pthread_rwlock_timedrdlock", A::Sync(S::RwTimedReadLock, Code)),
    ("pthread_rwlock_clockrdlock", A::Sync(S::RwTimedReadLock, Code)),
    ("pthread_rwlock_wrlock", A::Sync(S::RwWriteLock, Code)),
    ("pthread_rwlock_trywrlock", A::Sync(S::RwTryWriteLock, Code)),
    ("pthread_rwlock_timedwrlock", A::Sync(S::RwTimedWriteLock, Code)),
    ("pthread_rwlock_clockwrlock", A::Sync(S::RwTimedWriteLock, Code)),
    ("pthread_rwlock_unlock", A::Sync(S::RwUnlock, Code)),
    // Condition variables.
    ("pthread_cond_init", A::Sync(S::CondInit, Code)),
    ("pthread_cond_destroy", A::Sync(S::CondDestroy, Code)),
    ("pthread_cond_wait", A::Sync(S::CondWait, Code)),
    ("pthread_cond_timedwait", A::Sync(S::CondTimedWait, Code)),
    ("pthread_cond_clockwait", A::Sync(S::CondTimedWait, Code)),
    ("pthread_cond_signal", A::Sync(S::CondSignal, Code)),
    ("pthread_cond_broadcast", A::Sync(S::CondBroadcast, Code)),
    ("cnd_init", A::Sync(S::CondInit, C11)),
    ("cnd_destroy", A::Sync(S::CondDestroy, Void)),
    ("cnd_wait", A::Sync(S::CondWait, C11)),
    ("cnd_timedwait", A::Sync(S::CondTimedWait, C11)),
    ("cnd_signal", A::Sync(S::CondSignal, C11)),
    ("cnd_broadcast", A::Sync(S::CondBroadcast, C11)),
    // Barriers.
    ("pthread_barrier_init", A::Sync(S::BarrierInit, Code)),
    ("pthread_barrier_destroy", A::Sync(S::BarrierDestroy, Code)),
    ("pthread_barrier_wait", A::Sync(S::BarrierWait, Code)),
    // One-time initialization.
    ("pthread_once", A::Sync(S::Once, Code)),
    ("call_once", A::Sync(S::Once, Void)),
    // Semaphores.
    ("sem_init", A::Sync(S::SemInit, Errno)),
    ("sem_destroy", A::Sync(S::SemDestroy, Errno)),
    ("sem_wait", A::Sync(S::SemWait, Errno)),
    ("sem_trywait", A::Sync(S::SemTryWait, Errno)),
    ("sem_timedwait", A::Sync(S::SemTimedWait, Errno)),
    ("sem_clockwait", A::Sync(S::SemTimedWait, Errno)),
    ("sem_post", A::Sync(S::SemPost, Errno)),
    ("sem_getvalue", A::Sync(S::SemGetValue, Errno)),
    // Memory.
    ("malloc", A::Memory(MemoryFunction::Malloc)),
    ("calloc", A::Memory(MemoryFunction::Calloc)),
    ("realloc", A::Memory(MemoryFunction::Realloc)),
    ("reallocarray", A::Memory(MemoryFunction::ReallocArray)),
    ("free", A::Memory(MemoryFunction::Free)),
    ("aligned_alloc", A::Memory(MemoryFunction::AlignedAlloc)),
    ("memalign", A::Memory(MemoryFunction::AlignedAlloc)),
    // Ends.
    ("__assert_fail", A::Process(Process::AssertFail)),
    ("abort", A::Process(Process::Abort)),
    ("__builtin_trap", A::Process(Process::Abort)),
    ("reach_error", A::Process(Process::ReachError)),
    ("__VERIFIER_error", A::Process(Process::ReachError)),
    ("exit", A::Process(Process::Exit)),
    ("_exit", A::Process(Process::Exit)),
    ("_Exit", A::Process(Process::Exit)),
    ("quick_exit", A::Process(Process::Exit)),
    // The verifier's own.
    ("__unravel_refuses", A::Attribute),
    ("__VERIFIER_nondet_", A::Verifier(Verifier::Nondet)),
    ("__VERIFIER_assume", A::Verifier(Verifier::Assume)),
    ("assume_abort_if_not", A::Verifier(Verifier::Assume)),
    ("__VERIFIER_atomic_begin", A::Verifier(Verifier::AtomicBegin)),
    ("__VERIFIER_atomic_end", A::Verifier(Verifier::AtomicEnd)),
    ("__unravel_between", A::Verifier(Verifier::Between)),
    // Output.
    ("printf", A::Print(Print::Printf)),
    ("fprintf", A::Print(Print::Fprintf)),
    ("dprintf", A::Print(Print::Dprintf)),
    ("sprintf", A::Print(Print::Sprintf)),
    ("snprintf", A::Print(Print::Snprintf)),
    ("syslog", A::Print(Print::Syslog)),
    ("__unravel_shows_byte", A::Show(Show::Byte)),
    ("__unravel_shows_padding", A::Show(Show::Padding)),
    ("__unravel_shows_literal", A::Show(Show::Literal)),
    ("__unravel_shows_number", A::Show(Show::Number)),
    ("__unravel_shows_line", A::Show(Show::Line)),
    ("setbuf", A::Nothing),
    ("setvbuf", A::Nothing),
    // The rest of the environment.
    ("sleep", A::Nothing),
    ("usleep", A::Nothing),
    ("thrd_yield", A::Nothing),
    ("sched_yield", A::Nothing),
    ("pthread_yield", A::Nothing),
    ("__errno_location", A::ErrnoLocation),
    // Functions of numbers.
    ("sin", A::Math(Math::Sin)),
    ("sinf", A::Math(Math::Sin)),
    ("cos", A::Math(Math::Cos)),
    ("cosf", A::Math(Math::Cos)),
    ("tan", A::Math(Math::Tan)),
    ("tanf", A::Math(Math::Tan)),
    ("asin", A::Math(Math::Asin)),
    ("asinf", A::Math(Math::Asin)),
    ("acos", A::Math(Math::Acos)),
    ("acosf", A::Math(Math::Acos)),
    ("atan", A::Math(Math::Atan)),
    ("atanf", A::Math(Math::Atan)),
    ("atan2", A::Math(Math::Atan2)),
    ("atan2f", A::Math(Math::Atan2)),
    ("sinh", A::Math(Math::Sinh)),
    ("sinhf", A::Math(Math::Sinh)),
    ("cosh", A::Math(Math::Cosh)),
    ("coshf", A::Math(Math::Cosh)),
    ("tanh", A::Math(Math::Tanh)),
    ("tanhf", A::Math(Math::Tanh)),
    ("exp", A::Math(Math::Exp)),
    ("expf", A::Math(Math::Exp)),
    ("exp2", A::Math(Math::Exp2)),
    ("exp2f", A::Math(Math::Exp2)),
    ("expm1", A::Math(Math::Expm1)),
    ("expm1f", A::Math(Math::Expm1)),
    ("log", A::Math(Math::Log)),
    ("logf", A::Math(Math::Log)),
    ("log10", A::Math(Math::Log10)),
    ("log10f", A::Math(Math::Log10)),
    ("log2", A::Math(Math::Log2)),
    ("log2f", A::Math(Math::Log2)),
    ("log1p", A::Math(Math::Log1p)),
    ("log1pf", A::Math(Math::Log1p)),
    ("pow", A::Math(Math::Pow)),
    ("powf", A::Math(Math::Pow)),
    ("cbrt", A::Math(Math::Cbrt)),
    ("cbrtf", A::Math(Math::Cbrt)),
    ("hypot", A::Math(Math::Hypot)),
    ("hypotf", A::Math(Math::Hypot)),
];
