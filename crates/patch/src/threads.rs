//! A join, or a creation, at another place.

mod creation;
mod elsewhere;
mod motion;

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use crate::calls::{self, Act, Call};
use crate::expr::{bare, changed_names, descendants, names, operator, parts};
use crate::place::{self, Place, moved_text, remove};
use crate::source::{Refusal, Source, Sources, ancestors};
use crate::style;
pub use creation::create_after;
pub use elsewhere::{join_instead, places_between};
pub use motion::move_before;
use motion::{beside_around, statements_between};

/// The thread created at `create` is joined before the statement at `before`: by moving the join
/// there is, else by a new one.
///
/// # Errors
/// If the places are not in one function, the thread is detached by itself or joined already, its
/// handle is not known there, or several threads are joined at `join` for other reasons.
pub fn join_before(
    sources: &Sources<'_>,
    create: Span,
    join: Option<Span>,
    before: Span,
) -> Result<Vec<Edit>, Refusal> {
    let (created, before) = (place::find(sources, create)?, place::find(sources, before)?);
    one_function(&created, &before)?;
    let call = call_at(&created, Act::Create)?;
    stays_joinable(sources, &created, &call)?;
    let source = &created.source;
    let point = Point::of(&created, &before)?;
    let joined = match join {
        Some(span) => Some(place::find(sources, span)?),
        None => same_join(&created, &call),
    };
    let mut edits = match joined {
        Some(join) => moved_join(&created, &call, &join, &point)?,
        None => {
            let handle = handle_at(&created, &call, &point)?;
            let function = call.join_name(source);
            point.insert(source, &[format!("{function}({handle}, NULL);")])
        }
    };
    edits.extend(detachments(&created, &call));
    Ok(edits)
}

fn one_function(a: &Place<'_>, b: &Place<'_>) -> Result<(), Refusal> {
    if a.source.file == b.source.file && a.function == b.function {
        return Ok(());
    }
    Err(b.refuse("the two places are in different functions"))
}

/// The call at a place.
fn call_at<'s>(place: &Place<'s>, act: Act) -> Result<Call<'s>, Refusal> {
    let all = calls::within(&place.source, place.statement, act);
    let here = all.iter().find(|it| it.node.byte_range().contains(&place.offset)).cloned();
    let found = here.or_else(|| all.first().filter(|_| all.len() == 1).cloned());
    let what = if act == Act::Create { "creation" } else { "join" };
    found.ok_or_else(|| place.refuse(format!("no {what} of a thread is seen here")))
}

/// Where the join goes.
enum Point<'s> {
    Before(Node<'s>),
    After(Node<'s>),
}

impl<'s> Point<'s> {
    /// Before the statement, in the block of the creation or around it, outside critical sections
    /// that began after the creation. If the place comes only in the next turn of the loop that
    /// creates the thread, the join follows the creation.
    fn of(created: &Place<'s>, before: &Place<'s>) -> Result<Point<'s>, Refusal> {
        let source = &created.source;
        let of_loop = before.statement.child_by_field_name("update").filter(|it| {
            it.byte_range().contains(&before.offset)
                && before.statement.byte_range().contains(&created.offset)
        });
        if of_loop.is_some() {
            return Ok(Point::After(created.statement));
        }
        let anchor = beside_around(created.statement, before.statement)
            .ok_or_else(|| before.refuse("the thread is not created before this"))?;
        if anchor.start_byte() < created.statement.end_byte() {
            return match in_one_loop(anchor, created.statement) {
                true => Ok(Point::After(created.statement)),
                false => Err(before.refuse("the thread is created after this")),
            };
        }
        let outer = calls::sections(source, anchor).into_iter().map(|it| it.lock);
        let outer = outer.filter(|it| it.start_byte() >= created.statement.end_byte());
        Ok(Point::Before(outer.min_by_key(Node::start_byte).unwrap_or(anchor)))
    }

    fn node(&self) -> Node<'s> {
        match self {
            Point::Before(node) | Point::After(node) => *node,
        }
    }

    fn insert(&self, source: &Source<'s>, lines: &[String]) -> Vec<Edit> {
        match self {
            Point::Before(node) => style::insert_before(source, *node, lines),
            Point::After(node) => style::insert_after(source, *node, lines),
        }
    }
}

/// Whether one comes after the other again, in the next turn of a loop around both.
fn in_one_loop(one: Node<'_>, other: Node<'_>) -> bool {
    let is_loop =
        |it: &Node<'_>| matches!(it.kind(), "for_statement" | "while_statement" | "do_statement");
    ancestors(one).skip(1).filter(is_loop).any(|it| it.byte_range().contains(&other.start_byte()))
}

/// A join in the same function that names the thread as its creation does.
fn same_join<'s>(created: &Place<'s>, call: &Call<'s>) -> Option<Place<'s>> {
    let source = &created.source;
    let handle = handle(source, call)?.0;
    let all = calls::within(source, created.function, Act::Join);
    let same = |it: &Call<'s>| it.argument(source, 0) == words(&handle);
    let found = all.into_iter().find(|it| same(it))?;
    let offset = found.node.start_byte();
    Some(Place { offset, statement: source.statement_at(offset)?, ..*created })
}

