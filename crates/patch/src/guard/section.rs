//! Sections of a mutex that exists, read off the statements that lock and unlock it.
//!
//! A run must begin and end where the mutex is free. Where it begins in a section, it grows to the
//! statement that locks; where it ends in one, to the statement that unlocks; if that stands further
//! out, the run is lifted to it. An `unlock` on an early way out does not end the section for those
//! who stay.

use tree_sitter::Node;

use super::lock::{Lock, Operation};
use super::run::{Run, join};
use crate::Refusal;
use crate::exits::{completes, refuse};
use crate::source::{ancestors, descendants, is_item, is_list, items};

/// Runs grown and joined until nothing changes.
pub(super) fn grow_all<'a>(runs: &[Run<'a>], lock: &Lock) -> Result<Vec<Run<'a>>, Refusal> {
    let mut runs = runs.to_vec();
    loop {
        let grown: Result<Vec<Run<'a>>, Refusal> = runs.iter().map(|run| grow(run, lock)).collect();
        let grown = join(grown?);
        if grown == runs {
            return Ok(grown);
        }
        runs = grown;
    }
}

/// Where the mutex is taken or given back, seen from a statement.
enum Found<'a> {
    /// In the same list.
    Here(Node<'a>),
    /// Around the list.
    Outside,
    /// The mutex is free.
    Nowhere,
}

fn grow<'a>(run: &Run<'a>, lock: &Lock) -> Result<Run<'a>, Refusal> {
    let mut run = run.clone();
    loop {
        let from = before(&run, lock)?;
        let to = after(&run, lock)?;
        if let (Found::Outside, _) | (_, Found::Outside) = (&from, &to) {
            let why = "the section of the mutex is not around whole statements";
            let lifted = run.lifted();
            run = lifted.ok_or_else(|| refuse(&run.source, why, run.first))?;
            continue;
        }
        if let Found::Here(first) = from {
            run.first = first;
        }
        if let Found::Here(last) = to {
            (run.last, run.tail) = (last, false);
        } else {
            check_end(&run, lock)?;
        }
        // Behind a condition that was tested in a section, the section goes on.
        run.tail = run.tail && !touches(&run, lock, run.last) && !is_held(&run, lock, run.last)?;
        return Ok(run);
    }
}

/// Refuses a run that ends with the mutex held and never given back: its callers rely on that.
fn check_end(run: &Run<'_>, lock: &Lock) -> Result<(), Refusal> {
    let held = match effect(run, lock, run.last)? {
        Effect::Takes => true,
        Effect::Frees => false,
        Effect::None => is_held(run, lock, run.last)?,
    };
    if held && completes(&run.source, run.last) {
        return Err(refuse(&run.source, "the mutex stays held behind the region", run.last));
    }
    Ok(())
}

/// Whether a statement has operations on the mutex in it.
fn touches(run: &Run<'_>, lock: &Lock, statement: Node<'_>) -> bool {
    descendants(statement).any(|it| lock.own_operation(&run.source, it).is_some())
}

/// Whether the mutex is held when a statement begins.
pub(super) fn is_held<'a>(
    run: &Run<'a>,
    lock: &Lock,
    statement: Node<'a>,
) -> Result<bool, Refusal> {
    Ok(!matches!(taken_before(run, lock, statement)?, Found::Nowhere))
}

/// Where the mutex was taken that is held when the run begins, or of the section right before it.
fn before<'a>(run: &Run<'a>, lock: &Lock) -> Result<Found<'a>, Refusal> {
    if is_taking(run, lock, run.first) {
        return Ok(Found::Nowhere);
    }
    let list = run.first.parent().filter(|it| is_list(*it)).map(items).unwrap_or_default();
    match list.into_iter().rfind(|it| it.end_byte() <= run.first.start_byte()) {
        Some(previous) if is_giving(run, lock, previous) => Ok(adjacent(run, lock, previous)),
        _ => taken_before(run, lock, run.first),
    }
}

/// Where the mutex was taken that is held when a statement begins.
fn taken_before<'a>(run: &Run<'a>, lock: &Lock, statement: Node<'a>) -> Result<Found<'a>, Refusal> {
    let mut at = statement;
    loop {
        let list = at.parent().filter(|it| is_list(*it)).map(items).unwrap_or_default();
        for item in list.into_iter().rev().filter(|it| it.end_byte() <= at.start_byte()) {
            match effect(run, lock, item)? {
                Effect::Takes if at == statement => return Ok(Found::Here(item)),
                Effect::Takes => return Ok(Found::Outside),
                Effect::Frees => return Ok(Found::Nowhere),
                Effect::None => {}
            }
        }
        match outer(at) {
            Some(next) => at = next,
            None => return Ok(Found::Nowhere),
        }
    }
}

