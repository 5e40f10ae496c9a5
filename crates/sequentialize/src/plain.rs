//! What can be kept as it is: parts of the source that have nothing to do with threads and inputs.

use tree_sitter::Node;
use unravel_patch::source::descendants;
use unravel_program::Program;
use unravel_program::library::sync::Deed;
use unravel_program::library::{Action, Primitive, Process};

use crate::count::counting;
use crate::text::is_of_thread_library;
use crate::tree::{field, specifiers};
use crate::unit::{Unit, words};

impl<'a> Unit<'a> {
    /// Whether a part of a function can be kept as it is: nothing in it is about threads or inputs,
    /// and control stays in it.
    pub fn is_plain(&self, node: Node<'a>) -> bool {
        descendants(node).all(|it| self.is_plain_node(it, Some(node)))
    }

    /// Whether a function can be kept and called.
    pub fn is_keepable(&self, name: &str) -> bool {
        if let Some(&known) = self.keepable.borrow().get(name) {
            return known;
        }
        let Some(body) = self.functions.get(name).and_then(|it| field(*it, "body")) else {
            return false;
        };
        // Recursion adds nothing.
        self.keepable.borrow_mut().insert(name.to_owned(), true);
        let is_own = |it: Node<'a>| self.thread_locals.contains_key(self.text(it));
        let plain = !body.has_error()
            && descendants(body).all(|it| self.is_plain_node(it, None) && !is_own(it));
        self.keepable.borrow_mut().insert(name.to_owned(), plain);
        plain
    }

    /// One node; `within` is the part of a function that is to be kept, `None` for all of it.
    fn is_plain_node(&self, node: Node<'a>, within: Option<Node<'a>>) -> bool {
        match node.kind() {
            _ if self.changes.is_apart(node) => false,
            "call_expression" if self.is_cast(node) => true,
            "call_expression" if self.is_weak(node) => false,
            "call_expression" => field(node, "function").is_some_and(|it| {
                it.kind() == "identifier" && self.is_plain_function(self.text(it))
            }),
            "identifier" => self.is_plain_word(self.text(node)),
            "return_statement" | "goto_statement" => within.is_none(),
            "labeled_statement" => within.is_none(),
            "break_statement" | "continue_statement" => {
                within.is_none_or(|root| self.stays_within(node, root))
            }
            "declaration" => !specifiers(node)
                .iter()
                .any(|it| matches!(self.text(*it), "static" | "extern" | "__thread")),
            "gnu_asm_expression" | "ERROR" => false,
            kind => !kind.starts_with("preproc_"),
        }
    }

    fn stays_within(&self, jump: Node<'a>, root: Node<'a>) -> bool {
        let is_switch = jump.kind() == "break_statement";
        let mut around = unravel_patch::source::ancestors(jump).skip(1);
        let target = around.find(|it| {
            matches!(it.kind(), "while_statement" | "for_statement" | "do_statement")
                || is_switch && it.kind() == "switch_statement"
        });
        target.is_some_and(|it| {
            it.start_byte() >= root.start_byte() && it.end_byte() <= root.end_byte()
        })
    }

    fn is_plain_function(&self, name: &str) -> bool {
        if self.functions.contains_key(name) {
            let overridden = Primitive::named(name).is_some_and(Primitive::overrides_definition);
            return !overridden && self.is_keepable(name);
        }
        is_plain_library(self.program, name) || self.is_plain_macro(name)
    }

    /// A name that is used other than as a variable or function: a macro must be plain, too.
    fn is_plain_word(&self, name: &str) -> bool {
        self.macros(name).is_empty() || self.is_plain_macro(name)
    }

    /// Whether a macro is a lock operation under another name, as `LOCK(queue)` often is: one call, of
    /// which only its having happened shows in a sequential file.
    pub fn is_operation_macro(&self, name: &str) -> bool {
        let is_operation = |body: &&str| {
            let Some((function, rest)) = body.trim().split_once('(') else { return false };
            let op = Primitive::named(function.trim()).and_then(Primitive::sync_op);
            let Some(op) = op else { return false };
            let shows = counting(function.trim()).is_some() || op.deed() == Deed::Once;
            let place = rest.strip_suffix(')').unwrap_or_default();
            let acts = place.contains(['(', ')', '=', ';', '+']) || place.contains("--");
            let is_place = !place.is_empty() && !acts;
            !shows && is_place
        };
        let bodies = self.macros(name);
        !bodies.is_empty() && bodies.iter().all(is_operation)
    }

    fn is_plain_macro(&self, name: &str) -> bool {
        let bodies = self.macros(name);
        let word = |word: &str| {
            let known = Primitive::named(word).is_some() || self.functions.contains_key(word);
            (!known || self.is_plain_function(word))
                && !self.thread_locals.contains_key(word)
                && !matches!(word, "return" | "goto" | "break" | "continue" | "static")
        };
        !bodies.is_empty() && bodies.iter().all(|body| words(body).all(word))
    }
}

/// Library functions that a sequential program can call as they are.
fn is_plain_library(program: &Program, name: &str) -> bool {
    if is_of_thread_library(name) {
        return false;
    }
    if let Some(primitive) = Primitive::named(name) {
        return match primitive.action() {
            Action::Memory(_)
            | Action::Print(_)
            | Action::Show(_)
            | Action::Math(_)
            | Action::Nothing
            | Action::ErrnoLocation => true,
            Action::Process(Process::Exit) => false,
            Action::Process(_) => true,
            _ => false,
        };
    }
    let modelled = program.functions.iter().any(|it| it.library && it.name == name);
    let prefixes = ["atomic_", "__sync_", "__atomic_", "__builtin_", "__c11_atomic_"];
    modelled || is_copy(name) || name == "assert" || prefixes.iter().any(|it| name.starts_with(it))
}

/// Functions that the front end makes instructions of.
fn is_copy(name: &str) -> bool {
    matches!(name, "memcpy" | "memmove" | "memset" | "abs" | "labs" | "offsetof")
}
