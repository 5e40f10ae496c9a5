//! The ends of orders, and causes, in words.

use unravel_diagnose::{Cause, Failing, Order, Pattern, Point, Region, Shape};
use unravel_events::{EventGraph, Space, ThreadId as Instance};
use unravel_interp::{Schedule, Step, StepKind, ThreadId};
use unravel_program::Program;
use unravel_report::model::{self, End};

use crate::rows;
use crate::source_name::expression_at;

/// Words for what happens in a failing run.
pub struct Points<'a> {
    /// The program.
    pub program: &'a Program,
    /// What its steps are.
    pub graph: &'a EventGraph,
    /// The run.
    pub failing: &'a Failing,
}

/// What one end of an order does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Free,
    Use,
    Lock,
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
            None => Kind::Lock,
            Some(access) => match (access.space, access.writes) {
                (Space::Data, false) => Kind::Read,
                (Space::Data, true) => Kind::Write,
                (Space::Life, false) => Kind::Use,
                (Space::Life, true) => Kind::Free,
            },
        }
    }

    fn end(&self, point: Point, schedule: &Schedule, passing: Option<&Schedule>) -> End {
        let instance = self.graph.step(point.step).thread;
        let kind = self.kind(point);
        let place = rows::place(self.program, point.site(self.graph));
        let here = self.row(point, schedule);
        let row = here.map(|at| &schedule.steps[at]);
        // Where it does not happen in this run, another run knows its name.
        let site = point.site(self.graph);
        let mut others = passing.into_iter().flat_map(|run| &run.steps);
        let elsewhere = others.find(|step| step.site == site && step.variable.is_some());
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
            thread_name: self.start_name(instance),
            text: text(shown, variable.as_deref().unwrap_or("memory"), value.as_deref()),
            place,
            kind: if updates { StepKind::Update.word() } else { word(kind) },
            variable,
            value,
            turn: self.graph.step(point.step).moment.turn(self.program),
            step: here.map(|at| rows::number(schedule, at)),
        }
    }

    fn start_name(&self, instance: Instance) -> String {
        let start = self.graph.threads[instance.0 as usize].start;
        self.program.function(start).name.clone()
    }

    /// The number of a thread in the failing run; of one that does not exist there, in the graph.
    fn thread(&self, instance: Instance) -> u32 {
        let at = self.failing.threads.iter().position(|&it| it == instance);
        at.and_then(|at| u32::try_from(at).ok()).unwrap_or(instance.0)
    }

    /// The row of the run that shows a point: of those at its place, the one that comes as often
    /// after others as the point does among the steps of the graph.
    fn row(&self, point: Point, schedule: &Schedule) -> Option<usize> {
        let site = point.site(self.graph);
        let thread = self.graph.step(point.step).thread;
        let is_here = |step: &unravel_events::StepId| {
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
        let mut same = self.failing.steps.iter().filter(|step| is_here(step));
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
            (Kind::Lock, _) => format!("so {} waits", who(after)),
            _ => String::new(),
        }
    }

    // ----- Causes -----

    /// A cause in a sentence. `core` is that of its first run.
    pub fn cause(&self, cause: &Cause, core: Option<&model::Core>) -> String {
        let variables = core.map(variables).unwrap_or_default();
        match &cause.shape {
            Shape::Torn { region, by } if cause.pattern == Pattern::Deadlock => {
                let (one, other) = (self.region(region), self.region(by));
                format!("{one} and {other} wait for each other")
            }
            Shape::Torn { region, by } => {
                let what = self.region(region);
                let other = self.interruption(region, by);
                let several =
                    matches!(cause.pattern, Pattern::AtomicityViolation { multi_variable: true });
                let about = match (&variables[..], several) {
                    ([], _) => String::new(),
                    ([one], _) => format!(" ({one})"),
                    (all, _) => format!(" ({})", all.join(", ")),
                };
                let get = if other.starts_with("lines") { "get" } else { "gets" };
                format!("{what} should be one step{about}, but {other} {get} in between")
            }
            Shape::Early(pairs) => self.early(cause.pattern, pairs),
        }
    }

    fn early(&self, pattern: Pattern, pairs: &[(Point, Point)]) -> String {
        let Some(&(before, after)) = pairs.first() else { return String::new() };
        let (first, second) = (self.at(before), self.at(after));
        let message = match pattern {
            Pattern::UseAfterFree => format!("{first} gives up memory that {second} still uses"),
            Pattern::UseBeforeInitialization => {
                format!("{first} uses what {second} has yet to set")
            }
            _ => format!("{second} should come before {first}"),
        };
        match pairs.len() {
            1 => message,
            more => format!("{message} (with {} more)", more - 1),
        }
    }

    /// `lines 5 to 6 of writer0`.
    fn region(&self, region: &Region) -> String {
        let line = |point: Point| rows::place(self.program, point.site(self.graph));
        match (line(region.first), line(region.last)) {
            (Some(first), Some(last)) => {
                let (a, b) = (first.span.line, last.span.line);
                let place = if first.function == last.function && b < a {
                    format!("line {a} of {} to line {b} the next time round", first.function)
                } else if first.function == last.function {
                    let lines =
                        if a == b { format!("line {a}") } else { format!("lines {a} to {b}") };
                    let turns = self.turns(region);
                    format!("{lines} of {}{turns}", first.function)
                } else {
                    format!(
                        "line {} of {} to line {} of {}",
                        first.span.line, first.function, last.span.line, last.function
                    )
                };
                self.by_thread(place, region.thread, &first.function)
            }
            _ => self.start_name(region.thread),
        }
    }

    /// `, from turn 1 to turn 2 of its loop`, if it goes beyond one.
    fn turns(&self, region: &Region) -> String {
        let turn = |point: Point| self.graph.step(point.step).moment.turn(self.program);
        match (turn(region.first), turn(region.last)) {
            (Some(first), Some(last)) if first != last => {
                format!(", from turn {first} to turn {last} of its loop,")
            }
            _ => String::new(),
        }
    }

    fn interruption(&self, region: &Region, by: &Region) -> String {
        let same = self.graph.threads[region.thread.0 as usize].start
            == self.graph.threads[by.thread.0 as usize].start;
        let place = self.region(by);
        if same { format!("another thread at {place}") } else { place }
    }

    fn at(&self, point: Point) -> String {
        let thread = self.graph.step(point.step).thread;
        match rows::place(self.program, point.site(self.graph)) {
            Some(place) => {
                let text = format!("line {} of {}", place.span.line, place.function);
                self.by_thread(text, thread, &place.function)
            }
            None => self.start_name(thread),
        }
    }

    /// Names the thread where the function does not.
    fn by_thread(&self, place: String, thread: Instance, function: &str) -> String {
        let start = self.start_name(thread);
        if start == function { place } else { format!("{place} (thread {start})") }
    }
}

fn variables(core: &model::Core) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for order in &core.orders {
        for name in [&order.before.variable, &order.after.variable].into_iter().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
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
        Kind::Lock => matches!(step.kind, StepKind::Sync(..)),
    }
}

fn word(kind: Kind) -> &'static str {
    match kind {
        Kind::Read => "read",
        Kind::Write => "write",
        Kind::Free => "free",
        Kind::Use => "use",
        Kind::Lock => "lock",
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
        (Kind::Lock, _) => format!("locks {name}"),
    }
}
