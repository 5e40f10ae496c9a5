//! Functions that take the mutex themselves and are called where it is held now: they stop taking
//! it, and all their other callers hold it instead.
//!
//! The classical case is a test and an act in two functions that each lock for themselves. What a
//! mutex is called differs from function to function; it is followed through the arguments.

use std::collections::BTreeSet;

use tree_sitter::Node;

use super::lock::{Lock, Operation};
use super::run::{self, Run};
use super::{Group, add_to_group};
use crate::exits::refuse;
use crate::expr::{call, declared};
use crate::functions::{Function, defined};
use crate::place::span_of;
use crate::source::{Source, ancestors, descendants};
use crate::spelling::has_givers;
use crate::{Refusal, Region, Sources};

/// A function that takes the mutex.
#[derive(Debug)]
pub(super) struct Taker<'a> {
    pub function: Function<'a>,
    /// The mutex, as the function calls it.
    pub lock: Lock,
}

/// The functions that are called in the runs and take the mutex, and those that they call.
///
/// # Errors
/// If one of them takes it without giving it back, and another function does that: their callers
/// count on both. One that merely forgets to is mended by this.
pub(super) fn takers<'a>(
    sources: &'a Sources<'_>,
    groups: &[Group<'a>],
) -> Result<Vec<Taker<'a>>, Refusal> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open: Vec<(Source<'a>, Node<'a>, Lock)> = Vec::new();
    for (lock, run) in groups.iter().flat_map(|(lock, runs)| runs.iter().map(move |it| (lock, it)))
    {
        open.extend(run.parts().into_iter().map(|it| (run.source, it, lock.clone())));
    }
    while let Some((source, node, lock)) = open.pop() {
        for (name, arguments) in descendants(node).filter_map(|it| call(&source, it)) {
            if !seen.insert((name, lock.key())) {
                continue;
            }
            let Some(function) = defined(sources, name) else { continue };
            let arguments: Vec<&str> = arguments.iter().map(|it| source.text_of(*it)).collect();
            let own = lock.taken_by(sources, &function).into_iter().find(|own| {
                own.at_call(&function, &arguments).is_some_and(|it| it.key() == lock.key())
            });
            let inner = own.clone().unwrap_or_else(|| lock.clone());
            open.push((function.source, function.node, inner));
            if let Some(lock) = own {
                let taker = Taker { lock, function };
                if !taker.gives_back() && has_givers(sources) {
                    let why = "the mutex is taken by a function that keeps it for its callers";
                    return Err(refuse(&taker.function.source, why, taker.function.node));
                }
                found.push(taker);
            }
        }
    }
    Ok(found)
}

/// The runs that are left, and the other calls of the functions that no longer lock: what is in
/// such a function is done with the mutex held.
pub(super) fn lifted<'a>(
    sources: &'a Sources<'_>,
    groups: Vec<Group<'a>>,
    takers: &[Taker<'a>],
) -> Result<Vec<Group<'a>>, Refusal> {
    let mut result: Vec<Group<'a>> = Vec::new();
    let held: Vec<Run<'a>> = groups.iter().flat_map(|(_, runs)| runs.iter().cloned()).collect();
    for (lock, runs) in groups {
        let is_held = |run: &Run<'a>| {
            takers.iter().any(|it| {
                is_inside(&it.function, &run.source, run.first) && it.lock.key() == lock.key()
            })
        };
        for run in runs.into_iter().filter(|run| !is_held(run)) {
            add_to_group(&mut result, lock.clone(), run);
        }
    }
    for taker in takers {
        for (lock, run) in taker.sites(sources, &held, takers)? {
            add_to_group(&mut result, lock, run);
        }
    }
    for (lock, runs) in &mut result {
        *runs = run::join(std::mem::take(runs));
        runs.iter().try_for_each(|run| lock.check_scope(sources, run))?;
    }
    Ok(result)
}

