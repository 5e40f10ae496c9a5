//! Threads that run the same code, and what tells them apart: where and when they are created.

use unravel_diagnose::{Region, Shape};
use unravel_repair::SourceOrder;
use unravel_span::Span;

use crate::Context;

/// Threads of one creation, in a loop, that tear each other's regions.
pub(crate) struct TornAmongEquals<'a> {
    /// Where they are created.
    pub create: Span,
    /// Their start function.
    pub thread: String,
    /// The region of one of them.
    pub region: &'a Region,
}

impl Context<'_> {
    /// The threads of a torn region and of what tears it, if one place creates them.
    pub(crate) fn torn_among_equals<'s>(&self, shape: &'s Shape) -> Option<TornAmongEquals<'s>> {
        let Shape::Torn { region, by } = shape else { return None };
        let thread = |region: &Region| &self.graph.threads[region.thread.0 as usize];
        let (one, other) = (thread(region), thread(by));
        let create = self.place_of(one.created_by?)?;
        let again = self.place_of(other.created_by?)?;
        let is_same = one.start == other.start && region.thread != by.thread && create == again;
        let thread = self.program.function(one.start).name.clone();
        is_same.then_some(TornAmongEquals { create, thread, region })
    }

    /// The two creations of the threads of an order, the earlier one first, if the two threads run the
    /// same code, no other thread does, and the order is that of the creations.
    pub(crate) fn twins(&self, order: &SourceOrder) -> Option<(Span, Span)> {
        let (one, other) = (order.before.actor?, order.after.actor?);
        let is_same = order.before.role == order.after.role;
        (is_same && one < other && self.spots.arrivals(&order.before) == 2).then_some((one, other))
    }
}
