//! Records: one for every event, all of one size.

/// One event. Four words, so that a ring of them never splits one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct Record {
    /// Kind, size, thread and a number whose meaning depends on the kind, from the lowest bits up.
    pub head: u64,
    /// The instruction of the program, `unit << 24 | index`; 0 where it is not known.
    pub site: u64,
    /// Mostly an address.
    pub a: u64,
    /// Mostly a value.
    pub b: u64,
}

/// The site of a thread's end, which is no instruction.
pub const END: u64 = 1;

/// The site of the end of the process by `exit`, where other threads may still come first.
pub const EXIT: u64 = 2;

/// The bit of a read's or write's number that says that it belongs to the step of the record before it.
pub const SAME_STEP: u32 = 1 << 31;

/// Bytes of a record.
pub const BYTES: usize = 32;

impl Record {
    /// A record.
    #[must_use]
    pub fn new(kind: Kind, thread: u16, site: u64) -> Record {
        Record { head: kind as u64 | u64::from(thread) << 16, site, a: 0, b: 0 }
    }

    /// The same with its two words.
    #[must_use]
    pub fn with(mut self, a: u64, b: u64) -> Record {
        (self.a, self.b) = (a, b);
        self
    }

    /// The same with a size in bytes. Sizes above 255 are 0: the number has them then.
    #[must_use]
    pub fn sized(mut self, size: u64) -> Record {
        self.head |= if size < 256 { size << 8 } else { 0 };
        self
    }

    /// The same with its number.
    #[must_use]
    pub fn numbered(mut self, number: u32) -> Record {
        self.head |= u64::from(number) << 32;
        self
    }

    /// What happened; `None` if the memory holds no record.
    #[must_use]
    pub fn kind(self) -> Option<Kind> {
        Kind::ALL.get((self.head & 0xff) as usize).copied()
    }

    /// Bytes that were accessed.
    #[must_use]
    pub fn size(self) -> u8 {
        (self.head >> 8) as u8
    }

    /// The thread, in the order of creation; 0 is the one that runs `main`.
    #[must_use]
    pub fn thread(self) -> u16 {
        (self.head >> 16) as u16
    }

    /// What the kind says it is.
    #[must_use]
    pub fn number(self) -> u32 {
        (self.head >> 32) as u32
    }
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// What happened.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Kind {
            $($(#[$doc])* $name,)*
        }

        impl Kind {
            /// All of them, by number.
            pub const ALL: &'static [Kind] = &[$(Kind::$name,)*];
        }
    };
}

kinds! {
    /// Nothing: memory that was never written.
    None,
    /// A read: address, value. The number counts the parts of an operation that takes several.
    Read,
    /// A write: address, value.
    Write,
    /// An atomic read: address, value.
    AtomicRead,
    /// An atomic write: address, value.
    AtomicWrite,
    /// An atomic read-modify-write: address, old value. A [`Kind::New`] follows.
    Update,
    /// A compare-and-swap that did not swap: address, the value it found.
    FailedUpdate,
    /// The value that an [`Kind::Update`] wrote: address, value.
    New,
    /// A fence.
    Fence,
    /// A read of more bytes than fit, without values: address, bytes.
    ReadRange,
    /// A write of more bytes than fit, without values: address, bytes.
    WriteRange,
    /// A local variable that others may reach begins: address, bytes.
    Local,
    /// The function returns, and its locals end: nothing.
    Leave,
    /// What a function outside returned: its bits.
    Result,
    /// What an instruction computed that the analysis cannot: low and high word.
    Value,
    /// A block of the heap begins: address, bytes.
    Allocate,
    /// A block of the heap ends: address.
    Free,
    /// A synchronization operation completed, or its first half did: object, second argument.
    /// The number is the operation and, in the upper half, its error code.
    Sync,
    /// A signal woke this thread: condition variable, thread.
    Woken,
    /// A thread was created: its number, start function.
    Create,
    /// A thread was joined: its number.
    Join,
    /// A thread begins to run: thread pointer, lowest address of its stack.
    Start,
    /// A thread has ended.
    End,
    /// The verifier's function returned an arbitrary value: its bits.
    Nondet,
    /// The run is of no interest: an assumption failed.
    AssumeFailed,
    /// An operation that POSIX does not define: object. The number is the misuse.
    Misuse,
    /// The run went another way than the schedule says: expected site, site.
    Diverged,
    /// The process ends: the number is an [`Ending`], then details.
    Ending,
    /// Who waits, when nobody can go on: object, holder plus one. The number is the operation.
    Waits,
    /// The thread slept or gave way: nanoseconds.
    Yield,
    /// A call of code without hooks, or of a function whose result is all that matters.
    Outside,
    /// Where the executable lies in memory: address.
    Module,
    /// A section that nobody else interrupts begins.
    Atomic,
    /// The thread gives the token away and stands before an event of this site.
    Stands,
}

macro_rules! endings {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// How a process ended, as far as the runtime saw it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Ending {
            $($(#[$doc])* $name,)*
        }

        impl Ending {
            /// All of them, by number.
            pub const ALL: &'static [Ending] = &[$(Ending::$name,)*];

            /// The word for it in files.
            #[must_use]
            pub fn word(self) -> &'static str {
                match self { $(Ending::$name => $word,)* }
            }
        }
    };
}

endings! {
    /// `exit`, or `main` returned: exit code.
    Exit = "exit",
    /// `_exit` and its kind: exit code.
    QuickExit = "quick-exit",
    /// A failed `assert`.
    Assert = "assert",
    /// `abort`.
    Abort = "abort",
    /// `reach_error`, `__VERIFIER_error`.
    Error = "error",
    /// A signal that ends the process: its number, the address that caused it.
    Signal = "signal",
    /// Nobody can go on.
    Deadlock = "deadlock",
    /// Everybody waits or polls for something that never comes.
    NoProgress = "no-progress",
    /// An access to memory that is no object: address, bytes.
    OutOfBounds = "out-of-bounds",
    /// An access to a block that was freed: address, bytes.
    UseAfterFree = "use-after-free",
    /// A block was freed for a second time: address.
    DoubleFree = "double-free",
    /// Something was freed that is no block: address.
    InvalidFree = "invalid-free",
    /// The runtime came to one of its own limits: the number of a limit.
    Limit = "limit",
    /// A sanitizer has reported something, and ends the process.
    Sanitizer = "sanitizer",
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_gives_back_what_it_was_made_of() {
        let record = Record::new(Kind::Update, 513, 7).sized(8).numbered(0xdead_beef).with(1, 2);
        assert_eq!(record.kind(), Some(Kind::Update));
        assert_eq!((record.thread(), record.size()), (513, 8));
        assert_eq!((record.number(), record.a, record.b), (0xdead_beef, 1, 2));
        assert_eq!(Record { head: 255, ..Record::default() }.kind(), None);
        assert_eq!(size_of::<Record>(), BYTES);
    }
}
