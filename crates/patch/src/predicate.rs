//! A wait on a condition variable in a loop that tests what is waited for.
//!
//! A wakeup without a signal, or one whose cause another thread has used up, is seen by testing
//! again; a signal that came before the wait, by a flag that remembers it.

mod mutex;

use tree_sitter::Node;
use unravel_span::{Edit, FileId, Span};

use crate::calls::{self, Act, Call};
use crate::expr::{bare, contains, descendants, operator, tokens};
use crate::names;
use crate::objects::{self, Object};
use crate::place::{self, Changes, Place, remove, siblings};
use crate::source::{Refusal, Source, Sources, ancestors};
use mutex::Mutex;

/// The `if` around a wait becomes a loop. A loop around a timed wait that also ends with the time
/// does so no more.
///
/// # Errors
/// If no test of what is waited for stands around the wait in the same critical section.
pub fn loop_around(sources: &Sources<'_>, wait: Span) -> Result<Vec<Edit>, Refusal> {
    let place = place::find(sources, wait)?;
    let call = call_at(&place, &[Act::Wait])?;
    let source = &place.source;
    let around = ancestors(place.statement).skip(1);
    // One in whose `else` the wait stands tests something else.
    let is_test = |it: &Node<'_>| match it.kind() {
        "if_statement" => it
            .child_by_field_name("consequence")
            .is_some_and(|it| it.byte_range().contains(&place.offset)),
        kind => matches!(kind, "while_statement" | "for_statement" | "do_statement"),
    };
    let test = around.take_while(|it| it.kind() != "function_definition").find(is_test);
    let test = test.ok_or_else(|| place.refuse("nothing is tested around the wait"))?;
    let mutex = call.argument(source, 1);
    if calls::section_of(source, test, &mutex).is_none() {
        return Err(place.refuse("the test is outside the critical section of the wait"));
    }
    match test.kind() {
        "if_statement" => test_again(&place, test),
        "while_statement" => wait_on(&place, test),
        _ => Err(place.refuse("the wait is in a loop already")),
    }
}

/// `if` → `while`.
fn test_again(place: &Place<'_>, test: Node<'_>) -> Result<Vec<Edit>, Refusal> {
    if test.child_by_field_name("alternative").is_some() {
        return Err(place.refuse("the `if` around the wait has an `else`"));
    }
    let jumps = descendants(test);
    if jumps.into_iter().any(|it| matches!(it.kind(), "break_statement" | "continue_statement")) {
        return Err(place.refuse("the `if` around the wait leaves a loop"));
    }
    let word = test.child(0).map(|it| it.byte_range());
    let word = word.ok_or_else(|| place.refuse("the `if` is not seen"))?;
    Ok(vec![Edit::replace(place.source.file, word, "while")])
}

/// Drops from the loop's condition what tests the result of a timed wait.
fn wait_on(place: &Place<'_>, test: Node<'_>) -> Result<Vec<Edit>, Refusal> {
    let source = &place.source;
    let refuse = || place.refuse("the wait is in a loop already");
    let assigned = descendants(place.statement);
    let mut assigned = assigned.filter(|it| it.kind() == "assignment_expression");
    let result = assigned.find_map(|it| it.child_by_field_name("left")).ok_or_else(refuse)?;
    let result = tokens(source, result);
    let condition = test.child_by_field_name("condition").map(bare).ok_or_else(refuse)?;
    if operator(source, condition) != "&&" {
        return Err(refuse());
    }
    let sides = ["left", "right"].map(|side| condition.child_by_field_name(side));
    let [Some(left), Some(right)] = sides else { return Err(refuse()) };
    let timed = [left, right].map(|it| contains(source, it, &result));
    let kept = match timed {
        [false, true] => left,
        [true, false] => right,
        _ => return Err(refuse()),
    };
    let text = source.text_of(bare(kept));
    let mut edits = vec![Edit::replace(source.file, condition.byte_range(), text)];
    edits.extend(without_result(place, &result, condition));
    Ok(edits)
}

