//! From a failing run to the few orders that cause it.
//!
//! # In and out
//!
//! [`diagnose`] takes an [`Encoding`] of a program that fails. It fills a [`Diagnosis`]: failing
//! runs, each with the reason why it fails, mostly a [`Core`] of orders. [`causes`] groups cores
//! into [`Cause`]s, each with a [`Pattern`] such as atomicity violation.
//!
//! A failing run has dozens of steps of several threads, and most of their order does not matter.
//! This stage finds the orders that do, for all failing runs of a program. It follows Algorithm 1
//! of ConcBugAssist (§3), with every part proved:
//!
//! ```text
//!   a failing run ──► its orders ──► is there a passing run? ──► a smallest core ──► exclude it
//!        ▲                                                                             │
//!        └──────────────────────── until no failing run is left ◄──────────────────────┘
//! ```
//!
//! Everything is asked of one incremental solver ([`Encoding`]). A failing run and every passing
//! run are carried out on the interpreter before they are kept.
//!
//! # What a core promises
//!
//! Within the bounds of the encoding, every complete run in which the core's orders hold, with the
//! inputs that the core names, has a violation; and without any one of the orders some run has
//! none. The cores of a complete [`Diagnosis`] together account for every failing run: each failing
//! run has all orders of one core, with the inputs that the core names or, where
//! [`Core::other_inputs`] says so, with others.
//!
//! # Reading order
//!
//! 1. [`orders`]: pairs of conflicting steps of different threads that a run orders.
//! 2. `core`: a minimal set of them with which, under the same inputs, no complete run passes. Each
//!    member comes with a passing run that respects all the others. `hitting` finds smaller sets.
//! 3. `implied`: orders that follow from a core and help to recognize its shape.
//! 4. [`cause`]: cores that the same change of the program would make impossible. `shape`: whether
//!    two regions interleave or steps come in the wrong order, and the name of that.
#![forbid(unsafe_code)]

pub mod cause;
mod complete;
mod core;
mod hitting;
mod implied;
pub mod orders;
mod quiet;
mod shape;

pub use cause::{Cause, causes};
pub use orders::{Contact, Order, Pairs};
pub use shape::{Pattern, Point, Region, Shape, lost_signal, shape};

use std::collections::{BTreeMap, BTreeSet};

use core::{Found, Given, Needed, Proof, Questions};
use quiet::Quiet;
use unravel_encode::{Condition, Encoding};
use unravel_events::{FindingKind, StepId};
use unravel_interp::{Machine, Property};
use unravel_program::SiteId;
use unravel_schedule::{Divergence, FailingRun, PassingRun, Until, passing_run, violating_run};
use unravel_solver::{Lit, Model};

/// What is known about the failing runs of a program.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// Failing runs, in the order they were found; none has all orders of another's core.
    pub runs: Vec<Explained>,
    /// How many failing runs were looked at.
    pub iterations: usize,
    /// Every failing run that ends before a bound is reached is accounted for.
    pub is_complete: bool,
    /// The search ended since for long it had found no new cause.
    pub ended_early: bool,
    /// Questions to the solver.
    pub questions: u64,
}

/// A failing run, and why it fails.
#[derive(Clone, Debug)]
pub struct Explained {
    /// The run, with the operation that fails as its last step.
    pub run: FailingRun,
    /// How many orders hold in it.
    pub orders: usize,
    /// Why it fails.
    pub reason: Reason,
}

/// Why a run fails.
#[derive(Clone, Debug)]
pub enum Reason {
    /// Because of these orders.
    Core(Core),
    /// With these inputs, every maximal run fails: the schedule is not the reason.
    Sequential {
        /// The inputs, as index and value.
        inputs: Vec<(usize, u128)>,
        /// Those with which no run passes, though some may be cut.
        block: Vec<(usize, u128)>,
    },
    /// With these inputs no complete run passes, but some runs are cut by an assume or a bound, or
    /// meet something that is not modelled.
    NeverPasses {
        /// The inputs, as index and value.
        inputs: Vec<(usize, u128)>,
    },
    /// Two accesses that happens-before does not order: no order of steps is to blame, but that
    /// nothing orders them.
    Race,
    /// A run in which the same orders hold passes: something else decides.
    Unexplained,
    /// A run in which the same orders hold may pass, beyond a bound or something that is not
    /// modelled.
    Unknown,
}

