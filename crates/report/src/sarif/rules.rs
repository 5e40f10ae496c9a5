//! Texts that go with each kind of violation.

use serde_json::{Value, json};

use crate::model::Finding;

/// Kinds of the findings with their property, each once, in order.
pub fn used(findings: &[Finding]) -> Vec<(&'static str, &'static str)> {
    let mut kinds: Vec<(&'static str, &'static str)> = Vec::new();
    for finding in findings {
        if kinds.iter().all(|(kind, _)| *kind != finding.kind) {
            kinds.push((finding.kind, finding.property));
        }
    }
    kinds
}

/// A rule.
pub fn rule(kind: &str, property: &str) -> Value {
    let texts = texts(kind, property);
    json!({
        "id": kind,
        "name": camel(kind),
        "shortDescription": { "text": texts.short },
        "fullDescription": { "text": texts.full },
        "help": { "text": texts.help },
        "defaultConfiguration": { "level": "error" },
        "properties": {
            "precision": "very-high",
            "problem.severity": "error",
            "tags": ["concurrency", property],
        },
    })
}

/// `use-after-free` as `UseAfterFree`.
fn camel(kind: &str) -> String {
    let word = |word: &str| -> String {
        let mut rest = word.chars();
        let first = rest.next().map(|c| c.to_ascii_uppercase());
        first.into_iter().chain(rest).collect()
    };
    kind.split('-').map(word).collect()
}

struct Texts {
    short: String,
    full: &'static str,
    help: &'static str,
}

fn texts(kind: &str, property: &str) -> Texts {
    let (what, full, help) = of_property(property);
    let short = match kind {
        "assertion" => "An assertion can fail",
        "abort" => "`abort` can be reached",
        "error-call" => "The error call can be reached",
        "data-race" => "Two threads access a variable without an order between them",
        "lock-cycle" => "Threads wait for each other",
        "no-progress" => "Threads wait and nobody can wake them",
        "use-after-free" => "Memory is used after it was freed",
        "double-free" => "Memory is freed twice",
        "null-dereference" => "A null pointer is dereferenced",
        "out-of-bounds" => "An access lies outside its object",
        _ => return Texts { short: format!("{what}: {}", kind.replace('-', " ")), full, help },
    };
    Texts { short: short.to_owned(), full, help }
}

/// What a property means in a word and in a sentence, and what to do about a violation.
fn of_property(property: &str) -> (&'static str, &'static str, &'static str) {
    match property {
        "reach" => (
            "Failed check",
            "Some order in which the threads run reaches a failing assertion or an error call.",
            "Follow the code flow: look for a step of one thread between two steps of another \
             that belong together, or before a step it should wait for. Guard the steps that \
             belong together with one mutex, or make the thread wait.",
        ),
        "memory" => (
            "Memory error",
            "Some order in which the threads run accesses memory that is not valid at that moment.",
            "Follow the code flow: find the step that frees or changes the memory, and make it \
             wait until no other thread uses it.",
        ),
        "deadlock" => (
            "Deadlock",
            "Some order in which the threads run leaves threads waiting forever.",
            "Follow the code flow: take locks in the same order in all threads, and wait for a \
             condition in a loop that checks it under the mutex.",
        ),
        "misuse" => (
            "Misuse of locks or threads",
            "Some order in which the threads run calls the thread library in a way that it \
             leaves undefined.",
            "Follow the code flow: initialize before use, unlock only what the thread holds, \
             join each thread once, and destroy only what nobody uses.",
        ),
        "race" => (
            "Data race",
            "Two threads access the same memory, at least one of them writes, and no lock, join \
             or atomic operation orders the accesses: the program has undefined behaviour.",
            "Guard both accesses with the same mutex, or make the variable atomic.",
        ),
        "ub" => (
            "Undefined behaviour",
            "Some order in which the threads run executes an operation that C leaves undefined.",
            "Follow the code flow: find where the operand gets its value, and check it before.",
        ),
        _ => (
            "Violation",
            "Some order in which the threads run violates the property.",
            "Follow the code flow: it is one run of the program that ends in the violation.",
        ),
    }
}
