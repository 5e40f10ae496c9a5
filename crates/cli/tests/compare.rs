//! `compare` on the corpus: every search against all passing runs. The exact ones find the closest,
//! by both algorithms and both weightings, and the progressive one none that is closer.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/closest.rs"]
mod closest;
#[path = "support/comparing.rs"]
mod comparing;
mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;

use comparing::{Judged, Outcome, judge, judge_changed};
use support::engines::{load_corpus_program, options, properties};
use support::{corpus_program, failing_corpus, failures};
use unravel_corpus::CorpusProgram;
use unravel_driver::{Engine, TrackedComparison};
use unravel_interp::Property;

/// The failing programs, without those that fail by a data race: the race is there in whatever
/// order, so there is nothing to compare.
fn failing_programs() -> Vec<CorpusProgram> {
    let mut programs = failing_corpus();
    programs.retain(|it| !it.header.flags.properties.has(Property::Race));
    programs
}

/// What became of all programs, by name.
fn outcomes() -> BTreeMap<String, Outcome> {
    let outcomes: Mutex<BTreeMap<String, Outcome>> = Mutex::default();
    let failed = failures(&failing_programs(), |program| {
        let shown = &program.shown;
        let loaded = load_corpus_program(program).ok_or(format!("{shown}: does not compile"))?;
        let outcome = judge(&loaded, &options(Engine::Sat, program.header.flags.properties));
        let outcome = outcome.map_err(|why| format!("{shown}: {why}"))?;
        outcomes.lock().expect("no panic before").insert(shown.clone(), outcome);
        Ok(())
    });
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
    outcomes.into_inner().expect("no panic before")
}

#[test]
fn closest_runs_of_the_corpus_are_the_closest() {
    let outcomes = outcomes();
    let mut tally: BTreeMap<&Judged, Vec<&str>> = BTreeMap::new();
    for (name, outcome) in &outcomes {
        tally.entry(&outcome.judged).or_default().push(name);
    }
    for (judged, names) in &tally {
        println!("{}: {judged:?}", names.len());
        names.iter().filter(|_| !judged.is_enumerated()).for_each(|name| println!("  {name}"));
    }
    let count =
        |is_it: fn(&Judged) -> bool| outcomes.values().filter(|it| is_it(&it.judged)).count();
    // Who spins for ever does so as often as one likes: there is no such run to compare with.
    let spins = count(|it| matches!(it, Judged::NotEnumerable("somebody spins for ever")));
    let (bugs, enumerated) = (count(Judged::is_bug) - spins, count(Judged::is_enumerated));
    println!("{enumerated} of {bugs} held against all passing runs");
    assert!(enumerated * 5 >= bugs * 4, "only {enumerated} of {bugs} are small enough");

    let sizes: Vec<(usize, usize)> = outcomes.values().filter_map(|it| it.operations).collect();
    assert!(sizes.len() >= 130, "only {} compared", sizes.len());
    let ratio = |&(exact, near): &(usize, usize)| (near.max(1) as f64 / exact.max(1) as f64).ln();
    let mean = (sizes.iter().map(ratio).sum::<f64>() / sizes.len() as f64).exp();
    println!("operations of {}, progressive over exact: {mean:.2}", sizes.len());
    assert!(mean <= 1.5, "the progressive search differs in {mean:.2} times as many operations");
}

#[test]
fn wrong_comparisons_are_noticed() {
    let program = corpus_program("corpus/figures/conc_xy.c");
    let program = load_corpus_program(&program).expect("it compiles");
    let options = options(Engine::Sat, properties());
    let says = |change: &dyn Fn(&mut TrackedComparison)| {
        judge_changed(&program, &options, change).err().unwrap_or_default()
    };
    assert_eq!(says(&|_| {}), "");
    let farther = says(&|it| it.distance.switches += 1);
    assert!(farther.contains("should be the closest"), "{farther}");
    let closer = says(&|it| it.distance.switches = 0);
    assert!(closer.contains("is closer than the closest"), "{closer}");
    let other = says(&|it| it.distance.flows += 1);
    assert!(other.contains("is said of a run with"), "{other}");
    let half = says(&|it| it.passing.truncate(1));
    assert!(half.contains("it is not complete"), "{half}");
}
