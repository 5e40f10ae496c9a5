//! Locks taken in another order.
//!
//! Of two locks that are taken one inside the other, the inner one is taken first. The unlocks stay
//! where they are: their order matters to nobody. Whoever leaves between the two places gives back
//! the inner lock, too, which was not held there before.
//!
//! Where an index or an argument decides which locks these are, as with the forks of philosophers
//! or the accounts of a transfer, no order of the text is right for all threads; the one with the
//! lower address is taken first.

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use crate::calls::{self, Act, Call};
use crate::exits;
use crate::expr::{bare, changed_names, is_pure, names, operator, parts, tokens};
use crate::place::{self, Place, moved_text, remove, siblings};
use crate::source::{Refusal, Source, Sources, ancestors, call_statement};
use crate::spelling;
use crate::style::{self, Insertions, Style, insert_before};

/// Two locks of one function, one taken while the other is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Nested {
    /// The call that takes the first.
    pub outer: Span,
    /// The call that takes the second.
    pub inner: Span,
}

/// Two nested locks, in the text.
struct Found<'s> {
    outer: Place<'s>,
    outer_taken: Taken<'s>,
    /// How the inner lock is taken.
    taken: Taken<'s>,
    way: Between<'s>,
}

/// A statement that takes a lock.
struct Taken<'s> {
    /// The call of the thread library, if it is in the open.
    call: Option<Call<'s>>,
    /// The address of the lock, if it can be written.
    address: Option<String>,
    /// The statement that gives it back.
    give: String,
}

/// Finds two locks the inner of which may be taken where the outer is.
fn find<'s>(sources: &'s Sources<'_>, nested: &Nested) -> Result<Found<'s>, Refusal> {
    let (outer, inner) = (place::find(sources, nested.outer)?, place::find(sources, nested.inner)?);
    if outer.source.file != inner.source.file || outer.function != inner.function {
        return Err(inner.refuse("the two locks are taken in different functions"));
    }
    let (outer_taken, taken) = (lock_at(sources, &outer)?, lock_at(sources, &inner)?);
    let way = Between::of(&outer, &inner)?;
    way.keeps(&outer_taken)?;
    Ok(Found { outer, outer_taken, taken, way })
}

/// Takes the inner lock directly before the outer.
///
/// # Errors
/// If the two are not in one function, a loop is between them, or the inner lock is not yet known
/// where the outer is taken.
pub fn reorder(sources: &Sources<'_>, nested: &Nested) -> Result<Vec<Edit>, Refusal> {
    let Found { outer, taken, way, .. } = find(sources, nested)?;
    let (source, unlock) = (&outer.source, taken.give);
    let mut insertions = Insertions::new(*source);
    insertions.before(outer.statement, way.moved_lock());
    for exit in way.exits(sources)? {
        insertions.before(exit, [unlock.clone()]);
    }
    let mut edits = way.without_lock(&unlock, &mut insertions)?;
    edits.extend(insertions.edits());
    Ok(edits)
}

/// Takes two locks in the order of their addresses: the inner one before the outer if it lies below
/// it, where it was otherwise. C orders the addresses of one array only (C11 6.5.8p5); those of
/// other locks are compared as numbers.
///
/// # Errors
/// As [`reorder`]; and if finding a lock has effects, or one of them is taken only on some ways.
pub fn by_address(sources: &Sources<'_>, nested: &Nested) -> Result<Vec<Edit>, Refusal> {
    let Found { outer, outer_taken, taken, way } = find(sources, nested)?;
    let (source, inner) = (&outer.source, &way.inner);
    if ![&outer, inner].into_iter().all(|it| has_pure_arguments(source, it.statement)) {
        return Err(inner.refuse("which locks are taken is decided where they are"));
    }
    if way.branch.is_some() || !way.exits(sources)?.is_empty() {
        return Err(inner.refuse("the inner lock is not taken on all ways from the outer"));
    }
    let are_elements = are_elements(source, &outer_taken, &taken);
    let address = |taken: &Taken<'_>| {
        let text = taken.address.clone()?;
        Some(if are_elements { text } else { as_number(&text) })
    };
    let (Some(first), Some(second)) = (address(&outer_taken), address(&taken)) else {
        return Err(inner.refuse("the addresses of the locks cannot be written here"));
    };
    let lock = source.text_of(inner.statement);
    let margin = source.indentation(inner.statement.start_byte());
    let Style { unit, newline, .. } = source.style();
    let below = [format!("if ({second} < {first})"), format!("\t{lock}")];
    let mut edits = insert_before(source, outer.statement, &below);
    let above = format!("if ({second} >= {first}){newline}{margin}{unit}{lock}");
    edits.push(Edit::replace(source.file, inner.statement.byte_range(), above));
    if !are_elements {
        edits.extend(style::include(sources, source.file, "<stdint.h>"));
    }
    Ok(edits)
}