impl<'a> Taker<'a> {
    fn gives_back(&self) -> bool {
        let source = &self.function.source;
        let operations = descendants(self.function.node);
        operations
            .into_iter()
            .any(|it| self.lock.own_operation(source, it) == Some(Operation::Unlock))
    }

    /// The statements that take the mutex and give it back.
    pub(super) fn operations(&self) -> Result<Vec<Node<'a>>, Refusal> {
        let source = &self.function.source;
        let mut operations = Vec::new();
        for node in descendants(self.function.node) {
            self.lock.check_calls(source, node)?;
            if self.lock.own_operation(source, node).is_some() {
                operations.push(node);
            }
        }
        Ok(operations)
    }

    /// Where else it is called: outside the runs, and not by functions that are called with the
    /// mutex held.
    pub(super) fn sites(
        &self,
        sources: &'a Sources<'_>,
        runs: &[Run<'a>],
        takers: &[Taker<'a>],
    ) -> Result<Vec<(Lock, Run<'a>)>, Refusal> {
        let mut sites = Vec::new();
        for (source, name) in mentions(sources, self.function.name) {
            let is_held = runs.iter().any(|run| run.holds(&source, name))
                || takers.iter().any(|it| is_inside(&it.function, &source, name));
            if !is_held {
                sites.push(self.site(sources, source, name)?);
            }
        }
        Ok(sites)
    }

    fn site(
        &self,
        sources: &'a Sources<'_>,
        source: Source<'a>,
        name: Node<'a>,
    ) -> Result<(Lock, Run<'a>), Refusal> {
        let why = "a function that would no longer lock is called through a pointer";
        let node = name.parent().filter(|it| it.child_by_field_name("function") == Some(name));
        let call =
            node.and_then(|it| call(&source, it)).ok_or_else(|| refuse(&source, why, name))?;
        let arguments: Vec<&str> = call.1.iter().map(|it| source.text_of(*it)).collect();
        let why = "a caller cannot name the mutex of a function that would no longer lock";
        let lock = self.lock.at_call(&self.function, &arguments);
        let lock = lock.ok_or_else(|| refuse(&source, why, name))?;
        let at = span_of(&source, name);
        let run = run::find(sources, &Region { first: at, last: at })?;
        Ok((lock, run))
    }
}

/// The runs without those that only the others lead to: they are in functions that are called in
/// the sections of the others, and nowhere else.
pub(super) fn outermost<'a>(sources: &'a Sources<'_>, runs: Vec<Run<'a>>) -> Vec<Run<'a>> {
    let is_led_to = |run: &Run<'a>| {
        let name = run.function.child_by_field_name("declarator").and_then(declared);
        let uses = name.map_or(Vec::new(), |it| mentions(sources, run.source.text_of(it)));
        let others = || runs.iter().filter(|it| it.function != run.function);
        !uses.is_empty()
            && uses.iter().all(|(source, name)| others().any(|it| it.holds(source, *name)))
    };
    let kept: Vec<bool> = runs.iter().map(|run| !is_led_to(run)).collect();
    runs.into_iter().zip(kept).filter_map(|(run, is_kept)| is_kept.then_some(run)).collect()
}

/// Where a function is named, besides declarations and its definition.
fn mentions<'a>(sources: &'a Sources<'_>, function: &str) -> Vec<(Source<'a>, Node<'a>)> {
    let files = sources.files().iter().filter_map(|(file, _)| sources.source(file));
    let mut found = Vec::new();
    for source in files {
        let names = descendants(source.root)
            .filter(|it| it.kind() == "identifier" && source.text_of(*it) == function);
        let used = names
            .filter(|it| it.parent().is_none_or(|parent| parent.kind() != "function_declarator"));
        found.extend(used.map(|it| (source, it)));
    }
    found
}

fn is_inside(function: &Function<'_>, source: &Source<'_>, node: Node<'_>) -> bool {
    function.source.file == source.file && ancestors(node).any(|it| it == function.node)
}
