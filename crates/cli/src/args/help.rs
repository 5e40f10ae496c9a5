//! Arguments of the commands that help with Unravel itself.

use clap::Args;
use clap::builder::StringValueParser;

use super::{Color, offered};
use crate::explain;

/// `unravel explain`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0    the page was shown
  2    there is no such page; the closest names are listed")]
pub struct ExplainArguments {
    /// A code of a report (`assertion`, `use-after-free`), or a pattern (`atomicity violation`);
    /// without one, all are listed
    #[arg(value_name = "CODE", hide_possible_values = true,
          value_parser = offered(StringValueParser::new(), explain::names()))]
    pub name: Vec<String>,

    /// Colours
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}

/// `unravel doctor`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0    all that is required is there
  1    something that is required is missing")]
pub struct DoctorArguments {
    /// Colours
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,
}

/// `unravel completions`.
#[derive(Debug, Args)]
#[command(after_help = "For bash, in a shell that has bash-completion:
  unravel completions bash > ~/.local/share/bash-completion/completions/unravel")]
pub struct CompletionsArguments {
    /// The shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `unravel man`.
#[derive(Debug, Args)]
#[command(after_help = "To read it at once:
  unravel man repair | man -l -")]
pub struct ManArguments {
    /// A command, such as `repair`; without one, the page of `unravel`
    #[arg(value_name = "COMMAND", hide_possible_values = true)]
    pub command: Option<String>,
}
