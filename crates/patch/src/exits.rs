//! The ways out of a run of statements.
//!
//! A way out is found in the syntax: `return`, a `break` or `continue` of something around the run,
//! a `goto` out of it, the end of the thread. What is hidden from the syntax makes the run
//! unusable, and is refused: a macro that jumps, a computed `goto`, `longjmp`, a jump into the run.

use tree_sitter::Node;
use unravel_span::Span;

use crate::names::{has_word, words};
use crate::source::{Source, ancestors, behind_labels, call_statement, called, descendants, items};
use crate::{Refusal, Sources};

/// A statement that leaves the run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exit<'a> {
    /// The statement that leaves.
    pub statement: Node<'a>,
    /// The value that it takes along: of `return`, or of `pthread_exit`.
    pub value: Option<Node<'a>>,
    /// Whether it ends the thread by a call, not the function.
    pub ends_thread: bool,
}

/// Calls that end the thread, with what it held still held.
const END_THREAD: [&str; 2] = ["pthread_exit", "thrd_exit"];
/// Calls that end the program.
const END_PROGRAM: [&str; 6] = ["exit", "_exit", "_Exit", "quick_exit", "abort", "__assert_fail"];
/// Words by which the body of a macro jumps.
const JUMPS: [&str; 7] =
    ["return", "break", "continue", "goto", "pthread_exit", "thrd_exit", "longjmp"];

/// The statements by which control leaves a run of statements (siblings from `first` to `last`)
/// other than at its end, in the order of the text.
///
/// # Errors
/// If control can enter or leave the run in a way that cannot be changed by a statement before it.
pub fn exits<'a>(
    sources: &Sources<'_>,
    source: &Source<'a>,
    first: Node<'a>,
    last: Node<'a>,
) -> Result<Vec<Exit<'a>>, Refusal> {
    let run = Run { source, start: behind_labels(first).start_byte(), end: last.end_byte() };
    let mut found = Vec::new();
    for node in siblings(first, last).into_iter().flat_map(descendants) {
        run.check_entry(node)?;
        check_macro(sources, source, node)?;
        found.extend(run.exit(node)?);
    }
    Ok(found)
}

/// Sibling nodes from one to another.
pub(crate) fn siblings<'a>(first: Node<'a>, last: Node<'a>) -> Vec<Node<'a>> {
    let all = std::iter::successors(Some(first), Node::next_sibling);
    all.take_while(|node| node.start_byte() <= last.start_byte()).collect()
}

/// Whether control can reach the end of a statement, as far as the syntax shows.
#[must_use]
pub fn completes(source: &Source<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "return_statement" | "break_statement" | "continue_statement" | "goto_statement" => false,
        "expression_statement" => {
            let name = call_statement(source, node).map(|(name, _)| name);
            !name.is_some_and(|it| END_THREAD.contains(&it) || END_PROGRAM.contains(&it))
        }
        "compound_statement" => items(node).last().is_none_or(|it| completes(source, *it)),
        "labeled_statement" => completes(source, behind_labels(node)),
        "if_statement" => {
            let branch = |field| node.child_by_field_name(field);
            let otherwise = branch("alternative").and_then(|it| it.named_child(0));
            let may = |it: Option<Node<'_>>| it.is_none_or(|it| completes(source, it));
            may(branch("consequence")) || may(otherwise)
        }
        "while_statement" | "for_statement" | "do_statement" => {
            !is_endless(source, node) || descendants(node).any(|it| breaks(it, node))
        }
        _ => true,
    }
}

/// Whether a loop has no condition that ends it.
fn is_endless(source: &Source<'_>, node: Node<'_>) -> bool {
    let condition = node.child_by_field_name("condition");
    let text = condition.map(|it| source.text_of(it).trim_matches(['(', ')', ' ']));
    text.map_or(node.kind() == "for_statement", |text| text == "1" || text == "true")
}

/// Whether a node is a `break` of the loop `target`.
fn breaks(node: Node<'_>, target: Node<'_>) -> bool {
    node.kind() == "break_statement" && target_of(node, true) == Some(target)
}

