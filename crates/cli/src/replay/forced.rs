//! `unravel replay --schedule`: a schedule that was computed for a source, forced on the binary that was
//! built from it.

use std::path::Path;

use unravel_interp::{Config, Machine, Violation};
use unravel_kinds::Property;
use unravel_recorder::{Plan, run};
use unravel_report::recorded::RunEnd;
use unravel_report::words;
use unravel_retrace::{force, retrace};
use unravel_wire::{Kind, Record, Strategy};

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
    let machine = Machine::new(&ir, config);
    let forced = force(&machine, &file.decisions).map_err(|divergence| {
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
        limit: Some(MOST_EVENTS),
        ..Plan::new(&program)
    };
    if arguments.gdb {
        return super::debug(&plan, color);
    }
    let promised = match (&forced.violation, &file.violation) {
        (Some(violation), _) => Some(violation.property()),
        // That it hangs is no step of a run.
        (None, Some(_)) => Some(Property::Deadlock),
        (None, None) => None,
    };
    let (mut seen, mut unnoticed, mut other) = ((0, None), 0, None);
    for _ in 0..arguments.number {
        let mut records: Vec<Record> = Vec::new();
        let ended = run(&plan, &mut records)
            .map_err(|failure| recording::not_run(&plan, &failure, color))?;
        let end = unravel_driver::recorded::end(records.last(), ended.code, ended.signal);
        let diverged = records.iter().any(|it| it.kind() == Some(Kind::Diverged));
        if !diverged && shows(promised, &end) {
            seen = (seen.0 + 1, Some(end));
        } else if happened(&machine, forced.violation.as_ref(), &records) {
            unnoticed += 1;
        } else {
            other = Some(end);
        }
    }
    if let Some(end) = seen.1 {
        write_out(
            &format!("{}\n", words::recorded::forced(seen.0, arguments.number, &end)),
            color,
        )?;
    }
    if let Some(violation) = forced.violation.filter(|_| unnoticed > 0) {
        let what = violation.kind.code();
        let text = words::recorded::forced_unnoticed(unnoticed, arguments.number, what);
        write_out(&format!("{text}\n"), color)?;
    }
    let Some(other) = other else { return Ok(Exit::Safe) };
    let others = arguments.number - seen.0 - unnoticed;
    message::note(color, &words::recorded::forced_otherwise(others, &other));
    Ok(Exit::Inconclusive)
}

/// A run under a computed schedule is short. One of so many events does not do what the schedule says.
const MOST_EVENTS: u64 = 2_000_000;

/// Whether a run did what the interpreter says is wrong: a race, an access beside a variable, the use of a
/// key that was deleted. The binary does it and goes on. What it has recorded, carried out on the
/// interpreter, says whether it did.
fn happened(machine: &Machine<'_>, expected: Option<&Violation>, records: &[Record]) -> bool {
    let found = || retrace(machine, records).ok().and_then(|it| it.violation);
    expected.is_some_and(|expected| found().is_some_and(|it| it.is_same(expected)))
}

/// Whether everybody sees that the binary ends as the interpreter says. A memory error may show as a
/// crash.
fn shows(expected: Option<Property>, end: &RunEnd) -> bool {
    use RunEnd as E;
    match expected {
        None => !end.is_failure() && !matches!(end, E::Limit | E::Unknown),
        Some(Property::Race | Property::Ub) => false,
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
