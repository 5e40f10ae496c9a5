//! A failing run that the user has: a schedule file, replayed before anything is said about it.

use unravel_interp::run::{Divergence, replay};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{End, Machine, Property, Run, Schedule, Violation};
use unravel_program::Program;

use crate::check::CheckOptions;

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
    /// It ends in a race, which is there in every order.
    Race,
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
        End::Violation(violation) if violation.property() == Property::Race => Err(Refused::Race),
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
