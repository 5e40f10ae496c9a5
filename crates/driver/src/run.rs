//! `unravel run`: one run on the interpreter.

use unravel_interp::run::{Divergence, fair, replay};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{Config, End, Machine, Notes, Run, Schedule};
use unravel_program::Program;
use unravel_report::model::{Finding, ThreadRow};

use crate::check::finding;
use crate::rows;

/// A run and what became of it.
#[derive(Clone, Debug)]
pub struct Ran {
    /// What the program printed, one character per byte.
    pub output: String,
    /// How it ended.
    pub outcome: Outcome,
    /// The threads that it had.
    pub threads: Vec<ThreadRow>,
    /// The run as a finding, if it ended in a violation.
    pub finding: Option<Finding>,
    /// What was cut or is not modelled.
    pub notes: Notes,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The process ended with this code.
    Complete(i32),
    /// In a violation.
    Violation,
    /// It went no further, or the step limit was reached.
    Incomplete,
}

/// Runs the program once under a fair scheduler.
#[must_use]
pub fn run_fair(program: &Program, config: Config, limit: usize) -> Ran {
    let machine = Machine::new(program, config);
    let (schedule, notes) = fair(&machine, limit);
    ran(program, schedule, notes)
}

/// Runs the program as a schedule file says.
///
/// # Errors
/// The step that does not fit, with the likely cause.
pub fn run_schedule(
    program: &Program,
    config: Config,
    file: &ScheduleFile,
) -> Result<Ran, Divergence> {
    let mut config = config;
    config.properties = file.properties;
    config.unwind = file.unwind;
    let machine = Machine::new(program, config);
    let schedule = replay(&machine, &file.decisions).map_err(|mut divergence| {
        if sources(program) != file.sources {
            divergence.why.push_str("; the source has changed since the schedule was written");
        }
        divergence
    })?;
    Ok(ran(program, schedule, Notes::new()))
}

fn ran(program: &Program, schedule: Schedule, notes: Notes) -> Ran {
    let (outcome, finding) = match &schedule.end {
        End::Complete(code) => (Outcome::Complete(*code), None),
        End::Incomplete => (Outcome::Incomplete, None),
        End::Violation(violation) => {
            let found = Run { decisions: schedule.decisions.clone(), end: violation.clone() };
            let mut finding = finding(program, 1, &found, &schedule);
            finding.fewest_switches = false;
            (Outcome::Violation, Some(finding))
        }
    };
    let threads = rows::threads(program, &schedule.threads);
    Ran { output: schedule.output, outcome, threads, finding, notes }
}
