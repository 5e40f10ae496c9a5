//! `unravel sequentialize`.
//!
//! The file is compiled and run before it is written: if it does not fail where the program does, or
//! does not pass with the values of a fault, it is withheld.

use std::path::Path;

use unravel_driver::{
    InternalFailure, Sequential, Sequentialized, Unsupported, confirm_corrected,
    confirm_sequential, sequentialize_fault,
};
use unravel_frontend::{Error, Options};
use unravel_program::Program;
use unravel_report::model::{Command, Schedules, Verdict};
use unravel_span::bytes;

use crate::args::{Color, Format, OutputArguments, SequentializeArguments};
use crate::check::{Session, options, write_file, write_source};
use crate::exit::Exit;
use crate::last_words::Asked;
use crate::{load, message, usage};

/// Runs the command.
pub fn sequentialize(arguments: &SequentializeArguments) -> Exit {
    match try_sequentialize(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_sequentialize(arguments: &SequentializeArguments) -> Result<Exit, Exit> {
    let color = arguments.color;
    load::check_sources(&arguments.input, color)?;
    let output = OutputArguments { format: Format::Text, color, verbose: false };
    let asked = Asked::new(Command::Sequentialize, &arguments.properties);
    let mut session = Session::start(asked, &arguments.input, &arguments.limits, &output)?;
    let outputs: Vec<_> = arguments.output.as_deref().into_iter().collect();
    usage::keep_program(&outputs, &session.program, color)?;
    let options = options(&arguments.properties, &arguments.limits);
    let defines = defines(&arguments.input.flags);
    session.take_given(&arguments.given, &options)?;
    let sequentialized = match arguments.fault {
        Some(number) => {
            let with_locals = load::load_for_changes(&arguments.input, color)?;
            session.ask(|subject, budget| {
                let programs = (subject.program, &with_locals);
                sequentialize_fault(programs, &options, &defines, number, budget)
            })?
        }
        None => session.ask(|subject, budget| {
            unravel_driver::sequentialize(subject, &options, &defines, budget)
        })?,
    };
    match sequentialized {
        Sequentialized::Written(written) => {
            let compiled = compiled(&written, arguments, || session.say_stopped())?;
            confirm_sequential(&compiled, &written).map_err(|failure| withhold(&failure, color))?;
            session.answered();
            show(&written, arguments)
        }
        Sequentialized::Corrected(written, schedules) => {
            let compiled = compiled(&written, arguments, || session.say_stopped())?;
            confirm_corrected(&compiled).map_err(|failure| match schedules {
                Schedules::All => withhold(&failure, color),
                Schedules::ThisOnly | Schedules::Unknown => say_still_fails(color),
            })?;
            session.answered();
            show(&written, arguments)
        }
        Sequentialized::Unsupported(unsupported) => {
            say_unsupported(&session.program, &unsupported, color);
            Ok(Exit::Inconclusive)
        }
        Sequentialized::NoFault(count) => {
            say_no_fault(count, color);
            Ok(Exit::Input)
        }
        Sequentialized::NoRun(checked) => {
            if checked.report.verdict != Verdict::Safe
                && let Some(exit) = session.say_stopped()
            {
                return Ok(exit);
            }
            session.answered();
            Ok(no_run(checked.report.verdict, session.is_interrupted(), color))
        }
    }
}

/// Macros of the command line.
fn defines(flags: &[String]) -> Vec<String> {
    let mut all = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.strip_prefix("-D") {
            Some("") => all.extend(flags.next().cloned()),
            Some(define) => all.push(define.to_owned()),
            None => {}
        }
    }
    all
}

fn show(written: &Sequential, arguments: &SequentializeArguments) -> Result<Exit, Exit> {
    match arguments.output.as_deref() {
        Some(path) => write_file(path, &written.text, arguments.color)?,
        None => write_source(&written.text, arguments.color)?,
    }
    Ok(Exit::Violation)
}

/// Compiles the written file as the front end would. `stopped` says so if that was stopped.
fn compiled(
    written: &Sequential,
    arguments: &SequentializeArguments,
    stopped: impl FnOnce() -> Option<Exit>,
) -> Result<Program, Exit> {
    let directory = temporary(&written.text).map_err(|error| {
        load::explain(&Error::Temporary { reason: error.to_string() }, arguments.color);
        Exit::Input
    })?;
    compile(directory.path(), arguments).map_err(|why| {
        if let Some(exit) = stopped() {
            return exit;
        }
        let why = format!("the written file does not compile: {why}");
        withhold(&InternalFailure::Broken(why), arguments.color)
    })
}

const WRITTEN: &str = "sequential.c";

/// The text as a file in a folder of its own.
fn temporary(text: &str) -> std::io::Result<tempfile::TempDir> {
    let directory = tempfile::tempdir()?;
    std::fs::write(directory.path().join(WRITTEN), bytes::encode(text))?;
    Ok(directory)
}

fn compile(directory: &Path, arguments: &SequentializeArguments) -> Result<Program, String> {
    let path = directory.join(WRITTEN);
    let flags = without_defines(&arguments.input.flags);
    let options = Options { flags, compile_commands: None, ..load::options(&arguments.input) };
    let program = unravel_frontend::load(&[path], &options).map_err(|error| {
        let said = match &error {
            Error::CompileFailed { diagnostics, .. } => {
                diagnostics.lines().find(|it| it.contains("error:"))
            }
            _ => None,
        };
        said.map_or_else(|| error.to_string(), str::to_owned)
    })?;
    unravel_program::validate::validate(&program)
        .map_err(|_| "the front end makes an invalid program of it".to_owned())?;
    Ok(program)
}

/// The macros are in the file.
fn without_defines(flags: &[String]) -> Vec<String> {
    let mut rest = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        if flag == "-D" {
            flags.next();
        } else if !flag.starts_with("-D") {
            rest.push(flag.clone());
        }
    }
    rest
}

fn withhold(failure: &InternalFailure, color: Color) -> Exit {
    message::error(color, &format!("{failure}; the result is withheld"));
    message::help(color, "please report this, with the input");
    Exit::Internal
}

/// The values are right in one run that the failing one leads to, not in each.
fn say_still_fails(color: Color) -> Exit {
    let what = "with these values the failing run still fails where a thread goes on at once that \
                waits in the run that passes";
    message::error(color, what);
    message::help(color, "choose a fault with which `unravel localize` says every schedule passes");
    Exit::Inconclusive
}

fn say_no_fault(count: usize, color: Color) {
    let found = match count {
        0 => "no value".to_owned(),
        1 => "only fault 1".to_owned(),
        _ => format!("only faults 1 to {count}"),
    };
    message::error(color, &format!("there is no such fault: `unravel localize` finds {found}"));
    message::help(color, "`unravel localize` with the same arguments lists them by number");
}

fn say_unsupported(program: &Program, unsupported: &Unsupported, color: Color) {
    let place = unsupported.at.map_or_else(String::new, |span| {
        format!("{}:{}:{}: ", program.files.path(span.file), span.line, span.column)
    });
    message::error(color, &format!("{place}{unsupported}"));
    message::help(color, "`unravel check` shows the failing run as it is");
}

fn no_run(verdict: Verdict, interrupted: bool, color: Color) -> Exit {
    match verdict {
        Verdict::Safe => {
            message::note(color, "no run fails, so there is nothing to write");
            Exit::Safe
        }
        _ if interrupted => Exit::Interrupted,
        _ => {
            message::note(
                color,
                "no failing run was found; `unravel check` says how far it looked",
            );
            Exit::Inconclusive
        }
    }
}
