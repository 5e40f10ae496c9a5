//! What a core looks like: two regions that interleave, or steps in the wrong order.
//!
//! Nothing here reads the program's text: the name of a pattern follows from the orders of the core,
//! from what their steps access and from the violation.

use unravel_events::{Access, EventGraph, Initial, Space, StepId, ThreadId};
use unravel_interp::{Property, Violation};
pub use unravel_kinds::Pattern;
use unravel_kinds::{Deed, Related, Wait};
use unravel_program::library::sync::{Class, SyncOp};
use unravel_program::{FunctionId, Program, SiteId};

use crate::orders::{Contact, Order};
use crate::{Core, Explained};

/// Steps of one thread, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The thread that takes these steps.
    pub thread: ThreadId,
    /// Where it begins.
    pub first: Point,
    /// Where it ends.
    pub last: Point,
}

/// One end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The step.
    pub step: StepId,
    /// The access that conflicts, if it is one.
    pub access: Option<usize>,
}

/// The shape of a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A region of one thread is interrupted by another's.
    Torn {
        /// The region.
        region: Region,
        /// What lies inside it, or overlaps it.
        by: Region,
    },
    /// Steps that come too early, each with the one that should have come before.
    Early(Vec<(Point, Point)>),
}

/// A line of the program's text (file, line, or a place without one), on behalf of all threads that
/// run it.
pub type Static = (FunctionId, u32, u32);

impl Point {
    fn before(order: &Order) -> Point {
        let access = match order.contact {
            Contact::Memory { before, .. } => Some(before),
            Contact::Lock => None,
        };
        Point { step: order.before, access }
    }

    fn after(order: &Order) -> Point {
        let access = match order.contact {
            Contact::Memory { after, .. } => Some(after),
            Contact::Lock => None,
        };
        Point { step: order.after, access }
    }

    /// Its place in user code.
    #[must_use]
    pub fn site(&self, graph: &EventGraph) -> SiteId {
        match self.access {
            Some(access) => graph.accesses[access].site,
            None => graph.step(self.step).site,
        }
    }

    /// The line of the text that it is on.
    #[must_use]
    pub fn in_text(&self, program: &Program, graph: &EventGraph) -> Static {
        let thread = graph.step(self.step).thread;
        let start = graph.threads[thread.0 as usize].start;
        let site = self.site(graph);
        match program.site(site).span {
            Some(span) => (start, span.file.0, span.line),
            None => (start, u32::MAX, site.0),
        }
    }
}

impl Order {
    /// Its two ends.
    #[must_use]
    pub fn points(&self) -> (Point, Point) {
        (Point::before(self), Point::after(self))
    }
}

impl Region {
    /// The span of two points of one thread.
    fn of(graph: &EventGraph, a: Point, b: Point) -> Region {
        // Steps of one thread are numbered in program order.
        let (first, last) = if a.step <= b.step { (a, b) } else { (b, a) };
        Region { thread: graph.step(a.step).thread, first, last }
    }
}

/// The shape of a core.
#[must_use]
pub fn shape(graph: &EventGraph, core: &Core) -> Shape {
    let members = core.members.iter().map(|member| member.order);
    let orders: Vec<Order> = members.clone().chain(core.implied.iter().copied()).collect();
    let thread = |step: StepId| graph.step(step).thread;
    for (at, one) in orders.iter().enumerate() {
        for other in &orders[at + 1..] {
            let opposite = thread(one.before) == thread(other.after)
                && thread(one.after) == thread(other.before);
            if opposite {
                return torn(graph, one, other);
            }
        }
    }
    match chain(graph, &orders) {
        Some((region, by)) => Shape::Torn { region, by },
        None => Shape::Early(members.map(|order| order.points()).collect()),
    }
}

/// Two orders in opposite directions between two threads.
fn torn(graph: &EventGraph, one: &Order, other: &Order) -> Shape {
    let (a, b) = one.points();
    let (c, d) = other.points();
    // a → b and c → d, with a, d in one thread and b, c in the other.
    let (here, there) = (Region::of(graph, a, d), Region::of(graph, b, c));
    // If a comes before d in its thread, it is left at a and taken up at d; else the other is.
    if a.step < d.step {
        Shape::Torn { region: here, by: there }
    } else {
        Shape::Torn { region: there, by: here }
    }
}

/// A region that is left by one order and taken up by another, with steps of more than one other
/// thread between.
fn chain(graph: &EventGraph, orders: &[Order]) -> Option<(Region, Region)> {
    let thread = |step: StepId| graph.step(step).thread;
    for leaves in orders {
        // What is known to come after the region was left.
        let mut later: Vec<StepId> = vec![leaves.after];
        let mut at = 0;
        while at < later.len() {
            let reached = later[at];
            for order in orders {
                let goes_on = thread(order.before) == thread(reached) && order.before >= reached;
                if !goes_on {
                    continue;
                }
                if thread(order.after) == thread(leaves.before) && order.after >= leaves.before {
                    let (first, enters) = leaves.points();
                    let (_, last) = order.points();
                    let by = Region::of(graph, enters, enters);
                    return Some((Region::of(graph, first, last), by));
                }
                if !later.contains(&order.after) {
                    later.push(order.after);
                }
            }
            at += 1;
        }
    }
    None
}

