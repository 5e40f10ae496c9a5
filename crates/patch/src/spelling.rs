//! Locks that the text takes in words of its own: `queue_lock(q);`, `LOCK();`, a loop around a
//! test-and-set, the atomic blocks of verification tasks.
//!
//! Real programs seldom call the thread library in the open. A critical section of such a program
//! can be widened, or its lock taken elsewhere, by the same two statements that the program uses
//! itself. They are found in the text alone: two statements of one function that take and give back
//! the same thing. Whether that is a lock, the check of the patch tells.

use tree_sitter::Node;
use unravel_span::Span;

use crate::calls::{self, Act};
use crate::expr::{bare, call, descendants, parts};
use crate::functions::{Function, all_defined, at_caller, defined};
use crate::place;
use crate::source::{Source, Sources, call_statement};

/// The two statements by which a lock is taken and given back.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spelling {
    /// Takes it. May have several lines.
    pub take: String,
    /// Gives it back.
    pub give: String,
}

/// Functions that set a flag and say what it was: a loop around one takes a lock.
const TEST_AND_SET: [&str; 7] = [
    "atomic_flag_test_and_set",
    "atomic_flag_test_and_set_explicit",
    "atomic_exchange",
    "atomic_exchange_explicit",
    "__atomic_test_and_set",
    "__atomic_exchange_n",
    "__sync_lock_test_and_set",
];

/// Functions that clear it; those that store have a second argument, 0.
const CLEAR: [&str; 7] = [
    "atomic_flag_clear",
    "atomic_flag_clear_explicit",
    "atomic_store",
    "atomic_store_explicit",
    "__atomic_clear",
    "__atomic_store_n",
    "__sync_lock_release",
];

/// The block between these is one step.
const ATOMIC: [&str; 2] = ["__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"];

/// Atomic blocks.
#[must_use]
pub fn atomic_blocks() -> Spelling {
    let [take, give] = ATOMIC.map(|it| format!("{it}();"));
    Spelling { take, give }
}

/// What a statement does to which lock.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Deed {
    takes: bool,
    /// The lock, as the function around the statement calls it.
    lock: String,
    /// Whether that is its address.
    is_address: bool,
    /// Whether the thread library is called in the open.
    is_plain: bool,
}

impl Spelling {
    /// The same one call further out.
    #[must_use]
    pub fn at_caller(&self, sources: &Sources<'_>, at: Span) -> Option<Spelling> {
        let outer = |text: &str| at_caller(sources, text, at);
        Some(Spelling { take: outer(&self.take)?, give: outer(&self.give)? })
    }

    /// The same in a function that is called with these arguments, as the caller writes it.
    #[must_use]
    pub fn at_call(&self, function: &Function<'_>, arguments: &[&str]) -> Option<Spelling> {
        let outer = |text: &str| function.at_call(arguments, text);
        Some(Spelling { take: outer(&self.take)?, give: outer(&self.give)? })
    }
}

/// The locks that the function around a place takes in words of its own, in the order of the text.
#[must_use]
pub fn spellings(sources: &Sources<'_>, at: Span) -> Vec<Spelling> {
    place::find(sources, at).map_or(Vec::new(), |it| within(sources, &it.source, it.function))
}

/// The same of a node.
#[must_use]
pub fn within<'a>(sources: &'a Sources<'_>, source: &Source<'a>, node: Node<'a>) -> Vec<Spelling> {
    let statements = descendants(node).filter_map(|it| Some((it, deed(sources, source, it)?)));
    let statements: Vec<(Node<'a>, Deed)> = statements.collect();
    let mut found: Vec<Spelling> = Vec::new();
    for (taking, take) in statements.iter().filter(|(_, it)| it.takes) {
        let mut later = statements.iter().filter(|(node, _)| node.start_byte() > taking.end_byte());
        let given = later.find(|(_, it)| !it.takes && it.lock == take.lock);
        let given = given.filter(|(_, give)| !(take.is_plain && give.is_plain));
        let Some((giving, _)) = given else { continue };
        let spelling = Spelling { take: text(source, *taking), give: text(source, *giving) };
        if !found.contains(&spelling) {
            found.push(spelling);
        }
    }
    found
}

/// How the lock is spelled that a statement takes, and its address if that can be written.
#[must_use]
pub fn taken<'a>(
    sources: &'a Sources<'_>,
    source: &Source<'a>,
    statement: Node<'a>,
    function: Node<'a>,
) -> Option<(Spelling, Option<String>)> {
    let deed = deed(sources, source, statement).filter(|it| it.takes)?;
    let take = text(source, statement);
    let spelling = within(sources, source, function).into_iter().find(|it| it.take == take)?;
    Some((spelling, Some(deed.lock).filter(|_| deed.is_address)))
}

/// A statement, without the indentation of its first line.
fn text(source: &Source<'_>, statement: Node<'_>) -> String {
    let margin = source.indentation(statement.start_byte());
    let lines = source.text_of(statement).lines();
    let lines: Vec<&str> = lines.map(|it| it.strip_prefix(margin).unwrap_or(it)).collect();
    lines.join("\n")
}

