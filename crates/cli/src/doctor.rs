//! `unravel doctor`: what is missing on this machine.
//!
//! One line for each thing that some command uses: whether it is there, and else what it is for
//! and what to install. What matters most is tried for real: a small program is read and checked.

mod checks;
mod programs;

use crate::args::{Color, DoctorArguments};
use crate::check::write_out;
use crate::exit::Exit;
use crate::explain::wrap;
use crate::terminal;

/// What a check says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It is there.
    Ok,
    /// It is not there, and nothing works without it.
    Missing,
    /// It is not there, and only what the line names needs it.
    Optional,
}

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Ok => "ok",
            State::Missing => "missing",
            State::Optional => "optional",
        }
    }

    /// Green, red and yellow of the 16 ANSI colours.
    fn color(self) -> &'static str {
        match self {
            State::Ok => "32",
            State::Missing => "31",
            State::Optional => "33",
        }
    }
}

/// One line.
#[derive(Debug)]
pub struct Line {
    pub state: State,
    /// What was looked for.
    pub what: &'static str,
    /// What was found, or what it is for and what to install.
    pub detail: String,
}

/// Runs the command.
pub fn doctor(arguments: &DoctorArguments) -> Exit {
    let lines = checks::all();
    let (width, color) = terminal::plain_style(arguments.color);
    if let Err(exit) = write_out(&render(&lines, width, color), Color::Auto) {
        return exit;
    }
    if lines.iter().any(|line| line.state == State::Missing) { Exit::Missing } else { Exit::Safe }
}

fn render(lines: &[Line], width: usize, color: bool) -> String {
    let column = lines.iter().map(|line| line.what.len()).max().unwrap_or(0);
    let mut text = String::new();
    for Line { state, what, detail } in lines {
        let word = state.word();
        let line = wrap(&format!("{word:8}  {what:column$}  "), detail, width);
        // The word is first: painting it moves nothing.
        let rest = line.strip_prefix(word).unwrap_or(&line);
        let style = state.color();
        text.push_str(&if color { format!("\x1b[{style}m{word}\x1b[0m{rest}") } else { line });
    }
    let missing = lines.iter().filter(|line| line.state == State::Missing);
    let missing: Vec<&str> = missing.map(|line| line.what).collect();
    text.push_str(&match missing.as_slice() {
        [] => "\nall that is required is there\n".to_owned(),
        names => format!("\nrequired and missing: {}\n", names.join(", ")),
    });
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_are_columns_and_the_last_says_what_is_missing() {
        let line = |state, what, detail: &str| Line { state, what, detail: detail.to_owned() };
        let lines = [line(State::Ok, "a", "one two"), line(State::Missing, "long", "three")];
        let expected = "ok        a     one two\nmissing   long  three\n\n\
                        required and missing: long\n";
        assert_eq!(render(&lines, 80, false), expected);
        assert!(render(&lines, 80, true).starts_with("\x1b[32mok\x1b[0m        a "));
        assert!(render(&lines[..1], 80, false).ends_with("all that is required is there\n"));
    }
}
