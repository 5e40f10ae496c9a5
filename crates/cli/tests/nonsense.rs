//! No answer depends on a word of a report.
//!
//! Built with the feature `nonsense`, every sentence is turned round (`unravel_report::words`). The
//! expectations of the corpus then still hold: `make test` runs the tests of `corpus.rs` with that
//! build, for verdicts and causes; repairs are looked at here.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use serde_json::Value;
use support::{corpus, failures, json, none_fail};
use unravel_corpus::CorpusProgram;

/// One of so many programs is repaired, besides the figures.
const FRACTION: usize = 12;

#[test]
fn the_sentences_are_nonsense_and_the_codes_are_not() {
    let (exit, report) = json(&["check", "corpus/figures/conc_xy.c"]);
    let finding = &report["findings"][0];
    assert_eq!((exit, finding["kind"].as_str()), (1, Some("assertion")));
    let message = finding["message"].as_str().expect("a message");
    let turned: String = message.chars().rev().collect();
    assert!(turned.starts_with("assertion `") && turned.ends_with("can fail"), "{message}");
}

/// The kinds of repair that a program gets, best first.
fn kinds(program: &CorpusProgram) -> Vec<String> {
    let mut args = vec!["repair", program.shown.as_str()];
    args.extend(program.header.flags.args());
    let (_, report) = json(&args);
    let repairs = report["findings"][0]["repairs"].as_array().cloned().unwrap_or_default();
    let kind = |repair: &Value| repair["kind"].as_str().unwrap_or_default().to_owned();
    repairs.iter().map(kind).collect()
}

#[test]
fn repairs_are_those_of_the_headers() {
    let mut programs = corpus();
    programs.retain(|it| it.header.repair.is_some());
    let (figures, others): (Vec<CorpusProgram>, Vec<CorpusProgram>) =
        programs.into_iter().partition(|it| it.directory() == "figures");
    let chosen: Vec<CorpusProgram> =
        figures.into_iter().chain(others.into_iter().step_by(FRACTION)).collect();
    assert!(chosen.len() > 20, "{} programs", chosen.len());
    none_fail(&failures(&chosen, |program| {
        let wanted = program.header.repair.iter().flatten().next().map(|kind| kind.code());
        let found = kinds(program);
        if found.first().map(String::as_str) == wanted {
            return Ok(());
        }
        Err(format!("{}: {found:?} instead of {wanted:?} first", program.shown))
    }));
}
