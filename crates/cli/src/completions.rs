//! `unravel completions`: made from the argument parser, so that they cannot differ from it.

use crate::args::{self, Color, CompletionsArguments};
use crate::check::write_out;
use crate::exit::Exit;

/// Runs the command.
pub fn completions(arguments: &CompletionsArguments) -> Exit {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut args::command(), "unravel", &mut text);
    match write_out(&String::from_utf8_lossy(&text), Color::Auto) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}
