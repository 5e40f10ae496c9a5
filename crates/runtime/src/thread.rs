//! Threads as the scheduler sees them.

use core::sync::atomic::AtomicU32;

use unravel_sync::SyncOp;

/// Number of a thread, in the order of creation; 0 runs `main`.
pub type Id = u16;

/// So many threads are handled, ended ones included.
pub const MOST: usize = 2048;

/// Whether a thread can go on. Zeros are a valid one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// It has ended.
    Ended,
    /// It runs, or it can.
    Ready,
    /// It waits for something.
    Waiting(Wait),
    /// It is in a call that the runtime does not know how long it takes, without the token.
    Outside,
}

/// What a thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// For what.
    pub on: On,
    /// When it gives up, in nanoseconds of virtual time; `None` for never.
    pub until: Option<u64>,
}

/// The thing that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    /// An object of the thread library; `mutex` is the one that a waiter wants back, or 0.
    Object {
        /// The operation that has to wait.
        op: SyncOp,
        /// Its address.
        object: usize,
        /// The mutex's address.
        mutex: usize,
    },
    /// The end of a thread.
    Thread(Id),
    /// Another thread initializes a local variable of C++ that is static.
    Guard(usize),
    /// Only time.
    Time,
}

impl On {
    /// Whether a change of the object at this address may end the wait.
    #[must_use]
    pub fn is_at(self, address: usize) -> bool {
        match self {
            On::Object { object, mutex, .. } => object == address || mutex == address,
            On::Guard(guard) => guard == address,
            On::Thread(_) | On::Time => false,
        }
    }

    /// Whether the wait may end although nothing has happened: the wait of a condition variable.
    #[must_use]
    pub fn may_be_spurious(self) -> bool {
        matches!(self, On::Object { op: SyncOp::CondWake, .. })
    }
}

/// Whether a thread lets others go first at its next event. Not before: between two events it may
/// allocate or return, and whoever repeats the run by its events cannot switch there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum GivesWay {
    /// It does not.
    No,
    /// It has asked for it (`sched_yield`).
    Asked,
    /// It reads the same again and again.
    Polls,
}

/// One thread.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Thread {
    /// 1 when it is its turn; it sleeps here otherwise.
    pub turn: AtomicU32,
    /// Its number.
    pub id: Id,
    /// The call that it makes, for the functions that the runtime has taken over.
    pub call_site: u64,
    /// Whether it is inside the runtime, or was there when the program called it back.
    pub status: Status,
    /// A signal or broadcast was given to it, or it was let through a barrier.
    pub released: bool,
    /// The condition variable, barrier or lock at which it stands in the queue, or 0.
    pub queued_at: usize,
    /// Its time was declared over, or its wait ended without a signal.
    pub expired: bool,
    /// When it began to wait, as a number that grows.
    pub arrival: u64,
    /// The count of changes at which it was seen to read the same things again and again.
    pub spins_at: u64,
    /// `pct` and `pos`: who has the highest goes on.
    pub priority: u64,
    /// Address of its coming event, for `pos`.
    pub pending: usize,
    /// Whether the coming event writes.
    pub pending_writes: bool,
    /// Where its stack begins: the program's frames lie below.
    pub stack: usize,
    /// Its `pthread_t`.
    pub handle: usize,
    /// Nobody can join it any more.
    pub detached: bool,
    /// Where it starts, and with what.
    pub start: usize,
    /// The argument of its start function.
    pub argument: usize,
    /// C11 threads return an `int`.
    pub returns_int: bool,
    /// How often the destructors of its data were gone through.
    pub destructions: u8,
    /// Inside `__VERIFIER_atomic_begin` so many times: nobody else steps.
    pub atomic: u32,
    /// It gives way to others at its next event: it polls, or has asked for it.
    pub gives_way: GivesWay,
    /// The call that it makes gives nothing from outside.
    pub result_is_known: bool,
    /// How many decisions of each kind it has taken from the schedule.
    pub choices: [u32; 2],
    /// What it has been reading, to see that it spins.
    pub spin: crate::spin::Spin,
}

impl Thread {
    /// A thread that does not exist yet.
    #[must_use]
    pub const fn new(id: Id) -> Thread {
        Thread {
            turn: AtomicU32::new(0),
            id,
            call_site: 0,
            status: Status::Ended,
            released: false,
            queued_at: 0,
            expired: false,
            arrival: 0,
            spins_at: u64::MAX,
            priority: 0,
            pending: 0,
            pending_writes: false,
            stack: 0,
            handle: 0,
            detached: false,
            start: 0,
            argument: 0,
            returns_int: false,
            destructions: 0,
            atomic: 0,
            gives_way: GivesWay::No,
            result_is_known: false,
            choices: [0; 2],
            spin: crate::spin::Spin::new(),
        }
    }

    /// Whether it polls, and nothing has changed since that was seen.
    #[must_use]
    pub fn spins(&self, changes: u64) -> bool {
        self.spins_at == changes
    }

    /// Whether it can go on.
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.status == Status::Ready
    }
}
