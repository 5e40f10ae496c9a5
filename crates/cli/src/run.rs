//! `unravel run`.

use std::io::Write as _;
use std::path::Path;

use unravel_driver::run::{Outcome, Ran, run_fair, run_schedule};
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, Note, Property};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{Bounds, Verdict};

use crate::args::{Color, RunArguments};
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
    print_output(&ran.output);
    say_notes(&program, &ran, color);
    finish(arguments, &program, ran)
}

/// Reads a schedule file.
pub fn read_schedule(path: &Path, color: Color) -> Result<ScheduleFile, Exit> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|error| {
        message::error(color, &format!("`{shown}` cannot be read: {error}"));
        Exit::Input
    })?;
    ScheduleFile::parse(&text).map_err(|error| {
        message::error(color, &format!("{shown}:{}: {}", error.line, error.message));
        message::help(color, "write one with `unravel check --emit schedule=FILE`");
        Exit::Input
    })
}

/// The program's output is bytes, kept as one character each.
fn print_output(output: &str) {
    let bytes: Vec<u8> = output.chars().map(|c| u8::try_from(c).unwrap_or(b'?')).collect();
    let mut out = std::io::stdout().lock();
    // A reader that has gone away is no error.
    let _ = out.write_all(&bytes).and_then(|()| out.flush());
}

fn say_notes(program: &Program, ran: &Ran, color: Color) {
    for note in &ran.notes {
        let span = program.site(note.site()).span;
        let place = span.map_or_else(String::new, |span| {
            format!("{}:{}: ", program.files.path(span.file), span.line)
        });
        let what = match note {
            Note::Bound { what, .. } => what.clone(),
            Note::Unsupported { what, .. } => format!("{what} is not modelled"),
            Note::External { name, .. } => format!("`{name}` is not modelled; its result is 0"),
        };
        message::note(color, &format!("{place}{what}"));
    }
}

fn finish(arguments: &RunArguments, program: &Program, ran: Ran) -> Result<Exit, Exit> {
    match (ran.outcome, ran.finding) {
        (Outcome::Complete(code), _) => {
            message::note(
                arguments.output.color,
                &format!("the program ended with exit code {code}"),
            );
            Ok(Exit::Safe)
        }
        (_, Some(finding)) => {
            let properties = arguments.properties.properties();
            let report = Report {
                command: "run",
                verdict: Verdict::Unsafe,
                reasons: Vec::new(),
                bounds: Bounds::default(),
                unsupported: Vec::new(),
                notes: Vec::new(),
                properties: properties.iter().map(Property::name).collect(),
                threads: finding.threads.clone(),
                findings: vec![finding],
                repairs: None,
                stats: Vec::new(),
                time_ms: 0,
                files: program.files.clone(),
            };
            print(&arguments.output, &report)?;
            Ok(Exit::Violation)
        }
        (_, None) => {
            message::note(arguments.output.color, "the run was not completed");
            Ok(Exit::Inconclusive)
        }
    }
}
