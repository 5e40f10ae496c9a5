//! What is kept of the source: types, macros, variables and functions that something refers to.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;
use unravel_patch::source::descendants;

use crate::Unsupported;
use crate::text::{Renamer, Scope};
use crate::tree::{declarators, declared_name, field, parameters, specifiers};
use crate::unit::{Unit, unquoted, words};

/// What is kept of the source.
pub struct Keeper<'u, 'a> {
    /// The source.
    pub unit: &'u Unit<'a>,
    /// Functions that are kept, and their text.
    pub kept: BTreeMap<String, String>,
}

impl<'a> Keeper<'_, 'a> {
    /// Functions that are named, with those that they name.
    pub fn functions<'n>(
        &mut self,
        named: impl Iterator<Item = &'n String>,
    ) -> Result<(), Unsupported> {
        let mut work: Vec<String> = named.cloned().collect();
        while let Some(name) = work.pop() {
            let Some(definition) = self.unit.functions.get(name.as_str()).copied() else {
                continue;
            };
            if self.kept.contains_key(&name) {
                continue;
            }
            let (text, functions) = if self.unit.is_keepable(&name) || is_error_call(&name) {
                self.text(definition)?
            } else {
                (self.stub(definition)?, BTreeSet::new())
            };
            work.extend(functions);
            self.kept.insert(name, text);
        }
        Ok(())
    }

    fn text(&self, node: Node<'a>) -> Result<(String, BTreeSet<String>), Unsupported> {
        let names = Scope::new();
        let mut renamer = Renamer {
            unit: self.unit,
            names: &names,
            functions: BTreeSet::new(),
            own: BTreeSet::new(),
            thread: "T0".to_owned(),
        };
        let text = renamer.text(node)?;
        Ok((text, renamer.functions))
    }

    /// A function whose address is taken, and whose calls are written out.
    fn stub(&self, definition: Node<'a>) -> Result<String, Unsupported> {
        let (text, _) = self.text(definition)?;
        let head = text.split('{').next().unwrap_or("").trim_end().to_owned();
        let unused = parameters(definition).into_iter().filter_map(declared_name);
        let unused: String =
            unused.map(|it| format!("    (void){};\n", self.unit.text(it))).collect();
        Ok(format!("/* Its calls are written out in main. */\n{head} {{\n{unused}    abort();\n}}"))
    }

    /// The items of the file that something refers to, in order.
    pub fn items(&mut self, main: &str, globals: &[String]) -> Result<String, Unsupported> {
        loop {
            let mut items: Vec<(String, Option<String>)> = Vec::new();
            let count = u32::try_from(self.unit.source.root.child_count()).unwrap_or(0);
            for node in (0..count).filter_map(|index| self.unit.source.root.child(index)) {
                self.item(node, &mut items)?;
            }
            items.extend(globals.iter().map(|it| (it.clone(), global_name(it))));
            let kept = referred(&items, main);
            let missing = self.initial_functions(&kept);
            if missing.is_empty() {
                return Ok(kept.join("\n"));
            }
            self.functions(missing.iter())?;
        }
    }

    /// Functions that a variable begins with.
    fn initial_functions(&self, items: &[&str]) -> Vec<String> {
        let values = items.iter().filter(|it| !it.starts_with('\n'));
        let values = values.filter_map(|it| it.split_once(" = ")).map(|it| unquoted(it.1));
        let named: BTreeSet<String> =
            values.flat_map(|it| words(&it).map(str::to_owned).collect::<Vec<_>>()).collect();
        let is_missing = |it: &String| {
            self.unit.functions.contains_key(it.as_str()) && !self.kept.contains_key(it)
        };
        named.into_iter().filter(is_missing).collect()
    }

    /// The text of an item, with its name if it is dropped where nobody uses it.
    fn item(
        &self,
        node: Node<'a>,
        items: &mut Vec<(String, Option<String>)>,
    ) -> Result<(), Unsupported> {
        match node.kind() {
            "comment" | "preproc_include" | ";" | "\n" => {}
            "function_definition" => {
                let name = declared_name(node).map_or("", |it| self.unit.text(it));
                items.extend(self.kept.get(name).map(|text| (format!("\n{text}"), None)));
            }
            "declaration" => self.declaration(node, items)?,
            kind if kind.starts_with("preproc_if") => {
                let inside = descendants(node).find(|it| it.kind() == "function_definition");
                if let Some(inside) = inside {
                    return Err(self
                        .unit
                        .unsupported("a function in conditional compilation", inside));
                }
                items.push((self.unit.text(node).trim_end().to_owned(), None));
            }
            kind if kind.starts_with("preproc_") => {
                let text = self.unit.text(node).trim_end().to_owned();
                let name = field(node, "name").map(|it| self.unit.text(it).to_owned());
                items.push((text, name));
            }
            _ => {
                let mut text = self.text(node)?.0;
                if !text.ends_with(';') {
                    text.push(';');
                }
                items.push((text, None));
            }
        }
        Ok(())
    }

    fn declaration(
        &self,
        node: Node<'a>,
        items: &mut Vec<(String, Option<String>)>,
    ) -> Result<(), Unsupported> {
        let all = declarators(node);
        let words: Vec<&str> = specifiers(node).into_iter().map(|it| self.unit.text(it)).collect();
        let has_body = descendants(node).any(|it| it.kind() == "field_declaration_list");
        let own = |it: &&str| matches!(*it, "_Thread_local" | "__thread" | "thread_local");
        if all.is_empty() || (has_body && !words.iter().any(own)) {
            let name = match all[..] {
                [one] => declared_name(one).map(|it| self.unit.text(it).to_owned()),
                _ => None,
            };
            items.push((self.text(node)?.0, name));
            return Ok(());
        }
        if words.iter().any(own) {
            return Ok(());
        }
        let mut base = Vec::new();
        for word in specifiers(node) {
            base.push(self.text(word)?.0);
        }
        for declarator in all {
            let Some(name) = declared_name(declarator) else { continue };
            let name = self.unit.text(name);
            let is_function = descendants(declarator).any(|it| it.kind() == "function_declarator")
                && !descendants(declarator).any(|it| it.kind() == "parenthesized_declarator");
            if is_function && !self.kept.contains_key(name) {
                continue;
            }
            let text = format!("{} {};", base.join(" "), self.text(declarator)?.0);
            items.push((text, Some(name.to_owned())));
        }
        Ok(())
    }
}

