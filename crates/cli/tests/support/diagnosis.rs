//! Diagnoses, held against all runs.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use unravel_driver::{CheckOptions, TrackedCores, diagnose_and_track};
use unravel_explore::outcomes::{Conflicts, Facts, Outcomes, Point, Tracked, conflicts, outcomes};
use unravel_interp::moment::{CallPlace, Moment};
use unravel_kinds::ViolationKind;
use unravel_program::Program;
use unravel_report::model::{DiagnosisRemark, InputOutcome};
use unravel_report::model::{Report, Verdict};

use crate::support::engines::StopAfter;

/// Checks of its watch after which a diagnosis is given up: a bound that does not depend on the machine.
const CHECKS: u64 = 20_000;

/// Most states of a program, together with what is known about the orders.
const STATES: usize = 60_000;

/// What was found out about a diagnosis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judged {
    /// Nothing is violated, or nothing was found.
    NotUnsafe,
    /// There are no cores, and nobody says that no run passes.
    NotDiagnosed,
    /// There are too many runs.
    TooLarge,
    /// Threads spin for ever.
    Spins,
    /// It fails whatever the order: no run passes.
    Sequential,
    /// So many cores are right.
    Cores {
        /// How many.
        cores: usize,
        /// Every failing run has all orders of one of them.
        is_complete: bool,
    },
}

impl Judged {
    /// Whether anything was held against all runs.
    pub fn is_checked(self) -> bool {
        matches!(self, Judged::Sequential | Judged::Cores { .. })
    }
}

/// A diagnosis of a program.
pub struct Diagnosed {
    /// What is reported.
    pub report: Report,
    /// Its cores.
    pub cores: TrackedCores,
}

/// Diagnoses a program.
pub fn diagnosed(program: &Program, options: &CheckOptions) -> Result<Diagnosed, String> {
    let (checked, cores) = diagnose_and_track(program, options, &mut StopAfter(CHECKS))
        .map_err(|failure| format!("diagnosis: {failure}"))?;
    Ok(Diagnosed { report: checked.report, cores })
}

/// Diagnoses a program and holds the answer against all its runs.
pub fn judge(program: &Program, options: &CheckOptions) -> Result<Judged, String> {
    let Diagnosed { report, cores } = diagnosed(program, options)?;
    if report.verdict != Verdict::Unsafe {
        return Ok(Judged::NotUnsafe);
    }
    if spins(&report) {
        return Ok(Judged::Spins);
    }
    if !cores.cores.is_empty() {
        return check_cores(program, options, &cores);
    }
    if !never_passes(&report) {
        return Ok(Judged::NotDiagnosed);
    }
    let seen = all_runs(program, options, &Tracked::default());
    match (seen.is_exhaustive, seen.passing.is_empty()) {
        (false, _) => Ok(Judged::TooLarge),
        (true, true) => Ok(Judged::Sequential),
        (true, false) => Err("no run should pass, but one does".to_owned()),
    }
}

/// Whether somebody spins for ever in a failing run. A core may name a turn of such a loop that the
/// walk over all runs leaves out, since it leads back to where the thread was.
pub fn spins(report: &Report) -> bool {
    report.findings.iter().any(|it| matches!(it.kind, ViolationKind::Hang { .. }))
}

/// Whether a report says that no run passes, whatever the inputs.
fn never_passes(report: &Report) -> bool {
    let mut diagnoses = report.findings.iter().filter_map(|finding| finding.diagnosis.as_ref());
    diagnoses.any(|it| {
        // A remark says with which inputs it is so.
        let always_fails = it.sequential && it.remarks.is_empty();
        let never_passes =
            DiagnosisRemark::WithInputs { inputs: Vec::new(), outcome: InputOutcome::NoRunPasses };
        always_fails || it.remarks.contains(&never_passes)
    })
}

fn all_runs(program: &Program, options: &CheckOptions, tracked: &Tracked) -> Outcomes {
    outcomes(program, options.config(), tracked, STATES, &mut StopAfter(u64::MAX))
}

