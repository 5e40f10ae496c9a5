//! A run of statements as a critical section.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::hoist::{condition_of, truth, type_of_exit, value_of};
use super::lock::{Lock, Operation};
use super::run::Run;
use super::section::is_held;
use crate::exits::{Exit, completes, exits, refuse, siblings};
use crate::names::fresh_beside;
use crate::source::{Source, ancestors, behind_labels, descendants, is_bare_body, is_list, items};
use crate::style::Insertions;
use crate::{Edit, Refusal, Sources};

/// Writes the sections of one file.
pub(super) struct Writer<'a, 's> {
    sources: &'s Sources<'s>,
    source: Source<'a>,
    lock: &'s Lock,
    names: &'s mut BTreeSet<String>,
    insertions: Insertions<'a>,
    edits: Vec<Edit>,
}

impl<'a, 's> Writer<'a, 's> {
    pub(super) fn new(
        sources: &'s Sources<'s>,
        source: Source<'a>,
        lock: &'s Lock,
        names: &'s mut BTreeSet<String>,
    ) -> Writer<'a, 's> {
        let (insertions, edits) = (Insertions::new(source), Vec::new());
        Writer { sources, source, lock, names, insertions, edits }
    }

    pub(super) fn edits(self) -> Vec<Edit> {
        let mut edits = self.insertions.edits();
        edits.extend(self.edits);
        edits
    }

    /// Writes a run; whether operations on the mutex were in it, or its section was shared.
    pub(super) fn write(&mut self, run: &Run<'a>) -> Result<bool, Refusal> {
        if run.tail && run.last.kind() != "if_statement" {
            self.hoist_into_loop(run.last)?;
            return Ok(false);
        }
        let whole = siblings(run.first, run.last).into_iter();
        let whole = whole.filter(|it| !run.tail || *it != run.last);
        let nodes: Vec<Node<'a>> = whole.flat_map(descendants).collect();
        nodes.iter().try_for_each(|it| self.lock.check_calls(&self.source, *it))?;
        let exits = self.exits(run)?;
        let (kept, removed) = self.operations(run, &nodes, &exits);
        let begins = self.lock.operation(&self.source, run.first);
        match begins {
            Some(Operation::Lock) => {}
            Some(Operation::Share) => self.take_alone(run.first),
            _ => self.insertions.before(run.first, self.lock.lock_lines()),
        }
        for exit in exits.iter().filter(|it| !kept.contains(&it.statement.id())) {
            // Who left with the mutex held gives it back where the way leads.
            if !is_held(run, self.lock, exit.statement)? {
                self.leave(exit)?;
            }
        }
        self.end(run)?;
        removed.iter().for_each(|it| self.remove(*it));
        Ok(!removed.is_empty() || begins == Some(Operation::Share))
    }

