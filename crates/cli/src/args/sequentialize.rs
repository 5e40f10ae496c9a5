//! Arguments of `unravel sequentialize`.

use std::path::PathBuf;

use clap::Args;

use super::{Color, GivenArguments, Input, LimitArguments, PropertyArguments};

/// `unravel sequentialize`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0    no run fails, so nothing is written
  1    violation found; the failing run is written, and was compiled and run before;
       with --fault, the file passes
  2    wrong usage, or input that cannot be read or compiled
  3    inconclusive, or the run has something that cannot be written as a sequential program
  4    an internal check failed and the result is withheld
  130  interrupted")]
pub struct SequentializeArguments {
    #[command(flatten)]
    pub input: Input,

    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub given: GivenArguments,

    /// Write the run that would have passed: with the values of fault N of `unravel localize` in
    /// place of its lines, each with a comment that says what stood there
    #[arg(long, value_name = "N", conflicts_with = "schedule")]
    pub fault: Option<usize>,

    /// Colours of messages
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,
}
