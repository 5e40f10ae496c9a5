//! Functions of the text, and what their expressions are called where they are called.

use tree_sitter::Node;
use unravel_span::Span;

use crate::Sources;
use crate::expr::{call, declared};
use crate::source::{Source, ancestors, descendants};

/// A function that is defined in the files.
#[derive(Clone, Debug)]
pub struct Function<'a> {
    /// Its file.
    pub source: Source<'a>,
    /// Its definition.
    pub node: Node<'a>,
    /// Its name.
    pub name: &'a str,
}

impl<'a> Function<'a> {
    /// The names of its parameters.
    pub fn parameters(&self) -> Vec<&'a str> {
        let declarator = self.node.child_by_field_name("declarator");
        let list = declarator.into_iter().flat_map(descendants);
        let list = list.filter(|it| it.kind() == "parameter_list").take(1);
        let all = list.flat_map(|list| {
            let mut cursor = list.walk();
            list.named_children(&mut cursor).collect::<Vec<_>>()
        });
        let named = all.filter_map(|it| declared(it.child_by_field_name("declarator")?));
        named.map(|it| self.source.text_of(it)).collect()
    }

    /// An expression of the function as its caller would write it: `&f->lock` is `&flight.lock` for
    /// a call with `&flight` as `f`. `None` if an argument is more than a name with members.
    #[must_use]
    pub fn at_call(&self, arguments: &[&str], expression: &str) -> Option<String> {
        let parameters = self.parameters();
        let (mut result, mut rest) = (String::new(), expression);
        while let Some(first) = rest.chars().next() {
            let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length.max(first.len_utf8()));
            rest = behind;
            let is_member = result.ends_with('.') || result.ends_with("->");
            let at = parameters.iter().position(|it| *it == word && !is_member);
            let Some(at) = at else {
                result.push_str(word);
                continue;
            };
            let argument = arguments.get(at)?.trim();
            let object = argument.strip_prefix('&');
            if !object.unwrap_or(argument).chars().all(|c| is_word(c) || ".->[]".contains(c)) {
                return None;
            }
            match (object, rest.strip_prefix("->")) {
                (Some(object), Some(member)) => {
                    result.extend([object, "."]);
                    rest = member;
                }
                _ => result.push_str(argument),
            }
        }
        Some(result)
    }
}

pub(crate) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// All functions that the files define.
#[must_use]
pub fn all_defined<'a>(sources: &'a Sources<'_>) -> Vec<Function<'a>> {
    let files = sources.files().iter().filter_map(|(file, _)| sources.source(file));
    files.flat_map(|source| source.functions()).collect()
}

/// The function of a name, if the files define one only.
#[must_use]
pub fn defined<'a>(sources: &'a Sources<'_>, name: &str) -> Option<Function<'a>> {
    let mut found = all_defined(sources).into_iter().filter(|it| it.name == name);
    let function = found.next()?;
    found.next().is_none().then_some(function)
}

/// What an expression is called one call further out, where the call is at a place.
#[must_use]
pub fn at_caller(sources: &Sources<'_>, expression: &str, at: Span) -> Option<String> {
    let (source, offset) = sources.locate(at).ok()?;
    let node = ancestors(source.node_at(offset)?).find(|it| it.kind() == "call_expression")?;
    let (name, arguments) = call(&source, node)?;
    let arguments: Vec<&str> = arguments.into_iter().map(|it| source.text_of(it)).collect();
    defined(sources, name)?.at_call(&arguments, expression)
}
