//! What gcc says about changed files.
//!
//! Gcc has no virtual file system. The folders of changed files are therefore mirrored: changed
//! files as they would be, links to all others. Relative includes then lead from mirrored files to
//! mirrored files; folders with headers are searched in the mirror first.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use tempfile::TempDir;
use unravel_span::bytes;

use crate::clang::{Job, is_on_path};
use crate::overlay::{Overlay, canonical};
use crate::process::run;

/// Flags that name a folder of headers.
const FOLDERS: [&str; 4] = ["-I", "-iquote", "-isystem", "-idirafter"];

/// A gcc that was found, and the files that it shall read.
pub(crate) struct Gcc {
    /// None if no file is changed.
    mirror: Option<Mirror>,
}

/// Changed files among links to the others.
struct Mirror {
    folder: TempDir,
    /// The folders that are mirrored, by their own paths.
    folders: Vec<PathBuf>,
}

impl Gcc {
    /// `None` if there is no gcc; `mains` are the files to compile.
    pub(crate) fn find(overlay: &Overlay, mains: &[PathBuf]) -> io::Result<Option<Gcc>> {
        if !is_on_path("gcc") {
            return Ok(None);
        }
        let mirror = if overlay.is_empty() { None } else { Some(Mirror::new(overlay, mains)?) };
        Ok(Some(Gcc { mirror }))
    }

    /// What it prints about a file, and whether it accepts it.
    pub(crate) fn check(&self, job: &Job<'_>) -> io::Result<(String, bool)> {
        let mut command = Command::new("gcc");
        command.args(["-fsyntax-only", "-Wall", "-Wextra", "-fdiagnostics-color=never"]);
        if job.alone {
            command.arg("-fgnu89-inline");
        }
        let folder = job.directory.unwrap_or(Path::new(""));
        command.args(self.flags(job.flags, folder)).env("LC_ALL", "C");
        if let Some(directory) = job.directory {
            command.current_dir(directory);
        }
        match (&job.text, &self.mirror) {
            (Some(_), _) => command.args(["-x", "cpp-output", "-"]),
            (None, Some(mirror)) => command.arg(mirror.at(&canonical(job.shown))),
            (None, None) => command.arg(job.file),
        };
        let output = run(command, job.text.as_deref(), job.alarm)?;
        Ok((String::from_utf8_lossy(&output.stderr).into_owned(), output.status.success()))
    }

    /// The flags, with the mirror of each folder of headers before the folder itself.
    fn flags(&self, flags: &[String], directory: &Path) -> Vec<OsString> {
        let Some(mirror) = &self.mirror else { return flags.iter().map(OsString::from).collect() };
        let (mut result, mut name) = (Vec::new(), None);
        for flag in flags {
            let value = match name.take() {
                Some(name) => Some((name, flag.as_str())),
                None => FOLDERS.iter().find_map(|name| Some((*name, flag.strip_prefix(*name)?))),
            };
            match value {
                Some((it, "")) => name = Some(it),
                Some((it, value)) => {
                    let value = directory.join(value);
                    let mirrored = mirror.at(&canonical(&value));
                    let before = mirrored.is_dir().then_some(mirrored);
                    let pairs = before.into_iter().chain([canonical(&value)]);
                    result.extend(pairs.flat_map(|path| [it.into(), path.into_os_string()]));
                }
                None => result.push(flag.into()),
            }
        }
        // What is not in a mirrored folder but relative to it.
        let folders = mirror.folders.iter();
        result.extend(folders.flat_map(|it| ["-iquote".into(), it.clone().into_os_string()]));
        result
    }
}

impl Mirror {
    fn new(overlay: &Overlay, mains: &[PathBuf]) -> io::Result<Mirror> {
        let mains = mains.iter().map(|main| canonical(main));
        let files = overlay.iter().map(|(path, _)| path.clone()).chain(mains);
        let mut folders: Vec<PathBuf> =
            files.filter_map(|file| file.parent().map(Path::to_owned)).collect();
        folders.sort();
        folders.dedup();
        let mirror = Mirror { folder: tempfile::tempdir()?, folders };
        for folder in &mirror.folders {
            fs::create_dir_all(mirror.at(folder))?;
        }
        for (path, text) in overlay.iter() {
            fs::write(mirror.at(path), bytes::encode(text))?;
        }
        mirror.folders.iter().try_for_each(|folder| mirror.link(folder))?;
        Ok(mirror)
    }

    /// Where a file or folder lies in the mirror.
    fn at(&self, path: &Path) -> PathBuf {
        self.folder.path().join(path.strip_prefix("/").unwrap_or(path))
    }

    /// Links to everything in a folder that is not in the mirror yet.
    fn link(&self, folder: &Path) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let original = entry?.path();
            match symlink(&original, self.at(&original)) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}
