//! Writes changed texts to files: all or none as far as can be known before, each as a whole.

use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;
use unravel_span::{Edit, FileId, Files, bytes};

/// A file and its text before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub path: PathBuf,
    pub old: String,
    pub new: String,
}

/// Why nothing, or not all, was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The edits do not fit the texts.
    Misfit { path: PathBuf },
    /// The file is not what was read.
    Changed { path: PathBuf },
    /// It cannot be read or written.
    Failed { path: PathBuf, reason: String, written: Vec<PathBuf> },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Misfit { path } => {
                write!(f, "the repair does not fit the text of `{}`", path.display())
            }
            Refusal::Changed { path } => {
                let path = path.display();
                write!(f, "`{path}` changed since it was read; nothing was written")
            }
            Refusal::Failed { path, reason, written } => {
                write!(f, "`{}` cannot be written: {reason}", path.display())?;
                let written: Vec<String> =
                    written.iter().map(|it| format!("`{}`", it.display())).collect();
                match written.is_empty() {
                    true => write!(f, "; nothing was written"),
                    false => write!(f, "; written before that: {}", written.join(", ")),
                }
            }
        }
    }
}

impl Refusal {
    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            Refusal::Misfit { .. } => "please report this, with the input",
            Refusal::Changed { .. } => "run the command again, for the file as it is now",
            Refusal::Failed { .. } => {
                "make the files and their folders writable, or use `--diff` and apply the patch"
            }
        }
    }
}

/// The texts with edits made, one per file.
pub fn changes(files: &Files, edits: &[Edit]) -> Result<Vec<Change>, Refusal> {
    let mut ids: Vec<FileId> = edits.iter().map(|edit| edit.file).collect();
    ids.sort();
    ids.dedup();
    ids.into_iter().map(|id| change(files, id, edits)).collect()
}

fn change(files: &Files, id: FileId, edits: &[Edit]) -> Result<Change, Refusal> {
    let path = PathBuf::from(files.path(id));
    let mine: Vec<Edit> = edits.iter().filter(|edit| edit.file == id).cloned().collect();
    let old = files.get(id).and_then(|file| file.text.clone());
    let new = old.as_deref().and_then(|text| unravel_span::apply(text, &mine));
    match (old, new) {
        (Some(old), Some(new)) => Ok(Change { path, old, new }),
        _ => Err(Refusal::Misfit { path }),
    }
}

/// Replaces the files. Every new text is on the disk before the first file is replaced.
pub fn write(changes: &[Change]) -> Result<(), Refusal> {
    let prepared: Vec<Prepared> = changes.iter().map(prepare).collect::<Result<_, _>>()?;
    let mut written = Vec::new();
    for Prepared { shown, target, new } in prepared {
        if let Err(error) = new.persist(&target) {
            let reason = error.error.to_string();
            return Err(Refusal::Failed { path: shown, reason, written });
        }
        written.push(shown);
    }
    Ok(())
}

/// A new text beside the file that it shall replace.
struct Prepared {
    shown: PathBuf,
    /// The file itself, if the path is a symbolic link.
    target: PathBuf,
    new: NamedTempFile,
}

fn prepare(change: &Change) -> Result<Prepared, Refusal> {
    let shown = change.path.clone();
    let failed = |error: std::io::Error| Refusal::Failed {
        path: change.path.clone(),
        reason: error.to_string(),
        written: Vec::new(),
    };
    let target = shown.canonicalize().map_err(failed)?;
    if fs::read(&target).map_err(failed)? != bytes::encode(&change.old) {
        return Err(Refusal::Changed { path: shown });
    }
    let new = beside(&target, &change.new).map_err(failed)?;
    Ok(Prepared { shown, target, new })
}

