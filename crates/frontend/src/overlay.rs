//! Texts in place of files: what a program would be if some of its files were changed.
//!
//! The compiler sees them through a virtual file system (`-ivfsoverlay`), so nothing is written
//! beside the user's files, includes are found as ever, and debug information names the files
//! as if they had been changed. Clang compares paths as they are spelled: each file is entered by
//! its canonical path and by that of the user. A header that is only reached through another
//! symbolic link is not replaced; the program is then the old one, and nothing is claimed of it.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

use serde_json::json;
use tempfile::TempDir;
use unravel_span::bytes;

use crate::error::Error;

/// Texts in place of files.
pub(crate) struct Overlay {
    texts: Vec<Text>,
    /// The texts and the list of them, for clang; removed at the end.
    folder: Option<(TempDir, PathBuf)>,
}

/// One of them.
struct Text {
    /// The path as given.
    given: PathBuf,
    canonical: PathBuf,
    text: String,
}

impl Overlay {
    /// Writes the texts where clang can read them.
    pub(crate) fn new(texts: &[(PathBuf, String)]) -> Result<Overlay, Error> {
        let text = |(given, text): &(PathBuf, String)| Text {
            given: given.clone(),
            canonical: canonical(given),
            text: text.clone(),
        };
        let texts: Vec<Text> = texts.iter().map(text).collect();
        let folder = if texts.is_empty() { None } else { Some(write(&texts).map_err(failed)?) };
        Ok(Overlay { texts, folder })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// The text in place of a file, if there is one.
    pub(crate) fn text(&self, path: &Path) -> Option<&str> {
        if self.is_empty() {
            return None;
        }
        let path = canonical(path);
        self.iter().find(|(it, _)| **it == path).map(|(_, text)| text)
    }

    /// Canonical paths and texts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&PathBuf, &str)> {
        self.texts.iter().map(|it| (&it.canonical, it.text.as_str()))
    }

    /// The list for `-ivfsoverlay`.
    pub(crate) fn list(&self) -> Option<&Path> {
        self.folder.as_ref().map(|(_, list)| list.as_path())
    }
}

/// That a temporary file cannot be written.
pub(crate) fn failed(error: io::Error) -> Error {
    Error::Temporary { reason: error.to_string() }
}

/// The path with symbolic links resolved, absolute in any case.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    let resolved = path.canonicalize().or_else(|_| std::path::absolute(path));
    resolved.unwrap_or_else(|_| path.to_owned())
}

fn write(texts: &[Text]) -> io::Result<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir()?;
    let base = folder.path().canonicalize()?;
    let mut roots = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let contents = base.join(format!("{index}.txt"));
        fs::write(&contents, bytes::encode(&text.text))?;
        for name in names(text) {
            roots.push(json!({ "name": name, "type": "file", "external-contents": contents }));
        }
    }
    let list = base.join("overlay.json");
    let overlay = json!({
        "version": 0,
        "case-sensitive": true,
        "use-external-names": false,
        "roots": roots,
    });
    fs::write(&list, overlay.to_string())?;
    Ok((folder, list))
}

/// Every way in which clang may spell the path of a file, each once.
fn names(text: &Text) -> Vec<PathBuf> {
    let mut names = vec![text.canonical.clone()];
    let spelled = std::path::absolute(&text.given).ok();
    // Clang believes `PWD`, which keeps the symbolic links by which the user came here.
    let here = env::var_os("PWD").map(|here| Path::new(&here).join(&text.given));
    for name in spelled.into_iter().chain(here).filter(|it| it.is_absolute()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
