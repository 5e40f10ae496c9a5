//! What the terminal can show.

use std::io::IsTerminal;

use unravel_report::text::Style;

use crate::args::{Color, OutputArguments};

/// Widest line of a report.
const WIDTH: usize = 100;

fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// Whether to use colours on a stream (`NO_COLOR`, `CLICOLOR_FORCE` and `TERM=dumb` count).
fn color(choice: Color, is_terminal: bool) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if is_set("NO_COLOR") => false,
        Color::Auto if is_set("CLICOLOR_FORCE") => true,
        Color::Auto => is_terminal && std::env::var_os("TERM").is_some_and(|term| term != "dumb"),
    }
}

/// Whether the locale writes UTF-8.
fn utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name));
    let value = locale.and_then(|name| std::env::var(name).ok()).unwrap_or_default();
    let value = value.to_ascii_lowercase();
    value.contains("utf-8") || value.contains("utf8")
}

/// The style for reports on standard output.
pub fn style(output: &OutputArguments) -> Style {
    let stdout = std::io::stdout();
    let is_terminal = stdout.is_terminal();
    let columns = usize::from(console::Term::stdout().size().1);
    Style {
        color: color(output.color, is_terminal),
        unicode: is_terminal && utf8(),
        width: if is_terminal { columns.clamp(60, WIDTH) } else { WIDTH },
        verbose: output.verbose,
    }
}

/// Columns to write on, and whether colours may be used, for text that is no report.
pub fn plain_style(choice: Color) -> (usize, bool) {
    let is_terminal = std::io::stdout().is_terminal();
    let columns = usize::from(console::Term::stdout().size().1);
    let width = if is_terminal { columns.clamp(60, WIDTH) } else { WIDTH };
    (width, color(choice, is_terminal))
}

/// Whether messages on standard error may have colours.
pub fn stderr_color(choice: Color) -> bool {
    color(choice, std::io::stderr().is_terminal())
}
