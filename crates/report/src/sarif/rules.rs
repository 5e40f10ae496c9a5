//! Texts that go with each kind of violation.

use serde_json::{Value, json};

use unravel_kinds::ViolationKind;

use crate::model::Finding;
use crate::words::violation;

/// Kinds of the findings, each code once, in order.
pub fn used(findings: &[Finding]) -> Vec<&ViolationKind> {
    let mut kinds: Vec<&ViolationKind> = Vec::new();
    for finding in findings {
        if kinds.iter().all(|kind| kind.code() != finding.kind.code()) {
            kinds.push(&finding.kind);
        }
    }
    kinds
}

/// A rule.
pub fn rule(kind: &ViolationKind) -> Value {
    let texts = violation::rule(kind);
    json!({
        "id": kind.code(),
        "name": camel(kind.code()),
        "shortDescription": { "text": texts.short },
        "fullDescription": { "text": texts.full },
        "help": { "text": texts.help },
        "defaultConfiguration": { "level": "error" },
        "properties": {
            "precision": "very-high",
            "problem.severity": "error",
            "tags": ["concurrency", kind.property().name()],
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
