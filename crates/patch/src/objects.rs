//! New objects at file scope, seen by all files that use them.

use unravel_span::{Edit, FileId};

use crate::source::Sources;
use crate::style;

/// A variable to declare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its type.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Its first value, where that is not 0.
    pub value: Option<&'static str>,
}

impl Object {
    /// An object of a type.
    #[must_use]
    pub fn new(kind: &'static str, name: &str, value: Option<&'static str>) -> Object {
        Object { kind, name: name.to_owned(), value }
    }

    fn defined(&self, class: &str) -> String {
        let value = self.value.map(|it| format!(" = {it}")).unwrap_or_default();
        format!("{class}{} {}{value};", self.kind, self.name)
    }

    fn declared(&self) -> String {
        format!("extern {} {};", self.kind, self.name)
    }
}

/// Declares objects: `static` for one file; for several, defined in the first and `extern` in the
/// others. The headers that their types need are included.
#[must_use]
pub fn declare(sources: &Sources<'_>, files: &[FileId], objects: &[Object]) -> Vec<Edit> {
    let mut known: Vec<FileId> = Vec::new();
    for file in files {
        if !known.contains(file) {
            known.push(*file);
        }
    }
    let class = if known.len() > 1 { "" } else { "static " };
    let threads = objects.iter().any(|it| it.kind.starts_with("pthread_"));
    let mut edits = Vec::new();
    for (index, file) in known.iter().enumerate() {
        let Some(source) = sources.source(*file) else { continue };
        if threads {
            edits.extend(style::include(sources, *file, "<pthread.h>"));
        }
        let line = |it: &Object| if index == 0 { it.defined(class) } else { it.declared() };
        let lines: Vec<String> = objects.iter().map(line).collect();
        edits.extend(style::declare_globals(&source, &lines));
    }
    edits
}
