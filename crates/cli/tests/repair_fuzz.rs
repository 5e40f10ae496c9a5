//! `repair --try` on generated failing programs: what it calls a repair holds in every schedule and
//! in native runs, reaches what the original reaches, or says what it does not; where there is none,
//! it says so.
//!
//! `UNRAVEL_FUZZ_REPAIRS` says how many, `UNRAVEL_FUZZ_SEED` is the first seed. The first programs
//! whose repair is wrong are shrunk and printed.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "support/repairing/reached.rs"]
mod reached;
mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use reached::reached;
use serde_json::Value;
use support::engines::{StopAfter, load, options, properties};
use support::{failures, json};
use unravel_cgen::{ConcurrentProgram, Extra, shrink_concurrent};
use unravel_driver::{CheckOptions, Engine, check};
use unravel_interp::Property;
use unravel_program::Program;
use unravel_report::model::Verdict;

/// Of a hundred failing programs, so many at least must be repaired.
const REPAIRED_PERCENT: usize = 25;

/// Checks of its watch after which the exploration is given up: a bound that does not depend on the machine.
const CHECKS: u64 = 30_000;

/// Most states of a program whose lines are looked at.
const STATES: usize = 60_000;

/// The exit code if a run of a patched program fails.
const WITHHELD: i32 = 4;

/// What came of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Judged {
    /// Nothing is violated, or nothing was found.
    NotUnsafe,
    /// There is no repair, and this is why.
    NotRepaired(String),
    /// Kinds of the repairs, best first.
    Repaired {
        kinds: Vec<String>,
        /// All patches were explored to the end.
        is_explored: bool,
        /// The lines of all patches were held against those of the original.
        is_compared: bool,
        /// Some statement is said to be unreachable.
        is_demoted: bool,
    },
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A failing program and its text.
struct Original<'a> {
    text: &'a str,
    path: PathBuf,
    options: CheckOptions,
    /// Lines that passing runs reach; `None` if there are too many states.
    lines: Option<BTreeSet<u32>>,
}

/// What became of a generated program; `None` if it does not compile, which only happens while
/// shrinking.
fn judge(
    generated: &ConcurrentProgram,
    name: &str,
    folder: &Path,
) -> Option<Result<Judged, String>> {
    let path = folder.join(format!("{name}.c"));
    let text = generated.source();
    std::fs::write(&path, &text).expect("written");
    let program = load(&path)?;
    let mut args = vec!["repair", path.to_str().expect("a path in UTF-8"), "--try"];
    args.extend(generated.flags().split_whitespace());
    let (exit, report) = json(&args);
    if exit == WITHHELD {
        let why = list(&report["repairs_refused"]).filter_map(|it| it["why"].as_str());
        return Some(Err(format!("withheld: {}", why.collect::<Vec<_>>().join("; "))));
    }
    let properties = match generated.extra() {
        Extra::None => properties(),
        Extra::Races => properties().with(Property::Race),
        Extra::Ub => properties().with(Property::Ub),
    };
    let options = options(Engine::Explore, properties);
    let lines = || reached(&program, options.config(), false, STATES);
    let lines = if report["verdict"] == "unsafe" { lines() } else { None };
    Some(judge_report(&report, &Original { text: &text, path, options, lines }))
}

