//! Arguments of `unravel localize`.

use clap::Args;

use super::{
    Emit, GivenArguments, Input, LimitArguments, OutputArguments, PropertyArguments, emits,
};
use crate::exit;

/// `unravel localize`.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct LocalizeArguments {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub given: GivenArguments,

    /// Also write: program[=FILE] (the intermediate form; without FILE, print it and stop),
    /// schedule=FILE (the failing run, for `unravel run --schedule`)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = emits(),
          hide_possible_values = true)]
    pub emit: Vec<Emit>,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}
