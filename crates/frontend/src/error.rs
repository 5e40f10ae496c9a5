//! What can go wrong on the way from files to a program.

use std::fmt;
use std::path::PathBuf;

/// Why there is no program.
///
/// `Display` gives one sentence about what happened; [`Error::help`] what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No file was given.
    NoInputs,
    /// A given file does not exist.
    InputMissing {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// A given path is a directory.
    InputIsDirectory {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// A given file cannot be read.
    InputUnreadable {
        /// The path as the user wrote it.
        path: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// A given file holds nothing.
    InputEmpty {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// A given file is neither C nor LLVM IR.
    UnknownExtension {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// A file that was made from its source is to be changed.
    NotSource {
        /// The path as the user wrote it.
        path: PathBuf,
    },
    /// The compiler is not installed.
    ClangNotFound {
        /// What was tried.
        tried: Vec<String>,
        /// The version line of a clang that was found but does not fit.
        found: Option<String>,
    },
    /// The compiler is there but could not be started.
    ClangFailed {
        /// The command.
        clang: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// The compiler rejected a file.
    CompileFailed {
        /// The path as the user wrote it.
        file: PathBuf,
        /// Everything the compiler printed.
        diagnostics: String,
        /// The first error in it.
        first: Option<CompilerMessage>,
    },
    /// A file is not LLVM IR that can be read.
    BadBitcode {
        /// The path as the user wrote it.
        file: PathBuf,
        /// What LLVM said.
        reason: String,
    },
    /// Two files define the same symbol.
    LinkConflict {
        /// The symbol.
        symbol: String,
        /// A file that defines it.
        first: PathBuf,
        /// Another one.
        second: PathBuf,
    },
    /// Files are for different machines (one of them was compiled with `-m32`).
    TargetMismatch {
        /// A file.
        first: PathBuf,
        /// One for another machine.
        second: PathBuf,
    },
    /// No file defines `main`.
    NoMain,
    /// Something is wrong with the compilation database.
    CompilationDatabase(DatabaseError),
    /// The alarm rang.
    Stopped,
    /// A flag changes the program in a way that is not followed.
    Flag {
        /// The flag.
        flag: String,
        /// What is wrong with it.
        problem: FlagProblem,
    },
    /// There is no place for temporary files.
    Temporary {
        /// What the operating system said.
        reason: String,
    },
    /// Anything else that LLVM refuses, as a noun phrase or sentence without full stop.
    Invalid(String),
    /// The units of a program that should have hooks cannot be read.
    Units(UnitsError),
}

/// Why a flag cannot be followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlagProblem {
    /// The linker may put another program together.
    Linker,
    /// The C library is not linked.
    NoLibrary,
    /// The compiler makes threads by itself.
    OpenMp,
    /// The compiler adds checks to the program.
    Sanitizer,
    /// Another language than C.
    Language,
    /// Code without its source.
    Object,
    /// A file of the program.
    Source,
    /// A list of flags that cannot be read.
    Unreadable,
}

/// One error as the compiler printed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompilerMessage {
    /// The file it is in, a header possibly.
    pub path: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The text after `error:`.
    pub message: String,
}

/// What is wrong with a compilation database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DatabaseError {
    /// There is none in the directory.
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It cannot be read.
    Unreadable {
        /// The database.
        path: PathBuf,
        /// What the operating system said.
        reason: String,
    },
    /// It does not parse.
    Malformed {
        /// The database.
        path: PathBuf,
        /// What is wrong, with line and column.
        reason: String,
    },
    /// It has no entry for a given file.
    NoEntry {
        /// The database.
        path: PathBuf,
        /// The file, as the user wrote it.
        file: PathBuf,
    },
    /// No file was compiled for a target of this name.
    NoTarget {
        /// The database.
        path: PathBuf,
        /// The target.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// It has no entry for any C file.
    NoFiles {
        /// The database.
        path: PathBuf,
    },
}

/// Why the units of a program cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnitsError {
    /// It is no ELF file.
    NoProgram,
    /// It is for another machine.
    OtherMachine,
    /// It has no section of ours.
    NoHooks,
    /// A part of the section cannot be read.
    Damaged {
        /// Where in the section it begins.
        offset: u64,
    },
}

impl fmt::Display for UnitsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnitsError::NoProgram => f.write_str("it is no program"),
            UnitsError::OtherMachine => f.write_str("it is a program for another machine"),
            UnitsError::NoHooks => f.write_str("it was not built with `unravel cc`"),
            UnitsError::Damaged { offset } => {
                write!(f, "it is damaged (section `.unravel`, byte {offset})")
            }
        }
    }
}

