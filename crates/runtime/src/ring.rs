//! Where records go: a ring in memory that the recorder reads.

use core::sync::atomic::Ordering;

use unravel_wire::{Control, Record};

use crate::scheduler::Scheduler;
use crate::sys;

/// The writing end.
#[derive(Debug)]
pub struct Ring {
    control: Option<&'static Control>,
    records: *mut Record,
    mask: u64,
    head: u64,
    /// How many were pushed, written or not.
    pub pushed: u64,
    /// What was read when we last looked.
    tail: u64,
    writes: bool,
}

impl Ring {
    /// None.
    #[must_use]
    pub const fn new() -> Ring {
        let records = core::ptr::null_mut();
        Ring { control: None, records, mask: 0, head: 0, pushed: 0, tail: 0, writes: false }
    }

    /// The ring of the shared memory.
    ///
    /// # Safety
    /// The memory is the one that the control block describes.
    #[must_use]
    pub unsafe fn of(control: &'static Control, memory: *mut u8) -> Ring {
        // SAFETY: the recorder says that the ring lies there.
        let records = unsafe { memory.add(control.ring_at as usize).cast() };
        let writes = control.records != 0;
        Ring { control: Some(control), records, mask: control.ring - 1, writes, ..Ring::new() }
    }

    /// Writes a record.
    #[inline]
    pub fn push(&mut self, record: Record) {
        self.pushed += 1;
        if !self.writes {
            return;
        }
        if self.head - self.tail > self.mask {
            self.make_room();
        }
        // SAFETY: the index is below the ring's size, and the recorder has read what was there.
        unsafe { self.records.add((self.head & self.mask) as usize).write(record) };
        self.head += 1;
        if let Some(control) = self.control {
            control.head.store(self.head, Ordering::Release);
        }
    }

    /// Waits until the recorder has read something.
    #[cold]
    fn make_room(&mut self) {
        /// The recorder may be gone: then we go on by ourselves when it is time to look again.
        const MOMENT: u64 = 20_000_000;
        let Some(control) = self.control else { return };
        loop {
            let room = control.room.load(Ordering::Acquire);
            self.tail = control.tail.load(Ordering::Acquire);
            if self.head - self.tail <= self.mask {
                return;
            }
            control.bell.fetch_add(1, Ordering::Release);
            sys::futex_wake(&control.bell);
            sys::futex_wait(&control.room, room, MOMENT);
        }
    }

    /// Nothing more will be written.
    pub fn close(&mut self, scheduler: &Scheduler) {
        let Some(control) = self.control else { return };
        control.events.store(scheduler.events, Ordering::Relaxed);
        control.followed.store(scheduler.followed() as u64, Ordering::Relaxed);
        control.ended.store(1, Ordering::Release);
        control.bell.fetch_add(1, Ordering::Release);
        sys::futex_wake(&control.bell);
    }
}

impl Default for Ring {
    fn default() -> Ring {
        Ring::new()
    }
}
