//! The two ends of an order.

use unravel_diagnose::{Order, Point};
use unravel_events::{EventGraph, Space, StepId, ThreadId as Instance};
use unravel_interp::{Schedule, Step, StepKind, ThreadId};
use unravel_patch::source_name::expression_at;
use unravel_program::{Program, SiteId};
use unravel_report::model::{self, End, EndKind};

use crate::names::Named;
use crate::steps;

/// Translates the ends of orders of a failing run.
#[derive(Clone, Copy)]
pub struct Ends<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
    /// The steps of the run.
    pub steps: &'a [StepId],
    /// For each thread of the run, which of the graph it is.
    pub threads: &'a [Instance],
}

impl Ends<'_> {
    /// An order; letter and passing run are for the caller to fill in.
    #[must_use]
    pub fn order(
        &self,
        order: &Order,
        schedule: &Named<'_>,
        passing: Option<&Named<'_>>,
    ) -> model::Order {
        let (first, second) = order.points();
        let before = self.end(first, schedule, passing);
        let after = self.end(second, schedule, passing);
        model::Order { id: String::new(), before, after, passing: None }
    }

    /// What happens at a point, as far as the graph knows: an update is a read or a write here.
    pub(crate) fn kind(&self, point: Point) -> EndKind {
        match point.access.map(|access| &self.graph.accesses[access]) {
            None => {
                let op = self.graph.step(point.step).sync;
                op.map_or(EndKind::Use, |op| EndKind::Sync(op.deed()))
            }
            Some(access) => match (access.space, access.writes) {
                (Space::Data, false) => EndKind::Read,
                (Space::Data, true) => EndKind::Write,
                (Space::Life, false) => EndKind::Use,
                (Space::Life, true) => EndKind::Free,
                (Space::Sync, _) => EndKind::Use,
            },
        }
    }

    /// One end of an order. Where it does not happen in this run, another run knows its name.
    #[must_use]
    pub fn end(&self, point: Point, schedule: &Named<'_>, passing: Option<&Named<'_>>) -> End {
        let Named { run: schedule, names } = schedule;
        let instance = self.graph.step(point.step).thread;
        let kind = self.kind(point);
        let site = point.site(self.graph);
        let place = steps::place(self.program, site);
        let here = self.row(point, schedule);
        let row = here.map(|at| &schedule.steps[at]);
        let others = || {
            let steps = passing.into_iter().flat_map(|it| &it.run.steps);
            steps.filter(|it| it.site == site && it.variable.is_some() && fits(kind, it))
        };
        let own = ThreadId(self.thread(instance));
        let elsewhere = others().find(|it| it.thread == own).or_else(|| others().next());
        let own_names = row.is_some() || passing.is_none();
        let names = if own_names { names } else { passing.map_or(names, |it| &it.names) };
        let named = row.or(elsewhere).and_then(|step| step.variable.as_ref());
        let variable = match named {
            Some(name) => Some(steps::name(self.program, names, name, place.as_ref())),
            None => place.as_ref().and_then(|it| expression_at(&self.program.files, it.span)),
        };
        let updates = row.is_some_and(|step| step.kind == StepKind::Update);
        End {
            thread: self.thread(instance),
            thread_name: start_name(self.program, self.graph, instance),
            place,
            kind: if updates { EndKind::Update } else { kind },
            variable,
            value: row.and_then(|step| step.value.clone()).map(|it| names.value(&it).unwrap_or(it)),
            iteration: self.graph.step(point.step).moment.turn(self.program),
            step: here.map(|at| steps::number(schedule, at)),
        }
    }

    /// The number of a thread in the failing run; of one that does not exist there, in the graph.
    fn thread(&self, instance: Instance) -> u32 {
        let at = self.threads.iter().position(|&it| it == instance);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(instance.0)
    }

    /// The row of the failing run that shows a point.
    pub(crate) fn row_in(&self, point: Point, schedule: &Schedule) -> Option<usize> {
        self.row(point, schedule)
    }

    /// A row of another run that shows a point, if it comes there.
    pub(crate) fn elsewhere(&self, point: Point, schedule: &Schedule) -> Option<usize> {
        let (site, kind) = (self.site(point), self.kind(point));
        let own = ThreadId(self.thread_of(point));
        let fits = |it: &Step| it.site == site && fits(kind, it);
        let steps = &schedule.steps;
        let mine = steps.iter().position(|it| it.thread == own && fits(it));
        mine.or_else(|| steps.iter().position(fits))
    }

    pub(crate) fn site(&self, point: Point) -> SiteId {
        point.site(self.graph)
    }

    /// The number of the thread that takes the step of a point.
    pub(crate) fn thread_of(&self, point: Point) -> u32 {
        self.thread(self.graph.step(point.step).thread)
    }

    /// The row of the run that shows a point: of those at its place, the one that comes as often
    /// after others as the point does among the steps of the graph.
    fn row(&self, point: Point, schedule: &Schedule) -> Option<usize> {
        let site = point.site(self.graph);
        let thread = self.graph.step(point.step).thread;
        let is_here = |step: &StepId| {
            self.graph.step(*step).thread == thread
                && match point.access {
                    None => self.graph.step(*step).site == site,
                    Some(access) => {
                        let access = &self.graph.accesses[access];
                        self.graph.accesses.iter().any(|it| {
                            it.step == *step
                                && it.site == site
                                && it.space == access.space
                                && it.writes == access.writes
                        })
                    }
                }
        };
        let mut same = self.steps.iter().filter(|step| is_here(step));
        let nth = same.position(|&step| step == point.step)?;
        let kind = self.kind(point);
        let thread = ThreadId(self.thread(thread));
        let shows = |step: &Step| step.thread == thread && step.site == site && fits(kind, step);
        let mut shown = schedule.steps.iter().enumerate().filter(|(_, step)| shows(step));
        shown.nth(nth).map(|(at, _)| at)
    }
}

/// The start function of a thread.
#[must_use]
pub fn start_name(program: &Program, graph: &EventGraph, instance: Instance) -> String {
    let start = graph.threads[instance.0 as usize].start;
    program.function(start).name.clone()
}

/// Whether a step of a run may be an end of that kind.
fn fits(kind: EndKind, step: &Step) -> bool {
    match kind {
        EndKind::Read => {
            matches!(step.kind, StepKind::Read | StepKind::Update | StepKind::FailedUpdate)
        }
        EndKind::Write | EndKind::Update => step.kind.is_write(),
        EndKind::Free => matches!(step.kind, StepKind::Free | StepKind::End),
        EndKind::Use => step.variable.is_some(),
        EndKind::Sync(_) => matches!(step.kind, StepKind::Sync { .. }),
    }
}
