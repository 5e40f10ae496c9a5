//! `unravel replay --schedule`: a schedule that was computed for a source, forced on the binary that was
//! built from it.

use std::path::Path;

use unravel_interp::{Config, Machine};
use unravel_kinds::Property;
use unravel_recorder::{Plan, run};
use unravel_report::recorded::RunEnd;
use unravel_report::words;
use unravel_retrace::force;
use unravel_wire::{Record, Strategy};

use crate::args::ReplayArguments;
use crate::check::write_out;
use crate::exit::Exit;
use crate::run::read_schedule;
use crate::{message, recording};

/// Runs the command.
pub fn replay(arguments: &ReplayArguments, schedule: &Path, program: &Path) -> Result<Exit, Exit> {
    let color = arguments.color;
    let file = read_schedule(schedule, color)?;
    let program = recording::found(program);
    let executable = recording::read_program(&program, color)?;
    let ir = recording::embedded(&executable, &program, color)?;
    let mut config = Config::new(file.properties);
    config.unwind = file.unwind;
    let forced = force(&Machine::new(&ir, config), &file.decisions).map_err(|divergence| {
        let (shown, at) = (schedule.display(), divergence.at + 1);
        message::error(color, &format!("`{shown}` does not fit at step {at}: {}", divergence.why));
        message::help(color, "write one for the files that the program was built from");
        Exit::Inconclusive
    })?;
    let plan = Plan {
        strategy: Strategy::Follow,
        repeat: Some(&forced.repeat),
        strict: true,
        quiet: !arguments.write,
        ..Plan::new(&program)
    };
    if arguments.gdb {
        return super::debug(&plan, color);
    }
    let expected = forced.violation.as_ref().map(unravel_interp::Violation::property);
    let mut other = None;
    let mut last = None;
    let mut same = 0;
    for _ in 0..arguments.number {
        let mut records: Vec<Record> = Vec::new();
        let ended = run(&plan, &mut records)
            .map_err(|failure| recording::not_run(&plan, &failure, color))?;
        let end = unravel_driver::recorded::end(records.last(), ended.code, ended.signal);
        if is_expected(expected, &end) {
            same += 1;
            last = Some(end);
        } else {
            other = Some(end);
        }
    }
    if let Some(end) = last {
        write_out(&format!("{}\n", words::recorded::forced(same, arguments.number, &end)), color)?;
    }
    let Some(other) = other else { return Ok(Exit::Safe) };
    message::note(color, &words::recorded::forced_otherwise(arguments.number - same, &other));
    Ok(Exit::Inconclusive)
}

/// Whether the binary ends as the interpreter says. A memory error may show as a crash, and what is
/// undefined for the interpreter only need not show at all.
fn is_expected(expected: Option<Property>, end: &RunEnd) -> bool {
    use RunEnd as E;
    match expected {
        None | Some(Property::Race | Property::Ub) => !end.is_failure(),
        Some(Property::Reach) => matches!(end, E::Assert | E::Abort),
        Some(Property::Deadlock) => matches!(end, E::Deadlock(_) | E::NoProgress(_)),
        Some(Property::Misuse) => matches!(end, E::Misuse(_)),
        Some(Property::Memory) => {
            let is_seen =
                matches!(end, E::OutOfBounds | E::UseAfterFree | E::DoubleFree | E::InvalidFree);
            is_seen || matches!(end, E::Signal(_))
        }
    }
}