/// Moves a join to a point, with the loop around it if that does nothing else.
fn moved_join<'s>(
    created: &Place<'s>,
    call: &Call<'s>,
    join: &Place<'s>,
    point: &Point<'s>,
) -> Result<Vec<Edit>, Refusal> {
    one_function(created, join)?;
    call_at(join, Act::Join)?;
    let source = &created.source;
    let looped = ancestors(join.statement)
        .skip(1)
        .find(|it| matches!(it.kind(), "for_statement" | "while_statement" | "do_statement"));
    let looped = looped.filter(|it| !it.byte_range().contains(&created.offset));
    let whole = looped.unwrap_or(join.statement);
    if looped.is_some() && !only_joins(whole, join.statement) {
        return Err(join.refuse("the loop around the join does other things"));
    }
    if let Point::After(_) = point {
        let handle = handle_at(created, call, point)?;
        let function = call.join_name(source);
        let mut edits = point.insert(source, &[format!("{function}({handle}, NULL);")]);
        edits.push(remove(source, whole));
        return Ok(edits);
    }
    if whole.start_byte() < point.node().start_byte() {
        return Err(join.refuse("the thread is joined before already"));
    }
    unchanged(join, point.node(), whole)?;
    let mut edits = point.insert(source, &moved_text(source, whole));
    edits.push(remove(source, whole));
    Ok(edits)
}

/// Whether nothing that a statement uses changes on the way to it.
fn unchanged(place: &Place<'_>, from: Node<'_>, statement: Node<'_>) -> Result<(), Refusal> {
    let source = &place.source;
    let own = changed_names(source, statement);
    let used: Vec<&str> =
        names(source, statement).into_iter().filter(|it| !own.contains(it)).collect();
    let between = statements_between(from, statement)
        .ok_or_else(|| place.refuse("the join is in a branch of its own"))?;
    let changed = between.iter().flat_map(|it| changed_names(source, *it));
    match changed.into_iter().find(|it| used.contains(it)) {
        Some(name) => Err(place.refuse(format!("`{name}` changes before the join"))),
        None => Ok(()),
    }
}

fn only_joins(whole: Node<'_>, join: Node<'_>) -> bool {
    let body = whole.child_by_field_name("body");
    body.is_some_and(|it| it == join || it.kind() == "compound_statement" && parts(it) == [join])
}

fn words(text: &str) -> Vec<&str> {
    // Handles are compared by their words as well; a handle is one lvalue without spaces that matter.
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if rest.starts_with("->") {
            2
        } else {
            first.len_utf8()
        };
        let (word, tail) = rest.split_at(length);
        found.push(word);
        rest = tail.trim_start();
    }
    found
}

/// The thread's handle, from where the creation stores it, and the names that it uses.
fn handle<'s>(source: &Source<'s>, call: &Call<'s>) -> Option<(String, Vec<&'s str>)> {
    let argument = bare(*call.arguments.first()?);
    let used = names(source, argument);
    let text = match argument.kind() {
        "pointer_expression" if operator(source, argument) == "&" => {
            source.text_of(argument.child_by_field_name("argument")?).to_owned()
        }
        "binary_expression" if operator(source, argument) == "+" => {
            let base = source.text_of(argument.child_by_field_name("left")?);
            let index = source.text_of(argument.child_by_field_name("right")?);
            format!("{base}[{index}]")
        }
        "identifier" | "field_expression" => format!("*{}", source.text_of(argument)),
        _ => return None,
    };
    Some((text, used))
}

/// The handle, if it means the same at a point.
fn handle_at<'s>(
    created: &Place<'s>,
    call: &Call<'s>,
    point: &Point<'s>,
) -> Result<String, Refusal> {
    let source = &created.source;
    let (text, used) = handle(source, call)
        .ok_or_else(|| created.refuse("the handle of the thread has no name"))?;
    let Point::Before(to) = point else { return Ok(text) };
    let own = created.statement;
    let Some(between) = statements_between(own, *to) else {
        return Err(created.refuse("several threads may be created here"));
    };
    let between = between.into_iter().filter(|it| *it != own);
    let changed = between.flat_map(|it| changed_names(source, it));
    let index: Vec<&str> = used.into_iter().skip(1).collect();
    if let Some(name) = changed.into_iter().find(|it| index.contains(it)) {
        return Err(created.refuse(format!("`{name}` changes after the creation")));
    }
    Ok(text)
}

/// Refuses threads that detach themselves or are created so.
fn stays_joinable(
    sources: &Sources<'_>,
    created: &Place<'_>,
    call: &Call<'_>,
) -> Result<(), Refusal> {
    let source = &created.source;
    let routine = call.arguments.get(if call.is_c11() { 1 } else { 2 });
    let routine = routine.map(|it| source.text_of(bare(*it)).trim_start_matches('&'));
    let files = || sources.files().iter().filter_map(|(id, _)| sources.source(id));
    let itself = files().any(|file| {
        let functions = descendants(file.root);
        let mut functions = functions.filter(|it| it.kind() == "function_definition");
        functions.any(|it| {
            let name = it.child_by_field_name("declarator").and_then(crate::expr::declared);
            name.map(|it| file.text_of(it)) == routine
                && !calls::within(&file, it, Act::Detach).is_empty()
        })
    });
    let attributes = call.arguments.get(1).filter(|_| !call.is_c11());
    let plain = attributes.is_none_or(|it| matches!(source.text_of(*it), "NULL" | "0"));
    let detached = files().any(|file| file.text.contains("PTHREAD_CREATE_DETACHED"));
    if itself || (!plain && detached) {
        return Err(created.refuse("the thread is detached"));
    }
    Ok(())
}

/// Deletes the statements of the creating function that detach the thread: who is joined must not
/// be detached.
fn detachments<'s>(created: &Place<'s>, call: &Call<'s>) -> Vec<Edit> {
    let source = &created.source;
    let Some((handle, _)) = handle(source, call) else { return Vec::new() };
    let all = calls::within(source, created.function, Act::Detach).into_iter();
    let same = all.filter(|it| it.argument(source, 0) == words(&handle));
    let statements = same.filter_map(|it| source.statement_at(it.node.start_byte()));
    statements.map(|it| remove(source, it)).collect()
}
