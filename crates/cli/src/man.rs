//! `unravel man`: manual pages, made from the argument parser.

use clap::CommandFactory as _;

use crate::args::{Arguments, Color, ManArguments};
use crate::check::write_out;
use crate::exit::Exit;
use crate::message;

/// Runs the command.
pub fn man(arguments: &ManArguments) -> Exit {
    match try_man(arguments) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}

fn try_man(arguments: &ManArguments) -> Result<(), Exit> {
    let page = clap_mangen::Man::new(wanted(arguments.command.as_deref())?)
        .source(concat!("unravel ", env!("CARGO_PKG_VERSION")))
        .manual("Unravel");
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| {
        message::error(Color::Auto, &format!("the page cannot be made: {error}"));
        Exit::Internal
    })?;
    write_out(&String::from_utf8_lossy(&text), Color::Auto)
}

/// The command whose page is wanted, under the name that `man` shows.
fn wanted(name: Option<&str>) -> Result<clap::Command, Exit> {
    let mut all = Arguments::command();
    // Fills in what the commands inherit, among it how they are called.
    all.build();
    let Some(name) = name else { return Ok(all) };
    let names: Vec<&str> = all.get_subcommands().map(clap::Command::get_name).collect();
    let names = names.join(", ");
    let found = all.find_subcommand(name).cloned();
    let found = found.map(|it| it.display_name(format!("unravel-{name}")));
    found.ok_or_else(|| {
        message::error(Color::Auto, &format!("there is no command `{name}`"));
        message::help(Color::Auto, &format!("there are {names}"));
        Exit::Input
    })
}
