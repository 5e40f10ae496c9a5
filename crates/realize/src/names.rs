//! Names for new mutexes and flags, after the data that they are for.

use unravel_patch::names::fresh;
use unravel_repair::{Requirement, Spot, Stretch};
use unravel_span::Span;

use crate::Context;

/// The longest name that is made of two variables.
const LONGEST_PAIR: usize = 16;

impl Context<'_> {
    /// A name for a new mutex around stretches: `balance_lock`. The ordinal keeps apart the mutexes of
    /// one repair that are for the same data.
    #[must_use]
    pub fn mutex_name(&self, stretches: &[Stretch], ordinal: &str) -> String {
        let subject = self.data_at(ends(stretches).filter_map(Spot::place));
        // A mutex around other locks has another name than one around data.
        let is_lock = ["lock", "mutex"].iter().any(|word| subject.ends_with(word));
        let suffix = if is_lock { "gate" } else { "lock" };
        fresh(self.sources, &format!("{subject}{ordinal}_{suffix}"))
    }

    /// A name for a new flag that says that a step was made: `ready_done`.
    #[must_use]
    pub fn flag_name(&self, step: &Spot, ordinal: &str) -> String {
        let subject = self.data_at(step.place().into_iter());
        let end = if subject.ends_with("done") { "reached" } else { "done" };
        format!("{subject}{ordinal}_{end}")
    }

    /// The data that a requirement is about, by which its new objects are named.
    #[must_use]
    pub(crate) fn subject(&self, requirement: &Requirement) -> String {
        match requirement {
            Requirement::Exclusive(all) => self.data_at(ends(all).filter_map(Spot::place)),
            Requirement::Before(order) => self.data_at(order.before.place().into_iter()),
        }
    }

    /// A name for the data that is accessed at places: `balance`, `head_tail`.
    #[must_use]
    pub(crate) fn data_at(&self, places: impl Iterator<Item = Span>) -> String {
        let mut names: Vec<String> = Vec::new();
        for place in places {
            let name = self.expression_at(place).and_then(|it| last_word(&it));
            names.extend(name.filter(|name| !names.contains(name)));
        }
        match &names[..] {
            [] => "shared".to_owned(),
            [one] => one.clone(),
            [one, other, ..] if one.len() + other.len() <= 2 => format!("{one}{other}"),
            [one, other] if one.len() + other.len() <= LONGEST_PAIR => format!("{one}_{other}"),
            [one, ..] => one.clone(),
        }
    }
}

/// First and last spot of each stretch.
fn ends(stretches: &[Stretch]) -> impl Iterator<Item = &Spot> {
    stretches.iter().flat_map(|it| [&it.first, &it.last])
}

/// What keeps apart the names of several objects for the same data: nothing for the first, then `2`,
/// `3`, …
pub(crate) fn ordinal(index: usize) -> String {
    if index == 0 { String::new() } else { (index + 1).to_string() }
}

/// Words that can end what is seen of an expression and name nothing: those of casts, mostly.
const KEYWORDS: [&str; 15] = [
    "assert", "char", "const", "double", "enum", "float", "int", "long", "return", "short",
    "signed", "struct", "unsigned", "void", "volatile",
];

/// The last identifier of an expression: `count` of `q->slots[i].count`.
fn last_word(expression: &str) -> Option<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut outside = String::new();
    let mut depth = 0;
    for c in expression.chars() {
        match c {
            '[' | '(' => depth += 1,
            ']' | ')' => depth -= 1,
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    // Constants, words of the language and what the implementation reserves name no data.
    let is_data = |it: &&str| {
        (it.len() == 1 || it.chars().any(|c| c.is_ascii_lowercase()))
            && !it.starts_with("__")
            && !KEYWORDS.contains(it)
            && !it.starts_with(|c: char| c.is_ascii_digit())
    };
    let mut words = outside.split(|c: char| !is_part(c)).filter(|it| !it.is_empty());
    words.next_back().filter(is_data).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_named_by_the_last_identifier_of_an_expression() {
        assert_eq!(last_word("q->slots[i].count").as_deref(), Some("count"));
        assert_eq!(last_word("Table[x]").as_deref(), Some("table"));
        assert_eq!(last_word("(unsigned char)").as_deref(), None);
        assert_eq!(last_word("MAX").as_deref(), None);
        assert_eq!(last_word("__builtin").as_deref(), None);
    }

    #[test]
    fn the_first_object_has_no_number() {
        assert_eq!([ordinal(0), ordinal(1), ordinal(2)], ["", "2", "3"]);
    }
}
