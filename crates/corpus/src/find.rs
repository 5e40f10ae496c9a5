//! Where the programs are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{CorpusProgram, Error, Problem, Source};

/// The root of the repository.
#[must_use]
pub fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package).to_owned()
}

/// The directory of programs as they are written every day. They may have several files, and their
/// state spaces are not small, so that they are no programs to visit every state of.
const EVERYDAY: &str = "everyday";

/// The file with the header in a program of several files.
const MAIN_FILE: &str = "main.c";

/// All programs that are small, by directory and name: those of `everyday/` are not among them.
///
/// # Errors
/// The first directory that cannot be read, or the first program that is malformed.
pub fn all() -> Result<Vec<CorpusProgram>, Error> {
    let mut programs = Vec::new();
    let is_small = |path: &PathBuf| path.is_dir() && !path.ends_with(EVERYDAY);
    for path in entries(&root().join("corpus"))?.into_iter().filter(is_small) {
        programs.extend(programs_in(&path)?);
    }
    Ok(programs)
}

/// The programs of `everyday/`, by name.
///
/// # Errors
/// As [`all`].
pub fn everyday() -> Result<Vec<CorpusProgram>, Error> {
    directory(EVERYDAY)
}

/// The small programs that fail, by directory and name.
///
/// # Errors
/// As [`all`].
pub fn failing() -> Result<Vec<CorpusProgram>, Error> {
    let mut programs = all()?;
    programs.retain(CorpusProgram::is_unsafe);
    Ok(programs)
}

/// The programs of one directory of the corpus (`figures`), by name.
///
/// # Errors
/// As [`all`].
pub fn directory(name: &str) -> Result<Vec<CorpusProgram>, Error> {
    programs_in(&root().join("corpus").join(name))
}

/// The program at a path from the root of the repository (`corpus/figures/conc_xy.c`,
/// `corpus/everyday/threadpool`).
///
/// # Errors
/// The program cannot be read or is malformed.
pub fn program(shown: &str) -> Result<CorpusProgram, Error> {
    read(&root().join(shown))
}

fn programs_in(directory: &Path) -> Result<Vec<CorpusProgram>, Error> {
    let files = entries(directory)?.into_iter();
    files.filter(|it| it.is_dir() || has_extension(it, &["c"])).map(|it| read(&it)).collect()
}

/// Reads a file, or a folder with the files of one program.
fn read(path: &Path) -> Result<CorpusProgram, Error> {
    if !path.is_dir() {
        return CorpusProgram::of_sources(path, &shown(path), vec![source(path)?]);
    }
    let mut files = entries(path)?;
    files.retain(|it| has_extension(it, &["c", "h"]));
    // A stable sort: the others stay in the order of their names.
    files.sort_by_key(|it| !it.ends_with(MAIN_FILE));
    let sources = files.iter().map(|it| source(it)).collect::<Result<Vec<Source>, Error>>()?;
    CorpusProgram::of_sources(path, &shown(path), sources)
}

fn source(path: &Path) -> Result<Source, Error> {
    let text = fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
    Ok(Source { path: path.to_owned(), shown: shown(path), text })
}

fn has_extension(path: &Path, wanted: &[&str]) -> bool {
    path.extension().is_some_and(|it| wanted.iter().any(|wanted| it == *wanted))
}

/// What is in a directory, sorted.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error: std::io::Error| unreadable(directory, &error);
    let entries = fs::read_dir(directory).map_err(failed)?;
    let paths = entries.map(|entry| entry.map(|it| it.path()).map_err(failed));
    let mut paths = paths.collect::<Result<Vec<PathBuf>, Error>>()?;
    paths.sort();
    Ok(paths)
}

/// A path from the root of the repository.
fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error { file: shown(path), line: 0, problem: Problem::Unreadable(error.to_string()) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::Key;

    #[test]
    fn every_program_of_the_corpus_is_well_formed() {
        let programs = all().unwrap_or_else(|error| panic!("{error}"));
        assert!(programs.len() >= 480, "{} programs", programs.len());
        assert!(programs.is_sorted_by(|a, b| a.path < b.path));
        assert!(failing().unwrap().len() >= 260);
    }

    #[test]
    fn one_program_is_found_by_its_path() {
        let found = program("corpus/figures/conc_xy.c").unwrap();
        let names = (found.directory(), found.file_name(), found.name());
        assert_eq!(names, ("figures", "conc_xy.c", "conc_xy"));
        assert!(directory("figures").unwrap().iter().any(|it| it.path == found.path));
    }

    #[test]
    fn a_folder_is_a_program_of_several_files() {
        let found = program("corpus/everyday/threadpool").unwrap();
        assert_eq!((found.directory(), found.name()), ("everyday", "threadpool"));
        assert_eq!(found.sources[0].file_name(), "main.c");
        let folder = "corpus/everyday/threadpool";
        let files = ["job.c", "main.c", "pool.c"].map(|file| format!("{folder}/{file}"));
        assert_eq!(found.c_files(), files);
        let fault = &found.header.fault[0];
        assert_eq!(fault.file, format!("{folder}/pool.c"));
        assert_eq!(found.header.patch.as_deref(), Some("pool.c"));
    }

    /// Each program has a twin that is safe, and says what a maintainer would change.
    #[test]
    fn every_everyday_program_has_a_twin() {
        let programs = everyday().unwrap_or_else(|error| panic!("{error}"));
        let named = |name: &str| programs.iter().find(|it| it.name() == name);
        for program in programs.iter().filter(|it| !it.name().ends_with("_ok")) {
            let name = program.name();
            let twin = named(&format!("{name}_ok")).unwrap_or_else(|| panic!("{name}: no twin"));
            assert!(program.is_unsafe() && !twin.is_unsafe(), "{name}");
            let header = &program.header;
            assert!(!header.fault.is_empty() && header.patch.is_some(), "{name}: what to change?");
            assert!(header.repair.as_ref().is_some_and(|it| !it.is_empty()), "{name}: how?");
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = program("corpus/figures/no_such.c").unwrap_err().to_string();
        assert!(error.starts_with("corpus/figures/no_such.c: cannot be read: "), "{error}");
        let error = directory("no_such").unwrap_err().to_string();
        assert!(error.starts_with("corpus/no_such: cannot be read: "), "{error}");
    }

    /// The table of `corpus/README.md` has the keys in the order in which headers have them.
    #[test]
    fn the_keys_are_those_of_the_documentation() {
        let text = fs::read_to_string(root().join("corpus/README.md")).unwrap();
        let (_, table) = text.split_once("| key | value |\n|---|---|\n").unwrap();
        let rows = table.lines().take_while(|line| line.starts_with('|'));
        let documented: Vec<&str> = rows.filter_map(|row| row.split('`').nth(1)).collect();
        assert_eq!(documented, Key::ALL.map(Key::name));
    }
}
