//! What a step does, in words.

use crate::model::{End, Finding, StepRow};
use crate::shared;

use super::words;

/// A step as a clause without its subject: `overwrites x with 1, after T1`.
pub fn full(finding: &Finding, index: usize) -> String {
    let Some(step) = finding.schedule.get(index) else { return String::new() };
    let Some(other) = other_writer(finding, index).map(words::thread) else { return plain(step) };
    match (&step.variable, &step.value) {
        (Some(name), Some(value)) if shared::is_write(step) => {
            format!("overwrites {name} with {value}, after {other}")
        }
        _ => format!("{}, from {other}", plain(step)),
    }
}

/// A step with its value: `writes x = 1`.
pub fn plain(step: &StepRow) -> String {
    match &step.value {
        Some(value) if shared::is_access(step) => format!("{} = {value}", short(step)),
        _ => short(step),
    }
}

/// A step without its value: `writes x`, `locks m`.
pub fn short(step: &StepRow) -> String {
    match (verb(step.kind), &step.variable) {
        (Some(verb), Some(name)) => format!("{verb} {name}"),
        _ if step.text.is_empty() => step.kind.to_owned(),
        _ => step.text.clone(),
    }
}

fn verb(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "read" | "failed-update" => "reads",
        "write" => "writes",
        "update" => "updates",
        "lock" => "locks",
        "unlock" => "unlocks",
        "wait" => "waits for",
        "signal" => "signals",
        "broadcast" => "wakes all of",
        "post" => "posts",
        "free" => "frees",
        _ => return None,
    })
}

/// What a thread would do, in words: `would write x here`.
pub fn would(end: &End) -> String {
    let verb = match end.kind {
        "read" | "write" | "update" | "lock" | "unlock" | "free" | "join" | "use" => end.kind,
        "trylock" | "timedlock" | "read-lock" | "try-read-lock" | "timed-read-lock" => "lock",
        _ => return "would come here".to_owned(),
    };
    match &end.variable {
        Some(name) => format!("would {verb} {name} here"),
        None => format!("would {verb} here"),
    }
}

/// The other thread that last wrote what this step accesses, if it ran at the same time: what
/// `main` did before there were threads is no news.
fn other_writer(finding: &Finding, index: usize) -> Option<u32> {
    let (before, rest) = finding.schedule.split_at_checked(index)?;
    let step = rest.first().filter(|step| shared::is_access(step))?;
    let wrote = |it: &&StepRow| shared::is_write(it) && it.variable == step.variable;
    let at = before.iter().rposition(|it| wrote(&it))?;
    let writer = before.get(at)?;
    let threads = finding.schedule.iter().position(|it| it.kind == "create").unwrap_or(0);
    (writer.thread != step.thread && at >= threads).then_some(writer.thread)
}
