//! Names of files: as the user wrote them where the user did, else relative to the current
//! directory, else as debug information has them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use unravel_span::{Files, bytes};

use crate::overlay::Overlay;

/// Turns the paths of debug information into those to show.
pub(crate) struct Paths {
    current: Option<PathBuf>,
    /// Inputs by their canonical path.
    inputs: HashMap<PathBuf, String>,
    /// Shown path by directory and name.
    shown: HashMap<(String, String), String>,
    /// Where to read a shown path.
    actual: HashMap<String, PathBuf>,
    /// Texts in place of those of files, by canonical path.
    texts: HashMap<PathBuf, String>,
}

impl Paths {
    pub(crate) fn new<'a>(inputs: impl Iterator<Item = &'a Path>, overlay: &Overlay) -> Self {
        let inputs = inputs
            .filter_map(|path| Some((path.canonicalize().ok()?, path.display().to_string())))
            .collect();
        Paths {
            current: current_directory(),
            inputs,
            shown: HashMap::new(),
            actual: HashMap::new(),
            texts: overlay.iter().map(|(path, text)| (path.clone(), text.to_owned())).collect(),
        }
    }

    /// The path to show for a file of debug information.
    pub(super) fn show(&mut self, directory: &str, name: &str) -> String {
        let key = (directory.to_owned(), name.to_owned());
        if let Some(shown) = self.shown.get(&key) {
            return shown.clone();
        }
        let joined = Path::new(directory).join(name);
        let actual = joined.canonicalize().unwrap_or(joined);
        let shown = self.name(&actual);
        self.shown.insert(key, shown.clone());
        self.actual.entry(shown.clone()).or_insert(actual);
        shown
    }

    fn name(&self, actual: &Path) -> String {
        if let Some(input) = self.inputs.get(actual) {
            return input.clone();
        }
        relative(actual, self.current.as_deref()).display().to_string()
    }

    /// Attaches the text of every file that can be read.
    pub(super) fn read_texts(&self, files: &mut Files) {
        let known: Vec<_> = files.iter().map(|(id, file)| (id, file.path.clone())).collect();
        for (id, path) in known {
            let text = self.actual.get(&path).and_then(|actual| self.text(actual));
            if let Some(text) = text {
                files.set_text(id, text);
            }
        }
    }

    fn text(&self, actual: &Path) -> Option<String> {
        let read = || Some(bytes::decode(&fs::read(actual).ok()?));
        self.texts.get(actual).cloned().or_else(read)
    }
}

/// The path relative to the current directory if it lies below, else the whole of it.
pub(crate) fn short_path(path: &Path) -> PathBuf {
    let actual = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    relative(&actual, current_directory().as_deref()).to_owned()
}

fn current_directory() -> Option<PathBuf> {
    env::current_dir().and_then(|it| it.canonicalize()).ok()
}

fn relative<'a>(path: &'a Path, directory: Option<&Path>) -> &'a Path {
    directory.and_then(|directory| path.strip_prefix(directory).ok()).unwrap_or(path)
}
