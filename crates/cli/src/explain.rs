//! `unravel explain`: what a code or a pattern of a report means.
//!
//! The pages are `docs/patterns/*.md`, built into the program ([`pages`]) and laid out for the
//! terminal ([`render`]).

mod pages;
mod render;

pub use pages::names;
pub use render::wrap;

use crate::args::ExplainArguments;
use crate::check::write_out;
use crate::exit::Exit;
use crate::{message, terminal};

use pages::PAGES;

/// How alike two names must be for one to be offered for the other (Jaro-Winkler; clap's value).
const ALIKE: f64 = 0.7;

/// A name that needs more than this share of its letters changed is another name: letters of a short
/// one are found in order in many long ones.
const CHANGED: f64 = 0.7;

/// Names that are offered for an unknown one.
const MAX_OFFERED: usize = 3;

/// Runs the command.
pub fn explain(arguments: &ExplainArguments) -> Exit {
    match try_explain(arguments) {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}

fn try_explain(arguments: &ExplainArguments) -> Result<(), Exit> {
    let (width, color) = terminal::plain_style(arguments.color);
    if arguments.name.is_empty() {
        return write_out(&list(width), arguments.color);
    }
    let name = code(&arguments.name);
    let Some(page) = pages::named(&name) else {
        message::error(arguments.color, &format!("there is no page about `{name}`"));
        message::help(arguments.color, &offer(&name));
        return Err(Exit::Input);
    };
    write_out(&render::render(page.text, width, color), arguments.color)
}

/// `Atomicity violation` and `error[use-after-free]` as the names they mean.
fn code(words: &[String]) -> String {
    let name = words.join("-").to_lowercase().replace([' ', '_'], "-");
    let inner = name.strip_prefix("error[").and_then(|rest| rest.strip_suffix(']'));
    inner.unwrap_or(&name).to_owned()
}

/// How alike a given name and one of ours are, from 0 to 1.
fn likeness(name: &str, ours: &str) -> f64 {
    let is_part = ours.split('-').any(|word| word == name);
    let changed = 1.0 - strsim::normalized_damerau_levenshtein(name, ours);
    match changed {
        _ if is_part => 1.0,
        _ if changed > CHANGED => 0.0,
        _ => strsim::jaro_winkler(name, ours),
    }
}

/// What to try instead of an unknown name.
fn offer(name: &str) -> String {
    let mut near: Vec<(f64, &str)> = names()
        .map(|it| (likeness(name, it), it))
        .filter(|(likeness, _)| *likeness > ALIKE)
        .collect();
    // Stable: names that are equally near stay in the order of the list.
    near.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<String> =
        near.iter().take(MAX_OFFERED).map(|(_, it)| format!("`{it}`")).collect();
    if near.is_empty() {
        return "`unravel explain` lists all pages".to_owned();
    }
    format!("did you mean {}? `unravel explain` lists all pages", near.join(", "))
}

/// All pages: the name, what it is about, and the codes of reports that it explains.
fn list(width: usize) -> String {
    let column = PAGES.iter().map(|page| page.name.len()).max().unwrap_or(0);
    let mut text = "Pages of `unravel explain`, with the codes that each is about:\n\n".to_owned();
    for page in &PAGES {
        let lead = format!("  {:column$}  ", page.name);
        text.push_str(&wrap(&lead, page.about, width));
        if !page.codes.is_empty() {
            let lead = format!("{}also: ", " ".repeat(column + 4));
            text.push_str(&wrap(&lead, &page.codes.join(", "), width));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn names_are_read_as_they_are_shown() {
        assert_eq!(code(&words("atomicity violation")), "atomicity-violation");
        assert_eq!(code(&words("Data Race")), "data-race");
        assert_eq!(code(&words("error[assertion]")), "assertion");
    }

    #[test]
    fn near_names_are_offered_nearest_first() {
        assert!(offer("asertion").starts_with("did you mean `assertion`"));
        assert!(offer("overflow").contains("`signed-overflow`"));
        assert_eq!(offer("xyzzy"), "`unravel explain` lists all pages");
        assert_eq!(offer("foo"), "`unravel explain` lists all pages");
    }
}
