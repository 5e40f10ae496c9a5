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

use serde_json::Value;
use unravel_corpus::CorpusProgram;

use crate::support::{corpus, json};
use patched::Patched;

/// The exit code if a run of a patched program fails.
const WITHHELD: i32 = 4;

/// The corpus programs whose headers say how they are repaired.
pub fn repairable() -> Vec<CorpusProgram> {
    let mut programs = corpus();
    programs.retain(|it| it.header.repair.is_some());
    programs
}

/// The kinds of repair that a header names, best first; none if no repair helps.
pub fn named_kinds(program: &CorpusProgram) -> Vec<&'static str> {
    program.header.repair.iter().flatten().map(|kind| kind.code()).collect()
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
pub fn judge(program: &CorpusProgram, runs: Option<usize>) -> Seen {
    let mut args = vec!["repair", program.shown.as_str()];
    args.extend(program.header.flags.args());
    // A patch that fails or hangs is withheld then, with another exit code.
    args.extend(runs.map(|_| "--try"));
    let (exit, report) = json(&args);
    // Each repair removes all findings and stands with each of them.
    let mut repairs: Vec<Value> = list(&report["findings"][0]["repairs"]).cloned().collect();
    let kind = |it: &Value| text(it, "kind").to_owned();
    let mut kinds: Vec<String> = repairs.iter().map(kind).collect();
    let mut withheld = false;
    // One that a better kind made unnecessary is written when it is asked for.
    for missing in named_kinds(program).into_iter().skip(1).filter(|_| !kinds.is_empty()) {
        if !repairs.iter().any(|it| kind(it) == missing) {
            let strategy = ["--strategy", missing];
            let (exit, asked) = json(&[args.as_slice(), &strategy].concat());
            withheld |= exit == WITHHELD;
            repairs.extend(list(&asked["findings"][0]["repairs"]).cloned());
        }
    }
    kinds.extend(repairs.iter().skip(kinds.len()).map(kind));
    let mut differences = kind_differences(program, &kinds, &report);
    if withheld {
        differences.push(Difference::new("a patch is withheld", ""));
    }
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
        let wrong = patch_differences(program, repair, &report, runs);
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
fn kind_differences(program: &CorpusProgram, kinds: &[String], report: &Value) -> Vec<Difference> {
    let (mut found, named) = (Vec::new(), named_kinds(program));
    if named.is_empty() {
        let instead = |kind: &String| Difference::new(format!("{kind} instead of none"), "");
        found.extend(kinds.iter().map(instead));
    }
    let refused = |kind: &str| {
        let why = list(&report["repairs_refused"]).filter(|it| text(it, "kind") == kind);
        why.map(|it| text(it, "why")).collect::<Vec<_>>().join("; ")
    };
    let is_found = |wanted: &str| kinds.iter().any(|kind| kind == wanted);
    for kind in named.iter().filter(|kind| !is_found(kind)) {
        found.push(Difference::new(format!("no {kind}"), refused(kind)));
    }
    if let (Some(wanted), Some(first)) = (named.first(), kinds.first())
        && is_found(wanted)
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
    program: &CorpusProgram,
    repair: &Value,
    report: &Value,
    runs: Option<usize>,
) -> Vec<Difference> {
    let patched = match Patched::new(&program.shown, text(repair, "diff")) {
        Ok(patched) => patched,
        Err(difference) => return vec![difference],
    };
    let mut found = patched.warnings();
    let is_complete = text(repair, "verified") == "complete";
    let races = Races::of(repair, report);
    let flags = program.header.flags.args();
    found.extend(patched.verdicts(&flags, is_complete));
    found.extend(patched.race(&flags, &races));
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
