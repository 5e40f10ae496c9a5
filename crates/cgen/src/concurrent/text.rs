//! Statements from text: the longer idioms read like the C that they make.
//!
//! A line is a statement, and deeper lines after it are its block. What the shrinker may do with
//! it stands in front:
//!
//! * `1< ` begins the group 1 and `1> ` ends it (lock and unlock); `1~ ` belongs to it.
//! * `name: ` declares a local of that name.
//! * `! ` stays as long as the statement around it.
//! * `? ` is a condition to assert.
//!
//! `#Name` at the end of a line marks it with the construct of that name.

use super::construct::Construct;
use super::generator::{Actor, Gen};
use super::tree::{Keep, Part, Stmt, parts};
use std::collections::BTreeMap;

/// The groups of one text, and their numbers in the program.
type Groups = BTreeMap<char, u32>;

impl Gen {
    /// The statements of a text.
    pub(super) fn text(&mut self, text: &str) -> Vec<Stmt> {
        let lines: Vec<_> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| (line.len() - line.trim_start().len(), line.trim()))
            .collect();
        self.lines(&lines, &mut Groups::new())
    }

    /// Adds the statements of a text to what an actor does.
    pub(super) fn put_text(&mut self, actor: Actor, text: &str) {
        let stmts = self.text(text);
        self.put(actor, stmts);
    }

    /// Adds the statements of a text to what `main` does after the joins.
    pub(super) fn check_text(&mut self, text: &str) {
        let stmts = self.text(text);
        self.checks.extend(stmts);
    }

    fn lines(&mut self, mut lines: &[(usize, &str)], groups: &mut Groups) -> Vec<Stmt> {
        let mut stmts: Vec<Stmt> = Vec::new();
        while let Some(((indent, text), rest)) = lines.split_first() {
            let deeper = rest.iter().take_while(|(inner, _)| inner > indent).count();
            let body = self.lines(&rest[..deeper], groups);
            lines = &rest[deeper..];
            match stmts.last_mut() {
                Some(before) if *text == "else" => before.parts.extend(parts![" else ", body]),
                _ => stmts.push(self.line_stmt(text, body, groups)),
            }
        }
        stmts
    }

    fn line_stmt(&mut self, text: &str, body: Vec<Stmt>, groups: &mut Groups) -> Stmt {
        let (text, mark) = match text.split_once(" #") {
            Some((text, name)) => (text, Construct::ALL.iter().find(|it| it.name() == name)),
            None => (text, None),
        };
        let (prefix, rest) = text.split_once(' ').unwrap_or((text, ""));
        let mut group = |name| *groups.entry(name).or_insert_with(|| self.number());
        let mut stmt = match prefix.as_bytes() {
            b"?" => self.assertion(rest),
            b"!" => Stmt::required(rest),
            [id @ b'0'..=b'9', b'<'] => {
                Stmt::kept(Keep::Leads(group((*id).into())), parts![rest.trim()])
            }
            [id @ b'0'..=b'9', b'>'] => {
                Stmt::kept(Keep::Ends(group((*id).into())), parts![rest.trim()])
            }
            [id @ b'0'..=b'9', b'~'] => {
                Stmt::kept(Keep::Follows(group((*id).into())), parts![rest.trim()])
            }
            [name @ .., b':'] if name.iter().all(u8::is_ascii_alphanumeric) => {
                Stmt::declares(prefix.trim_end_matches(':'), rest)
            }
            _ => Stmt::new(parts![text]),
        };
        if !body.is_empty() {
            stmt.parts.extend(parts![" ", body]);
        }
        stmt.parts.extend(mark.map(|construct| Part::Mark(*construct)));
        stmt
    }
}
