//! Markers: comments `//@name` that give lines a name.

use std::collections::BTreeMap;

use crate::error::Located;
use crate::{Problem, Source};

/// What begins a marker.
const START: &str = "//@";

/// A marked line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Marker {
    /// The name, without `//@`.
    pub name: String,
    /// The file, as a path from the root of the repository.
    pub file: String,
    /// The line that the marker stands on, from 1.
    pub line: u64,
}

/// All markers of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markers(BTreeMap<String, Marker>);

impl Markers {
    /// Adds the markers of a file. Each is one word at the end of its line, and no two of a program
    /// are the same.
    pub(crate) fn add(&mut self, source: &Source) -> Result<(), Located> {
        for (line, content) in (1u64..).zip(source.text.lines()) {
            let Some((_, name)) = content.split_once(START) else { continue };
            let name = name.trim_end();
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(is_word) {
                return Err(Located::new(line, Problem::BadMarker(name.to_owned())));
            }
            let marker = Marker { name: name.to_owned(), file: source.shown.clone(), line };
            if self.0.insert(name.to_owned(), marker).is_some() {
                return Err(Located::new(line, Problem::MarkerTwice(name.to_owned())));
            }
        }
        Ok(())
    }

    /// The marker of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<Marker> {
        self.0.get(name).cloned()
    }

    /// The name of the marker on a line of a program of one file.
    #[must_use]
    pub fn on_line(&self, line: u64) -> Option<&str> {
        self.0.values().find(|it| it.line == line).map(|it| it.name.as_str())
    }
}
