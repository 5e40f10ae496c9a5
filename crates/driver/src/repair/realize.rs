//! Plans as candidates: edits of the text, still to be verified.

use unravel_diagnose::{Cause, Diagnosis, Pattern, Shape, lost_signal};
use unravel_events::{EventGraph, StepId};
use unravel_patch::around::outermost_loop;
use unravel_patch::guard::{Mutex, guard};
use unravel_patch::locks::{Nested, reorder};
use unravel_patch::wait::{Order, wait_for};
use unravel_patch::{Edit, Refusal, Region, Sources, atomic, names, predicate, threads};
use unravel_program::Program;
use unravel_repair::composite;
use unravel_repair::spot::Spots;
use unravel_repair::{Plan, Requirement, SourceOrder, Spot, Stretch};
use unravel_span::Span;

use super::existing;
use super::words::Words;

/// A change of the text, and what it is meant to do.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// As in `unravel_report::model::Repair::kind`.
    pub kind: &'static str,
    pub title: String,
    pub cost: String,
    pub edits: Vec<Edit>,
    /// What it enforces, if that can be said in orders.
    pub plan: Option<Plan>,
}

/// A change that could not be written.
#[derive(Clone, Debug)]
pub struct Unwritten {
    pub kind: &'static str,
    pub title: String,
    pub why: String,
}

/// One way to meet a requirement.
struct Way {
    kind: &'static str,
    title: String,
    cost: String,
    edits: Result<Vec<Edit>, Refusal>,
}

/// Writes changes.
pub struct Writer<'a> {
    pub program: &'a Program,
    pub graph: &'a EventGraph,
    pub spots: &'a Spots,
    pub sources: &'a Sources<'a>,
}