/// What a `break` or `continue` belongs to.
fn target_of(node: Node<'_>, is_break: bool) -> Option<Node<'_>> {
    ancestors(node).skip(1).find(|it| match it.kind() {
        "while_statement" | "do_statement" | "for_statement" => true,
        "switch_statement" => is_break,
        _ => false,
    })
}

/// Part of a text.
struct Run<'a, 's> {
    source: &'s Source<'a>,
    start: usize,
    end: usize,
}

impl<'a> Run<'a, '_> {
    fn contains(&self, node: Node<'_>) -> bool {
        self.start <= node.start_byte() && node.end_byte() <= self.end
    }

    fn exit(&self, node: Node<'a>) -> Result<Option<Exit<'a>>, Refusal> {
        let plain = Exit { statement: node, value: None, ends_thread: false };
        let leaves = |target: Option<Node<'_>>| target.is_none_or(|it| !self.contains(it));
        Ok(match node.kind() {
            "return_statement" => Some(Exit { value: node.named_child(0), ..plain }),
            "break_statement" => leaves(target_of(node, true)).then_some(plain),
            "continue_statement" => leaves(target_of(node, false)).then_some(plain),
            "goto_statement" => {
                let label = node.child_by_field_name("label");
                let label = label.ok_or_else(|| refuse(self.source, "a computed `goto`", node))?;
                let label = self.label(self.source.text_of(label), node);
                // The label of the first statement is in front of the lock.
                leaves(label).then_some(plain)
            }
            "call_expression" => self.end_of_thread(node)?,
            _ => None,
        })
    }

    fn end_of_thread(&self, call: Node<'a>) -> Result<Option<Exit<'a>>, Refusal> {
        let Some((name, arguments)) = called(self.source, call) else { return Ok(None) };
        if name.ends_with("longjmp") {
            return Err(refuse(self.source, "`longjmp` leaves the region", call));
        }
        if !END_THREAD.contains(&name) {
            return Ok(None);
        }
        let statement = call.parent().filter(|it| it.kind() == "expression_statement");
        let why = "the end of the thread within an expression";
        let statement = statement.ok_or_else(|| refuse(self.source, why, call))?;
        Ok(Some(Exit { statement, value: arguments.named_child(0), ends_thread: true }))
    }

    /// The labeled statement of a function that a `goto` names.
    fn label(&self, name: &str, goto: Node<'a>) -> Option<Node<'a>> {
        let function = ancestors(goto).find(|it| it.kind() == "function_definition")?;
        descendants(function).find(|it| label_of(self.source, *it) == Some(name))
    }

    /// Refuses a label in the run to which something outside jumps.
    fn check_entry(&self, node: Node<'a>) -> Result<(), Refusal> {
        if node.kind() == "case_statement" {
            let switch = ancestors(node).find(|it| it.kind() == "switch_statement");
            let enters = switch.is_none_or(|it| !self.contains(it)) && self.contains(node);
            let why = "a `case` label in the middle of the region";
            return if enters { Err(refuse(self.source, why, node)) } else { Ok(()) };
        }
        let Some(name) = label_of(self.source, node).filter(|_| self.contains(node)) else {
            return Ok(());
        };
        let function = ancestors(node).find(|it| it.kind() == "function_definition");
        let mut gotos = function.into_iter().flat_map(descendants).filter(|it| {
            let label = it.child_by_field_name("label");
            it.kind() == "goto_statement" && label.is_some_and(|it| self.source.text_of(it) == name)
        });
        match gotos.find(|it| !self.contains(*it)) {
            Some(goto) => Err(refuse(self.source, "a `goto` leads into the region", goto)),
            None => Ok(()),
        }
    }
}

fn label_of<'a>(source: &Source<'a>, node: Node<'a>) -> Option<&'a str> {
    let label = node.child_by_field_name("label").filter(|_| node.kind() == "labeled_statement")?;
    Some(source.text_of(label))
}

/// Refuses the use of a macro whose body jumps.
fn check_macro<'a>(
    sources: &Sources<'_>,
    source: &Source<'a>,
    node: Node<'a>,
) -> Result<(), Refusal> {
    if node.kind() != "identifier" {
        return Ok(());
    }
    let name = source.text_of(node);
    if macro_bodies(sources, name).iter().any(|body| JUMPS.iter().any(|it| has_word(body, it))) {
        let why = format!("the macro `{name}` may leave the region");
        return Err(refuse(source, &why, node));
    }
    Ok(())
}

/// The bodies that the files give a macro, with those of the macros it uses.
fn macro_bodies<'s>(sources: &'s Sources<'_>, name: &str) -> Vec<&'s str> {
    let mut names = vec![name.to_owned()];
    let mut bodies: Vec<&str> = Vec::new();
    while let Some(name) = names.pop() {
        for body in sources.macros(&name) {
            if !bodies.contains(&body) {
                bodies.push(body);
                names.extend(words(body).map(str::to_owned));
            }
        }
    }
    bodies
}

/// A refusal at a node.
pub(crate) fn refuse(source: &Source<'_>, why: &str, node: Node<'_>) -> Refusal {
    let at = node.start_position();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(0);
    Refusal::new(why, Span::new(source.file, number(at.row), number(at.column)))
}
