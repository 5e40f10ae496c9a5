//! Why an answer is inconclusive, and what to do about it.

use unravel_kinds::{Cut, StopReason, Unmodelled, Untranslated, Work};

use super::{explanation, say, stopped, unmodelled};
use crate::model::{HandOver, ReasonKind};

/// A reason as a clause: `the loop was unrolled 4 times; it may go on`.
#[must_use]
pub fn message(kind: &ReasonKind) -> String {
    say(clause(kind))
}

pub(super) fn clause(kind: &ReasonKind) -> String {
    match kind {
        ReasonKind::Bound { cut, .. } => cut_clause(*cut),
        ReasonKind::Unmodelled(what) => format!("{} is not modelled", unmodelled::noun(what)),
        ReasonKind::Inputs => {
            "this input is too wide to try every value; only some were tried".to_owned()
        }
        ReasonKind::NoEnd => {
            "no run comes to its end: some loops run for ever without changing anything".to_owned()
        }
        ReasonKind::States => "there are too many states to explore".to_owned(),
        ReasonKind::Budget(why) => stopped_by(*why),
        ReasonKind::OneRun => "one run shows nothing about the others".to_owned(),
        ReasonKind::Incomplete => "the run was not completed".to_owned(),
    }
}

/// Why a search was stopped, as a clause.
fn stopped_by(why: StopReason) -> String {
    match why {
        StopReason::Time(limit) => {
            format!("the time limit of {} was reached", stopped::duration(limit))
        }
        StopReason::Memory(limit) => {
            format!("the memory limit of {} MiB was reached", limit >> 20)
        }
        StopReason::Interrupted => "it was interrupted".to_owned(),
        StopReason::Work(Work::Search) => "it took too long".to_owned(),
        StopReason::Work(Work::Causes) => "enough causes were known to try repairs".to_owned(),
        StopReason::Work(Work::Other) => "it was stopped".to_owned(),
    }
}

/// What the user can do about a reason, if anything.
#[must_use]
pub fn help(kind: &ReasonKind) -> Option<String> {
    let help = match kind {
        ReasonKind::Bound { cut: Cut::Polling, .. } => {
            "use fewer threads that poll, or leave hanging out with `--no-deadlock`"
        }
        ReasonKind::Bound { unwind, .. } => {
            let more = unwind.as_ref()?.saturating_mul(2).max(1);
            return Some(say(format!("try `--unwind {more}`, or leave the bound out")));
        }
        ReasonKind::Unmodelled(what) => return advice(what).map(say),
        ReasonKind::Budget(StopReason::Interrupted) => return None,
        ReasonKind::Inputs => "narrow it with `__VERIFIER_assume`, or use a narrower type",
        ReasonKind::NoEnd => {
            "let something change what the loops read, or leave hanging out with `--only reach`"
        }
        ReasonKind::States => "use fewer threads or iterations, or raise `--max-states`",
        ReasonKind::Budget(_) => {
            "use fewer threads or iterations, or raise `--time-limit` or `--memory-limit`"
        }
        ReasonKind::OneRun => "ask about all: `unravel check`",
        ReasonKind::Incomplete => "a long run may need `--max-steps`",
    };
    Some(say(help))
}

/// What to do about something that is not modelled.
pub(super) fn advice(what: &Unmodelled) -> Option<&'static str> {
    Some(match what {
        Unmodelled::MissingFunction(_)
        | Unmodelled::Untranslated(
            Untranslated::MissingVariable(_) | Untranslated::OwnFunction(_),
        ) => "add the file that defines it, or a stub: `unravel stub` writes stubs for all of them",
        _ => "replace it by code that Unravel can see, or leave this part out",
    })
}

/// All reasons of one kind, as a clause behind "no violation found, but".
#[must_use]
pub fn headline(kind: Option<&ReasonKind>) -> String {
    say(match kind {
        Some(ReasonKind::Bound { .. }) => "the search was cut",
        Some(ReasonKind::Unmodelled(_)) => "part of the program is not modelled",
        Some(ReasonKind::Inputs) => "not all inputs were tried",
        Some(ReasonKind::NoEnd) => "it never ends",
        Some(ReasonKind::States) => "the limit on states was reached",
        Some(ReasonKind::Budget(StopReason::Interrupted)) => "the search was interrupted",
        Some(ReasonKind::Budget(_) | ReasonKind::OneRun | ReasonKind::Incomplete) | None => {
            "the search is not complete"
        }
    })
}

/// What a bound cut, as a clause.
#[must_use]
pub fn cut(cut: Cut) -> String {
    say(cut_clause(cut))
}

fn cut_clause(cut: Cut) -> String {
    match cut {
        Cut::Loop { iterations } => {
            let times =
                if iterations == 1 { "once".to_owned() } else { format!("{iterations} times") };
            format!("the loop was unrolled {times}; it may go on")
        }
        Cut::Calls { depth } => format!("calls are nested {depth} deep; they may go deeper"),
        Cut::Threads { limit } => format!("{limit} threads were created; there may be more"),
        Cut::Memory { bytes } => {
            format!("all objects together take {bytes} bytes; there may be more")
        }
        Cut::Instructions { limit } => {
            format!("more than {limit} instructions without an access to shared memory")
        }
        Cut::Polling => {
            "threads run waiting loops, and whether they ever leave them was not decided".to_owned()
        }
    }
}

/// Something that is not modelled, in the list of all of them.
#[must_use]
pub fn not_modelled(what: &Unmodelled) -> String {
    say(unmodelled::noun(what))
}

/// The same about a single run, as a clause of its own.
#[must_use]
pub fn not_modelled_in_run(what: &Unmodelled) -> String {
    say(format!("{} is not modelled", unmodelled::noun(what)))
}

/// That the exploration answered instead of the symbolic engine.
#[must_use]
pub fn handed_over(what: &Unmodelled) -> String {
    let what = explanation::hand_over_noun(&HandOver::Unmodelled(what.clone()));
    say(format!("{what} is not in the symbolic engine yet; the states were explored instead"))
}