/// Whether what a statement calls is called with arguments that change nothing.
fn has_pure_arguments<'s>(source: &Source<'s>, statement: Node<'s>) -> bool {
    let call = call_statement(source, statement);
    call.is_some_and(|(_, arguments)| parts(arguments).into_iter().all(is_pure))
}

/// Whether two calls lock elements of one array, given by expressions without effects.
fn are_elements(source: &Source<'_>, one: &Taken<'_>, other: &Taken<'_>) -> bool {
    let array = |taken: &Taken<'_>| {
        let argument = bare(*taken.call.as_ref()?.arguments.first()?);
        let element = match argument.kind() {
            "pointer_expression" if operator(source, argument) == "&" => {
                bare(argument.child_by_field_name("argument")?)
            }
            _ => return None,
        };
        let array = element.child_by_field_name("argument")?;
        (element.kind() == "subscript_expression" && is_pure(element))
            .then(|| tokens(source, array).join(" "))
    };
    array(one).is_some_and(|it| array(other) == Some(it))
}

/// An address as a number, which C orders wherever it lies.
fn as_number(address: &str) -> String {
    let path = address.strip_prefix('&').unwrap_or(address);
    let is_unary = path.chars().all(|c| c.is_ascii_alphanumeric() || "_.->[]".contains(c));
    if is_unary { format!("(uintptr_t){address}") } else { format!("(uintptr_t)({address})") }
}

/// What the statement at a place takes, if it does nothing else.
fn lock_at<'s>(sources: &'s Sources<'_>, place: &Place<'s>) -> Result<Taken<'s>, Refusal> {
    let source = &place.source;
    if let Some(call) = calls::statement(source, place.statement, Act::Lock) {
        let address = call.arguments.first().map(|it| source.text_of(*it).to_owned());
        let give =
            format!("{}({});", call.unlock_name(source), address.as_deref().unwrap_or_default());
        return Ok(Taken { call: Some(call), address, give });
    }
    let spelled = spelling::taken(sources, source, place.statement, place.function);
    let (spelling, address) =
        spelled.ok_or_else(|| place.refuse("no statement that takes a lock is here"))?;
    Ok(Taken { call: None, address, give: spelling.give })
}

/// What lies between the two locks.
struct Between<'s> {
    inner: Place<'s>,
    /// The branch that the inner lock is in, beside the outer lock's statement.
    branch: Option<Node<'s>>,
    /// The statements between, in the block of the outer lock.
    between: Vec<Node<'s>>,
}

