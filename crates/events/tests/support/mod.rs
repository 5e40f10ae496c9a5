//! Event graphs as text.

use unravel_events::points_to::Target;
use unravel_events::{
    Access, Bounds, EventGraph, Finding, LoopId, MayAccess, Space, StepId, Thread, WaitOn,
};
use unravel_program::{Program, SiteId};
use unravel_term::Term;

/// The event graph of a text, printed.
pub fn printed(code: &str, bounds: &Bounds) -> String {
    let program = unravel_staged::program(code);
    let graph = unravel_staged::graph(&program, bounds);
    Printer { program: &program, graph: &graph }.all()
}

/// Prints a graph. A `?` is a condition that depends on the run. A condition that always holds is
/// left out, and that of an access where it is the condition of its step.
struct Printer<'a> {
    program: &'a Program,
    graph: &'a EventGraph,
}

impl Printer<'_> {
    fn all(&self) -> String {
        let mut rows: Vec<String> = Vec::new();
        for (id, thread) in self.graph.threads.iter().enumerate() {
            rows.push(self.thread(id, thread));
            rows.extend(thread.steps.iter().map(|&step| format!("  {}", self.step(step))));
            rows.extend(thread.waits.iter().map(|it| {
                let (at, guard) = (self.line(it.site), self.guard(it.guard));
                format!("  may stand at {at} for {}{guard}", wait(&it.on))
            }));
        }
        rows.extend(self.sections());
        rows.extend(self.graph.findings.iter().map(|it| self.finding(it)));
        rows.join("\n")
    }

    fn thread(&self, id: usize, thread: &Thread) -> String {
        let name = &self.program.function(thread.start).name;
        let creation = thread.created_by.map(|it| self.line(self.graph.step(it).site));
        let created = creation.map_or(String::new(), |at| format!(" created at {at}"));
        format!("thread {id} {name}{created}{}", self.guard(thread.guard))
    }

    /// A step with what happens in it: `L5 read x`, `L7 MutexLock`.
    fn step(&self, id: StepId) -> String {
        let step = self.graph.step(id);
        let accesses = self.graph.accesses.iter().filter(|it| it.step == id);
        let mut parts: Vec<String> = step.sync.iter().map(|op| format!("{op:?}")).collect();
        parts.extend(accesses.map(|it| self.access(it)));
        parts.extend(self.graph.joins.iter().filter(|it| it.step == id).map(|_| "join".to_owned()));
        if self.graph.threads.iter().any(|it| it.created_by == Some(id)) {
            parts.push("create".to_owned());
        }
        if self.graph.threads.iter().any(|it| it.steps.last() == Some(&id)) {
            parts.push("end".to_owned());
        }
        format!("{} {}{}", self.line(step.site), parts.join(", "), self.guard(step.guard))
    }

    fn access(&self, access: &Access) -> String {
        let deed = if access.writes { "write" } else { "read" };
        let space = match access.space {
            Space::Data => "",
            Space::Life => "life of ",
            Space::Sync => "state of ",
        };
        let is_own = access.guard != self.graph.step(access.step).guard;
        let guard = if is_own { self.guard(access.guard) } else { "" };
        format!("{deed} {space}{}{guard}", self.objects(&access.may))
    }

    fn objects(&self, may: &MayAccess) -> String {
        let names = self.graph.candidates(may).into_iter().map(|id| {
            let object = self.graph.objects.get(id);
            match object.target {
                Target::Global(global) => self.program.global(global).name.clone(),
                _ => format!("object of {}", self.line(object.site)),
            }
        });
        names.collect::<Vec<_>>().join("|")
    }

    fn sections(&self) -> Vec<String> {
        let line = |step: StepId| self.line(self.graph.step(step).site);
        let end = |(step, guard): &(StepId, Term)| format!("{}{}", line(*step), self.guard(*guard));
        let section = |it: &unravel_events::Lock| {
            let ends: Vec<String> = it.unlocks.iter().map(end).collect();
            format!("section {}..{}{}", line(it.step), ends.join("|"), self.guard(it.guard))
        };
        self.graph.locks.iter().map(section).collect()
    }

    fn finding(&self, finding: &Finding) -> String {
        use unravel_events::FindingKind as Kind;
        let what = match &finding.kind {
            Kind::Bound(LoopId::Head(function, block), iterations, _) => {
                let name = &self.program.function(*function).name;
                format!("bound of {name} bb{} after {iterations}", block.0)
            }
            other => format!("{other:?}"),
        };
        let thread = finding.thread.0;
        let (at, guard) = (self.line(finding.site), self.guard(finding.guard));
        format!("finding {what} at {at} in thread {thread}{guard}")
    }

    fn line(&self, site: SiteId) -> String {
        self.program.site(site).span.map_or("-".to_owned(), |it| format!("L{}", it.line))
    }

    fn guard(&self, guard: Term) -> &'static str {
        match self.graph.terms.as_const(guard) {
            Some(0) => " never",
            Some(_) => "",
            None => " ?",
        }
    }
}

fn wait(on: &WaitOn) -> &'static str {
    match on {
        WaitOn::Lock { .. } => "a lock",
        WaitOn::Itself => "its own lock",
        WaitOn::State { .. } => "a state",
        WaitOn::Wakeup(_) => "a signal",
        WaitOn::Leaving(_) => "woken threads",
        WaitOn::Thread(_) => "a thread",
    }
}
