//! `mutex`: code is guarded by a mutex.
//!
//! - *Applies* where stretches of code must exclude each other (a torn region, a deadlock that one
//!   outer lock prevents, a data race).
//! - *Writes* a lock before and an unlock behind each stretch, on every way out of it. The mutex is one
//!   that the program has and that guards the same data elsewhere, or a new one at file scope.
//! - *Costs* the critical sections, and a mutex if it is new.
//! - *Refused* if a stretch is no run of statements of one function or its callers, if control can
//!   leave it unseen, or if the mutex cannot be named there.
//!
//! Where a section of the mutex becomes longer instead, it is a [`widen`](super::widen).

use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Change, GuardedBy};
use unravel_patch::guard::Mutex;

use super::{Handler, Rank};
use crate::{Attempt, GuardedCode};

/// Guards code with a mutex.
pub(super) struct MutexHandler;

impl Handler for MutexHandler {
    fn kind(&self) -> RepairKind {
        RepairKind::Mutex
    }

    fn rank(&self) -> Rank {
        Rank { decides_order: true, reuses_locks: false, guards: true }
    }

    fn guard(&self, code: &GuardedCode) -> Option<Attempt> {
        if code.is_widened() {
            return None;
        }
        let with = match &code.mutex {
            Mutex::New { name } => GuardedBy::NewMutex(name.clone()),
            Mutex::Existing { expression, .. } => GuardedBy::Mutex(shown(expression)),
            Mutex::Spelled { spelling, .. } => GuardedBy::Statement(one_line(&spelling.take)),
        };
        let change = Change::Mutex { what: code.what.clone(), with };
        let written = code.written();
        Some(Attempt { change, written, enforces: None, is_last_resort: false })
    }
}

/// A mutex as a title shows it: without the `&` of a call's argument.
pub(super) fn shown(expression: &str) -> String {
    expression.trim_start_matches('&').to_owned()
}

/// A statement on one line, as a title quotes it.
pub(super) fn one_line(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    words.join(" ").trim_end_matches(';').trim_end().to_owned()
}
