//! What is kept of the source: types, macros, variables and functions that something refers to.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;
use unravel_patch::source::descendants;

use crate::Unsupported;
use crate::text::{Renamer, Scope};
use crate::tree::{declarators, declared_name, field, parameters, specifiers};
use crate::unit::{Unit, words};

/// Something at file scope.
struct Item {
    text: String,
    /// Its name, if it is left out where nobody uses it.
    name: Option<String>,
    /// Functions of the program that it names.
    functions: BTreeSet<String>,
    /// It declares a type and nothing else.
    is_type: bool,
}

impl Item {
    fn new(text: impl Into<String>, name: Option<String>) -> Item {
        Item { text: text.into(), name, functions: BTreeSet::new(), is_type: false }
    }
}

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
            let mut items: Vec<Item> = Vec::new();
            let count = u32::try_from(self.unit.source.root.child_count()).unwrap_or(0);
            for node in (0..count).filter_map(|index| self.unit.source.root.child(index)) {
                self.item(node, &mut items)?;
            }
            items.extend(globals.iter().map(|it| Item::new(it, global_name(it))));
            let kept = referred(&items, main);
            let missing = self.initial_functions(&kept);
            if missing.is_empty() {
                let texts: Vec<&str> = kept.iter().map(|it| it.text.as_str()).collect();
                return Ok(texts.join("\n"));
            }
            self.functions(missing.iter())?;
        }
    }

    /// Functions that a variable begins with.
    fn initial_functions(&self, items: &[&Item]) -> Vec<String> {
        let named: BTreeSet<&String> = items.iter().flat_map(|it| &it.functions).collect();
        named.into_iter().filter(|it| !self.kept.contains_key(*it)).cloned().collect()
    }

    /// The text of an item, with its name if it is dropped where nobody uses it.
    fn item(&self, node: Node<'a>, items: &mut Vec<Item>) -> Result<(), Unsupported> {
        match node.kind() {
            "comment" | "preproc_include" | ";" | "\n" => {}
            "function_definition" => {
                let name = declared_name(node).map_or("", |it| self.unit.text(it));
                items.extend(self.kept.get(name).map(|text| Item::new(format!("\n{text}"), None)));
            }
            "declaration" => self.declaration(node, items)?,
            kind if kind.starts_with("preproc_if") => {
                let mut inside = descendants(node).filter(|it| it.kind() == "function_definition");
                // What the compiler has not seen stays as unseen.
                if let Some(inside) = inside.find(|it| self.is_compiled(*it)) {
                    return Err(self
                        .unit
                        .unsupported("a function in conditional compilation", inside));
                }
                items.push(Item::new(self.unit.text(node).trim_end(), None));
            }
            kind if kind.starts_with("preproc_") => {
                let text = self.unit.text(node).trim_end();
                let name = field(node, "name").map(|it| self.unit.text(it).to_owned());
                items.push(Item::new(text, name));
            }
            _ => {
                let (mut text, functions) = self.text(node)?;
                if !text.ends_with(';') {
                    text.push(';');
                }
                items.push(Item { text, name: None, functions, is_type: is_type(node) });
            }
        }
        Ok(())
    }

    /// Whether a function is part of the program, and not of another that the source could be.
    fn is_compiled(&self, definition: Node<'a>) -> bool {
        let name = declared_name(definition).map_or("", |it| self.unit.text(it));
        self.unit.program.functions.iter().any(|it| !it.library && it.name == name)
    }

    fn declaration(&self, node: Node<'a>, items: &mut Vec<Item>) -> Result<(), Unsupported> {
        let all = declarators(node);
        let words: Vec<&str> = specifiers(node).into_iter().map(|it| self.unit.text(it)).collect();
        let has_body = descendants(node).any(|it| it.kind() == "field_declaration_list");
        let own = |it: &&str| matches!(*it, "_Thread_local" | "__thread" | "thread_local");
        if all.is_empty() || (has_body && !words.iter().any(own)) {
            let name = match all[..] {
                [one] => declared_name(one).map(|it| self.unit.text(it).to_owned()),
                _ => None,
            };
            let (text, functions) = self.text(node)?;
            items.push(Item { text, name, functions, is_type: all.is_empty() });
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
            let (text, functions) = self.text(declarator)?;
            let text = format!("{} {text};", base.join(" "));
            items.push(Item { text, name: Some(name.to_owned()), functions, is_type: false });
        }
        Ok(())
    }
}

fn is_type(node: Node<'_>) -> bool {
    node.kind() == "type_definition" || node.kind().ends_with("_specifier")
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
fn referred<'i>(items: &'i [Item], main: &'i str) -> Vec<&'i Item> {
    let mut wanted = Wanted::default();
    wanted.take(main, false);
    let mut kept: Vec<bool> = items.iter().map(|it| it.name.is_none()).collect();
    for item in items.iter().filter(|it| it.name.is_none()) {
        wanted.take(&item.text, item.is_type);
    }
    loop {
        let mut changed = false;
        for (item, kept) in items.iter().zip(&mut kept) {
            if !*kept && wanted.has(item) {
                (*kept, changed) = (true, true);
                wanted.take(&item.text, item.is_type);
            }
        }
        if !changed {
            break;
        }
    }
    items.iter().zip(kept).filter(|(_, kept)| *kept).map(|(item, _)| item).collect()
}

/// Names that something refers to.
#[derive(Default)]
struct Wanted<'i> {
    /// Of variables, functions and macros.
    all: BTreeSet<&'i str>,
    /// Of macros only: as a variable it would be another one, a member or the tag of a type.
    macros: BTreeSet<&'i str>,
}

impl<'i> Wanted<'i> {
    fn take(&mut self, text: &'i str, is_type: bool) {
        // The size of a variable may be part of a type.
        let is_type = is_type && !text.contains("sizeof");
        let mut at = 0;
        for word in words(text) {
            let found = at + text[at..].find(word).unwrap_or(0);
            at = found + word.len();
            let before = text[..found].trim_end();
            let is_tag = ["struct", "union", "enum"].iter().any(|it| before.ends_with(it));
            let is_member =
                before.ends_with("->") || before.ends_with('.') && !before.ends_with("..");
            if is_type || is_tag || is_member {
                self.macros.insert(word);
            } else {
                self.all.insert(word);
            }
        }
    }

    fn has(&self, item: &Item) -> bool {
        let is_macro = item.text.starts_with('#');
        let is_named = |it: &str| self.all.contains(it) || is_macro && self.macros.contains(it);
        item.name.as_deref().is_some_and(is_named)
    }
}
