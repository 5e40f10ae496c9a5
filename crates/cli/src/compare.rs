//! `unravel compare`.

use unravel_driver::{CompareOptions, HowClose};
use unravel_report::model::Command;

use crate::args::{CompareArguments, MaxsatName, WeightsName};
use crate::check::{Session, emit_program, options};
use crate::exit::Exit;
use crate::last_words::Asked;

/// Runs the command.
pub fn compare(arguments: &CompareArguments) -> Exit {
    match try_compare(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_compare(arguments: &CompareArguments) -> Result<Exit, Exit> {
    let limits = &arguments.limits;
    let asked = Asked::new(Command::Compare, &arguments.properties);
    let mut session = Session::start(asked, &arguments.input, limits, &arguments.output)?;
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
    session.take_given_without_race(&arguments.given, &options)?;
    let compared = session
        .answer(|subject, budget| unravel_driver::compare(subject, &options, &how, budget))?;
    session.show(&compared, &arguments.emit)
}
