//! Lines of the source as a repair names them, and what a repair enforces on them.

/// A part of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// Lines of one function.
    Lines {
        /// The first line.
        first: u32,
        /// The last line; equal to the first if it is one line.
        last: u32,
        /// The function, if the text shows one.
        function: Option<String>,
    },
    /// A whole function, where its lines are not known.
    Function(String),
}

/// One part of the source comes before another, whichever threads execute them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeOrder {
    /// What comes first.
    pub before: Code,
    /// What comes later.
    pub after: Code,
}

/// What a repair enforces in every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Required {
    /// One part comes before another.
    Before(CodeOrder),
    /// No two threads execute these parts at the same time. Threads that differ in where they are
    /// created have a part each, even if that is the same code.
    OneAtATime(Vec<Code>),
}
