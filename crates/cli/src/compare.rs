//! `unravel compare`.

use std::path::Path;

use unravel_driver::{CheckOptions, CompareOptions, GivenRun, HowClose, Refused, replay_failing};
use unravel_program::Program;

use crate::args::{Color, CompareArguments, MaxsatName, WeightsName};
use crate::check::{Session, emit_program, options};
use crate::exit::Exit;
use crate::message;
use crate::run::read_schedule;

/// Runs the command.
pub fn compare(arguments: &CompareArguments) -> Exit {
    match try_compare(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_compare(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let (limits, color) = (&arguments.limits, arguments.output.color);
    let mut session = Session::start(&arguments.input, limits, &arguments.output)?;
    if emit_program(&arguments.emit, &session.program, arguments.output.color)? {
        return Ok(Exit::Safe);
    }
    let options = options(&arguments.properties, limits);
    let how = CompareOptions {
        equal_weights: arguments.weights == WeightsName::Equal,
        linear: arguments.maxsat == MaxsatName::Linear,
        search: match (arguments.exact, arguments.progressive) {
            (true, _) => Some(HowClose::Exact),
            (_, true) => Some(HowClose::Progressive),
            _ => None,
        },
        conflicts: arguments.conflicts,
    };
    let given = arguments.schedule.as_deref();
    let given = given.map(|path| given_run(&session.program, &options, path, color)).transpose()?;
    let compared = session.answer(|program, budget| match &given {
        None => unravel_driver::compare(program, &options, &how, budget),
        Some(given) => unravel_driver::compare_given(program, &how, given, budget),
    })?;
    session.show(&compared, &arguments.emit)
}

/// The failing run of a schedule file.
fn given_run(
    program: &Program,
    options: &CheckOptions,
    path: &Path,
    color: Color,
) -> Result<GivenRun, Exit> {
    let file = read_schedule(path, color)?;
    replay_failing(program, options, &file).map_err(|refused| refuse(&refused, path, color))
}

/// Says why a schedule is no failing run of the program, and what to do.
fn refuse(refused: &Refused, path: &Path, color: Color) -> Exit {
    let shown = path.display();
    let (what, exit) = match refused {
        Refused::OtherSource(source) => {
            (format!("`{shown}` was made for another `{source}`"), Exit::Input)
        }
        Refused::Diverged(divergence) => {
            let (at, why) = (divergence.at + 1, &divergence.why);
            (format!("`{shown}` does not fit at step {at}: {why}"), Exit::Inconclusive)
        }
        Refused::DoesNotFail => {
            (format!("the run of `{shown}` does not fail, so none is beside it"), Exit::Input)
        }
        Refused::Race => {
            let what = "ends in a race, which is there in every order, so no run beside it passes";
            (format!("the run of `{shown}` {what}"), Exit::Input)
        }
    };
    message::error(color, &what);
    let help = "write one that fails with `unravel check FILE --emit schedule=FILE`, or leave out \
                `--schedule` to compare the first failing run";
    message::help(color, help);
    exit
}
