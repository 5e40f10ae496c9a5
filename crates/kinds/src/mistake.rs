//! What a programmer did wrong, as far as runs show it.

/// A mistake, with the steps that show it. `S` is how a stage writes down a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mistake<S> {
    /// An access outside of the lock that other accesses of its variable hold.
    Unlocked {
        /// The access.
        access: S,
        /// Where another access takes the lock.
        lock: S,
        /// An access of the same variable that holds the lock.
        locked: S,
        /// What follows from it.
        harm: Harm<S>,
    },
    /// Steps of one thread that belong together, with no lock around them.
    Unguarded {
        /// The first of them.
        first: S,
        /// The last of them.
        last: S,
        /// The step of another thread that comes between them.
        by: S,
    },
    /// Steps that belong together, in two critical sections of one lock.
    Split {
        /// The last step of the first section.
        first: S,
        /// Where the lock is given back.
        gap: S,
        /// The first step in the second section.
        last: S,
        /// The step of another thread that comes between them.
        by: S,
    },
    /// Accesses of one variable that hold different locks.
    DifferentLocks {
        /// An access.
        access: S,
        /// Where its thread took the lock that it holds.
        lock: S,
        /// The other access.
        other: S,
        /// Where that thread took the lock that it holds.
        other_lock: S,
    },
    /// A thread goes on after a wait on a condition variable without testing again what it waits for.
    NotRetested {
        /// The wait.
        wait: S,
        /// The test before it; `None` if there is none.
        test: Option<S>,
    },
    /// What other threads can see comes before what they will need.
    Published {
        /// The write that lets others in.
        publishes: S,
        /// The write that comes too late.
        sets: S,
        /// Where another thread is too early.
        reads: S,
    },
    /// Memory or an object is given up while another thread still uses it.
    EndedInUse {
        /// Where it is given up.
        ends: S,
        /// Where it is still used.
        uses: S,
    },
    /// A thread starts before what it uses is set up.
    StartedTooEarly {
        /// Where the thread is created.
        creates: S,
        /// What should have come before.
        sets: S,
        /// Where the new thread is too early.
        uses: S,
    },
    /// A thread uses what another has yet to do, and does not wait for it.
    NotAwaited {
        /// The step that is too early.
        uses: S,
        /// The step that should come before it.
        sets: S,
    },
    /// Locks that threads take in different orders.
    LockOrder {
        /// For each thread: where it took the lock that it holds, and where it waits for the next.
        sections: Vec<(S, S)>,
    },
    /// A thread takes a lock that it holds already.
    LockedTwice {
        /// Where it took the lock.
        first: S,
        /// Where it waits for it.
        again: S,
    },
    /// A thread keeps a lock that it should have given back.
    NotUnlocked {
        /// Where it took the lock.
        takes: S,
        /// What the thread did last, or waits for.
        last: S,
        /// What the thread does meanwhile.
        holder: Holder,
        /// Where another thread waits for the lock.
        blocks: S,
    },
    /// A signal before the wait, and nothing that the waiting thread could test.
    SignalTooEarly {
        /// The signal.
        signal: S,
        /// The wait.
        wait: S,
    },
    /// A signal that wakes one thread, where several wait.
    OneSignal {
        /// The signal.
        signal: S,
        /// The wait that goes on.
        wait: S,
    },
    /// A change that a waiting thread is not told of.
    NoSignal {
        /// The change.
        change: S,
        /// The wait.
        wait: S,
    },
}

/// What an access without a lock leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Harm<S> {
    /// It can come between two steps of a thread that holds the lock.
    Between {
        /// The first of the two.
        first: S,
        /// The second.
        last: S,
    },
    /// It comes between a test and the wait behind it, so that a signal is lost.
    LosesSignal {
        /// The test.
        test: S,
        /// The wait.
        wait: S,
        /// The signal that comes before the wait.
        signal: S,
    },
    /// Its value may be out of date at once.
    OutOfDate,
}

/// What a thread does that holds a lock for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// It waits for something else.
    Waits,
    /// It runs a loop that changes nothing.
    Spins,
    /// It has ended.
    Ended,
}

impl<S> Mistake<S> {
    /// The step at fault.
    #[must_use]
    pub fn at(&self) -> Option<&S> {
        Some(match self {
            Mistake::Unlocked { access: at, .. }
            | Mistake::Unguarded { first: at, .. }
            | Mistake::Split { gap: at, .. }
            | Mistake::DifferentLocks { access: at, .. }
            | Mistake::NotRetested { wait: at, .. }
            | Mistake::Published { publishes: at, .. }
            | Mistake::EndedInUse { ends: at, .. }
            | Mistake::StartedTooEarly { creates: at, .. }
            | Mistake::NotAwaited { uses: at, .. }
            | Mistake::LockedTwice { again: at, .. }
            | Mistake::NotUnlocked { takes: at, .. }
            | Mistake::SignalTooEarly { wait: at, .. }
            | Mistake::OneSignal { signal: at, .. }
            | Mistake::NoSignal { change: at, .. } => at,
            Mistake::LockOrder { sections } => return sections.first().map(|(_, inner)| inner),
        })
    }

