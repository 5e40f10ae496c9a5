//! Runs clang: C source in, LLVM bitcode out.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use unravel_watch::Alarm;

use unravel_span::bytes;

use crate::error::{CompilerMessage, Error};
use crate::process::run;

/// Arguments that make bitcode as the lowering expects it; they come last, so that they win.
///
/// `-disable-O0-optnone` lets `mem2reg` run, value names are kept for debugging the lowering, and
/// `-w` since this is not the place to nag.
const ARGUMENTS: &[&str] = &[
    "-O0",
    "-g",
    "-gcolumn-info",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-discard-value-names",
    "-fno-color-diagnostics",
    "-Qunused-arguments",
    "-w",
    "-emit-llvm",
    "-c",
    "-o",
    "-",
];

/// What clang 16 made errors of: programs older than that rely on it, and it has a meaning.
const TOLERATED: &[&str] = &[
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
];

/// Where Debian keeps the headers of the kernel's interface, for 32 bits, too. With `-m32` clang
/// does not look there, and `errno.h` includes one of them. Nothing changes where another folder
/// has them: this one is searched last.
const HEADERS_OF_LINUX: &str = "/usr/include/x86_64-linux-gnu";

fn is_for_32_bits(flags: &[String]) -> bool {
    let last = flags.iter().rfind(|it| matches!(it.as_str(), "-m32" | "-m64" | "-mx32"));
    last.is_some_and(|it| it == "-m32")
}

/// A clang that was found.
pub(crate) struct Clang {
    path: PathBuf,
    /// Ends it.
    alarm: Alarm,
}

/// One file to compile.
pub(crate) struct Job<'a> {
    /// The path as the user wrote it.
    pub(crate) shown: &'a Path,
    /// The path for the compiler, relative to `directory`.
    pub(crate) file: &'a Path,
    /// Where to run.
    pub(crate) directory: Option<&'a Path>,
    /// Flags of the database and of the user.
    pub(crate) flags: &'a [String],
    /// The program has no other file.
    pub(crate) alone: bool,
    /// Text to compile instead of the file's.
    pub(crate) text: Option<Vec<u8>>,
    /// Flags of ours for this run, which win over the user's.
    pub(crate) extra: &'a [&'a str],
    /// A list of files that have another text, for `-ivfsoverlay`.
    pub(crate) overlay: Option<&'a Path>,
    /// Ends the compiler.
    pub(crate) alarm: &'a Alarm,
}

impl Clang {
    /// The given clang, or the first of `clang-19` and `clang` that is version 19: LLVM reads
    /// bitcode of its own version or older.
    pub(crate) fn find(given: Option<&Path>, alarm: &Alarm) -> Result<Clang, Error> {
        let at = |path: &Path| Clang { path: path.to_owned(), alarm: alarm.clone() };
        if let Some(path) = given {
            return version_line(path, alarm)?
                .map(|_| at(path))
                .ok_or_else(|| Error::ClangNotFound { tried: vec![quoted(path)], found: None });
        }
        // The name says the version, and asking takes as long as compiling a small file.
        if is_on_path("clang-19") {
            return Ok(at(Path::new("clang-19")));
        }
        let found = version_line(Path::new("clang"), alarm)?;
        if found.as_ref().is_some_and(|version| version.contains("version 19.")) {
            return Ok(at(Path::new("clang")));
        }
        Err(Error::ClangNotFound { tried: vec!["`clang-19`".to_owned()], found })
    }

    /// What it says of its version.
    pub(crate) fn version(&self) -> Option<String> {
        version_line(&self.path, &self.alarm).ok().flatten()
    }

    /// Compiles one file to bitcode.
    pub(crate) fn compile(&self, job: &Job<'_>) -> Result<Vec<u8>, Error> {
        let output = self.run(self.command(job, &[], ARGUMENTS), job.text.as_deref())?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = diagnostics.lines().find_map(first_error);
        Err(Error::CompileFailed { file: job.shown.to_owned(), diagnostics, first })
    }

