//! Exit codes (DESIGN §9): one enum, one table.

use std::process::ExitCode;

/// How the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// No violation, and nothing was cut or unsupported.
    Safe,
    /// A violation was found.
    Violation,
    /// Wrong usage, or input that cannot be read or compiled.
    Input,
    /// Neither safe nor unsafe.
    Inconclusive,
    /// An internal check failed, and the result is withheld.
    Internal,
    /// Something that is needed is missing on this machine.
    Missing,
    /// Ctrl-C.
    Interrupted,
}

/// Shown in `--help`.
pub const HELP: &str = "Exit codes:
  0    no violation, nothing cut or unsupported
  1    violation found
  2    wrong usage, or input that cannot be read or compiled
  3    inconclusive: a bound, a budget, or something that is not modelled
  4    an internal check failed and the result is withheld
  130  interrupted; what was known until then is shown";

impl Exit {
    /// The number that the system sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Safe => 0,
            Exit::Violation | Exit::Missing => 1,
            Exit::Input => 2,
            Exit::Inconclusive => 3,
            Exit::Internal => 4,
            Exit::Interrupted => 130,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