impl UnitsError {
    fn help(self) -> &'static str {
        match self {
            UnitsError::NoProgram => "give a program that was built with `unravel cc`",
            UnitsError::OtherMachine => "only programs for 64-bit x86 Linux can be recorded",
            UnitsError::NoHooks => "build it with `CC=\"unravel cc\"`, or with `unravel-cc`",
            UnitsError::Damaged { .. } => "build it again with `unravel cc`",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoInputs => write!(f, "no input files"),
            Error::InputMissing { path } => write!(f, "`{}` does not exist", path.display()),
            Error::InputIsDirectory { path } => write!(f, "`{}` is a directory", path.display()),
            Error::InputUnreadable { path, reason } => {
                write!(f, "cannot read `{}`: {reason}", path.display())
            }
            Error::InputEmpty { path } => write!(f, "`{}` is empty", path.display()),
            Error::UnknownExtension { path } => {
                write!(f, "`{}` is neither C source nor LLVM IR", path.display())
            }
            Error::NotSource { path } => {
                write!(f, "`{}` is made from its source and cannot be changed", path.display())
            }
            Error::ClangNotFound { tried, found: None } => {
                write!(f, "cannot find {}", tried.join(" or "))
            }
            Error::ClangNotFound { tried, found: Some(found) } => {
                write!(f, "cannot find {}; the clang found is {found}", tried.join(" or "))
            }
            Error::ClangFailed { clang, reason } => {
                write!(f, "cannot run `{}`: {reason}", clang.display())
            }
            Error::CompileFailed { file, first, .. } => match first {
                Some(first) => {
                    write!(f, "`{}` does not compile: {}", file.display(), first.message)
                }
                None => write!(f, "`{}` does not compile", file.display()),
            },
            Error::BadBitcode { file, reason } => {
                write!(f, "`{}` is not readable as LLVM IR: {reason}", file.display())
            }
            Error::LinkConflict { symbol, first, second } => write!(
                f,
                "`{symbol}` is defined in both `{}` and `{}`",
                first.display(),
                second.display()
            ),
            Error::TargetMismatch { first, second } => write!(
                f,
                "`{}` and `{}` are compiled for different machines",
                first.display(),
                second.display()
            ),
            Error::NoMain => write!(f, "no file defines `main`"),
            Error::CompilationDatabase(error) => error.fmt(f),
            Error::Stopped => f.write_str("the compiler was stopped"),
            Error::Flag { flag, problem } => {
                write!(f, "the flag `{flag}` cannot be followed: {}", problem.reason())
            }
            Error::Temporary { reason } => write!(f, "cannot write temporary files: {reason}"),
            Error::Invalid(what) => f.write_str(what),
            Error::Units(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseError::Missing { path } => {
                write!(f, "there is no compilation database `{}`", path.display())
            }
            DatabaseError::Unreadable { path, reason } => {
                write!(f, "cannot read `{}`: {reason}", path.display())
            }
            DatabaseError::Malformed { path, reason } => {
                write!(f, "`{}` is not a compilation database: {reason}", path.display())
            }
            DatabaseError::NoEntry { path, file } => {
                write!(f, "`{}` has no entry for `{}`", path.display(), file.display())
            }
            DatabaseError::NoTarget { path, name, .. } => {
                write!(f, "`{}` has no target `{name}`", path.display())
            }
            DatabaseError::NoFiles { path } => {
                write!(f, "`{}` has no entry for a C file", path.display())
            }
        }
    }
}

