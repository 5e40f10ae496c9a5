//! What cannot be built with hooks.

use std::fmt;

/// Why a program is not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// `-fsanitize=thread`.
    ThreadSanitizer,
    /// `-fsanitize=memory` and its kind.
    ShadowSanitizer,
    /// `-static`.
    Static,
    /// `-m32`, `--target`.
    OtherMachine,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::ThreadSanitizer => {
                "`-fsanitize=thread` does not work with hooks: both take the functions of the \
                 thread library for themselves"
            }
            Refusal::ShadowSanitizer => {
                "this `-fsanitize` does not work with hooks: it follows every write, and those of \
                 the runtime are not seen"
            }
            Refusal::Static => {
                "`-static` does not work with hooks yet: the runtime stands in front of the C \
                 library, which has to be a shared one for that"
            }
            Refusal::OtherMachine => "only programs for 64-bit x86 Linux can have hooks",
        })
    }
}

impl Refusal {
    /// What to do about it.
    #[must_use]
    pub fn help(self) -> &'static str {
        match self {
            Refusal::ThreadSanitizer => {
                "leave it out: races are found by other means; or build with `clang-19`"
            }
            Refusal::ShadowSanitizer | Refusal::Static => "leave it out, or build with `clang-19`",
            Refusal::OtherMachine => "leave `-m32` or `--target` out, or build with `clang-19`",
        }
    }
}
