//! `unravel check`.

use std::io::Write as _;
use std::path::Path;

use unravel_driver::{CheckOptions, Checked, GivenRun, InternalFailure, Subject};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{Command, Verdict};
use unravel_report::text::RepairView;
use unravel_report::{json, sarif, text};
use unravel_span::bytes;

use crate::again;
use crate::args::{
    CheckArguments, Color, Emit, Engine, Format, GivenArguments, Input, LimitArguments,
    OutputArguments, PropertyArguments,
};
use crate::budget::Budget;
use crate::exit::Exit;
use crate::last_words::{Asked, say};
use crate::limits::alarm;
use crate::{given, load, message, terminal, usage};

/// Runs the command.
pub fn check(arguments: &CheckArguments) -> Exit {
    match try_check(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_check(arguments: &CheckArguments) -> Result<Exit, Exit> {
    let limits = &arguments.limits;
    let asked = Asked::new(Command::Check, &arguments.properties);
    let mut session = Session::start(asked, &arguments.input, limits, &arguments.output)?;
    if emit_program(&arguments.emit, &session.program, arguments.output.color)? {
        return Ok(Exit::Safe);
    }
    let options = CheckOptions {
        patient: true,
        soon: true,
        engine: match arguments.engine {
            Engine::Sat => unravel_driver::Engine::Sat,
            Engine::Explore => unravel_driver::Engine::Explore,
        },
        all: arguments.all,
        ..options(&arguments.properties, limits)
    };
    session.take_given(&arguments.given, &options)?;
    let checked =
        session.answer(|subject, budget| unravel_driver::check(subject, &options, budget))?;
    session.show(&checked, &arguments.emit)
}

/// What the limits and properties on the command line say.
pub fn options(properties: &PropertyArguments, limits: &LimitArguments) -> CheckOptions {
    CheckOptions {
        properties: properties.properties(),
        unwind: limits.unwind,
        states: limits.max_states,
        allocation_failure: limits.malloc_may_fail,
        alarm: alarm(),
        ..CheckOptions::new()
    }
}

/// A program, and the budget for answering a question about it.
pub struct Session<'a> {
    /// The program.
    pub program: Program,
    /// The failing run that the command is about, if the user has one.
    given: Option<GivenRun>,
    budget: Budget,
    asked: Asked,
    clang_ms: u64,
    calls_succeed: bool,
    output: &'a OutputArguments,
}

impl<'a> Session<'a> {
    /// Starts the clock and loads the program.
    pub fn start(
        asked: Asked,
        input: &Input,
        limits: &LimitArguments,
        output: &'a OutputArguments,
    ) -> Result<Session<'a>, Exit> {
        Session::start_with(load::load, asked, input, limits, output)
    }

    /// Starts the clock and loads the program in some way.
    pub fn start_with(
        load: impl FnOnce(&Input, Color) -> Result<Program, Exit>,
        asked: Asked,
        input: &Input,
        limits: &LimitArguments,
        output: &'a OutputArguments,
    ) -> Result<Session<'a>, Exit> {
        let shown = output.clone();
        let last_words = move |reason, news: Option<&str>| say(asked, &shown, reason, news);
        let budget = Budget::start(limits.time_limit, limits.memory_limit, Box::new(last_words));
        let program = load(input, output.color).map_err(|exit| match budget.stopped() {
            Some(reason) => {
                budget.answered();
                say(asked, output, reason, None)
            }
            None => exit,
        })?;
        let clang_ms = u64::try_from(budget.elapsed().as_millis()).unwrap_or(u64::MAX);
        let calls_succeed = input.assume_calls_succeed;
        Ok(Session { program, given: None, budget, asked, clang_ms, calls_succeed, output })
    }

    /// Reads the failing run that the command is about, if the user has one.
    pub fn take_given(
        &mut self,
        given: &GivenArguments,
        options: &CheckOptions,
    ) -> Result<(), Exit> {
        let path = given.schedule.as_deref();
        let read = path.map(|path| given::read(&self.program, options, path, self.output.color));
        self.given = read.transpose()?;
        Ok(())
    }

    /// The same, where a data race is no failure that the command can be about.
    pub fn take_given_without_race(
        &mut self,
        given: &GivenArguments,
        options: &CheckOptions,
    ) -> Result<(), Exit> {
        self.take_given(given, options)?;
        match (&self.given, given.schedule.as_deref()) {
            (Some(run), Some(path)) if run.is_race() => {
                Err(given::refuse_race(path, self.output.color))
            }
            _ => Ok(()),
        }
    }

    /// Asks the driver. What does not survive its own check is withheld.
    pub fn answer(
        &mut self,
        ask: impl FnOnce(Subject<'_>, &mut Budget) -> Result<Checked, InternalFailure>,
    ) -> Result<Checked, Exit> {
        let mut checked = self.ask(ask)?;
        let report = &mut checked.report;
        report.time_ms = u64::try_from(self.budget.elapsed().as_millis()).unwrap_or(u64::MAX);
        report.bounds.calls_succeed = self.calls_succeed;
        // What was seen of all runs was seen, whatever time it is.
        if report.verdict != Verdict::Safe {
            report.stopped = self.budget.stopped();
        }
        report.stats.push(("clang_ms", self.clang_ms));
        report.stats.extend(self.budget.phases());
        Ok(checked)
    }

    /// Asks the driver for something else than a report.
    pub fn ask<T>(
        &mut self,
        ask: impl FnOnce(Subject<'_>, &mut Budget) -> Result<T, InternalFailure>,
    ) -> Result<T, Exit> {
        let subject = Subject { program: &self.program, given: self.given.as_ref() };
        let result = ask(subject, &mut self.budget);
        self.budget.clear();
        let color = self.output.color;
        result.map_err(|failure| {
            // What is cut short fits nothing.
            if let Some(exit) = self.say_stopped() {
                return exit;
            }
            message::error(color, &format!("{failure}; the result is withheld"));
            message::help(color, "please report this, with the input");
            Exit::Internal
        })
    }

    /// Writes and prints the result.
    pub fn show(&self, checked: &Checked, emit: &[Emit]) -> Result<Exit, Exit> {
        self.emit(checked, emit)?;
        print(self.output, &checked.report)?;
        Ok(exit(checked.report.verdict, self.is_interrupted()))
    }

    /// Writes what the user wants besides the result.
    pub fn emit(&self, checked: &Checked, emit: &[Emit]) -> Result<(), Exit> {
        self.answered();
        emit_schedules(emit, checked, self.output.color)
    }

    /// There is an answer, which will be shown whatever time it is.
    pub fn answered(&self) {
        self.budget.answered();
    }

    /// Says that the command was stopped, if it was.
    pub fn say_stopped(&self) -> Option<Exit> {
        let reason = self.budget.stopped()?;
        self.answered();
        Some(say(self.asked, self.output, reason, self.budget.known()))
    }

    /// Whether a limit is reached, or the user wants no more.
    pub fn is_stopped(&self) -> bool {
        self.budget.stopped().is_some()
    }

    /// Whether Ctrl-C was pressed.
    pub fn is_interrupted(&self) -> bool {
        self.budget.is_interrupted()
    }
}

/// A failing run that is known does not hide that the user did not wait for the rest.
fn exit(verdict: Verdict, interrupted: bool) -> Exit {
    match verdict {
        Verdict::Safe => Exit::Safe,
        _ if interrupted => Exit::Interrupted,
        Verdict::Unsafe => Exit::Violation,
        Verdict::Inconclusive => Exit::Inconclusive,
    }
}

/// Writes the program's text form; whether that was all there is to do.
pub fn emit_program(emit: &[Emit], program: &Program, color: Color) -> Result<bool, Exit> {
    usage::keep_program(&usage::outputs(emit), program, color)?;
    let mut printed = false;
    for emit in emit {
        match emit {
            Emit::Program(None) => {
                write_out(&program.to_string(), color)?;
                printed = true;
            }
            Emit::Program(Some(file)) => {
                write_file(file, &program.to_string(), color)?;
            }
            Emit::Schedule(_) | Emit::Passing(_) => {}
        }
    }
    Ok(printed)
}

fn emit_schedules(emit: &[Emit], checked: &Checked, color: Color) -> Result<(), Exit> {
    for emit in emit {
        let (file, schedule, why) = match emit {
            Emit::Schedule(file) => (file, checked.schedules.first(), "no run fails"),
            Emit::Passing(file) => (file, checked.passing.first(), "no passing run is known"),
            Emit::Program(_) => continue,
        };
        match schedule {
            Some(schedule) => write_file(file, schedule, color)?,
            None => message::note(color, &format!("no schedule was written: {why}")),
        }
    }
    Ok(())
}

/// Prints a report in the form the user wants.
pub fn print(output: &OutputArguments, report: &Report) -> Result<(), Exit> {
    let next = next_command(report);
    let next = next.and_then(|next| again::to_ask(report.command.name(), next, &again::given()));
    print_view(output, report, &RepairView { next, ..RepairView::default() })
}

/// What to ask next about a program that fails.
fn next_command(report: &Report) -> Option<&'static str> {
    let diagnoses = || report.findings.iter().filter_map(|finding| finding.diagnosis.as_ref());
    match report.command {
        _ if report.verdict != Verdict::Unsafe => None,
        Command::Check => Some("diagnose"),
        // Where no order is to blame, no order repairs it.
        Command::Diagnose if diagnoses().all(|it| it.sequential) => Some("localize"),
        Command::Diagnose => Some("repair"),
        _ => None,
    }
}