/// Nobody is left who looks at the result of the wait: it is not kept, nor its variable declared.
fn without_result(place: &Place<'_>, result: &[&str], condition: Node<'_>) -> Vec<Edit> {
    let source = &place.source;
    let is_it = |it: &Node<'_>| it.kind() == "identifier" && tokens(source, *it) == result;
    let uses = descendants(place.function).filter(is_it);
    let uses = uses.filter(|it| !condition.byte_range().contains(&it.start_byte()));
    let outside = |it: &Node<'_>| !place.statement.byte_range().contains(&it.start_byte());
    let (others, own): (Vec<_>, Vec<_>) = uses.partition(outside);
    let declaration = others.first().and_then(|it| source.statement_at(it.start_byte()));
    let declaration = declaration.filter(|it| {
        let mut cursor = it.walk();
        let count = it.children_by_field_name("declarator", &mut cursor).count();
        it.kind() == "declaration" && count == 1 && others.len() == 1
    });
    let assignment = own.first().and_then(|it| it.parent());
    let value = assignment.and_then(|it| it.child_by_field_name("right"));
    let (Some(declaration), Some(assignment), Some(value)) = (declaration, assignment, value)
    else {
        return Vec::new();
    };
    let kept = assignment.start_byte()..value.start_byte();
    vec![Edit::replace(source.file, kept, ""), remove(source, declaration)]
}

/// A new flag remembers the signal: it is set under the wait's mutex before each signal, and the
/// wait goes on until it is set.
///
/// The flag stays set, so it is for something that happens once: a wait in a loop, which may come
/// again, would never wait again, and spin with its mutex held.
///
/// # Errors
/// If a wait is in a loop already, if waits are for different condition variables, or if the mutex
/// cannot be named where a signal is.
pub fn flag(
    sources: &Sources<'_>,
    waits: &[Span],
    signals: &[Span],
    name: &str,
) -> Result<Vec<Edit>, Refusal> {
    let name = names::fresh(sources, name);
    let mut edits = Vec::new();
    let mut files = Vec::new();
    let mut mutex = None;
    for wait in waits {
        let place = place::find(sources, *wait)?;
        let call = call_at(&place, &[Act::Wait])?;
        edits.push(wait_until(&place, &name)?);
        files.push(place);
        let known = mutex.get_or_insert_with(|| Mutex { call: call.clone(), place });
        if condition(&known.call, &known.place.source) != condition(&call, &place.source) {
            return Err(place.refuse("the waits are for different condition variables"));
        }
        if known.words() != call.argument(&place.source, 1) {
            return Err(place.refuse("the waits have different mutexes"));
        }
    }
    let Some(mutex) = mutex else { return Ok(Vec::new()) };
    let mut changes = Changes::default();
    for signal in signals {
        let place = place::find(sources, *signal)?;
        let call = call_at(&place, &[Act::Signal, Act::Broadcast])?;
        if condition(&call, &place.source) != condition(&mutex.call, &mutex.place.source) {
            continue;
        }
        // One flag cannot remember the signals of several objects, whose mutexes it would take.
        if !mutex.is_alone(&place) && !mutex.is_held(sources, &place) {
            return Err(mutex.has_no_name(&place));
        }
        let set = format!("{name} = 1;");
        mutex.around(sources, &place, place.statement, &[set], &mut changes)?;
        files.push(place);
    }
    edits.extend(changes.edits());
    let files: Vec<FileId> = files.iter().map(|it| it.span.file).collect();
    edits.extend(objects::declare(sources, &files, &[Object::new("int", &name, None)]));
    Ok(edits)
}

/// The name of the condition variable of a call: that of the variable, or of the member.
fn condition<'s>(call: &Call<'s>, source: &Source<'s>) -> Option<&'s str> {
    call.argument(source, 0).last().copied()
}

/// `while (!name)` in front of a wait.
fn wait_until(place: &Place<'_>, name: &str) -> Result<Edit, Refusal> {
    let source = &place.source;
    let statement = place.statement;
    let is_loop =
        |it: Node<'_>| matches!(it.kind(), "while_statement" | "for_statement" | "do_statement");
    let looped = ancestors(statement).any(is_loop);
    if looped || calls::statement(source, statement, Act::Wait).is_none() {
        return Err(place.refuse("the wait is in a loop or a condition already"));
    }
    let margin = source.indentation(statement.start_byte());
    let text = source.text_of(statement);
    let text = format!("while (!{name})\n{margin}{}{text}", source.style().unit);
    Ok(Edit::replace(source.file, statement.byte_range(), text))
}

