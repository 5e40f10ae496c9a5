//! What `unravel cc` calls before and after the instructions of the program.
//!
//! Each hook is a scheduling point first, then the record of its event. The access itself follows in
//! the program, while its thread still has the token. So the value that a read will see is the one
//! that is there now.

use unravel_wire::control::Mutant;
use unravel_wire::record::{Ending, SAME_STEP};
use unravel_wire::{Kind, Record};

use crate::heap::{self, Wrong};
use crate::thread::GivesWay;
use crate::{local, token};

/// Whether hooks of the calling thread count.
#[inline]
fn counts() -> bool {
    token::is_active() && local::is_somebody()
}

/// What a sized access reads or writes.
trait Word: Copy {
    const SIZE: usize;
    fn bits(self) -> u64;
}

macro_rules! words {
    ($($ty:ty),*) => {
        $(impl Word for $ty {
            const SIZE: usize = size_of::<$ty>();
            fn bits(self) -> u64 {
                u64::from(self)
            }
        })*
    };
}

words!(u8, u16, u32, u64);

/// Ends the run if an access goes where nothing is.
#[inline]
fn check(site: u64, address: usize, bytes: usize) {
    if heap::contains(address)
        && let Err(wrong) = token::runtime().heap.check(address, bytes)
    {
        wrong_access(site, address, bytes, wrong);
    }
}

/// The same for what we access for the program: its own code, which a sanitizer has checks in, does not.
#[inline]
fn check_ours(site: u64, to: usize, from: Option<usize>, bytes: usize) {
    check_plain(to, from, bytes);
    from.into_iter().for_each(|from| check(site, from, bytes));
    check(site, to, bytes);
}

#[cold]
fn wrong_access(site: u64, address: usize, bytes: usize, wrong: Wrong) -> ! {
    let ending = match wrong {
        Wrong::OutOfBounds => Ending::OutOfBounds,
        Wrong::Freed => Ending::UseAfterFree,
    };
    let record = token::event(Kind::Ending, site).numbered(ending as u32);
    token::finish(record.with(address as u64, bytes as u64))
}

#[inline]
fn read<W: Word>(site: u64, address: *const W) {
    if !counts() {
        return;
    }
    // SAFETY: the program reads there next; if it may not, it would crash as well.
    let look = || unsafe { address.read_unaligned() }.bits();
    let early = if token::is_broken(Mutant::ReadTooEarly) { Some(look()) } else { None };
    token::point(site, address as usize, false);
    if token::is_broken(Mutant::ReadTooLate) {
        token::point(site, 0, false);
    }
    check(site, address as usize, W::SIZE);
    let value = early.unwrap_or_else(look);
    note_read(Kind::Read, site, address as usize, W::SIZE, value);
}

#[inline]
fn note_read(kind: Kind, site: u64, address: usize, bytes: usize, value: u64) {
    let record = token::event(kind, site).sized(bytes as u64).with(address as u64, value);
    token::record(record);
    let changes = token::runtime().scheduler.changes;
    polls_if(token::my_thread().spin.read(site, address, value, changes));
}

/// The thread has done something that changes nothing, except that time goes by: a lock was tried that
/// another thread holds, or it slept. Who does only that polls.
pub fn changed_nothing(site: u64, object: usize, code: u64) {
    token::my_thread().result_is_known = true;
    let changes = token::runtime().scheduler.changes;
    polls_if(token::my_thread().spin.read(site, object, code, changes));
}

/// The thread lets others go first at its next event, since it seems to poll.
fn polls_if(polls: bool) {
    if polls {
        local::watch(true);
        token::my_thread().gives_way = GivesWay::Polls;
    }
}

#[inline]
fn write<W: Word>(site: u64, address: *const W, value: u64) {
    if !counts() {
        return;
    }
    let record = || {
        let record = token::event(Kind::Write, site).sized(W::SIZE as u64);
        token::record(record.with(address as u64, value));
    };
    let is_early = token::is_broken(Mutant::WriteTooEarly);
    if is_early {
        record();
    }
    token::point(site, address as usize, true);
    check(site, address as usize, W::SIZE);
    if !is_early {
        record();
    }
    // SAFETY: the program writes there next; if it may not, it would crash as well.
    if unsafe { address.read_unaligned() }.bits() != value {
        token::runtime().scheduler.changed();
    }
    token::runtime().objects.forget(address as usize, address as usize + W::SIZE);
}

