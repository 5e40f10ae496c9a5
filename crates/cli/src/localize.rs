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
    // With `const` taken out, a program may take other steps than the run that is given.
    let load = match arguments.given.schedule {
        None => load::load_for_changes,
        Some(_) => load::load_with_locals,
    };
    let mut session = Session::start_with(load, &arguments.input, limits, output)?;
    if emit_program(&arguments.emit, &session.program, output.color)? {
        return Ok(Exit::Safe);
    }
    let options = options(&arguments.properties, limits);
    session.take_given_without_race(&arguments.given, &options)?;
    let localized =
        session.answer(|subject, budget| unravel_driver::localize(subject, &options, budget))?;
    session.show(&localized, &arguments.emit)
}
