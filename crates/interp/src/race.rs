//! Data races by happens-before (property `race`).
//!
//! The relation is that of ORDERING.md: program order, create, join, unlock to a later lock, post
//! to wait, barrier, once, and reads-from of a release by an acquire; what plain or relaxed
//! accesses do orders nothing. Vector clocks decide it along a run: a thread's own component
//! counts its releases, as in FastTrack (Flanagan and Freund, PLDI 2009), so that waiting loops
//! do not let it grow.

use std::collections::BTreeMap;

use unravel_program::SiteId;

use crate::memory::ObjectId;
use crate::state::ThreadId;

/// For each thread, how many of its releases are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(Vec<u32>);

impl VectorClock {
    /// Releases of `thread` that are known.
    #[must_use]
    pub fn get(&self, thread: ThreadId) -> u32 {
        self.0.get(thread.0 as usize).copied().unwrap_or(0)
    }

    /// Learns all that `other` knows.
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    fn advance(&mut self, thread: ThreadId) {
        let index = thread.0 as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] += 1;
    }

    /// The numbers, for a fingerprint.
    #[must_use]
    pub fn components(&self) -> &[u32] {
        &self.0
    }
}

/// The clock that knows nothing.
static NOTHING: VectorClock = VectorClock(Vec::new());

/// An access that a later one may race with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch {
    /// The thread that made the access.
    pub thread: ThreadId,
    /// The thread's own clock at that moment.
    pub time: u32,
    /// Was it atomic?
    pub atomic: bool,
    /// The place of the access.
    pub site: SiteId,
}

/// The last accesses of a byte.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct History {
    /// Last write of each thread that wrote and was not overtaken.
    pub writes: Vec<Epoch>,
    /// Last read of each thread since.
    pub reads: Vec<Epoch>,
    /// What an acquiring read of this byte learns: for each thread that heads a release sequence,
    /// in order, what its releases publish.
    pub releases: Vec<(ThreadId, VectorClock)>,
}

/// Happens-before bookkeeping of a run.
#[derive(Clone, Debug, Default)]
pub struct Races {
    clocks: Vec<VectorClock>,
    /// What the thread would learn at an acquire fence.
    pending: Vec<VectorClock>,
    /// What its relaxed writes publish since its last release fence.
    fenced: Vec<Option<VectorClock>>,
    histories: BTreeMap<(ObjectId, u64), History>,
}

/// How an access takes part in synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// It reads.
    pub reads: bool,
    /// It writes.
    pub writes: bool,
    /// It is atomic.
    pub atomic: bool,
    /// As a read it acquires.
    pub acquires: bool,
    /// As a write it releases.
    pub releases: bool,
}

impl Races {
    /// The clock of a thread.
    #[must_use]
    pub fn clock(&self, thread: ThreadId) -> &VectorClock {
        &self.clocks[thread.0 as usize]
    }

    /// A new thread, which knows what its creator knows.
    pub fn add_thread(&mut self, creator: Option<ThreadId>) {
        let id = ThreadId(u32::try_from(self.clocks.len()).unwrap_or(u32::MAX));
        let mut clock = creator.map(|creator| self.clock(creator).clone()).unwrap_or_default();
        clock.advance(id);
        self.clocks.push(clock);
        self.pending.push(VectorClock::default());
        self.fenced.push(None);
        if let Some(creator) = creator {
            self.clocks[creator.0 as usize].advance(creator);
        }
    }

    /// `thread` learns what `clock` knows.
    pub fn acquire(&mut self, thread: ThreadId, clock: &VectorClock) {
        self.clocks[thread.0 as usize].join(clock);
    }

    /// What `thread` publishes now; what it does later is newer.
    pub fn release(&mut self, thread: ThreadId) -> VectorClock {
        let clock = self.clocks[thread.0 as usize].clone();
        self.clocks[thread.0 as usize].advance(thread);
        clock
    }

    /// A fence.
    pub fn fence(&mut self, thread: ThreadId, acquires: bool, releases: bool) {
        let index = thread.0 as usize;
        if acquires {
            let pending = self.pending[index].clone();
            self.clocks[index].join(&pending);
        }
        if releases {
            self.fenced[index] = Some(self.release(thread));
        }
    }

