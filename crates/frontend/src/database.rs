//! Compilation databases: `compile_commands.json`, as CMake, Bear and others write it.
//!
//! <https://clang.llvm.org/docs/JSONCompilationDatabase.html>

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::{DatabaseError, Error};

/// A compilation database.
pub(crate) struct Database {
    path: PathBuf,
    entries: Vec<Entry>,
}

/// How one file was compiled.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    command: Option<String>,
}

/// What to compile.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Command {
    /// Where the compiler ran.
    pub(crate) directory: PathBuf,
    /// The file, absolute or relative to `directory`.
    pub(crate) file: PathBuf,
    /// The flags that matter.
    pub(crate) flags: Vec<String>,
}

impl Database {
    /// Reads the database in `directory` (which may also be the file itself).
    pub(crate) fn open(directory: &Path) -> Result<Self, Error> {
        let path = if directory.is_file() {
            directory.to_owned()
        } else {
            directory.join("compile_commands.json")
        };
        Self::read(&path).map_err(Error::CompilationDatabase)
    }

    fn read(path: &Path) -> Result<Self, DatabaseError> {
        let path = path.to_owned();
        if !path.exists() {
            return Err(DatabaseError::Missing { path });
        }
        if !path.is_file() {
            let reason = "it is no regular file".to_owned();
            return Err(DatabaseError::Unreadable { path, reason });
        }
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                return Err(DatabaseError::Unreadable { path, reason: error.to_string() });
            }
        };
        match serde_json::from_str(&text) {
            Ok(entries) => Ok(Database { path, entries }),
            Err(error) => Err(DatabaseError::Malformed { path, reason: error.to_string() }),
        }
    }

    /// How `file` was compiled.
    pub(crate) fn command(&self, file: &Path) -> Result<Command, Error> {
        let wanted = canonical(file);
        let entry = self.entries.iter().find(|entry| canonical(&entry.location()) == wanted);
        entry.map_or_else(
            || {
                let (path, file) = (self.path.clone(), file.to_owned());
                Err(Error::CompilationDatabase(DatabaseError::NoEntry { path, file }))
            },
            |entry| self.flags_of(entry),
        )
    }

    /// All C files, each once.
    pub(crate) fn files(&self) -> Result<Vec<PathBuf>, Error> {
        let mut files: Vec<PathBuf> = Vec::new();
        for entry in &self.entries {
            let file = entry.location();
            if file.extension().is_some_and(|it| it == "c" || it == "i") && !files.contains(&file) {
                files.push(file);
            }
        }
        if files.is_empty() {
            let path = self.path.clone();
            return Err(Error::CompilationDatabase(DatabaseError::NoFiles { path }));
        }
        Ok(files)
    }

    fn flags_of(&self, entry: &Entry) -> Result<Command, Error> {
        let arguments = match &entry.command {
            Some(command) if entry.arguments.is_empty() => shlex::split(command),
            _ => Some(entry.arguments.clone()),
        };
        let Some(arguments) = arguments else {
            let reason = format!("the command for `{}` has an open quote", entry.file.display());
            let path = self.path.clone();
            return Err(Error::CompilationDatabase(DatabaseError::Malformed { path, reason }));
        };
        Ok(Command {
            directory: entry.directory.clone(),
            file: entry.file.clone(),
            flags: relevant(&arguments, entry),
        })
    }
}

impl Entry {
    fn location(&self) -> PathBuf {
        self.directory.join(&self.file)
    }
}

/// The path with symbolic links resolved, if it exists.
fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// The arguments that say how to read the source: without the compiler, the file, and whatever
/// asks for output, optimization, debug information or instrumentation.
fn relevant(arguments: &[String], entry: &Entry) -> Vec<String> {
    let file = canonical(&entry.location());
    let is_file = |argument: &str| {
        Path::new(argument) == entry.file || canonical(&entry.directory.join(argument)) == file
    };
    let mut rest = arguments.iter().skip_while(|it| is_launcher(it)).skip(1);
    let mut flags = Vec::new();
    while let Some(argument) = rest.next() {
        if takes_dropped_value(argument) {
            rest.next();
        } else if !is_dropped(argument) && (argument.starts_with('-') || !is_file(argument)) {
            flags.push(argument.clone());
        }
    }
    flags
}

/// Programs that stand before the compiler.
fn is_launcher(argument: &str) -> bool {
    let name = Path::new(argument).file_name().unwrap_or_default();
    ["ccache", "sccache", "distcc"].iter().any(|it| name == *it)
}

fn takes_dropped_value(argument: &str) -> bool {
    matches!(argument, "-o" | "-MF" | "-MT" | "-MQ" | "-MJ" | "--output" | "-dumpdir" | "-aux-info")
}

fn is_dropped(argument: &str) -> bool {
    const WHOLE: &[&str] =
        &["-c", "-S", "-E", "--", "-pg", "--coverage", "-ftest-coverage", "-emit-llvm", "-pie"];
    const PREFIXES: &[&str] = &[
        "-o",
        "-O",
        "-g",
        "-M",
        "-flto",
        "-fsanitize",
        "-fno-sanitize",
        "-fprofile",
        "-fcoverage",
        "-save-temps",
        "-Werror",
        "-fdiagnostics",
        "-fcolor",
    ];
    WHOLE.contains(&argument) || PREFIXES.iter().any(|prefix| argument.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags(command: &str) -> Vec<String> {
        let entry = Entry {
            directory: "/build".into(),
            file: "../src/a.c".into(),
            arguments: Vec::new(),
            command: Some(command.to_owned()),
        };
        let database = Database { path: "compile_commands.json".into(), entries: Vec::new() };
        database.flags_of(&entry).unwrap().flags
    }

    #[test]
    fn flags_that_say_how_to_read_the_source_are_kept() {
        let command = "ccache /usr/bin/gcc -DNAME='\"a b\"' -I ../inc -std=c11 -m32 -O2 -g3 \
                       -MD -MF a.d -fsanitize=thread -o a.o -c ../src/a.c";
        assert_eq!(flags(command), ["-DNAME=\"a b\"", "-I", "../inc", "-std=c11", "-m32"]);
    }

    #[test]
    fn an_open_quote_is_an_error() {
        let text = r#"[{"directory":"/","file":"a.c","command":"cc 'a.c"}]"#;
        let entries: Vec<Entry> = serde_json::from_str(text).unwrap();
        let database = Database { path: "db".into(), entries };
        assert!(database.command(Path::new("/a.c")).is_err());
    }
}
