//! Symbiosis's heuristic, as the MaxSMT text §3.1 describes it: swap one pair of steps of the
//! failing run, the closest pairs first, and see whether the rest, in the same order, passes. It
//! fails where two pairs would have to be swapped at once.

use unravel_encode::Encoding;
use unravel_events::{EventGraph, Space, StepId};
use unravel_interp::Machine;
use unravel_solver::Lit;

use crate::{Outcome, Reference, compared, hard};

/// The first passing run with one pair of conflicting steps swapped.
pub fn swap(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    failing: Reference<'_>,
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let hard = hard(encoding, failing);
    for (first, second) in pairs(encoding.graph(), &failing.trace.steps) {
        let swapped = swapped(&failing.trace.steps, first, second);
        let mut assumed: Vec<Lit> = hard.clone();
        for pair in swapped.windows(2) {
            assumed.push(encoding.in_order(pair[0], pair[1]));
        }
        match encoding.assume(&assumed, stop) {
            unravel_solver::Outcome::Sat(model) => {
                return compared(machine, encoding, failing, model, false);
            }
            unravel_solver::Outcome::Unsat(_) => {}
            unravel_solver::Outcome::Stopped => return Outcome::Stopped,
            unravel_solver::Outcome::Broken(why) => return Outcome::Broken(why),
        }
    }
    Outcome::NonePasses
}

/// Places of conflicting steps of different threads, those close together first.
fn pairs(graph: &EventGraph, steps: &[StepId]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (first, &a) in steps.iter().enumerate() {
        for (second, &b) in steps.iter().enumerate().skip(first + 1) {
            if graph.step(a).thread != graph.step(b).thread && conflict(graph, a, b) {
                pairs.push((first, second));
            }
        }
    }
    pairs.sort_by_key(|&(first, second)| (second - first, std::cmp::Reverse(second)));
    pairs
}

/// Whether two steps may access the same memory, one of them to write it.
fn conflict(graph: &EventGraph, a: StepId, b: StepId) -> bool {
    let of = |step: StepId| {
        graph.accesses.iter().filter(move |it| it.step == step && it.space == Space::Data)
    };
    of(a).any(|x| {
        let objects = graph.candidates(&x.may);
        of(b).any(|y| {
            let same = graph.terms.as_const(x.address.bits) == graph.terms.as_const(y.address.bits);
            let meet = graph.candidates(&y.may).iter().any(|id| objects.contains(id));
            (x.writes || y.writes) && meet && same
        })
    })
}

/// The steps with the later of two moved before the earlier.
fn swapped(steps: &[StepId], first: usize, second: usize) -> Vec<StepId> {
    let mut swapped = steps.to_vec();
    let moved = swapped.remove(second);
    swapped.insert(first, moved);
    swapped
}
