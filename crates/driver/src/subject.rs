//! What a command works on: a program, and a failing run of it if the user has one.
//!
//! This is the one place where a command learns that. The front end makes the program, from source
//! or from bitcode; a given run comes from a schedule file and is replayed before anything is said
//! about it. Every command takes a [`Subject`].

use unravel_interp::run::{Divergence, replay};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{End, Machine, Property, Run, Schedule, Violation};
use unravel_program::Program;

use crate::check::CheckOptions;

/// What a command works on.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The program.
    pub program: &'a Program,
    /// The failing run that the command is about; without one, the command searches for one.
    pub given: Option<&'a GivenRun>,
}

impl<'a> From<&'a Program> for Subject<'a> {
    fn from(program: &'a Program) -> Subject<'a> {
        Subject { program, given: None }
    }
}

impl Subject<'_> {
    /// The options of the user, with the properties and the bound of the run that is given.
    pub(crate) fn options(&self, options: &CheckOptions) -> CheckOptions {
        self.given.map_or(options, |given| &given.options).clone()
    }
}

/// A failing run that was given, and what it was made for.
#[derive(Clone, Debug)]
pub struct GivenRun {
    /// The options, with the properties and the bound of the file.
    pub options: CheckOptions,
    /// What happens.
    pub schedule: Schedule,
    /// What it ends in.
    pub violation: Violation,
}

impl GivenRun {
    /// Whether it ends in a data race, which is there in every order.
    #[must_use]
    pub fn is_race(&self) -> bool {
        self.violation.property() == Property::Race
    }

    pub(crate) fn run(&self) -> Run<Violation> {
        Run { decisions: self.schedule.decisions.clone(), end: self.violation.clone() }
    }
}

/// A schedule that is no failing run of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refused {
    /// This file is another than the one it was made for.
    OtherSource(String),
    /// It does not fit.
    Diverged(Divergence),
    /// It violates nothing.
    DoesNotFail,
}

/// Replays a schedule file that should fail.
///
/// # Errors
/// Why it is no failing run of this program.
pub fn replay_failing(
    program: &Program,
    options: &CheckOptions,
    file: &ScheduleFile,
) -> Result<GivenRun, Refused> {
    if let Some(path) = other_source(program, file) {
        return Err(Refused::OtherSource(path));
    }
    let options = CheckOptions {
        properties: file.properties,
        unwind: options.unwind.or(file.unwind),
        ..options.clone()
    };
    let mut config = options.config();
    config.unwind = file.unwind;
    let machine = Machine::new(program, config);
    let schedule = replay(&machine, &file.decisions).map_err(Refused::Diverged)?;
    match schedule.end.clone() {
        End::Violation(violation) => Ok(GivenRun { options, schedule, violation }),
        End::Complete(_) | End::Incomplete => Err(Refused::DoesNotFail),
    }
}

/// A file of the schedule that the program does not have. Where a file lies does not matter, and one
/// that was written by hand need not say what it was made for.
pub(crate) fn other_source(program: &Program, file: &ScheduleFile) -> Option<String> {
    let ours = sources(program);
    let is_ours = |hash: &String| ours.iter().any(|(_, it)| it == hash);
    let other = file.sources.iter().find(|(_, hash)| !is_ours(hash));
    other.map(|(path, _)| path.clone())
}
