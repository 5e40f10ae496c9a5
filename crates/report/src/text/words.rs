//! Small matters of wording.

use super::Style;

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

/// `1 loop`, `2 loops`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if noun.ends_with("ch") { "es" } else { "s" };
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}{plural}") }
}

/// How a thread is called: `main`, `T2`.
pub fn thread(id: u32) -> String {
    if id == 0 { "main".to_owned() } else { format!("T{id}") }
}

/// The thread a remark such as `T2 waits for mutex m` speaks of, and the rest of it.
pub fn speaker(remark: &str) -> Option<(u32, &str)> {
    let (name, rest) = remark.split_once(' ')?;
    let id = name.strip_prefix('T')?.parse().ok()?;
    Some((id, rest))
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
