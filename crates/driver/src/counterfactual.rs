//! The passing run that `diagnose` shows beside a failing one: of those in which all orders of the
//! core but one hold, the closest to the failing run (`unravel-compare`), so that as little as
//! possible differs besides that order.
//!
//! The diagnosis is done by then, so this gets a small budget: where it ends, the best run so far is
//! shown, and where it ends before the first, or the failing run is long, the run that the diagnosis
//! itself met.

use unravel_compare::{Algorithm, Method, Options, Outcome, Weights, closest};
use unravel_diagnose::{Contact, Core, Explained, Order};
use unravel_encode::{Condition, Encoding};
use unravel_events::{EventGraph, Space};
use unravel_interp::Machine;
use unravel_program::Program;
use unravel_schedule::PassingRun;
use unravel_solver::Lit;

use crate::check::{CheckOptions, InternalFailure};
use crate::failing::{self, RunSearch, given_run};

/// Conflicts of the solver. The failing runs of `corpus/figures` and `corpus/concbugassist`, of up to
/// 72 steps, take 5 at most.
const CONFLICTS: u64 = 2_000;

/// Steps of a failing run up to which it is tried: segments and switches take clauses for each pair
/// of steps.
const MOST_STEPS: usize = 200;

/// The members of a core in the order in which the failing run has their first steps.
pub fn in_run_order(failing: &Explained, core: &Core) -> Vec<usize> {
    let mut members: Vec<usize> = (0..core.members.len()).collect();
    let place = |&member: &usize| {
        let order = core.members[member].order;
        (failing.run.steps.iter().position(|&step| step == order.before), order.after)
    };
    members.sort_by_key(place);
    members
}

/// The member whose passing run is shown: the last that has one.
pub fn shown_member(graph: &EventGraph, failing: &Explained, core: &Core) -> Option<usize> {
    let has_run = |&member: &usize| core.members[member].passing.is_some();
    let mut members: Vec<usize> =
        in_run_order(failing, core).into_iter().rev().filter(has_run).collect();
    // A report leaves out that memory is still there when it is used.
    members.sort_by_key(|&member| is_before_the_end(graph, &core.members[member].order));
    members.first().copied()
}

/// Whether an order only says that something is used before it is given up.
fn is_before_the_end(graph: &EventGraph, order: &Order) -> bool {
    let Contact::Memory { before, after } = order.contact else { return false };
    let ends = |access: usize| {
        let access = &graph.accesses[access];
        access.space == Space::Life && access.writes
    };
    ends(after) && !ends(before)
}

/// The passing run closest to a failing one without one order of its core. `None` if none was found
/// in time.
pub fn closest_without(
    program: &Program,
    options: &CheckOptions,
    encoding: &mut Encoding,
    (failing, core, member): (&Explained, &Core, usize),
    stop: &mut dyn FnMut() -> bool,
) -> Result<Option<PassingRun>, InternalFailure> {
    if failing.run.steps.len() > MOST_STEPS {
        return Ok(None);
    }
    let RunSearch::Found(found) = given_run(program, options, encoding, &failing.run, stop)? else {
        return Ok(None);
    };
    let others = core.members.iter().enumerate().filter(|(index, _)| *index != member);
    let orders: Vec<Condition> =
        others.map(|(_, it)| Condition::Order(it.order.before, it.order.after)).collect();
    let also: Vec<Lit> = orders.into_iter().map(|order| encoding.condition(order)).collect();
    let trace = failing::trace(program, encoding, &found);
    let failing = unravel_compare::Reference { model: &found.model, trace: &trace, also: &also };
    let how = Options {
        weights: Weights::Lexicographic,
        algorithm: Algorithm::CoreGuided,
        method: Method::Exact,
        conflicts: Some(CONFLICTS),
    };
    let machine = Machine::new(program, options.config());
    match closest(&machine, encoding, failing, &how, stop) {
        Outcome::Found(comparison) => Ok(Some(comparison.passing)),
        Outcome::NonePasses | Outcome::NoneKnown | Outcome::Stopped => Ok(None),
        Outcome::Broken(why) => Err(InternalFailure::Broken(why)),
    }
}
