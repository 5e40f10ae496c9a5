//! The ends of orders, in words.

use unravel_diagnose::{Order, Point};
use unravel_events::{EventGraph, Space, StepId, ThreadId as Instance};
use unravel_interp::{Schedule, Step, StepKind, ThreadId};
use unravel_program::Program;
use unravel_program::library::sync::{Deed, SyncOp};
use unravel_report::model::{self, End};

use crate::source_name::expression_at;
use crate::{rows, sync_words};

/// Words for what happens in a failing run.
pub struct Points<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
    /// The steps of the run.
    pub steps: &'a [StepId],
    /// For each thread of the run, which of the graph it is.
    pub threads: &'a [Instance],
}

/// What one end of an order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Free,
    Use,
    Sync(Deed),
}

impl Points<'_> {
    /// An order in words; letter and passing run are for the caller to fill in.
    pub fn order(
        &self,
        order: &Order,
        schedule: &Schedule,
        passing: Option<&Schedule>,
    ) -> model::Order {
        let (first, second) = order.points();
        let before = self.end(first, schedule, passing);
        let after = self.end(second, schedule, passing);
        let so = self.so((first, &before), (second, &after));
        model::Order { id: String::new(), before, after, so, passing: None }
    }

    fn kind(&self, point: Point) -> Kind {
        match point.access.map(|access| &self.graph.accesses[access]) {
            None => {
                let deed = self.graph.step(point.step).sync.map(SyncOp::deed);
                deed.map_or(Kind::Use, Kind::Sync)
            }
            Some(access) => match (access.space, access.writes) {
                (Space::Data, false) => Kind::Read,
                (Space::Data, true) => Kind::Write,
                (Space::Life, false) => Kind::Use,
                (Space::Life, true) => Kind::Free,
                (Space::Sync, _) => Kind::Use,
            },
        }
    }

    pub fn end(&self, point: Point, schedule: &Schedule, passing: Option<&Schedule>) -> End {
        let instance = self.graph.step(point.step).thread;
        let kind = self.kind(point);
        let place = rows::place(self.program, point.site(self.graph));
        let here = self.row(point, schedule);
        let row = here.map(|at| &schedule.steps[at]);
        // Where it does not happen in this run, another run knows its name.
        let site = point.site(self.graph);
        let others = || {
            let steps = passing.into_iter().flat_map(|run| &run.steps);
            steps.filter(|it| it.site == site && it.variable.is_some() && fits(kind, it))
        };
        let own = ThreadId(self.thread(instance));
        let elsewhere = others().find(|it| it.thread == own).or_else(|| others().next());
        let named = row.or(elsewhere);
        let in_text = place.as_ref().and_then(|it| expression_at(&self.program.files, it.span));
        let variable = named.and_then(|step| step.variable.clone());
        let variable = match variable {
            Some(name) if !name.starts_with("heap@") => Some(name),
            other => in_text.or(other),
        };
        let value = row.and_then(|step| step.value.clone());
        let updates = row.is_some_and(|step| step.kind == StepKind::Update);
        let shown = if updates { Kind::Write } else { kind };
        End {
            thread: self.thread(instance),
            thread_name: start_name(self.program, self.graph, instance),
            text: text(shown, variable.as_deref().unwrap_or("memory"), value.as_deref()),
            place,
            kind: if updates { StepKind::Update.word() } else { word(kind) },
            variable,
            value,
            turn: self.graph.step(point.step).moment.turn(self.program),
            step: here.map(|at| rows::number(schedule, at)),
        }
    }

    /// The number of a thread in the failing run; of one that does not exist there, in the graph.
    fn thread(&self, instance: Instance) -> u32 {
        let at = self.threads.iter().position(|&it| it == instance);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(instance.0)
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

    /// What an order leads to.
    fn so(&self, (first, before): (Point, &End), (second, after): (Point, &End)) -> String {
        let name = before.variable.as_deref().or(after.variable.as_deref()).unwrap_or("it");
        let who = |end: &End| words_for(end.thread);
        let read = |point: Point, end: &End| match self.kind(point) {
            Kind::Read if end.kind == StepKind::Update.word() => Kind::Write,
            kind => kind,
        };
        match (read(first, before), read(second, after)) {
            (Kind::Write, Kind::Read) => match &after.value {
                Some(value) => format!("so {} reads {value}", who(after)),
                None => format!("so {} does not get the old value", who(after)),
            },
            (Kind::Read, Kind::Write) => match &before.value {
                Some(value) => format!("so {} still reads {value}", who(before)),
                None => format!("so {} reads the old value", who(before)),
            },
            (Kind::Write, Kind::Write) => match &after.value {
                Some(value) => format!("so {name} becomes {value}"),
                None => format!("so {name} is not overwritten in time"),
            },
            (Kind::Free, _) => format!("so {} uses memory that is gone", who(after)),
            (_, Kind::Free) => format!("so {} finds the memory still there", who(before)),
            (Kind::Sync(first), Kind::Sync(second)) => {
                sync_words::so(first, second, &who(before), &who(after))
            }
            _ => String::new(),
        }
    }
}

/// The start function of a thread.
pub fn start_name(program: &Program, graph: &EventGraph, instance: Instance) -> String {
    let start = graph.threads[instance.0 as usize].start;
    program.function(start).name.clone()
}

fn words_for(thread: u32) -> String {
    if thread == 0 { "main".to_owned() } else { format!("T{thread}") }
}

fn fits(kind: Kind, step: &Step) -> bool {
    match kind {
        Kind::Read => {
            matches!(step.kind, StepKind::Read | StepKind::Update | StepKind::FailedUpdate)
        }
        Kind::Write => matches!(step.kind, StepKind::Write | StepKind::Update),
        Kind::Free => matches!(step.kind, StepKind::Free | StepKind::End),
        Kind::Use => step.variable.is_some(),
        Kind::Sync(_) => matches!(step.kind, StepKind::Sync(..)),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Free => "free",
        Kind::Use => "use",
        Kind::Sync(deed) => deed.code(),
    }
}

fn text(kind: Kind, name: &str, value: Option<&str>) -> String {
    match (kind, value) {
        (Kind::Read, Some(value)) => format!("{name} is {value}"),
        (Kind::Write, Some(value)) => format!("{name} = {value}"),
        (Kind::Read, None) => format!("reads {name}"),
        (Kind::Write, None) => format!("writes {name}"),
        (Kind::Free, _) => format!("frees {name}"),
        (Kind::Use, _) => format!("uses {name}"),
        (Kind::Sync(deed), _) => sync_words::does(deed, name),
    }
}
