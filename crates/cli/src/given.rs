//! A failing run that the user has: a schedule file, replayed before anything is said about it.

use std::path::Path;

use unravel_driver::{CheckOptions, GivenRun, Refused, replay_failing};
use unravel_program::Program;

use crate::args::Color;
use crate::exit::Exit;
use crate::message;
use crate::run::read_schedule;

/// The failing run of a schedule file.
pub fn read(
    program: &Program,
    options: &CheckOptions,
    path: &Path,
    color: Color,
) -> Result<GivenRun, Exit> {
    let file = read_schedule(path, color)?;
    replay_failing(program, options, &file).map_err(|refused| refuse(&refused, path, color))
}

/// Whether the program takes the steps of a schedule file.
pub fn fits(
    program: &Program,
    options: &CheckOptions,
    path: &Path,
    color: Color,
) -> Result<bool, Exit> {
    let file = read_schedule(path, color)?;
    Ok(!matches!(replay_failing(program, options, &file), Err(Refused::Diverged(_))))
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
        Refused::DoesNotFail => (format!("the run of `{shown}` does not fail"), Exit::Input),
    };
    message::error(color, &what);
    help(color);
    exit
}

/// Says that a race is there in every order.
pub fn refuse_race(path: &Path, color: Color) -> Exit {
    let what = "ends in a race, which is there in every order, so no run beside it passes";
    message::error(color, &format!("the run of `{}` {what}", path.display()));
    help(color);
    Exit::Input
}

fn help(color: Color) {
    let help = "write one that fails with `unravel check FILE --emit schedule=FILE`, or leave out \
                `--schedule` to search for one";
    message::help(color, help);
}
