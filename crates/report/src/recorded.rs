//! Recorded runs: what `record`, `replay` and `show` say of them.

use serde::Serialize;
use unravel_span::Files;

use crate::model::{StepRow, ThreadRow};
use crate::place::short_line;
use crate::words;

/// A recorded run.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    /// The executable.
    pub program: String,
    /// What it was called with.
    pub arguments: Vec<String>,
    /// Who chose the threads, with which seed.
    pub strategy: (String, u64),
    /// Its threads.
    pub threads: Vec<ThreadRow>,
    /// Its steps, in order.
    pub steps: Vec<StepRow>,
    /// How it ended.
    pub end: RunEnd,
    /// What is missing of the file.
    pub missing: Option<Missing>,
    /// Bytes of the file.
    pub bytes: u64,
    /// Files that places point into.
    pub files: Files,
}

/// How a recorded run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// With this exit code.
    Exit(i32),
    /// `_exit` and its kind, with this exit code.
    QuickExit(i32),
    /// An assertion failed.
    Assert,
    /// `abort`, or an error function of a verifier.
    Abort,
    /// A signal.
    Signal(i32),
    /// Nobody could go on.
    Deadlock(Vec<Waiting>),
    /// Everybody waited or polled for ever.
    NoProgress(Vec<Waiting>),
    /// An access outside of its block.
    OutOfBounds,
    /// An access to a block that was freed.
    UseAfterFree,
    /// A block freed twice.
    DoubleFree,
    /// Something freed that is no block.
    InvalidFree,
    /// An undefined operation on a lock.
    Misuse(unravel_kinds::Misuse),
    /// An assumption of the program failed.
    AssumeFailed,
    /// A limit of the runtime or of the command.
    Limit,
    /// A sanitizer reported something and ended the process.
    Sanitizer,
    /// The recording does not say.
    Unknown,
}

/// A thread that waits when the run ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// The thread.
    pub thread: u32,
    /// For what, if it has a name.
    pub object: Option<String>,
    /// Who holds it.
    pub holder: Option<u32>,
    /// It polls.
    pub polls: bool,
}

/// What is missing of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Everything after so many events: the file ends there.
    Cut(u64),
    /// Everything after so many events: what follows was damaged.
    Damaged(u64),
    /// How the run ended.
    End,
}

impl RunEnd {
    /// Whether the run failed.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        !matches!(
            self,
            RunEnd::Exit(_)
                | RunEnd::QuickExit(_)
                | RunEnd::AssumeFailed
                | RunEnd::Limit
                | RunEnd::Unknown
        )
    }

    /// The word for it in JSON.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            RunEnd::Exit(_) => "exit",
            RunEnd::QuickExit(_) => "quick-exit",
            RunEnd::Assert => "assertion",
            RunEnd::Abort => "abort",
            RunEnd::Signal(_) => "signal",
            RunEnd::Deadlock(_) => "deadlock",
            RunEnd::NoProgress(_) => "no-progress",
            RunEnd::OutOfBounds => "out-of-bounds",
            RunEnd::UseAfterFree => "use-after-free",
            RunEnd::DoubleFree => "double-free",
            RunEnd::InvalidFree => "invalid-free",
            RunEnd::Misuse(misuse) => misuse.code(),
            RunEnd::AssumeFailed => "assume-failed",
            RunEnd::Limit => "limit",
            RunEnd::Sanitizer => "sanitizer",
            RunEnd::Unknown => "unknown",
        }
    }
}

/// The run for people: what was run, one line a step, how it ended.
#[must_use]
pub fn text(run: &RecordedRun) -> String {
    let mut out = words::recorded::headline(run);
    out.push('\n');
    let places: Vec<String> = run.steps.iter().map(|step| place(run, step)).collect();
    let width = places.iter().map(String::len).max().unwrap_or(0);
    let number = run.steps.len().to_string().len();
    for (step, place) in run.steps.iter().zip(&places) {
        let what = words::step::with_value(step);
        let thread = words::thread(step.thread);
        out.push_str(&format!("{:>number$}  {thread:<4} {place:<width$}  {what}\n", step.step));
    }
    out.push_str(&words::recorded::ending(&run.end));
    out.push('\n');
    out
}

fn place(run: &RecordedRun, step: &StepRow) -> String {
    step.place.as_ref().map_or_else(String::new, |it| short_line(&run.files, it.span))
}

#[derive(Serialize)]
struct Document<'r> {
    schema_version: u32,
    program: &'r str,
    arguments: &'r [String],
    strategy: &'r str,
    seed: u64,
    threads: Vec<Thread<'r>>,
    steps: Vec<Step<'r>>,
    end: End<'r>,
    missing: Option<&'static str>,
}

#[derive(Serialize)]
struct Thread<'r> {
    id: u32,
    name: &'r str,
}

