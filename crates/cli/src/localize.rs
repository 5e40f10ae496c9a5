//! `unravel localize`.

use crate::args::LocalizeArguments;
use crate::check::{Session, emit_program, options};
use crate::exit::Exit;
use crate::load;

/// Runs the command.
pub fn localize(arguments: &LocalizeArguments) -> Exit {
    match try_localize(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_localize(arguments: &LocalizeArguments) -> Result<Exit, Exit> {
    let (limits, output) = (&arguments.limits, &arguments.output);
    let mut session =
        Session::start_with(load::load_for_changes, &arguments.input, limits, output)?;
    if emit_program(&arguments.emit, &session.program, output.color)? {
        return Ok(Exit::Safe);
    }
    let options = options(&arguments.properties, limits);
    let localized =
        session.answer(|program, budget| unravel_driver::localize(program, &options, budget))?;
    session.show(&localized, &arguments.emit)
}