    /// Enters an access of `bytes` bytes and gives an earlier one that it races with.
    pub fn access(
        &mut self,
        thread: ThreadId,
        object: ObjectId,
        range: std::ops::Range<u64>,
        mode: Mode,
        site: SiteId,
    ) -> Option<Epoch> {
        self.synchronize(thread, object, range.start, mode);
        let clock = self.clock(thread).clone();
        let epoch = Epoch { thread, time: clock.get(thread), atomic: mode.atomic, site };
        let mut race = None;
        for offset in range {
            let history = self.histories.entry((object, offset)).or_default();
            race = race.or_else(|| history.conflict(&clock, thread, mode));
            history.record(&clock, epoch, mode);
        }
        if mode.writes && mode.releases {
            self.clocks[thread.0 as usize].advance(thread);
        }
        race
    }

    /// An access to any byte of an object that a plain write of all of it races with.
    #[must_use]
    pub fn conflict_with_all(&self, thread: ThreadId, object: ObjectId) -> Option<Epoch> {
        let write =
            Mode { reads: false, writes: true, atomic: false, acquires: false, releases: false };
        let clock = self.clock(thread);
        self.histories(object).find_map(|(_, history)| history.conflict(clock, thread, write))
    }

    /// Acquire and release through an atomic location, by its first byte.
    fn synchronize(&mut self, thread: ThreadId, object: ObjectId, offset: u64, mode: Mode) {
        let index = thread.0 as usize;
        let history = self.histories.entry((object, offset)).or_default();
        if mode.reads && mode.atomic {
            let target = if mode.acquires { &mut self.clocks } else { &mut self.pending };
            history.releases.iter().for_each(|(_, clock)| target[index].join(clock));
        }
        if !mode.writes {
            return;
        }
        // A read-modify-write continues every release sequence; another atomic write those that its
        // thread heads (C17 5.1.2.4p10; C++20 has dropped this, C has not).
        if !(mode.reads && mode.atomic) {
            history.releases.retain(|(head, _)| mode.atomic && *head == thread);
        }
        if mode.atomic && mode.releases {
            history.publish(thread, &self.clocks[index]);
        } else if mode.atomic
            && let Some(fence) = &self.fenced[index]
        {
            history.publish(thread, fence);
        }
    }

    /// Drops a freed object.
    pub fn forget(&mut self, object: ObjectId) {
        self.histories.retain(|place, _| place.0 != object);
    }

    /// Histories of an object's bytes, for a fingerprint.
    pub fn histories(&self, object: ObjectId) -> impl Iterator<Item = (u64, &History)> {
        self.histories.range((object, 0)..=(object, u64::MAX)).map(|(place, h)| (place.1, h))
    }

    /// Histories of all bytes, for a fingerprint.
    pub fn all_histories(&self) -> impl Iterator<Item = &History> + Clone {
        self.histories.values()
    }

    /// Clocks of all threads, for a fingerprint.
    pub fn clocks(&self) -> impl Iterator<Item = &VectorClock> {
        let fenced = self.fenced.iter().map(|clock| clock.as_ref().unwrap_or(&NOTHING));
        self.clocks.iter().chain(&self.pending).chain(fenced)
    }
}

impl History {
    /// A thread heads a release sequence.
    fn publish(&mut self, head: ThreadId, clock: &VectorClock) {
        let at = self.releases.partition_point(|(thread, _)| *thread < head);
        match self.releases.get_mut(at) {
            Some((thread, known)) if *thread == head => known.join(clock),
            _ => self.releases.insert(at, (head, clock.clone())),
        }
    }

    fn conflict(&self, clock: &VectorClock, thread: ThreadId, mode: Mode) -> Option<Epoch> {
        let races = |epoch: &&Epoch| {
            epoch.thread != thread
                && !(epoch.atomic && mode.atomic)
                && clock.get(epoch.thread) < epoch.time
        };
        let reads = if mode.writes { &self.reads[..] } else { &[] };
        self.writes.iter().chain(reads).find(races).copied()
    }

    /// Keeps the newest access per thread, and drops those that this one is ordered after: a
    /// later access that races with a dropped one also races with this one (writes only, since a
    /// read shields no read).
    fn record(&mut self, clock: &VectorClock, epoch: Epoch, mode: Mode) {
        let ordered = |old: &Epoch| clock.get(old.thread) >= old.time;
        if mode.writes {
            self.writes.retain(|old| !ordered(old) || old.atomic != epoch.atomic && !old.atomic);
            self.reads.retain(|old| !ordered(old) || old.atomic != epoch.atomic && !old.atomic);
            self.writes.push(epoch);
            self.writes.sort_by_key(|old| (old.thread, old.atomic));
        } else {
            self.reads.retain(|old| !(old.thread == epoch.thread && old.atomic == epoch.atomic));
            self.reads.push(epoch);
            self.reads.sort_by_key(|old| (old.thread, old.atomic));
        }
    }
}
