//! Markers: comments `//@name` that give lines a name.

use std::collections::BTreeMap;

use crate::Problem;
use crate::error::Located;

/// What begins a marker.
const START: &str = "//@";

/// A marked line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The name, without `//@`.
    pub name: String,
    /// The line that the marker stands on, from 1.
    pub line: u64,
}

/// All markers of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markers(BTreeMap<String, u64>);

impl Markers {
    /// The markers of a text. Each is one word at the end of its line, and no two are the same.
    pub(crate) fn of(text: &str) -> Result<Markers, Located> {
        let mut found = BTreeMap::new();
        for (line, content) in (1u64..).zip(text.lines()) {
            let Some((_, name)) = content.split_once(START) else { continue };
            let name = name.trim_end();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(Located::new(line, Problem::BadMarker(name.to_owned())));
            }
            if found.insert(name.to_owned(), line).is_some() {
                return Err(Located::new(line, Problem::MarkerTwice(name.to_owned())));
            }
        }
        Ok(Markers(found))
    }

    /// The marker of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Marker> {
        self.0.get(name).map(|&line| Marker { name: name.to_owned(), line })
    }

    /// The name of the marker on a line.
    #[must_use]
    pub fn on_line(&self, line: u64) -> Option<&str> {
        self.0.iter().find(|(_, at)| **at == line).map(|(name, _)| name.as_str())
    }
}