/// Prints a report with the repairs that the user wants.
pub fn print_view(
    output: &OutputArguments,
    report: &Report,
    view: &RepairView,
) -> Result<(), Exit> {
    let version = env!("CARGO_PKG_VERSION");
    let text = match output.format {
        Format::Text => text::render_view(report, terminal::style(output), view),
        Format::Json => json::render(report, version),
        Format::Sarif => sarif::render(report, version),
    };
    write_out(&text, output.color)
}

/// Writes to standard output; a reader that has gone away is no error.
pub fn write_out(text: &str, color: Color) -> Result<(), Exit> {
    let mut out = std::io::stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    let text = bytes::shown(text);
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            message::error(color, &format!("standard output cannot be written: {error}"));
            Err(Exit::Input)
        }
        _ => Ok(()),
    }
}

/// The same for lines of the source, which may be no UTF-8.
pub fn write_source(text: &str, color: Color) -> Result<(), Exit> {
    let mut out = std::io::stdout().lock();
    match out.write_all(&bytes::encode(text)).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            message::error(color, &format!("standard output cannot be written: {error}"));
            Err(Exit::Input)
        }
        _ => Ok(()),
    }
}

/// Writes a file.
pub fn write_file(path: &Path, text: &str, color: Color) -> Result<(), Exit> {
    std::fs::write(path, bytes::encode(text)).map_err(|error| {
        message::error(color, &format!("`{}` cannot be written: {error}", path.display()));
        Exit::Input
    })
}