/// A minimal set of orders.
#[derive(Clone, Debug)]
pub struct Core {
    /// Its orders, closest to the failure first.
    pub members: Vec<Member>,
    /// Inputs that it needs, as index and value.
    pub inputs: Vec<(usize, u128)>,
    /// How many other inputs were found with which these orders are a core, too.
    pub other_inputs: usize,
    /// Each order is proved to be needed; not so only if the search was stopped on the way.
    pub is_minimal: bool,
    /// No core of this run has fewer orders.
    pub is_smallest: bool,
    /// Orders that follow from these, in the other direction between the same threads: they show
    /// what is interrupted.
    pub implied: Vec<Order>,
}

/// An order of a core.
#[derive(Clone, Debug)]
pub struct Member {
    /// The order.
    pub order: Order,
    /// A run that passes, in which all other orders of the core hold; `None` if the only ones are
    /// beyond the bound.
    pub passing: Option<PassingRun>,
}

/// Why a diagnosis ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interrupted {
    /// The caller said so.
    Stopped,
    /// An internal check failed.
    Broken(String),
}

/// Inputs of one set of orders after which all others are taken to be of its kind: an input of 32
/// bits may have as many values.
const MOST_INPUTS: usize = 3;

/// Watches over a diagnosis from outside.
pub trait Listener {
    /// Asked now and then.
    fn should_stop(&mut self) -> bool;

    /// With these orders every run fails, though not all of them may be needed.
    fn found_so_far(&mut self, encoding: &Encoding, orders: &[Order]);

    /// Another failing run is explained, the last of the diagnosis so far.
    fn explained(&mut self, encoding: &Encoding, diagnosis: &Diagnosis);
}

/// Where a diagnosis begins, if it does not begin with any failing run.
pub enum First {
    /// With the run of a model, ordered anew.
    Model(Model),
    /// With this run as it is.
    Run(Box<FailingRun>),
}

/// Diagnoses all failing runs of an encoding, beginning with `first` if one is known. What was found
/// before an interruption is kept in `diagnosis`.
///
/// # Errors
/// If it was stopped, or a run found by the solver cannot be carried out.
pub fn diagnose(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    first: Option<First>,
    diagnosis: &mut Diagnosis,
    listener: &mut dyn Listener,
) -> Result<(), Interrupted> {
    let mut questions =
        Questions { encoding, listener, asked: 0, looks: 0, conflicts: BTreeMap::new() };
    let result = all_runs(machine, &mut questions, first, diagnosis);
    diagnosis.questions += questions.asked;
    result
}