/// Memory gets another content: who polls looks again, and a lock that stood there is a new one.
#[inline]
fn wrote(address: usize, bytes: usize) {
    let runtime = token::runtime();
    runtime.objects.forget(address, address + bytes);
    runtime.scheduler.changed();
}

/// A hook that looks at the thread's state first, if it seems to poll: see `observe`.
#[cfg(feature = "exports")]
macro_rules! watched {
    ($name:ident => $then:path, $doc:literal) => {
        #[doc = $doc]
        #[cfg(feature = "exports")]
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            core::arch::naked_asm!(
                "cmp qword ptr fs:[unravel_watch@TPOFF], 0",
                "jne 2f",
                "jmp {then}",
                "2:",
                // What a called function must leave alone, and our arguments.
                "push rbx", "push rbp", "push r12", "push r13", "push r14", "push r15",
                "push rdi", "push rsi", "push rdx",
                "mov rsi, rsp",
                "call {observe}",
                "pop rdx", "pop rsi", "pop rdi",
                "pop r15", "pop r14", "pop r13", "pop r12", "pop rbp", "pop rbx",
                "jmp {then}",
                then = sym $then,
                observe = sym observe,
            )
        }
    };
}

/// The thread seems to poll, and is at an event again: is it in the same state as the last time? The
/// words are the hook's arguments, the registers that calls leave alone, the return address, and then
/// the stack of the program.
#[cfg(feature = "exports")]
extern "C" fn observe(site: u64, words: *const u64) {
    const ARGUMENTS: usize = 3;
    let thread = token::my_thread();
    if !thread.spin.wants_proof(site) {
        if !thread.spin.polls() {
            local::watch(false);
        }
        return;
    }
    let top = thread.stack as *const u64;
    let mut state = 0xcbf2_9ce4_8422_2325_u64;
    // SAFETY: from here up to where the thread began lies its stack.
    unsafe {
        let mut at = words.add(ARGUMENTS);
        while at < top {
            state = (state ^ at.read()).wrapping_mul(0x0100_0000_01b3).rotate_left(23);
            at = at.add(1);
        }
    }
    thread.spin.observe(state);
}

macro_rules! accesses {
    ($($read:ident => $plain:ident, $write:ident: $ty:ty;)*) => {
        $(
            #[cfg(feature = "exports")]
            watched!($read => $plain, "Before a read of this size.");

            /// The same without the look at the thread's state.
            pub extern "C" fn $plain(site: u64, address: *const $ty) {
                read(site, address);
            }

            /// Before a write of this size.
            #[cfg_attr(feature = "exports", unsafe(no_mangle))]
            pub extern "C" fn $write(site: u64, address: *const $ty, value: u64) {
                write(site, address, value);
            }
        )*
    };
}

accesses! {
    __unravel_read1 => read1, __unravel_write1: u8;
    __unravel_read2 => read2, __unravel_write2: u16;
    __unravel_read4 => read4, __unravel_write4: u32;
    __unravel_read8 => read8, __unravel_write8: u64;
}

/// Before a read of another size.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_read_n(site: u64, address: usize, bytes: usize) {
    if !counts() {
        return;
    }
    token::point(site, address, false);
    check(site, address, bytes);
    parts(Kind::Read, site, address, bytes, 0);
}

/// Before a write of another size.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_write_n(site: u64, address: usize, bytes: usize) {
    if !counts() {
        return;
    }
    token::point(site, address, true);
    check(site, address, bytes);
}

/// After a write of another size.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_wrote_n(site: u64, address: usize, bytes: usize) {
    if !counts() {
        return;
    }
    parts(Kind::Write, site, address, bytes, 0);
    wrote(address, bytes);
}

/// Ranges up to this size are recorded with their values, in words.
const MOST_VALUES: usize = 256;

/// Records what is in a piece of memory: as words, or, if it is large, as a range without values.
/// `first` is the number of the first of them.
fn parts(kind: Kind, site: u64, address: usize, bytes: usize, first: u32) {
    if bytes > MOST_VALUES {
        let kind = if kind == Kind::Read { Kind::ReadRange } else { Kind::WriteRange };
        let record = token::event(kind, site).numbered(first);
        return token::record(record.with(address as u64, bytes as u64));
    }
    let mut done = 0;
    let mut part = first;
    while done < bytes {
        let size = word_at(address + done, bytes - done);
        // SAFETY: the program accesses this memory.
        let value = unsafe { peek(address + done, size) };
        let record = token::event(kind, site).sized(size as u64).numbered(part);
        token::record(record.with((address + done) as u64, value));
        done += size;
        part = (part + 1) | SAME_STEP;
    }
}

