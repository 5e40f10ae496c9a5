//! The program's own text, with the names that its parts have in the sequential file.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;

use crate::Unsupported;
use crate::replace::{How, is_statement};
use crate::tree::{declared_in, field, operator};
use crate::unit::Unit;

/// What the names of locals in scope have become.
pub type Scope = BTreeMap<String, String>;

/// The type that stands in for one of the thread library.
pub fn stand_in(name: &str) -> Option<&'static str> {
    match name {
        "pthread_t" | "thrd_t" => Some("thread_number"),
        // Numbers, which programs copy and compare.
        "pthread_key_t" | "tss_t" => Some("key_number"),
        "sem_t" | "mtx_t" | "cnd_t" | "once_flag" => Some("sync_object"),
        _ if name.starts_with("pthread_") && name.ends_with("_t") => Some("sync_object"),
        _ => None,
    }
}

/// Whether a function is declared by a header that is left out.
pub fn is_of_thread_library(name: &str) -> bool {
    let prefixes = ["pthread_", "sem_", "thrd_", "mtx_", "cnd_", "tss_"];
    prefixes.iter().any(|it| name.starts_with(it)) || matches!(name, "sched_yield" | "call_once")
}

/// The value of a synchronization object that is initialized statically.
fn initializer(name: &str) -> Option<&'static str> {
    let is_one = name.starts_with("PTHREAD_") && name.contains("_INIT") || name == "ONCE_FLAG_INIT";
    is_one.then_some("{0}")
}

/// Constants of the headers that are left out.
fn constant(name: &str) -> Option<&'static str> {
    match name {
        "PTHREAD_BARRIER_SERIAL_THREAD" => Some("(-1)"),
        "thrd_success" => Some("0"),
        "thrd_busy" => Some("1"),
        "thrd_error" => Some("2"),
        "thrd_nomem" => Some("3"),
        "thrd_timedout" => Some("4"),
        _ => None,
    }
}

/// Writes the text of nodes.
pub struct Renamer<'u, 'a> {
    /// The file.
    pub unit: &'u Unit<'a>,
    /// Names of locals in scope.
    pub names: &'u Scope,
    /// Functions of the program that the text names.
    pub functions: BTreeSet<String>,
    /// Thread-local variables that the text names.
    pub own: BTreeSet<String>,
    /// Prefix of this thread's copies of thread-local variables.
    pub thread: String,
}

impl<'u, 'a> Renamer<'u, 'a> {
    /// The text of a node.
    ///
    /// # Errors
    /// If a macro in it uses a local.
    pub fn text(&mut self, node: Node<'a>) -> Result<String, Unsupported> {
        let hidden: BTreeSet<&str> = declared_in(node).map(|it| self.unit.text(it)).collect();
        let mut out = String::new();
        let mut at = node.start_byte();
        self.leaves(node, &hidden, &mut at, &mut out)?;
        Ok(tidy(&out))
    }

    fn leaves(
        &mut self,
        node: Node<'a>,
        hidden: &BTreeSet<&str>,
        at: &mut usize,
        out: &mut String,
    ) -> Result<(), Unsupported> {
        if node.kind() == "comment" {
            self.put(node, "", at, out);
            return Ok(());
        }
        if let Some(text) = self.changed(node, hidden)? {
            self.put(node, &text, at, out);
            return Ok(());
        }
        self.unchanged(node, hidden, at, out)
    }

    /// What stands before a node, and then this in place of it.
    fn put(&self, node: Node<'a>, instead: &str, at: &mut usize, out: &mut String) {
        out.push_str(self.unit.source.text.get(*at..node.start_byte()).unwrap_or(""));
        out.push_str(instead);
        *at = node.end_byte();
    }

    /// The same of a node whose own value is as it was.
    fn unchanged(
        &mut self,
        node: Node<'a>,
        hidden: &BTreeSet<&str>,
        at: &mut usize,
        out: &mut String,
    ) -> Result<(), Unsupported> {
        let replaced = match node.kind() {
            "identifier" if !hidden.contains(self.unit.text(node)) => self.name(node)?,
            "type_identifier" => stand_in(self.unit.text(node)).map(str::to_owned),
            _ => None,
        };
        if let Some(replaced) = replaced {
            self.put(node, &replaced, at, out);
            return Ok(());
        }
        let count = u32::try_from(node.child_count()).unwrap_or(0);
        for child in (0..count).filter_map(|index| node.child(index)) {
            self.leaves(child, hidden, at, out)?;
        }
        out.push_str(self.unit.source.text.get(*at..node.end_byte()).unwrap_or(""));
        *at = node.end_byte().max(*at);
        Ok(())
    }

