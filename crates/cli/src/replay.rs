//! `unravel replay`.

use unravel_recorder::{Plan, run};
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
    let color = arguments.color;
    let Some(path) = &arguments.run else { return Err(Exit::Input) };
    let loaded = recording::load(path, color)?;
    let repeat = schedule(&loaded.recording.records);
    let plan = Plan {
        arguments: loaded.recording.header.arguments.iter().map(Into::into).collect(),
        strategy: Strategy::Follow,
        repeat: Some(&repeat),
        quiet: !arguments.write,
        ..Plan::new(&loaded.program)
    };
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

fn say_difference(
    loaded: &Loaded,
    difference: &Difference,
    records: &[Record],
    color: Color,
) -> Result<(), Exit> {
    let expected = recording::named(loaded, color)?;
    let step = unravel_driver::recorded::steps_before(&loaded.recording.records, difference.after);
    let row = expected.steps.get(step);
    let happened = unravel_driver::recorded::steps_before(records, difference.after);
    message::note(color, &words::recorded::first_difference(&expected, row, happened));
    Ok(())
}
