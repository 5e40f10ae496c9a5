//! `unravel run`.

use std::io::Write;
use std::path::Path;

use unravel_driver::run::{Outcome, Ran, run_fair, run_schedule};
use unravel_interp::Config;
use unravel_interp::schedule_file::ScheduleFile;
use unravel_program::Program;
use unravel_report::words::reason;

use crate::args::{Color, Format, OutputArguments, RunArguments};
use crate::check::print;
use crate::exit::Exit;
use crate::{load, message};

/// Runs the command.
pub fn run(arguments: &RunArguments) -> Exit {
    match try_run(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_run(arguments: &RunArguments) -> Result<Exit, Exit> {
    let color = arguments.output.color;
    let schedule = arguments.schedule.as_deref().map(|path| read_schedule(path, color));
    let schedule = schedule.transpose()?;
    let program = load::load(&arguments.input, color)?;
    let config = Config::new(arguments.properties.properties());
    let ran = match &schedule {
        None => run_fair(&program, config, arguments.max_steps),
        Some(file) => run_schedule(&program, config, file).map_err(|divergence| {
            let at = divergence.at + 1;
            message::error(
                color,
                &format!("the schedule does not fit at step {at}: {}", divergence.why),
            );
            message::help(color, "make a new one with `unravel check --emit schedule=FILE`");
            Exit::Inconclusive
        })?,
    };
    print_output(&ran.output, arguments.output.format);
    say_notes(&program, &ran, color);
    finish(arguments, &program, ran)
}

/// Reads a schedule file.
pub fn read_schedule(path: &Path, color: Color) -> Result<ScheduleFile, Exit> {
    let shown = path.display();
    let unreadable = |why: String| {
        message::error(color, &format!("`{shown}` cannot be read: {why}"));
        Exit::Input
    };
    if path.exists() && !path.is_file() {
        return Err(unreadable("it is no regular file".to_owned()));
    }
    let text = std::fs::read_to_string(path).map_err(|error| unreadable(error.to_string()))?;
    ScheduleFile::parse(&text).map_err(|error| {
        message::error(color, &format!("{shown}:{}: {}", error.line, error.message));
        message::help(color, "write one with `unravel check --emit schedule=FILE`");
        Exit::Input
    })
}

/// The program's output is bytes, kept as one character each. It has standard output for itself,
/// unless that is for a report that a program reads.
fn print_output(output: &str, format: Format) {
    let bytes: Vec<u8> = output.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let mut out: Box<dyn Write> = match format {
        Format::Text => Box::new(std::io::stdout().lock()),
        Format::Json | Format::Sarif => Box::new(std::io::stderr().lock()),
    };
    // A reader that has gone away is no error.
    let _ = out.write_all(&bytes).and_then(|()| out.flush());
}

fn say_notes(program: &Program, ran: &Ran, color: Color) {
    let cut = ran.cut.iter().map(|it| (&it.place, reason::cut(it.what)));
    let rest = ran.not_modelled.iter().map(|it| (&it.place, reason::not_modelled_in_run(&it.what)));
    for (place, what) in cut.chain(rest) {
        let at = place.as_ref().map_or_else(String::new, |place| {
            format!("{}:{}: ", program.files.path(place.span.file), place.span.line)
        });
        message::note(color, &format!("{at}{what}"));
    }
}

fn finish(arguments: &RunArguments, program: &Program, ran: Ran) -> Result<Exit, Exit> {
    let OutputArguments { color, format, .. } = arguments.output;
    let exit = match ran.outcome {
        Outcome::Complete(code) => {
            message::note(color, &format!("the program ended with exit code {code}"));
            Exit::Safe
        }
        Outcome::Violation => Exit::Violation,
        Outcome::Incomplete => {
            message::note(color, "the run was not completed");
            Exit::Inconclusive
        }
    };
    // To a person all is said by then; a program reads a report of every run.
    if format != Format::Text || ran.finding.is_some() {
        let properties = arguments.properties.properties();
        let mut report = ran.report(program, properties);
        report.bounds.calls_succeed = arguments.input.assume_calls_succeed;
        print(&arguments.output, &report)?;
    }
    Ok(exit)
}
