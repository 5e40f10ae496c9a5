//! `unravel stub`.

use unravel_frontend::{Error, Options};

use crate::args::{Input, StubArguments};
use crate::check::write_out;
use crate::exit::Exit;
use crate::{load, message};

/// Runs the command.
pub fn stub(arguments: &StubArguments) -> Exit {
    match try_stub(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_stub(arguments: &StubArguments) -> Result<Exit, Exit> {
    let StubArguments { input, color } = arguments;
    let program = load::load(input, *color)?;
    let failed = |error: Error| {
        message::error(*color, &error.to_string());
        Exit::Input
    };
    let texts =
        unravel_frontend::preprocessed(&input.files, &load::options(input)).map_err(failed)?;
    let Some(stubs) = unravel_driver::stubs(&program, &texts) else {
        message::note(*color, "nothing is missing, so there is nothing to write");
        return Ok(Exit::Safe);
    };
    write_out(&stubs, *color)?;
    match compile(&stubs, input) {
        Ok(()) => Ok(Exit::Safe),
        Err(why) => {
            let what = "the stubs do not compile together with the program as they are";
            message::error(*color, &format!("{what}: {why}"));
            Ok(Exit::Inconclusive)
        }
    }
}

/// Compiles the program with its stubs.
fn compile(stubs: &str, input: &Input) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("stubs.c");
    std::fs::write(&path, stubs).map_err(|error| error.to_string())?;
    let files: Vec<_> = input.files.iter().cloned().chain([path]).collect();
    let options = Options { ..load::options(input) };
    unravel_frontend::load(&files, &options).map(|_| ()).map_err(|error| match error {
        Error::CompileFailed { first: Some(first), .. } => {
            format!("line {}: {}", first.line, first.message)
        }
        other => other.to_string(),
    })
}
