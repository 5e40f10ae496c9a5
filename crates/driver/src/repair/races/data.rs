//! Which races are on the data that a repair mends: that of the orders that make it fail, and of its
//! plan.

use std::ops::Range;

use unravel_events::{Access, ObjectId, Space};
use unravel_repair::plan::cores;
use unravel_repair::{Plan, Requirement, Spot};

use super::super::Repairer;
use super::super::verify::Verified;

/// What an access goes to: its addresses if they are known, else one of these objects.
struct Touched {
    addresses: Option<Range<u128>>,
    objects: Vec<ObjectId>,
}

impl Touched {
    fn overlaps(&self, other: &Touched) -> bool {
        match (&self.addresses, &other.addresses) {
            (Some(one), Some(other)) => one.start < other.end && other.start < one.end,
            _ => self.objects.iter().any(|it| other.objects.contains(it)),
        }
    }
}

impl Repairer<'_> {
    /// Whether a race that a repair leaves is on the data that it mends.
    pub(super) fn mends_racily(&self, it: &Verified) -> bool {
        let nothing = Plan { requirements: Vec::new() };
        let plan = it.candidate.plan.as_ref().unwrap_or(&nothing);
        it.races.iter().any(|race| {
            let spots: Vec<Spot> =
                race.iter().flat_map(|place| self.in_original(it, place)).collect();
            self.is_its_data(plan, &spots.iter().collect::<Vec<_>>())
        })
    }

    /// Whether something is accessed both at these spots and at those of a plan or a cause.
    pub(super) fn is_its_data(&self, plan: &Plan, spots: &[&Spot]) -> bool {
        let orders = cores(&self.diagnosis).into_iter().flat_map(|core| &core.members);
        let steps = orders.flat_map(|it| [it.order.before, it.order.after]);
        let mut own = of(plan);
        own.extend(steps.filter_map(|step| self.spots.spot(step)));
        let own: Vec<Touched> = own.into_iter().flat_map(|it| self.touched(it)).collect();
        let here = spots.iter().flat_map(|it| self.touched(it));
        here.into_iter().any(|it| own.iter().any(|known| known.overlaps(&it)))
    }

    /// What is accessed at a spot.
    fn touched(&self, spot: &Spot) -> Vec<Touched> {
        let graph = self.encoding.graph();
        let steps: Vec<_> = self.spots.steps(spot).iter().map(|(_, step)| *step).collect();
        let own = |it: &&Access| it.space == Space::Data && steps.contains(&it.step);
        let touched = |it: &Access| {
            let start = graph.terms.as_const(it.address.bits);
            let addresses = start.map(|start| start..start + u128::from(it.bytes));
            Touched { addresses, objects: it.may.objects.clone() }
        };
        graph.accesses.iter().filter(own).map(touched).collect()
    }
}

/// The spots that a plan is about.
fn of(plan: &Plan) -> Vec<&Spot> {
    let mut spots = Vec::new();
    for requirement in &plan.requirements {
        match requirement {
            Requirement::Before(order) => spots.extend([&order.before, &order.after]),
            Requirement::Exclusive(stretches) => {
                spots.extend(stretches.iter().flat_map(|it| [&it.first, &it.last]));
            }
        }
    }
    spots
}
