//! What is wrong with a call before anything is done: nothing to check, or an output that would
//! replace an input.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use unravel_interp::Properties;
use unravel_program::Program;

use crate::args::{Color, Command, Emit, Input, PropertyArguments};
use crate::exit::Exit;
use crate::message;

/// What a command reads, writes and looks for.
struct Use<'a> {
    input: &'a Input,
    schedule: Option<&'a Path>,
    outputs: Vec<&'a Path>,
    /// None for a command that may look for nothing.
    properties: Option<&'a PropertyArguments>,
    color: Color,
}

/// Refuses a call that cannot be meant.
pub fn check(command: &Command) -> Result<(), Exit> {
    let Some(call) = use_of(command) else { return Ok(()) };
    if call.properties.is_some_and(|it| it.properties() == Properties::NONE) {
        message::error(call.color, "no property is left to check");
        message::help(call.color, "leave out a `--no-…`, or name others with `--only`");
        return Err(Exit::Input);
    }
    let database = call.input.build.as_ref().map(|it| it.join("compile_commands.json"));
    let files = call.input.files.iter().map(PathBuf::as_path);
    let read: Vec<&Path> = files
        .chain(call.schedule)
        .chain(call.input.build.as_deref())
        .chain(database.as_deref())
        .collect();
    refuse(&call.outputs, &read, call.color)
}

/// Refuses outputs that would replace a file of the program, headers too.
pub fn keep_program(outputs: &[&Path], program: &Program, color: Color) -> Result<(), Exit> {
    let files: Vec<&Path> = program.files.iter().map(|(_, file)| Path::new(&file.path)).collect();
    refuse(outputs, &files, color)
}

/// The files that `--emit` names.
pub fn outputs(emit: &[Emit]) -> Vec<&Path> {
    emit.iter().filter_map(emitted).collect()
}

fn emitted(emit: &Emit) -> Option<&Path> {
    match emit {
        Emit::Program(file) => file.as_deref(),
        Emit::Schedule(file) | Emit::Passing(file) => Some(file),
    }
}

fn refuse(outputs: &[&Path], inputs: &[&Path], color: Color) -> Result<(), Exit> {
    let same = outputs.iter().find(|output| inputs.iter().any(|input| is_same(output, input)));
    let Some(output) = same else { return Ok(()) };
    let shown = output.display();
    message::error(color, &format!("`{shown}` is read; it cannot be written to"));
    message::help(color, "name another file for the output");
    Err(Exit::Input)
}

/// Whether two paths lead to one file, by whatever links.
fn is_same(a: &Path, b: &Path) -> bool {
    let identity = |path: &Path| fs::metadata(path).ok().map(|it| (it.dev(), it.ino()));
    identity(a).is_some_and(|it| identity(b) == Some(it))
}

fn use_of(command: &Command) -> Option<Use<'_>> {
    let found = match command {
        Command::Check(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: outputs(&it.emit),
            properties: Some(&it.properties),
            color: it.output.color,
        },
        Command::Diagnose(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: outputs(&it.emit),
            properties: Some(&it.properties),
            color: it.output.color,
        },
        Command::Repair(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: outputs(&it.emit),
            properties: Some(&it.properties),
            color: it.output.color,
        },
        Command::Compare(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: outputs(&it.emit),
            properties: Some(&it.properties),
            color: it.output.color,
        },
        Command::Localize(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: outputs(&it.emit),
            properties: Some(&it.properties),
            color: it.output.color,
        },
        Command::Sequentialize(it) => Use {
            input: &it.input,
            schedule: it.given.schedule.as_deref(),
            outputs: it.output.as_deref().into_iter().collect(),
            properties: Some(&it.properties),
            color: it.color,
        },
        Command::Run(it) => Use {
            input: &it.input,
            schedule: it.schedule.as_deref(),
            outputs: Vec::new(),
            properties: None,
            color: it.output.color,
        },
        Command::Stub(it) => Use {
            input: &it.input,
            schedule: None,
            outputs: Vec::new(),
            properties: None,
            color: it.color,
        },
        Command::Cc(_)
        | Command::Cxx(_)
        | Command::Explain(_)
        | Command::Record(_)
        | Command::Replay(_)
        | Command::Show(_)
        | Command::Doctor(_)
        | Command::Completions(_)
        | Command::Man(_) => {
            return None;
        }
    };
    Some(found)
}