impl Writer<'_> {
    fn words(&self) -> Words<'_> {
        Words { program: self.program, sources: self.sources }
    }

    /// All ways to carry out a plan; with several requirements, one kind of change for all where
    /// each has it.
    pub fn plan(&self, plan: &Plan, unwritten: &mut Vec<Unwritten>) -> Vec<Candidate> {
        let merged = merged(plan);
        let numbered = merged.iter().enumerate();
        let ways: Vec<Vec<Way>> = numbered
            .map(|(index, it)| self.requirement(it, &ordinal(index), unwritten))
            .collect();
        let mut candidates = Vec::new();
        match &ways[..] {
            [] => {}
            [alone] => candidates.extend(alone.iter().filter_map(|way| candidate(plan, &[way]))),
            several => {
                let mut kinds: Vec<&'static str> = Vec::new();
                for way in several.iter().flatten() {
                    if !kinds.contains(&way.kind) {
                        kinds.push(way.kind);
                    }
                }
                for kind in kinds {
                    let pick = |ways: &'_ Vec<Way>| {
                        ways.iter().position(|it| it.kind == kind).or((!ways.is_empty()).then_some(0))
                    };
                    let picked: Option<Vec<&Way>> =
                        several.iter().map(|ways| Some(&ways[pick(ways)?])).collect();
                    candidates.extend(picked.and_then(|picked| candidate(plan, &picked)));
                }
            }
        }
        candidates
    }

    /// The ways to meet a requirement; new objects have `ordinal` in their names.
    fn requirement(
        &self,
        it: &Requirement,
        ordinal: &str,
        unwritten: &mut Vec<Unwritten>,
    ) -> Vec<Way> {
        let ways = match it {
            Requirement::Exclusive(stretches) => self.exclusive(stretches, ordinal),
            Requirement::Before(order) => self.before(order, ordinal),
        };
        let mut written = Vec::new();
        for way in ways {
            match &way.edits {
                Ok(edits) if edits.is_empty() => {}
                Ok(_) => written.push(way),
                Err(refusal) => unwritten.push(Unwritten {
                    kind: way.kind,
                    title: way.title,
                    why: refusal.why.clone(),
                }),
            }
        }
        written
    }

    // ----- Exclusion -----

    fn exclusive(&self, stretches: &[Stretch], ordinal: &str) -> Vec<Way> {
        let mut ways = self.as_atomic(stretches);
        for regions in self.regions(stretches) {
            for expression in
                existing::mutexes(self.program, self.graph, self.spots, self.sources, stretches)
            {
                ways.push(self.with_existing(stretches, &regions, expression));
            }
            ways.push(self.with_new(stretches, &regions, ordinal));
        }
        ways
    }

    fn with_existing(&self, stretches: &[Stretch], regions: &[Region], expression: String) -> Way {
        let shown = expression.trim_start_matches('&').to_owned();
        let what = self.words().stretches(stretches);
        let guarded = guard(self.sources, regions, &Mutex::Existing { expression });
        let widened = guarded.as_ref().is_ok_and(|it| it.edits.iter().any(|it| self.unlocks(it)));
        let title = if widened {
            format!("hold `{shown}` all through {what}")
        } else {
            format!("guard {what} with `{shown}`")
        };
        let cost = guarded.as_ref().map_or(String::new(), |it| {
            sections("no new mutex", it.sections, it.statements)
        });
        let kind = if widened { "widen" } else { "mutex" };
        Way { kind, title, cost, edits: guarded.map(|it| it.edits) }
    }

    /// Whether an edit takes away a lock or an unlock: then a section that exists has grown.
    fn unlocks(&self, edit: &Edit) -> bool {
        let text = self.program.files.get(edit.file).and_then(|file| file.text.as_deref());
        let old = text.and_then(|text| text.get(edit.start..edit.end));
        old.is_some_and(|old| old.contains("lock"))
    }

    fn with_new(&self, stretches: &[Stretch], regions: &[Region], ordinal: &str) -> Way {
        let words = self.words();
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let subject = words.subject(spots.filter_map(Spot::place));
        let name = names::fresh(self.sources, &format!("{subject}{ordinal}_lock"));
        let what = words.stretches(stretches);
        let title = format!("guard {what} with one new mutex `{name}`");
        let guarded = guard(self.sources, regions, &Mutex::New { name });
        let cost = guarded.as_ref().map_or(String::new(), |it| {
            sections("1 mutex", it.sections, it.statements)
        });
        Way { kind: "mutex", title, cost, edits: guarded.map(|it| it.edits) }
    }

    /// The regions of stretches: in the function that has both ends, then where that is called.
    fn regions(&self, stretches: &[Stretch]) -> Vec<Vec<Region>> {
        let mut all: Vec<Vec<Region>> = Vec::new();
        for up in 0..3 {
            let regions: Vec<Region> =
                stretches.iter().filter_map(|it| self.region(it, up)).collect();
            let mut distinct = regions.clone();
            distinct.sort();
            distinct.dedup();
            if regions.len() == stretches.len() && !all.contains(&distinct) {
                all.push(distinct);
            }
        }
        all
    }

    /// The region of a stretch, `up` calls further out where there are as many.
    fn region(&self, stretch: &Stretch, up: usize) -> Option<Region> {
        let (depth, first, last) = stretch.ends()?;
        let region = match up.min(depth) {
            0 => Region { first, last },
            up => {
                let call = stretch.first.path[depth - up];
                Region { first: call, last: call }
            }
        };
        if !stretch.turns || up > 0 && depth > 0 {
            return Some(region);
        }
        let whole = outermost_loop(self.sources, region.first);
        Some(whole.map_or(region, |at| Region { first: at, last: at }))
    }

    /// One atomic operation, where each stretch is one access or read-modify-write of one variable.
    fn as_atomic(&self, stretches: &[Stretch]) -> Vec<Way> {
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let places: Vec<Span> = spots.filter_map(Spot::place).collect();
        let variables: Vec<Option<String>> = places
            .iter()
            .map(|place| crate::source_name::expression_at(&self.program.files, *place))
            .collect();
        let Some(Some(variable)) = variables.first().cloned() else { return Vec::new() };
        let mut distinct = places.clone();
        distinct.sort();
        distinct.dedup_by_key(|place| (place.file, place.line));
        let title = format!("make each update of `{variable}` one atomic operation");
        let edits = atomic::atomic(self.sources, &distinct, &variable);
        let cost = "no lock".to_owned();
        vec![Way { kind: "atomic", title, cost, edits }]
    }

    // ----- Order -----

    fn before(&self, order: &SourceOrder, ordinal: &str) -> Vec<Way> {
        let mut ways = self.by_join(order);
        ways.extend(self.by_creation(order));
        ways.extend(self.by_wait(order, ordinal));
        ways
    }

    /// The creations of threads with a role, in code of another role.
    fn creations(&self, role: &Spot, by: &Spot) -> Vec<(StepId, Spot)> {
        let threads = self.graph.threads.iter().filter(|it| it.start == role.role);
        let steps = threads.filter_map(|it| it.created_by);
        let mut found: Vec<(StepId, Spot)> = Vec::new();
        for step in steps {
            if let Some(spot) = self.spots.spot(step)
                && spot.role == by.role
                && !found.iter().any(|(_, known)| known == spot)
            {
                found.push((step, spot.clone()));
            }
        }
        found
    }

    /// Two places of one role in the innermost function that has both.
    fn together(a: &Spot, b: &Spot) -> Option<(Span, Span)> {
        let both = Stretch { first: a.clone(), last: b.clone(), turns: false };
        both.ends().map(|(_, a, b)| (a, b))
    }

    fn by_join(&self, order: &SourceOrder) -> Vec<Way> {
        let creations = self.creations(&order.before, &order.after);
        let mut edits = Vec::new();
        let mut refusal = None;
        for (_, creation) in &creations {
            let Some((create, before)) = Writer::together(creation, &order.after) else { continue };
            match threads::join_before(self.sources, create, None, before) {
                Ok(more) => edits.extend(more),
                Err(why) => refusal = Some(why),
            }
        }
        if creations.is_empty() {
            return Vec::new();
        }
        let thread = self.program.function(order.before.role).name.clone();
        let title = format!("join `{thread}` before {}", self.words().spot(&order.after));
        let cost = "the thread that joins waits for the whole of the other".to_owned();
        vec![Way { kind: "join", title, cost, edits: refusal.map_or(Ok(edits), Err) }]
    }

    fn by_creation(&self, order: &SourceOrder) -> Vec<Way> {
        let words = self.words();
        let thread = self.program.function(order.after.role).name.clone();
        let mut ways = Vec::new();
        for (_, creation) in self.creations(&order.after, &order.before) {
            let Some((create, first)) = Writer::together(&creation, &order.before) else { continue };
            ways.push(Way {
                kind: "join",
                title: format!("move {} before the creation of `{thread}`", words.place(first)),
                cost: "nothing new".to_owned(),
                edits: threads::move_before(self.sources, first, create),
            });
            ways.push(Way {
                kind: "join",
                title: format!("create `{thread}` only after {}", words.place(first)),
                cost: "nothing new".to_owned(),
                edits: threads::create_after(self.sources, create, first),
            });
        }
        ways
    }

    fn by_wait(&self, order: &SourceOrder, ordinal: &str) -> Vec<Way> {
        let words = self.words();
        let subject = words.subject(order.before.place().into_iter());
        let name = format!("{subject}{ordinal}_done");
        let same_role = order.before.role == order.after.role;
        if same_role && order.before.actor.is_some() {
            return self.by_later_creation(order, name);
        }
        let arrivals = u32::try_from(self.spots.arrivals(&order.before)).unwrap_or(u32::MAX);
        let title = format!("let {} wait for {}", words.spot(&order.after), words.spot(&order.before));
        let mut ways: Vec<Way> = Vec::new();
        // Where the step is made, else where that is called from.
        for depth in [order.before.path.len() - 1, 0] {
            for other in [order.after.path.len() - 1, 0] {
                let (first, second) = (order.before.path[depth], order.after.path[other]);
                let way = self.wait(first, second, arrivals, &name, title.clone());
                if !ways.iter().any(|it| it.edits == way.edits) {
                    ways.push(way);
                }
            }
        }
        ways
    }

    /// Two threads that run the same code: the second is created only when the first is done.
    fn by_later_creation(&self, order: &SourceOrder, name: String) -> Vec<Way> {
        let (Some(one), Some(other)) = (order.before.actor, order.after.actor) else {
            return Vec::new();
        };
        if one >= other || self.spots.arrivals(&order.before) != 2 {
            return Vec::new();
        }
        let words = self.words();
        let done = words.spot(&order.before);
        let title = format!("let the creation at {} wait for {done}", words.place(other));
        let waits = self.wait(order.before.path[0], other, 1, &name, title);
        let joins = Way {
            kind: "join",
            title: format!("join the first thread before the creation at {}", words.place(other)),
            cost: "the two threads never run at the same time".to_owned(),
            edits: threads::join_before(self.sources, one, None, other),
        };
        vec![waits, joins]
    }

    fn wait(&self, first: Span, second: Span, arrivals: u32, name: &str, title: String) -> Way {
        let (first, second) = (vec![first], vec![second]);
        let order = Order { first, second, arrivals, name: name.to_owned() };
        let edits = wait_for(self.sources, &order);
        let cost = "1 flag with its mutex and condition variable".to_owned();
        Way { kind: "signal-wait", title, cost, edits }
    }

    // ----- Deadlocks and lost wakeups -----

    /// Changes that are not about orders of accesses.
    pub fn special(
        &self,
        diagnosis: &Diagnosis,
        causes: &[Cause],
        unwritten: &mut Vec<Unwritten>,
    ) -> Vec<Candidate> {
        let mut ways = Vec::new();
        for cause in causes {
            if cause.pattern == Pattern::Deadlock {
                ways.extend(self.lock_order(&cause.shape));
            }
        }
        let lost = diagnosis.runs.iter().find_map(|run| lost_signal(self.graph, run));
        ways.extend(self.wakeups(lost));
        let mut candidates: Vec<Candidate> = Vec::new();
        for Way { kind, title, cost, edits } in ways {
            match edits {
                Ok(edits) if !edits.is_empty() => {
                    candidates.push(Candidate { kind, title, cost, edits, plan: None });
                }
                Ok(_) => {}
                Err(refusal) => unwritten.push(Unwritten { kind, title, why: refusal.why }),
            }
        }
        candidates
    }

    fn lock_order(&self, shape: &Shape) -> Vec<Way> {
        let stretches: Vec<Stretch> = match shape {
            Shape::Torn { region, by } => {
                let of = |region| Stretch::of(self.program, self.graph, region);
                [region, by].into_iter().filter_map(of).collect()
            }
            Shape::Early(_) => composite::of_circle(self.program, self.graph, shape),
        };
        let mut ways = Vec::new();
        for stretch in &stretches {
            let Some((_, outer, inner)) = stretch.ends() else { continue };
            let words = self.words();
            ways.push(Way {
                kind: "lock-order",
                title: format!(
                    "take the lock of line {} before that of {}",
                    inner.line,
                    words.place(outer)
                ),
                cost: "no new lock".to_owned(),
                edits: reorder(self.sources, &Nested { outer, inner }),
            });
        }
        ways
    }

    /// Changes of how a condition variable is used, for those that lost a signal and, since a wait
    /// may also end without one, for all others.
    fn wakeups(&self, lost: Option<(StepId, StepId)>) -> Vec<Way> {
        let signals = self.all_places(|it| it.signals.iter().map(|signal| signal.step).collect());
        let waits = self.all_places(|it| it.cond_waits.iter().map(|wait| wait.begin).collect());
        let place = |step: StepId| self.program.site(self.graph.step(step).site).span;
        let mut ways = Vec::new();
        for &wait in &waits {
            let at = self.words().place(wait);
            let looped = predicate::loop_around(self.sources, wait);
            ways.push(wakeup(format!("test again after the wait at {at}"), looped));
        }
        if let Some((wait, signal)) = lost
            && let (Some(wait), Some(signal)) = (place(wait), place(signal))
        {
            ways.extend(self.lost_wakeup(wait, signal));
        }
        if !waits.is_empty() && !signals.is_empty() {
            let title = "remember the signal in a flag that the wait tests".to_owned();
            let edits = predicate::flag(self.sources, &waits, &signals, "signaled");
            ways.push(wakeup(title, edits));
        }
        ways
    }

    fn lost_wakeup(&self, wait: Span, signal: Span) -> Vec<Way> {
        let words = self.words();
        let (at, by) = (words.place(wait), words.place(signal));
        let looped = predicate::loop_around(self.sources, wait);
        let locked = predicate::signal_under_lock(self.sources, &[], &[signal], wait);
        let both = match (&looped, &locked) {
            (Ok(one), Ok(other)) => Some(Ok([one.as_slice(), other].concat())),
            _ => None,
        };
        let mut ways = vec![wakeup(format!("signal at {by} under the mutex"), locked)];
        ways.extend(both.map(|edits| {
            wakeup(format!("test again after the wait at {at}, and signal under the mutex"), edits)
        }));
        let all = predicate::broadcast(self.sources, signal);
        ways.push(wakeup(format!("wake all waiters at {by}"), all));
        ways
    }

    fn all_places(&self, steps: impl Fn(&EventGraph) -> Vec<StepId>) -> Vec<Span> {
        let place = |step: StepId| self.program.site(self.graph.step(step).site).span;
        let mut places: Vec<Span> = steps(self.graph).into_iter().filter_map(place).collect();
        places.sort();
        places.dedup();
        places
    }
}

