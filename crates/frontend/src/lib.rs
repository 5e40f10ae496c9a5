//! C source to [`Program`]: the only crate that knows clang and LLVM.
//!
//! # In and out
//!
//! In go C files, with flags or a `compile_commands.json`, or files of LLVM IR. Out comes a
//! [`Program`], or an [`Error`] that says what to do about it.
//!
//! # Stages
//!
//! 1. `input` looks at the files and finds the flags of each one in `compile_commands.json`, if
//!    asked to. `clang` runs clang 19 on C files. Files of LLVM IR are taken as they are.
//!    `flags` says which of the user's flags clang gets, and refuses those that cannot be followed;
//!    `owner` finds functions of the user's that have a name of the library.
//! 2. `link` reads the units in this process and links them into one module. It checks that no
//!    symbol is defined twice.
//! 3. **One pass runs: `mem2reg`.** It moves local variables whose address is never taken into
//!    registers, and no other thread can reach those. `locals` keeps back those that may be read
//!    before they have a value. No other pass may run: GVN, early CSE or
//!    `simplifycfg` may merge, drop or speculate accesses to shared memory, and the bugs that are
//!    looked for would be lost.
//! 4. `lower` turns the module into a [`Program`]. `globals` handles the variables, `function` the
//!    bodies block by block, and `instruction`, `memory`, `call` and `intrinsic` what is in them.
//!    `runtime` and `atomic` handle library functions that are instructions here. `constant` folds
//!    constant expressions, and `aggregate` flattens structs and arrays in registers into scalars.
//!    `debug` adds the places, names and types of the source.
//! 5. `unravel_program::library::models` adds the library functions that are themselves code.
//! 6. `unravel_program::wrappers` marks functions that only wrap one operation.
//!
//! `overlay` has texts that are compiled in place of files, so that a patch can be checked before
//! it is written. `warnings` asks clang and `gcc` whether such a change brings new warnings.
//! `command_line` makes `argc` and `argv`, and `headers` adds the program's own headers.
//!
//! # Reading order
//!
//! `lower`, `function`, `instruction`, then whatever construct you look for. `llvm` only if
//! something is missing there.
//!
//! # Unsupported code
//!
//! What the IR cannot express becomes [`Op::Unsupported`](unravel_program::Op::Unsupported) at its
//! place in the source, so that it counts only if a run reaches it. What has no place in a body
//! goes to [`Program::unsupported`]. Nothing is dropped silently, and no input makes this crate
//! panic.
//!
//! # Safety
//!
//! All `unsafe` code is in `llvm`. Its wrappers check the kind of every object before they ask LLVM
//! about it.

mod aggregate;
mod assembly;
mod atomic;
mod build;
mod call;
mod clang;
mod command_line;
mod constant;
mod database;
mod debug;
mod error;
mod flags;
mod float_class;
mod function;
mod gcc;
mod globals;
mod headers;
pub mod hooks;
mod input;
mod instruction;
mod intrinsic;
mod link;
mod llvm;
mod locals;
mod lower;
mod memory;
mod overlay;
mod owner;
mod process;
mod runtime;
mod shifts;
mod warnings;

use std::path::{Path, PathBuf};

use unravel_program::Program;
use unravel_program::library::models;
use unravel_program::wrappers;
use unravel_watch::Alarm;

pub use build::build;
pub use error::{CompilerMessage, DatabaseError, Error, FlagProblem, UnitsError};
pub use warnings::{Warnings, new_warnings, warnings};

/// How to read the inputs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// The compiler to use instead of `clang-19`.
    pub clang: Option<PathBuf>,
    /// Further flags for the compiler: `-m32`, `-I`, `-D`, `-std`.
    pub flags: Vec<String>,
    /// Directory of a `compile_commands.json` that has each file's flags.
    pub compile_commands: Option<PathBuf>,
    /// Of the database, only the files of these targets; all if there are none.
    pub targets: Vec<String>,
    /// Texts in place of those of files, headers too: the path as [`Program::files`] has it, and
    /// the text. Nothing is written beside the files.
    pub overlay: Vec<(PathBuf, String)>,
    /// What the program is called with, without its own name.
    pub arguments: Vec<String>,
    /// Calls that the outside can let fail succeed.
    pub assume_calls_succeed: bool,
    /// Locals stay in memory: each assignment of the source is a store then, which registers forget.
    pub keep_locals: bool,
    /// Ends a compiler that still runs when it rings.
    pub alarm: Alarm,
}

/// Whether the inputs are the source itself, so that [`Options::overlay`] can change them.
///
/// # Errors
/// [`Error::NotSource`] if one of them was made from its source; those of reading them.
pub fn check_sources(inputs: &[PathBuf], options: &Options) -> Result<(), Error> {
    let overlay = overlay::Overlay::new(&options.overlay)?;
    input::sources(inputs, options, &overlay)?.iter().try_for_each(input::changeable)
}

/// Compiles, links and lowers the given files: `.c`, `.i`, `.bc` and `.ll`. If there are none, or
/// only such that the compilation database does not know, all C files of the database come along.
///
/// # Errors
/// See [`Error`]; each says what to do next.
pub fn load(inputs: &[PathBuf], options: &Options) -> Result<Program, Error> {
    let overlay = overlay::Overlay::new(&options.overlay)?;
    let session = llvm::Session::new();
    let units = input::units(inputs, options, &overlay, &session)?;
    let paths = debug::Paths::new(units.iter().map(|unit| unit.path.as_path()), &overlay);
    let wrapped = flags::sort(&options.flags, Path::new(""))?.wrapped;
    let module = link::link(&session, &units, &wrapped, link::Form::of(options))?;
    let foreign = units.into_iter().flat_map(|unit| unit.foreign).collect();
    let program = lower::program(&module, paths, foreign)?;
    complete(program, options, &overlay)
}

/// Adds what does not come from the program's own bodies: models, headers, the command line.
fn complete(
    mut program: Program,
    options: &Options,
    overlay: &overlay::Overlay,
) -> Result<Program, Error> {
    // Models of library functions that are ordinary code, such as `strlen`.
    models::link(&mut program, options.assume_calls_succeed).map_err(|error| {
        let (line, message) = (error.line, error.message);
        Error::Invalid(format!("the library models do not parse: line {line}: {message}"))
    })?;
    wrappers::mark(&mut program);
    headers::add_headers(&mut program, &options.flags, overlay);
    // A target is a program's name.
    let name = match &options.targets[..] {
        [target] => Some(target.as_str()),
        _ => None,
    };
    command_line::give(&mut program, name, &options.arguments);
    Ok(program)
}

/// The text of the C files after the preprocessor.
///
/// # Errors
/// As for [`load`].
pub fn preprocessed(inputs: &[PathBuf], options: &Options) -> Result<Vec<String>, Error> {
    let overlay = overlay::Overlay::new(&options.overlay)?;
    let sources = input::sources(inputs, options, &overlay)?;
    let mut compiler = input::Compiler::new(options, &overlay, sources.len() == 1)?;
    let text = |source| compiler.with_job(source, |clang, job| clang.preprocess(&job));
    sources.iter().filter(|source| source.is_c()).map(text).collect()
}

/// Version of the LLVM that is linked in, and of the clang that would be run, if there is one.
#[must_use]
pub fn versions() -> (String, Option<String>) {
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    let clang = clang::Clang::find(None, &Alarm::default()).ok().and_then(|clang| clang.version());
    (format!("{major}.{minor}.{patch}"), clang)
}
