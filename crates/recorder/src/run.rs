//! One run of a program under control.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use unravel_trace::repeat::Repeat;
use unravel_wire::{Record, Strategy, control};

use crate::shared::{Shared, inherited, prepare_child};

/// What is to be run, and how.
#[derive(Clone, Debug)]
pub struct Plan<'p> {
    /// The executable.
    pub program: PathBuf,
    /// What it is called with.
    pub arguments: Vec<OsString>,
    /// Who goes on at a scheduling point.
    pub strategy: Strategy,
    /// Where random decisions come from.
    pub seed: u64,
    /// The schedule, for [`Strategy::Follow`].
    pub repeat: Option<&'p Repeat>,
    /// `pct`: how many changes of priority, among how many events.
    pub depth: (u32, u64),
    /// End the run after so many events.
    pub limit: Option<u64>,
    /// End the run at an undefined operation on a lock.
    pub strict: bool,
    /// Whether records are wanted.
    pub records: bool,
    /// What it prints goes nowhere.
    pub quiet: bool,
    /// End it after so long.
    pub at_most: Option<Duration>,
    /// Addresses differ from run to run, as they do outside.
    pub randomizes: bool,
    /// The program is started by gdb, which stops where the run ends.
    pub debugs: bool,
    /// How the runtime is broken, where tests are tested.
    #[cfg(feature = "mutants")]
    pub mutant: Option<control::Mutant>,
}

impl<'p> Plan<'p> {
    /// A plan for a program without arguments: serial, recorded.
    #[must_use]
    pub fn new(program: &Path) -> Plan<'p> {
        Plan {
            program: program.to_owned(),
            arguments: Vec::new(),
            strategy: Strategy::Serial,
            seed: 0,
            repeat: None,
            depth: (3, 1000),
            limit: None,
            strict: false,
            records: true,
            quiet: false,
            at_most: None,
            randomizes: false,
            debugs: false,
            #[cfg(feature = "mutants")]
            mutant: None,
        }
    }
}

/// Who reads the records.
pub trait Sink {
    /// Takes the next records.
    ///
    /// # Errors
    /// They cannot be kept: the run ends.
    fn take(&mut self, records: &[Record]) -> io::Result<()>;
}

impl Sink for Vec<Record> {
    fn take(&mut self, records: &[Record]) -> io::Result<()> {
        self.extend_from_slice(records);
        Ok(())
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Exit code, if it has one.
    pub code: Option<i32>,
    /// The signal that ended it.
    pub signal: Option<i32>,
    /// The runtime saw the end: the records are complete.
    pub seen: bool,
    /// It was ended because its time was over.
    pub timed_out: bool,
    /// Events in all.
    pub events: u64,
    /// Segments of the schedule that were followed.
    pub followed: u64,
}

/// A run that did not happen.
#[derive(Debug)]
pub enum Failure {
    /// The program cannot be started.
    NotStarted(io::Error),
    /// There is no memory to share.
    NoMemory(io::Error),
    /// The program was not built by `unravel cc`: it did not take the memory.
    NoHooks(ExitStatus),
    /// The records cannot be kept.
    Sink(io::Error),
}

/// How long the recorder sleeps if nobody rings.
const MOMENT: Duration = Duration::from_millis(5);

/// Runs a program to its end.
///
/// # Errors
/// It was not started, or is not a program of ours.
pub fn run(plan: &Plan<'_>, sink: &mut dyn Sink) -> Result<Ended, Failure> {
    let mut shared = prepare(plan).map_err(Failure::NoMemory)?;
    let mut child = start(plan, &shared).map_err(Failure::NotStarted)?;
    let begin = Instant::now();
    let mut timed_out = false;
    let status = loop {
        drain(&mut shared, sink, &mut child)?;
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => {}
            Err(error) => return Err(Failure::NotStarted(error)),
        }
        if !timed_out && plan.at_most.is_some_and(|it| begin.elapsed() > it) {
            timed_out = true;
            // If it is gone already, the next look sees it.
            let _ = child.kill();
        }
        let ended = shared.control().ended.load(Ordering::Acquire) != 0;
        shared.wait(if ended { MOMENT / 20 } else { MOMENT });
    };
    drain(&mut shared, sink, &mut child)?;
    let control = shared.control();
    if control.process.load(Ordering::Acquire) == 0 {
        return Err(Failure::NoHooks(status));
    }
    Ok(Ended {
        code: status.code(),
        signal: status.signal(),
        seen: control.ended.load(Ordering::Acquire) != 0,
        timed_out,
        events: control.events.load(Ordering::Acquire),
        followed: control.followed.load(Ordering::Acquire),
    })
}

fn prepare(plan: &Plan<'_>) -> io::Result<Shared> {
    let none = Repeat::default();
    let repeat = plan.repeat.unwrap_or(&none);
    Shared::new(&repeat.segments, &repeat.choices, |control| {
        control.strategy = plan.strategy as u32;
        control.seed = plan.seed;
        (control.depth, control.length) = plan.depth;
        control.records = plan.records.into();
        control.limit = plan.limit.unwrap_or(0);
        control.strict = plan.strict.into();
        #[cfg(feature = "mutants")]
        {
            control.mutant = plan.mutant.map_or(0, |it| it as u32 + 1);
        }
    })
}

/// What gdb is told. The shell would be taken for the program; the C library's signals to its own threads
/// are nobody's business.
const STOP: [&str; 5] = [
    "set startup-with-shell off",
    "set breakpoint pending on",
    "break __unravel_ended",
    "run",
    "backtrace",
];

fn start(plan: &Plan<'_>, shared: &Shared) -> io::Result<Child> {
    let mut command = Command::new(if plan.debugs { Path::new("gdb") } else { &plan.program });
    if plan.debugs {
        command.args(STOP.iter().flat_map(|it| ["-ex", it]));
        command.args(["-q", "--args"]).arg(&plan.program);
    }
    command.args(&plan.arguments);
    command.env(control::VARIABLE, inherited().to_string());
    if plan.quiet {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    }
    prepare_child(&mut command, shared, plan.randomizes);
    command.spawn()
}

fn drain(shared: &mut Shared, sink: &mut dyn Sink, child: &mut Child) -> Result<(), Failure> {
    loop {
        let records = shared.take();
        if records.is_empty() {
            return Ok(());
        }
        if let Err(error) = sink.take(&records) {
            // The run is of no use any more.
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::Sink(error));
        }
    }
}
