//! Why an engine was stopped.

use std::time::Duration;

/// Why an engine was stopped before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// This much time was allowed, and has passed.
    Time(Duration),
    /// This many bytes of memory were allowed, and the process takes more.
    Memory(u64),
    /// The user pressed Ctrl-C.
    Interrupted,
    /// This much work was allowed, and is done. It is counted in looks at the watch, so that the
    /// answer does not depend on how fast the machine is.
    Work(Work),
}

/// Work that is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The questions of a search: another engine may be quicker.
    Search,
    /// The causes of a diagnosis after the first one, where a repair is looked for.
    Causes,
    /// Something that its caller ended without saying why.
    Other,
}
