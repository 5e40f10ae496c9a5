//! `unravel diagnose`.

use crate::args::DiagnoseArguments;
use crate::check::{Session, options};
use crate::exit::Exit;

/// Runs the command.
pub fn diagnose(arguments: &DiagnoseArguments) -> Exit {
    match try_diagnose(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_diagnose(arguments: &DiagnoseArguments) -> Result<Exit, Exit> {
    let limits = &arguments.limits;
    let mut session = Session::start(&arguments.input, limits, &arguments.output)?;
    let options = options(&arguments.properties, limits);
    let diagnosed =
        session.answer(|program, budget| unravel_driver::diagnose(program, &options, budget))?;
    session.show(&diagnosed, &arguments.emit)
}
