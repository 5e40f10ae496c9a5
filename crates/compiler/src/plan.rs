//! What the driver of clang would run.

use std::collections::HashMap;
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};

use crate::unit::Unit;

/// The commands of one call of the compiler, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// What the driver says of itself; shown with `-v`.
    pub about: Vec<u8>,
    /// The driver's warnings.
    pub warnings: Vec<u8>,
    /// The commands.
    pub jobs: Vec<Job>,
}

/// A command: the program and its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The program.
    pub program: PathBuf,
    /// What it is called with.
    pub args: Vec<OsString>,
}

impl Plan {
    /// Reads what `-###` prints: a few lines about clang, and each command on a line that begins
    /// with a space, every word in quotes.
    #[must_use]
    pub fn read(text: &[u8]) -> Plan {
        let mut plan = Plan { about: Vec::new(), warnings: Vec::new(), jobs: Vec::new() };
        let mut rest = text;
        while !rest.is_empty() {
            if let Some((words, behind)) = rest.strip_prefix(b" \"").and_then(|_| command(rest)) {
                let mut words = words.into_iter();
                if let Some(program) = words.next() {
                    plan.jobs.push(Job { program: program.into(), args: words.collect() });
                }
                rest = behind;
                continue;
            }
            let end = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |it| it + 1);
            let (line, behind) = rest.split_at(end);
            let kind = if is_warning(line) { &mut plan.warnings } else { &mut plan.about };
            kind.extend(line);
            rest = behind;
        }
        plan
    }

    /// Lets files that only connect two commands lie in a folder.
    #[must_use]
    pub fn with_files_in(mut self, folder: &Path) -> Plan {
        let mut moved: HashMap<OsString, OsString> = HashMap::new();
        for (index, job) in self.jobs.iter().enumerate() {
            let later = self.jobs.get(index + 1..).unwrap_or_default();
            let Some(output) = job.output().filter(|it| later.iter().any(|job| job.has(it))) else {
                continue;
            };
            let name = Path::new(output).file_name().unwrap_or_default();
            let mut path = OsString::from(format!("{index}-"));
            path.push(name);
            moved.insert(output.clone(), folder.join(path).into_os_string());
        }
        for arg in self.jobs.iter_mut().flat_map(|job| job.args.iter_mut()) {
            if let Some(path) = moved.get(arg) {
                arg.clone_from(path);
            }
        }
        self
    }
}

impl Job {
    /// What it writes.
    #[must_use]
    pub fn output(&self) -> Option<&OsString> {
        let place = self.args.iter().position(|arg| arg == "-o")?;
        self.args.get(place + 1)
    }

    fn has(&self, arg: &OsString) -> bool {
        self.args.contains(arg)
    }

    /// The unit that it compiles, if hooks can be put into it.
    #[must_use]
    pub fn unit(&self) -> Option<Unit<'_>> {
        Unit::of(self)
    }

    /// As a line that a shell would understand, as clang shows it.
    #[must_use]
    pub fn shown(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let program = self.program.as_os_str();
        for word in std::iter::once(program).chain(self.args.iter().map(OsString::as_os_str)) {
            text.extend(b" \"");
            for byte in word.as_bytes() {
                if matches!(byte, b'"' | b'\\' | b'$') {
                    text.push(b'\\');
                }
                text.push(*byte);
            }
            text.push(b'"');
        }
        text.push(b'\n');
        text
    }
}

/// The words of a command, and what is behind its line; `None` if a word has no end.
fn command(text: &[u8]) -> Option<(Vec<OsString>, &[u8])> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(word) = rest.strip_prefix(b" \"") {
        let mut bytes = Vec::new();
        let mut at = word.iter();
        loop {
            match *at.next()? {
                b'"' => break,
                b'\\' => bytes.push(*at.next()?),
                byte => bytes.push(byte),
            }
        }
        words.push(OsString::from_vec(bytes));
        rest = at.as_slice();
    }
    Some((words, rest.strip_prefix(b"\n").unwrap_or(rest)))
}

/// Whether a line is something that the driver says of the command: `clang-19: warning: …`,
/// perhaps in colours.
fn is_warning(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let is_kind = |kind: &str| text.contains(kind);
    !text.starts_with(' ')
        && text.contains("clang")
        && (is_kind("warning: ") || is_kind("error: ") || is_kind("note: ") || is_kind("remark: "))
}
