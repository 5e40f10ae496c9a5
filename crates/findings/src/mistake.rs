//! The line at fault, as data of a report.

use unravel_blame::{Evidence, Order, Shape, Spot, mistake};
use unravel_diagnose::{Core, Point, Shape as CoreShape};
use unravel_interp::{Schedule, StepKind, Violation};
use unravel_kinds::Mistake;
use unravel_program::Program;
use unravel_report::model::{End, EndKind};

use crate::names::Named;
use crate::order_ends::Ends;
use crate::steps;

/// The mistake that a failing run shows by itself, where the orders that make it fail are not known.
#[must_use]
pub fn of_run(
    program: &Program,
    violation: &Violation,
    failing: &Schedule,
) -> Option<Mistake<End>> {
    let evidence = Evidence { program, failing, violation, passing: &[], orders: &[], shape: None };
    let mistake = mistake(&evidence)?;
    Some(written(program, &Named::of(program, failing), &mistake))
}

/// A failing run with its core, and the runs that pass without one of its orders.
pub struct Explained<'a> {
    /// The program.
    pub program: &'a Program,
    /// Finds the steps of orders in runs.
    pub ends: Ends<'a>,
    /// The failing run.
    pub failing: &'a Schedule,
    /// What it ends in.
    pub violation: &'a Violation,
    /// Its core.
    pub core: &'a Core,
    /// For each order of the core, the run that passes without it.
    pub passing: Vec<Option<Schedule>>,
    /// What the core looks like.
    pub shape: &'a CoreShape,
}

impl Explained<'_> {
    /// The mistake that these runs show.
    #[must_use]
    pub fn mistake(&self) -> Option<Mistake<End>> {
        let failing = unravel_blame::spots(self.failing);
        let mut passing: Vec<Schedule> = Vec::new();
        let mut orders = Vec::new();
        for (member, run) in self.core.members.iter().zip(&self.passing) {
            let (before, after) = member.order.points();
            let spot = |point| self.spot(point, &failing, run.as_ref());
            let (before, after) = (spot(before), spot(after));
            let index = run.as_ref().map(|_| passing.len());
            passing.extend(run.clone());
            orders.push(Order { before, after, passing: index });
        }
        let shape = self.shape_of_spots(&failing);
        let (program, violation) = (self.program, self.violation);
        let (failing, shape) = (self.failing, Some(&shape));
        let (passing, orders) = (&passing[..], &orders[..]);
        let evidence = Evidence { program, failing, violation, passing, orders, shape };
        let mistake = mistake(&evidence)?;
        Some(written(program, &Named::of(program, failing), &mistake))
    }

    fn shape_of_spots(&self, failing: &[Spot]) -> Shape {
        let runs = || self.passing.iter().flatten();
        let spot = |point: Point| {
            let known = self.ends.row_in(point, self.failing).is_some();
            let run = if known {
                None
            } else {
                runs().find(|run| self.ends.elsewhere(point, run).is_some())
            };
            self.spot(point, failing, run)
        };
        match self.shape {
            CoreShape::Torn { region, by } => Shape::Torn {
                region: (spot(region.first), spot(region.last)),
                by: (spot(by.first), spot(by.last)),
            },
            CoreShape::Early(pairs) => {
                Shape::Early(pairs.iter().map(|&(a, b)| (spot(a), spot(b))).collect())
            }
        }
    }

    /// A step of an order: as the failing run has it, or else as the passing run has it.
    fn spot(&self, point: Point, failing: &[Spot], passing: Option<&Schedule>) -> Spot {
        if let Some(row) = self.ends.row_in(point, self.failing)
            && let Some(spot) = failing.get(row)
        {
            return spot.clone();
        }
        let elsewhere = passing.and_then(|run| Some((run, self.ends.elsewhere(point, run)?)));
        if let Some((run, row)) = elsewhere
            && let Some(spot) = unravel_blame::spots(run).get(row)
        {
            return Spot { index: None, ..spot.clone() };
        }
        let kind = match self.ends.kind(point) {
            EndKind::Read => StepKind::Read,
            EndKind::Write => StepKind::Write,
            EndKind::Update => StepKind::Update,
            EndKind::Free => StepKind::Free,
            EndKind::Use => StepKind::Local,
            EndKind::Sync(deed) => StepKind::Sync { deed, code: None },
        };
        Spot::at(self.ends.thread_of(point), self.ends.site(point), kind, None)
    }
}

fn written(program: &Program, run: &Named<'_>, mistake: &Mistake<Spot>) -> Mistake<End> {
    mistake.map(&mut |spot| end(program, run, spot))
}

/// A step in the user's words.
fn end(program: &Program, named: &Named<'_>, spot: &Spot) -> End {
    let Named { run, names } = named;
    let place = steps::place(program, spot.site);
    let thread = run.threads.iter().find(|it| it.id.0 == spot.thread);
    let kind = match spot.kind {
        StepKind::Read | StepKind::FailedUpdate => EndKind::Read,
        StepKind::Write => EndKind::Write,
        StepKind::Update => EndKind::Update,
        StepKind::Free => EndKind::Free,
        StepKind::Sync { deed, .. } => EndKind::Sync(deed),
        _ => EndKind::Use,
    };
    let variable = match &spot.variable {
        // A sentence about a line speaks of it as the line does.
        Some(variable) => steps::in_text(program, place.as_ref())
            .filter(|_| variable.is_heap())
            .or_else(|| Some(steps::name(program, names, variable, place.as_ref()))),
        None => steps::in_text(program, place.as_ref()),
    };
    End {
        thread: spot.thread,
        thread_name: thread.map_or_else(String::new, |it| it.name.clone()),
        variable,
        place,
        kind,
        value: spot.value.clone(),
        iteration: None,
        step: spot.index.map(|at| steps::number(run, at)),
    }
}