/// The name of what a failing run with this core shows.
#[must_use]
pub fn pattern(graph: &EventGraph, failing: &Explained, core: &Core, shape: &Shape) -> Pattern {
    let violation = failing.run.violation();
    if violation.property() == Property::Deadlock {
        if lost_signal(graph, failing).is_some() {
            return Pattern::LostWakeup;
        }
        // Where nobody holds what others wait for, a torn region says more.
        let counts = |order: &Order| !is_lock(graph, order.before) && !is_lock(graph, order.after);
        let torn = matches!(shape, Shape::Torn { .. });
        if !torn || !core.members.iter().all(|member| counts(&member.order)) {
            return Pattern::Deadlock;
        }
    }
    match shape {
        Shape::Torn { .. } => {
            Pattern::AtomicityViolation { multi_variable: touches_several(graph, core) }
        }
        Shape::Early(pairs) => early_pattern(graph, failing, violation, pairs),
    }
}

/// Whether a step is an operation on a lock or on a condition variable.
fn is_lock(graph: &EventGraph, step: StepId) -> bool {
    let class = graph.step(step).sync.map(SyncOp::class);
    class.is_some_and(|class| class.is_lock() || class == Class::Cond)
}

/// A wait that never ends in a failing run, although a signal or broadcast was sent to its condition
/// variable; and that signal, the last.
#[must_use]
pub fn lost_signal(graph: &EventGraph, failing: &Explained) -> Option<(StepId, StepId)> {
    // Who was woken and waits for the mutex has not lost its signal.
    let waits = |(_, it): &(SiteId, Related)| it.as_wait().is_some_and(Wait::is_for_signal);
    if !failing.run.violation().related.iter().any(waits) {
        return None;
    }
    let executed = |step: StepId| failing.run.steps.contains(&step);
    let waits = graph.cond_waits.iter().filter(|it| executed(it.begin) && !executed(it.wake));
    let address = |value: unravel_events::Value| graph.terms.as_const(value.bits);
    waits.into_iter().find_map(|wait| {
        let to_it = |step: &StepId| {
            let mut sent = graph.signals.iter().filter(|it| it.step == *step);
            // What is read from shared memory may be any of them.
            sent.any(|it| match (address(it.address), address(wait.address)) {
                (Some(one), Some(other)) => one == other,
                _ => true,
            })
        };
        let signal = failing.run.steps.iter().rev().copied().find(|step| to_it(step));
        signal.map(|signal| (wait.begin, signal))
    })
}

fn early_pattern(
    graph: &EventGraph,
    failing: &Explained,
    violation: &Violation,
    pairs: &[(Point, Point)],
) -> Pattern {
    let access = |point: &Point| point.access.map(|it| &graph.accesses[it]);
    let ends_life = |it: Option<&Access>| it.is_some_and(|it| it.space == Space::Life && it.writes);
    let reads = |it: Option<&Access>| it.is_some_and(|it| it.space == Space::Data && !it.writes);
    let writes = |it: Option<&Access>| it.is_some_and(|it| it.space == Space::Data && it.writes);
    if pairs.iter().any(|(before, _)| ends_life(access(before))) {
        return Pattern::UseAfterFree;
    }
    let no_value_yet = |it: &Access| {
        let objects = graph.candidates(&it.may);
        objects.iter().any(|&id| matches!(graph.objects.get(id).initial, Initial::Undefined))
            && !is_written_before(graph, failing, it)
    };
    let bad_pointer = violation.kind.is_bad_pointer();
    let unset = pairs.iter().any(|(before, after)| {
        reads(access(before))
            && writes(access(after))
            && (bad_pointer || access(before).is_some_and(no_value_yet))
    });
    let made_later = pairs.iter().any(|(_, after)| is_init(graph, after.step));
    let unset = unset || made_later;
    if unset { Pattern::UseBeforeInitialization } else { Pattern::OrderViolation }
}

/// Whether a step initializes a synchronization object.
fn is_init(graph: &EventGraph, step: StepId) -> bool {
    let op = graph.step(step).sync;
    op.is_some_and(|op| op.deed() == Deed::Init)
}

/// Whether a run may have written what an access reads, before it.
fn is_written_before(graph: &EventGraph, failing: &Explained, read: &Access) -> bool {
    let earlier = failing.run.steps.iter().take_while(|&&step| step != read.step);
    let objects = graph.candidates(&read.may);
    earlier.into_iter().any(|&step| {
        let mut writes = graph.accesses.iter().filter(|it| it.step == step && it.writes);
        writes.any(|it| {
            it.space == Space::Data
                && graph.candidates(&it.may).iter().any(|id| objects.contains(id))
        })
    })
}

/// Whether the orders of a core concern more than one variable.
fn touches_several(graph: &EventGraph, core: &Core) -> bool {
    let mut places: Vec<(u128, Vec<unravel_events::ObjectId>)> = Vec::new();
    let members = core.members.iter().map(|member| &member.order);
    for order in members.chain(&core.implied) {
        if let Contact::Memory { before, .. } = order.contact {
            let access = &graph.accesses[before];
            let address = graph.terms.as_const(access.address.bits).unwrap_or(0);
            let place = (address, graph.candidates(&access.may));
            if !places.contains(&place) {
                places.push(place);
            }
        }
    }
    places.len() > 1
}
