//! `unravel man`: manual pages, made from the argument parser.

use crate::args::{self, Color, ManArguments};
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
    let command = wanted(arguments.command.as_deref())?;
    let synopsis = synopsis(&command);
    let page = clap_mangen::Man::new(command.override_usage(synopsis))
        .source(concat!("unravel ", env!("CARGO_PKG_VERSION")))
        .manual("Unravel");
    let mut text = Vec::new();
    page.render(&mut text).map_err(|error| {
        message::error(Color::Auto, &format!("the page cannot be made: {error}"));
        Exit::Internal
    })?;
    write_out(&with_headings(&String::from_utf8_lossy(&text)), Color::Auto)
}

/// How a command is called, with the names of values, which clap_mangen would leave out.
fn synopsis(command: &clap::Command) -> String {
    let shown = |it: &&clap::Arg| !it.is_hide_set();
    let mut words = vec![command.get_bin_name().unwrap_or(command.get_name()).to_owned()];
    let options = command.get_arguments().filter(|it| !it.is_positional());
    words.extend(options.filter(shown).map(|it| format!("[{it}]")));
    words.extend(command.get_positionals().filter(shown).map(|it| match it.is_last_set() {
        true => format!("[-- {it}]"),
        false => it.to_string(),
    }));
    words.extend(command.has_subcommands().then(|| "<COMMAND>".to_owned()));
    words.join(" ")
}

/// clap_mangen has one heading for whatever follows the options; `man` has one for what it is.
fn with_headings(page: &str) -> String {
    let page = page.replace(".SH EXTRA\nExit codes:\n", ".SH \"EXIT STATUS\"\n");
    page.replace(".SH EXTRA\n", ".SH EXAMPLES\n")
}

/// The command whose page is wanted, under the name that `man` shows.
fn wanted(name: Option<&str>) -> Result<clap::Command, Exit> {
    let mut all = args::command();
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
