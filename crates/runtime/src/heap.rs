//! The program's heap.
//!
//! Ours instead of the C library's for two reasons. Blocks get the same addresses in every run of the
//! same schedule, so that programs that hash or sort pointers repeat. And every access can be looked
//! up: a freed block rests for a while before its memory is used again, and each block is followed by
//! a few bytes that belong to nobody.
//!
//! The memory is cut into spans of 64 KiB. A span holds slots of one size, or is part of a large
//! block. Beside each 16 bytes stands a word that says what block begins there. To look an address up
//! takes a division and two reads.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::sys;

/// Where the heap lies: far from where Linux puts programs and libraries.
const BASE: usize = 0x1000_0000_0000;
/// Where the words beside it lie.
const WORDS: usize = 0x1800_0000_0000;
const SPAN: usize = 1 << 16;
const GRANULE: usize = 16;
/// Most memory that it can have: 64 GiB.
const SPANS: usize = 1 << 20;
/// The heap grows by so many spans at once.
const STEP: usize = 1 << 12;
/// Bytes behind each block that nobody may touch.
const FENCE: usize = 16;
const CLASSES: usize = 48;
/// The largest slot; blocks above it have spans of their own.
const LARGEST: usize = 1 << 15;
/// Freed blocks rest until so many have been freed after them,
const MOST_RESTING: usize = 1 << 14;
/// or so many bytes.
const MOST_RESTING_BYTES: usize = 64 << 20;
/// Free large blocks that are remembered.
const MOST_LARGE: usize = 1 << 10;

/// The word of a block that is in use: its size above, this below.
const IN_USE: u64 = 1;
const FREED: u64 = 2;
const STATE: u64 = 3;

/// What a span is for, in a word whose zero means nothing: fresh memory is a valid table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span(u32);

/// A span's word, taken apart.
enum Use {
    /// Nothing yet.
    None,
    /// Slots of this class.
    Slots(usize),
    /// Part of a large block that begins so many spans before.
    Large(usize),
}

impl Span {
    const LARGE: u32 = 1 << 31;

    fn slots(class: usize) -> Span {
        Span(class as u32 + 1)
    }

    fn large(before: usize) -> Span {
        Span(before as u32 | Span::LARGE)
    }

    fn what(self) -> Use {
        match self.0 {
            0 => Use::None,
            word if word & Span::LARGE != 0 => Use::Large((word & !Span::LARGE) as usize),
            word => Use::Slots(word as usize - 1),
        }
    }
}

/// The heap. All zeros is an empty one: it lies in fresh memory, since it is too large for the program's
/// file.
#[derive(Debug)]
pub struct Heap {
    spans: [Span; SPANS],
    /// Spans in use, and spans for which there is memory.
    used: usize,
    mapped: usize,
    /// Per class, the first free slot; each holds the address of the next.
    free: [usize; CLASSES],
    /// Per class, where fresh slots begin and end.
    fresh: [(usize, usize); CLASSES],
    /// Freed blocks that rest, in a circle.
    resting: [usize; MOST_RESTING],
    first: usize,
    count: usize,
    bytes: usize,
    /// Free large blocks: first span, number of spans.
    large: [(u32, u32); MOST_LARGE],
    /// Freed blocks are used again at once.
    pub reuses: bool,
}

/// What is wrong with an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It lies in no block.
    OutOfBounds,
    /// Its block was freed.
    Freed,
}

/// The end of the memory in use, for a quick look from anywhere.
static TOP: AtomicUsize = AtomicUsize::new(BASE);
static LOCK: AtomicBool = AtomicBool::new(false);

/// Whether an address lies in our heap.
#[inline]
#[must_use]
pub fn contains(address: usize) -> bool {
    (BASE..TOP.load(Ordering::Relaxed)).contains(&address)
}

/// Does something with the heap while no other thread does: threads that are outside allocate, too.
pub fn locked<T>(heap: &mut Heap, work: impl FnOnce(&mut Heap) -> T) -> T {
    while LOCK.swap(true, Ordering::Acquire) {
        core::hint::spin_loop();
    }
    let result = work(heap);
    LOCK.store(false, Ordering::Release);
    result
}

