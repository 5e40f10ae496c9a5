//! Where two written files of one run differ: only at statements of some lines of the source.

use std::collections::BTreeSet;

/// The lines of the source whose statements may differ.
pub struct Origin<'t> {
    /// The name of the source, as comments have it.
    pub name: &'t str,
    /// Its text.
    pub source: &'t str,
    /// The lines.
    pub lines: BTreeSet<u32>,
}

impl Origin<'_> {
    /// Whether a line of a file comes from one of the lines, or has another value.
    fn is_from(&self, line: &str) -> bool {
        let from = |at: &u32| {
            let place = format!(" {}:{at}", self.name);
            line.contains(&format!("{place} */")) || line.contains(&format!("{place}: "))
        };
        line.contains("/* instead of ") || self.lines.iter().any(from)
    }

    /// With all lines of the functions that the lines are in, and the names of those: what a single
    /// execution takes apart lies around it, or calls it.
    fn functions(&self) -> (Origin<'_>, Vec<String>) {
        let all: Vec<&str> = self.source.lines().collect();
        let is_outside = |at: &usize| all[*at].starts_with(|c: char| !c.is_whitespace());
        let (mut lines, mut names) = (BTreeSet::new(), Vec::new());
        for line in &self.lines {
            let at = *line as usize - 1;
            let first = (0..=at).rev().find(is_outside).unwrap_or(0);
            let last = (at..all.len()).find(is_outside).unwrap_or(all.len() - 1);
            lines.extend((first..=last).filter_map(|it| u32::try_from(it + 1).ok()));
            let head = all[first].split('(').next().unwrap_or_default();
            names.extend(head.split([' ', '*']).next_back().map(|it| format!("{it}(")));
        }
        (Origin { lines, ..*self }, names)
    }
}

/// What the compiler must not warn of is named once more.
fn without_uses(line: &str) -> String {
    match line.find(" (void)") {
        Some(at) => {
            let behind = line[at + 1..].find(';').map_or(line.len(), |it| at + 1 + it + 1);
            format!("{}{}", &line[..at], &line[behind..])
        }
        None => line.to_owned(),
    }
}

/// The file behind what is said of it.
fn body(text: &str) -> Vec<String> {
    let (_, body) = text.split_once("*/").unwrap_or_default();
    body.lines().map(without_uses).collect()
}

/// That two files of a run differ only at some lines. Whether they have the same statements.
///
/// # Errors
/// A line that differs and should not.
pub fn differ_only_at(plain: &str, changed: &str, origin: &Origin<'_>) -> Result<bool, String> {
    let (plain, changed) = (body(plain), body(changed));
    if plain.len() == changed.len() {
        let mut pairs = plain.iter().zip(&changed).filter(|(plain, changed)| plain != changed);
        return match pairs.find(|(_, changed)| !origin.is_from(changed)) {
            Some((plain, changed)) => Err(format!("`{plain}` became `{changed}`")),
            None => Ok(true),
        };
    }
    taken_apart(&plain, &changed, origin).map(|()| false)
}

/// The same where a loop or a function is taken apart in one file: the statements of other lines are
/// the same, and no definition is added.
fn taken_apart(plain: &[String], changed: &[String], origin: &Origin<'_>) -> Result<(), String> {
    let (around, names) = origin.functions();
    let is_main = |it: &String| it == "int main(void) {";
    let split = |all: &[String]| {
        let at = all.iter().position(is_main).unwrap_or(0);
        (all[..at].to_vec(), statements(&all[at..]))
    };
    let ((plain_head, plain), (changed_head, changed)) = (split(plain), split(changed));
    if let Some(new) = changed_head.iter().find(|it| !plain_head.contains(it)) {
        return Err(format!("`{new}` is new"));
    }
    let is_other =
        |it: &&String| !around.is_from(it) && !names.iter().any(|name| it.contains(name.as_str()));
    let plain: Vec<&String> = plain.iter().filter(is_other).collect();
    let changed: Vec<&String> = changed.iter().filter(is_other).collect();
    match plain.iter().zip(&changed).find(|(plain, changed)| plain != changed) {
        Some((plain, changed)) => Err(format!("`{plain}` became `{changed}`")),
        None if plain.len() != changed.len() => Err("there are other lines".to_owned()),
        None => Ok(()),
    }
}

/// The statements of `main`: each begins with a line that ends with a comment.
fn statements(lines: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for line in lines.iter().filter(|it| !it.is_empty()) {
        match all.last_mut() {
            Some(last) if !line.ends_with("*/") => {
                last.push('\n');
                last.push_str(line);
            }
            _ => all.push(line.clone()),
        }
    }
    all
}
