//! `unravel diagnose`.

use unravel_report::model::Command;

use crate::args::DiagnoseArguments;
use crate::check::{Session, emit_program, options};
use crate::exit::Exit;
use crate::last_words::Asked;

/// Runs the command.
pub fn diagnose(arguments: &DiagnoseArguments) -> Exit {
    match try_diagnose(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_diagnose(arguments: &DiagnoseArguments) -> Result<Exit, Exit> {
    let limits = &arguments.limits;
    let asked = Asked::new(Command::Diagnose, &arguments.properties);
    let mut session = Session::start(asked, &arguments.input, limits, &arguments.output)?;
    if emit_program(&arguments.emit, &session.program, arguments.output.color)? {
        return Ok(Exit::Safe);
    }
    let options = options(&arguments.properties, limits);
    session.take_given(&arguments.given, &options)?;
    let diagnosed =
        session.answer(|subject, budget| unravel_driver::diagnose(subject, &options, budget))?;
    session.show(&diagnosed, &arguments.emit)
}
