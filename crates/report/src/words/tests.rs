//! Every kind has a sentence, and every renderer shows it.
//!
//! The lists of kinds are in `kinds` (those that stages pass on) and `explained` (the rest of the
//! report's data). Each ends in a `match` without a wildcard: a new variant does not compile until
//! an example of it is listed.

mod explained;
mod kinds;
mod reports;
#[cfg(not(feature = "nonsense"))]
mod unseen;

use serde_json::Value;

use crate::text::{Style, render};
use crate::{json, sarif, words};
use reports::{Example, Line};

/// Examples of every variant of an enumeration. A variant that is not listed does not compile.
macro_rules! one_of_each {
    ($name:ident { $($pattern:pat => [$($example:expr),* $(,)?]),+ $(,)? }) => {
        one_of_each!($name: with_data [$($pattern => [$($example),*]),+] without_data [])
    };
    (
        $name:ident: with_data [$($pattern:pat => [$($example:expr),* $(,)?]),+ $(,)?]
        without_data [$($variant:ident),* $(,)?]
    ) => {{
        fn is_listed(it: &$name) {
            match it {
                $($pattern => {})+
                $($name::$variant => {})*
            }
        }
        let mut all: Vec<$name> = Vec::new();
        $({
            let examples: Vec<$name> = vec![$($example),*];
            assert!(examples.iter().all(|it| matches!(it, $pattern)), "{}", stringify!($pattern));
            all.extend(examples);
        })+
        let rest: Vec<$name> = vec![$($name::$variant),*];
        all.extend(rest);
        all.iter().for_each(is_listed);
        all
    }};
}

/// Checks that a list has an example of every variant. A variant that is not named does not
/// compile.
macro_rules! assert_covers {
    ($all:expr, $($pattern:pat),+ $(,)?) => {
        for it in $all.iter() {
            match it {
                $($pattern => {})+
            }
        }
        $(assert!($all.iter().any(|it| matches!(it, $pattern)), "{}", stringify!($pattern));)+
    };
}

use {assert_covers, one_of_each};

/// What may have no sentence: two steps that say nothing together, and a cause of which only the
/// name is known.
const MAY_BE_EMPTY: [&str; 2] = ["consequence", "cause"];

#[test]
fn every_kind_renders_in_text() {
    // The table of steps and the orders are cut to the width; the rest is only wrapped.
    const WHOLE: [&str; 10] = [
        "violation",
        "related",
        "reason",
        "help",
        "cut",
        "not modelled",
        "handed over",
        "remark",
        "cause",
        "fault remark",
    ];
    for Example { report, lines } in reports::all() {
        for (width, unicode, verbose) in [(30, false, true), (60, true, false), (200, true, true)] {
            let text = render(&report, Style { color: false, unicode, width, verbose });
            assert_eq!(text.matches("SUMMARY: ").count(), 1, "{text}");
        }
        let style = Style { color: false, unicode: false, width: 100, verbose: true };
        let text = without_spaces(&render(&report, style));
        for line in lines.iter().filter(|line| WHOLE.contains(&line.about)) {
            assert!(text.contains(&without_spaces(&line.text)), "{line:?}\n{text}");
        }
    }
}

fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn every_kind_renders_in_json() {
    let schema = include_str!("../../../../docs/report.schema.json");
    let schema = jsonschema::draft202012::new(&serde_json::from_str(schema).unwrap()).unwrap();
    for Example { report, lines } in reports::all() {
        let document: Value = serde_json::from_str(&json::render(&report, "0.1.0")).unwrap();
        let errors: Vec<String> = schema.iter_errors(&document).map(|it| it.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{lines:?}\n{document:#}");
        let texts = texts(&document);
        for line in &lines {
            assert!(texts.contains(&line.text.as_str()), "{line:?}\n{document:#}");
        }
    }
}

/// All texts of a document.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Object(map) => map.values().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

#[test]
fn every_kind_renders_in_sarif() {
    for Example { report, .. } in reports::all() {
        let log: Value = serde_json::from_str(&sarif::render(&report, "0.1.0")).unwrap();
        let run = &log["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), report.findings.len());
        for (result, finding) in results.iter().zip(&report.findings) {
            let text = result["message"]["text"].as_str().unwrap();
            let message = words::violation::message(&finding.kind);
            assert!(text.starts_with(&message), "{text}");
            let rule = &run["tool"]["driver"]["rules"][0];
            assert_eq!(rule["id"], finding.kind.code());
        }
        let notes = &run["invocations"][0]["toolExecutionNotifications"];
        let least = report.reasons.len() + report.unsupported.len();
        assert!(notes.as_array().unwrap().len() >= least, "{notes:#}");
    }
}

#[test]
fn only_what_says_nothing_has_no_sentence() {
    for Line { about, kind, text } in reports::all().into_iter().flat_map(|it| it.lines) {
        assert!(!text.is_empty() || MAY_BE_EMPTY.contains(&about), "{about} {kind}");
        if about == "cause" {
            let says_nothing = kind.ends_with(" Unknown") || kind.ends_with(" Circle");
            assert!(!text.is_empty() || says_nothing, "{kind}");
        }
    }
}

#[cfg(not(feature = "nonsense"))]
mod in_english {
    use expect_test::expect_file;

    use super::reports::Line;
    use super::{kinds, reports, unseen};
    use crate::words::violation;

    /// What is left of a value that is printed instead of put into words.
    const NOT_ENGLISH: [&str; 8] = ["{", "}", "Some(", "None", "Named(", "::", "  ", " ,"];

    fn lines() -> Vec<Line> {
        let shown = reports::all().into_iter().flat_map(|it| it.lines);
        shown.chain(unseen::lines()).collect()
    }

    #[test]
    fn sentences_can_stand_inside_others() {
        let is_clause = |line: &&Line| line.about != "rule" && !line.text.is_empty();
        for Line { about, kind, text } in lines().iter().filter(is_clause) {
            let what = format!("{about} {kind}: {text:?}");
            assert_eq!(text.trim(), text, "{what}");
            assert!(!text.ends_with(['.', ';', ':']), "{what}");
            // What is listed is a noun, which "is not modelled" may follow behind a comma.
            assert!(!text.ends_with(',') || *about == "not modelled", "{what}");
            assert!(!NOT_ENGLISH.iter().any(|it| text.contains(it)), "{what}");
            assert!(begins_small(text), "{what}");
        }
    }

    /// Whether it begins as in the middle of a sentence: only threads, `T1`, have a capital letter.
    fn begins_small(text: &str) -> bool {
        let mut chars = text.chars();
        let is_capital = chars.next().is_some_and(char::is_uppercase);
        let is_thread = text.starts_with('T') && chars.next().is_some_and(|c| c.is_ascii_digit());
        !is_capital || is_thread
    }

    #[test]
    fn texts_of_rules_are_whole_sentences() {
        for kind in kinds::violations() {
            let rule = violation::rule(&kind);
            let begins = |text: &str| text.starts_with(|c: char| c.is_uppercase() || c == '`');
            assert!(begins(&rule.short) && !rule.short.ends_with('.'), "{}", rule.short);
            for text in [rule.full, rule.help] {
                assert!(begins(text) && text.ends_with('.'), "{text}");
            }
        }
    }

    /// All sentences, one per line, behind what they are about and the first kind that has them.
    #[test]
    fn all_sentences() {
        let mut all: Vec<(&'static str, String, Vec<String>)> = Vec::new();
        for Line { about, kind, text } in lines() {
            match all.iter_mut().find(|it| it.0 == about && it.1 == text) {
                Some((_, _, kinds)) if kinds.contains(&kind) => {}
                Some((_, _, kinds)) => kinds.push(kind),
                None => all.push((about, text, vec![kind])),
            }
        }
        let mut written = String::new();
        for (about, text, kinds) in &all {
            let more = match kinds.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            written.push_str(format!("{about} [{}{more}]: {text}", kinds[0]).trim_end());
            written.push('\n');
        }
        expect_file!["tests/sentences.txt"].assert_eq(&written);
    }
}