/// A temporary file in the same folder, since only there it can take the other's place in one step.
fn beside(target: &Path, text: &str) -> std::io::Result<NamedTempFile> {
    let metadata = fs::metadata(target)?;
    if metadata.permissions().readonly() {
        return Err(std::io::Error::other("it is read-only"));
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(&bytes::encode(text))?;
    new.as_file().set_permissions(metadata.permissions())?;
    new.as_file().sync_all()?;
    Ok(new)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    /// Two files with texts, as the front end reads them.
    fn two_files() -> (tempfile::TempDir, Files, [FileId; 2]) {
        let folder = tempfile::tempdir().unwrap();
        let mut files = Files::new();
        let ids = [("a.c", "int a;\n"), ("b.h", "int b;\n")].map(|(name, text)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            let id = files.intern(path.to_str().unwrap());
            files.set_text(id, text.to_owned());
            id
        });
        (folder, files, ids)
    }

    fn edits([a, b]: [FileId; 2]) -> Vec<Edit> {
        vec![
            Edit::insert(b, 0, "static "),
            Edit::insert(a, 0, "static "),
            Edit::insert(a, 7, "x\n"),
        ]
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn several_files_are_replaced_and_keep_their_permissions() {
        let (folder, files, ids) = two_files();
        let (a, b) = (folder.path().join("a.c"), folder.path().join("b.h"));
        fs::set_permissions(&a, fs::Permissions::from_mode(0o640)).unwrap();
        fs::set_permissions(&b, fs::Permissions::from_mode(0o755)).unwrap();
        write(&changes(&files, &edits(ids)).unwrap()).unwrap();
        assert_eq!(fs::read_to_string(&a).unwrap(), "static int a;\nx\n");
        assert_eq!(fs::read_to_string(&b).unwrap(), "static int b;\n");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&a), mode(&b)), (0o640, 0o755));
        assert_eq!(names(folder.path()), ["a.c", "b.h"]);
    }

    #[test]
    fn nothing_is_written_if_one_file_changed_meanwhile() {
        let (folder, files, ids) = two_files();
        let b = folder.path().join("b.h");
        fs::write(&b, "long b;\n").unwrap();
        let refusal = write(&changes(&files, &edits(ids)).unwrap()).unwrap_err();
        assert_eq!(refusal, Refusal::Changed { path: b });
        assert_eq!(fs::read_to_string(folder.path().join("a.c")).unwrap(), "int a;\n");
        assert_eq!(names(folder.path()), ["a.c", "b.h"]);
    }

    #[test]
    fn applying_twice_is_refused() {
        let (_folder, files, ids) = two_files();
        let changes = changes(&files, &edits(ids)).unwrap();
        write(&changes).unwrap();
        assert!(matches!(write(&changes), Err(Refusal::Changed { .. })));
    }

    #[test]
    fn a_link_stays_a_link() {
        let (folder, mut files, _) = two_files();
        let link = folder.path().join("link.c");
        symlink("a.c", &link).unwrap();
        let id = files.intern(link.to_str().unwrap());
        files.set_text(id, "int a;\n".to_owned());
        write(&changes(&files, &[Edit::insert(id, 0, "x")]).unwrap()).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(folder.path().join("a.c")).unwrap(), "xint a;\n");
    }

    #[test]
    fn a_file_that_is_gone_or_read_only_is_told() {
        let (folder, files, ids) = two_files();
        let changes = changes(&files, &edits(ids)).unwrap();
        let a = folder.path().join("a.c");
        fs::set_permissions(&a, fs::Permissions::from_mode(0o444)).unwrap();
        let refusal = write(&changes).unwrap_err();
        assert!(refusal.to_string().ends_with("it is read-only; nothing was written"), "{refusal}");
        fs::remove_file(&a).unwrap();
        assert!(matches!(write(&changes), Err(Refusal::Failed { path, .. }) if path == a));
        assert_eq!(fs::read_to_string(folder.path().join("b.h")).unwrap(), "int b;\n");
    }

    #[test]
    fn edits_outside_of_the_text_are_refused() {
        let (_folder, files, [a, _]) = two_files();
        let refusal = changes(&files, &[Edit::insert(a, 99, "x")]).unwrap_err();
        assert!(matches!(refusal, Refusal::Misfit { .. }));
    }
}
