//! Text that fits a line: cut, filled up or wrapped.

use super::Style;
pub use crate::words::{count, number, thread};

/// `text` without control characters, which would change what the terminal shows.
pub fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// `text` on one line of at most `width` characters.
pub fn cut(text: &str, width: usize, style: Style) -> String {
    let text = clean(text);
    if text.chars().count() <= width {
        return text;
    }
    let sign = style.ellipsis();
    let kept = width.saturating_sub(sign.chars().count());
    let mut short: String = text.chars().take(kept).collect();
    short.push_str(sign);
    short.chars().take(width).collect()
}

/// `text` filled up with spaces to `width` characters.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text:<width$}")
}

/// Columns that `text` takes, escape codes of colours left aside.
pub fn width(text: &str) -> usize {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().chars().count();
    let rest = parts.map(|part| part.split_once('m').map_or(part, |it| it.1).chars().count());
    first + rest.sum::<usize>()
}

/// `text` behind `lead`, on lines of at most `width` characters, ending in a line break; all but
/// the first are indented as far as the lead is long.
pub fn wrap(lead: &str, text: &str, width: usize) -> String {
    let indent = self::width(lead);
    let (mut out, mut used) = (lead.to_owned(), indent);
    for (index, word) in clean(text).split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && used + 1 + length > width {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            used = indent;
        } else if index > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    format!("{}\n", out.trim_end())
}

/// `text` in at most `width` characters, its beginning left out: the end of a path says most.
pub fn cut_front(text: &str, width: usize, style: Style) -> String {
    let text = clean(text);
    let length = text.chars().count();
    if length <= width {
        return text;
    }
    let sign = style.ellipsis();
    let kept = width.saturating_sub(sign.chars().count());
    let rest: String = text.chars().skip(length - kept).collect();
    format!("{sign}{rest}").chars().take(width).collect()
}
