//! Repairs of corpus programs, held against their headers and against other tools.
//!
//! What is found wrong with a patch is found without the engine that verified it: by `git apply`,
//! by the compilers, by the exploration (`patched`), and by runs of the compiled program and by
//! peers (`runs`).
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "repairing/patched.rs"]
mod patched;
#[path = "repairing/runs.rs"]
mod runs;

use std::path::Path;

use serde_json::Value;

use crate::support::{c_files, json, root};
use patched::Patched;

/// How long a repair of one program may take: long enough for all on a loaded machine.
const TIME_LIMIT: &str = "5m";

/// A corpus program whose header says how it is repaired (`corpus/README.md`).
pub struct Entry {
    /// The path from the root of the repository, as given to the program.
    pub shown: String,
    pub flags: Vec<String>,
    /// Kinds of repair, best first; none if no repair helps.
    pub kinds: Vec<String>,
}

/// The corpus programs whose headers say how they are repaired.
pub fn entries() -> Vec<Entry> {
    c_files("corpus").iter().filter_map(|path| Entry::read(path)).collect()
}

impl Entry {
    fn read(path: &Path) -> Option<Entry> {
        let text = std::fs::read_to_string(path).expect("readable");
        let (header, _) = text.split_once("*/")?;
        let value = |key: &str| {
            let lines = header.lines().map(|line| line.trim_start_matches([' ', '*']));
            lines.filter_map(|line| line.strip_prefix(key)?.strip_prefix(':')).next()
        };
        let words = |key: &str| -> Vec<String> {
            let list = value(key).unwrap_or_default().split([',', ' ']);
            list.filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        value("repair")?;
        let shown = path.strip_prefix(root()).expect("below the root");
        let mut kinds = words("repair");
        kinds.retain(|kind| kind != "none");
        Some(Entry { shown: shown.to_string_lossy().into_owned(), flags: words("flags"), kinds })
    }
}

/// How a program is not repaired as it should be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The same in every run and on every machine.
    pub what: String,
    /// What else is known about it.
    pub detail: String,
}

impl Difference {
    fn new(what: impl Into<String>, detail: impl Into<String>) -> Difference {
        Difference { what: what.into(), detail: detail.into() }
    }
}

/// What was seen of a program.
pub struct Seen {
    pub differences: Vec<Difference>,
    /// Kinds of the repairs, best first.
    pub kinds: Vec<String>,
}

/// Repairs a program and holds the answer against its header, and every patch against other tools;
/// with `runs`, also against that many runs of the compiled program and against peers.
pub fn judge(entry: &Entry, runs: Option<usize>) -> Seen {
    let mut args = vec!["repair", entry.shown.as_str(), "--time-limit", TIME_LIMIT];
    args.extend(entry.flags.iter().map(String::as_str));
    let (exit, report) = json(&args);
    // Each repair removes all findings and stands with each of them.
    let mut repairs: Vec<Value> = list(&report["findings"][0]["repairs"]).cloned().collect();
    let kind = |it: &Value| text(it, "kind").to_owned();
    let mut kinds: Vec<String> = repairs.iter().map(kind).collect();
    // One that a better kind made unnecessary is written when it is asked for.
    for missing in entry.kinds.iter().skip(1).filter(|_| !kinds.is_empty()) {
        if !repairs.iter().any(|it| kind(it) == *missing) {
            let strategy = ["--strategy", missing.as_str()];
            let (_, asked) = json(&[args.as_slice(), &strategy].concat());
            repairs.extend(list(&asked["findings"][0]["repairs"]).cloned());
        }
    }
    kinds.extend(repairs.iter().skip(kinds.len()).map(kind));
    let mut differences = kind_differences(entry, &kinds, &report);
    let expected = match repairs.first() {
        Some(best) if text(best, "verified") == "complete" => 0,
        Some(_) => 3,
        None => 1,
    };
    if exit != expected {
        differences
            .push(Difference::new(format!("exit code {exit}"), report["reasons"].to_string()));
    }
    for repair in &repairs {
        let wrong = patch_differences(entry, repair, &report, runs);
        differences.extend(wrong.into_iter().map(|it| {
            Difference::new(format!("{}: {}", text(repair, "kind"), it.what), it.detail)
        }));
    }
    Seen { differences, kinds }
}

/// The elements of a list; none of anything else.
fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

/// How the kinds differ from those of the header.
fn kind_differences(entry: &Entry, kinds: &[String], report: &Value) -> Vec<Difference> {
    let mut found = Vec::new();
    if entry.kinds.is_empty() {
        let instead = |kind: &String| Difference::new(format!("{kind} instead of none"), "");
        found.extend(kinds.iter().map(instead));
    }
    let refused = |kind: &str| {
        let why = list(&report["repairs_refused"]).filter(|it| text(it, "kind") == kind);
        why.map(|it| text(it, "why")).collect::<Vec<_>>().join("; ")
    };
    for kind in entry.kinds.iter().filter(|kind| !kinds.contains(kind)) {
        found.push(Difference::new(format!("no {kind}"), refused(kind)));
    }
    if let (Some(wanted), Some(first)) = (entry.kinds.first(), kinds.first())
        && kinds.contains(wanted)
        && first != wanted
    {
        found.push(Difference::new(format!("{first} before {wanted}"), ""));
    }
    if kinds.is_empty() && list(&report["repairs_remarks"]).next().is_none() {
        found.push(Difference::new("nobody says why there is none", ""));
    }
    found
}

/// What is wrong with a patch.
fn patch_differences(
    entry: &Entry,
    repair: &Value,
    report: &Value,
    runs: Option<usize>,
) -> Vec<Difference> {
    let patched = match Patched::new(&entry.shown, text(repair, "diff")) {
        Ok(patched) => patched,
        Err(difference) => return vec![difference],
    };
    let mut found = patched.warnings();
    let is_complete = text(repair, "verified") == "complete";
    let races = Races::of(repair, report);
    found.extend(patched.verdicts(&entry.flags, is_complete));
    found.extend(patched.race(&entry.flags, &races));
    if let Some(number) = runs {
        found.extend(runs::run(&patched.path, number, &races));
        found.extend(runs::peers(&patched.path));
    }
    found
}

/// What a repair says about the data races that it leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Claim {
    NoneIsLeft,
    SomeIsLeft,
    NotKnown,
}

/// Which data races must not be left.
struct Races {
    claim: Claim,
    /// Variables of the orders that made it fail: the data of the repair.
    variables: Vec<String>,
}

impl Races {
    fn of(repair: &Value, report: &Value) -> Races {
        let says = |what: &str| {
            list(&repair["checked"]).any(|it| it.as_str().is_some_and(|it| it.starts_with(what)))
        };
        let claim = match (says("no data race is left"), says("a data race is left")) {
            (true, _) => Claim::NoneIsLeft,
            (false, true) => Claim::SomeIsLeft,
            (false, false) => Claim::NotKnown,
        };
        let cores = list(&report["findings"]).flat_map(|it| list(&it["cores"]));
        let orders = cores.flat_map(|it| list(&it["orders"]));
        let steps = orders.flat_map(|it| [&it["before"], &it["after"]]);
        let names = steps.filter_map(|step| step["variable"].as_str());
        Races { claim, variables: names.map(str::to_owned).collect() }
    }

    /// Whether a variable or a member of it is data of the repair.
    fn concern(&self, name: &str) -> bool {
        let is_it = |it: &String| {
            it.strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.variables.iter().any(is_it)
    }
}
