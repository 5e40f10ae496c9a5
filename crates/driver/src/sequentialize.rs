//! `unravel sequentialize`: the failing run as one plain C file, which is run before it is shown; with
//! the values of a fault that `localize` finds, the run that would have passed.

use unravel_interp::run::fair;
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, End, Machine, Properties, Property, Violation};
use unravel_program::Program;
use unravel_report::model::Schedules;
use unravel_report::words::violation;
use unravel_sequentialize::{Failure, Replacement, Sequential, Unsupported};

use crate::check::{CheckOptions, Checked, InternalFailure, check};
use crate::localize::localize_and_track;
use crate::subject::Subject;
use crate::{Phase, Watch};

/// Steps of the written file that it may take to its failure. It has no loops that wait.
const MOST_STEPS: usize = 1_000_000;

/// What became of it.
#[derive(Debug)]
pub enum Sequentialized {
    /// The file; it is not confirmed yet.
    Written(Box<Sequential>),
    /// The file with the values of a fault. If the fault is robust, it must pass.
    Corrected(Box<Sequential>, Schedules),
    /// No run fails, or none was found: what `check` says.
    NoRun(Box<Checked>),
    /// The run has something that cannot be written.
    Unsupported(Unsupported),
    /// `localize` finds no fault with this number, only so many.
    NoFault(usize),
}

/// Writes the failing run that is given, or the first one that is found. `defines` are macros from
/// the command line.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn sequentialize<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    defines: &[String],
    watch: &mut dyn Watch,
) -> Result<Sequentialized, InternalFailure> {
    sequentialize_with(subject, options, defines, &[], watch)
}

/// The same, with other values in place of some of the program's.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn sequentialize_with<'a>(
    subject: impl Into<Subject<'a>>,
    options: &CheckOptions,
    defines: &[String],
    other: &[Replacement],
    watch: &mut dyn Watch,
) -> Result<Sequentialized, InternalFailure> {
    let subject = subject.into();
    let options = CheckOptions { all: false, ..subject.options(options) };
    let checked = check(subject, &options, watch)?;
    let Some(schedule) = checked.schedules.first() else {
        return Ok(Sequentialized::NoRun(Box::new(checked)));
    };
    let file = parsed(schedule)?;
    watch.phase(Phase::Replay);
    written(subject.program, &options, defines, &file, other)
}

/// Writes the failing run that `localize` explains with the values of one of its faults, by its
/// number in the report, from 1. `with_locals` is the program as `localize` takes it.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn sequentialize_fault(
    (program, with_locals): (&Program, &Program),
    options: &CheckOptions,
    defines: &[String],
    number: usize,
    watch: &mut dyn Watch,
) -> Result<Sequentialized, InternalFailure> {
    let (checked, faults) = localize_and_track(with_locals, options, watch)?;
    let Some(schedule) = checked.schedules.first() else {
        return Ok(Sequentialized::NoRun(Box::new(checked)));
    };
    let Some(fault) = number.checked_sub(1).and_then(|at| faults.get(at)) else {
        return Ok(Sequentialized::NoFault(faults.len()));
    };
    let file = parsed(schedule)?;
    watch.phase(Phase::Replay);
    let written = written(program, options, defines, &file, &fault.replacements)?;
    Ok(match written {
        Sequentialized::Written(written) if written.replaced == 0 => {
            let what = format!("fault {number}, none of whose lines the run executes,");
            Sequentialized::Unsupported(Unsupported::new(what, None))
        }
        Sequentialized::Written(written) => Sequentialized::Corrected(written, fault.schedules),
        other => other,
    })
}

fn parsed(schedule: &str) -> Result<ScheduleFile, InternalFailure> {
    ScheduleFile::parse(schedule)
        .map_err(|error| InternalFailure::Broken(format!("its schedule: {}", error.message)))
}

fn config(options: &CheckOptions, file: &ScheduleFile) -> Config {
    let mut config = options.config();
    (config.properties, config.unwind) = (file.properties, file.unwind);
    config
}

fn written(
    program: &Program,
    options: &CheckOptions,
    defines: &[String],
    file: &ScheduleFile,
    other: &[Replacement],
) -> Result<Sequentialized, InternalFailure> {
    let machine = Machine::new(program, config(options, file));
    match unravel_sequentialize::sequentialize(&machine, &file.decisions, defines, other) {
        Ok(written) => Ok(Sequentialized::Written(Box::new(written))),
        Err(Failure::Diverged(divergence)) => Err(InternalFailure::Diverged(divergence)),
        Err(Failure::Unsupported(unsupported)) => Ok(Sequentialized::Unsupported(unsupported)),
    }
}

/// That the written file, compiled again, fails where it should.
///
/// # Errors
/// How it ends instead.
pub fn confirm_sequential(program: &Program, written: &Sequential) -> Result<(), InternalFailure> {
    let end = end(program);
    let expected = format!("a failure in line {} of the written file", written.fails_at);
    match &end {
        End::Violation(violation)
            if violation.property() == Property::Reach
                && line(program, violation) == written.fails_at =>
        {
            Ok(())
        }
        _ => Err(InternalFailure::OtherEnd { expected, found: shown(program, &end) }),
    }
}

/// That the file with the values of a fault, compiled again, passes.
///
/// # Errors
/// How it ends instead.
pub fn confirm_corrected(program: &Program) -> Result<(), InternalFailure> {
    let end = end(program);
    match end {
        End::Complete(0) => Ok(()),
        _ => {
            let expected = shown(program, &End::Complete(0));
            Err(InternalFailure::OtherEnd { expected, found: shown(program, &end) })
        }
    }
}

/// How a file without threads ends.
fn end(program: &Program) -> End {
    let machine = Machine::new(program, Config::new(Properties::by_default()));
    fair(&machine, MOST_STEPS).0.end
}

fn line(program: &Program, violation: &Violation) -> u32 {
    program.site(violation.site).span.map_or(0, |span| span.line)
}

fn shown(program: &Program, end: &End) -> String {
    match end {
        End::Violation(it) => {
            format!("{} in line {}", violation::message(&it.kind), line(program, it))
        }
        End::Complete(code) => format!("the end of the program with exit code {code}"),
        End::Incomplete => "no end of the program".to_owned(),
    }
}
