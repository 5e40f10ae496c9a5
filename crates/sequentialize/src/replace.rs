//! Other values in place of what the source has, so that the file shows the run that would have
//! passed.
//!
//! What is replaced is found in the syntax (`locate`, `initial`) before anything is written. A value
//! that is another in all its executions is put into the text wherever that is written, also into a
//! loop or a function that is kept. One that is another in a single execution takes everything around
//! it apart (`Unit::is_plain`): the walk then comes to each execution, and counts.
//!
//! A comparison of where two objects lie is replaced by what it gave in the run, each execution by its
//! own: the compiler of the file puts objects where it likes.
//!
//! What the source computes there still happens where it has effects, since only its value is
//! another.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::Unsupported;
use crate::text::one_line;
use crate::trace::Comparison;
use crate::unit::{Unit, unquoted};
use crate::value::number;
use crate::{initial, locate};

/// Stand around the number of a note until the file is put together: a comment would be read as
/// code, its words as names that are used.
const NOTE: (char, char) = ('\u{1}', '\u{2}');

/// What may have another value. `localize` has the same kinds, with how it marks them; this stage
/// stands beside that one and does not see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replaced {
    /// What is assigned to a variable.
    Assignment,
    /// What a variable with static storage holds at first.
    Initial,
    /// What an atomic update adds, or stores, or combines with what is there.
    Operand,
    /// An argument of a call, from 1.
    Argument(usize),
    /// What a function returns.
    Return,
    /// Whether a branch is taken, or what a `switch` depends on.
    Condition,
}

/// Another value for something in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// What it is.
    pub what: Replaced,
    /// The path of its file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column that the compiler gives for it; 0 if it gives none.
    pub column: u32,
    /// The variable, or the function that is called.
    pub name: Option<String>,
    /// Which of several of its kind at this place, from 0, and how many there are.
    pub nth: (usize, usize),
    /// Which execution in every thread, from 0; `None`: all of them.
    pub iteration: Option<u32>,
    /// The value, its width in bits, and whether it has no sign.
    pub value: (u128, u16, bool),
}

/// How a node is written instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// The value of the expression is another.
    Value,
    /// `x += y` and `x++` become `x = value`.
    Store,
    /// `x++` becomes `x += value`.
    Amount,
    /// A list of initial values has one more, for a member.
    Member,
}

/// What is written at a node.
#[derive(Clone, Debug)]
pub struct Spot {
    /// The value, with a note of what stood there.
    pub text: String,
    /// Which execution.
    iteration: Option<u32>,
    /// It cannot be put into a text that is kept.
    apart: bool,
}

/// All that is replaced in a file.
#[derive(Debug, Default)]
pub struct Changes {
    spots: BTreeMap<(usize, How), Spot>,
    /// Comparisons of where objects lie: what each execution of each thread gives.
    comparisons: BTreeMap<usize, BTreeMap<u32, Vec<String>>>,
    /// How many of the notes are about other values than in the run; they come first.
    others: usize,
    /// Statements before all others: initial values that no initializer has.
    pub at_first: Vec<String>,
    notes: Vec<String>,
}

impl Changes {
    /// Finds what is to be replaced.
    ///
    /// # Errors
    /// Something that the syntax does not have where the compiler says.
    pub fn find(
        unit: &Unit<'_>,
        wanted: &[Replacement],
        comparisons: &[Comparison],
    ) -> Result<Changes, Unsupported> {
        let mut changes = Changes::default();
        for it in wanted {
            if it.what != Replaced::Initial {
                let (node, how) = locate::locate(unit, it)?;
                changes.put(unit, it, node, how);
            } else if let Some((node, how)) = initial::locate(unit, it) {
                changes.put(unit, it, node, how);
            } else {
                let name = it.name.clone().unwrap_or_default();
                let value = changes.value(it, "its initial value");
                changes.at_first.push(format!("{name} = {value};"));
            }
        }
        changes.others = changes.notes.len();
        for it in comparisons {
            let node = locate::comparison(unit, it.span)?;
            let text = unit.text(node).to_owned();
            let value = changes.noted(&u8::from(it.holds).to_string(), &text);
            let of_thread = changes.comparisons.entry(node.id()).or_default();
            of_thread.entry(it.thread.0).or_default().push(value);
        }
        Ok(changes)
    }

