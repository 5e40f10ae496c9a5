//! Names that are free, and words of a text.

use std::collections::BTreeSet;

use crate::Sources;

/// An identifier that occurs nowhere in the files: `wanted`, or `wanted` with 2, 3, … behind it.
///
/// A word counts as used wherever it occurs, in comments and strings too: a name that is free in
/// every sense also reads unambiguously.
#[must_use]
pub fn fresh(sources: &Sources<'_>, wanted: &str) -> String {
    fresh_beside(sources, wanted, &mut BTreeSet::new())
}

/// As [`fresh`], and none of those `taken` already; the result is added to them.
pub fn fresh_beside(sources: &Sources<'_>, wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let numbered = (2u32..).map(|number| format!("{wanted}{number}"));
    let free = |name: &String| !taken.contains(name) && !is_used(sources, name);
    let name = std::iter::once(wanted.to_owned()).chain(numbered).find(free);
    let name = name.unwrap_or_else(|| wanted.to_owned()); // the numbers do not end before the text
    taken.insert(name.clone());
    name
}

/// Whether a word occurs in one of the files.
#[must_use]
pub fn is_used(sources: &Sources<'_>, name: &str) -> bool {
    let texts = sources.files().iter().filter_map(|(_, file)| file.text.as_deref());
    texts.into_iter().any(|text| has_word(text, name))
}

/// Whether a word occurs in a text.
#[must_use]
pub fn has_word(text: &str, name: &str) -> bool {
    words(text).any(|word| word == name)
}

/// The words of a text: identifiers, keywords and numbers.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use unravel_span::Files;

    #[test]
    fn a_name_in_use_gets_a_number() {
        let mut files = Files::new();
        let id = files.intern("a.c");
        files.set_text(id, "int lock, lock2; /* lock3 */ int lock_4;\n".to_owned());
        let sources = Sources::parse(&files);
        assert_eq!(fresh(&sources, "x_lock"), "x_lock");
        assert_eq!(fresh(&sources, "lock"), "lock4");
        let mut taken = BTreeSet::from(["lock4".to_owned()]);
        assert_eq!(fresh_beside(&sources, "lock", &mut taken), "lock5");
        assert_eq!(fresh_beside(&sources, "lock", &mut taken), "lock6");
    }
}
