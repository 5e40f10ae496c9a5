//! For which command line an answer holds, and what is said of a program with one thread.

use super::say;
use crate::model::CommandLine;

/// A command line as one would type it: `bank 3 'a b'`.
#[must_use]
pub fn written(called: &CommandLine) -> String {
    let words: Vec<String> = called.words.iter().map(|it| quoted(it)).collect();
    words.join(" ")
}

/// A word for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// `for the command line `bank 3``.
#[must_use]
pub fn for_command_line(called: &CommandLine) -> String {
    let environment = if called.has_environment { " in an empty environment" } else { "" };
    say(format!("for the command line `{}`{environment}", written(called)))
}

/// That no second thread starts: most often not what the user wanted to know.
#[must_use]
pub fn one_thread(called: Option<&CommandLine>) -> String {
    say(match called {
        Some(called) if called.words.len() < 2 => {
            "no second thread starts: called without arguments, the program creates none (usually \
             a usage message, not a proof); say what it is called with: --args '3 100'"
                .to_owned()
        }
        Some(called) => format!(
            "no second thread starts: called as `{}`, the program creates none (usually a usage \
             message, not a proof); `--args` says what else to call it with",
            written(called)
        ),
        None => {
            "no second thread starts: the program creates none in any run, so this is no proof \
                 about threads"
                .to_owned()
        }
    })
}
