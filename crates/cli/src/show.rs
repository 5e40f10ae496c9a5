//! `unravel show`.

use unravel_report::{recorded, words};

use crate::args::{RunFormat, ShowArguments};
use crate::check::write_out;
use crate::exit::Exit;
use crate::{message, recording};

/// Runs the command.
pub fn show(arguments: &ShowArguments) -> Exit {
    match try_show(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn try_show(arguments: &ShowArguments) -> Result<Exit, Exit> {
    let loaded = recording::load(&arguments.run, arguments.color)?;
    let run = recording::named(&loaded, arguments.color)?;
    let text = match arguments.format {
        RunFormat::Text => recorded::text(&run),
        RunFormat::Json => recorded::json(&run),
        RunFormat::Chrome => recorded::chrome(&run),
        RunFormat::Std => recorded::std(&run),
    };
    write_out(&text, arguments.color)?;
    match run.missing {
        None => Ok(Exit::Safe),
        Some(missing) => {
            message::note(arguments.color, &words::recorded::missing(missing));
            Ok(Exit::Inconclusive)
        }
    }
}