    /// The stable word for it in JSON.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Mistake::Unlocked { .. } => "unlocked-access",
            Mistake::Unguarded { .. } => "no-lock",
            Mistake::Split { .. } => "lock-given-back",
            Mistake::DifferentLocks { .. } => "different-locks",
            Mistake::NotRetested { .. } => "not-retested",
            Mistake::Published { .. } => "published-early",
            Mistake::EndedInUse { .. } => "ended-in-use",
            Mistake::StartedTooEarly { .. } => "started-early",
            Mistake::NotAwaited { .. } => "not-awaited",
            Mistake::LockOrder { .. } => "lock-order",
            Mistake::LockedTwice { .. } => "locked-twice",
            Mistake::NotUnlocked { .. } => "not-unlocked",
            Mistake::SignalTooEarly { .. } => "signal-early",
            Mistake::OneSignal { .. } => "one-signal",
            Mistake::NoSignal { .. } => "no-signal",
        }
    }

    /// One of every kind, for tests: what a report can show, every format must render.
    #[must_use]
    pub fn examples(s: &mut impl FnMut() -> S) -> Vec<Mistake<S>> {
        let harms = [
            Harm::Between { first: s(), last: s() },
            Harm::LosesSignal { test: s(), wait: s(), signal: s() },
            Harm::OutOfDate,
        ];
        let unlocked = |harm| Mistake::Unlocked { access: s(), lock: s(), locked: s(), harm };
        let mut all: Vec<Mistake<S>> = harms.into_iter().map(unlocked).collect();
        all.extend([
            Mistake::Unguarded { first: s(), last: s(), by: s() },
            Mistake::Split { first: s(), gap: s(), last: s(), by: s() },
            Mistake::DifferentLocks { access: s(), lock: s(), other: s(), other_lock: s() },
            Mistake::NotRetested { wait: s(), test: None },
            Mistake::NotRetested { wait: s(), test: Some(s()) },
            Mistake::Published { publishes: s(), sets: s(), reads: s() },
            Mistake::EndedInUse { ends: s(), uses: s() },
            Mistake::StartedTooEarly { creates: s(), sets: s(), uses: s() },
            Mistake::NotAwaited { uses: s(), sets: s() },
            Mistake::LockOrder { sections: vec![(s(), s()), (s(), s())] },
            Mistake::LockedTwice { first: s(), again: s() },
            Mistake::NotUnlocked { takes: s(), last: s(), holder: Holder::Waits, blocks: s() },
            Mistake::NotUnlocked { takes: s(), last: s(), holder: Holder::Spins, blocks: s() },
            Mistake::NotUnlocked { takes: s(), last: s(), holder: Holder::Ended, blocks: s() },
            Mistake::SignalTooEarly { signal: s(), wait: s() },
            Mistake::OneSignal { signal: s(), wait: s() },
            Mistake::NoSignal { change: s(), wait: s() },
        ]);
        all
    }

    /// The same with steps written down in another way.
    pub fn map<T>(&self, f: &mut impl FnMut(&S) -> T) -> Mistake<T> {
        match self {
            Mistake::Unlocked { access, lock, locked, harm } => Mistake::Unlocked {
                access: f(access),
                lock: f(lock),
                locked: f(locked),
                harm: harm.map(f),
            },
            Mistake::Unguarded { first, last, by } => {
                Mistake::Unguarded { first: f(first), last: f(last), by: f(by) }
            }
            Mistake::Split { first, gap, last, by } => {
                Mistake::Split { first: f(first), gap: f(gap), last: f(last), by: f(by) }
            }
            Mistake::DifferentLocks { access, lock, other, other_lock } => {
                Mistake::DifferentLocks {
                    access: f(access),
                    lock: f(lock),
                    other: f(other),
                    other_lock: f(other_lock),
                }
            }
            Mistake::NotRetested { wait, test } => {
                Mistake::NotRetested { wait: f(wait), test: test.as_ref().map(f) }
            }
            Mistake::Published { publishes, sets, reads } => {
                Mistake::Published { publishes: f(publishes), sets: f(sets), reads: f(reads) }
            }
            Mistake::EndedInUse { ends, uses } => {
                Mistake::EndedInUse { ends: f(ends), uses: f(uses) }
            }
            Mistake::StartedTooEarly { creates, sets, uses } => {
                Mistake::StartedTooEarly { creates: f(creates), sets: f(sets), uses: f(uses) }
            }
            Mistake::NotAwaited { uses, sets } => {
                Mistake::NotAwaited { uses: f(uses), sets: f(sets) }
            }
            Mistake::LockOrder { sections } => {
                let sections = sections.iter().map(|(outer, inner)| (f(outer), f(inner)));
                Mistake::LockOrder { sections: sections.collect() }
            }
            Mistake::LockedTwice { first, again } => {
                Mistake::LockedTwice { first: f(first), again: f(again) }
            }
            Mistake::NotUnlocked { takes, last, holder, blocks } => Mistake::NotUnlocked {
                takes: f(takes),
                last: f(last),
                holder: *holder,
                blocks: f(blocks),
            },
            Mistake::SignalTooEarly { signal, wait } => {
                Mistake::SignalTooEarly { signal: f(signal), wait: f(wait) }
            }
            Mistake::OneSignal { signal, wait } => {
                Mistake::OneSignal { signal: f(signal), wait: f(wait) }
            }
            Mistake::NoSignal { change, wait } => {
                Mistake::NoSignal { change: f(change), wait: f(wait) }
            }
        }
    }
}

impl<S> Harm<S> {
    fn map<T>(&self, f: &mut impl FnMut(&S) -> T) -> Harm<T> {
        match self {
            Harm::Between { first, last } => Harm::Between { first: f(first), last: f(last) },
            Harm::LosesSignal { test, wait, signal } => {
                Harm::LosesSignal { test: f(test), wait: f(wait), signal: f(signal) }
            }
            Harm::OutOfDate => Harm::OutOfDate,
        }
    }
}
