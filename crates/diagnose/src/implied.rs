//! Orders that follow from a core.
//!
//! A core is as small as can be, so it leaves out what follows anyway: that a step is executed at
//! all may take that its thread has seen what another wrote. Such an order, in the direction opposite
//! to one of the core, tells an interrupted region from two steps in the wrong order.

use unravel_events::{EventGraph, Step, StepId};
use unravel_solver::Lit;

use crate::core::Questions;
use crate::orders::Order;
use crate::{Interrupted, Member};

/// Orders that are tried, the closest to the failure first: each is a question.
const MOST: usize = 12;

/// The orders of a run that follow from a core's and go the other way between the same threads.
pub(crate) fn implied(
    questions: &mut Questions<'_>,
    orders: &[Order],
    core: &[Member],
) -> Result<Vec<Order>, Interrupted> {
    let graph = questions.encoding.graph();
    let thread = |order: &Order| (graph.step(order.before).thread, graph.step(order.after).thread);
    let opposes = |order: &Order, member: &Member| {
        let ((a, b), (c, d)) = (thread(order), thread(&member.order));
        // Steps of one thread are numbered in program order.
        (a, b) == (d, c) && order.after <= member.order.before && order.before <= member.order.after
    };
    if core.iter().any(|one| core.iter().any(|other| opposes(&one.order, other))) {
        return Ok(Vec::new());
    }
    let candidates = orders.iter().filter(|order| core.iter().any(|it| opposes(order, it)));
    let candidates: Vec<Order> = candidates.take(MOST).copied().collect();
    let mut assumptions: Vec<Lit> = vec![questions.encoding.clean()];
    for member in core {
        assumptions.push(questions.encoding.order(member.order.before, member.order.after));
    }
    for order in candidates {
        let mut assumptions = assumptions.clone();
        for before in likes(questions.encoding.graph(), &order) {
            assumptions.push(questions.encoding.no_order(before, order.after));
        }
        if questions.ask(&assumptions)?.is_err() {
            return Ok(vec![order]);
        }
    }
    Ok(Vec::new())
}

/// The first step of an order, and the same step of other threads that run the same code: it is
/// enough if one of them must come first.
fn likes(graph: &EventGraph, order: &Order) -> Vec<StepId> {
    let start = |step: &Step| graph.threads[step.thread.0 as usize].start;
    let (first, second) = (graph.step(order.before), graph.step(order.after));
    let steps = (0u32..).map(StepId).zip(&graph.steps);
    let same = steps.filter(|(_, it)| {
        it.moment == first.moment && start(it) == start(first) && it.thread != second.thread
    });
    same.map(|(id, _)| id).collect()
}