impl Heap {
    /// A block of so many bytes at a multiple of `align`, a power of two; 0 if there is no memory.
    pub fn allocate(&mut self, size: usize, align: usize) -> usize {
        let Some(room) = size.checked_add(FENCE) else { return 0 };
        let room = if align > GRANULE { room.next_power_of_two().max(align) } else { room };
        let block = if room <= LARGEST { self.slot(room) } else { self.spans(room, align) };
        if block != 0 {
            *word(block) = (size as u64) << 2 | IN_USE;
        }
        block
    }

    fn slot(&mut self, room: usize) -> usize {
        let class = class_of(room);
        let free = self.free[class];
        if free != 0 {
            // The word of a free slot is the address of the next, which ends in zeros.
            self.free[class] = (*word(free) & !STATE) as usize;
            return free;
        }
        let size = size_of(class);
        if self.fresh[class].0 + size > self.fresh[class].1 {
            let Some(span) = self.take(1) else { return 0 };
            self.spans[span] = Span::slots(class);
            self.fresh[class] = (BASE + span * SPAN, BASE + (span + 1) * SPAN);
        }
        let slot = self.fresh[class].0;
        self.fresh[class].0 += size;
        slot
    }

    fn spans(&mut self, room: usize, align: usize) -> usize {
        let extra = if align > SPAN { align } else { 0 };
        let Some(count) = room.checked_add(extra).map(|it| it.div_ceil(SPAN)) else { return 0 };
        let again = |it: &&mut (u32, u32)| it.1 as usize == count && extra == 0;
        let span = match self.large.iter_mut().find(again) {
            Some(found) => core::mem::take(found).0 as usize,
            None => match self.take(count) {
                Some(span) => span,
                None => return 0,
            },
        };
        let address = BASE + span * SPAN;
        let block = if extra > 0 { address.next_multiple_of(align) } else { address };
        let head = (block - BASE) / SPAN;
        for at in head..span + count {
            self.spans[at] = Span::large(at - head);
        }
        block
    }

    fn take(&mut self, count: usize) -> Option<usize> {
        if self.used.checked_add(count)? > self.mapped && !self.grow(count) {
            return None;
        }
        let span = self.used;
        self.used += count;
        TOP.store(BASE + self.used * SPAN, Ordering::Relaxed);
        Some(span)
    }

    fn grow(&mut self, count: usize) -> bool {
        let more = count.next_multiple_of(STEP);
        if self.mapped + more > SPANS {
            return false;
        }
        let at = self.mapped * SPAN;
        let words = WORDS + at / GRANULE * 8;
        let mapped = !sys::map_at(BASE + at, more * SPAN).is_null()
            && !sys::map_at(words, more * SPAN / GRANULE * 8).is_null();
        self.mapped += if mapped { more } else { 0 };
        mapped
    }

    /// Where the slot or large block begins that an address lies in, whatever its state.
    fn start(&self, address: usize) -> Option<usize> {
        let span = address.wrapping_sub(BASE) / SPAN;
        match self.spans.get(span)?.what() {
            Use::None => None,
            Use::Slots(class) => {
                let first = BASE + span * SPAN;
                let size = size_of(class);
                let start = first + (address - first) / size * size;
                (start + size <= first + SPAN).then_some(start)
            }
            Use::Large(before) => Some(BASE + (span - before) * SPAN),
        }
    }

    /// The block that begins at an address: its bytes.
    #[must_use]
    pub fn block(&self, address: usize) -> Option<usize> {
        let begins = self.start(address) == Some(address);
        let word = if begins { *word(address) } else { 0 };
        (word & STATE == IN_USE).then_some((word >> 2) as usize)
    }

    /// Whether a block that was freed began at an address.
    #[must_use]
    pub fn was_block(&self, address: usize) -> bool {
        self.start(address) == Some(address) && *word(address) & STATE == FREED
    }

    /// Looks an access up. The address lies in the heap.
    ///
    /// # Errors
    /// What is wrong with it.
    #[inline]
    pub fn check(&self, address: usize, bytes: usize) -> Result<(), Wrong> {
        let Some(start) = self.start(address) else { return Err(Wrong::OutOfBounds) };
        let word = *word(start);
        if word & STATE == FREED {
            return Err(Wrong::Freed);
        }
        let end = start + (word >> 2) as usize;
        let inside = word & STATE == IN_USE && address + bytes <= end;
        if inside { Ok(()) } else { Err(Wrong::OutOfBounds) }
    }