impl std::error::Error for Error {}

/// The targets that there are.
fn targets(known: &[String]) -> String {
    let quoted: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
    match quoted.as_slice() {
        [] => "its entries do not say what they are for; give the files".to_owned(),
        [one] => format!("there is {one}"),
        [rest @ .., last] => format!("there are {} and {last}", rest.join(", ")),
    }
}

impl FlagProblem {
    fn reason(self) -> &'static str {
        match self {
            FlagProblem::Linker => "it may change what the linker puts together",
            FlagProblem::NoLibrary => "without the C library nobody knows what its functions do",
            FlagProblem::OpenMp => "threads that OpenMP makes are not modelled",
            FlagProblem::Sanitizer => "it adds checks to the program",
            FlagProblem::Language => "only C is read",
            FlagProblem::Object => "its code is not seen",
            FlagProblem::Source => "it is a file of the program",
            FlagProblem::Unreadable => "its words cannot be told apart",
        }
    }

    fn help(self) -> &'static str {
        match self {
            FlagProblem::Linker => {
                "leave it out if it changes nothing that the program does; `-Wl,--wrap=NAME` is followed"
            }
            FlagProblem::NoLibrary => "leave it out if these functions do what C says",
            FlagProblem::OpenMp => "leave it out if the program means the same without it",
            FlagProblem::Sanitizer => "leave it out: such errors are looked for in any case",
            FlagProblem::Language => "give C files",
            FlagProblem::Object => "give the C files or the bitcode that it is made from",
            FlagProblem::Source => "give it before `--`",
            FlagProblem::Unreadable => {
                "check its quotation marks, and that it does not name itself"
            }
        }
    }
}

const MAKE_DATABASE: &str = "make one with `cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, \
                             or with `bear -- make`";

impl Error {
    /// What to do next, where there is something.
    #[must_use]
    pub fn help(&self) -> Option<String> {
        if let Error::CompilationDatabase(DatabaseError::NoTarget { known, .. }) = self {
            return Some(targets(known));
        }
        let help = match self {
            Error::NoInputs => "give one or more C files, or `-p DIR` with a compilation database",
            Error::InputMissing { .. } => "check the path and the current directory",
            Error::InputIsDirectory { .. } => {
                "give the C files in it, or `-p DIR` if it holds a compile_commands.json"
            }
            Error::UnknownExtension { .. } => {
                "accepted are `.c`, `.i` (preprocessed C), `.bc` and `.ll` (LLVM IR)"
            }
            Error::NotSource { .. } => "give the C files that it is made from",
            Error::ClangNotFound { .. } => {
                "install the package `clang-19`, or name the compiler with `--clang`"
            }
            Error::CompileFailed { first: Some(first), .. }
                if first.message.contains("file not found") =>
            {
                "say where headers are after `--`, for example `-- -Iinclude`, \
                 or give a compilation database with `-p DIR`"
            }
            Error::BadBitcode { .. } => "LLVM IR must come from clang 19 or older",
            Error::LinkConflict { .. } => {
                "give only one of the two files, or make one `static`; of a compilation database, \
                 choose a target with `--target`"
            }
            Error::TargetMismatch { .. } => "compile all of them with or all without `-m32`",
            Error::NoMain => "give the file that defines `main` too",
            Error::CompilationDatabase(DatabaseError::NoEntry { .. }) => {
                "build the file with the rest of the project and write the database again"
            }
            Error::Units(error) => error.help(),
            Error::CompilationDatabase(_) => MAKE_DATABASE,
            Error::Flag { problem, .. } => problem.help(),
            Error::Temporary { .. } => "let `TMPDIR` name a folder that can be written",
            Error::InputEmpty { .. } => "give a file with a program; was it saved?",
            Error::InputUnreadable { .. }
            | Error::CompileFailed { .. }
            | Error::ClangFailed { .. }
            | Error::Stopped
            | Error::Invalid(_) => return None,
        };
        Some(help.to_owned())
    }
}