/// Holds cores against all runs: no passing run has all orders of one, some has all but any one,
/// some failing run has them all, and together they account for all failing runs.
pub fn check_cores(
    program: &Program,
    options: &CheckOptions,
    tracked: &TrackedCores,
) -> Result<Judged, String> {
    let all = Union::of(tracked);
    let seen = all_runs(program, options, &all.tracked);
    if !seen.is_exhaustive {
        return Ok(Judged::TooLarge);
    }
    let wrong = all.disagreements(tracked, &seen);
    if wrong.is_empty() {
        let is_complete = accounts_for_all(tracked);
        return Ok(Judged::Cores { cores: tracked.cores.len(), is_complete });
    }
    let shown = shown(program, &all, &seen);
    Err(format!("{}\n{shown}", wrong.join("\n")))
}

/// Whether a core speaks of all runs, not only of those in which memory that was never written holds
/// what it holds in the failing run.
fn speaks_of_all(seen: &Outcomes) -> bool {
    !seen.reads_undefined
}

fn accounts_for_all(tracked: &TrackedCores) -> bool {
    tracked.is_complete && tracked.is_unbounded && !tracked.has_other_reasons
}

/// All orders and inputs of some cores.
struct Union {
    tracked: Tracked,
    cores: Vec<Members>,
}

/// A core, as indices into all orders and inputs.
struct Members {
    orders: Vec<usize>,
    inputs: Vec<usize>,
    /// It is a core with other inputs, too.
    has_other_inputs: bool,
    /// Runs in which somebody wakes without a signal do not refute it.
    waits_for_ever: bool,
    /// A run without any one of its orders is known to pass.
    has_passing: bool,
}

impl Members {
    /// Whether a run has all orders, but perhaps for one, and the inputs.
    fn hold_in(&self, facts: &Facts, but: Option<usize>) -> bool {
        self.orders.iter().all(|&it| Some(it) == but || facts.orders[it])
            && self.inputs.iter().all(|&it| facts.inputs[it])
    }

    /// Whether they are why a run fails.
    fn explain(&self, facts: &Facts) -> bool {
        let orders = || self.orders.iter().all(|&it| facts.orders[it]);
        self.hold_in(facts, None) || self.has_other_inputs && orders()
    }
}

impl Union {
    fn of(cores: &TrackedCores) -> Union {
        let mut tracked = Tracked::default();
        let index = |(number, core): (usize, &Tracked)| Members {
            orders: core.orders.iter().map(|it| index_or_insert(&mut tracked.orders, it)).collect(),
            inputs: core.inputs.iter().map(|it| index_or_insert(&mut tracked.inputs, it)).collect(),
            has_other_inputs: cores.other_inputs.get(number) == Some(&true),
            waits_for_ever: cores.waits_for_ever.get(number) == Some(&true),
            has_passing: cores.has_passing.get(number) == Some(&true),
        };
        let cores = cores.cores.iter().enumerate().map(index).collect();
        Union { tracked, cores }
    }

    fn disagreements(&self, tracked: &TrackedCores, seen: &Outcomes) -> Vec<String> {
        let mut wrong = Vec::new();
        for (number, core) in (1..).zip(&self.cores) {
            let refutes = |it: &&Facts| !(core.waits_for_ever && it.spurious || it.idles);
            let mut refuting = seen.passing.iter().filter(refutes);
            if speaks_of_all(seen) && refuting.any(|it| core.hold_in(it, None)) {
                wrong.push(format!("core {number}: a run with all of it passes"));
            }
            // Beyond a bound it is not known whether a run without a member passes.
            let passes = |but| seen.passing.iter().any(|it| core.hold_in(it, but));
            let is_known = |_: &&usize| tracked.is_unbounded && core.has_passing;
            for &member in core.orders.iter().filter(is_known).filter(|it| !passes(Some(**it))) {
                wrong.push(format!("core {number}: none passes even without order {member}"));
            }
            if !seen.failing.iter().any(|it| core.hold_in(it, None)) {
                wrong.push(format!("core {number}: no failing run has it"));
            }
        }
        let is_complete = accounts_for_all(tracked) && speaks_of_all(seen);
        let explained = |it: &Facts| self.cores.iter().any(|core| core.explain(it));
        // A turn that only a wakeup without a signal ends may have no number of its own.
        let mut failing = seen.failing.iter().filter(|it| !it.spurious && !it.idles);
        if is_complete && !failing.all(explained) {
            wrong.push("some failing run has no core".to_owned());
        }
        wrong
    }
}

/// Index of an element, which is added if it is new.
fn index_or_insert<T: Clone + PartialEq>(all: &mut Vec<T>, one: &T) -> usize {
    all.iter().position(|it| it == one).unwrap_or_else(|| {
        all.push(one.clone());
        all.len() - 1
    })
}

