//! `compare` on the corpus: every search against all passing runs. The exact ones find the closest,
//! by both algorithms and both weightings, and the progressive one none that is closer.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/closest.rs"]
mod closest;
#[path = "support/comparing.rs"]
mod comparing;
mod support;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use comparing::{Judged, Outcome, judge, judge_changed};
use support::engines::{load, options, properties};
use support::{c_files, failures, root};
use unravel_driver::{Engine, TrackedComparison};
use unravel_interp::{Properties, Property};

fn failing_programs() -> Vec<PathBuf> {
    let folders =
        ["alves", "figures", "concbugassist", "mistakes", "primitives", "semantics", "compare"];
    let files = folders.iter().flat_map(|it| c_files(&format!("corpus/{it}")));
    files
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("readable");
            let (header, _) = text.split_once("*/").expect("a header");
            // A race is there in whatever order, so there is nothing to compare.
            header.contains("verdict: unsafe") && !header.contains("flags: --races")
        })
        .collect()
}

/// What a program is checked for, by the flags of its header.
fn checked_for(path: &Path) -> Properties {
    let text = std::fs::read_to_string(path).expect("readable");
    if text.contains("flags: --only reach\n") {
        return Properties::NONE.with(Property::Reach);
    }
    if text.contains("flags: --ub\n") { properties().with(Property::Ub) } else { properties() }
}

/// What became of all programs, by name.
fn outcomes() -> BTreeMap<String, Outcome> {
    let outcomes: Mutex<BTreeMap<String, Outcome>> = Mutex::default();
    let failed = failures(&failing_programs(), |path| {
        let shown = path.strip_prefix(root()).expect("below the root").display().to_string();
        let program = load(path).ok_or(format!("{shown}: does not compile"))?;
        let outcome = judge(&program, &options(Engine::Sat, checked_for(path)));
        let outcome = outcome.map_err(|why| format!("{shown}: {why}"))?;
        outcomes.lock().expect("no panic before").insert(shown, outcome);
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
    let (bugs, enumerated) = (count(Judged::is_bug), count(Judged::is_enumerated));
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
    let program = load(&root().join("corpus/figures/conc_xy.c")).expect("it compiles");
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