fn judge_report(report: &Value, original: &Original<'_>) -> Result<Judged, String> {
    let Some(finding) = list(&report["findings"]).next() else { return Ok(Judged::NotUnsafe) };
    let (mut kinds, mut is_demoted) = (Vec::new(), false);
    let (mut is_explored, mut is_compared) = (true, true);
    for repair in list(&finding["repairs"]) {
        let kind = repair["kind"].as_str().expect("a kind");
        kinds.push(kind.to_owned());
        is_demoted |= list(&repair["unreachable"]).next().is_some();
        let wrong =
            |what: String| format!("{kind}: {what}\n{}", repair["diff"].as_str().unwrap_or(""));
        let patch = Patch::new(repair, original).map_err(wrong)?;
        is_explored &= patch.explore(original).map_err(wrong)?;
        is_compared &= patch.compare_lines(original).map_err(wrong)?;
    }
    if !kinds.is_empty() {
        return Ok(Judged::Repaired { kinds, is_explored, is_compared, is_demoted });
    }
    let remarks: Vec<&str> = list(&report["repairs_remarks"]).filter_map(Value::as_str).collect();
    match remarks.as_slice() {
        [] => Err("nobody says why there is no repair".to_owned()),
        remarks => Ok(Judged::NotRepaired(remarks.join("; "))),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A repair of a program.
struct Patch {
    program: Program,
    /// Where each line is that no edit touches.
    kept: BTreeMap<u32, u32>,
    /// Lines of the original that are said to be unreachable.
    unreachable: BTreeSet<u32>,
    /// It is said that this is not known.
    is_unknown: bool,
}

/// What a repair says if nobody knows which lines are still reached.
const UNKNOWN: &str = "whether every statement is still reached";

impl Patch {
    fn new(repair: &Value, original: &Original<'_>) -> Result<Patch, String> {
        let number = |value: &Value| value.as_u64().and_then(|it| usize::try_from(it).ok());
        let edits: Option<Vec<(usize, usize, &str)>> = list(&repair["edits"])
            .map(|it| Some((number(&it["start"])?, number(&it["end"])?, it["text"].as_str()?)))
            .collect();
        let edits = edits.ok_or("edits without places")?;
        let mut text = original.text.to_owned();
        edits.iter().rev().for_each(|&(start, end, new)| text.replace_range(start..end, new));
        let path = original.path.with_extension("patched.c");
        std::fs::write(&path, text).expect("written");
        let line = |it: &Value| it["line"].as_u64().and_then(|it| u32::try_from(it).ok());
        Ok(Patch {
            program: load(&path).ok_or("it does not compile")?,
            kept: kept_lines(original.text, &edits),
            unreachable: list(&repair["unreachable"]).filter_map(line).collect(),
            is_unknown: list(&repair["checked"])
                .any(|it| it.as_str().is_some_and(|it| it.starts_with(UNKNOWN))),
        })
    }

    /// Whether the exploration saw all runs; what is wrong with one of them, if anything is.
    fn explore(&self, original: &Original<'_>) -> Result<bool, String> {
        let checked = check(&self.program, &original.options, &mut StopAfter(CHECKS));
        let report = checked.map_err(|failure| format!("exploration: {failure}"))?.report;
        match report.findings.first() {
            Some(finding) => Err(format!("refuted by the exploration: {}", finding.kind.code())),
            None => Ok(report.verdict == Verdict::Safe),
        }
    }

    /// Whether the lines that are reached could be compared; those that are lost in silence.
    fn compare_lines(&self, original: &Original<'_>) -> Result<bool, String> {
        let config = original.options.config();
        let Some(before) = original.lines.as_ref().filter(|_| !self.is_unknown) else {
            return Ok(false);
        };
        let Some(after) = reached(&self.program, config, true, STATES) else { return Ok(false) };
        let is_lost = |line: &&u32| self.kept.get(line).is_some_and(|it| !after.contains(it));
        let lost: BTreeSet<u32> = before.iter().filter(is_lost).copied().collect();
        // A line of brackets alone is no statement to lose.
        let is_statement = |line: &&u32| {
            let text = original.text.lines().nth(**line as usize - 1);
            text.is_some_and(|it| it.contains(|c: char| c.is_ascii_alphanumeric()))
        };
        let silent: Vec<&u32> = lost.difference(&self.unreachable).filter(is_statement).collect();
        if silent.is_empty() {
            return Ok(true);
        }
        Err(format!("lines {silent:?} are not reached any more, and nobody says so"))
    }
}

/// Where each line is that no edit touches, both from 1. Edits are in the order of the text.
fn kept_lines(text: &str, edits: &[(usize, usize, &str)]) -> BTreeMap<u32, u32> {
    let newlines = |text: &str| u32::try_from(text.matches('\n').count()).expect("short");
    let mut kept = BTreeMap::new();
    let mut start = 0;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let end = start + line.len();
        let is_before = |&&(from, to, new): &&(usize, usize, &str)| {
            to < start || to == start && (from < to || new.ends_with('\n'))
        };
        let before: Vec<_> = edits.iter().take_while(is_before).collect();
        let is_touched = edits.get(before.len()).is_some_and(|it| it.0 < end);
        if !is_touched {
            let added: u32 = before.iter().map(|it| newlines(it.2)).sum();
            let removed: u32 = before.iter().map(|it| newlines(&text[it.0..it.1])).sum();
            kept.insert(number, number + added - removed);
        }
        start = end;
    }
    kept
}

#[test]
fn lines_that_no_edit_touches_are_kept() {
    let text = "a\nb\nc\nd\n";
    let edits = [(2, 2, "x\n"), (5, 5, " y"), (6, 8, "")];
    assert_eq!(kept_lines(text, &edits), BTreeMap::from([(1, 1), (2, 3)]));
    assert_eq!(kept_lines(text, &[(3, 5, "")]), BTreeMap::from([(1, 1), (4, 3)]));
}

/// The smallest program whose repair is still wrong.
fn shrunk(seed: u64, folder: &Path, first: &str) -> String {
    let name = format!("shrink{seed}");
    let program = ConcurrentProgram::generate(seed);
    let small = shrink_concurrent(program, &mut |smaller| {
        matches!(judge(smaller, &name, folder), Some(Err(_)))
    });
    let last = match judge(&small, &name, folder) {
        Some(Err(wrong)) => wrong,
        _ => String::new(),
    };
    format!("seed {seed}: {first}\nshrunk: {last}\n{}", small.source())
}

/// What became of the programs of some seeds.
#[derive(Default)]
struct Tally(Mutex<BTreeMap<u64, Judged>>);

impl Tally {
    fn enter(&self, seed: u64, judged: Judged) {
        self.0.lock().expect("no panic before").insert(seed, judged);
    }

    fn failing(&self) -> usize {
        let all = self.0.lock().expect("no panic before");
        all.values().filter(|it| **it != Judged::NotUnsafe).count()
    }
}

#[test]
fn repairs_of_generated_programs_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    let wanted = usize::try_from(setting("UNRAVEL_FUZZ_REPAIRS", 20)).expect("a number");
    let mut from = setting("UNRAVEL_FUZZ_SEED", 1);
    let tally = Tally::default();
    let mut failed = Vec::new();
    while tally.failing() + failed.len() < wanted {
        let seeds: Vec<u64> = (from..from + 20).collect();
        from += 20;
        failed.extend(failures(&seeds, |&seed| {
            if tally.failing() >= wanted {
                return Ok(());
            }
            let program = ConcurrentProgram::generate(seed);
            let judged = judge(&program, &format!("seed{seed}"), folder.path());
            let judged = judged.ok_or(format!("{seed} does not compile"))?;
            tally.enter(seed, judged.map_err(|wrong| format!("{seed} {wrong}"))?);
            Ok(())
        }));
    }
    // Shrinking takes its time.
    failed.iter().for_each(|message| println!("wrong: seed {message}"));
    let shown = failed.iter().enumerate().map(|(index, message)| match message.split_once(' ') {
        Some((seed, wrong)) if index < 3 => {
            shrunk(seed.parse().expect("a seed"), folder.path(), wrong)
        }
        _ => format!("seed {message}"),
    });
    let shown: Vec<String> = shown.collect();
    balance(&tally, failed.len());
    assert!(failed.is_empty(), "{} are wrong\n{}", failed.len(), shown.join("\n"));
}

