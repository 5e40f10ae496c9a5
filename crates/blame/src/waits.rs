//! Threads that wait for ever: for locks in a circle, for a lock that nobody gives back, for a
//! signal that is lost or never sent.

use unravel_kinds::{Awaited, Deed, Harm, Holder, Mistake, Related, StepKind, Variable, Wait};

use crate::spot::Spot;
use crate::{Evidence, Runs};

/// The mistake behind a deadlock, if its waiting threads show one.
pub fn mistake(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    let deadlock = Deadlock { evidence, runs };
    deadlock.on_locks().or_else(|| deadlock.on_signals())
}

struct Deadlock<'a> {
    evidence: &'a Evidence<'a>,
    runs: &'a Runs,
}

impl<'a> Deadlock<'a> {
    fn waits(&self) -> impl Iterator<Item = (Spot, &'a Wait)> {
        self.evidence.violation.related.iter().filter_map(|(site, related)| {
            let wait = related.as_wait()?;
            let (deed, variable) = match &wait.awaited {
                Awaited::Object(_, lock) => (Deed::Lock, Some(lock.clone())),
                Awaited::Signal(cond) => (Deed::Wait, Some(cond.clone())),
                Awaited::End { thread } => {
                    return Some((
                        Spot::at(wait.thread, *site, StepKind::Join(*thread), None),
                        wait,
                    ));
                }
                Awaited::Nothing => return None,
            };
            let kind = StepKind::Sync { deed, code: None };
            Some((Spot::at(wait.thread, *site, kind, variable), wait))
        })
    }

    /// Who holds a lock in the end, and the step that took it.
    fn holder(&self, lock: &Variable) -> Option<Spot> {
        let (thread, _) = self.evidence.failing.held.iter().find(|(_, it)| it == lock)?;
        self.taking(thread.0, lock)
    }

    fn taking(&self, thread: u32, lock: &Variable) -> Option<Spot> {
        let took = |it: &&Spot| {
            it.thread == thread && it.takes_lock() && it.variable.as_ref() == Some(lock)
        };
        self.runs.failing.iter().rev().find(took).cloned()
    }

    fn on_locks(&self) -> Option<Mistake<Spot>> {
        let waits: Vec<Spot> = self.waits().map(|(spot, _)| spot).collect();
        let lock_of = |spot: &Spot| spot.variable.clone().filter(|_| spot.is_deed(Deed::Lock));
        for blocked in &waits {
            let Some(takes) = lock_of(blocked).and_then(|lock| self.holder(&lock)) else {
                continue;
            };
            if takes.thread == blocked.thread {
                return Some(Mistake::LockedTwice { first: takes, again: blocked.clone() });
            }
            if let Some(sections) = self.circle(blocked, &waits) {
                return Some(Mistake::LockOrder { sections });
            }
            let own = waits.iter().find(|it| it.thread == takes.thread);
            // Who waits for a lock itself is not the one to blame; its holder comes up, too.
            if own.is_some_and(|own| lock_of(own).is_some()) {
                continue;
            }
            let last = self.runs.failing.iter().rev().find(|it| it.thread == takes.thread)?;
            let holder = match own {
                Some(_) => Holder::Waits,
                None if self.spins(takes.thread) => Holder::Spins,
                None => Holder::Ended,
            };
            let last = own.unwrap_or(last).clone();
            return Some(Mistake::NotUnlocked { takes, last, holder, blocks: blocked.clone() });
        }
        None
    }

    /// Whether a thread runs a loop for ever.
    fn spins(&self, thread: u32) -> bool {
        let related = &self.evidence.violation.related;
        related.iter().any(|(_, it)| matches!(it, Related::Spins(spin) if spin.thread == thread))
    }

    /// From a waiting thread to the one that holds what it waits for, until the circle closes.
    fn circle(&self, start: &Spot, waits: &[Spot]) -> Option<Vec<(Spot, Spot)>> {
        let mut sections: Vec<(Spot, Spot)> = Vec::new();
        let mut at = start;
        loop {
            let lock = at.variable.as_ref().filter(|_| at.is_deed(Deed::Lock))?;
            let takes = self.holder(lock)?;
            let next = waits.iter().find(|it| it.thread == takes.thread)?;
            sections.push((takes, next.clone()));
            if next.thread == start.thread {
                return Some(sections);
            }
            if sections.len() > waits.len() {
                return None;
            }
            at = next;
        }
    }

    fn on_signals(&self) -> Option<Mistake<Spot>> {
        let on_signal = |(_, wait): &(Spot, &Wait)| wait.is_for_signal();
        self.waits().filter(on_signal).find_map(|(spot, _)| self.without_signal(&spot))
    }

