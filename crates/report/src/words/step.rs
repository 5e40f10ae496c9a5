//! What a step does, and what an order of two steps leads to.

use unravel_kinds::{Deed, InputSource, StepKind};

use super::{say, thread};
use crate::model::{End, EndKind, Order, StepRow};

/// A step in a few words for a table cell: `x = 1`, `x is 0`, `lock m`, `creates T1`.
#[must_use]
pub fn cell(step: &StepRow) -> String {
    let name = step.variable.as_deref().unwrap_or("memory");
    let value = step.value.as_deref().unwrap_or("?");
    say(match step.kind {
        StepKind::Read => format!("{name} is {value}"),
        StepKind::Write | StepKind::Local => format!("{name} = {value}"),
        StepKind::Update => format!("{name} = {value} (atomic)"),
        StepKind::FailedUpdate => format!("{name} is {value} (not swapped)"),
        StepKind::Free => format!("frees {name}"),
        StepKind::Sync { deed, code } => sync_cell(deed, code, name),
        StepKind::SpuriousWake => "wakes without a signal".to_owned(),
        StepKind::Create(thread) => format!("creates T{thread}"),
        StepKind::Join(thread) => format!("joins T{thread}"),
        StepKind::End => "ends".to_owned(),
        StepKind::Exit(code) => format!("process ends ({code})"),
        StepKind::Input => format!("input {value}"),
        StepKind::AssumeFailed => "assume fails".to_owned(),
        StepKind::Output => format!("prints {value:?}"),
    })
}

fn sync_cell(deed: Deed, code: Option<i32>, name: &str) -> String {
    match (deed, code) {
        (Deed::Wait, None) => format!("waits on {name}"),
        (Deed::Wake, Some(0)) => format!("wakes from {name}"),
        (Deed::Arrive, _) => format!("arrives at {name}"),
        (Deed::Pass, _) => format!("passes {name}"),
        (_, Some(0) | None) => format!("{} {name}", deed.code()),
        (_, Some(code)) => format!("{} {name}: {}", deed.code(), error_name(code)),
    }
}

/// The name of an error code of Linux.
fn error_name(code: i32) -> String {
    const NAMES: [(i32, &str); 8] = [
        (1, "EPERM"),
        (3, "ESRCH"),
        (11, "EAGAIN"),
        (16, "EBUSY"),
        (22, "EINVAL"),
        (35, "EDEADLK"),
        (75, "EOVERFLOW"),
        (110, "ETIMEDOUT"),
    ];
    let name = NAMES.iter().find(|(it, _)| *it == code);
    name.map_or_else(|| format!("error {code}"), |(_, name)| (*name).to_owned())
}

/// A step with its value, as a clause without its subject: `writes x = 1`.
#[must_use]
pub fn with_value(step: &StepRow) -> String {
    match &step.value {
        Some(value) if step.kind.is_access() => say(format!("{} = {value}", clause(step))),
        _ => without_value(step),
    }
}

/// A step without its value, as a clause without its subject: `writes x`, `locks m`.
#[must_use]
pub fn without_value(step: &StepRow) -> String {
    match (verb(step.kind), &step.variable) {
        (Some(_), Some(_)) => say(clause(step)),
        _ => cell(step),
    }
}

/// A step that changes what another thread wrote: `overwrites x with 1, after T2`.
#[must_use]
pub fn after_other(step: &StepRow, other: u32) -> String {
    let other = thread(other);
    say(match (&step.variable, &step.value) {
        (Some(name), Some(value)) if step.kind.is_write() => {
            format!("overwrites {name} with {value}, after {other}")
        }
        (_, Some(value)) => format!("{} = {value}, from {other}", clause(step)),
        (_, None) => format!("{}, from {other}", clause(step)),
    })
}

fn clause(step: &StepRow) -> String {
    let name = step.variable.as_deref().unwrap_or("memory");
    format!("{} {name}", verb(step.kind).unwrap_or("touches"))
}

fn verb(kind: StepKind) -> Option<&'static str> {
    Some(match kind {
        StepKind::Read | StepKind::FailedUpdate => "reads",
        StepKind::Write => "writes",
        StepKind::Update => "updates",
        StepKind::Free => "frees",
        StepKind::Sync { deed, .. } => match deed {
            Deed::Lock | Deed::WriteLock => "locks",
            Deed::Unlock => "unlocks",
            Deed::Wait => "waits for",
            Deed::Signal => "signals",
            Deed::Broadcast => "wakes all of",
            Deed::Post => "posts",
            _ => return None,
        },
        _ => return None,
    })
}

/// One end of an order in a few words: `x = 0`, `reads x`, `locks m`.
#[must_use]
pub fn end(end: &End) -> String {
    let name = end.variable.as_deref().unwrap_or("memory");
    say(match (end.kind, end.value.as_deref()) {
        (EndKind::Read, Some(value)) => format!("{name} is {value}"),
        (EndKind::Write | EndKind::Update, Some(value)) => format!("{name} = {value}"),
        (EndKind::Read, None) => format!("reads {name}"),
        (EndKind::Write | EndKind::Update, None) => format!("writes {name}"),
        (EndKind::Free, _) => format!("frees {name}"),
        (EndKind::Use, _) => format!("uses {name}"),
        (EndKind::Sync(deed), _) => does(deed, name),
    })
}