/// Where the mutex is given back that is held when the run ends.
fn after<'a>(run: &Run<'a>, lock: &Lock) -> Result<Found<'a>, Refusal> {
    if lock.operation(&run.source, run.last) == Some(Operation::Unlock) {
        return Ok(Found::Nowhere);
    }
    let mut at = run.last;
    loop {
        let list = at.parent().filter(|it| is_list(*it));
        let later: Vec<_> = list.map(items).unwrap_or_default();
        let later = later.into_iter().filter(|it| it.start_byte() >= at.end_byte());
        for (distance, item) in later.enumerate() {
            let same = at == run.last;
            match effect(run, lock, item)? {
                Effect::Frees if is_giving(run, lock, item) && same => {
                    return Ok(Found::Here(item));
                }
                Effect::Frees if is_giving(run, lock, item) => return Ok(Found::Outside),
                Effect::Takes if same && distance == 0 => return Ok(next_section(run, lock, item)),
                Effect::Takes | Effect::Frees => return Ok(Found::Nowhere),
                Effect::None => {}
            }
        }
        match outer(at) {
            Some(next) => at = next,
            None => return Ok(Found::Nowhere),
        }
    }
}

fn outer(node: Node<'_>) -> Option<Node<'_>> {
    ancestors(node.parent()?).find(|it| is_item(*it))
}

fn is_taking(run: &Run<'_>, lock: &Lock, item: Node<'_>) -> bool {
    matches!(lock.operation(&run.source, item), Some(Operation::Lock | Operation::Share))
}

fn is_giving(run: &Run<'_>, lock: &Lock, item: Node<'_>) -> bool {
    lock.operation(&run.source, item) == Some(Operation::Unlock)
}

/// The section that ends directly before a run, if it begins in the same list.
fn adjacent<'a>(run: &Run<'a>, lock: &Lock, unlock: Node<'a>) -> Found<'a> {
    let list = unlock.parent().map(items).unwrap_or_default();
    let mut earlier = list.into_iter().rev().filter(|it| it.end_byte() <= unlock.start_byte());
    match earlier.find(|it| lock.operation(&run.source, *it).is_some()) {
        Some(item) if is_giving(run, lock, unlock) && is_taking(run, lock, item) => {
            Found::Here(item)
        }
        _ => Found::Nowhere,
    }
}

/// The section that begins directly after a run, if it ends in the same list.
fn next_section<'a>(run: &Run<'a>, lock: &Lock, taking: Node<'a>) -> Found<'a> {
    let list = taking.parent().map(items).unwrap_or_default();
    let mut later = list.into_iter().filter(|it| it.start_byte() >= taking.end_byte());
    match later.find(|it| lock.operation(&run.source, *it).is_some()) {
        Some(item) if is_taking(run, lock, taking) && is_giving(run, lock, item) && !run.tail => {
            Found::Here(item)
        }
        _ => Found::Nowhere,
    }
}

/// What a statement as a whole does to the mutex, for those who reach its end.
enum Effect {
    None,
    Takes,
    Frees,
}

fn effect<'a>(run: &Run<'a>, lock: &Lock, item: Node<'a>) -> Result<Effect, Refusal> {
    match lock.operation(&run.source, item) {
        Some(Operation::Unlock) => return Ok(Effect::Frees),
        Some(_) => return Ok(Effect::Takes),
        None => {}
    }
    let is_operation = |it: &Node<'a>| lock.own_operation(&run.source, *it).is_some();
    let operations: Vec<Node<'a>> = descendants(item).filter(is_operation).collect();
    let staying: Vec<_> = operations.into_iter().filter(|it| !leaves_after(run, *it)).collect();
    let (Some(first), Some(last)) = (staying.first(), staying.last()) else {
        return Ok(Effect::None);
    };
    match (is_giving(run, lock, *first), is_giving(run, lock, *last)) {
        (true, false) => Ok(Effect::None),
        (false, true) => Ok(Effect::Frees),
        _ => Err(refuse(&run.source, "the mutex is held on some ways only", *first)),
    }
}

/// Whether the statements behind one in its list leave the list's surroundings.
fn leaves_after(run: &Run<'_>, statement: Node<'_>) -> bool {
    let list = statement.parent().filter(|it| is_list(*it)).map(items).unwrap_or_default();
    let later = list.into_iter().filter(|it| it.start_byte() >= statement.end_byte());
    later.into_iter().any(|it| !completes(&run.source, it))
}
