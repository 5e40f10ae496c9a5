//! A fingerprint of a state: equal states have equal ones, and 128 bits make an accident
//! unlikely enough to rely on (n states collide with probability n² / 2¹²⁹).
//!
//! Objects are numbered in the order in which they are met from the threads and the globals, so
//! that states that differ only in when things were allocated are the same, and memory that
//! nobody can reach does not count. A pointer is its object and offset; its address counts only
//! where a program looked at it as a number. Of the numbers in vector clocks only their order
//! counts, thread by thread, so that a loop that releases a lock does not make new states forever.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use xxhash_rust::xxh3::xxh3_128;

use crate::memory::{ObjectId, ObjectKind};
use crate::race::{Epoch, VectorClock};
use crate::state::{Frame, OnReturn, Pending, State, Status, Thread, ThreadId};
use crate::sync::{Request, SyncObject};
use crate::value::Value;

/// The fingerprint of a state.
#[must_use]
pub fn fingerprint(state: &State, pointer_bytes: u64) -> u128 {
    let mut writer = Writer {
        state,
        out: Vec::with_capacity(1024),
        numbers: BTreeMap::new(),
        queue: Vec::new(),
        ranks: ranks(state),
    };
    for thread in &state.threads {
        writer.thread(thread);
    }
    for key in &state.keys {
        writer.bool(key.is_some());
        writer.value(key.unwrap_or(Value::ZERO));
    }
    writer.u64(state.exited.map_or(u64::MAX, |code| u64::from(code.cast_unsigned())));
    writer.bool(state.dead);
    if let Some(races) = &state.races {
        for clock in races.clocks() {
            writer.clock(clock);
        }
    }
    for (&id, object) in state.objects.range(globals()) {
        if !object.constant {
            writer.content(id, pointer_bytes);
        }
    }
    writer.objects(pointer_bytes);
    for freed in &state.freed {
        writer.object(freed.object);
        writer.u64(freed.size);
    }
    writer.layout();
    xxh3_128(&writer.out)
}

/// All ids of globals, which come first in the order of ids.
fn globals() -> std::ops::RangeInclusive<ObjectId> {
    let id = |number| ObjectId { kind: ObjectKind::Global, number };
    id(0)..=id(u32::MAX)
}

struct Writer<'s> {
    state: &'s State,
    out: Vec<u8>,
    numbers: BTreeMap<ObjectId, u32>,
    /// Objects met and not yet written.
    queue: Vec<ObjectId>,
    /// Per thread, the clock values in use with their ranks.
    ranks: Vec<BTreeMap<u32, u32>>,
}

/// Ranks of the clock values in use, per thread; nothing where races are not checked.
fn ranks(state: &State) -> Vec<BTreeMap<u32, u32>> {
    let Some(races) = &state.races else { return Vec::new() };
    let mut ranks = vec![BTreeMap::from([(0, 0)]); state.threads.len()];
    let mut enter = |thread: usize, time: u32| {
        if let Some(values) = ranks.get_mut(thread) {
            values.insert(time, 0);
        }
    };
    let histories = races.all_histories();
    let objects = state.sync.values().flat_map(|object| [&object.clock, &object.reader_clock]);
    let released = histories.clone().flat_map(|history| &history.releases);
    let released = released.map(|(_, clock)| clock);
    for clock in races.clocks().chain(objects).chain(released) {
        clock.components().iter().enumerate().for_each(|(thread, &time)| enter(thread, time));
    }
    for epoch in histories.flat_map(|history| history.writes.iter().chain(&history.reads)) {
        enter(epoch.thread.0 as usize, epoch.time);
    }
    for values in &mut ranks {
        for (rank, value) in (0..).zip(values.values_mut()) {
            *value = rank;
        }
    }
    ranks
}