#[derive(Serialize)]
struct Step<'r> {
    step: u32,
    thread: u32,
    file: Option<&'r str>,
    line: Option<u32>,
    column: Option<u32>,
    function: Option<&'r str>,
    kind: &'static str,
    variable: Option<&'r str>,
    value: Option<&'r str>,
}

#[derive(Serialize)]
struct End<'r> {
    kind: &'static str,
    code: Option<i32>,
    waiting: Vec<Waits<'r>>,
}

#[derive(Serialize)]
struct Waits<'r> {
    thread: u32,
    object: Option<&'r str>,
    holder: Option<u32>,
    polls: bool,
}

/// The run as one JSON object.
#[must_use]
pub fn json(run: &RecordedRun) -> String {
    let steps = run.steps.iter().map(|step| json_step(run, step)).collect();
    let threads = run.threads.iter().map(|it| Thread { id: it.id, name: &it.name }).collect();
    let (code, waiting): (Option<i32>, &[Waiting]) = match &run.end {
        RunEnd::Exit(code) | RunEnd::QuickExit(code) | RunEnd::Signal(code) => (Some(*code), &[]),
        RunEnd::Deadlock(waiting) | RunEnd::NoProgress(waiting) => (None, waiting),
        _ => (None, &[]),
    };
    let waiting = waiting.iter().map(|it| Waits {
        thread: it.thread,
        object: it.object.as_deref(),
        holder: it.holder,
        polls: it.polls,
    });
    let document = Document {
        schema_version: 1,
        program: &run.program,
        arguments: &run.arguments,
        strategy: &run.strategy.0,
        seed: run.strategy.1,
        threads,
        steps,
        end: End { kind: run.end.code(), code, waiting: waiting.collect() },
        missing: run.missing.map(|it| match it {
            Missing::Cut(_) => "cut",
            Missing::Damaged(_) => "damaged",
            Missing::End => "end",
        }),
    };
    // Fails only for maps whose keys are no strings, and there are none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn json_step<'r>(run: &'r RecordedRun, step: &'r StepRow) -> Step<'r> {
    let place = step.place.as_ref();
    Step {
        step: step.step,
        thread: step.thread,
        file: place.map(|it| run.files.path(it.span.file)),
        line: place.map(|it| it.span.line),
        column: place.map(|it| it.span.column),
        function: place.map(|it| it.function.as_str()),
        kind: step.kind.code(),
        variable: step.variable.as_deref(),
        value: step.value.as_deref(),
    }
}

/// The run for Perfetto and Chrome's `about:tracing`: one slice a step, one track a thread; time is the
/// number of the step.
#[must_use]
pub fn chrome(run: &RecordedRun) -> String {
    let name = |thread: &ThreadRow| {
        serde_json::json!({
            "ph": "M", "name": "thread_name", "pid": 1, "tid": thread.id,
            "args": { "name": format!("T{} {}", thread.id, thread.name) },
        })
    };
    let slice = |step: &StepRow| {
        serde_json::json!({
            "ph": "X", "name": words::step::with_value(step), "cat": step.kind.code(),
            "pid": 1, "tid": step.thread, "ts": step.step, "dur": 1,
            "args": { "place": place(run, step) },
        })
    };
    let events: Vec<_> = run.threads.iter().map(name).chain(run.steps.iter().map(slice)).collect();
    let mut text = serde_json::json!({ "traceEvents": events }).to_string();
    text.push('\n');
    text
}

/// The run in the text form of RAPID: accesses, locks, creation and end of threads. What it has no
/// word for (condition variables, semaphores) is left out.
#[must_use]
pub fn std(run: &RecordedRun) -> String {
    let mut out = String::new();
    for step in &run.steps {
        let Some(event) = std_event(step) else { continue };
        let at = place(run, step);
        let at = if at.is_empty() { "?" } else { &at };
        out.push_str(&format!("T{}|{event}|{at}\n", step.thread));
    }
    out
}

fn std_event(step: &StepRow) -> Option<String> {
    use unravel_kinds::{Deed, StepKind as K};
    let name = step.variable.as_deref().unwrap_or("?").replace(['|', '(', ')'], "_");
    Some(match step.kind {
        K::Read => format!("r({name})"),
        K::Write | K::Update => format!("w({name})"),
        K::Sync { deed: Deed::Lock | Deed::WriteLock | Deed::Wake, code: Some(0) } => {
            format!("acq({name})")
        }
        K::Sync { deed: Deed::TryLock | Deed::TimedLock, code: Some(0) } => format!("acq({name})"),
        K::Sync { deed: Deed::Unlock, code: Some(0) } => format!("rel({name})"),
        K::Create(thread) => format!("fork(T{thread})"),
        K::Join(thread) => format!("join(T{thread})"),
        _ => return None,
    })
}