// ----- In words -----

fn shown(program: &Program, all: &Union, seen: &Outcomes) -> String {
    let mut text = String::new();
    for (index, (before, after)) in all.tracked.orders.iter().enumerate() {
        let (before, after) = (place(program, before), place(program, after));
        let _ = writeln!(text, "order {index}: {before} before {after}");
    }
    for (index, (input, value)) in all.tracked.inputs.iter().enumerate() {
        let _ = writeln!(text, "input {index}: {value} at {}", place(program, input));
    }
    for (number, Members { orders, inputs, .. }) in (1..).zip(&all.cores) {
        let _ = writeln!(text, "core {number}: orders {orders:?}, inputs {inputs:?}");
    }
    for (name, runs) in [("passing", &seen.passing), ("failing", &seen.failing)] {
        for facts in runs.iter().take(40) {
            let orders = indices(&facts.orders);
            let inputs = indices(&facts.inputs);
            let _ = writeln!(text, "{name}: orders {orders:?}, inputs {inputs:?}");
        }
    }
    text
}

fn indices(flags: &[bool]) -> Vec<usize> {
    (0..flags.len()).filter(|&index| flags[index]).collect()
}

/// A step as thread, line and turn.
pub fn place(program: &Program, point: &Point) -> String {
    let thread: Vec<String> = point.thread.iter().map(|it| line(program, it)).collect();
    let thread = if thread.is_empty() { "main".to_owned() } else { thread.join("/") };
    let turn = point.moment.turn(program).map_or_else(String::new, |turn| format!(" turn {turn}"));
    format!("[{thread}] line {}{turn}", line(program, &point.moment))
}

/// The line of a moment in user code, with block and instruction.
fn line(program: &Program, moment: &Moment) -> String {
    let is_user = |call: &&CallPlace| !program.function(call.function).library;
    let Some(call) = moment.calls.iter().rev().find(is_user) else { return "?".to_owned() };
    let block = program.function(call.function).block(call.block);
    let instruction = block.instructions.get(call.index as usize);
    let site = instruction.map_or(block.end_site, |it| it.site);
    let span = program.sites[site.0 as usize].span;
    let line = span.map_or(0, |span| span.line);
    format!("{line}.{}.{}", call.block.0, call.index)
}

// ----- All cores -----

/// All minimal cores of a small program, and the reported ones among them.
pub struct AllCores {
    /// Pairs of conflicting steps.
    pub pairs: Vec<(Point, Point)>,
    /// All minimal cores of all failing runs.
    pub cores: BTreeSet<Vec<usize>>,
    /// Those that are reported.
    pub reported: BTreeSet<Vec<usize>>,
    /// Those of them that are not the smallest of any failing run, in words.
    pub larger: Vec<String>,
}

/// Most pairs, and most orders in a core, for which all cores are enumerated.
const MOST_PAIRS: usize = 120;
const MOST_ORDERS: usize = 4;

/// Enumerates all minimal cores of a program without inputs, and checks that the reported ones are
/// among them. `None` if it has more states than so many.
pub fn enumerate(
    program: &Program,
    options: &CheckOptions,
    tracked: &TrackedCores,
    states: usize,
) -> Result<Option<AllCores>, String> {
    let config = options.config();
    let found = conflicts(program, config.clone(), states, &mut StopAfter(u64::MAX));
    let Some(pairs) = pairs(&found, tracked) else { return Ok(None) };
    let reported = indexed(program, &pairs, tracked)?;
    let orders = Tracked { orders: pairs.clone(), inputs: Vec::new() };
    let seen = outcomes(program, config, &orders, states, &mut StopAfter(u64::MAX));
    if !seen.is_exhaustive || seen.reads_undefined {
        return Ok(None);
    }
    let larger = Vec::new();
    let mut all = AllCores { pairs, cores: BTreeSet::new(), reported, larger };
    let mut smallest = BTreeSet::new();
    let counted: BTreeSet<Facts> = seen.passing.iter().filter(|it| !it.idles).cloned().collect();
    let owed: BTreeSet<Facts> = counted.iter().filter(|it| !it.spurious).cloned().collect();
    for failing in &seen.failing {
        // Which runs count depends on what fails, which is not known here.
        let mut cores = cores_of(failing, &counted);
        cores.extend(cores_of(failing, &owed));
        let least = cores.iter().map(Vec::len).min();
        smallest.extend(cores.iter().filter(|it| Some(it.len()) == least).cloned());
        all.cores.extend(cores);
    }
    let mut larger = Vec::new();
    for core in all.reported.iter().filter(|core| core.len() <= MOST_ORDERS) {
        if !all.cores.contains(core) {
            return Err(format!("{} is no minimal core", words(program, &all.pairs, core)));
        }
        if !smallest.contains(core) {
            larger.push(words(program, &all.pairs, core));
        }
    }
    all.larger = larger;
    Ok(Some(all))
}

