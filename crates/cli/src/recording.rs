//! What the commands on recorded runs share: reading a run and its program, saying what is wrong.

use std::fs::File;
use std::path::{Path, PathBuf};

use unravel_driver::recorded::{self, Sites};
use unravel_frontend::hooks::{self, Unit};
use unravel_program::Program;
use unravel_recorder::{Failure, Plan};
use unravel_report::recorded::{Missing, RecordedRun};
use unravel_report::words;
use unravel_trace::symbols::Symbols;
use unravel_trace::{Damage, Header, Recording};

use crate::args::Color;
use crate::exit::Exit;
use crate::message;

/// A recorded run with its program.
pub struct Loaded {
    /// The recording.
    pub recording: Recording,
    /// Bytes of its file.
    pub bytes: u64,
    /// The executable.
    pub program: PathBuf,
    /// Its bytes.
    pub executable: Vec<u8>,
}

/// Reads a recorded run and the program that it is a run of.
pub fn load(path: &Path, color: Color) -> Result<Loaded, Exit> {
    let recording = read(path, color)?;
    let program = PathBuf::from(&recording.header.program);
    let executable = read_program(&program, color)?;
    if fingerprint(&executable) != recording.header.fingerprint {
        let shown = program.display();
        message::error(color, &format!("`{shown}` is not the program that was recorded"));
        message::help(color, "it was built again since: record a run of it as it is now");
        return Err(Exit::Input);
    }
    let bytes = std::fs::metadata(path).map_or(0, |it| it.len());
    Ok(Loaded { recording, bytes, program, executable })
}

fn read(path: &Path, color: Color) -> Result<Recording, Exit> {
    let shown = path.display();
    let unreadable = |error: std::io::Error| {
        message::error(color, &format!("`{shown}` cannot be read: {error}"));
        Exit::Input
    };
    if path.is_dir() {
        message::error(color, &format!("`{shown}` is a folder"));
        return Err(Exit::Input);
    }
    let file = File::open(path).map_err(unreadable)?;
    Recording::read(file).map_err(unreadable)?.map_err(|damage| {
        message::error(
            color,
            &format!("`{shown}`: {}", words::recorded::unreadable(unreadable_of(damage))),
        );
        Exit::Input
    })
}

fn unreadable_of(damage: Damage) -> words::recorded::Unreadable {
    use words::recorded::Unreadable;
    match damage {
        Damage::Version(version) => Unreadable::Version(version),
        Damage::Header | Damage::Chunk(_) | Damage::Cut(_) | Damage::NoEnd(_) => Unreadable::Header,
        Damage::NotARecording => Unreadable::NotARecording,
    }
}

/// Reads an executable.
pub fn read_program(program: &Path, color: Color) -> Result<Vec<u8>, Exit> {
    std::fs::read(program).map_err(|error| {
        message::error(color, &format!("`{}` cannot be read: {error}", program.display()));
        Exit::Input
    })
}

/// A program without a folder in its name is one that stands here: nobody records one of the system's.
pub fn found(program: &Path) -> PathBuf {
    std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
}

/// The units inside an executable.
pub fn units(executable: &[u8], path: &Path, color: Color) -> Result<Vec<Unit>, Exit> {
    hooks::units(executable).map_err(|error| {
        message::error(color, &format!("`{}`: {error}", path.display()));
        message::help(color, REBUILD);
        Exit::Input
    })
}

/// The program inside an executable, for the analysis.
pub fn embedded(executable: &[u8], path: &Path, color: Color) -> Result<Program, Exit> {
    hooks::program(&units(executable, path, color)?).map_err(|error| {
        message::error(color, &format!("`{}`: {error}", path.display()));
        Exit::Input
    })
}

/// What to do about a program that has no hooks.
const REBUILD: &str = "build it anew: `CC=\"unravel cc\" make`, or `unravel cc FILE.c -o PROGRAM`";

/// What a program is known by.
pub fn fingerprint(executable: &[u8]) -> String {
    recorded::fingerprint(executable)
}

/// What is missing of a recording.
pub fn missing(recording: &Recording) -> Option<Missing> {
    recording.damage.map(|it| match it {
        Damage::Cut(events) => Missing::Cut(events),
        Damage::Chunk(events) => Missing::Damaged(events),
        _ => Missing::End,
    })
}

/// The run with names.
pub fn named(loaded: &Loaded, color: Color) -> Result<RecordedRun, Exit> {
    let failed = |what: String| {
        message::error(color, &format!("`{}`: {what}", loaded.program.display()));
        Exit::Input
    };
    let symbols = Symbols::read(&loaded.executable).map_err(|error| failed(error.0))?;
    if symbols.is_stripped() {
        let shown = loaded.program.display();
        message::note(color, &format!("`{shown}` is stripped: its variables have no names"));
        message::help(color, "`strip --strip-debug` keeps them");
    }
    let program = embedded(&loaded.executable, &loaded.program, color)?;
    let sites = Sites::of(&program);
    let Header { program: path, arguments, strategy, seed, .. } = loaded.recording.header.clone();
    let listing = recorded::listing(&sites, &symbols, &loaded.recording.records);
    let end = listing.end(loaded.recording.trailer.as_ref());
    Ok(RecordedRun {
        program: path,
        arguments,
        strategy: (strategy, seed),
        threads: listing.threads,
        steps: listing.steps,
        end,
        missing: missing(&loaded.recording),
        bytes: loaded.bytes,
        files: program.files.clone(),
    })
}

/// Says why a program could not be run.
pub fn not_run(plan: &Plan<'_>, failure: &Failure, color: Color) -> Exit {
    let shown = plan.program.display();
    let help = match failure {
        Failure::NotStarted(error) => {
            message::error(color, &format!("`{shown}` cannot be started: {error}"));
            None
        }
        Failure::NoMemory(error) => {
            message::error(color, &format!("there is no memory to share with it: {error}"));
            None
        }
        Failure::NoHooks(_) => {
            message::error(color, &format!("`{shown}` was not built by `unravel cc`"));
            Some(REBUILD)
        }
        Failure::Sink(error) => {
            message::error(color, &format!("the recording cannot be written: {error}"));
            Some("what was written until then can be read")
        }
    };
    if let Some(help) = help {
        message::help(color, help);
    }
    Exit::Input
}