    fn exits(&self, run: &Run<'a>) -> Result<Vec<Exit<'a>>, Refusal> {
        if !run.tail {
            return exits(self.sources, &self.source, run.first, run.last);
        }
        match run.last.prev_named_sibling().filter(|_| run.first != run.last) {
            Some(last) => exits(self.sources, &self.source, run.first, last),
            None => Ok(Vec::new()),
        }
    }

    /// Exits that give the mutex back already, and the operations in the run that have to go.
    fn operations(
        &self,
        run: &Run<'a>,
        nodes: &[Node<'a>],
        exits: &[Exit<'a>],
    ) -> (BTreeSet<usize>, Vec<Node<'a>>) {
        let (mut kept, mut removed) = (BTreeSet::new(), Vec::new());
        for node in nodes {
            let Some(operation) = self.lock.own_operation(&self.source, *node) else { continue };
            let takes = operation != Operation::Unlock;
            let at_end = if takes { behind_labels(run.first) } else { behind_labels(run.last) };
            if *node == at_end {
                continue;
            }
            match self.exit_behind(run, *node, exits).filter(|_| !takes) {
                Some(exit) => _ = kept.insert(exit.statement.id()),
                None => removed.push(*node),
            }
        }
        (kept, removed)
    }

    /// The exit to which an `unlock` leads with nothing of the region between them.
    fn exit_behind<'e>(
        &self,
        run: &Run<'a>,
        unlock: Node<'a>,
        exits: &'e [Exit<'a>],
    ) -> Option<&'e Exit<'a>> {
        let item = ancestors(unlock).find(|it| it.parent().is_some_and(is_list))?;
        for next in
            items(item.parent()?).into_iter().filter(|it| it.start_byte() >= item.end_byte())
        {
            let has_place = run.places.iter().any(|place| next.byte_range().contains(place));
            if has_place {
                return None;
            }
            if let Some(exit) = exits.iter().find(|it| it.statement == next) {
                return Some(exit);
            }
            let mut inside = descendants(next);
            if inside.any(|it| {
                self.lock.operation(&self.source, it).is_some()
                    || exits.iter().any(|exit| exit.statement == it)
            }) {
                return None;
            }
        }
        None
    }

    /// Gives the mutex back before a way out, with the value that leaves computed before that.
    fn leave(&mut self, exit: &Exit<'a>) -> Result<(), Refusal> {
        let unlock = self.lock.unlock_line();
        let Some(value) = value_of(&self.source, exit) else {
            self.insertions.before(exit.statement, [unlock]);
            return Ok(());
        };
        let name = fresh_beside(self.sources, "result", self.names);
        let kind = type_of_exit(&self.source, exit)?;
        let line = format!("{kind}{name} = {};", self.source.text_of(value));
        self.insertions.declare_before(exit.statement, [line, unlock]);
        self.edits.push(Edit::replace(self.source.file, value.byte_range(), name));
        Ok(())
    }

    /// The end of a section.
    fn end(&mut self, run: &Run<'a>) -> Result<(), Refusal> {
        let unlock = self.lock.unlock_line();
        if run.tail {
            let line = self.hoist(run.last)?;
            self.insertions.before(run.last, [line, unlock]);
        } else if completes(&self.source, run.last)
            && self.lock.operation(&self.source, run.last) != Some(Operation::Unlock)
        {
            self.insertions.after(run.last, [unlock]);
        }
        Ok(())
    }

    /// Puts the condition of a statement into a local: its declaration.
    fn hoist(&mut self, statement: Node<'a>) -> Result<String, Refusal> {
        let condition = condition_of(statement);
        let condition = condition.ok_or_else(|| refuse(&self.source, "no condition", statement))?;
        let name = fresh_beside(self.sources, "condition", self.names);
        let line = format!("int {name} = {};", truth(&self.source, condition));
        self.edits.push(Edit::replace(self.source.file, condition.byte_range(), name));
        Ok(line)
    }

    /// Tests the condition of a loop in its body.
    fn hoist_into_loop(&mut self, statement: Node<'a>) -> Result<(), Refusal> {
        let why = "a loop without a condition";
        let condition =
            condition_of(statement).ok_or_else(|| refuse(&self.source, why, statement))?;
        let body = statement.child_by_field_name("body");
        let body = body.ok_or_else(|| refuse(&self.source, "a loop without a body", statement))?;
        let name = fresh_beside(self.sources, "condition", self.names);
        let value = truth(&self.source, condition);
        let (lock, unlock) = (self.lock.lock_lines(), self.lock.unlock_line());
        let last = items(body).last().copied().filter(|_| statement.kind() == "do_statement");
        let replacement = match (statement.kind(), last) {
            (_, Some(last)) => {
                self.insertions.declare_before(statement, [format!("int {name};")]);
                let test = [format!("{name} = {value};"), unlock];
                self.insertions.after(last, lock.into_iter().chain(test));
                name
            }
            (kind, None) => {
                let test = format!("if (!{name})");
                let line = format!("int {name} = {value};");
                let lines = [line, unlock, test, "\tbreak;".to_owned()];
                self.begin_body(statement, body, lock.into_iter().chain(lines).collect());
                if kind == "for_statement" { String::new() } else { "1".to_owned() }
            }
        };
        self.edits.push(Edit::replace(self.source.file, condition.byte_range(), replacement));
        Ok(())
    }

    /// Lines at the start of the body of a loop.
    fn begin_body(&mut self, statement: Node<'a>, body: Node<'a>, lines: Vec<String>) {
        let is_block = body.kind() == "compound_statement";
        let first = if is_block { items(body).first().copied() } else { Some(body) };
        if let Some(first) = first.filter(|it| self.source.text_of(*it) != ";") {
            self.insertions.before(first, lines);
            return;
        }
        let style = self.source.style();
        let outer = self.source.indentation(statement.start_byte());
        let inner = style.indented(&format!("{outer}{}", style.unit), &lines);
        let lines: String = inner.iter().map(|it| format!("{}{it}", style.newline)).collect();
        let header = body.prev_sibling().map_or(body.start_byte(), |it| it.end_byte());
        let open = if style.brace_on_own_line {
            format!("{}{outer}", style.newline)
        } else {
            " ".to_owned()
        };
        let text = format!("{open}{{{lines}{}{outer}}}", style.newline);
        self.edits.push(Edit::replace(self.source.file, header..body.end_byte(), text));
    }

    /// Makes a shared section one of its own.
    fn take_alone(&mut self, statement: Node<'a>) {
        let call = descendants(statement).find(|it| it.kind() == "call_expression");
        let name = call.and_then(|it| it.child_by_field_name("function"));
        let edit = name.zip(self.lock.lock_name());
        let edit = edit.map(|(it, alone)| Edit::replace(self.source.file, it.byte_range(), alone));
        self.edits.extend(edit);
    }

    /// Takes a statement out of the text, with its line if it has one of its own.
    pub(super) fn remove(&mut self, statement: Node<'a>) {
        let (file, range) = (self.source.file, statement.byte_range());
        if is_bare_body(statement) {
            self.edits.push(Edit::replace(file, range, "{}"));
        } else if is_needed(statement) {
            self.edits.push(Edit::replace(file, range, ";"));
        } else if self.source.stands_alone(range.clone()) {
            let lines = self.source.line_start(range.start)..self.source.next_line(range.end);
            self.edits.push(Edit::replace(file, lines, ""));
        } else {
            let spaces = [' ', '\t'];
            let (head, rest) = (&self.source.text[..range.start], &self.source.text[range.end..]);
            let space = rest.len() - rest.trim_start_matches(spaces).len();
            let ends_line = rest[space..].starts_with(['\r', '\n']);
            let start = if ends_line { head.trim_end_matches(spaces).len() } else { range.start };
            self.edits.push(Edit::replace(file, start..range.end + space, ""));
        }
    }
}

/// Whether a statement is all that a label can name.
fn is_needed(statement: Node<'_>) -> bool {
    let label = statement.parent().filter(|it| it.kind() == "labeled_statement");
    let next = label.and_then(|it| it.next_named_sibling());
    label.is_some() && next.is_none_or(|it| matches!(it.kind(), "declaration" | "comment"))
}