    /// Frees a block that is in use.
    pub fn free(&mut self, address: usize) {
        let size = (*word(address) >> 2) as usize;
        *word(address) = (size as u64) << 2 | FREED;
        if self.reuses {
            return self.release(address);
        }
        while self.count == MOST_RESTING || self.count > 0 && self.bytes + size > MOST_RESTING_BYTES
        {
            self.wake_oldest();
        }
        self.resting[(self.first + self.count) % MOST_RESTING] = address;
        self.count += 1;
        self.bytes += size;
    }

    fn wake_oldest(&mut self) {
        let address = self.resting[self.first];
        self.first = (self.first + 1) % MOST_RESTING;
        self.count -= 1;
        self.bytes -= (*word(address) >> 2) as usize;
        self.release(address);
    }

    /// The memory of a freed block may be used again.
    fn release(&mut self, address: usize) {
        let span = (address - BASE) / SPAN;
        match self.spans[span].what() {
            Use::Slots(class) => {
                *word(address) = self.free[class] as u64 | FREED;
                self.free[class] = address;
            }
            Use::Large(_) => {
                let continues =
                    |at: &usize| self.spans.get(*at).copied() == Some(Span::large(*at - span));
                let count = (span..self.used).take_while(continues).count();
                if let Some(place) = self.large.iter_mut().find(|it| it.1 == 0) {
                    *place = (span as u32, count as u32);
                }
            }
            Use::None => {}
        }
    }
}

/// The word beside an address of the heap.
fn word(address: usize) -> &'static mut u64 {
    // SAFETY: the heap has grown beyond the address, and the words with it; only who has the lock or
    // the token comes here, and references do not outlive a statement.
    unsafe { &mut *((WORDS + (address - BASE) / GRANULE * 8) as *mut u64) }
}

/// Sizes of slots: four between powers of two.
const fn size_of(class: usize) -> usize {
    if class < 4 {
        return (class + 1) * GRANULE;
    }
    let (power, part) = ((class - 4) / 4, (class - 4) % 4);
    (64 << power) + (part + 1) * (16 << power)
}

fn class_of(room: usize) -> usize {
    // The largest class is that of LARGEST: few steps.
    (0..CLASSES - 1).find(|&class| size_of(class) >= room).unwrap_or(CLASSES - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_cover_all_sizes() {
        assert_eq!((size_of(0), size_of(3), size_of(4), size_of(7)), (16, 64, 80, 128));
        assert!((1..CLASSES).all(|class| size_of(class) > size_of(class - 1)));
        assert!(size_of(CLASSES - 1) >= LARGEST);
        assert!((1..=LARGEST).all(|room| size_of(class_of(room)) >= room));
        assert!((0..CLASSES).all(|class| size_of(class).is_multiple_of(GRANULE)));
    }

    /// One test, since there is one heap in a process.
    #[test]
    fn blocks_are_looked_up() {
        let mut heap: Box<Heap> = boxed();
        let a = heap.allocate(10, 1);
        let b = heap.allocate(10, 1);
        assert!(contains(a) && a != b);
        assert_eq!(heap.block(a), Some(10));
        assert_eq!(heap.check(a + 9, 1), Ok(()));
        assert_eq!(heap.check(a + 9, 2), Err(Wrong::OutOfBounds));
        assert_eq!(heap.check(a + 10, 1), Err(Wrong::OutOfBounds));
        heap.free(a);
        assert_eq!(heap.check(a, 1), Err(Wrong::Freed));
        assert!(heap.was_block(a) && heap.block(a).is_none());
        assert_ne!(heap.allocate(10, 1), a, "it rests");
        let large = heap.allocate(1 << 20, 1);
        assert_eq!(heap.check(large + (1 << 20) - 1, 1), Ok(()));
        assert_eq!(heap.check(large + (1 << 20), 1), Err(Wrong::OutOfBounds));
        for power in 5..20 {
            assert_eq!(heap.allocate(24, 1 << power) % (1 << power), 0);
        }
        heap.reuses = true;
        heap.free(b);
        assert_eq!(heap.allocate(12, 1), b);
        heap.free(large);
        assert_eq!(heap.allocate(1 << 20, 1), large);
    }

    extern crate alloc;

    fn boxed() -> Box<Heap> {
        let layout = alloc::alloc::Layout::new::<Heap>();
        // SAFETY: all zeros is an empty heap.
        unsafe { Box::from_raw(alloc::alloc::alloc_zeroed(layout).cast()) }
    }
}
