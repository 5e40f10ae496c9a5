//! Functions and macros that hand their arguments on to a function of the thread library:
//! `Cond_wait(&c, &m)` for `pthread_cond_wait`, with a check of the result.
//!
//! Textbooks and many programs call the library by such names only. What is known of the library's
//! calls is true of theirs, and a patch is written in the same words.

use std::collections::BTreeMap;

use tree_sitter::Node;

use crate::calls::{self, Act};
use crate::expr::descendants;
use crate::functions::{all_defined, is_word};
use crate::source::{Source, Sources};

/// The library's function behind each name.
#[derive(Debug, Default)]
pub struct Aliases(BTreeMap<String, &'static str>);

impl Aliases {
    /// Those that the files define.
    #[must_use]
    pub fn of(sources: &Sources<'_>) -> Aliases {
        let mut found: BTreeMap<String, Vec<Option<&'static str>>> = BTreeMap::new();
        for function in all_defined(sources) {
            let meant = by_function(&function.source, function.node, &function.parameters());
            found.entry(function.name.to_owned()).or_default().push(meant);
        }
        for (file, _) in sources.files().iter() {
            let Some(source) = sources.source(file) else { continue };
            let all = descendants(source.root).filter(|it| it.kind() == "preproc_function_def");
            for (name, meant) in all.filter_map(|it| by_macro(&source, it)) {
                found.entry(name.to_owned()).or_default().push(meant);
            }
        }
        // What is defined in two ways, by `#if`, must mean the same in both.
        let only = |all: Vec<Option<&'static str>>| {
            let first = all.first().copied().flatten()?;
            all.iter().all(|it| *it == Some(first)).then_some(first)
        };
        let known = found.into_iter().filter_map(|(name, all)| Some((name, only(all)?)));
        Aliases(known.collect())
    }

    /// The library's function behind a name that the program calls.
    #[must_use]
    pub fn meant<'n>(&self, name: &'n str) -> &'n str {
        self.0.get(name).copied().unwrap_or(name)
    }

    /// The program's own name of a function of the library.
    #[must_use]
    pub fn own_name(&self, function: &str) -> Option<&str> {
        self.0.iter().find(|(_, meant)| **meant == function).map(|(name, _)| name.as_str())
    }
}

/// What a function hands its parameters to, if it calls nothing else of the library.
fn by_function<'a>(
    source: &Source<'a>,
    definition: Node<'a>,
    parameters: &[&str],
) -> Option<&'static str> {
    let mut all = descendants(definition).filter_map(|it| calls::of(source, it));
    let call = all.next().filter(|_| all.next().is_none())?;
    let arguments: Vec<&str> = call.arguments.iter().map(|it| source.text_of(*it)).collect();
    let is_one = call.act != Act::Exit && !parameters.is_empty() && arguments == parameters;
    calls::library_name(call.name).filter(|_| is_one)
}

/// The same of a macro, with its name.
fn by_macro<'a>(source: &Source<'a>, node: Node<'a>) -> Option<(&'a str, Option<&'static str>)> {
    let text = |field| node.child_by_field_name(field).map(|it| source.text_of(it));
    let (name, parameters) = (text("name")?, text("parameters")?);
    Some((name, handed_on(text("value").unwrap_or(""), parameters)))
}

/// The only function of the library in a text, if it is called with just these parameters.
fn handed_on(value: &str, parameters: &str) -> Option<&'static str> {
    let words = value.split(|c: char| !is_word(c));
    let mut called = words.filter_map(calls::library_name);
    let function = called.next().filter(|_| called.next().is_none())?;
    let (_, behind) = value.split_once(function)?;
    let end = behind.find(')')?;
    let bare = |word: &str| word.replace(['(', ')', ' ', '\t'], "");
    let handed: Vec<String> = behind[..end].split(',').map(bare).collect();
    let wanted: Vec<String> = parameters.split(',').map(bare).collect();
    let is_one = calls::act(function) != Some(Act::Exit) && handed == wanted;
    is_one.then_some(function)
}

#[cfg(test)]
mod tests {
    use super::handed_on;

    #[test]
    fn a_macro_that_hands_all_on_is_another_name() {
        let wait = Some("pthread_cond_wait");
        assert_eq!(handed_on("assert(pthread_cond_wait(c, m) == 0);", "(c, m)"), wait);
        assert_eq!(handed_on("pthread_cond_wait( c , m )", "(c,m)"), wait);
        assert_eq!(handed_on("pthread_cond_wait(m, c)", "(c, m)"), None);
        assert_eq!(handed_on("pthread_cond_wait(&(q)->c, &(q)->m)", "(q)"), None);
        assert_eq!(handed_on("(pthread_mutex_lock(m), pthread_mutex_unlock(m))", "(m)"), None);
        assert_eq!(handed_on("pthread_exit(r)", "(r)"), None);
    }
}
