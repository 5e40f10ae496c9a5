//! Follows a thread through the source, guided by what it executed.
//!
//! The walk stands at an entry of the thread's trace. The entries of a statement are those from
//! there on whose place lies in it, with the calls that it makes. If all steps among them lie in one
//! segment of the schedule, and nothing in the statement is about threads, it is written as it is;
//! else it is taken apart.

use std::collections::BTreeMap;

use tree_sitter::Node;
use unravel_interp::memory::ObjectId;

use crate::Unsupported;
use crate::output::{Line, Output};
use crate::replace::How;
use crate::text::{Renamer, Scope, one_line};
use crate::trace::{Entry, Fate, Trace, What};
use crate::unit::Unit;

/// Why a walk stops.
#[derive(Debug)]
pub enum Halt {
    /// The thread goes no further in this run.
    End,
    /// Something that cannot be written.
    Unsupported(Unsupported),
}

impl From<Unsupported> for Halt {
    fn from(unsupported: Unsupported) -> Halt {
        Halt::Unsupported(unsupported)
    }
}

/// What a step of the walk gives.
pub type Walk<T> = Result<T, Halt>;

/// A walk along a thread.
pub struct Walker<'u, 'a> {
    /// The source.
    pub unit: &'u Unit<'a>,
    /// The run.
    pub trace: &'u Trace,
    /// What has been written.
    pub out: &'u mut Output,
    /// The thread.
    pub thread: u32,
    /// Next entry.
    pub at: usize,
    /// Calls in progress.
    pub depth: usize,
    /// The function.
    pub function: String,
    /// Names of locals, outermost block first.
    pub scopes: Vec<Scope>,
    /// The segment of the last step.
    pub segment: usize,
    /// Where the value of the innermost call goes, if it has one.
    pub result: Option<String>,
    /// A label that control goes to.
    pub sought: Option<String>,
    /// The walk is in the arguments of a macro, where all places are that of its name.
    pub in_macro: bool,
    /// The thread has called a function that ends it.
    pub exits: bool,
    /// The entry up to which the part of an expression goes that the walk is in.
    pub limit: Option<usize>,
    /// How often the walk came to what has another value in one execution.
    pub executed: BTreeMap<(usize, How), u32>,
    /// Variables in memory of the calls in progress that no declaration was met for yet.
    pub objects: Vec<(String, ObjectId)>,
}

/// A stretch of a thread's trace.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The entry after it.
    pub end: usize,
    /// The segment of its steps, if it has some.
    pub segment: Option<usize>,
    /// Its steps lie in several segments.
    pub is_cut: bool,
    /// The run ends in it, or decides something in it, or begins or ends a block that matters.
    pub is_special: bool,
    /// It reads or writes memory, or calls.
    pub accesses: bool,
}

