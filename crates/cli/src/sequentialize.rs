//! `unravel sequentialize`.
//!
//! The file is compiled and run before it is written: if it does not fail where the program does, it
//! is withheld.

use std::path::Path;

use unravel_driver::{
    CheckOptions, InternalFailure, Refused, Sequential, Sequentialized, Unsupported,
    confirm_sequential, sequentialize_given,
};
use unravel_frontend::Options;
use unravel_program::Program;
use unravel_report::model::Verdict;

use crate::args::{Color, Format, OutputArguments, SequentializeArguments};
use crate::check::{Session, options, write_file, write_out};
use crate::exit::Exit;
use crate::run::read_schedule;
use crate::{load, message};

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
    let mut session = Session::start(&arguments.input, &arguments.limits, &output)?;
    let options = options(&arguments.properties, &arguments.limits);
    let defines = defines(&arguments.input.flags);
    let sequentialized = match arguments.schedule.as_deref() {
        Some(path) => given(&session.program, &options, &defines, path, color)?,
        None => session.ask(|program, budget| {
            unravel_driver::sequentialize(program, &options, &defines, budget)
        })?,
    };
    match sequentialized {
        Sequentialized::Written(written) => {
            confirm(&written, arguments)?;
            match arguments.output.as_deref() {
                Some(path) => write_file(path, &written.text, color)?,
                None => write_out(&written.text, color)?,
            }
            Ok(Exit::Violation)
        }
        Sequentialized::Unsupported(unsupported) => {
            say_unsupported(&session.program, &unsupported, color);
            Ok(Exit::Inconclusive)
        }
        Sequentialized::NoRun(checked) => {
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

/// The run of a schedule file.
fn given(
    program: &Program,
    options: &CheckOptions,
    defines: &[String],
    path: &Path,
    color: Color,
) -> Result<Sequentialized, Exit> {
    let file = read_schedule(path, color)?;
    let written = sequentialize_given(program, options, defines, &file)
        .map_err(|refused| refuse(&refused, path, color))?;
    written.map_err(|failure| withhold(&failure, color))
}

/// Compiles the written file as the front end would, and runs it.
fn confirm(written: &Sequential, arguments: &SequentializeArguments) -> Result<(), Exit> {
    let color = arguments.color;
    let compiled = compile(&written.text, arguments).map_err(|why| {
        let why = format!("the written file does not compile: {why}");
        withhold(&InternalFailure::Broken(why), color)
    })?;
    confirm_sequential(&compiled, written).map_err(|failure| withhold(&failure, color))
}

fn compile(text: &str, arguments: &SequentializeArguments) -> Result<Program, String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = directory.path().join("sequential.c");
    std::fs::write(&path, text).map_err(|error| error.to_string())?;
    let flags = without_defines(&arguments.input.flags);
    let options = Options { flags, compile_commands: None, ..load::options(&arguments.input) };
    let program = unravel_frontend::load(&[path], &options).map_err(|error| {
        let said = match &error {
            unravel_frontend::Error::CompileFailed { diagnostics, .. } => {
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

/// Says why a schedule is no failing run of the program.
fn refuse(refused: &Refused, path: &Path, color: Color) -> Exit {
    let shown = path.display();
    let (what, exit) = match refused {
        Refused::OtherSource(source) => {
            (format!("`{shown}` was made for another `{source}`"), Exit::Input)
        }
        Refused::Diverged(divergence) => {
            let (at, why) = (divergence.at + 1, &divergence.why);
            (format!("`{shown}` does not fit at step {at}: {why}"), Exit::Inconclusive)
        }
        Refused::DoesNotFail | Refused::Race => {
            (format!("the run of `{shown}` does not fail"), Exit::Input)
        }
    };
    message::error(color, &what);
    message::help(color, "write one that fails with `unravel check FILE --emit schedule=FILE`");
    exit
}
