//! Deadlocks and lost wakeups: changes that are not about orders of accesses.

use std::collections::BTreeSet;

use unravel_diagnose::{Cause, Diagnosis, Pattern, Region, Shape, lost_signal};
use unravel_events::StepId;
use unravel_patch::around::loop_step;
use unravel_patch::locks::{Nested, by_address, reorder};
use unravel_patch::wait::{Order, wait_behind};
use unravel_patch::{Edit, Refusal, predicate};
use unravel_repair::{Stretch, composite};
use unravel_span::Span;

use super::{Candidate, Unwritten, Way, Writer};

impl Writer<'_> {
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
            ways.extend(self.filled_in_first(cause));
            ways.extend(self.one_after_the_other(&cause.shape));
            ways.extend(self.held_longer(diagnosis, cause));
        }
        let lost = diagnosis.runs.iter().find_map(|run| lost_signal(self.graph, run));
        ways.extend(self.wakeups(lost));
        ways.extend(self.atomic_updates(diagnosis));
        let mut candidates: Vec<Candidate> = Vec::new();
        for Way { kind, title, cost, edits, .. } in ways {
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

    /// Threads of one role, created at one place, that tear each other's regions: each is joined
    /// before the next is created, or has the region behind it. Nothing else tells them apart.
    fn one_after_the_other(&self, shape: &Shape) -> Vec<Way> {
        let Shape::Torn { region, by } = shape else { return Vec::new() };
        let Some(create) = self.common_creation(region, by) else { return Vec::new() };
        let thread = &self.graph.threads[region.thread.0 as usize];
        let name = &self.program.function(thread.start).name;
        let mut ways = Vec::new();
        if let Some(step) = loop_step(self.sources, create) {
            let title = format!("join each `{name}` before the next is created");
            ways.push(self.joins(title, &[(create, step)], None));
        }
        if let Some(stretch) = Stretch::of(self.program, self.graph, region) {
            ways.push(self.waits_for_each(create, name, stretch.last.path[0]));
        }
        ways
    }

    /// The place where the threads of two regions are created, if it is one.
    fn common_creation(&self, region: &Region, by: &Region) -> Option<Span> {
        let thread = |region: &Region| &self.graph.threads[region.thread.0 as usize];
        let (one, other) = (thread(region), thread(by));
        let place = |step| self.program.site(self.graph.step(step).site).span;
        let (create, again) = (place(one.created_by?)?, place(other.created_by?)?);
        let same = one.start == other.start && region.thread != by.thread && create == again;
        same.then_some(create)
    }

    /// Whoever creates threads goes on only when the new one has passed a place.
    pub(super) fn waits_for_each(&self, create: Span, name: &str, last: Span) -> Way {
        let words = self.words();
        let flag = format!("{}_done", words.subject([last].into_iter()));
        let order = Order { first: vec![last], second: vec![create], arrivals: 1, name: flag };
        Way {
            kind: "signal-wait",
            title: format!("create the next `{name}` when the last has passed line {}", last.line),
            cost: "1 flag with its mutex and condition variable".to_owned(),
            edits: wait_behind(self.sources, &order),
            meaning: None,
        }
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
                meaning: None,
            });
        }
        let ends = stretches.iter().filter_map(Stretch::ends);
        let pairs: BTreeSet<Nested> =
            ends.map(|(_, outer, inner)| Nested { outer, inner }).collect();
        let pairs: Vec<Nested> = pairs.into_iter().collect();
        // One of them may follow that order already.
        ways.extend(pairs.chunks(1).filter_map(|pair| self.lock_order_by_address(pair)));
        if pairs.len() > 1 {
            ways.extend(self.lock_order_by_address(&pairs));
        }
        ways
    }

    /// Locks that an index or an argument chooses, taken in the order of their addresses.
    fn lock_order_by_address(&self, pairs: &[Nested]) -> Option<Way> {
        let edits = pairs.iter().map(|pair| by_address(self.sources, pair));
        // Two functions of one file include the same header.
        let edits: BTreeSet<Edit> =
            edits.collect::<Result<Vec<_>, _>>().ok()?.concat().into_iter().collect();
        let lines: BTreeSet<u32> =
            pairs.iter().flat_map(|it| [it.outer.line, it.inner.line]).collect();
        let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
        Some(Way {
            kind: "lock-order",
            title: format!(
                "take the locks of lines {} in the order of their addresses",
                lines.join(" and ")
            ),
            cost: "no new lock".to_owned(),
            edits: Ok(edits.into_iter().collect()),
            meaning: None,
        })
    }

    /// Changes of how a condition variable is used, for those that lost a signal and, since a wait
    /// may also end without one, for all others.
    fn wakeups(&self, lost: Option<(StepId, StepId)>) -> Vec<Way> {
        let signals = self.all_places(|it| it.signals.iter().map(|signal| signal.step).collect());
        let waits = self.all_places(|it| it.cond_waits.iter().map(|wait| wait.begin).collect());
        let place = |step: StepId| self.program.site(self.graph.step(step).site).span;
        let mut ways = Vec::new();
        let (mut places, mut all) = (Vec::new(), Vec::new());
        for &wait in &waits {
            let at = self.words().place(wait);
            let looped = predicate::loop_around(self.sources, wait);
            if let Ok(edits) = &looped {
                places.push(at.clone());
                all.extend(edits.iter().cloned());
            }
            ways.push(wakeup(format!("test again after the wait at {at}"), looped));
        }
        if places.len() > 1 {
            let title = format!("test again after the waits at {}", places.join(" and "));
            ways.push(wakeup(title, Ok(all)));
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
        let changes = predicate::changes_before(self.sources, wait, signal);
        let locked = predicate::signal_under_lock(self.sources, &[], &[signal], wait);
        let changed = predicate::signal_under_lock(self.sources, &changes, &[signal], wait);
        let all = predicate::broadcast(self.sources, signal);
        let again = format!("test again after the wait at {at}, and signal under the mutex");
        let woken = format!("wake all waiters at {by}, and do so under the mutex");
        let together = [(again, &looped, &locked), (woken, &all, &locked)];
        let together: Vec<Way> = together
            .into_iter()
            .filter_map(|(title, one, other)| both(title, one, other))
            .collect();
        let mut ways = vec![wakeup(format!("signal at {by} under the mutex"), locked)];
        if !changes.is_empty() {
            let title = format!("change what is waited for and signal at {by} under the mutex");
            let woken = format!("change what is waited for under the mutex, and wake all at {by}");
            ways.extend(both(woken, &all, &changed));
            ways.push(wakeup(title, changed));
        }
        ways.extend(together);
        ways.push(wakeup(format!("wake all waiters at {by}"), all));
        ways
    }
}

/// Two changes at once, if both can be made.
fn both(
    title: String,
    one: &Result<Vec<Edit>, Refusal>,
    other: &Result<Vec<Edit>, Refusal>,
) -> Option<Way> {
    let (Ok(one), Ok(other)) = (one, other) else { return None };
    Some(wakeup(title, Ok([one.as_slice(), other].concat())))
}

fn wakeup(title: String, edits: Result<Vec<Edit>, Refusal>) -> Way {
    Way { kind: "predicate-loop", title, cost: "no new lock".to_owned(), edits, meaning: None }
}