/// The reported cores, as pairs; or an order whose steps do not conflict in any run.
fn indexed(
    program: &Program,
    pairs: &[(Point, Point)],
    tracked: &TrackedCores,
) -> Result<BTreeSet<Vec<usize>>, String> {
    let index = |order: &(Point, Point)| {
        index_of(pairs, order).ok_or_else(|| {
            let (before, after) = (place(program, &order.0), place(program, &order.1));
            format!("{before} and {after} do not conflict in any run")
        })
    };
    let core = |core: &Tracked| {
        let mut orders = core.orders.iter().map(index).collect::<Result<Vec<_>, _>>()?;
        orders.sort_unstable();
        Ok(orders)
    };
    tracked.cores.iter().map(core).collect()
}

/// A core in words.
pub fn words(program: &Program, pairs: &[(Point, Point)], core: &[usize]) -> String {
    let order = |&index: &usize| {
        let (before, after) = &pairs[index];
        format!("{} < {}", place(program, before), place(program, after))
    };
    core.iter().map(order).collect::<Vec<_>>().join(", ")
}

/// The pairs that orders are taken from: accesses to memory; with operations on locks only where a
/// reported core has such.
fn pairs(found: &Conflicts, tracked: &TrackedCores) -> Option<Vec<(Point, Point)>> {
    let mut pairs = found.memory.clone();
    let is_known = |order: &(Point, Point)| index_of(&found.memory, order).is_some();
    let reported = || tracked.cores.iter().flat_map(|core| &core.orders);
    if !reported().all(is_known) {
        pairs.extend(found.sync.iter().cloned());
    }
    // The end of a variable, and the part of a wait that takes the mutex again, are steps that the
    // walk over conflicts does not see.
    let seen = |point: &Point| pairs.iter().any(|(before, _)| before == point);
    let unseen: Vec<(Point, Point)> =
        reported().filter(|(before, after)| !seen(before) || !seen(after)).cloned().collect();
    pairs.extend(unseen);
    pairs.dedup();
    let has_inputs = tracked.cores.iter().any(|core| !core.inputs.is_empty());
    (found.is_exhaustive && !has_inputs && pairs.len() <= MOST_PAIRS).then_some(pairs)
}

fn index_of(pairs: &[(Point, Point)], order: &(Point, Point)) -> Option<usize> {
    pairs.iter().position(|pair| pair == order)
}

/// All minimal cores of a failing run that have few orders: they hit what each passing run breaks.
fn cores_of(failing: &Facts, passing: &BTreeSet<Facts>) -> Vec<Vec<usize>> {
    let orders = indices(&failing.orders);
    let broken: BTreeSet<Vec<usize>> = passing
        .iter()
        .map(|run| orders.iter().copied().filter(|&order| !run.orders[order]).collect())
        .collect();
    let mut hitting = BTreeSet::new();
    hit(&broken, &mut Vec::new(), &mut hitting);
    let is_minimal = |core: &&Vec<usize>| {
        core.iter().all(|member| {
            let missed = |set: &Vec<usize>| !set.iter().any(|it| it != member && core.contains(it));
            broken.iter().any(missed)
        })
    };
    hitting.iter().filter(is_minimal).cloned().collect()
}

/// All sets of few elements that hit all, minimal ones among them.
fn hit(sets: &BTreeSet<Vec<usize>>, chosen: &mut Vec<usize>, found: &mut BTreeSet<Vec<usize>>) {
    let missed = |set: &&Vec<usize>| !set.iter().any(|it| chosen.contains(it));
    let Some(open) = sets.iter().filter(missed).min_by_key(|set| set.len()) else {
        let mut core = chosen.clone();
        core.sort_unstable();
        found.insert(core);
        return;
    };
    if chosen.len() == MOST_ORDERS {
        return;
    }
    for &element in open {
        chosen.push(element);
        hit(sets, chosen, found);
        chosen.pop();
    }
}
