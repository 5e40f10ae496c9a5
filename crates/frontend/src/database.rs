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
    #[serde(default)]
    output: Option<PathBuf>,
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

    /// Whether it says how `file` was compiled.
    pub(crate) fn has(&self, file: &Path) -> bool {
        self.entry(&canonical(file)).is_some()
    }

    fn entry(&self, wanted: &Path) -> Option<&Entry> {
        self.entries.iter().find(|entry| canonical(&entry.location()) == wanted)
    }

    /// How `file` was compiled. A file that it does not know is compiled like the nearest one that it
    /// does: a test beside a library needs the headers of the library.
    pub(crate) fn command(&self, file: &Path) -> Result<Command, Error> {
        let wanted = canonical(file);
        if let Some(entry) = self.entry(&wanted) {
            return self.flags_of(entry);
        }
        let c_files = self.entries.iter().filter(|entry| entry.is_c());
        let near = |entry: &&Entry| shared(&canonical(&entry.location()), &wanted);
        // Of several, the first.
        let nearest = c_files.rev().max_by_key(near);
        let Some(entry) = nearest else {
            let (path, file) = (self.path.clone(), file.to_owned());
            return Err(Error::CompilationDatabase(DatabaseError::NoEntry { path, file }));
        };
        Ok(Command { file: wanted, ..self.flags_of(entry)? })
    }

    /// All C files, each once; only those of some targets, if any are named.
    pub(crate) fn files(&self, targets: &[String]) -> Result<Vec<PathBuf>, Error> {
        let all: Vec<(&Entry, Option<String>)> =
            self.entries.iter().filter(|it| it.is_c()).map(|it| (it, self.target(it))).collect();
        let known = || all.iter().filter_map(|(_, target)| target.clone());
        if let Some(name) = targets.iter().find(|&name| !known().any(|it| it == *name)) {
            let mut known: Vec<String> = known().collect();
            known.sort_unstable();
            known.dedup();
            let (path, name) = (self.path.clone(), name.clone());
            let error = DatabaseError::NoTarget { path, name, known };
            return Err(Error::CompilationDatabase(error));
        }
        let is_wanted = |target: &Option<String>| {
            targets.is_empty() || target.as_ref().is_some_and(|it| targets.contains(it))
        };
        let mut files: Vec<PathBuf> = Vec::new();
        for (entry, _) in all.iter().filter(|(_, target)| is_wanted(target)) {
            let file = entry.location();
            if !files.contains(&file) {
                files.push(file);
            }
        }
        if files.is_empty() {
            let path = self.path.clone();
            return Err(Error::CompilationDatabase(DatabaseError::NoFiles { path }));
        }
        Ok(files)
    }

    /// The program or library that a file was compiled for, as far as the place of its output says:
    /// CMake puts it below `CMakeFiles/NAME.dir`, Meson below `NAME.p`, and others into a folder.
    fn target(&self, entry: &Entry) -> Option<String> {
        let arguments = entry.arguments();
        let after_o = |arguments: Vec<String>| {
            let at = arguments.iter().position(|it| it == "-o")?;
            arguments.get(at + 1).map(PathBuf::from)
        };
        let output = entry.output.clone().or_else(|| after_o(arguments?))?;
        let parts = || output.components().map(|it| it.as_os_str().to_string_lossy());
        let named =
            |suffix: &str| parts().find_map(|part| part.strip_suffix(suffix).map(str::to_owned));
        let folder = || {
            let folder = entry.directory.join(output.parent()?);
            Some(folder.file_name()?.to_string_lossy().into_owned())
        };
        named(".dir").or_else(|| named(".p")).or_else(folder)
    }

    fn flags_of(&self, entry: &Entry) -> Result<Command, Error> {
        let Some(arguments) = entry.arguments() else {
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
    /// The command in words; `None` if a quotation mark is not closed.
    fn arguments(&self) -> Option<Vec<String>> {
        match &self.command {
            Some(command) if self.arguments.is_empty() => shlex::split(command),
            _ => Some(self.arguments.clone()),
        }
    }

    fn is_c(&self) -> bool {
        self.file.extension().is_some_and(|it| it == "c" || it == "i")
    }

    fn location(&self) -> PathBuf {
        self.directory.join(&self.file)
    }
}

/// The path with symbolic links resolved, if it exists.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// How many folders two paths have in common.
fn shared(a: &Path, b: &Path) -> usize {
    a.components().zip(b.components()).take_while(|(a, b)| a == b).count()
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
    const FLAGS: &[&str] = &[
        "-o",
        "-MF",
        "-MT",
        "-MQ",
        "-MJ",
        "--output",
        "-dumpdir",
        "-aux-info",
        "-Xlinker",
        "-T",
        "-z",
    ];
    FLAGS.contains(&argument)
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
        "-Wl,",
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
            output: None,
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

    fn database(text: &str) -> Database {
        Database { path: "db".into(), entries: serde_json::from_str(text).unwrap() }
    }

    #[test]
    fn targets_are_told_apart_by_their_output() {
        let database = database(
            r#"[{"directory":"/b","file":"/s/a.c","output":"CMakeFiles/server.dir/a.c.o"},
                {"directory":"/b","file":"/s/b.c","command":"cc -o CMakeFiles/tool.dir/b.c.o -c /s/b.c"},
                {"directory":"/b","file":"/s/c.c","arguments":["cc","-o","tests.p/c.c.o","/s/c.c"]},
                {"directory":"/b/lib","file":"/s/d.c","arguments":["cc","-o","d.o","/s/d.c"]}]"#,
        );
        let files = |target: &str| database.files(&[target.to_owned()]).unwrap();
        assert_eq!(files("server"), [Path::new("/s/a.c")]);
        assert_eq!(files("tool"), [Path::new("/s/b.c")]);
        assert_eq!(files("tests"), [Path::new("/s/c.c")]);
        assert_eq!(files("lib"), [Path::new("/s/d.c")]);
        assert_eq!(database.files(&[]).unwrap().len(), 4);
        let error = database.files(&["other".to_owned()]).unwrap_err();
        assert_eq!(error.to_string(), "`db` has no target `other`");
        assert_eq!(error.help().unwrap(), "there are `lib`, `server`, `tests` and `tool`");
    }

    #[test]
    fn a_file_that_is_not_there_has_the_flags_of_the_nearest() {
        let database = database(
            r#"[{"directory":"/b","file":"/s/core/a.c","command":"cc -DA -c /s/core/a.c"},
                {"directory":"/b","file":"/s/net/b.c","command":"cc -DB -c /s/net/b.c"}]"#,
        );
        let command = database.command(Path::new("/s/net/test/harness.c")).unwrap();
        assert_eq!(
            (command.flags, command.file),
            (vec!["-DB".to_owned()], "/s/net/test/harness.c".into())
        );
        assert_eq!(database.command(Path::new("/other/h.c")).unwrap().flags, ["-DA"]);
    }

    #[test]
    fn an_open_quote_is_an_error() {
        let text = r#"[{"directory":"/","file":"a.c","command":"cc 'a.c"}]"#;
        let entries: Vec<Entry> = serde_json::from_str(text).unwrap();
        let database = Database { path: "db".into(), entries };
        assert!(database.command(Path::new("/a.c")).is_err());
    }
}