impl<'u, 'a> Walker<'u, 'a> {
    /// The thread's trace.
    pub fn entries(&self) -> &'u [Entry] {
        &self.trace.threads[self.thread as usize]
    }

    /// The entries from here on that belong to a node.
    pub fn extent(&self, node: Node<'a>) -> Extent {
        let range = node.byte_range();
        let inside = |entry: &Entry| match entry.span {
            _ if entry.depth != self.depth => entry.depth > self.depth,
            // Arithmetic and jumps change nothing that is written, wherever they are counted.
            _ if matches!(entry.what, What::Local | What::Other) && entry.fate == Fate::Done => {
                true
            }
            None => true,
            Some(span) => self.unit.offset(span).is_some_and(|at| range.contains(&at)),
        };
        let entries = self.entries();
        let limit = self.limit.unwrap_or(usize::MAX).max(self.at);
        let length = entries[self.at..].iter().take_while(|it| inside(it)).count();
        self.stretch((self.at + length).min(limit))
    }

    /// The entries from here up to another.
    pub fn stretch(&self, end: usize) -> Extent {
        let entries = &self.entries()[self.at..end];
        let mut steps = entries.iter().filter(|it| it.visible).map(|it| self.segment_of(it));
        let segment = steps.next();
        let is_special = |it: &Entry| {
            let made = it.result.and_then(|it| it.provenance);
            let is_kept = |it: &ObjectId| {
                self.out.blocks.contains_key(it) || self.out.shared.contains_key(it)
            };
            it.fate != Fate::Done
                || !it.inputs.is_empty()
                || it.is_refused_allocation()
                || made.iter().chain(&it.block).any(is_kept)
        };
        let accesses = |it: &Entry| {
            matches!(it.what, What::Load | What::Store | What::Update | What::Copy)
                || matches!(it.what, What::Call(_) | What::Library(_) | What::External)
        };
        Extent {
            end,
            segment,
            is_cut: steps.any(|it| Some(it) != segment),
            is_special: entries.iter().any(is_special),
            accesses: entries.iter().any(accesses),
        }
    }

    /// The segment that an entry is executed in. What a new thread does before its first step
    /// belongs to that step.
    pub fn segment_of(&self, entry: &Entry) -> usize {
        self.trace.segment(entry.decision)
    }

    /// Goes to an entry.
    pub fn go(&mut self, end: usize) {
        let steps = self.entries()[self.at..end].iter().rev().find(|it| it.visible);
        if let Some(last) = steps {
            self.segment = self.segment_of(last);
        }
        self.at = end;
    }

    /// Whether a node can be written as it is.
    pub fn is_whole(&self, node: Node<'a>) -> Option<Extent> {
        let extent = self.extent(node);
        let whole = !extent.is_cut && !extent.is_special && self.unit.is_plain(node);
        whole.then_some(extent)
    }

    /// The text of a node with the names of this thread.
    pub fn text(&mut self, node: Node<'a>) -> Walk<String> {
        let names = self.names();
        let mut renamer = Renamer {
            unit: self.unit,
            names: &names,
            functions: std::collections::BTreeSet::new(),
            own: std::collections::BTreeSet::new(),
            thread: self.prefix(),
        };
        let text = dedented(&renamer.text(node)?, self.unit.source.indentation(node.start_byte()));
        let (functions, own) = (renamer.functions, renamer.own);
        self.out.functions.extend(functions);
        for name in own {
            self.own_copy(&name)?;
        }
        Ok(text)
    }

    /// The text of an expression, in one line.
    pub fn line_text(&mut self, node: Node<'a>) -> Walk<String> {
        self.text(node).map(|it| one_line(&it))
    }

    /// What is written at a node, where that is another in this execution of it. Called once for
    /// each.
    pub fn changed(&mut self, node: Node<'a>, how: How) -> Option<String> {
        let count = self.executed.entry((node.id(), how)).or_default();
        let execution = *count;
        *count += 1;
        self.unit.changes.once(node, how, self.thread, execution).map(str::to_owned)
    }

    /// Names of locals in scope.
    fn names(&self) -> Scope {
        let mut all = Scope::new();
        for scope in &self.scopes {
            all.extend(scope.iter().map(|(name, new)| (name.clone(), new.clone())));
        }
        all
    }

    /// What a name in scope has become.
    pub fn local(&self, name: &str) -> Option<&String> {
        self.scopes.iter().rev().find_map(|it| it.get(name))
    }

    /// Declares a local.
    pub fn declare(&mut self, name: &str, new: String) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), new);
        }
    }

    /// What names of this thread begin with.
    pub fn prefix(&self) -> String {
        format!("T{}", self.thread)
    }

    /// A fresh name for a local of the current function.
    pub fn fresh(&mut self, name: &str) -> String {
        let wanted = format!("T{}_{}_{name}", self.thread, self.function);
        let new = self.out.fresh(&wanted);
        self.out.locals.push(new.clone());
        new
    }

    /// Writes a statement into a segment.
    pub fn write(&mut self, segment: usize, text: String, node: Node<'a>) {
        let comment = self.place(node);
        self.write_with(segment, text, comment, false);
    }

    /// Writes a statement with a comment.
    pub fn write_with(&mut self, segment: usize, text: String, comment: String, fails: bool) {
        self.out.lines.push(Line { segment, text, comment, fails });
    }

    /// Thread, file and line of a node.
    pub fn place(&self, node: Node<'_>) -> String {
        format!("T{} {}", self.thread, self.unit.place(node))
    }

    /// Something that cannot be written.
    pub fn refuse<T>(&self, what: impl Into<String>, node: Node<'_>) -> Walk<T> {
        Err(Halt::Unsupported(self.unit.unsupported(what, node)))
    }

    /// The next entry of this call that is wanted; the walk ends if the thread does not get there.
    pub fn find(&self, wanted: impl Fn(&Entry) -> bool) -> Walk<usize> {
        for (index, entry) in self.entries().iter().enumerate().skip(self.at) {
            if entry.depth < self.depth {
                break;
            }
            if entry.fate == Fate::Done && entry.depth == self.depth && wanted(entry) {
                return Ok(index);
            }
            if entry.fate != Fate::Done {
                break;
            }
        }
        Err(Halt::End)
    }
}

/// Lines after the first without the indentation of the statement.
fn dedented(text: &str, indentation: &str) -> String {
    let lines = text.lines().map(|it| it.strip_prefix(indentation).unwrap_or(it));
    lines.collect::<Vec<_>>().join("\n")
}
