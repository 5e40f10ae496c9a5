//! A bell that is heard in every loop.
//!
//! A [`Watch`](crate::Watch) is asked by whoever has it at hand. That is enough for the loops of a
//! driver, and it is easily forgotten further in. So whatever may work for long carries an
//! [`Alarm`]: the configuration of the interpreter and of the execution, the options of the encoder
//! and of the front end. To look at it costs one load from memory.
//!
//! An alarm never falls silent again. So a loop may simply end when it rings, with half of its work
//! done, and whoever would hand on the result looks once more before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Whether to stop, for all parts of an engine. Clones are the same bell.
#[derive(Clone, Debug, Default)]
pub struct Alarm(Option<Arc<Bell>>);

impl PartialEq for Alarm {
    /// Whether both are the same bell.
    fn eq(&self, other: &Alarm) -> bool {
        match (&self.0, &other.0) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        }
    }
}

impl Eq for Alarm {}

#[derive(Debug)]
struct Bell {
    rung: AtomicBool,
    tally: Option<Tally>,
}

/// Counts, for tests: no test depends on the speed of the machine.
#[derive(Debug)]
struct Tally {
    /// Looks at the alarm so far.
    looks: AtomicU64,
    /// It rings at this look.
    at: u64,
    /// How much work was done so far, in some unit.
    work: fn() -> u64,
    /// The same at the last look.
    before: AtomicU64,
    /// The most work between two looks.
    most: AtomicU64,
    /// The work that was done when it rang.
    rung: AtomicU64,
}

impl Alarm {
    /// One that rings when it is rung.
    #[must_use]
    pub fn new() -> Alarm {
        Alarm(Some(Arc::new(Bell { rung: AtomicBool::new(false), tally: None })))
    }

    /// One that rings at its look of this number, counted from 1, and that measures the work between
    /// looks.
    #[must_use]
    pub fn at_look(at: u64, work: fn() -> u64) -> Alarm {
        let tally = Tally {
            looks: AtomicU64::new(0),
            at,
            work,
            before: AtomicU64::new(work()),
            most: AtomicU64::new(0),
            rung: AtomicU64::new(0),
        };
        Alarm(Some(Arc::new(Bell { rung: AtomicBool::new(false), tally: Some(tally) })))
    }

    /// Rings it, for good.
    pub fn ring(&self) {
        if let Some(bell) = &self.0 {
            bell.rung.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it rings.
    #[inline]
    #[must_use]
    pub fn rings(&self) -> bool {
        let Some(bell) = &self.0 else { return false };
        if let Some(tally) = &bell.tally {
            tally.look(&bell.rung);
        }
        bell.rung.load(Ordering::Relaxed)
    }

    /// The items up to the moment in which it rings.
    pub fn until<I: IntoIterator>(&self, items: I) -> Until<I::IntoIter> {
        Until { items: items.into_iter(), alarm: self.clone() }
    }

    /// How often it was looked at, if that is counted.
    #[must_use]
    pub fn looks(&self) -> u64 {
        self.tally().map_or(0, |it| it.looks.load(Ordering::Relaxed))
    }

    /// The most work that was done between two looks, or since the last.
    #[must_use]
    pub fn most_work(&self) -> u64 {
        self.tally().map_or(0, |it| {
            let since = (it.work)().saturating_sub(it.before.load(Ordering::Relaxed));
            since.max(it.most.load(Ordering::Relaxed))
        })
    }

    /// The work that was done since it rang.
    #[must_use]
    pub fn work_since(&self) -> u64 {
        self.tally().map_or(0, |it| (it.work)().saturating_sub(it.rung.load(Ordering::Relaxed)))
    }

    fn tally(&self) -> Option<&Tally> {
        self.0.as_ref().and_then(|bell| bell.tally.as_ref())
    }
}

impl Tally {
    fn look(&self, rung: &AtomicBool) {
        let done = (self.work)();
        let gap = done.saturating_sub(self.before.swap(done, Ordering::Relaxed));
        self.most.fetch_max(gap, Ordering::Relaxed);
        if self.looks.fetch_add(1, Ordering::Relaxed) + 1 == self.at {
            self.rung.store(done, Ordering::Relaxed);
            rung.store(true, Ordering::Relaxed);
        }
    }
}

/// Items up to the moment in which an alarm rings.
#[derive(Debug)]
pub struct Until<I> {
    items: I,
    alarm: Alarm,
}

impl<I: Iterator> Iterator for Until<I> {
    type Item = I::Item;

    fn next(&mut self) -> Option<I::Item> {
        if self.alarm.rings() { None } else { self.items.next() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_are_one_bell() {
        let alarm = Alarm::new();
        let other = alarm.clone();
        assert!(!other.rings());
        alarm.ring();
        assert!(other.rings());
        let silent = Alarm::default();
        silent.ring();
        assert!(!silent.rings());
    }

    #[test]
    fn a_loop_ends_when_it_rings() {
        let alarm = Alarm::at_look(4, || 0);
        assert_eq!(alarm.until(0..10).collect::<Vec<i32>>(), [0, 1, 2]);
        assert_eq!(alarm.until(0..10).count(), 0);
        assert_eq!(alarm.looks(), 5);
    }

    #[test]
    fn work_between_looks_is_measured() {
        thread_local!(static WORK: std::cell::Cell<u64> = const { std::cell::Cell::new(0) });
        let alarm = Alarm::at_look(2, || WORK.get());
        for work in [5, 9, 12, 19] {
            WORK.set(work);
            let _ = alarm.rings();
        }
        assert_eq!(alarm.most_work(), 7);
        WORK.set(30);
        assert_eq!((alarm.most_work(), alarm.work_since()), (11, 21));
    }
}