fn all_runs(
    machine: &Machine<'_>,
    questions: &mut Questions<'_>,
    mut first: Option<First>,
    diagnosis: &mut Diagnosis,
) -> Result<(), Interrupted> {
    let assumptions = {
        let encoding = &mut *questions.encoding;
        [encoding.failing(), encoding.clean(), encoding.certain()]
    };
    let mut all = true;
    let mut quiet = Quiet::default();
    loop {
        if quiet.is_long(machine.program, questions, diagnosis) {
            diagnosis.ended_early = true;
            return Ok(());
        }
        let known = match first.take() {
            Some(known) => known,
            None => match failing_model(questions, &assumptions)? {
                Some(model) => First::Model(model),
                None => break,
            },
        };
        diagnosis.iterations += 1;
        let failing = match known {
            First::Model(model) => explain(machine, questions, model)?,
            First::Run(run) => Some(explain_run(machine, questions, *run)?),
        };
        let Some(failing) = failing else {
            all = false;
            continue;
        };
        let mut conditions = failing.reason.conditions();
        let goes_on = !matches!(failing.reason, Reason::Unexplained | Reason::Unknown);
        match diagnosis.same_orders(&failing) {
            Some(known) => {
                known.other_inputs += 1;
                if known.other_inputs >= MOST_INPUTS {
                    conditions.retain(|it| matches!(it, Condition::Order(..)));
                }
            }
            None => {
                diagnosis.runs.push(failing);
                questions.listener.explained(questions.encoding, diagnosis);
            }
        }
        if !goes_on {
            return Ok(());
        }
        if let Some(site) = diagnosis.races_at() {
            questions.encoding.exclude_violation(Property::Race, site);
            continue;
        }
        if let Some((property, site)) = diagnosis.fails_with_many_inputs() {
            questions.encoding.exclude_violation(property, site);
            all = false;
        }
        questions.encoding.exclude(&conditions);
    }
    // What fails only after somebody came to a bound may pass beyond it.
    if diagnosis.runs.is_empty()
        && let Ok(model) = questions.ask(&assumptions[..2])?
    {
        diagnosis.iterations += 1;
        if let Some(failing) = explain(machine, questions, *model)? {
            diagnosis.runs.push(failing);
            questions.listener.explained(questions.encoding, diagnosis);
        }
        return Ok(());
    }
    // A failing run that meets something not modelled was left out, and may have another cause.
    let (failing, certain) = (assumptions[0], assumptions[2]);
    diagnosis.is_complete = all && questions.ask(&[failing, certain])?.is_err();
    Ok(())
}

/// A failing run, without wakeups that nobody owes if there is one.
fn failing_model(
    questions: &mut Questions<'_>,
    assumptions: &[Lit],
) -> Result<Option<Model>, Interrupted> {
    if let Some(owed) = questions.encoding.only_owed_wakeups() {
        let first: Vec<Lit> = assumptions.iter().copied().chain([owed]).collect();
        if let Ok(model) = questions.ask(&first)? {
            return Ok(Some(*model));
        }
    }
    Ok(questions.ask(assumptions)?.ok().map(|model| *model))
}

impl Diagnosis {
    /// The property and the place of the last run's violation, if it fails in every schedule with
    /// ever more inputs.
    fn fails_with_many_inputs(&self) -> Option<(Property, SiteId)> {
        let is_such = |run: &&Explained| match &run.reason {
            Reason::Sequential { block, .. } => !block.is_empty(),
            Reason::NeverPasses { inputs } => !inputs.is_empty(),
            Reason::Core(_) | Reason::Race | Reason::Unexplained | Reason::Unknown => false,
        };
        let end = |run: &Explained| (run.run.violation().property(), run.run.violation().site);
        let last = end(self.runs.last().filter(is_such)?);
        let same = self.runs.iter().filter(is_such).filter(|it| end(it) == last);
        (same.count() >= MOST_INPUTS).then_some(last)
    }

    /// The place of the last run's violation, if that is a race: one is enough.
    fn races_at(&self) -> Option<SiteId> {
        let is_race = |run: &&Explained| matches!(run.reason, Reason::Race);
        Some(self.runs.last().filter(is_race)?.run.violation().site)
    }

    /// The known core with the same orders as a failing run's, and other inputs.
    fn same_orders(&mut self, failing: &Explained) -> Option<&mut Core> {
        let set = |core: &Core| -> BTreeSet<(StepId, StepId)> {
            core.members.iter().map(|it| (it.order.before, it.order.after)).collect()
        };
        let Reason::Core(core) = &failing.reason else { return None };
        let set_of_this = set(core);
        self.runs.iter_mut().find_map(|run| match &mut run.reason {
            Reason::Core(known) if set(known) == set_of_this => Some(known),
            _ => None,
        })
    }
}