    fn put(&mut self, unit: &Unit<'_>, it: &Replacement, node: Node<'_>, how: How) {
        let mut text = match how {
            How::Member => self.value(it, "its initial value"),
            _ => self.value(it, unit.text(node)),
        };
        if how == How::Member {
            let name = it.name.as_deref().unwrap_or_default();
            let path = name.find(['.', '[']).map_or("", |at| &name[at..]);
            text = format!("{path} = {text}");
            if let Some(known) = self.always(node, how) {
                text = format!("{known}, {text}");
            }
        }
        // The old value of `x++` is gone in `x = value`.
        let apart = how == How::Store && is_old_value(node);
        let (iteration, apart) = (it.iteration, apart || it.iteration.is_some());
        self.spots.insert((node.id(), how), Spot { text, iteration, apart });
    }

    fn value(&mut self, it: &Replacement, original: &str) -> String {
        let (bits, width, is_unsigned) = it.value;
        self.noted(&number(bits, width, is_unsigned), original)
    }

    /// A value, with a note of what stood there.
    fn noted(&mut self, value: &str, original: &str) -> String {
        let index = self.notes.len();
        let original = one_line(original).replace("*/", "* /").replace("/*", "/ *");
        self.notes.push(format!("instead of {original}"));
        format!("{value}{}{index}{}", NOTE.0, NOTE.1)
    }

    /// Whether all values are those of the run.
    pub fn is_empty(&self) -> bool {
        self.others == 0
    }

    /// What is written at a node in all its executions.
    pub fn always(&self, node: Node<'_>, how: How) -> Option<&str> {
        let spot = self.spots.get(&(node.id(), how))?;
        spot.iteration.is_none().then_some(&*spot.text)
    }

    /// What is written at a node in one of its executions by a thread, from 0.
    pub fn once(&self, node: Node<'_>, how: How, thread: u32, execution: u32) -> Option<&str> {
        if how == How::Value
            && let Some(of_thread) = self.comparisons.get(&node.id())
        {
            let execution = usize::try_from(execution).ok()?;
            return of_thread.get(&thread)?.get(execution).map(String::as_str);
        }
        let spot = self.spots.get(&(node.id(), how))?;
        spot.iteration.is_none_or(|it| it == execution).then_some(&*spot.text)
    }

    /// Whether a node must be taken apart.
    pub fn is_apart(&self, node: Node<'_>) -> bool {
        let all = [How::Value, How::Store, How::Amount, How::Member].into_iter();
        let mut spots = all.filter_map(|how| self.spots.get(&(node.id(), how)));
        self.comparisons.contains_key(&node.id()) || spots.any(|it| it.apart)
    }

    /// What stood where the other values are.
    pub fn originals(&self) -> String {
        unquoted(&self.notes.join("\n"))
    }

    /// The text with the notes as comments, and how many of the other values are in it.
    pub fn with_notes(&self, text: &str) -> (String, usize) {
        let (mut text, mut count) = (text.to_owned(), 0);
        for (index, note) in self.notes.iter().enumerate() {
            let mark = format!("{}{index}{}", NOTE.0, NOTE.1);
            count += usize::from(index < self.others && text.contains(&mark));
            text = text.replace(&mark, &format!(" /* {note} */"));
        }
        (text, count)
    }
}

/// Whether somebody uses what `x++` was before.
fn is_old_value(node: Node<'_>) -> bool {
    let is_behind =
        crate::tree::operator(node).is_some_and(|it| it.start_byte() > node.start_byte());
    node.kind() == "update_expression" && is_behind && !is_statement(node)
}

/// Whether nobody uses the value of an expression.
pub fn is_statement(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is_left = crate::tree::field(parent, "left") == Some(node);
    let is_update = crate::tree::field(parent, "update") == Some(node);
    match parent.kind() {
        "expression_statement" => true,
        "for_statement" => is_update,
        "comma_expression" => is_left || is_statement(parent),
        "parenthesized_expression" => is_statement(parent),
        _ => false,
    }
}
