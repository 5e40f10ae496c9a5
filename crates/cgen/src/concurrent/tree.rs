//! The syntax tree of a concurrent program.
//!
//! As in the sequential generator, a node is C text with holes. A hole holds an
//! integer expression, and whatever surrounds it stays free of undefined
//! behaviour (other than a memory error) with any small number in it.

use super::Extra;
use super::construct::Construct;
use std::collections::BTreeSet;

/// A part of a node.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(String),
    /// An integer expression, which may become 0, 1 or a hole inside it.
    Hole(Vec<Part>),
    /// Statements in braces.
    Block(Vec<Stmt>),
    /// A number that may be lowered down to 1.
    Bound(u32),
    /// Prints nothing; records what the node uses.
    Mark(Construct),
}

/// When may the shrinker remove a statement?
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Keep {
    /// At any time.
    Removable,
    /// When nothing mentions the name but this statement and the item of that name.
    Declares(String),
    /// Only with the statement around it.
    Required,
    /// With all followers of this number: an unlock without its lock, or the
    /// join of a thread that was never created, would be undefined.
    Leads(u32),
    /// At any time, and with its leader.
    Follows(u32),
    /// With its leader only: an atomic section must end somewhere.
    Ends(u32),
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub(super) keep: Keep,
    pub(super) parts: Vec<Part>,
}

/// A type, global variable or function.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) parts: Vec<Part>,
}

/// A whole program; `main` is the last item.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) items: Vec<Item>,
    /// What is checked besides the default properties.
    pub(super) extra: Extra,
}

/// Builds a list of parts from strings, statements and marks.
macro_rules! parts {
    ($($part:expr),* $(,)?) => { vec![$($crate::concurrent::tree::Part::from($part)),*] };
}
pub(super) use parts;

/// A statement of fixed text.
pub(super) fn line(text: impl Into<String>) -> Stmt {
    Stmt::new(vec![Part::Text(text.into())])
}

/// `head { body }`.
pub(super) fn block(head: impl Into<String>, body: Vec<Stmt>) -> Stmt {
    Stmt::new(parts![head.into(), " ", body])
}

impl Stmt {
    pub(super) fn new(parts: Vec<Part>) -> Self {
        Self { keep: Keep::Removable, parts }
    }

    pub(super) fn kept(keep: Keep, parts: Vec<Part>) -> Self {
        Self { keep, parts }
    }

    pub(super) fn required(text: impl Into<String>) -> Self {
        Self { keep: Keep::Required, parts: vec![Part::Text(text.into())] }
    }

    pub(super) fn declares(name: &str, text: impl Into<String>) -> Self {
        Self { keep: Keep::Declares(name.into()), parts: vec![Part::Text(text.into())] }
    }

    /// The same statement, recorded as a use of `construct`.
    pub(super) fn mark(mut self, construct: Construct) -> Self {
        self.parts.push(Part::Mark(construct));
        self
    }

    fn weight(&self) -> u64 {
        3 + weight(&self.parts)
    }
}

/// The weight that every simplification lowers: shrinking ends because of it.
fn weight(parts: &[Part]) -> u64 {
    parts.iter().map(part_weight).sum()
}

fn part_weight(part: &Part) -> u64 {
    match part {
        Part::Text(_) | Part::Mark(_) => 0,
        Part::Hole(parts) => match parts.as_slice() {
            [Part::Text(text)] if text == "0" => 1,
            [Part::Text(text)] if text == "1" => 2,
            parts => 3 + weight(parts),
        },
        Part::Block(stmts) => stmts.iter().map(Stmt::weight).sum(),
        Part::Bound(bound) => u64::from(*bound),
    }
}

impl Tree {
    pub(super) fn weight(&self) -> u64 {
        self.items.iter().map(|item| 3 + weight(&item.parts)).sum()
    }

    /// What the nodes are marked with.
    pub(super) fn marks(&self) -> BTreeSet<Construct> {
        let mut found = BTreeSet::new();
        self.items.iter().for_each(|item| collect_marks(&item.parts, &mut found));
        found
    }

    /// Removes every statement that `gone` is true of, at any depth.
    pub(super) fn remove(&mut self, gone: &impl Fn(&Stmt) -> bool) {
        self.items.iter_mut().for_each(|item| remove_in(&mut item.parts, gone));
    }

    /// Calls `visit` for every statement, outer ones first.
    pub(super) fn visit(&self, visit: &mut impl FnMut(&Stmt)) {
        self.items.iter().for_each(|item| visit_in(&item.parts, visit));
    }
}

fn collect_marks(parts: &[Part], found: &mut BTreeSet<Construct>) {
    for part in parts {
        match part {
            Part::Mark(construct) => drop(found.insert(*construct)),
            Part::Hole(parts) => collect_marks(parts, found),
            Part::Block(stmts) => stmts.iter().for_each(|stmt| collect_marks(&stmt.parts, found)),
            Part::Text(_) | Part::Bound(_) => {}
        }
    }
}

fn remove_in(parts: &mut [Part], gone: &impl Fn(&Stmt) -> bool) {
    for part in parts {
        if let Part::Block(stmts) = part {
            stmts.retain(|stmt| !gone(stmt));
            stmts.iter_mut().for_each(|stmt| remove_in(&mut stmt.parts, gone));
        }
    }
}

fn visit_in(parts: &[Part], visit: &mut impl FnMut(&Stmt)) {
    for part in parts {
        if let Part::Block(stmts) = part {
            for stmt in stmts {
                visit(stmt);
                visit_in(&stmt.parts, visit);
            }
        }
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}

impl From<&String> for Part {
    fn from(text: &String) -> Self {
        Part::Text(text.clone())
    }
}

impl From<Vec<Stmt>> for Part {
    fn from(stmts: Vec<Stmt>) -> Self {
        Part::Block(stmts)
    }
}

impl From<Construct> for Part {
    fn from(construct: Construct) -> Self {
        Part::Mark(construct)
    }
}
