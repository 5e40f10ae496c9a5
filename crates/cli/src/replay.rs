//! `unravel replay`.

mod forced;

use std::path::Path;

use unravel_recorder::{Failure, Plan, run};
use unravel_report::words;
use unravel_trace::compare::{Difference, difference};
use unravel_trace::repeat::schedule;
use unravel_wire::{Record, Strategy};

use crate::args::{Color, ReplayArguments};
use crate::exit::Exit;
use crate::recording::{self, Loaded};
use crate::{check, message};

/// Runs the command.
pub fn replay(arguments: &ReplayArguments) -> Exit {
    match try_replay(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_replay(arguments: &ReplayArguments) -> Result<Exit, Exit> {
    match (&arguments.run, &arguments.schedule) {
        (Some(path), _) => replay_run(arguments, path),
        (None, Some(both)) => match both.as_slice() {
            [schedule, program] => forced::replay(arguments, schedule, program),
            _ => Err(Exit::Input),
        },
        // The parser asks for one of both.
        (None, None) => Err(Exit::Input),
    }
}

fn replay_run(arguments: &ReplayArguments, path: &Path) -> Result<Exit, Exit> {
    let color = arguments.color;
    let loaded = recording::load(path, color)?;
    let repeat = schedule(&loaded.recording.records);
    let plan = Plan {
        arguments: loaded.recording.header.arguments.iter().map(Into::into).collect(),
        strategy: Strategy::Follow,
        repeat: Some(&repeat),
        quiet: !arguments.write,
        limit: Some(twice(loaded.recording.records.len() as u64)),
        ..Plan::new(&loaded.program)
    };
    if arguments.gdb {
        return debug(&plan, color);
    }
    let mut same = 0;
    let mut first = None;
    for _ in 0..arguments.number {
        let mut records: Vec<Record> = Vec::new();
        run(&plan, &mut records).map_err(|failure| recording::not_run(&plan, &failure, color))?;
        match difference(&loaded.recording.records, &records) {
            None => same += 1,
            Some(found) => first = first.or(Some((found, records))),
        }
    }
    let (last, trailer) = (loaded.recording.records.last(), loaded.recording.trailer.as_ref());
    let (code, signal) = trailer.map_or((None, None), |it| (it.code, it.signal));
    let end = unravel_driver::recorded::end(last, code, signal);
    check::write_out(
        &format!("{}\n", words::recorded::replayed(same, arguments.number, &end)),
        color,
    )?;
    match first {
        None => Ok(Exit::Safe),
        Some((difference, records)) => {
            say_difference(&loaded, &difference, &records, color)?;
            Ok(Exit::Inconclusive)
        }
    }
}

/// A replay that went another way may have no end.
fn twice(events: u64) -> u64 {
    const AT_LEAST: u64 = 100_000;
    (events * 2).max(AT_LEAST)
}

/// One run in gdb.
fn debug(plan: &Plan<'_>, color: Color) -> Result<Exit, Exit> {
    let plan = Plan { debugs: true, quiet: false, records: false, ..plan.clone() };
    match run(&plan, &mut Vec::new()) {
        // gdb's own exit code says nothing of the run.
        Ok(_) => Ok(Exit::Safe),
        Err(Failure::NotStarted(error)) => {
            message::error(color, &format!("gdb cannot be started: {error}"));
            message::help(color, "install it: `apt-get install gdb`");
            Err(Exit::Input)
        }
        Err(failure) => Err(recording::not_run(&plan, &failure, color)),
    }
}

fn say_difference(
    loaded: &Loaded,
    difference: &Difference,
    records: &[Record],
    color: Color,
) -> Result<(), Exit> {
    let expected = recording::named(loaded, color)?;
    let step = unravel_driver::recorded::steps_before(&loaded.recording.records, difference.after);
    let row = expected.steps.get(step);
    let happened = unravel_driver::recorded::steps_before(records, difference.in_found);
    message::note(color, &words::recorded::first_difference(&expected, row, happened));
    Ok(())
}