/// The largest aligned word that begins at an address and is not longer than this.
fn word_at(address: usize, most: usize) -> usize {
    [8, 4, 2].into_iter().find(|&size| size <= most && address.is_multiple_of(size)).unwrap_or(1)
}

/// A word of this size.
///
/// # Safety
/// The memory can be read.
unsafe fn peek(address: usize, size: usize) -> u64 {
    // SAFETY: as the caller says.
    unsafe {
        match size {
            8 => (address as *const u64).read_unaligned(),
            4 => (address as *const u32).read_unaligned().into(),
            2 => (address as *const u16).read_unaligned().into(),
            _ => (address as *const u8).read_unaligned().into(),
        }
    }
}

#[cfg(feature = "exports")]
watched!(__unravel_atomic => atomic, "Before an atomic access.");
#[cfg(feature = "exports")]
watched!(__unravel_call => call, "Before a call that may leave code with hooks.");

/// The hook before an atomic access.
pub extern "C" fn atomic(site: u64, address: usize, bytes: usize) {
    if !counts() {
        return;
    }
    token::point(site, address, true);
    check(site, address, bytes);
}

/// After an atomic access: what it was, and the old value.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_atomic_done(
    site: u64,
    address: usize,
    what: u64,
    old: u64,
    extra: u64,
) {
    const LOAD: u64 = 0;
    const STORE: u64 = 1;
    const EXCHANGE: u64 = 3;
    if !counts() {
        return;
    }
    let (bytes, kind) = ((what & 0xff) as usize, what >> 8);
    // SAFETY: the program has just accessed this memory.
    let now = unsafe { peek(address, bytes.min(8)) };
    match kind {
        LOAD => note_read(Kind::AtomicRead, site, address, bytes, old),
        EXCHANGE if extra == 0 => note_read(Kind::FailedUpdate, site, address, bytes, old),
        STORE => {
            let record = token::event(Kind::AtomicWrite, site).sized(bytes as u64);
            token::record(record.with(address as u64, old));
            token::runtime().scheduler.changed();
        }
        _ if old == now => {
            note_update(site, address, bytes, old, now);
            let changes = token::runtime().scheduler.changes;
            polls_if(token::my_thread().spin.read(site, address, old, changes));
        }
        _ => {
            note_update(site, address, bytes, old, now);
            token::runtime().scheduler.changed();
        }
    }
}

fn note_update(site: u64, address: usize, bytes: usize, old: u64, new: u64) {
    let record = |kind| token::event(kind, site).sized(bytes as u64);
    token::record(record(Kind::Update).with(address as u64, old));
    token::record(record(Kind::New).with(address as u64, new));
}

/// Before a call that leaves code with hooks: what it does is one step of its caller.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_outside(site: u64) {
    if counts() {
        token::my_thread().call_site = site;
        token::point(site, 0, true);
        token::record(token::event(Kind::Outside, site));
        token::runtime().scheduler.changed();
    }
}

/// Before a fence.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_fence(site: u64) {
    if counts() {
        token::point(site, 0, false);
        token::record(token::event(Kind::Fence, site));
    }
}

/// Copies memory, in steps of the given unit: others may come in between.
fn copy(site: u64, to: usize, from: usize, bytes: usize, unit: usize, backwards: bool) {
    /// Longer copies are one step.
    const MOST_STEPS: usize = 64;
    let unit = unit.clamp(1, 8);
    if bytes == 0 {
        return;
    }
    if bytes / unit > MOST_STEPS {
        token::point(site, to, true);
        check_ours(site, to, Some(from), bytes);
        parts(Kind::Read, site, from, bytes, 0);
        // SAFETY: the program asks for it.
        unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) };
        parts(Kind::Write, site, to, bytes, SAME_STEP);
        wrote(to, bytes);
        return;
    }
    let steps = bytes.div_ceil(unit);
    for step in 0..steps {
        let at = if backwards { steps - 1 - step } else { step } * unit;
        let size = unit.min(bytes - at);
        copy_step(site, to + at, from + at, size, step as u32);
    }
}

