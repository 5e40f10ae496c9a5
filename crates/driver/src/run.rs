//! `unravel run`: one run on the interpreter.

use unravel_findings::limits;
use unravel_findings::violation::finding;
use unravel_interp::run::{Divergence, fair, replay};
use unravel_interp::schedule_file::{ScheduleFile, sources};
use unravel_interp::{Config, End, Machine, Notes, Properties, Schedule};
use unravel_kinds::{Cut, Unmodelled};
use unravel_program::Program;
use unravel_report::Report;
use unravel_report::model::{
    Bounds, Command, Finding, Reason, ReasonKind, Remark, ThreadRow, Verdict,
};

use crate::check::called;

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
    /// What was cut by a bound.
    pub cut: Vec<Remark<Cut>>,
    /// What is not modelled.
    pub not_modelled: Vec<Remark<Unmodelled>>,
}

impl Ran {
    /// The run as a report. A run without a violation answers nothing about the others.
    #[must_use]
    pub fn report(self, program: &Program, properties: Properties) -> Report {
        let unsafe_run = self.finding.is_some();
        let kind = match self.outcome {
            Outcome::Complete(_) => Some(ReasonKind::OneRun),
            Outcome::Incomplete => Some(ReasonKind::Incomplete),
            Outcome::Violation => None,
        };
        Report {
            command: Command::Run,
            verdict: if unsafe_run { Verdict::Unsafe } else { Verdict::Inconclusive },
            reasons: kind.into_iter().map(|kind| Reason { kind, place: None }).collect(),
            stopped: None,
            bounds: Bounds {
                unwind: None,
                called: called(program),
                calls_succeed: false,
                cut_loops: self.cut,
            },
            unsupported: self.not_modelled,
            handed_over: Vec::new(),
            properties,
            threads: self.threads,
            findings: self.finding.into_iter().collect(),
            repairs: None,
            explored_states: None,
            stats: Vec::new(),
            time_ms: 0,
            files: program.files.clone(),
        }
    }
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
    ran(program, schedule, &notes)
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
    Ok(ran(program, schedule, &Notes::new()))
}

fn ran(program: &Program, schedule: Schedule, notes: &Notes) -> Ran {
    let (outcome, finding) = match &schedule.end {
        End::Complete(code) => (Outcome::Complete(*code), None),
        End::Incomplete => (Outcome::Incomplete, None),
        End::Violation(violation) => {
            let finding = finding(program, 1, violation, &schedule);
            (Outcome::Violation, Some(finding))
        }
    };
    let threads = unravel_findings::threads(program, &schedule.threads);
    Ran {
        output: schedule.output,
        outcome,
        threads,
        finding,
        cut: limits::cut(program, notes),
        not_modelled: limits::not_modelled_in_run(program, notes),
    }
}