impl Writer<'_> {
    fn u64(&mut self, number: u64) {
        self.out.extend(number.to_le_bytes());
    }

    fn bool(&mut self, truth: bool) {
        self.out.push(u8::from(truth));
    }

    /// Globals and functions have the same number in every run.
    fn number(&mut self, id: ObjectId) -> u32 {
        if matches!(id.kind, ObjectKind::Global | ObjectKind::Function) {
            return id.number;
        }
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        match self.numbers.entry(id) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                self.queue.push(id);
                *place.insert(next)
            }
        }
    }

    fn object(&mut self, id: ObjectId) {
        let number = self.number(id);
        self.out.extend(number.to_le_bytes());
        self.out.push(id.kind as u8);
    }

    fn value(&mut self, value: Value) {
        let base = value.provenance.and_then(|id| self.state.object(id)).map_or(0, |o| o.base);
        let bits = value.bits.wrapping_sub(u128::from(base));
        self.out.extend(bits.to_le_bytes());
        self.out.push(u8::from(value.undef != 0) | u8::from(value.provenance.is_some()) << 1);
        if value.undef != 0 {
            self.out.extend(value.undef.to_le_bytes());
        }
        if let Some(id) = value.provenance {
            self.object(id);
        }
    }

    fn thread(&mut self, thread: &Thread) {
        match &thread.status {
            Status::Running => self.out.push(0),
            Status::Ended => self.out.push(1),
            Status::Stuck(reason) => self.out.extend([2, *reason as u8]),
        }
        self.bool(thread.detached);
        self.u64(u64::from(thread.start.0) << 32 | u64::from(thread.atomic_depth));
        if thread.status == Status::Ended {
            self.u64(u64::from(thread.handle));
            // Only its result can matter, and only until somebody takes it.
            self.value(if thread.detached { Value::ZERO } else { thread.result });
            return;
        }
        self.value(thread.result);
        self.u64(thread.frames.len() as u64);
        for frame in &thread.frames {
            self.frame(frame);
        }
        self.u64(u64::from(thread.handle) << 8 | u64::from(thread.destructed.round));
        thread.destructed.keys.iter().for_each(|&key| self.u64(u64::from(key)));
        self.u64(thread.specific.len() as u64);
        for (&key, &value) in &thread.specific {
            self.u64(u64::from(key));
            self.value(value);
        }
        self.u64(thread.locals.len() as u64);
        for (global, &object) in &thread.locals {
            self.u64(u64::from(global.0));
            self.object(object);
        }
        self.bool(thread.errno.is_some());
        if let Some(errno) = thread.errno {
            self.object(errno);
        }
        self.u64(thread.creating.map_or(u64::MAX, |created| u64::from(created.0)));
        self.pending(&thread.pending);
    }

    fn frame(&mut self, frame: &Frame) {
        self.u64(u64::from(frame.function.0) << 32 | u64::from(frame.block.0));
        self.u64((frame.index as u64) << 32 | frame.progress);
        self.u64(frame.phase.map_or(u64::MAX, |op| op as u64));
        self.u64(match frame.on_return {
            OnReturn::Continue => 0,
            OnReturn::EndThread => 1,
            OnReturn::EnterPhase(op) => 2 | (op as u64) << 8,
            OnReturn::NextDestructor => 3,
            OnReturn::NextConstructor(next) => 4 | u64::from(next) << 8,
        });
        for &value in &frame.registers {
            // Most registers are dead, and so zero.
            self.bool(value != Value::ZERO);
            if value != Value::ZERO {
                self.value(value);
            }
        }
        self.u64(frame.turns.len() as u64);
        for (block, turns) in &frame.turns {
            self.u64(u64::from(block.0) << 32 | u64::from(*turns));
        }
        self.u64(frame.objects.len() as u64);
        for &object in &frame.objects {
            self.object(object);
        }
    }

    fn pending(&mut self, pending: &Pending) {
        match pending {
            Pending::Ready => self.out.push(0),
            Pending::Join(target) => self.u64(1 | u64::from(target.0) << 8),
            Pending::Sync(request) => self.request(request),
        }
    }

    fn request(&mut self, request: &Request) {
        self.u64(2 | (request.op as u64) << 8);
        self.object(request.place.0);
        self.u64(request.place.1);
    }

    /// Everything reachable; writing an object may add to the queue.
    fn objects(&mut self, pointer_bytes: u64) {
        let mut next = 0;
        while next < self.queue.len() {
            let id = self.queue[next];
            next += 1;
            self.content(id, pointer_bytes);
        }
    }

    /// How objects that somebody can still reach lie to each other.
    fn layout(&mut self) {
        let number = |id: ObjectId| match id.kind {
            ObjectKind::Global | ObjectKind::Function => Some(id.number),
            _ => self.numbers.get(&id).copied(),
        };
        let known = |id: ObjectId| Some((id.kind as u8, number(id)?));
        let pairs = self.state.layout.pairs();
        let mut pairs: Vec<_> =
            pairs.filter_map(|(low, high)| Some((known(low)?, known(high)?))).collect();
        pairs.sort_unstable();
        for ((low_kind, low), (high_kind, high)) in pairs {
            self.u64(u64::from(low) << 32 | u64::from(high));
            self.out.extend([low_kind, high_kind]);
        }
    }

    fn content(&mut self, id: ObjectId, pointer_bytes: u64) {
        let Some(object) = self.state.object(id).cloned() else {
            self.out.push(0xdd);
            return;
        };
        self.u64(object.size());
        self.bool(object.shared);
        // Only such an address can equal that of a dangling pointer, which counts as a number.
        self.u64(if object.reused { object.base } else { 0 });
        self.out.extend(object.content_hash(pointer_bytes).to_le_bytes());
        self.u64(object.pointers().count() as u64);
        for (offset, _) in object.pointers() {
            self.u64(offset);
            self.value(object.read(offset, pointer_bytes, pointer_bytes));
        }
        let state = self.state;
        self.u64(state.sync.range((id, 0)..=(id, u64::MAX)).count() as u64);
        for (place, sync) in state.sync.range((id, 0)..=(id, u64::MAX)) {
            self.u64(place.1);
            self.sync(sync);
        }
        if let Some(races) = &state.races {
            for (offset, history) in races.histories(id) {
                self.u64(offset);
                self.u64(history.releases.len() as u64);
                for (head, clock) in &history.releases {
                    self.u64(u64::from(head.0));
                    self.clock(clock);
                }
                self.epochs(&history.writes);
                self.epochs(&history.reads);
            }
        }
    }

    fn sync(&mut self, sync: &SyncObject) {
        self.out.extend([sync.class as u8, u8::from(sync.destroyed), sync.kind as u8]);
        self.u64(sync.owner.map_or(u64::MAX, |owner| u64::from(owner.0)));
        self.u64(u64::from(sync.count) << 32 | u64::from(sync.value));
        self.threads(&sync.readers);
        // Who waits matters, in which order does not.
        let mut waiting = sync.waiting.clone();
        waiting.sort();
        self.threads(&waiting);
        self.threads(&sync.released);
        if let Some((object, offset)) = sync.mutex {
            self.object(object);
            self.u64(offset);
        }
        self.clock(&sync.clock);
        self.clock(&sync.reader_clock);
    }

    fn threads(&mut self, threads: &[ThreadId]) {
        self.u64(threads.len() as u64);
        for thread in threads {
            self.out.extend(thread.0.to_le_bytes());
        }
    }

    fn rank(&self, thread: ThreadId, time: u32) -> u32 {
        let values = self.ranks.get(thread.0 as usize);
        values.and_then(|values| values.get(&time)).copied().unwrap_or(time)
    }

    fn clock(&mut self, clock: &VectorClock) {
        for thread in (0..).map(ThreadId).take(self.ranks.len()) {
            let rank = self.rank(thread, clock.get(thread));
            self.out.extend(rank.to_le_bytes());
        }
    }

    fn epochs(&mut self, epochs: &[Epoch]) {
        self.u64(epochs.len() as u64);
        for epoch in epochs {
            let rank = self.rank(epoch.thread, epoch.time);
            self.u64(u64::from(epoch.thread.0) << 32 | u64::from(rank));
            self.bool(epoch.atomic);
        }
    }
}
