//! With `--races` every command that explains a failure still answers.
//!
//! Most programs that fail have data races, too. A race is a matter of its own: a run that fails or
//! passes otherwise goes on after it. No answer may be withheld for it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::engines::{StopAfter, load_corpus_program, options};
use support::{code, failing_in, failures, json, stderr, unravel};
use unravel_corpus::CorpusProgram;
use unravel_driver::{
    CheckOptions, Checked, CompareOptions, Engine, InternalFailure, compare, diagnose, localize,
};
use unravel_interp::Property;
use unravel_program::Program;

/// Checks of its watch after which a command is stopped, which is an answer, too: a bound that does
/// not depend on the machine.
const CHECKS: u64 = 2_000;

/// A command, by its name.
type Explained = fn(&Program, &CheckOptions) -> Result<Checked, InternalFailure>;

const COMMANDS: [(&str, Explained); 3] = [
    ("diagnose", |program, options| diagnose(program, options, &mut StopAfter(CHECKS))),
    ("compare", |program, options| {
        let how =
            CompareOptions { equal_weights: false, linear: false, search: None, conflicts: 2_000 };
        compare(program, options, &how, &mut StopAfter(CHECKS))
    }),
    ("localize", |program, options| localize(program, options, &mut StopAfter(CHECKS))),
];

fn with_races(program: &CorpusProgram) -> CheckOptions {
    options(Engine::Sat, program.header.flags.properties.with(Property::Race))
}

#[test]
fn no_explanation_is_withheld_for_a_race() {
    let programs = failing_in(&["figures", "mistakes", "primitives", "semantics"]);
    assert!(programs.len() >= 100, "only {} programs", programs.len());
    let failed = failures(&programs, |program| {
        let loaded = load_corpus_program(program).ok_or("does not compile")?;
        let options = with_races(program);
        for (name, command) in COMMANDS {
            command(&loaded, &options)
                .map_err(|failure| format!("{}: {name}: {failure}", program.shown))?;
        }
        Ok(())
    });
    assert!(failed.is_empty(), "{} are withheld:\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn what_fails_by_a_race_and_otherwise_is_repaired() {
    for program in ["primitives/mutex_bad.c", "figures/conc_xy.c", "mistakes/latch_lost.c"] {
        let path = format!("corpus/{program}");
        let output = unravel(&["repair", &path, "--races"]);
        assert_ne!(code(&output), 4, "{program}: {}", stderr(&output));
    }
}

/// A diagnosis has the race and the assertion, and the cause of the assertion is that without races.
#[test]
fn the_cause_of_an_assertion_is_the_same_beside_a_race() {
    let orders = |report: &serde_json::Value| {
        let findings = report["findings"].as_array().expect("findings");
        let assertion = findings.iter().find(|it| it["property"] == "reach").expect("it fails");
        let count = |core: &serde_json::Value| core["orders"].as_array().map_or(0, Vec::len);
        let cores = assertion["cores"].as_array().expect("cores");
        let mut sizes: Vec<usize> = cores.iter().map(count).collect();
        sizes.sort_unstable();
        sizes
    };
    let (_, alone) = json(&["diagnose", "corpus/primitives/mutex_bad.c"]);
    let (_, beside) = json(&["diagnose", "corpus/primitives/mutex_bad.c", "--races"]);
    assert_eq!(orders(&alone), orders(&beside));
    let has_race = |it: &serde_json::Value| it["property"] == "race";
    assert!(beside["findings"].as_array().is_some_and(|all| all.iter().any(has_race)));
}

/// A thread that polls alone for ever: the race is shown where it happens.
#[test]
fn the_run_to_a_race_is_short_where_a_thread_polls_for_ever() {
    let (code, report) = json(&["check", "corpus/semantics/polls_alone_bad.c", "--races"]);
    assert_eq!(code, 1);
    let steps = report["findings"][0]["schedule"].as_array().map_or(0, Vec::len);
    assert!((1..=12).contains(&steps), "{steps} steps");
}
