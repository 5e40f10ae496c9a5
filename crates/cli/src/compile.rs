//! `unravel cc` and `unravel c++`: clang, with hooks in what it compiles and the runtime in what it
//! links.
//!
//! clang's driver says which commands it would run (`-###`); `unravel_compiler` says what takes
//! their place. A call with nothing to compile or link is handed to clang as it is.

mod job;
mod runtime;

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal as _, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use unravel_compiler::{Link, Plan};

use crate::args::Color;
use crate::exit::Exit;
use crate::message;
use job::Jobs;

/// Which compiler is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compiler {
    /// `unravel cc`
    C,
    /// `unravel c++`
    Cxx,
}

impl Compiler {
    /// The compiler that is meant by a call, with its arguments: `unravel cc ARGUMENTS…`, or the
    /// name `unravel-cc`.
    pub fn called(mut args: impl Iterator<Item = OsString>) -> Option<(Compiler, Vec<OsString>)> {
        let program = PathBuf::from(args.next()?);
        let compiler = match program.file_name().and_then(OsStr::to_str) {
            Some("unravel-cc") => Compiler::C,
            Some("unravel-c++") => Compiler::Cxx,
            _ => match args.next()?.to_str() {
                Some("cc") => Compiler::C,
                Some("c++") => Compiler::Cxx,
                _ => return None,
            },
        };
        Some((compiler, args.collect()))
    }

    /// The names of the clang behind it, the best first.
    fn names(self) -> [&'static str; 2] {
        match self {
            Compiler::C => ["clang-19", "clang"],
            Compiler::Cxx => ["clang++-19", "clang++"],
        }
    }
}

/// Arguments of more bytes than this are given in a file.
const MOST_BYTES: usize = 100_000;

/// Runs the compiler.
pub fn compile(compiler: Compiler, args: &[OsString]) -> ExitCode {
    match try_compile(compiler, args) {
        Ok(code) => code,
        Err(exit) => exit.into(),
    }
}

/// What goes wrong beside clang, as clang would say it.
fn failed(what: &str) -> Exit {
    message::error(Color::Auto, what);
    Exit::Violation
}

fn try_compile(compiler: Compiler, args: &[OsString]) -> Result<ExitCode, Exit> {
    let clang = find(compiler)?;
    let expanded = unravel_compiler::expand(args.to_vec(), &mut |file| std::fs::read(file).ok());
    if unravel_compiler::asks_for_plan(&expanded) {
        return Err(hand_over(&clang, args));
    }
    let changed = unravel_compiler::without_detours(&expanded);
    let folder = tempfile::Builder::new()
        .prefix("unravel-cc-")
        .tempdir()
        .map_err(|error| failed(&format!("cannot write temporary files: {error}")))?;
    let Some(plan) = plan(&clang, changed.as_deref().unwrap_or(args), folder.path())? else {
        drop(folder);
        return Err(hand_over(&clang, args));
    };
    let is_ours = |job: &unravel_compiler::Job| job.unit().is_some() || job.link() == Link::Program;
    if !plan.jobs.iter().any(is_ours) {
        drop(folder);
        return Err(hand_over(&clang, changed.as_deref().unwrap_or(args)));
    }
    let plan = plan.with_files_in(folder.path());
    let verbose = expanded.iter().any(|arg| arg == "-v");
    // Nothing can be done if standard error is closed.
    let _ = std::io::stderr().lock().write_all(&plan.warnings);
    if verbose {
        let _ = std::io::stderr().lock().write_all(&plan.about);
    }
    Jobs { clang: &clang, args: &expanded, folder: folder.path(), verbose }.run(&plan)
}

/// The clang of our version.
fn find(compiler: Compiler) -> Result<PathBuf, Exit> {
    let [exact, plain] = compiler.names();
    if let Some(path) = on_path(exact) {
        return Ok(path);
    }
    let is_19 = |path: &PathBuf| {
        let output = Command::new(path).arg("--version").output();
        output.is_ok_and(|it| String::from_utf8_lossy(&it.stdout).contains("version 19."))
    };
    on_path(plain).filter(is_19).ok_or_else(|| {
        message::error(Color::Auto, &format!("cannot find `{exact}`"));
        message::help(Color::Auto, "install the package `clang-19`");
        Exit::Violation
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Becomes clang; comes back only if that fails.
fn hand_over(clang: &Path, args: &[OsString]) -> Exit {
    let error = Command::new(clang).args(args).exec();
    failed(&format!("cannot run `{}`: {error}", clang.display()))
}

/// What clang would do; `None` if it finds fault with the call, which it says best itself.
fn plan(clang: &Path, args: &[OsString], folder: &Path) -> Result<Option<Plan>, Exit> {
    let mut command = Command::new(clang);
    let length: usize = args.iter().map(|arg| arg.len()).sum();
    if length > MOST_BYTES {
        command.arg(response_file(args, &folder.join("arguments"))?);
    } else {
        command.args(args);
    }
    // The driver asks whether its own standard error is a terminal.
    if std::io::stderr().is_terminal() && !args.iter().any(decides_colors) {
        command.arg("-fcolor-diagnostics");
    }
    command.arg("-###").stdin(Stdio::null()).stdout(Stdio::null());
    let output = command
        .output()
        .map_err(|error| failed(&format!("cannot run `{}`: {error}", clang.display())))?;
    Ok(output.status.success().then(|| Plan::read(&output.stderr)))
}

fn decides_colors(arg: &OsString) -> bool {
    let text = arg.to_string_lossy();
    text.ends_with("color-diagnostics") || text.starts_with("-fdiagnostics-color")
}

/// Writes arguments to a file, and says how to name it.
fn response_file(args: &[OsString], path: &Path) -> Result<OsString, Exit> {
    std::fs::write(path, unravel_compiler::quoted(args))
        .map_err(|error| failed(&format!("cannot write `{}`: {error}", path.display())))?;
    let mut name = OsString::from("@");
    name.push(path);
    Ok(name)
}
