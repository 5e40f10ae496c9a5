//! Declarations of locals, parameters and results under new names.

use tree_sitter::Node;

use crate::pieces::{Piece, Val};
use crate::replace::How;
use crate::text::with_member;
use crate::tree::{
    declarators, declared_name, declared_types, field, function_declarator, specifiers,
};
use crate::walk::{Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// A declaration among statements.
    pub fn declaration(&mut self, node: Node<'a>) -> Walk<()> {
        let words: Vec<&str> = specifiers(node).into_iter().map(|it| self.unit.text(it)).collect();
        if words.contains(&"extern") {
            return Ok(());
        }
        if words.iter().any(|it| matches!(*it, "static" | "_Thread_local" | "__thread")) {
            return self.static_local(node);
        }
        if declarators(node).is_empty() {
            return self.local_type(node);
        }
        let base = self.base(node, &["register", "auto"])?;
        for declarator in declarators(node) {
            self.local_variable(node, &base, declarator)?;
        }
        Ok(())
    }

    /// The type and its qualifiers, without some words.
    fn base(&mut self, node: Node<'a>, without: &[&str]) -> Walk<String> {
        let mut words = Vec::new();
        for word in specifiers(node) {
            if without.contains(&self.unit.text(word)) {
                continue;
            }
            // A type that is declared beside a variable is declared once, however often that is.
            match field(word, "body").and(field(word, "name")) {
                Some(name) => {
                    self.local_type(word)?;
                    let keyword = word.kind().trim_end_matches("_specifier");
                    words.push(format!("{keyword} {}", self.unit.text(name)));
                }
                None => words.push(self.line_text(word)?),
            }
        }
        Ok(words.join(" "))
    }

    fn local_variable(&mut self, node: Node<'a>, base: &str, declarator: Node<'a>) -> Walk<()> {
        let Some(name) = declared_name(declarator) else {
            return self.refuse("this declaration", node);
        };
        let old = self.unit.text(name).to_owned();
        let (inner, init) = match declarator.kind() {
            "init_declarator" => (field(declarator, "declarator"), field(declarator, "value")),
            _ => (Some(declarator), None),
        };
        let Some(inner) = inner else { return self.refuse("this declaration", node) };
        // In C a variable is in scope in its own initializer: `p = malloc(sizeof *p)`.
        let new = self.fresh(&old);
        self.declare(&old, new.clone());
        let declared = self.renamed(inner, name, &new)?;
        if let Some(init) = init
            && init.kind() != "initializer_list"
            && self.copies(declarator)
            && self.extent(declarator).is_cut
        {
            self.write(self.segment, format!("{base} {declared};"), node);
            return self.copied_variable(declarator, init, &new);
        }
        let value = init.map(|it| self.initial(it)).transpose()?;
        let segment = value.as_ref().and_then(|it| it.segment).unwrap_or(self.segment);
        let value = value.map_or_else(String::new, |it| format!(" = {}", it.text));
        self.write(segment, format!("{base} {declared}{value};"), node);
        self.name_object(&old, &new);
        // What the variable gets is written at the place of its name.
        let rest = self.extent(declarator);
        if !rest.is_special {
            self.go(rest.end);
        }
        Ok(())
    }

    /// A variable that is initialized by a copy with others in between.
    fn copied_variable(&mut self, declarator: Node<'a>, init: Node<'a>, new: &str) -> Walk<()> {
        let pieces = self.pieces(init)?;
        let mut filled = self.fill(pieces, Vec::new())?;
        let rest = self.extent(declarator);
        self.settle(&mut filled, rest.segment)?;
        let source = crate::pieces::joined(&filled);
        let source = format!("&({source})");
        let content = crate::assign::Content::Of(&source);
        self.copy_parts(declarator, &format!("&{new}"), content, None, &rest)?;
        Ok(())
    }

    fn initial(&mut self, node: Node<'a>) -> Walk<Val> {
        if node.kind() == "initializer_list" && self.is_whole(node).is_none() {
            let pieces: Vec<Piece<'a>> = self.pieces(node)?;
            let mut filled = self.fill(pieces, Vec::new())?;
            let rest = self.value_extent(node);
            let place = filled.len();
            self.stop_in(&rest, node, &mut filled, place)?;
            self.go(rest.end);
            let new = self.changed(node, How::Member);
            let val = crate::pieces::of_parts(&filled, &rest);
            let text = new.map_or_else(|| val.text.clone(), |it| with_member(&val.text, &it));
            return Ok(Val { text, ..val });
        }
        self.value(node)
    }

    /// A declarator with another name.
    fn renamed(&mut self, declarator: Node<'a>, name: Node<'a>, new: &str) -> Walk<String> {
        self.spliced(declarator, name, new)
    }

    /// The text of a node in which another text stands for one below it.
    fn spliced(&mut self, node: Node<'a>, hole: Node<'a>, new: &str) -> Walk<String> {
        if node == hole {
            return Ok(new.to_owned());
        }
        let count = u32::try_from(node.child_count()).unwrap_or(0);
        let mut text = String::new();
        for child in (0..count).filter_map(|index| node.child(index)) {
            let holds =
                child.start_byte() <= hole.start_byte() && child.end_byte() >= hole.end_byte();
            let part = if holds { self.spliced(child, hole, new)? } else { self.line_text(child)? };
            if child.kind() != "comment" {
                let is_word = part.starts_with(|c: char| c.is_alphanumeric() || c == '_');
                let after_word = text.ends_with(|c: char| c.is_alphanumeric() || c == '_');
                text.push_str(if is_word && after_word { " " } else { "" });
                text.push_str(&part);
            }
        }
        Ok(text)
    }

    /// A parameter as a variable; an array becomes a pointer.
    pub fn parameter(&mut self, parameter: Node<'a>, new: &str) -> Walk<String> {
        let base = self.base(parameter, &["register"])?;
        let (Some(declarator), Some(name)) =
            (field(parameter, "declarator"), declared_name(parameter))
        else {
            return self.refuse("this parameter", parameter);
        };
        let array = name.parent().filter(|it| it.kind() == "array_declarator");
        if let Some(array) = array.filter(|it| field(*it, "declarator") == Some(name)) {
            let is_outer = array == declarator
                || array.parent().is_some_and(|it| it.kind() == "pointer_declarator");
            let pointer = if is_outer { format!("*{new}") } else { format!("(*{new})") };
            let declared = self.spliced(declarator, array, &pointer)?;
            return Ok(format!("{base} {declared}"));
        }
        let declared = self.renamed(declarator, name, new)?;
        Ok(format!("{base} {declared}"))
    }

    /// A variable of the type that a function returns.
    pub fn result_variable(&mut self, definition: Node<'a>, new: &str) -> Walk<String> {
        let base =
            self.base(definition, &["static", "inline", "extern", "__inline", "_Noreturn"])?;
        let (Some(declarator), Some(own)) =
            (field(definition, "declarator"), function_declarator(definition))
        else {
            return self.refuse("the result of this function", definition);
        };
        let declared = self.spliced(declarator, own, new)?;
        Ok(format!("{base} {declared}"))
    }

    /// `return …;`.
    pub fn return_value(&mut self, node: Node<'a>) -> Walk<()> {
        let value = crate::tree::parts(node).first().copied();
        let Some(value) = value else { return Ok(()) };
        let Some(result) = self.result.clone() else {
            let extent = self.value_extent(value);
            let idle = !self.unit.has_effects(value) && !extent.is_special;
            if idle && self.unit.is_plain(value) {
                self.go(extent.end);
                return Ok(());
            }
            return self.effect(value);
        };
        let computed = self.value(value)?;
        let segment = computed.segment.unwrap_or(self.segment);
        let Some(definition) = self.unit.functions.get(self.function.as_str()).copied() else {
            return self.refuse("this return", node);
        };
        let declared = self.result_variable(definition, &result)?;
        self.write(segment, format!("{declared} = {};", computed.text), node);
        Ok(())
    }

    /// A static local is a global of another name; each thread has its own if it is thread-local.
    fn static_local(&mut self, node: Node<'a>) -> Walk<()> {
        let base = self.base(node, &["_Thread_local", "__thread", "static"])?;
        let own = specifiers(node)
            .iter()
            .any(|it| matches!(self.unit.text(*it), "_Thread_local" | "__thread"));
        for declarator in declarators(node) {
            let Some(name) = declared_name(declarator) else {
                return self.refuse("this declaration", node);
            };
            let old = self.unit.text(name).to_owned();
            let owner = if own {
                format!("T{}_{}", self.thread, self.function)
            } else {
                self.function.clone()
            };
            let (new, is_first) = self.out.static_name(&owner, &old);
            if is_first {
                let declared = self.renamed(declarator, name, &new)?;
                self.out.globals.push(format!("static {base} {declared};"));
            }
            self.declare(&old, new);
        }
        Ok(())
    }

    /// This thread's copy of a thread-local variable.
    pub fn own_copy(&mut self, name: &str) -> Walk<()> {
        let new = format!("T{}_{name}", self.thread);
        if !self.out.own.insert(new.clone()) {
            return Ok(());
        }
        let Some(declaration) = self.unit.thread_locals.get(name).copied() else { return Ok(()) };
        let base = self.base(
            declaration,
            &["_Thread_local", "__thread", "thread_local", "static", "extern"],
        )?;
        for declarator in declarators(declaration) {
            if let Some(it) = declared_name(declarator).filter(|it| self.unit.text(*it) == name) {
                let declared = self.renamed(declarator, it, &new)?;
                self.out.globals.push(format!("static {base} {declared};"));
            }
        }
        Ok(())
    }

    /// A type that is declared inside of a function stands at file scope, where its names must be
    /// free.
    pub fn local_type(&mut self, node: Node<'a>) -> Walk<()> {
        let mut text = self.text(node)?;
        if !text.ends_with(';') {
            text.push(';');
        }
        if self.out.globals.contains(&text) {
            return Ok(());
        }
        for name in declared_types(node) {
            let name = self.unit.text(name);
            if !self.out.local_types.insert(name.to_owned()) || self.unit.is_global(name) {
                return self.refuse(format!("the name `{name}`, which means two things,"), node);
            }
        }
        self.out.globals.push(text);
        Ok(())
    }
}
