//! `unravel run`.

use std::io::Write;
use std::path::Path;

use unravel_driver::run::{Outcome, Ran, run_fair, run_schedule};
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, Note, Property};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{Bounds, ONE_RUN, Place, Reason, Remark, Verdict};

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
    for note in &ran.notes {
        let span = program.site(note.site()).span;
        let place = span.map_or_else(String::new, |span| {
            format!("{}:{}: ", program.files.path(span.file), span.line)
        });
        message::note(color, &format!("{place}{}", what(note)));
    }
}

fn what(note: &Note) -> String {
    match note {
        Note::Bound { what, .. } => what.clone(),
        Note::Unsupported { what, .. } => format!("{what} is not modelled"),
        Note::External { name, .. } => format!("`{name}` is not modelled; its result is 0"),
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
        print(&arguments.output, &report(arguments, program, ran))?;
    }
    Ok(exit)
}

fn report(arguments: &RunArguments, program: &Program, ran: Ran) -> Report {
    let verdict = if ran.finding.is_some() { Verdict::Unsafe } else { Verdict::Inconclusive };
    let (cut, unsupported): (Vec<&Note>, Vec<&Note>) =
        ran.notes.iter().partition(|note| matches!(note, Note::Bound { .. }));
    let remarks = |notes: &[&Note]| notes.iter().map(|note| remark(program, note)).collect();
    let properties = arguments.properties.properties();
    Report {
        command: "run",
        verdict,
        reasons: reason(&ran.outcome).into_iter().collect(),
        bounds: Bounds {
            unwind: None,
            arguments: arguments.input.arguments(),
            cut_loops: remarks(&cut),
        },
        unsupported: remarks(&unsupported),
        notes: Vec::new(),
        properties: properties.iter().map(Property::name).collect(),
        threads: ran.threads,
        findings: ran.finding.into_iter().collect(),
        repairs: None,
        stats: Vec::new(),
        time_ms: 0,
        files: program.files.clone(),
    }
}

fn remark(program: &Program, note: &Note) -> Remark {
    let site = program.site(note.site());
    let place = site.span.map(|span| Place { span, function: site.function.clone() });
    Remark { place, what: what(note) }
}

/// Why a run without a violation answers nothing.
fn reason(outcome: &Outcome) -> Option<Reason> {
    let (kind, message, help) = match outcome {
        Outcome::Complete(_) => {
            (ONE_RUN, "one run shows nothing about the others", "ask about all: `unravel check`")
        }
        Outcome::Incomplete => {
            ("incomplete", "the run was not completed", "a long run may need `--max-steps`")
        }
        Outcome::Violation => return None,
    };
    Some(Reason { kind, message: message.to_owned(), place: None, help: Some(help.to_owned()) })
}
