//! Guards pairs of statements of the programs of the corpus: what is not refused is still C, and the
//! mutex is taken and given back in turns on every way through every function.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod guard_support;

use guard_support::{balance::faults, check_compiles, edited};
use unravel_patch::guard::{Mutex, guard};
use unravel_patch::source::{called, descendants, is_statement};
use unravel_patch::{Region, Sources};
use unravel_span::{FileId, Files, Span};

/// Statements of a function from which pairs are made; more only repeat what these show.
const STATEMENTS: usize = 8;

/// Pairs of statements of one function each.
fn regions(sources: &Sources<'_>) -> Vec<Region> {
    let source = sources.source(FileId(0)).unwrap();
    let mut regions = Vec::new();
    for function in descendants(source.root).filter(|it| it.kind() == "function_definition") {
        let statements: Vec<_> =
            descendants(function).filter(|it| is_statement(*it)).take(STATEMENTS).collect();
        for (index, first) in statements.iter().enumerate() {
            for last in &statements[index..] {
                let span = |node: &tree_sitter::Node<'_>| {
                    let at = node.start_position();
                    Span::new(FileId(0), at.row as u32 + 1, at.column as u32 + 1)
                };
                regions.push(Region { first: span(first), last: span(last) });
            }
        }
    }
    regions
}

/// A new mutex, and the first that the program locks.
fn mutexes(sources: &Sources<'_>) -> Vec<(Mutex, String)> {
    let source = sources.source(FileId(0)).unwrap();
    let mut calls = descendants(source.root).filter_map(|it| called(&source, it));
    let locked =
        calls.find(|(name, _)| *name == "pthread_mutex_lock").and_then(|(_, it)| it.named_child(0));
    let new = Mutex::New { name: "region_lock".to_owned() };
    let mut mutexes = vec![(new, "&region_lock".to_owned())];
    if let Some(locked) = locked {
        let expression = source.text_of(locked).to_owned();
        mutexes.push((
            Mutex::Existing { expression: expression.clone(), others: Vec::new() },
            expression,
        ));
    }
    mutexes
}

#[test]
fn what_is_guarded_is_guarded_on_every_way() {
    let programs = unravel_corpus::all().unwrap_or_else(|error| panic!("{error}"));
    let (mut made, mut refused, mut wrong) = (0, 0, String::new());
    for (number, program) in programs.iter().enumerate() {
        let (path, text) = (&program.path, &program.text);
        let mut files = Files::new();
        let file = files.intern("a.c");
        files.set_text(file, text.clone());
        let sources = Sources::parse(&files);
        // One result of every tenth program is compiled: gcc takes longer than all the rest.
        let mut untried = number % 10 == 0 && check_compiles(path, text).is_empty();
        for (mutex, expression) in mutexes(&sources) {
            if !faults(text, &expression).is_empty() {
                continue;
            }
            for (index, region) in regions(&sources).iter().enumerate() {
                let Ok(guarded) = guard(&sources, &[*region], &mutex) else {
                    refused += 1;
                    continue;
                };
                made += 1;
                let result = edited(&files, file, &guarded.edits);
                let mut found = faults(&result, &expression);
                if untried && index > 7 {
                    untried = false;
                    found.extend(Some(check_compiles(path, &result)).filter(|it| !it.is_empty()));
                }
                if !found.is_empty() && wrong.len() < 20_000 {
                    wrong += &format!("{} {region:?}\n{found:?}\n{result}\n", path.display());
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(made > 1000 && made > refused, "{made} made, {refused} refused");
    println!("{made} made, {refused} refused");
}
