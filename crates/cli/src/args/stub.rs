//! Arguments of `unravel stub`.

use clap::Args;

use super::{Color, Input};

/// `unravel stub`.
#[derive(Debug, Args)]
#[command(after_help = "\
Each stub returns any value of its type and touches nothing that its pointers lead to. Change those
in which more than that matters, and give the file together with the others:

  unravel stub a.c b.c > stubs.c
  unravel check a.c b.c stubs.c

Exit codes:
  0    the stubs are written, or none is needed
  2    wrong usage, or input that cannot be read or compiled
  3    the stubs are written, and do not compile together with the program as they are")]
pub struct StubArguments {
    #[command(flatten)]
    pub input: Input,

    /// Colours of messages
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}