    /// A thread that waits for a signal.
    fn without_signal(&self, spot: &Spot) -> Option<Mistake<Spot>> {
        let cond = spot.variable.as_ref()?;
        let steps = &self.runs.failing;
        let begins = |it: &Spot| {
            it.thread == spot.thread && it.is_deed(Deed::Wait) && it.variable.as_ref() == Some(cond)
        };
        let at = steps.iter().rposition(begins)?;
        let wait = &steps[at];
        let tests = tests(steps, at);
        let is_signal = |it: &&Spot| {
            it.variable.as_ref() == Some(cond)
                && (it.is_deed(Deed::Signal) || it.is_deed(Deed::Broadcast))
        };
        let later = steps[at..].iter().rev().find(is_signal);
        let earlier = steps[..at].iter().rev().find(is_signal);
        if let (None, Some(signal)) = (later, earlier)
            && let Some(found) = between(steps, &tests, wait, signal)
        {
            return Some(found);
        }
        let changes = |from: usize| {
            steps[from..].iter().find(|it| {
                let is_tested = |&test: &usize| steps[test].variable == it.variable;
                it.thread != wait.thread && it.kind.is_write() && tests.iter().any(is_tested)
            })
        };
        let ever = tests.iter().any(|&test| {
            let is_same = |it: &&Spot| it.variable == steps[test].variable && it.kind.is_write();
            steps.iter().any(|it| is_same(&it) && !it.alone)
        });
        match (earlier, later, changes(at)) {
            (_, Some(signal), _) if signal.is_deed(Deed::Signal) => {
                Some(Mistake::OneSignal { signal: signal.clone(), wait: wait.clone() })
            }
            (_, None, Some(change)) => {
                Some(Mistake::NoSignal { change: change.clone(), wait: wait.clone() })
            }
            (Some(signal), None, None) if !ever => {
                Some(Mistake::SignalTooEarly { signal: signal.clone(), wait: wait.clone() })
            }
            _ => None,
        }
    }
}

/// What a thread reads before a wait, since it took a lock or woke up; where it reads nothing there,
/// what it read right before it took the lock. As indices. What it reads to write it is no test.
fn tests(steps: &[Spot], wait: usize) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_outside = false;
    let mut written: Option<&Variable> = None;
    for (at, spot) in steps[..wait].iter().enumerate().rev() {
        if spot.thread != steps[wait].thread {
            continue;
        }
        if spot.kind.is_write() {
            written = spot.variable.as_ref();
        } else if spot.is_read() {
            if written.take().is_none_or(|it| Some(it) != spot.variable.as_ref()) {
                found.push(at);
            }
        } else if spot.takes_lock() && found.is_empty() && !is_outside {
            is_outside = true;
        } else {
            break;
        }
    }
    found.reverse();
    found
}

/// A change of what is tested, between the test and the wait, with its signal.
fn between(steps: &[Spot], tests: &[usize], wait: &Spot, signal: &Spot) -> Option<Mistake<Spot>> {
    let at = wait.index?;
    let mutex = wait.held.last()?;
    for &test in tests {
        let changes = |it: &&Spot| {
            it.thread != wait.thread && it.kind.is_write() && it.variable == steps[test].variable
        };
        let Some(change) = steps[test..at].iter().find(changes) else { continue };
        let tested = &steps[test];
        let access = if change.section(&mutex.lock).is_none() { change } else { tested };
        if access.section(&mutex.lock).is_some() {
            continue;
        }
        let locked = if access.thread == tested.thread { change } else { tested };
        let lock = wait.taking(mutex);
        let (test, wait, signal) = (tested.clone(), wait.clone(), signal.clone());
        let harm = Harm::LosesSignal { test, wait, signal };
        return Some(Mistake::Unlocked {
            access: access.clone(),
            lock,
            locked: locked.clone(),
            harm,
        });
    }
    None
}

/// A thread that goes on after a wakeup without the test that sent it to wait.
pub fn not_retested(evidence: &Evidence<'_>, runs: &Runs) -> Option<Mistake<Spot>> {
    let steps = &runs.failing;
    let mut threads = vec![evidence.violation.thread.0];
    threads.extend(evidence.orders.iter().flat_map(|it| [it.before.thread, it.after.thread]));
    let waits = |at: &usize| {
        let it = &steps[*at];
        threads.contains(&it.thread)
            && matches!(it.kind, StepKind::Sync { deed: Deed::Wait, code: None })
    };
    let mut waits = (0..steps.len()).filter(waits);
    waits.find_map(|at| {
        let wait = &steps[at];
        let own = || steps[at + 1..].iter().filter(|it| it.thread == wait.thread);
        let wakeup = own().next()?;
        let is_unasked = wakeup.kind == StepKind::SpuriousWake;
        if !is_unasked && !wakeup.is_deed(Deed::Wake) {
            return None;
        }
        let section = own().skip(1).take_while(|it| it.kind.deed().is_none());
        let mut after = section.filter(|it| it.kind.is_access()).peekable();
        let mut tests = tests(steps, at);
        // What is read on the way into the wait are its arguments.
        let line = wait.line(evidence.program);
        tests.retain(|&test| steps[test].line(evidence.program) != line);
        let retested = |it: &Spot| tests.iter().any(|&test| steps[test].site == it.site);
        // Who tests nothing at all goes on, whoever woke it.
        let goes_on = after.peek().is_some() || is_unasked && tests.is_empty();
        if !goes_on || after.any(retested) {
            return None;
        }
        let test = tests.first().map(|&test| steps[test].clone());
        Some(Mistake::NotRetested { wait: wait.clone(), test })
    })
}