/// Carries out a failing run and finds out why it fails. `None` if the model is taken for a hang and
/// is none; it is not asked for again.
fn explain(
    machine: &Machine<'_>,
    questions: &mut Questions<'_>,
    model: Model,
) -> Result<Option<Explained>, Interrupted> {
    let Some(reached) = questions.encoding.end_of(&model) else {
        return Err(Interrupted::Broken("a failing run without a violation".to_owned()));
    };
    let run = violating_run(machine, questions.encoding, model.clone(), &reached, Until::TheOne);
    match run {
        Ok(run) => explain_run(machine, questions, run).map(Some),
        Err(divergence) if divergence.is_no_hang => {
            questions.encoding.not_this_hang(&model);
            Ok(None)
        }
        Err(divergence) => Err(broken(divergence)),
    }
}

/// Finds out why a run fails. Its steps are those before the one in which it fails.
fn explain_run(
    machine: &Machine<'_>,
    questions: &mut Questions<'_>,
    mut run: FailingRun,
) -> Result<Explained, Interrupted> {
    let Some(reached) = questions.encoding.end_of(&run.model) else {
        return Err(Interrupted::Broken("a failing run without a violation".to_owned()));
    };
    let property = run.violation().property();
    if property == Property::Race {
        return Ok(Explained { run, orders: 0, reason: Reason::Race });
    }
    if reached.kind == FindingKind::Violation(property) {
        run.steps.extend(questions.encoding.failing_operation(&reached, &run.model));
    }
    let model = &run.model;
    let inputs = questions.encoding.inputs_in(model, &run.steps);
    let given = Given {
        same_memory: questions.encoding.same_memory(model),
        wakeups: unowed_wakeups(questions.encoding, model, property),
        threads: questions.encoding.given_something(model),
    };
    let mut pairs = if property == Property::Deadlock { Pairs::Locks } else { Pairs::Memory };
    let mut impossible: BTreeSet<(StepId, StepId)> = BTreeSet::new();
    loop {
        let mut orders = orders::orders_of(questions.encoding, model, &run.steps, pairs);
        orders.retain(|it| !impossible.contains(&(it.before, it.after)));
        let found = core::find(questions, &orders, &inputs, given.clone())?;
        if let (Found::Unexplained { .. }, Some(more)) = (&found, pairs.more()) {
            pairs = more;
            continue;
        }
        if let Some(order) = cannot_conflict(questions, &orders, &found)? {
            impossible.insert((order.before, order.after));
            continue;
        }
        let reason = match found {
            Found::NeverPasses { inputs: needed } => {
                never_passes(questions, &inputs, &needed, &given)?
            }
            found => reason(machine, questions, &orders, found)?,
        };
        return Ok(Explained { orders: orders.len(), run, reason });
    }
}

/// What to assume about wakeups without a signal in runs that are held against a failing one.
///
/// A run in which they happen is a run like any other, so it refutes what is said about a failure.
/// Only where the failure is that somebody waits for ever, a run shows no way out that needs a wakeup
/// which the failing run did not have either.
fn unowed_wakeups(encoding: &mut Encoding, failing: &Model, property: Property) -> Vec<Lit> {
    if property != Property::Deadlock {
        return Vec::new();
    }
    let excused = encoding.wakes_without_signal(failing);
    encoding.owed_but(&excused)
}

/// A member of a core whose steps conflict in no run: one of them is not executed in the failing
/// run, and was only taken to touch the same memory.
fn cannot_conflict(
    questions: &mut Questions<'_>,
    orders: &[Order],
    found: &Found,
) -> Result<Option<Order>, Interrupted> {
    let Found::Core { members, .. } = found else { return Ok(None) };
    for needed in members {
        let order = orders[needed.member];
        if order.happens {
            continue;
        }
        match questions.can_conflict(&order) {
            Ok(false) => return Ok(Some(order)),
            // What is known by now is shown as it is.
            Ok(true) | Err(Interrupted::Stopped) => {}
            Err(broken) => return Err(broken),
        }
    }
    Ok(None)
}