/// What a thread does to a synchronization object.
fn does(deed: Deed, name: &str) -> String {
    match deed {
        Deed::Lock => format!("locks {name}"),
        Deed::WriteLock => format!("locks {name} for writing"),
        Deed::TryLock | Deed::TimedLock | Deed::TryReadLock | Deed::TimedReadLock => {
            format!("tries to lock {name}")
        }
        Deed::ReadLock => format!("locks {name} for reading"),
        Deed::Unlock => format!("unlocks {name}"),
        Deed::Wait => format!("begins to wait on {name}"),
        Deed::Wake | Deed::TimedOut => format!("takes {name} again after a wait"),
        Deed::Signal => format!("signals {name}"),
        Deed::Broadcast => format!("broadcasts {name}"),
        Deed::Arrive | Deed::Pass => format!("arrives at {name}"),
        Deed::Once | Deed::OnceDone => format!("comes to {name}"),
        Deed::SemWait => format!("takes one from {name}"),
        Deed::SemTryWait | Deed::SemTimedWait => format!("tries to take one from {name}"),
        Deed::Post => format!("posts {name}"),
        Deed::GetValue => format!("reads the value of {name}"),
        Deed::Destroy => format!("destroys {name}"),
        Deed::Init => format!("initializes {name}"),
    }
}

/// What a thread would do in a step that does not happen: `would write x here`.
#[must_use]
pub fn would(end: &End) -> String {
    let verb = match end.kind {
        EndKind::Read => "read",
        EndKind::Write => "write",
        EndKind::Update => "update",
        EndKind::Free => "free",
        EndKind::Use => "use",
        EndKind::Sync(deed) if takes(deed) => "lock",
        EndKind::Sync(Deed::Unlock) => "unlock",
        EndKind::Sync(_) => return say("would come here"),
    };
    say(match &end.variable {
        Some(name) => format!("would {verb} {name} here"),
        None => format!("would {verb} here"),
    })
}

/// What an order leads to: `so T2 reads 0`; empty if there is nothing to say.
#[must_use]
pub fn consequence(order: &Order) -> String {
    let Order { before, after, .. } = order;
    let name = before.variable.as_deref().or(after.variable.as_deref()).unwrap_or("it");
    let (first, second) = (thread(before.thread), thread(after.thread));
    let text = match (before.kind, after.kind) {
        (EndKind::Write | EndKind::Update, EndKind::Read) => match &after.value {
            Some(value) => format!("so {second} reads {value}"),
            None => format!("so {second} does not get the old value"),
        },
        (EndKind::Read, EndKind::Write | EndKind::Update) => match &before.value {
            Some(value) => format!("so {first} still reads {value}"),
            None => format!("so {first} reads the old value"),
        },
        (EndKind::Write | EndKind::Update, EndKind::Write | EndKind::Update) => {
            match &after.value {
                Some(value) => format!("so {name} becomes {value}"),
                None => format!("so {name} is not overwritten in time"),
            }
        }
        (EndKind::Free, _) => format!("so {second} uses memory that is gone"),
        (_, EndKind::Free) => format!("so {first} finds the memory still there"),
        (EndKind::Sync(one), EndKind::Sync(other)) => sync_consequence(one, other, &first, &second),
        _ => String::new(),
    };
    if text.is_empty() { text } else { say(text) }
}

/// Whether it takes a lock, also at the end of a wait.
fn takes(deed: Deed) -> bool {
    deed.takes_lock() || matches!(deed, Deed::Wake | Deed::TimedOut)
}

/// What follows if one operation comes before another on the same object.
fn sync_consequence(first: Deed, second: Deed, before: &str, after: &str) -> String {
    match (first, second) {
        (Deed::Signal | Deed::Broadcast, Deed::Wait) => {
            format!("so {after} waits for a signal that is over")
        }
        (Deed::Wait, Deed::Signal) => {
            format!("so {before} is among those that the signal may wake")
        }
        (Deed::Wait, Deed::Broadcast) => format!("so the broadcast wakes {before}"),
        (Deed::Wait, Deed::Wait) => format!("so {before} waits first"),
        (one, other) if takes(one) && takes(other) && other.is_attempt() => {
            format!("so {after} may be refused")
        }
        (one, other) if takes(one) && takes(other) => format!("so {after} waits"),
        (one, Deed::Unlock) if one.is_attempt() => format!("so {before} may be refused"),
        (Deed::Destroy, _) => format!("so {after} uses what is gone"),
        (_, Deed::Destroy | Deed::Init) => format!("so {before} uses it before that"),
        (Deed::Init, _) => format!("so {after} finds it ready"),
        (one, other) if one.takes_from_semaphore() && other.takes_from_semaphore() => {
            format!("so {after} finds one less")
        }
        (Deed::Post, Deed::GetValue) => format!("so {after} finds one more"),
        (Deed::Post, other) if other.takes_from_semaphore() => {
            format!("so {after} finds one more")
        }
        (one, Deed::Post) if one.takes_from_semaphore() => {
            format!("so {before} does not get that one")
        }
        _ => String::new(),
    }
}

/// Where an input comes from: `__VERIFIER_nondet_int`, `uninitialized memory`.
#[must_use]
pub fn input_source(source: &InputSource) -> String {
    match source {
        InputSource::Call(name) => name.clone(),
        InputSource::Uninitialized => say("uninitialized memory"),
        InputSource::Layout => say("order in memory"),
    }
}
