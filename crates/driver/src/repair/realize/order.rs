//! One place before another: by a join, a creation at another place, or a wait.

use unravel_events::StepId;
use unravel_patch::around::{loop_step, ways_out};
use unravel_patch::threads;
use unravel_patch::wait::{Order, wait_for};
use unravel_repair::{SourceOrder, Spot, Stretch};
use unravel_span::Span;

use super::{Way, Writer};

/// Places at which a join is tried.
const MOST_PLACES: usize = 4;

impl Writer<'_> {
    pub(super) fn before(&self, order: &SourceOrder, ordinal: &str) -> Vec<Way> {
        let mut ways = self.by_join(order);
        ways.extend(self.by_creation(order));
        ways.extend(self.by_wait(order, ordinal));
        ways.extend(self.by_wait_for_each(order));
        ways
    }

    /// A loop that creates threads and then does what must come after a step of theirs: it goes on
    /// only when the new one has made the step.
    fn by_wait_for_each(&self, order: &SourceOrder) -> Vec<Way> {
        let name = &self.program.function(order.before.role).name;
        let creations = self.creations(&order.before, &order.after);
        let places = creations.iter().filter_map(|(_, it)| it.place());
        let looped = places.filter(|it| loop_step(self.sources, *it).is_some());
        looped.map(|create| self.waits_for_each(create, name, order.before.path[0])).collect()
    }

    /// The creations of threads with a role, in code of another role.
    fn creations(&self, role: &Spot, by: &Spot) -> Vec<(StepId, Spot)> {
        let threads = self.graph.threads.iter().filter(|it| it.start == role.role);
        let steps = threads.filter_map(|it| it.created_by);
        let mut found: Vec<(StepId, Spot)> = Vec::new();
        for step in steps {
            if let Some(spot) = self.spots.spot(step)
                && spot.role == by.role
                && (role.actor.is_none() || role.actor == spot.place())
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
        let thread = self.program.function(order.before.role).name.clone();
        let title = format!("join `{thread}` before {}", self.words().spot(&order.after));
        let places: Vec<(Span, Span)> =
            creations.iter().filter_map(|(_, it)| Writer::together(it, &order.after)).collect();
        let mut ways = Vec::new();
        if !places.is_empty() {
            let meaning = self.after_the_end(&order.before, &order.after);
            ways.push(self.joins(title.clone(), &places, meaning.clone()));
            ways.extend(self.joins_instead(&title, &places, meaning));
        }
        ways.extend(self.by_sibling(order));
        ways
    }

    /// Threads created at the first of each pair of places are joined before the second. Those that
    /// are joined there already are left as they are.
    pub(super) fn joins(
        &self,
        title: String,
        places: &[(Span, Span)],
        meaning: Option<SourceOrder>,
    ) -> Way {
        let joins = self.all_places(|it| it.joins.iter().map(|join| join.step).collect());
        let (mut edits, mut refusal) = (Vec::new(), None);
        for &(create, before) in places {
            let known = match joins[..] {
                [join] => threads::join_before(self.sources, create, Some(join), before).ok(),
                _ => None,
            };
            let written =
                known.map_or_else(|| threads::join_before(self.sources, create, None, before), Ok);
            match written {
                Ok(more) => edits.extend(more),
                Err(why) => refusal = Some(why),
            }
        }
        let edits = match refusal {
            Some(why) if edits.is_empty() => Err(why),
            _ => Ok(edits),
        };
        let cost = "the thread that joins waits for the whole of the other".to_owned();
        Way { kind: "join", title, cost, edits, meaning }
    }

    /// The one join of the program is in another function: it is taken away there.
    fn joins_instead(
        &self,
        title: &str,
        places: &[(Span, Span)],
        meaning: Option<SourceOrder>,
    ) -> Option<Way> {
        let &[(create, before)] = places else { return None };
        let joins = self.all_places(|it| it.joins.iter().map(|join| join.step).collect());
        let &[join] = &joins[..] else { return None };
        let edits = threads::join_instead(self.sources, create, join, before).ok()?;
        let title = format!("{title}, instead of at {}", self.words().place(join));
        let cost = "the thread that joins waits for the whole of the other".to_owned();
        Some(Way { kind: "join", title, cost, edits: Ok(edits), meaning })
    }

    /// A place only after the end of the threads that come to another.
    fn after_the_end(&self, thread: &Spot, then: &Spot) -> Option<SourceOrder> {
        let mut threads = self.graph.threads.iter().filter(|it| it.start == thread.role);
        let end = threads.find_map(|it| self.spots.spot(*it.steps.last()?))?;
        Some(SourceOrder { before: end.clone(), after: then.clone() })
    }

    /// The creation of a thread only after a place.
    fn before_creation(first: &Spot, creation: &Spot) -> SourceOrder {
        SourceOrder { before: first.clone(), after: creation.clone() }
    }

    /// Two threads created by the same code: the first is joined before the second is created.
    fn by_sibling(&self, order: &SourceOrder) -> Option<Way> {
        let (first, second) = (order.before.actor?, order.after.actor?);
        let before = (first.file, first.line) < (second.file, second.line);
        if order.before.role == order.after.role || !before {
            return None;
        }
        let role = |spot: &Spot| self.program.function(spot.role).name.clone();
        let (one, other) = (role(&order.before), role(&order.after));
        let created = self.spots.at_place(second).next()?;
        let meaning = self.after_the_end(&order.before, created);
        let title = format!("join `{one}` before `{other}` is created");
        Some(self.joins(title, &[(first, second)], meaning))
    }

    fn by_creation(&self, order: &SourceOrder) -> Vec<Way> {
        let words = self.words();
        let thread = self.program.function(order.after.role).name.clone();
        let mut ways = Vec::new();
        for (_, creation) in self.creations(&order.after, &order.before) {
            let Some((create, first)) = Writer::together(&creation, &order.before) else {
                continue;
            };
            ways.push(Way {
                kind: "join",
                title: format!("move {} before the creation of `{thread}`", words.place(first)),
                cost: "nothing new".to_owned(),
                edits: threads::move_before(self.sources, first, create),
                meaning: Some(Writer::before_creation(&order.before, &creation)),
            });
            ways.push(Way {
                kind: "join",
                title: format!("create `{thread}` only after {}", words.place(first)),
                cost: "nothing new".to_owned(),
                edits: threads::create_after(self.sources, create, first),
                meaning: Some(Writer::before_creation(&order.before, &creation)),
            });
        }
        ways
    }

    fn by_wait(&self, order: &SourceOrder, ordinal: &str) -> Vec<Way> {
        let words = self.words();
        let subject = words.subject(order.before.place().into_iter());
        let end = if subject.ends_with("done") { "reached" } else { "done" };
        let name = format!("{subject}{ordinal}_{end}");
        let same_role = order.before.role == order.after.role;
        if same_role && order.before.actor.is_some() {
            return self.by_later_creation(order, name);
        }
        let arrivals = u32::try_from(self.spots.arrivals(&order.before)).unwrap_or(u32::MAX);
        let title =
            format!("let {} wait for {}", words.spot(&order.after), words.spot(&order.before));
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
        let created = self.spots.at_place(other).next();
        let mut waits = self.wait(order.before.path[0], other, 1, &name, title);
        waits.meaning = created.map(|it| Writer::before_creation(&order.before, it));
        let mut ways = vec![waits];
        // What stands between the creations may keep the first thread from ending.
        let before = threads::places_between(self.sources, one, other);
        for place in [other].into_iter().chain(before).take(MOST_PLACES) {
            let what = if place == other { "the creation at " } else { "" };
            ways.push(Way {
                kind: "join",
                title: format!("join the first thread before {what}{}", words.place(place)),
                cost: "the two threads never run at the same time".to_owned(),
                edits: threads::join_before(self.sources, one, None, place),
                meaning: created.and_then(|it| self.after_the_end(&order.before, it)),
            });
        }
        ways
    }

    fn wait(&self, first: Span, second: Span, arrivals: u32, name: &str, title: String) -> Way {
        let second = ways_out(self.sources, second).unwrap_or_else(|| vec![second]);
        let first = vec![first];
        let order = Order { first, second, arrivals, name: name.to_owned() };
        let edits = wait_for(self.sources, &order);
        let cost = "1 flag with its mutex and condition variable".to_owned();
        Way { kind: "signal-wait", title, cost, edits, meaning: None }
    }
}