/// What a statement does, if that is to take a lock or to give it back.
fn deed<'a>(sources: &'a Sources<'_>, source: &Source<'a>, statement: Node<'a>) -> Option<Deed> {
    if let Some(lock) = spins_on(source, statement) {
        return Some(Deed { takes: true, lock, is_address: true, is_plain: false });
    }
    if statement.kind() != "expression_statement" {
        return None;
    }
    if let Some(deed) = by_macro(sources, source, statement) {
        return Some(deed);
    }
    let (name, list) = call_statement(source, statement)?;
    let arguments = parts(list);
    if ATOMIC.contains(&name) {
        let (takes, lock) = (name == ATOMIC[0], ATOMIC[0].to_owned());
        return Some(Deed { takes, lock, is_address: false, is_plain: false });
    }
    if let Some((takes, lock)) = primitive(source, statement) {
        return Some(Deed { takes, lock, is_address: true, is_plain: true });
    }
    let function = defined(sources, name)?;
    let (takes, inner) = lasting(&function)?;
    let arguments: Vec<&str> = arguments.iter().map(|it| source.text_of(*it)).collect();
    let lock = function.at_call(&arguments, &inner)?;
    Some(Deed { takes, lock: dense(&lock), is_address: true, is_plain: false })
}

/// The flag that a loop turns around: `while (test_and_set(&flag)) ;`.
fn spins_on<'a>(source: &Source<'a>, statement: Node<'a>) -> Option<String> {
    let condition = statement
        .child_by_field_name("condition")
        .filter(|_| statement.kind() == "while_statement")?;
    let (name, arguments) = call(source, bare(condition))?;
    let body = statement.child_by_field_name("body")?;
    let is_idle = |it: Node<'a>| match call_statement(source, it) {
        Some((name, _)) => matches!(name, "sched_yield" | "thrd_yield" | "usleep" | "nanosleep"),
        None => source.text_of(it) == ";",
    };
    let waits = if body.kind() == "compound_statement" {
        parts(body).into_iter().all(is_idle)
    } else {
        is_idle(body)
    };
    let flag = arguments.first().filter(|_| waits && TEST_AND_SET.contains(&name))?;
    Some(dense(source.text_of(*flag)))
}

/// Whether a statement takes or gives back a lock by itself, and which.
fn primitive<'a>(source: &Source<'a>, statement: Node<'a>) -> Option<(bool, String)> {
    let (name, list) = call_statement(source, statement)?;
    let arguments = parts(list);
    let object = dense(source.text_of(*arguments.first()?));
    let clears = CLEAR.contains(&name)
        && (!name.contains("store")
            || arguments.get(1).is_some_and(|it| source.text_of(*it) == "0"));
    let act = calls::act(name);
    match act {
        Some(Act::Lock) => Some((true, object)),
        Some(Act::Unlock) => Some((false, object)),
        _ => clears.then_some((false, object)),
    }
}

/// Whether some function gives back a lock that it has not taken.
#[must_use]
pub fn has_givers(sources: &Sources<'_>) -> bool {
    all_defined(sources).iter().any(|it| matches!(lasting(it), Some((false, _))))
}

/// A lock that a function takes and keeps, or gives back without having taken it, in its own words.
fn lasting(function: &Function<'_>) -> Option<(bool, String)> {
    let source = &function.source;
    let (mut taken, mut given): (Vec<String>, Vec<String>) = Default::default();
    for node in descendants(function.node) {
        taken.extend(spins_on(source, node));
        let statement = node.kind() == "expression_statement";
        match primitive(source, node).filter(|_| statement).or_else(|| in_expression(source, node))
        {
            Some((true, lock)) => taken.push(lock),
            Some((false, lock)) => given.push(lock),
            None => {}
        }
    }
    let stays = taken.iter().find(|it| !given.contains(it)).map(|it| (true, it.clone()));
    let goes = given.iter().find(|it| !taken.contains(it)).map(|it| (false, it.clone()));
    match (stays, goes) {
        (Some(one), None) | (None, Some(one)) => Some(one),
        _ => None,
    }
}

/// A lock that is taken or given back where the result is looked at: `if (pthread_mutex_lock(&m))`.
fn in_expression<'a>(source: &Source<'a>, node: Node<'a>) -> Option<(bool, String)> {
    let found = calls::of(source, node)?;
    let is_statement = node.parent().is_some_and(|it| it.kind() == "expression_statement");
    let takes = match found.act {
        Act::Lock => true,
        Act::Unlock => false,
        _ => return None,
    };
    let object = found.arguments.first().filter(|_| !is_statement)?;
    Some((takes, dense(source.text_of(*object))))
}

/// A statement that consists of a macro that locks or unlocks.
fn by_macro(sources: &Sources<'_>, source: &Source<'_>, statement: Node<'_>) -> Option<Deed> {
    let text = source.text_of(statement).trim_end_matches(';').trim_end();
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    let (name, arguments) = text.split_at(end);
    let definitions = sources.macros(name);
    let [definition] = definitions.as_slice() else { return None };
    let words: Vec<&str> = crate::names::words(definition).collect();
    let mut acts = words.iter().filter_map(|it| Some((*it, calls::act(it)?)));
    let (function, act) = acts.next().filter(|_| acts.next().is_none())?;
    let takes = match act {
        Act::Lock => true,
        Act::Unlock => false,
        _ => return None,
    };
    let lock = format!("{}{arguments}", definition.replacen(function, "", 1));
    Some(Deed { takes, lock: dense(&lock), is_address: false, is_plain: false })
}

/// A text without whitespace, and without the semicolon that some macros end in.
fn dense(text: &str) -> String {
    text.split_whitespace().collect::<String>().trim_end_matches(';').to_owned()
}
