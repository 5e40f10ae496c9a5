//! `unravel sequentialize`: the failing run as one plain C file, which is run before it is shown.

use unravel_interp::run::{fair, replay};
use unravel_interp::schedule_file::ScheduleFile;
use unravel_interp::{Config, End, Machine, Properties, Property};
use unravel_program::Program;
use unravel_sequentialize::{Failure, Sequential, Unsupported};

use crate::check::{CheckOptions, Checked, InternalFailure, check};
use crate::given::{Refused, other_source};
use crate::{Phase, Watch};

/// Steps of the written file that it may take to its failure. It has no loops that wait.
const MOST_STEPS: usize = 1_000_000;

/// What became of it.
#[derive(Debug)]
pub enum Sequentialized {
    /// The file; it is not confirmed yet.
    Written(Box<Sequential>),
    /// No run fails, or none was found: what `check` says.
    NoRun(Box<Checked>),
    /// The run has something that cannot be written.
    Unsupported(Unsupported),
}

/// Writes the first failing run of a valid program. `defines` are macros from the command line.
///
/// # Errors
/// A run that does not replay; then there is no answer.
pub fn sequentialize(
    program: &Program,
    options: &CheckOptions,
    defines: &[String],
    watch: &mut dyn Watch,
) -> Result<Sequentialized, InternalFailure> {
    let options = CheckOptions { all: false, ..options.clone() };
    let checked = check(program, &options, watch)?;
    let Some(schedule) = checked.schedules.first() else {
        return Ok(Sequentialized::NoRun(Box::new(checked)));
    };
    let file = ScheduleFile::parse(schedule)
        .map_err(|error| InternalFailure::Broken(format!("its schedule: {}", error.message)))?;
    watch.phase(Phase::Replay);
    written(program, &options, defines, &file)
}

/// Writes the run of a schedule file.
///
/// # Errors
/// Why it is no failing run of this program.
pub fn sequentialize_given(
    program: &Program,
    options: &CheckOptions,
    defines: &[String],
    file: &ScheduleFile,
) -> Result<Result<Sequentialized, InternalFailure>, Refused> {
    if let Some(path) = other_source(program, file) {
        return Err(Refused::OtherSource(path));
    }
    let machine = Machine::new(program, config(options, file));
    let schedule = replay(&machine, &file.decisions).map_err(Refused::Diverged)?;
    match schedule.end {
        End::Violation(_) => Ok(written(program, options, defines, file)),
        End::Complete(_) | End::Incomplete => Err(Refused::DoesNotFail),
    }
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
) -> Result<Sequentialized, InternalFailure> {
    let machine = Machine::new(program, config(options, file));
    match unravel_sequentialize::sequentialize(&machine, &file.decisions, defines) {
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
    let machine = Machine::new(program, Config::new(Properties::by_default()));
    let (schedule, _) = fair(&machine, MOST_STEPS);
    let expected = format!("a failure in line {} of the written file", written.fails_at);
    let found = match schedule.end {
        End::Violation(violation) => {
            let line = program.site(violation.site).span.map_or(0, |span| span.line);
            if violation.property == Property::Reach && line == written.fails_at {
                return Ok(());
            }
            format!("{} in line {line}", violation.message)
        }
        End::Complete(code) => format!("the end of the program with exit code {code}"),
        End::Incomplete => "no end of the program".to_owned(),
    };
    Err(InternalFailure::OtherEnd { expected, found })
}
