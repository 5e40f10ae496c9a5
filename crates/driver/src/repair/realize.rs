//! Plans as candidates: edits of the text, still to be verified.

use unravel_diagnose::{Cause, Diagnosis, Pattern, Shape, lost_signal};
use unravel_events::{EventGraph, StepId};
use unravel_patch::around::outermost_loop;
use unravel_patch::guard::{Mutex, guard};
use unravel_patch::locks::{Nested, reorder};
use unravel_patch::wait::{Order, wait_for};
use unravel_patch::{Edit, Refusal, Region, Sources, atomic, names, predicate, threads};
use unravel_program::Program;
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
        let ways: Vec<Vec<Way>> =
            plan.requirements.iter().map(|it| self.requirement(it, unwritten)).collect();
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

    fn requirement(&self, it: &Requirement, unwritten: &mut Vec<Unwritten>) -> Vec<Way> {
        let ways = match it {
            Requirement::Exclusive(stretches) => self.exclusive(stretches),
            Requirement::Before(order) => self.before(order),
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

    fn exclusive(&self, stretches: &[Stretch]) -> Vec<Way> {
        let mut ways = self.as_atomic(stretches);
        for regions in self.regions(stretches) {
            for expression in
                existing::mutexes(self.program, self.graph, self.spots, self.sources, stretches)
            {
                ways.push(self.with_existing(stretches, &regions, expression));
            }
            ways.push(self.with_new(stretches, &regions));
        }
        ways
    }

    fn with_existing(&self, stretches: &[Stretch], regions: &[Region], expression: String) -> Way {
        let shown = expression.trim_start_matches('&').to_owned();
        let what = self.words().stretches(stretches);
        let guarded = guard(self.sources, regions, &Mutex::Existing { expression });
        let widened = guarded.as_ref().is_ok_and(|it| it.widened);
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

    fn with_new(&self, stretches: &[Stretch], regions: &[Region]) -> Way {
        let words = self.words();
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let subject = words.subject(spots.filter_map(Spot::place));
        let name = names::fresh(self.sources, &format!("{subject}_lock"));
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

    fn before(&self, order: &SourceOrder) -> Vec<Way> {
        let mut ways = self.by_join(order);
        ways.extend(self.by_creation(order));
        ways.extend(self.by_wait(order));
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

    fn by_wait(&self, order: &SourceOrder) -> Vec<Way> {
        if order.before.role == order.after.role {
            return Vec::new();
        }
        let words = self.words();
        let mut threads: Vec<_> = self.spots.steps(&order.before).iter().map(|it| it.0).collect();
        threads.dedup();
        let arrivals = u32::try_from(threads.len()).unwrap_or(u32::MAX);
        let name = format!("{}_done", words.subject(order.before.place().into_iter()));
        let title = format!("let {} wait for {}", words.spot(&order.after), words.spot(&order.before));
        let mut ways: Vec<Way> = Vec::new();
        // Where the step is made, else where that is called from.
        for depth in [order.before.path.len() - 1, 0] {
            for other in [order.after.path.len() - 1, 0] {
                let first = vec![order.before.path[depth]];
                let second = vec![order.after.path[other]];
                let wait = Order { first, second, arrivals, name: name.clone() };
                let edits = wait_for(self.sources, &wait);
                let cost = "1 flag with its mutex and condition variable".to_owned();
                let way = Way { kind: "signal-wait", title: title.clone(), cost, edits };
                if !ways.iter().any(|it| it.edits == way.edits) {
                    ways.push(way);
                }
            }
        }
        ways
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
            for &run in &cause.runs {
                if let Some((wait, signal)) = lost_signal(self.graph, &diagnosis.runs[run]) {
                    ways.extend(self.wakeup(wait, signal));
                    break;
                }
            }
        }
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
        let Shape::Torn { region, by } = shape else { return Vec::new() };
        let mut ways = Vec::new();
        for region in [region, by] {
            let stretch = Stretch::of(self.program, self.graph, region);
            let Some((_, outer, inner)) = stretch.as_ref().and_then(Stretch::ends) else { continue };
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

    fn wakeup(&self, wait: StepId, signal: StepId) -> Vec<Way> {
        let place = |step: StepId| self.program.site(self.graph.step(step).site).span;
        let (Some(wait), Some(signal)) = (place(wait), place(signal)) else { return Vec::new() };
        let words = self.words();
        let way = |title: String, edits: Result<Vec<Edit>, Refusal>| Way {
            kind: "predicate-loop",
            title,
            cost: "no new lock".to_owned(),
            edits,
        };
        let at = words.place(wait);
        let signals = self.all_places(|it| it.signals.iter().map(|signal| signal.step).collect());
        let waits = self.all_places(|it| it.cond_waits.iter().map(|wait| wait.begin).collect());
        let looped = predicate::loop_around(self.sources, wait);
        let locked = predicate::signal_under_lock(self.sources, &[], &[signal], wait);
        let both = match (&looped, &locked) {
            (Ok(one), Ok(other)) => Some(Ok([one.as_slice(), other].concat())),
            _ => None,
        };
        let mut ways = vec![
            way(format!("test again after the wait at {at}"), looped),
            way(format!("signal at {} under the mutex", words.place(signal)), locked),
        ];
        ways.extend(both.map(|edits| {
            way(format!("test again after the wait at {at}, and signal under the mutex"), edits)
        }));
        ways.push(way(
            format!("wake all waiters at {}", words.place(signal)),
            predicate::broadcast(self.sources, signal),
        ));
        ways.push(way(
            format!("remember the signal in a flag that the wait at {at} tests"),
            predicate::flag(self.sources, &waits, &signals, "signaled"),
        ));
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
