//! From where a patch is applied, and what it calls the files.
//!
//! `git apply` takes no path that is absolute or leads upwards, so files that are not below the
//! current directory are named from a folder above them, and `git` is told to go there.

use std::path::{Path, PathBuf};

use unravel_report::Report;
use unravel_report::model::Repair;
use unravel_span::{Edit, Files};

use crate::again::quoted;

/// A folder with all files of a patch below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    folder: PathBuf,
    /// It is the current directory.
    is_here: bool,
}

impl Base {
    /// The base of all repairs of a report; their patches are rewritten to it.
    pub fn rebase(report: &mut Report) -> Base {
        let Report { files, repairs, .. } = report;
        let repairs = repairs.as_mut().map_or(&mut [][..], |repairs| &mut repairs.verified);
        let edits = repairs.iter().flat_map(|repair| &repair.edits);
        let paths: Vec<PathBuf> = edits.map(|edit| real(files.path(edit.file))).collect();
        // Without a current directory, paths are as good as from anywhere else.
        let here = std::env::current_dir().and_then(|it| it.canonicalize()).unwrap_or_default();
        let base = Base::of(&paths, &here, |folder| folder.join(".git").exists());
        for repair in repairs {
            base.rewrite(files, repair);
        }
        base
    }

    /// Here, if all files are below; else the root of the repository that has them; else their own
    /// folder.
    fn of(files: &[PathBuf], here: &Path, is_root: impl Fn(&Path) -> bool) -> Base {
        if files.iter().all(|file| file.starts_with(here)) {
            return Base { folder: here.to_owned(), is_here: true };
        }
        let own = common(files);
        let root = own.ancestors().find(|folder| is_root(folder));
        Base { folder: root.unwrap_or(&own).to_owned(), is_here: false }
    }

    /// The command that applies a patch.
    pub fn command(&self) -> String {
        match self.is_here {
            true => "git apply".to_owned(),
            false => format!("git -C {} apply", quoted(&self.folder.to_string_lossy())),
        }
    }

    /// The same where it is not what everybody would type.
    pub fn unusual_command(&self) -> Option<String> {
        (!self.is_here).then(|| self.command())
    }

    /// Writes the patch of a repair with the names that files have from here.
    fn rewrite(&self, files: &Files, repair: &mut Repair) {
        let mut named = Files::new();
        let mut edits: Vec<Edit> = Vec::new();
        for edit in &repair.edits {
            let file = named.intern(&self.name(files.path(edit.file)));
            if let Some(text) = files.get(edit.file).and_then(|it| it.text.clone()) {
                named.set_text(file, text);
            }
            edits.push(Edit { file, ..edit.clone() });
        }
        if let Some(diff) = unravel_driver::diff(&named, &edits) {
            repair.diff = diff;
        }
    }

    fn name(&self, path: &str) -> String {
        let real = real(path);
        real.strip_prefix(&self.folder).unwrap_or(&real).to_string_lossy().into_owned()
    }
}

/// The file itself: git does not look behind a symbolic link.
fn real(path: &str) -> PathBuf {
    let path = PathBuf::from(path);
    path.canonicalize().unwrap_or(path)
}

/// The deepest folder with all files below it.
fn common(files: &[PathBuf]) -> PathBuf {
    let own = files.first().and_then(|file| file.parent()).unwrap_or(Path::new(""));
    let holds_all = |folder: &&Path| files.iter().all(|file| file.starts_with(folder));
    own.ancestors().find(holds_all).unwrap_or(own).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(files: &[&str], here: &str) -> (String, String) {
        let files: Vec<PathBuf> = files.iter().map(PathBuf::from).collect();
        let base = Base::of(&files, Path::new(here), |folder| folder == Path::new("/home/r"));
        (base.folder.display().to_string(), base.command())
    }

    #[test]
    fn the_nearest_base_that_git_takes() {
        let table: [(&[&str], &str, &str, &str); 6] = [
            (&["/home/r/src/a.c"], "/home/r", "/home/r", "git apply"),
            (&["/home/r/src/a.c"], "/home/r/src", "/home/r/src", "git apply"),
            (&["/home/r/src/a.c"], "/home/r/test", "/home/r", "git -C /home/r apply"),
            (&["/home/r/src/a.c", "/home/r/b.h"], "/home/r/src", "/home/r", "git -C /home/r apply"),
            (&["/tmp/x y/a.c"], "/home/r", "/tmp/x y", "git -C '/tmp/x y' apply"),
            (&["/tmp/x/a.c", "/tmp/y/b.h"], "/home", "/tmp", "git -C /tmp apply"),
        ];
        for (files, here, folder, command) in table {
            assert_eq!(base(files, here), (folder.to_owned(), command.to_owned()), "{files:?}");
        }
    }
}
