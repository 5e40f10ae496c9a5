//! Messages on standard error, in rustc's shape: `error: …`, then `help: …`.

use std::io::Write as _;

use crate::args::Color;
use crate::terminal;

fn print(color: Color, label: &str, style: &str, message: &str) {
    let line = if terminal::stderr_color(color) {
        format!("\x1b[1;{style}m{label}\x1b[0m\x1b[1m: {message}\x1b[0m")
    } else {
        format!("{label}: {message}")
    };
    // Nothing can be done if standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Something went wrong.
pub fn error(color: Color, message: &str) {
    print(color, "error", "31", message);
}

/// What to do about it.
pub fn help(color: Color, message: &str) {
    print(color, "help", "36", message);
}

/// Something worth knowing.
pub fn note(color: Color, message: &str) {
    print(color, "note", "32", message);
}

/// What another program said, as it said it.
pub fn verbatim(text: &str) {
    // Nothing can be done if standard error is closed.
    let _ = writeln!(std::io::stderr().lock(), "{}", text.trim_end());
}