fn copy_step(site: u64, to: usize, from: usize, size: usize, part: u32) {
    token::point(site, to, true);
    check_ours(site, to, Some(from), size);
    let mut word = [0_u8; 8];
    // SAFETY: the program asks for it.
    unsafe { core::ptr::copy_nonoverlapping(from as *const u8, word.as_mut_ptr(), size) };
    let value = u64::from_le_bytes(word);
    let record = |kind, number| token::event(kind, site).sized(size as u64).numbered(number);
    token::record(record(Kind::Read, part).with(from as u64, value));
    token::record(record(Kind::Write, part | SAME_STEP).with(to as u64, value));
    // SAFETY: likewise.
    unsafe { core::ptr::copy_nonoverlapping(word.as_ptr(), to as *mut u8, size) };
    wrote(to, size);
}

/// What a sanitizer says of an access outside of a controlled run.
#[inline]
fn check_plain(to: usize, from: Option<usize>, bytes: usize) {
    #[cfg(feature = "exports")]
    if bytes > 0 {
        from.into_iter().for_each(|from| crate::sanitizer::reads(from, bytes));
        crate::sanitizer::writes(to, bytes);
    }
    #[cfg(not(feature = "exports"))]
    let _ = (to, from, bytes);
}

/// Instead of `memcpy`.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_memcpy(site: u64, to: usize, from: usize, bytes: usize, unit: usize) {
    if counts() {
        return copy(site, to, from, bytes, unit, false);
    }
    check_plain(to, Some(from), bytes);
    // SAFETY: the program asks for it.
    unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

/// Instead of `memmove`.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_memmove(site: u64, to: usize, from: usize, bytes: usize, unit: usize) {
    if counts() {
        let backwards = (from..from + bytes).contains(&to);
        return copy(site, to, from, bytes, unit, backwards);
    }
    check_plain(to, Some(from), bytes);
    // SAFETY: the program asks for it.
    unsafe { core::ptr::copy(from as *const u8, to as *mut u8, bytes) };
}

/// Instead of `memset`.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_memset(site: u64, to: usize, byte: u64, bytes: usize, unit: usize) {
    if !counts() {
        check_plain(to, None, bytes);
        // SAFETY: the program asks for it.
        return unsafe { core::ptr::write_bytes(to as *mut u8, byte as u8, bytes) };
    }
    /// Longer ones are one step.
    const MOST_STEPS: usize = 64;
    let unit = if bytes / unit.clamp(1, 8) > MOST_STEPS { bytes } else { unit.clamp(1, 8) };
    let mut at = 0;
    while at < bytes {
        let size = unit.min(bytes - at);
        token::point(site, to + at, true);
        check_ours(site, to + at, None, size);
        // SAFETY: the program asks for it.
        unsafe { core::ptr::write_bytes((to + at) as *mut u8, byte as u8, size) };
        parts(Kind::Write, site, to + at, size, 0);
        wrote(to + at, size);
        at += size;
    }
}

/// The hook before a call that may leave code with hooks.
pub extern "C" fn call(site: u64) {
    if counts() {
        token::my_thread().call_site = site;
        token::my_thread().result_is_known = false;
    }
}

/// After such a call: what it returned.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_result(site: u64, value: u64) {
    note_if(Kind::Result, site, value, 0);
    if counts() && !core::mem::take(&mut token::my_thread().result_is_known) {
        // What comes from outside may be another thing the next time: it is worth asking again.
        token::runtime().scheduler.changed();
    }
}

/// What an instruction computed that the analysis cannot.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_value(site: u64, low: u64, high: u64) {
    note_if(Kind::Value, site, low, high);
}

/// A local variable begins that others may reach.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_local(site: u64, address: usize, bytes: usize) {
    if counts() {
        token::runtime().objects.forget(address, address + bytes);
    }
    note_if(Kind::Local, site, address as u64, bytes as u64);
}

/// A function returns that has such variables.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
pub extern "C" fn __unravel_leave(site: u64) {
    if counts() {
        // Who still has the address of one finds it gone from here on.
        token::point(site, 0, true);
    }
    note_if(Kind::Leave, site, 0, 0);
}

/// Records something that is no scheduling point.
fn note_if(kind: Kind, site: u64, a: u64, b: u64) {
    if counts() {
        let record: Record = token::event(kind, site).with(a, b);
        token::record(record);
    }
}