/// Prints the share of repaired ones. The test is worth something only if there are enough, and if
/// most of them were held against all runs.
fn balance(tally: &Tally, wrong: usize) {
    let all = tally.0.lock().expect("no panic before");
    let (mut reasons, mut by_kind): (BTreeMap<&str, Vec<u64>>, BTreeMap<&str, usize>) =
        Default::default();
    let (mut repaired, mut explored, mut compared, mut demoted) = (0, 0, 0, 0);
    for (seed, judged) in all.iter() {
        match judged {
            Judged::NotUnsafe => {}
            Judged::NotRepaired(why) => reasons.entry(why).or_default().push(*seed),
            Judged::Repaired { kinds, is_explored, is_compared, is_demoted } => {
                repaired += 1;
                explored += usize::from(*is_explored);
                compared += usize::from(*is_compared);
                demoted += usize::from(*is_demoted);
                kinds.iter().for_each(|kind| *by_kind.entry(kind).or_default() += 1);
            }
        }
    }
    let failing = repaired + reasons.values().map(Vec::len).sum::<usize>() + wrong;
    println!("{failing} failing programs: {repaired} repaired, {wrong} wrongly; {by_kind:?}");
    println!(
        "of the repaired: {explored} explored, {compared} with lines compared, {demoted} demoted"
    );
    println!("not repaired: {reasons:#?}");
    assert!(
        repaired * 100 >= failing * REPAIRED_PERCENT,
        "only {repaired} of {failing} are repaired"
    );
    assert!(explored * 2 >= repaired, "only {explored} of {repaired} are small enough");
    assert!(compared * 2 >= repaired, "only {compared} of {repaired} are small enough");
}
