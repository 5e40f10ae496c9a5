//! Prints the tree as C text.

use crate::tree::{Item, Part, Program, Stmt};

const INCLUDES: &str = "\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
";

/// Headers that only some programs need, with a word that tells which.
const OPTIONAL_INCLUDES: &[(&str, &[&str])] = &[
    ("#include <math.h>\n", &["fabs(", "sqrt(", "floor(", "ceil("]),
    ("#include <stdatomic.h>\n", &["_Atomic", "atomic_"]),
];

/// The text of a program.
pub(crate) fn program(program: &Program) -> String {
    let mut body = String::new();
    for helper in program.helpers() {
        body.push_str(&helper.definition());
    }
    let mut multi_line = true;
    for item in &program.items {
        let text = self::item(item);
        // A blank line sets off functions, but not one variable from another.
        let after = std::mem::replace(&mut multi_line, text.lines().count() > 1);
        if after || multi_line {
            body.push('\n');
        }
        body.push_str(&text);
    }
    includes(&body) + &body
}

fn includes(body: &str) -> String {
    let mut text = INCLUDES.to_string();
    for (include, words) in OPTIONAL_INCLUDES {
        if words.iter().any(|word| body.contains(word)) {
            text.push_str(include);
        }
    }
    text.push('\n');
    text
}

/// The text of one item, with a newline at its end.
pub(crate) fn item(item: &Item) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    printer.parts(&item.parts);
    printer.out.push('\n');
    printer.out
}

/// The text of a list of parts, for looking up names in it.
pub(crate) fn parts(parts: &[Part]) -> String {
    let mut printer = Printer { out: String::new(), depth: 0 };
    printer.parts(parts);
    printer.out
}

struct Printer {
    out: String,
    depth: usize,
}

impl Printer {
    fn parts(&mut self, parts: &[Part]) {
        for part in parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Text(text) => self.text(text),
            Part::Expr(expr) => self.parts(&expr.parts),
            Part::Block(stmts) => self.block(stmts),
            Part::Bound(bound) => self.out.push_str(&bound.to_string()),
            Part::Mark(_) => {}
            Part::Helper(helper) => self.out.push_str(&helper.name()),
            Part::Group(parts) => self.parts(parts),
        }
    }

    /// A newline inside a text goes on at the current indentation.
    fn text(&mut self, text: &str) {
        for (i, line) in text.split('\n').enumerate() {
            if i > 0 {
                self.newline();
            }
            self.out.push_str(line);
        }
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.depth += 1;
        for stmt in stmts {
            self.newline();
            self.parts(&stmt.parts);
        }
        self.depth -= 1;
        self.newline();
    }

    /// Parts often end with a space that separates them from nothing.
    fn newline(&mut self) {
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.out.push_str(&"    ".repeat(self.depth));
    }
}
