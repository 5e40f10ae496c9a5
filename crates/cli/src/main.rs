//! `unravel`: the command line.
//!
//! This is the only crate that touches the outside: arguments, files, the environment, clocks,
//! terminals, signals and the exit code. It reads what the user asked for ([`args`]), hands it to
//! the front end and the driver, and prints what comes back. Results go to standard output,
//! progress and messages to standard error.
#![forbid(unsafe_code)]

mod again;
mod args;
mod budget;
mod check;
mod compare;
mod compile;
mod completions;
mod diagnose;
mod doctor;
mod exit;
mod explain;
mod given;
mod last_words;
mod limits;
mod load;
mod localize;
mod man;
mod message;
mod record;
mod recording;
mod repair;
mod replay;
mod run;
mod sequentialize;
mod show;
mod stub;
mod terminal;
mod usage;

use std::process::ExitCode;

use clap::FromArgMatches;

use compile::Compiler;

/// Memory that runs out is told, and does not abort the process.
#[global_allocator]
static HEAP: unravel_heap::Heap = unravel_heap::Heap;

/// Parses the arguments; clap itself ends the process on `--help` and wrong usage.
fn arguments() -> args::Arguments {
    let mut command = args::command();
    // Asking clang for its version takes as long as a small check: only where it is wanted.
    if std::env::args_os().any(|argument| argument == "--version") {
        command = command.long_version(load::long_version());
    }
    let matches = command.get_matches();
    args::Arguments::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn main() -> ExitCode {
    // Before anything looks at the arguments: all of them are clang's.
    if let Some((compiler, arguments)) = Compiler::called(std::env::args_os()) {
        return compile::compile(compiler, &arguments);
    }
    let arguments = arguments();
    if let Err(exit) = usage::check(&arguments.command) {
        return exit.into();
    }
    let end = match arguments.command {
        args::Command::Check(options) => check::check(&options),
        args::Command::Compare(options) => compare::compare(&options),
        args::Command::Diagnose(options) => diagnose::diagnose(&options),
        args::Command::Localize(options) => localize::localize(&options),
        args::Command::Record(options) => record::record(&options),
        args::Command::Replay(options) => replay::replay(&options),
        args::Command::Show(options) => show::show(&options),
        args::Command::Repair(options) => repair::repair(&options),
        args::Command::Stub(options) => stub::stub(&options),
        args::Command::Run(options) => run::run(&options),
        args::Command::Cc(options) => return compile::compile(Compiler::C, &options.arguments),
        args::Command::Cxx(options) => return compile::compile(Compiler::Cxx, &options.arguments),
        args::Command::Explain(options) => explain::explain(&options),
        args::Command::Doctor(options) => doctor::doctor(&options),
        args::Command::Completions(options) => completions::completions(&options),
        args::Command::Man(options) => man::man(&options),
        args::Command::Sequentialize(options) => sequentialize::sequentialize(&options),
    };
    end.into()
}
