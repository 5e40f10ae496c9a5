//! Recorded runs.

use super::violation::misuse;
use super::{say, thread};
use crate::model::StepRow;
use crate::recorded::{Missing, RecordedRun, RunEnd, Waiting};

/// What was run, and how much is known of it.
#[must_use]
pub fn headline(run: &RecordedRun) -> String {
    let mut call = run.program.clone();
    for argument in &run.arguments {
        call.push(' ');
        call.push_str(argument);
    }
    let (strategy, seed) = &run.strategy;
    let seed = if strategy == "serial" { String::new() } else { format!(", seed {seed}") };
    let threads = count(run.threads.len(), "thread");
    let steps = count(run.steps.len(), "step");
    say(format!("{call}: {threads}, {steps} ({strategy}{seed})"))
}

fn count(number: usize, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {what}{s}")
}

/// How a run ended, as a sentence.
#[must_use]
pub fn ending(end: &RunEnd) -> String {
    say(match end {
        RunEnd::Exit(0) => "the program ended".to_owned(),
        RunEnd::Exit(code) => format!("the program ended with exit code {code}"),
        RunEnd::QuickExit(code) => format!("the program ended by _exit with code {code}"),
        RunEnd::Assert => "an assertion failed".to_owned(),
        RunEnd::Abort => "the program was aborted".to_owned(),
        RunEnd::Signal(signal) => format!("the program was ended by {}", signal_name(*signal)),
        RunEnd::Deadlock(waiting) => all("deadlock", waiting),
        RunEnd::NoProgress(waiting) => all("no progress", waiting),
        RunEnd::OutOfBounds => "an access outside of its block of memory".to_owned(),
        RunEnd::UseAfterFree => "an access to memory that was freed".to_owned(),
        RunEnd::DoubleFree => "memory was freed twice".to_owned(),
        RunEnd::InvalidFree => "something was freed that is no block of memory".to_owned(),
        RunEnd::Misuse(what) => misuse(*what).to_owned(),
        RunEnd::AssumeFailed => "an assumption of the program did not hold".to_owned(),
        RunEnd::Limit => "the run was stopped at a limit".to_owned(),
        RunEnd::Sanitizer => "a sanitizer ended the program".to_owned(),
        RunEnd::Unknown => "the recording does not say how the run ended".to_owned(),
    })
}

/// What it is called, and who waits for what, if that is known.
fn all(name: &str, waiting: &[Waiting]) -> String {
    let each: Vec<String> = waiting.iter().map(waits).collect();
    if each.is_empty() { name.to_owned() } else { format!("{name}: {}", each.join("; ")) }
}

fn waits(waiting: &Waiting) -> String {
    let who = thread(waiting.thread);
    if waiting.polls {
        return format!("{who} polls");
    }
    let what = waiting.object.as_deref().unwrap_or("something");
    match waiting.holder {
        Some(holder) => format!("{who} waits for {what}, held by {}", thread(holder)),
        None => format!("{who} waits for {what}"),
    }
}

/// The name of a signal of Linux.
fn signal_name(signal: i32) -> String {
    const NAMES: [(i32, &str); 9] = [
        (4, "SIGILL"),
        (6, "SIGABRT"),
        (7, "SIGBUS"),
        (8, "SIGFPE"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (14, "SIGALRM"),
        (15, "SIGTERM"),
    ];
    let name = NAMES.iter().find(|(it, _)| *it == signal);
    name.map_or_else(|| format!("signal {signal}"), |(_, name)| (*name).to_owned())
}

/// What is missing of a recording, as a sentence.
#[must_use]
pub fn missing(missing: Missing) -> String {
    say(match missing {
        Missing::Cut(events) => format!("the recording ends in the middle, after {events} events"),
        Missing::Damaged(events) => {
            format!("the recording is damaged after {events} events; what follows is left out")
        }
        Missing::End => {
            "the recording ends before the run does: its recorder was stopped".to_owned()
        }
    })
}

/// How many of the replays went the same way.
#[must_use]
pub fn replayed(same: u32, all: u32, end: &RunEnd) -> String {
    let runs = if all == 1 { "run" } else { "runs" };
    say(format!("{same} of {all} {runs} went the same way: {}", ending(end)))
}

/// How many of the runs under a computed schedule ended as it says.
#[must_use]
pub fn forced(same: u32, all: u32, end: &RunEnd) -> String {
    let runs = if all == 1 { "run" } else { "runs" };
    say(format!("{same} of {all} {runs} ended as the schedule says: {}", ending(end)))
}

/// How many of the runs under a computed schedule did what it says, and went on.
#[must_use]
pub fn forced_unnoticed(same: u32, all: u32, what: &str) -> String {
    let runs = if all == 1 { "run" } else { "runs" };
    say(format!(
        "{same} of {all} {runs} did what the schedule says, unnoticed by the program: {what}"
    ))
}

/// How the others ended.
#[must_use]
pub fn forced_otherwise(others: u32, end: &RunEnd) -> String {
    let runs = count(others as usize, "run");
    say(format!("{runs} ended in another way: {}", ending(end)))
}

/// Why a file is no recording that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// It is none.
    NotARecording,
    /// It is one of another version.
    Version(u32),
    /// Its beginning is damaged.
    Header,
}

/// Why a file is no recording that can be read, as a clause.
#[must_use]
pub fn unreadable(why: Unreadable) -> String {
    say(match why {
        Unreadable::NotARecording => "it is no recording".to_owned(),
        Unreadable::Version(version) => {
            format!("it is a recording of version {version}, which this Unravel does not read")
        }
        Unreadable::Header => "its beginning is damaged, so that it cannot be read".to_owned(),
    })
}

/// What was written.
#[must_use]
pub fn summary(path: &str, threads: u64, events: u64, bytes: u64) -> String {
    let threads = count(threads as usize, "thread");
    let events = count(events as usize, "event");
    say(format!("{path}: {threads}, {events}, {} KB", bytes.div_ceil(1024)))
}

/// Where a replay went another way.
#[must_use]
pub fn first_difference(run: &RecordedRun, expected: Option<&StepRow>, step: usize) -> String {
    let Some(row) = expected else {
        return say(format!("another run went on after step {step}, where this one ended"));
    };
    let place = row.place.as_ref().map_or_else(String::new, |it| {
        format!(" at {}", crate::place::short_line(&run.files, it.span))
    });
    let what = super::step::with_value(row);
    say(format!(
        "the first difference is at step {}: {} {what}{place}",
        row.step,
        thread(row.thread)
    ))
}