    /// The text of one file after the preprocessor.
    pub(crate) fn preprocess(&self, job: &Job<'_>) -> Result<String, Error> {
        let last = ["-E", "-P", "-Qunused-arguments", "-w", "-o", "-"];
        let output = self.run(self.command(job, &[], &last), job.text.as_deref())?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Compiles one file to an object, with the user's own optimization.
    pub(crate) fn object(&self, job: &Job<'_>, object: &Path) -> Result<(), Error> {
        let object = object.to_string_lossy();
        let last = ["-fno-color-diagnostics", "-Qunused-arguments", "-w", "-c", "-o", &object];
        let command = self.command(job, &["-pthread"], &last);
        self.succeed(command, job.text.as_deref(), job.shown)
    }

    /// Links objects and further files of C to a program.
    pub(crate) fn link(
        &self,
        objects: &[PathBuf],
        beside: &[PathBuf],
        flags: &[String],
        program: &Path,
    ) -> Result<(), Error> {
        let mut command = Command::new(&self.path);
        command.args(objects).args(beside).args(["-pthread", "-w", "-Qunused-arguments"]);
        command.args(["-fno-color-diagnostics", "-o"]).arg(program).args(flags);
        self.succeed(command, None, program)
    }

    fn succeed(&self, command: Command, input: Option<&[u8]>, file: &Path) -> Result<(), Error> {
        let output = self.run(command, input)?;
        if output.status.success() {
            return Ok(());
        }
        let diagnostics = String::from_utf8_lossy(&output.stderr).into_owned();
        let first = diagnostics.lines().find_map(first_error);
        Err(Error::CompileFailed { file: file.to_owned(), diagnostics, first })
    }

    /// What it prints about one file when all is to be told.
    pub(crate) fn check(&self, job: &Job<'_>) -> Result<String, Error> {
        let last = ["-fsyntax-only", "-fno-color-diagnostics", "-Qunused-arguments"];
        let output =
            self.run(self.command(job, &["-Wall", "-Wextra"], &last), job.text.as_deref())?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// What it says about a text that is compiled as a file would be.
    pub(crate) fn diagnostics(&self, job: &Job<'_>, text: &str) -> Result<String, Error> {
        let last =
            ["-fsyntax-only", "-w", "-D_GNU_SOURCE", "-ferror-limit=0", "-fno-color-diagnostics"];
        let mut command = self.prepared(job, &[], &last);
        command.args(["-x", "c", "-"]);
        let output = self.run(command, Some(&bytes::encode(text)))?;
        Ok(String::from_utf8_lossy(&output.stderr).into_owned())
    }

    /// The text of a file after the preprocessor, with marks that say where each line comes from.
    pub(crate) fn expanded(&self, job: &Job<'_>) -> Result<String, Error> {
        let mut command = self.prepared(job, &[], &["-E", "-w"]);
        command.arg("--").arg(job.file);
        let output = self.run(command, None)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// A command for a file; flags of the user stand between `first` and `last`.
    fn command(&self, job: &Job<'_>, first: &[&str], last: &[&str]) -> Command {
        let mut command = self.prepared(job, first, last);
        if job.text.is_some() {
            command.args(["-x", "cpp-output", "-"]);
        } else {
            command.arg("--").arg(job.file);
        }
        command
    }

    /// The same without the file.
    fn prepared(&self, job: &Job<'_>, first: &[&str], last: &[&str]) -> Command {
        let mut command = Command::new(&self.path);
        if job.alone {
            // C99's `inline` leaves the body to another file. There is none, and a body that is
            // written down is what the user means.
            command.arg("-fgnu89-inline");
        }
        command.args(TOLERATED).args(first).args(job.flags).args(job.extra).args(last);
        if let Some(list) = job.overlay {
            command.arg("-ivfsoverlay").arg(list);
        }
        if let Some(directory) = job.directory {
            command.current_dir(directory);
        }
        if is_for_32_bits(job.flags) {
            command.args(["-idirafter", HEADERS_OF_LINUX]);
        }
        command
    }

    /// Reads a file of LLVM IR in a process of its own: LLVM's reader crashes on some files that
    /// are damaged, and shall not take us with it. What it merely refuses (a module for another
    /// machine) is not judged here.
    pub(crate) fn survives(&self, path: &Path) -> Result<bool, Error> {
        // What clang exits with when LLVM gives up; `EX_SOFTWARE` of `sysexits.h`.
        const FATAL: i32 = 70;
        let mut command = Command::new(&self.path);
        command.args(["-cc1", "-x", "ir", "-emit-llvm-bc", "-disable-llvm-passes", "-w"]);
        command.args(["-o", "/dev/null"]).arg(path);
        let output = self.run(command, None)?;
        Ok(output.status.code().is_some_and(|code| code != FATAL))
    }

    fn run(&self, command: Command, input: Option<&[u8]>) -> Result<Output, Error> {
        run(command, input, &self.alarm).map_err(|error| failed(&self.path, &error))
    }
}

/// A compiler that could not be run, or was ended.
pub(crate) fn failed(clang: &Path, error: &std::io::Error) -> Error {
    match error.kind() {
        ErrorKind::Interrupted => Error::Stopped,
        _ => Error::ClangFailed { clang: clang.to_owned(), reason: error.to_string() },
    }
}

fn quoted(path: &Path) -> String {
    format!("`{}`", path.display())
}

/// Whether a program of that name can be run.
pub(crate) fn is_on_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// First line of `clang --version`; `None` if there is no such program.
fn version_line(clang: &Path, alarm: &Alarm) -> Result<Option<String>, Error> {
    let mut command = Command::new(clang);
    command.arg("--version");
    match run(command, None, alarm) {
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stdout);
            Ok(Some(text.lines().next().unwrap_or_default().trim().to_owned()))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(failed(clang, &error)),
    }
}

/// Parses `race.c:3:5: error: message`.
pub(crate) fn first_error(line: &str) -> Option<CompilerMessage> {
    let (place, message) =
        line.split_once(": error: ").or_else(|| line.split_once(": fatal error: "))?;
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    let path = parts.next()?.into();
    Some(CompilerMessage { path, line, column, message: message.trim().to_owned() })
}

/// The text of a preprocessed file with its line markers blanked, if they name a file that is
/// not there: a place in a file that nobody has is of no use, and the file that was given holds
/// the same line. `None` if the markers are fine.
pub(crate) fn without_stale_markers(path: &Path, text: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let original = text.lines().find_map(marked_file)?;
    if path.with_file_name(&original).exists() || Path::new(&original).exists() {
        return None;
    }
    let name = path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
    let mut result = format!("# 1 \"{name}\"\n");
    for line in text.split_inclusive('\n') {
        result.push_str(if is_marker(line) { "\n" } else { line });
    }
    Some(result.into_bytes())
}

fn is_marker(line: &str) -> bool {
    let rest = line.strip_prefix('#').map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

/// The file that a line marker names, unless it is one of the compiler's own.
fn marked_file(line: &str) -> Option<OsString> {
    let name = line.strip_prefix('#').filter(|_| is_marker(line))?.split('"').nth(1)?;
    (!name.is_empty() && !name.starts_with('<')).then(|| name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_line_is_taken_apart() {
        let message = first_error("dir/a:b.c:3:15: error: expected ';'").unwrap();
        assert_eq!(message.path, Path::new("dir/a:b.c"));
        assert_eq!((message.line, message.column), (3, 15));
        assert_eq!(message.message, "expected ';'");
        let fatal = first_error("a.c:1:10: fatal error: 'x.h' file not found").unwrap();
        assert_eq!(fatal.message, "'x.h' file not found");
        assert_eq!(first_error("clang: error: no input files"), None);
    }

    #[test]
    fn markers_of_files_that_are_gone_are_blanked() {
        let text = b"# 1 \"/no/such/file.c\"\n# 1 \"<built-in>\" 1\nint x;\n#pragma pack\n";
        let result = without_stale_markers(Path::new("gone.i"), text).unwrap();
        let expected = "# 1 \"gone.i\"\n\n\nint x;\n#pragma pack\n";
        assert_eq!(String::from_utf8(result).unwrap(), expected);
    }
}