/// The change of what is waited for, and its signal, under the wait's mutex.
///
/// # Errors
/// If they are under it already, or it cannot be named there.
pub fn signal_under_lock(
    sources: &Sources<'_>,
    changes: &[Span],
    signals: &[Span],
    wait: Span,
) -> Result<Vec<Edit>, Refusal> {
    let place = place::find(sources, wait)?;
    let call = call_at(&place, &[Act::Wait])?;
    let mutex = Mutex { call, place };
    let mut loose = Vec::new();
    for span in changes.iter().chain(signals) {
        let other = place::find(sources, *span)?;
        if !mutex.is_held(sources, &other) {
            loose.push(other);
        }
    }
    if loose.is_empty() {
        return Err(place.refuse("change and signal are under the wait's mutex already"));
    }
    loose.sort_by_key(|it| (it.span.file, it.statement.start_byte()));
    loose.dedup_by_key(|it| it.statement);
    let mut changes = Changes::default();
    for run in runs(&loose) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        mutex.around(sources, first, last.statement, &[], &mut changes)?;
    }
    Ok(changes.edits())
}

/// The statements in front of a signal, in its block, that change what a wait tests.
#[must_use]
pub fn changes_before(sources: &Sources<'_>, wait: Span, signal: Span) -> Vec<Span> {
    let places = (place::find(sources, wait), place::find(sources, signal));
    let (Ok(wait), Ok(signal)) = places else { return Vec::new() };
    let conditions = ancestors(wait.statement).filter_map(|it| it.child_by_field_name("condition"));
    let tested: Vec<&str> = conditions.take(1).flat_map(|it| tokens(&wait.source, it)).collect();
    let Some((all, at)) = siblings(signal.statement) else { return Vec::new() };
    let before = all.into_iter().take(at);
    let changes = before.filter(|statement| {
        let target = statement.named_child(0).and_then(|it| match it.kind() {
            "assignment_expression" => it.child_by_field_name("left"),
            "update_expression" => it.child_by_field_name("argument"),
            _ => None,
        });
        let words = target.map(|it| tokens(&signal.source, it)).unwrap_or_default();
        words.last().is_some_and(|name| tested.contains(name))
    });
    changes.map(|it| place::span_of(&signal.source, it)).collect()
}

/// Groups statements of one block that can be one critical section: none between leaves or locks.
fn runs<'p, 's>(places: &'p [Place<'s>]) -> Vec<&'p [Place<'s>]> {
    places.chunk_by(|a, b| a.source.file == b.source.file && is_straight(a, b)).collect()
}

fn is_straight(first: &Place<'_>, last: &Place<'_>) -> bool {
    let Some((all, from)) = siblings(first.statement) else { return false };
    let Some(to) = all.iter().position(|it| *it == last.statement) else { return false };
    let Some(between) = all.get(from..=to) else { return false };
    between.iter().flat_map(|it| descendants(*it)).all(|it| {
        let kind = it.kind();
        let jumps = matches!(kind, "break_statement" | "continue_statement" | "goto_statement");
        let blocks = calls::of(&first.source, it)
            .is_some_and(|it| !matches!(it.act, Act::Signal | Act::Broadcast));
        !jumps && kind != "return_statement" && kind != "declaration" && !blocks
    })
}

/// Wakes all who wait.
///
/// # Errors
/// If no signal is there.
pub fn broadcast(sources: &Sources<'_>, signal: Span) -> Result<Vec<Edit>, Refusal> {
    let place = place::find(sources, signal)?;
    let call = call_at(&place, &[Act::Signal])?;
    let library = if call.is_c11() { "cnd_broadcast" } else { "pthread_cond_broadcast" };
    let name = call.beside(&place.source, library);
    let range = call.node.start_byte()..call.node.start_byte() + call.name.len();
    Ok(vec![Edit::replace(place.source.file, range, name)])
}

/// The call at a place: the one that its byte is in, or the only one of its statement.
fn call_at<'s>(place: &Place<'s>, acts: &[Act]) -> Result<Call<'s>, Refusal> {
    let source: &Source<'s> = &place.source;
    let all: Vec<Call<'s>> =
        acts.iter().flat_map(|act| calls::within(source, place.statement, *act)).collect();
    let here = all.iter().find(|it| it.node.byte_range().contains(&place.offset));
    let found = here.or_else(|| all.first().filter(|_| all.len() == 1)).cloned();
    found.ok_or_else(|| {
        let what = if acts.contains(&Act::Wait) { "wait on" } else { "signal of" };
        place.refuse(format!("no {what} a condition variable is seen here"))
    })
}
