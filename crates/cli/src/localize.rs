//! `unravel localize`.

use unravel_report::model::Command;

use crate::args::LocalizeArguments;
use crate::check::{Session, emit_program, options};
use crate::exit::Exit;
use crate::last_words::Asked;
use crate::{given, load};

/// Runs the command.
pub fn localize(arguments: &LocalizeArguments) -> Exit {
    match try_localize(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_localize(arguments: &LocalizeArguments) -> Result<Exit, Exit> {
    let (limits, output) = (&arguments.limits, &arguments.output);
    let asked = Asked::new(Command::Localize, &arguments.properties);
    let mut session =
        Session::start_with(load::load_for_changes, asked, &arguments.input, limits, output)?;
    if emit_program(&arguments.emit, &session.program, output.color)? {
        return Ok(Exit::Safe);
    }
    let options = options(&arguments.properties, limits);
    // With `const` taken out, a program may take other steps than the run that is given.
    if let Some(path) = arguments.given.schedule.as_deref()
        && !given::fits(&session.program, &options, path, output.color)?
    {
        session.program = load::load_with_locals(&arguments.input, output.color)?;
    }
    session.take_given_without_race(&arguments.given, &options)?;
    let localized =
        session.answer(|subject, budget| unravel_driver::localize(subject, &options, budget))?;
    session.show(&localized, &arguments.emit)
}
