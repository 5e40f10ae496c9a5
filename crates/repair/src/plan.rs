//! What to try: sets of requirements that together make every core impossible.

use unravel_diagnose::{Cause, Core, Diagnosis, Explained, Pattern, Reason, Shape, shape};
use unravel_events::EventGraph;
use unravel_program::Program;

use crate::composite::{self, Exclusion};
use crate::cover::{Cover, Covers};
use crate::kill::SourceOrder;
use crate::spot::{Spots, Stretch};

/// Something that must hold in every run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Requirement {
    /// No two threads are in these stretches at a time.
    Exclusive(Vec<Stretch>),
    /// One place before another.
    Before(SourceOrder),
}

/// Requirements that together exclude all failing runs that are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The requirements.
    pub requirements: Vec<Requirement>,
}

impl Plan {
    /// Whether it leaves some order to the run.
    #[must_use]
    pub fn is_composite(&self) -> bool {
        self.requirements.iter().any(|it| matches!(it, Requirement::Exclusive(_)))
    }
}

/// The cores of a diagnosis.
#[must_use]
pub fn cores(diagnosis: &Diagnosis) -> Vec<&Core> {
    diagnosis.runs.iter().filter_map(core_of).collect()
}

fn core_of(run: &Explained) -> Option<&Core> {
    match &run.reason {
        Reason::Core(core) => Some(core),
        _ => None,
    }
}

/// Plans, the most promising first: composites, then elementary covers.
#[must_use]
pub fn plans(
    program: &Program,
    graph: &EventGraph,
    diagnosis: &Diagnosis,
    causes: &[Cause],
    covers: &Covers,
) -> Vec<Plan> {
    let mut plans: Vec<Plan> = Vec::new();
    let mut add = |plan: Plan| {
        if !plan.requirements.is_empty() && !plans.contains(&plan) {
            plans.push(plan);
        }
    };
    let mut exclusions: Vec<Exclusion> = Vec::new();
    let mut all_torn = true;
    for cause in causes {
        let torn = torn_cores(program, graph, diagnosis, cause);
        all_torn &= !torn.is_empty();
        exclusions.extend(torn);
    }
    let exclusive: Vec<Requirement> =
        composite::joined(&exclusions).into_iter().map(Requirement::Exclusive).collect();
    if let [Cause { pattern: Pattern::Deadlock, shape, .. }] = causes {
        let stretches = composite::of_circle(program, graph, shape);
        if stretches.len() > 1 {
            add(Plan { requirements: vec![Requirement::Exclusive(stretches)] });
        }
    }
    if all_torn {
        add(Plan { requirements: exclusive });
    } else if !exclusive.is_empty() {
        // What is torn is excluded, what comes too early is ordered.
        for cover in covers.all.iter().take(MIXED) {
            let mut requirements = exclusive.clone();
            requirements.extend(early_orders(cover, &exclusions));
            add(Plan { requirements });
        }
    }
    for exclusion in composite::of_covers(covers) {
        let stretches = composite::joined(&[exclusion]);
        add(Plan { requirements: stretches.into_iter().map(Requirement::Exclusive).collect() });
    }
    for cover in &covers.all {
        let requirements = cover.orders.iter().cloned().map(Requirement::Before).collect();
        add(Plan { requirements });
    }
    plans
}

/// The accesses of data races that were found: whatever else they do, they exclude each other.
#[must_use]
pub fn of_races(program: &Program, spots: &Spots, diagnosis: &Diagnosis) -> Option<Plan> {
    let races = diagnosis.runs.iter().filter(|run| matches!(run.reason, Reason::Race));
    let mut stretches: Vec<Stretch> = Vec::new();
    for violation in races.map(|it| it.run.violation()) {
        let sites = violation.related.iter().map(|(site, _)| *site).chain([violation.site]);
        for place in sites.filter_map(|site| program.site(site).span) {
            for spot in spots.at_place(place) {
                let single =
                    Stretch { first: spot.clone(), last: spot.clone(), crosses_iterations: false };
                if !stretches.contains(&single) {
                    stretches.push(single);
                }
            }
        }
    }
    stretches.sort();
    let requirements = vec![Requirement::Exclusive(stretches.clone())];
    (!stretches.is_empty()).then_some(Plan { requirements })
}

/// Covers that are mixed with exclusions, where a program has both kinds of cause.
const MIXED: usize = 3;

fn torn_cores(
    program: &Program,
    graph: &EventGraph,
    diagnosis: &Diagnosis,
    cause: &Cause,
) -> Vec<Exclusion> {
    if cause.pattern == Pattern::Deadlock {
        return composite::of_shape(program, graph, &cause.shape).into_iter().collect();
    }
    let cores = cause.runs.iter().filter_map(|&run| core_of(&diagnosis.runs[run]));
    let shapes: Vec<Shape> = cores.map(|core| shape(graph, core)).collect();
    shapes.iter().filter_map(|shape| composite::of_shape(program, graph, shape)).collect()
}

/// The orders of a cover that concern something else than what is excluded.
fn early_orders(cover: &Cover, exclusions: &[Exclusion]) -> Vec<Requirement> {
    let inside = |order: &SourceOrder| {
        let stretches = exclusions.iter().flat_map(|it| [&it.one, &it.other]);
        let spots: Vec<_> = stretches.flat_map(|it| [&it.first, &it.last]).collect();
        spots.contains(&&order.before) && spots.contains(&&order.after)
    };
    let outside = cover.orders.iter().filter(|order| !inside(order));
    outside.cloned().map(Requirement::Before).collect()
}