/// Tells a failure under every schedule from one where some runs are cut. `asked` are the inputs of
/// the run, `needed` those without which some run passes.
fn never_passes(
    questions: &mut Questions<'_>,
    asked: &[Condition],
    needed: &[Condition],
    given: &Given,
) -> Result<Reason, Interrupted> {
    let mut assumptions = vec![questions.encoding.maximal_somehow(), given.same_memory];
    assumptions.extend(&given.wakeups);
    let lits: Vec<Lit> = asked.iter().map(|&it| questions.encoding.condition(it)).collect();
    assumptions.extend(&lits);
    let block = numbered(needed);
    Ok(match questions.ask(&assumptions)? {
        Ok(_) => Reason::NeverPasses { inputs: block },
        Err(core) => {
            let shows = asked.iter().zip(&lits).filter(|(_, lit)| core.contains(lit));
            let shows: Vec<Condition> = shows.map(|(&input, _)| input).collect();
            Reason::Sequential { inputs: numbered(&shows), block }
        }
    })
}

fn reason(
    machine: &Machine<'_>,
    questions: &mut Questions<'_>,
    orders: &[Order],
    found: Found,
) -> Result<Reason, Interrupted> {
    let (members, inputs, is_smallest, is_minimal) = match found {
        Found::Core { members, inputs, is_smallest, is_minimal } => {
            (members, inputs, is_smallest, is_minimal)
        }
        Found::Unexplained { passes: false } => return Ok(Reason::Unknown),
        _ => return Ok(Reason::Unexplained),
    };
    let mut kept = Vec::new();
    for Needed { member, proof } in members {
        let passing = match proof {
            Proof::Passes(model) => {
                Some(passing_run(machine, questions.encoding, *model).map_err(broken)?)
            }
            Proof::NotRefuted | Proof::Missing => None,
        };
        kept.push(Member { order: orders[member], passing });
    }
    let implied = match implied::implied(questions, orders, &kept) {
        Err(Interrupted::Stopped) => Vec::new(),
        other => other?,
    };
    let (members, inputs) = (kept, numbered(&inputs));
    let core = Core { members, inputs, other_inputs: 0, is_minimal, is_smallest, implied };
    Ok(Reason::Core(core))
}

fn broken(divergence: Divergence) -> Interrupted {
    let Divergence { at, why, .. } = divergence;
    Interrupted::Broken(format!("a run that the solver found cannot be followed: step {at}, {why}"))
}

fn numbered(inputs: &[Condition]) -> Vec<(usize, u128)> {
    let number = |input: &Condition| match *input {
        Condition::Input(index, value) => Some((index, value)),
        Condition::Order(..) => None,
    };
    inputs.iter().filter_map(number).collect()
}

impl Core {
    /// A core of orders of which nothing else is known.
    #[must_use]
    pub fn of_orders(orders: &[Order]) -> Core {
        let member = |&order: &Order| Member { order, passing: None };
        Core {
            members: orders.iter().map(member).collect(),
            inputs: Vec::new(),
            other_inputs: 0,
            is_minimal: false,
            is_smallest: false,
            implied: Vec::new(),
        }
    }
}

impl Reason {
    /// What to exclude from the next failing run.
    fn conditions(&self) -> Vec<Condition> {
        let inputs = |inputs: &[(usize, u128)]| -> Vec<Condition> {
            inputs.iter().map(|&(index, value)| Condition::Input(index, value)).collect()
        };
        match self {
            Reason::Core(core) => {
                let order = |it: &Member| Condition::Order(it.order.before, it.order.after);
                let mut conditions: Vec<Condition> = core.members.iter().map(order).collect();
                conditions.extend(inputs(&core.inputs));
                conditions
            }
            Reason::Sequential { block: needed, .. } | Reason::NeverPasses { inputs: needed } => {
                inputs(needed)
            }
            Reason::Race | Reason::Unexplained | Reason::Unknown => Vec::new(),
        }
    }
}
