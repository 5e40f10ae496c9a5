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

/// A small number in words: `two`.
pub fn number(number: usize) -> String {
    const SMALL: [&str; 10] =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    SMALL.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
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