fn is_error_call(name: &str) -> bool {
    matches!(name, "reach_error" | "__VERIFIER_error")
}

/// The name of a variable that was added.
fn global_name(text: &str) -> Option<String> {
    let declared = text.strip_prefix("static ")?;
    let head = declared.split(['=', ';', '[']).next()?;
    words(head).last().map(str::to_owned)
}

/// Items that nothing refers to are left out: they would be warned of.
fn referred<'i>(items: &'i [(String, Option<String>)], main: &'i str) -> Vec<&'i str> {
    let mut wanted: BTreeSet<&str> = words(main).collect();
    let mut kept: Vec<bool> = items.iter().map(|it| it.1.is_none()).collect();
    for (text, _) in items.iter().filter(|it| it.1.is_none()) {
        wanted.extend(words(text));
    }
    loop {
        let mut changed = false;
        for (index, (text, name)) in items.iter().enumerate() {
            let is_wanted = name.as_deref().is_some_and(|it| wanted.contains(it));
            if !kept[index] && is_wanted {
                (kept[index], changed) = (true, true);
                wanted.extend(words(text));
            }
        }
        if !changed {
            break;
        }
    }
    let kept = items.iter().zip(kept).filter(|(_, kept)| *kept).map(|((text, _), _)| text.as_str());
    kept.collect()
}
