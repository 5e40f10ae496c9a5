//! What runs of a patched program show, outside of the engines.

/// What was seen of a patched program that was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tried {
    /// It ran so often, and no run failed.
    Runs {
        /// How often it ran.
        runs: u32,
        /// More were wanted, and a limit or the user came before them.
        cut: bool,
    },
    /// It was not run.
    NotRun(WhyNotRun),
}

/// Why a patched program was not run. It says nothing against the patch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNotRun {
    /// It cannot be built; the message is the compiler's or the linker's.
    NotBuilt(String),
    /// It cannot be started; the message is the system's.
    NotStarted(String),
    /// A function of the program is atomic by its name, which only verifiers know.
    AtomicByName(String),
    /// The program as it is does not come to its end either.
    NeverEnds {
        /// Seconds after which it was ended.
        seconds: u64,
    },
    /// A limit or the user came before the first run.
    Stopped,
}

/// How a run of a patched program fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFailure {
    /// It does not come to its end.
    Hangs {
        /// Seconds after which it was ended.
        seconds: u64,
    },
    /// A signal ends it: a failed assertion, an access to memory that is not there.
    Signal(i32),
    /// It ends with an exit code that no run of the program as it is had.
    ExitCode(i32),
}