    /// What stands for a node that has another value in all its executions.
    fn changed(
        &mut self,
        node: Node<'a>,
        hidden: &BTreeSet<&str>,
    ) -> Result<Option<String>, Unsupported> {
        let changes = &self.unit.changes;
        let at = |how| changes.always(node, how);
        let (value, store, amount) = (at(How::Value), at(How::Store), at(How::Amount));
        let mut text = None;
        if let (Some(new), Some(target)) = (store, target(node)) {
            let right = field(node, "right").map(|it| self.instead(it, hidden, new)).transpose()?;
            let right = right.unwrap_or_else(|| new.to_owned());
            let assigned = format!("{} = {right}", self.whole(target, hidden)?);
            text = Some(if is_statement(node) { assigned } else { format!("({assigned})") });
        }
        if let (Some(new), Some(target)) = (amount, target(node)) {
            text = Some(added(self.unit, node, &self.whole(target, hidden)?, new));
        }
        if let Some(new) = at(How::Member) {
            let (mut list, mut at) = (String::new(), node.start_byte());
            self.unchanged(node, hidden, &mut at, &mut list)?;
            return Ok(Some(with_member(&list, new)));
        }
        match (value, text) {
            (Some(new), Some(text)) => Ok(Some(format!("((void){text}, {new})"))),
            (Some(new), None) => self.instead(node, hidden, new).map(Some),
            (None, text) => Ok(text),
        }
    }

    /// A value instead of an expression, which still has its effects.
    fn instead(
        &mut self,
        node: Node<'a>,
        hidden: &BTreeSet<&str>,
        new: &str,
    ) -> Result<String, Unsupported> {
        if !self.unit.has_effects(node) {
            return Ok(new.to_owned());
        }
        let (mut text, mut at) = (String::new(), node.start_byte());
        self.unchanged(node, hidden, &mut at, &mut text)?;
        Ok(format!("((void)({text}), {new})"))
    }

    fn whole(&mut self, node: Node<'a>, hidden: &BTreeSet<&str>) -> Result<String, Unsupported> {
        let (mut text, mut at) = (String::new(), node.start_byte());
        self.leaves(node, hidden, &mut at, &mut text)?;
        Ok(text)
    }

    fn name(&mut self, node: Node<'a>) -> Result<Option<String>, Unsupported> {
        let name = self.unit.text(node);
        if let Some(new) = self.names.get(name) {
            return Ok(Some(new.clone()));
        }
        if self.unit.thread_locals.contains_key(name) {
            self.own.insert(name.to_owned());
            return Ok(Some(format!("{}_{name}", self.thread)));
        }
        if self.unit.functions.contains_key(name) {
            self.functions.insert(name.to_owned());
        }
        if !self.unit.macros(name).is_empty() {
            let words = self.unit.macro_words(name);
            if words.iter().any(|word| self.names.contains_key(word)) {
                return Err(self
                    .unit
                    .unsupported(format!("macro `{name}`, which uses a local"), node));
            }
            let named =
                words.into_iter().filter(|it| self.unit.functions.contains_key(it.as_str()));
            self.functions.extend(named);
        }
        // A name of the type position of a cast, which only a compiler can tell from a variable.
        let known = stand_in(name).or_else(|| initializer(name)).or_else(|| constant(name));
        Ok(known.map(str::to_owned))
    }
}

/// What an assignment or an update changes.
fn target(node: Node<'_>) -> Option<Node<'_>> {
    field(node, "left").or_else(|| field(node, "argument"))
}

/// `x++` and its kind with another amount than 1. Whoever uses the old value still gets it.
pub fn added(unit: &Unit<'_>, node: Node<'_>, target: &str, amount: &str) -> String {
    let sign = operator(node).map_or("+", |it| &unit.text(it)[..1]);
    let is_before = operator(node).is_some_and(|it| it.start_byte() == node.start_byte());
    let inverse = if sign == "+" { "-" } else { "+" };
    match (is_statement(node), is_before) {
        (true, _) => format!("{target} {sign}= {amount}"),
        (_, true) => format!("({target} {sign}= {amount})"),
        _ => format!("(({target} {sign}= {amount}) {inverse} {amount})"),
    }
}

/// A list of initial values with one more.
pub fn with_member(list: &str, new: &str) -> String {
    let inner = list.trim_end().strip_suffix('}').unwrap_or(list);
    let inner = inner.trim_end().trim_end_matches(',');
    let comma = if inner.ends_with('{') { "" } else { ", " };
    format!("{inner}{comma}{new}}}")
}

/// Lines without trailing blanks, and without lines that held only a comment.
fn tidy(text: &str) -> String {
    let mut lines = text.lines().map(str::trim_end).peekable();
    let first = lines.next().unwrap_or("").to_owned();
    lines.filter(|it| !it.trim().is_empty()).fold(first, |all, line| all + "\n" + line)
}

/// Several lines as one.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An expression as the operand of a cast or of `&`.
pub fn operand(text: &str) -> String {
    let is_simple = |c: char| c.is_alphanumeric() || "_.&".contains(c);
    if text.chars().all(is_simple) { text.to_owned() } else { format!("({text})") }
}

#[cfg(test)]
mod tests {
    use super::with_member;

    #[test]
    fn a_member_is_added_at_the_end_of_a_list() {
        assert_eq!(with_member("{1, 2}", ".b = 3"), "{1, 2, .b = 3}");
        assert_eq!(with_member("{\n    .a = 1,\n}", ".b = 3"), "{\n    .a = 1, .b = 3}");
        assert_eq!(with_member("{}", ".b = 3"), "{.b = 3}");
    }
}
