//! The head of the shared memory.

use core::sync::atomic::{AtomicU32, AtomicU64};

/// What the memory begins with.
pub const MAGIC: u64 = u64::from_le_bytes(*b"unravel\x01");

/// Version of this interface. A program that was built with another one is refused.
pub const VERSION: u32 = 2;

/// The environment variable that has the number of the descriptor of the memory.
pub const VARIABLE: &str = "UNRAVEL_CONTROL";

/// That number, if the program may have so many. Far from those that a program gets, so that its own files have the numbers that they
/// have without us; the runtime closes it when it has the memory.
pub const DESCRIPTOR: i32 = 1000;

macro_rules! strategies {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// Who goes on at a scheduling point.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Strategy {
            $($(#[$doc])* $name,)*
        }

        impl Strategy {
            /// All of them, by number.
            pub const ALL: &'static [Strategy] = &[$(Strategy::$name,)*];

            /// Its name on the command line.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Strategy::$name => $word,)* }
            }
        }
    };
}

strategies! {
    /// The same thread as long as it can.
    Serial = "serial",
    /// Any thread that can, after a random number of events.
    Random = "random",
    /// The thread of the highest priority; some random events lower the one of their thread
    /// (Burckhardt et al., ASPLOS 2010).
    Pct = "pct",
    /// Each coming event has a random priority, drawn anew when another races with it
    /// (Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018).
    Pos = "pos",
    /// As the schedule says.
    Follow = "follow",
}

/// The head. Everything but the atomics is written by the recorder before the program starts.
#[derive(Debug)]
#[repr(C)]
pub struct Control {
    /// [`MAGIC`].
    pub magic: u64,
    /// [`VERSION`].
    pub version: u32,
    /// Number of a [`Strategy`].
    pub strategy: u32,
    /// What random decisions come from.
    pub seed: u64,
    /// `pct`: how many priority changes.
    pub depth: u32,
    /// Whether events are written at all.
    pub records: u32,
    /// `pct`: events among which the changes are spread.
    pub length: u64,
    /// End the run after so many events; 0 for never.
    pub limit: u64,
    /// Whether the blocks of the heap that were freed get their addresses again soon.
    pub reuse: u32,
    /// Whether undefined operations on locks end the run.
    pub strict: u32,
    /// Number of a [`Mutant`] plus one, for the runtime that tests are tested with; 0 for none.
    pub mutant: u32,
    /// Nothing.
    pub unused: u32,
    /// Where the [`Segment`]s lie, in bytes from the start of the memory.
    pub segments_at: u64,
    /// How many there are.
    pub segments: u64,
    /// Where the [`Choice`]s lie.
    pub choices_at: u64,
    /// How many there are.
    pub choices: u64,
    /// Where the ring lies.
    pub ring_at: u64,
    /// How many records fit; a power of two.
    pub ring: u64,
    /// Records written so far.
    pub head: AtomicU64,
    /// Records read so far.
    pub tail: AtomicU64,
    /// The process that has taken the memory; its children leave it alone.
    pub process: AtomicU32,
    /// Changes when the recorder has made room.
    pub room: AtomicU32,
    /// Changes when there is something to read.
    pub bell: AtomicU32,
    /// The number of events so far, written or not.
    pub events: AtomicU64,
    /// 1 once the program has ended in a way that the runtime saw.
    pub ended: AtomicU32,
    /// Segments that were followed to their end.
    pub followed: AtomicU64,
}

/// A piece of a schedule: a thread runs until it stands before an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Segment {
    /// The site of that event; 0: until the thread waits or ends.
    pub site: u64,
    /// Which event of that site, counted from 1 at the start of the segment.
    pub occurrence: u64,
    /// The thread.
    pub thread: u32,
    /// Its threads's wait ends without a signal, or its time is over, at the start of the segment.
    pub expired: u32,
}

/// A decision of a thread other than who goes on: which waiter a signal wakes, an arbitrary value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Choice {
    /// The thread that decides.
    pub thread: u32,
    /// What is decided: a number of [`Decision`].
    pub what: u32,
    /// The decision.
    pub value: u64,
}

/// What a [`Choice`] decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Decision {
    /// Which thread a signal wakes.
    Woken,
    /// What a function of the verifier returns.
    Nondet,
}

/// A way to break the runtime, for the tests of its tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Mutant {
    /// Who finds a mutex locked takes it all the same.
    LockDoesNotExclude,
    /// A signal wakes nobody.
    SignalIsLost,
    /// A read is recorded before others may come first.
    ReadTooEarly,
    /// A read is recorded when others have come after it.
    ReadTooLate,
    /// A write is recorded before others may come first.
    WriteTooEarly,
    /// A join does not wait.
    JoinDoesNotWait,
}

impl Mutant {
    /// All of them.
    pub const ALL: &'static [Mutant] = &[
        Mutant::LockDoesNotExclude,
        Mutant::SignalIsLost,
        Mutant::ReadTooEarly,
        Mutant::ReadTooLate,
        Mutant::WriteTooEarly,
        Mutant::JoinDoesNotWait,
    ];
}
