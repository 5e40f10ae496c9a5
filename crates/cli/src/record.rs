//! `unravel record`.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use unravel_recorder::{Ended, Plan, Sink, run};
use unravel_report::words;
use unravel_trace::{Header, Writer};
use unravel_wire::{Kind, Record, Strategy};

use crate::args::{Mode, RecordArguments};
use crate::exit::Exit;
use crate::{message, recording};

/// Runs the command.
pub fn record(arguments: &RecordArguments) -> Exit {
    match try_record(arguments) {
        Ok(exit) | Err(exit) => exit,
    }
}

/// Writes records to a file, and counts what the message at the end says.
struct ToFile {
    writer: Writer<BufWriter<File>>,
    records: u64,
    threads: u64,
    last: Option<Record>,
}

impl Sink for ToFile {
    fn take(&mut self, records: &[Record]) -> io::Result<()> {
        self.records += records.len() as u64;
        let starts = records.iter().filter(|it| it.kind() == Some(Kind::Start));
        self.threads += starts.count() as u64;
        self.last = records.last().copied().or(self.last);
        self.writer.push(records)
    }
}

fn try_record(arguments: &RecordArguments) -> Result<Exit, Exit> {
    let color = arguments.color;
    let program = recording::found(&arguments.program);
    let executable = recording::read_program(&program, color)?;
    recording::units(&executable, &program, color)?;
    let path = arguments.output.clone().unwrap_or_else(|| default_output(&program));
    let plan = Plan {
        arguments: arguments.arguments.clone(),
        strategy: strategy(arguments.mode),
        seed: arguments.seed,
        limit: arguments.max_events,
        ..Plan::new(&program)
    };
    let header = header(&plan, &executable);
    let unwritable = |error: io::Error| {
        message::error(color, &format!("`{}` cannot be written: {error}", path.display()));
        Exit::Input
    };
    let file = File::create(&path).map_err(unwritable)?;
    let writer = Writer::new(BufWriter::new(file), &header).map_err(unwritable)?;
    let mut sink = ToFile { writer, records: 0, threads: 0, last: None };
    let ended = match run(&plan, &mut sink) {
        Ok(ended) => ended,
        Err(failure) => {
            // A program without hooks leaves an empty recording behind.
            if sink.records == 0 {
                let _ = std::fs::remove_file(&path);
            }
            return Err(recording::not_run(&plan, &failure, color));
        }
    };
    let (records, threads, last) = (sink.records, sink.threads, sink.last);
    sink.writer.finish(ended.code, ended.signal).map_err(unwritable)?;
    let bytes = std::fs::metadata(&path).map_or(0, |it| it.len());
    let end = unravel_driver::recorded::end(last.as_ref(), ended.code, ended.signal);
    let summary = words::recorded::summary(&path.display().to_string(), threads, records, bytes);
    message::note(color, &format!("{summary}: {}", words::recorded::ending(&end)));
    message::help(color, &format!("look at it with `unravel show {}`", path.display()));
    Ok(exit(&end, &ended))
}

fn exit(end: &unravel_report::recorded::RunEnd, ended: &Ended) -> Exit {
    if end.is_failure() {
        Exit::Violation
    } else if ended.seen {
        Exit::Safe
    } else {
        Exit::Inconclusive
    }
}

fn default_output(program: &Path) -> PathBuf {
    let name = program.file_name().map_or_else(|| "a".into(), std::ffi::OsStr::to_os_string);
    let mut name = name;
    name.push(".run");
    PathBuf::from(name)
}

fn strategy(mode: Mode) -> Strategy {
    match mode {
        Mode::Serial => Strategy::Serial,
        Mode::Random => Strategy::Random,
        Mode::Pct => Strategy::Pct,
        Mode::Pos => Strategy::Pos,
    }
}

/// What was run, for the file.
fn header(plan: &Plan<'_>, executable: &[u8]) -> Header {
    let arguments = plan.arguments.iter().map(|it| it.to_string_lossy().into_owned());
    let directory = std::env::current_dir().unwrap_or_default();
    Header {
        tool: env!("CARGO_PKG_VERSION").to_owned(),
        program: plan.program.display().to_string(),
        fingerprint: recording::fingerprint(executable),
        arguments: arguments.collect(),
        directory: directory.display().to_string(),
        strategy: plan.strategy.name().to_owned(),
        seed: plan.seed,
        machine: "x86_64".to_owned(),
    }
}
