//! `unravel check`.

use std::io::Write as _;
use std::path::Path;

use unravel_driver::{CheckOptions, Checked};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::Verdict;
use unravel_report::{json, sarif, text};

use crate::args::{CheckArguments, Color, Emit, Engine, Format, OutputArguments};
use crate::budget::Budget;
use crate::exit::Exit;
use crate::{load, message, terminal};

/// Runs the command.
pub fn check(arguments: &CheckArguments) -> Exit {
    match try_check(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_check(arguments: &CheckArguments) -> Result<Exit, Exit> {
    let color = arguments.output.color;
    let limits = &arguments.limits;
    let mut budget = Budget::start(limits.time_limit, limits.memory_limit);
    let program = load::load(&arguments.input, color)?;
    let clang_ms = u64::try_from(budget.elapsed().as_millis()).unwrap_or(u64::MAX);
    if emit_program(arguments, &program)? {
        return Ok(Exit::Safe);
    }
    let options = CheckOptions {
        engine: match arguments.engine {
            Engine::Sat => unravel_driver::Engine::Sat,
            Engine::Explore => unravel_driver::Engine::Explore,
        },
        properties: arguments.properties.properties(),
        unwind: limits.unwind,
        all: arguments.all,
        states: limits.max_states,
        allocation_failure: limits.malloc_may_fail,
        ..CheckOptions::new()
    };
    let result = unravel_driver::check(&program, &options, &mut budget);
    budget.clear();
    let mut checked = result.map_err(|failure| {
        message::error(color, &format!("{failure}; the result is withheld"));
        message::help(color, "please report this, with the input");
        Exit::Internal
    })?;
    checked.report.time_ms = u64::try_from(budget.elapsed().as_millis()).unwrap_or(u64::MAX);
    checked.report.stats.push(("clang_ms", clang_ms));
    checked.report.stats.extend(budget.phases());
    emit_schedules(arguments, &checked)?;
    print(&arguments.output, &checked.report)?;
    Ok(exit(checked.report.verdict, budget.is_interrupted()))
}

fn exit(verdict: Verdict, interrupted: bool) -> Exit {
    match verdict {
        Verdict::Unsafe => Exit::Violation,
        _ if interrupted => Exit::Interrupted,
        Verdict::Safe => Exit::Safe,
        Verdict::Inconclusive => Exit::Inconclusive,
    }
}

/// Writes the program's text form; whether that was all there is to do.
fn emit_program(arguments: &CheckArguments, program: &Program) -> Result<bool, Exit> {
    let mut printed = false;
    for emit in &arguments.emit {
        match emit {
            Emit::Program(None) => {
                write_out(&program.to_string(), arguments.output.color)?;
                printed = true;
            }
            Emit::Program(Some(file)) => {
                write_file(file, &program.to_string(), arguments.output.color)?;
            }
            Emit::Schedule(_) => {}
        }
    }
    Ok(printed)
}

fn emit_schedules(arguments: &CheckArguments, checked: &Checked) -> Result<(), Exit> {
    let color = arguments.output.color;
    for emit in &arguments.emit {
        let Emit::Schedule(file) = emit else { continue };
        match checked.schedules.first() {
            Some(schedule) => write_file(file, schedule, color)?,
            None => message::note(color, "no schedule was written: no run fails"),
        }
    }
    Ok(())
}

/// Prints a report in the form the user wants.
pub fn print(output: &OutputArguments, report: &Report) -> Result<(), Exit> {
    let version = env!("CARGO_PKG_VERSION");
    let text = match output.format {
        Format::Text => text::render(report, terminal::style(output)),
        Format::Json => json::render(report, version),
        Format::Sarif => sarif::render(report, version),
    };
    write_out(&text, output.color)
}

/// Writes to standard output; a reader that has gone away is no error.
pub fn write_out(text: &str, color: Color) -> Result<(), Exit> {
    let mut out = std::io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            message::error(color, &format!("standard output cannot be written: {error}"));
            Err(Exit::Input)
        }
        _ => Ok(()),
    }
}

fn write_file(path: &Path, text: &str, color: Color) -> Result<(), Exit> {
    std::fs::write(path, text).map_err(|error| {
        message::error(color, &format!("`{}` cannot be written: {error}", path.display()));
        Exit::Input
    })
}