impl<'s> Between<'s> {
    fn of(outer: &Place<'s>, inner: &Place<'s>) -> Result<Between<'s>, Refusal> {
        let refuse = || inner.refuse("the inner lock does not follow the outer in its block");
        let (all, at) = siblings(outer.statement).ok_or_else(refuse)?;
        let holds = |it: &Node<'s>| it.byte_range().contains(&inner.offset);
        let to = all.iter().position(holds).filter(|to| *to > at).ok_or_else(refuse)?;
        let top = all[to];
        let branch = Some(top).filter(|it| *it != inner.statement);
        if branch.is_some_and(|it| !is_arm(it, inner.statement)) {
            return Err(inner.refuse("the inner lock is deep in branches or a loop"));
        }
        let between = all[at + 1..to].to_vec();
        Ok(Between { inner: *inner, branch, between })
    }

    /// Whether the lock can be taken earlier: the same object is meant there, and the outer lock is
    /// held all the way.
    fn keeps(&self, outer: &Taken<'s>) -> Result<(), Refusal> {
        let source = &self.inner.source;
        let used = names(source, self.inner.statement);
        let given: String = outer.give.split_whitespace().collect();
        let passed = self.between.iter().copied().chain(self.branch);
        for statement in passed {
            let changed = changed_names(source, statement);
            if self.between.contains(&statement) && used.iter().any(|it| changed.contains(it)) {
                return Err(self.inner.refuse("what is locked is decided after the outer lock"));
            }
            let text = source.text_of(statement).split_whitespace();
            if text.collect::<String>() == given {
                return Err(self.inner.refuse("the outer lock is given back before the inner"));
            }
        }
        Ok(())
    }

    /// The statements between the two locks that leave the way from one to the other.
    fn exits(&self, sources: &Sources<'_>) -> Result<Vec<Node<'s>>, Refusal> {
        let (arm, at) = siblings(self.inner.statement).unwrap_or_default();
        let before = if self.branch.is_some() { arm.get(..at).unwrap_or_default() } else { &[] };
        let mut found = Vec::new();
        for run in [self.between.as_slice(), before] {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let exits = exits::exits(sources, &self.inner.source, *first, *last)?;
            found.extend(exits.into_iter().map(|it| it.statement));
        }
        Ok(found)
    }

    /// The lines of the inner lock; a comment behind it goes along if its line goes.
    fn moved_lock(&self) -> Vec<String> {
        let source = &self.inner.source;
        let stays = self.branch.is_some_and(|it| {
            let body = it.child_by_field_name("consequence");
            body.is_some_and(|it| is_only(it, self.inner.statement))
        });
        match stays {
            true => vec![source.text_of(self.inner.statement).to_owned()],
            false => moved_text(source, self.inner.statement),
        }
    }

    /// Removes the inner lock from its old place; the arms of its branch that did not take it give
    /// it back.
    fn without_lock(
        &self,
        unlock: &str,
        insertions: &mut Insertions<'s>,
    ) -> Result<Vec<Edit>, Refusal> {
        let source = &self.inner.source;
        let Some(branch) = self.branch else {
            return Ok(vec![remove(source, self.inner.statement)]);
        };
        let refuse = || self.inner.refuse("the branch around the inner lock is not understood");
        let condition = branch.child_by_field_name("condition").ok_or_else(refuse)?;
        let consequence = branch.child_by_field_name("consequence").ok_or_else(refuse)?;
        let alternative = branch.child_by_field_name("alternative");
        let in_consequence = consequence.byte_range().contains(&self.inner.offset);
        match alternative.and_then(|it| parts(it).first().copied()) {
            None if is_only(consequence, self.inner.statement) => {
                let not = format!("(!({}))", source.text_of(bare(condition)));
                Ok(vec![
                    Edit::replace(source.file, condition.byte_range(), not),
                    Edit::replace(source.file, self.inner.statement.byte_range(), unlock),
                ])
            }
            None => {
                let margin = source.indentation(branch.start_byte());
                let unit = &source.style().unit;
                let text = format!(" else {{\n{margin}{unit}{unlock}\n{margin}}}");
                Ok(vec![
                    remove(source, self.inner.statement),
                    Edit::insert(source.file, branch.end_byte(), text),
                ])
            }
            Some(other) => {
                let (own, other) =
                    if in_consequence { (consequence, other) } else { (other, consequence) };
                if own.kind() != "compound_statement" {
                    return Err(refuse());
                }
                let first = match other.kind() {
                    "compound_statement" => parts(other).first().copied().ok_or_else(refuse)?,
                    _ => other,
                };
                insertions.before(first, [unlock.to_owned()]);
                Ok(vec![remove(source, self.inner.statement)])
            }
        }
    }
}

/// Whether a statement is an arm of an `if`, or stands directly in the block of one.
fn is_arm(branch: Node<'_>, statement: Node<'_>) -> bool {
    if branch.kind() != "if_statement" {
        return false;
    }
    let mut around = ancestors(statement).skip(1);
    let block = around.find(|it| it.kind() != "compound_statement" && it.kind() != "else_clause");
    let blocks = ancestors(statement).skip(1).take_while(|it| Some(*it) != block);
    block == Some(branch) && blocks.filter(|it| it.kind() == "compound_statement").count() <= 1
}

fn is_only(body: Node<'_>, statement: Node<'_>) -> bool {
    body == statement || body.kind() == "compound_statement" && parts(body) == [statement]
}
