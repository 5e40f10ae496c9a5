//! `compare` on the corpus: both algorithms find runs that are equally close, and the progressive
//! search none that is closer.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/closest.rs"]
mod closest;
mod support;

use std::path::PathBuf;
use std::sync::Mutex;

use closest::least;
use support::engines::{Looks, load, options, properties};
use support::{c_files, failures, root};
use unravel_driver::{CompareOptions, Distance, Engine, HowClose, compare, compare_and_track};
use unravel_program::Program;
use unravel_report::model::Comparison;

fn failing_programs() -> Vec<PathBuf> {
    let folders = ["figures", "concbugassist", "primitives", "semantics", "compare"];
    let files = folders.iter().flat_map(|it| c_files(&format!("corpus/{it}")));
    files
        .filter(|path| {
            let text = std::fs::read_to_string(path).expect("readable");
            let (header, _) = text.split_once("*/").expect("a header");
            header.contains("verdict: unsafe") && !header.contains("flags:")
        })
        .collect()
}

/// The passing run that a search finds, or why there is none.
fn found(program: &Program, how: CompareOptions) -> Result<Comparison, String> {
    let options = options(Engine::Sat, properties());
    let checked = compare(program, &options, &how, &mut Looks(200_000))
        .map_err(|failure| format!("internal: {failure}"))?;
    let finding = checked.report.findings.into_iter().next().ok_or("no finding")?;
    let why = finding.related.last().map_or(String::new(), |remark| remark.what.clone());
    finding.comparison.ok_or(why)
}

fn how(equal_weights: bool, linear: bool, search: HowClose) -> CompareOptions {
    CompareOptions { equal_weights, linear, search: Some(search), conflicts: 200_000 }
}

/// Branches first, then as the weights say.
fn cost(it: &Comparison, equal_weights: bool) -> Vec<usize> {
    if equal_weights {
        return vec![it.branches, it.flows + it.segments + it.switches];
    }
    vec![it.branches, it.flows, it.segments, it.switches]
}

/// How many operations differ by the exact and by the progressive search, or what is wrong.
fn judge(program: &Program) -> Result<Option<(usize, usize)>, String> {
    let Ok(best) = found(program, how(false, false, HowClose::Exact)) else {
        let other = found(program, how(true, true, HowClose::Exact));
        return if other.is_ok() { Err("one finds none".to_owned()) } else { Ok(None) };
    };
    for equal_weights in [false, true] {
        let (cores, linear) = (
            found(program, how(equal_weights, false, HowClose::Exact))?,
            found(program, how(equal_weights, true, HowClose::Exact))?,
        );
        let costs = [cost(&cores, equal_weights), cost(&linear, equal_weights)];
        if cores.is_optimal && linear.is_optimal && costs[0] != costs[1] {
            return Err(format!("cores {:?}, linear {:?}", costs[0], costs[1]));
        }
    }
    let near = found(program, how(false, false, HowClose::Progressive))?;
    if best.is_optimal && cost(&near, false) < cost(&best, false) {
        return Err(format!("{:?} is closer than the closest", cost(&near, false)));
    }
    Ok(Some((best.operations, near.operations)))
}

/// Whether a program is small enough, or what is wrong with its comparison.
fn is_the_closest(program: &Program) -> Result<bool, String> {
    let options = options(Engine::Sat, properties());
    for equal_weights in [false, true] {
        let how = how(equal_weights, false, HowClose::Exact);
        let compared = compare_and_track(program, &options, &how, &mut Looks(200_000))
            .map_err(|failure| format!("internal: {failure}"))?;
        // A step that fails is in no run, and what is gone by then is not followed there.
        let finding = compared.0.report.findings.first();
        if finding.is_none_or(|it| !["reach", "deadlock"].contains(&it.property)) {
            return Ok(false);
        }
        let Some(tracked) = compared.1.filter(|it| it.is_optimal) else { return Ok(false) };
        let Some((least, sum)) = least(program, &options, &tracked) else { return Ok(false) };
        let Distance { flows, segments, switches, .. } = tracked.distance;
        let found = (flows, segments, switches);
        if !equal_weights && found != least || equal_weights && flows + segments + switches != sum {
            return Err(format!("{found:?}, but {least:?} (sum {sum}) by brute force"));
        }
    }
    Ok(true)
}

#[test]
fn the_closest_run_is_the_closest_of_all() {
    let programs = failing_programs();
    let checked = std::sync::atomic::AtomicUsize::new(0);
    let failed = failures(&programs, |path| {
        let shown = path.strip_prefix(root()).expect("below the root").display().to_string();
        let program = load(path).ok_or(format!("{shown}: does not compile"))?;
        let is_checked = is_the_closest(&program).map_err(|why| format!("{shown}: {why}"))?;
        checked.fetch_add(usize::from(is_checked), std::sync::atomic::Ordering::Relaxed);
        Ok(())
    });
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
    let checked = checked.into_inner();
    println!("{checked} of {} held against all passing runs", programs.len());
    assert!(checked >= 20, "only {checked} of {} are small enough", programs.len());
}

#[test]
fn all_searches_agree_on_the_corpus() {
    let programs = failing_programs();
    let sizes: Mutex<Vec<(usize, usize)>> = Mutex::default();
    let failed = failures(&programs, |path| {
        let shown = path.strip_prefix(root()).expect("below the root").display().to_string();
        let program = load(path).ok_or(format!("{shown}: does not compile"))?;
        let judged = judge(&program).map_err(|why| format!("{shown}: {why}"))?;
        sizes.lock().expect("no panic before").extend(judged);
        Ok(())
    });
    assert!(failed.is_empty(), "{} are wrong:\n{}", failed.len(), failed.join("\n"));
    let sizes = sizes.into_inner().expect("no panic before");
    println!("{} of {} compared", sizes.len(), programs.len());
    assert!(sizes.len() >= 130, "only {} of {} compared", sizes.len(), programs.len());
    let ratio = |&(exact, near): &(usize, usize)| (near.max(1) as f64 / exact.max(1) as f64).ln();
    let mean = (sizes.iter().map(ratio).sum::<f64>() / sizes.len() as f64).exp();
    println!("operations, progressive over exact: {mean:.2}");
    assert!(mean <= 1.5, "the progressive search differs in {mean:.2} times as many operations");
}
