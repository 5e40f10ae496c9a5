//! Arguments of the commands on recorded runs.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Color;

/// Who goes on when several threads can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    /// The same thread as long as it can
    Serial,
    /// Any thread that can, after a random number of events
    Random,
    /// The thread of the highest priority; some random events lower one
    Pct,
    /// Every event has a random priority, drawn anew when another races with it
    Pos,
}

/// `unravel record`.
#[derive(Debug, Args)]
#[command(after_help = "\
The program is one that `unravel cc` has built. Nothing else is needed to look at the run later: the
program has its own intermediate code inside.

  CC=\"unravel cc\" make
  unravel record -o bank.run ./bank 100
  unravel show bank.run

Exit codes:
  0    the run is recorded, and did not fail
  1    the run is recorded, and failed: a crash, an assertion, a deadlock, a memory error
  2    wrong usage, or a program that cannot be started or was not built by `unravel cc`
  3    the run is not complete")]
pub struct RecordArguments {
    /// Where the run goes [default: the program's name with `.run`]
    #[arg(short, long, value_name = "RUN")]
    pub output: Option<PathBuf>,

    /// Who goes on when several threads can
    #[arg(long, value_enum, default_value = "serial")]
    pub mode: Mode,

    /// What random decisions come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// End the run after so many events
    #[arg(long, value_name = "N")]
    pub max_events: Option<u64>,

    /// Colours of messages
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,

    /// The program
    #[arg(value_name = "PROGRAM")]
    pub program: PathBuf,

    /// What it is called with
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    pub arguments: Vec<OsString>,
}

/// `unravel replay`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0    every run went the same way
  2    wrong usage, a recording that cannot be read, or a program that has changed since
  3    a run went another way: the first difference is shown")]
pub struct ReplayArguments {
    /// The recorded run
    #[arg(value_name = "RUN", required_unless_present = "schedule")]
    pub run: Option<PathBuf>,

    /// Force this schedule, which `unravel check --emit schedule=FILE` wrote, on a program that
    /// `unravel cc` has built from the same files
    #[arg(long, value_name = "FILE", num_args = 2, value_names = ["FILE", "PROGRAM"],
          conflicts_with = "run")]
    pub schedule: Option<Vec<PathBuf>>,

    /// How often
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    pub number: u32,

    /// The last run in gdb, stopped where the recorded one ended
    #[arg(long)]
    pub gdb: bool,

    /// Let the program write to the terminal; what it prints goes nowhere otherwise
    #[arg(long)]
    pub write: bool,

    /// Colours of messages
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}

/// Form of a recorded run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// For people: a line each step
    Text,
    /// One JSON object
    Json,
    /// For Perfetto and Chrome's tracing
    Chrome,
    /// The text form of RAPID
    Std,
}

/// `unravel show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes:
  0    shown
  2    wrong usage, or a recording that cannot be read
  3    shown as far as it is there: something is missing")]
pub struct ShowArguments {
    /// The recorded run
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Form of the result on standard output
    #[arg(long, value_enum, default_value = "text")]
    pub format: RunFormat,

    /// Colours of messages
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}
