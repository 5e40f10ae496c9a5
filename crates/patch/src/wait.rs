//! A wait for a flag, which is set and signalled elsewhere: one step comes before another.
//!
//! The flag is a counter if several threads run the first step; it has a mutex and a condition
//! variable of its own. The signal stands at the nearest point at or after the step that every path
//! from the start of its function passes, and in front of every way out before that point, so that
//! nobody waits for ever. How often the function is called is for the caller to know.

mod signal;

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::{Edit, FileId, Span};

use crate::calls;
use crate::names;
use crate::objects::{self, Object};
use crate::place::{self, Changes, Place};
use crate::source::{Refusal, Sources, ancestors};
use crate::style::Insertions;

/// One step before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Places of the step that comes first.
    pub first: Vec<Span>,
    /// Places of the step that waits for it.
    pub second: Vec<Span>,
    /// How many times the first step is done before the second may go on.
    pub arrivals: u32,
    /// A name for the flag.
    pub name: String,
}

/// The new objects.
pub(crate) struct Flag {
    name: String,
    lock: String,
    cond: String,
    arrivals: u32,
}

impl Flag {
    fn new(sources: &Sources<'_>, order: &Order) -> Flag {
        let name = names::fresh(sources, &order.name);
        Flag {
            lock: names::fresh(sources, &format!("{name}_lock")),
            cond: names::fresh(sources, &format!("{name}_cond")),
            arrivals: order.arrivals,
            name,
        }
    }

    fn objects(&self) -> [Object; 3] {
        let (mutex, cond) = ("PTHREAD_MUTEX_INITIALIZER", "PTHREAD_COND_INITIALIZER");
        [
            Object::new("pthread_mutex_t", &self.lock, Some(mutex)),
            Object::new("pthread_cond_t", &self.cond, Some(cond)),
            Object::new("int", &self.name, None),
        ]
    }

    /// What the first step's thread does.
    pub(crate) fn signal(&self) -> Vec<String> {
        let Flag { name, lock, cond, .. } = self;
        let set = if self.arrivals > 1 { format!("{name}++;") } else { format!("{name} = 1;") };
        // One place may be where several threads wait.
        vec![
            format!("pthread_mutex_lock(&{lock});"),
            set,
            format!("pthread_cond_broadcast(&{cond});"),
            format!("pthread_mutex_unlock(&{lock});"),
        ]
    }

    /// What the second step's thread does.
    fn wait(&self) -> Vec<String> {
        let Flag { name, lock, cond, arrivals, .. } = self;
        let missing =
            if *arrivals > 1 { format!("{name} < {arrivals}") } else { format!("!{name}") };
        vec![
            format!("pthread_mutex_lock(&{lock});"),
            format!("while ({missing})"),
            format!("\tpthread_cond_wait(&{cond}, &{lock});"),
            format!("pthread_mutex_unlock(&{lock});"),
        ]
    }

    /// The same for a step that is made again: the flag is taken back.
    fn wait_again(&self) -> Vec<String> {
        let mut lines = self.wait();
        lines.insert(lines.len() - 1, format!("{} = 0;", self.name));
        lines
    }
}

/// The edits after which `second` waits for `first`.
///
/// # Errors
/// If a place is in no function that can be changed, or the signal has no place.
pub fn wait_for(sources: &Sources<'_>, order: &Order) -> Result<Vec<Edit>, Refusal> {
    ordered(sources, order, |insertions, place, flag| {
        insertions.before(waiting_point(place), flag.wait());
    })
}

/// The edits after which whoever has made the step `second` waits behind it until `first` is done,
/// and so again each time: a loop that creates threads goes on when the new one has come so far.
///
/// # Errors
/// As [`wait_for`].
pub fn wait_behind(sources: &Sources<'_>, order: &Order) -> Result<Vec<Edit>, Refusal> {
    ordered(sources, order, |insertions, place, flag| {
        insertions.after(place.statement, flag.wait_again());
    })
}

/// The signal after the first step, and a wait at the second.
fn ordered<'s>(
    sources: &'s Sources<'_>,
    order: &Order,
    wait: impl Fn(&mut Insertions<'s>, &Place<'s>, &Flag),
) -> Result<Vec<Edit>, Refusal> {
    let find = |spans: &[Span]| -> Result<Vec<Place<'_>>, Refusal> {
        spans.iter().map(|span| place::find(sources, *span)).collect()
    };
    let (first, second) = (find(&order.first)?, find(&order.second)?);
    let flag = Flag::new(sources, order);
    let mut edits = Vec::new();
    let mut changes = Changes::default();
    for places in by_function(&first) {
        edits.extend(signal::after(sources, &places, &flag, &mut changes)?);
    }
    let mut waiting = BTreeSet::new();
    for place in &second {
        if waiting.insert((place.span.file, waiting_point(place).start_byte())) {
            wait(changes.of(place.source), place, &flag);
        }
    }
    edits.extend(changes.edits());
    let files: Vec<FileId> = order.first.iter().chain(&order.second).map(|it| it.file).collect();
    edits.extend(objects::declare(sources, &files, &flag.objects()));
    Ok(edits)
}

/// Where the wait goes: before the statement, outside critical sections around it, and before the
/// whole chain of an `else if`.
fn waiting_point<'s>(place: &Place<'s>) -> Node<'s> {
    let outer = chain_start(place.statement);
    chain_start(calls::before_sections(&place.source, outer))
}

/// The first `if` of a chain of `else if`, whose conditions are evaluated one after the other.
fn chain_start(statement: Node<'_>) -> Node<'_> {
    let mut statement = statement;
    while statement.kind() == "if_statement" {
        let clause = statement.parent().filter(|it| it.kind() == "else_clause");
        let Some(whole) = clause.and_then(|it| it.parent()) else { break };
        statement = whole;
    }
    statement
}

/// The places, grouped by function.
fn by_function<'s>(places: &[Place<'s>]) -> Vec<Vec<Place<'s>>> {
    let mut groups: Vec<Vec<Place<'s>>> = Vec::new();
    for place in places {
        let same = |group: &&mut Vec<Place<'s>>| {
            group.first().is_some_and(|it| {
                it.source.file == place.source.file && it.function == place.function
            })
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(*place),
            None => groups.push(vec![*place]),
        }
    }
    groups
}

/// The statement around a node that stands beside no branch and in no loop: every path from the
/// start of the function that does not leave before passes its end.
pub(crate) fn passed_by_all(statement: Node<'_>) -> Node<'_> {
    const DIVIDES: [&str; 6] = [
        "if_statement",
        "switch_statement",
        "while_statement",
        "for_statement",
        "do_statement",
        "case_statement",
    ];
    let around = ancestors(statement).take_while(|it| it.kind() != "function_definition");
    around.filter(|it| DIVIDES.contains(&it.kind())).last().unwrap_or(statement)
}