fn wakeup(title: String, edits: Result<Vec<Edit>, Refusal>) -> Way {
    Way { kind: "predicate-loop", title, cost: "no new lock".to_owned(), edits }
}

/// The requirements, with orders between threads of one role that concern the same two places as one:
/// all of them come to the first place before any goes on to the second.
fn merged(plan: &Plan) -> Vec<Requirement> {
    let mut result: Vec<Requirement> = Vec::new();
    let same = |order: &SourceOrder, other: &SourceOrder| {
        let one = (order.before.role, &order.before.path, order.after.role, &order.after.path);
        let two = (other.before.role, &other.before.path, other.after.role, &other.after.path);
        one == two && order.before.role == order.after.role
    };
    for requirement in &plan.requirements {
        let known = result.iter_mut().find_map(|it| match (it, requirement) {
            (Requirement::Before(known), Requirement::Before(order)) if same(known, order) => {
                Some(known)
            }
            _ => None,
        });
        match known {
            Some(known) => (known.before.actor, known.after.actor) = (None, None),
            None => result.push(requirement.clone()),
        }
    }
    result
}

/// Keeps names apart: nothing for the first, then `2`, `3`, …
fn ordinal(index: usize) -> String {
    if index == 0 { String::new() } else { (index + 1).to_string() }
}

fn candidate(plan: &Plan, ways: &[&Way]) -> Option<Candidate> {
    let mut edits: Vec<Edit> = Vec::new();
    for way in ways {
        for edit in way.edits.as_ref().ok()? {
            // A missing header is included once.
            if !(edit.text.starts_with("#include") && edits.contains(edit)) {
                edits.push(edit.clone());
            }
        }
    }
    let titles: Vec<&str> = ways.iter().map(|way| way.title.as_str()).collect();
    let mut costs: Vec<&str> = ways.iter().map(|way| way.cost.as_str()).collect();
    costs.dedup();
    let kind = ways.first()?.kind;
    let (title, cost) = (titles.join("; "), costs.join("; "));
    Some(Candidate { kind, title, cost, edits, plan: Some(plan.clone()) })
}

/// `1 mutex, 2 critical sections of 4 statements`.
fn sections(mutex: &str, sections: usize, statements: usize) -> String {
    let section = if sections == 1 { "section" } else { "sections" };
    let statement = if statements == 1 { "statement" } else { "statements" };
    format!("{mutex}, {sections} critical {section} of {statements} {statement}")
}
