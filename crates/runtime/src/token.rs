//! The token: only the thread that has it runs; all others sleep.
//!
//! Everything that the runtime knows is in one [`Runtime`], which only the thread with the token
//! touches. So there is no lock in here. A thread gives the token to the one that the scheduler
//! names and sleeps until it gets it back.

use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

use unravel_wire::control::Mutant;
use unravel_wire::record::Ending;
use unravel_wire::{Control, Kind, Record, Segment};

use crate::heap::Heap;
use crate::objects::Objects;
use crate::scheduler::{Next, Scheduler};
use crate::thread::{GivesWay, Id, On, Status, Thread, Wait};
use crate::{ring, sys};

/// What the runtime knows.
#[derive(Debug)]
pub struct Runtime {
    /// The threads, and who goes on.
    pub scheduler: Scheduler,
    /// Locks and their kind.
    pub objects: Objects,
    /// The program's heap.
    pub heap: Heap,
    /// Where records go.
    pub ring: ring::Ring,
    /// Decisions of the schedule other than who goes on.
    pub choices: &'static [unravel_wire::Choice],
    /// Events after which the run ends.
    pub limit: u64,
    /// Undefined operations on locks end the run.
    pub strict: bool,
    /// The kernel's number of a thread that has ended and may not be gone yet; 0 for none.
    pub leaving: u32,
    /// How it is broken, where tests are tested: see [`is_broken`].
    #[cfg(feature = "mutants")]
    mutant: u32,
}

/// Where it lies: in fresh memory, since it is too large for the program's file.
static GLOBAL: AtomicPtr<Runtime> = AtomicPtr::new(core::ptr::null_mut());

/// Whether the program runs under control: 1 from the start to the end of a controlled run.
pub static ACTIVE: AtomicU32 = AtomicU32::new(0);

/// Whether the program runs under control, and this thread is one of those that do.
#[must_use]
pub fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed) != 0
}

/// What the runtime knows.
///
/// The caller has the token, and holds no other reference of this kind while it calls something that
/// may come here, too.
#[must_use]
#[allow(clippy::mut_from_ref, reason = "the token stands for the borrow")]
pub fn runtime() -> &'static mut Runtime {
    // SAFETY: it was made before anything became active; the token is with the calling thread, and
    // references do not live across calls of the scheduler.
    unsafe { &mut *GLOBAL.load(Ordering::Relaxed) }
}

/// Takes the recorder's wishes. Called once, before anything else runs. Returns whether there is
/// memory for it.
///
/// # Safety
/// The control block stands at the beginning of the memory, and describes it.
pub unsafe fn configure(control: &'static Control, memory: *mut u8) -> bool {
    let place: *mut Runtime = sys::map(size_of::<Runtime>()).cast();
    if place.is_null() {
        return false;
    }
    // SAFETY: the memory is fresh and large enough. Zeros are a valid value of all fields but those
    // that are written here.
    unsafe {
        (&raw mut (*place).choices).write(&[]);
        (&raw mut (*place).ring).write(ring::Ring::new());
    }
    GLOBAL.store(place, Ordering::Relaxed);
    let runtime = runtime();
    // SAFETY: the recorder put the parts there, within the memory; see `unravel_wire::control`.
    let segments = unsafe {
        let at = memory.add(control.segments_at as usize).cast::<Segment>();
        core::slice::from_raw_parts(at, control.segments as usize)
    };
    // SAFETY: likewise.
    runtime.choices = unsafe {
        let at = memory.add(control.choices_at as usize).cast();
        core::slice::from_raw_parts(at, control.choices as usize)
    };
    // SAFETY: likewise.
    runtime.ring = unsafe { ring::Ring::of(control, memory) };
    runtime.limit = if control.limit == 0 { u64::MAX } else { control.limit };
    runtime.strict = control.strict != 0;
    #[cfg(feature = "mutants")]
    {
        runtime.mutant = control.mutant;
    }
    runtime.heap.reuses = control.reuse != 0;
    runtime.scheduler.configure(control, segments);
    true
}

/// Whether the runtime is broken in this way.
#[cfg(feature = "mutants")]
#[must_use]
pub fn is_broken(mutant: Mutant) -> bool {
    runtime().mutant == mutant as u32 + 1
}

/// Whether the runtime is broken in this way: never, but where tests are tested.
#[cfg(not(feature = "mutants"))]
#[must_use]
#[inline(always)]
pub fn is_broken(_mutant: Mutant) -> bool {
    false
}

/// The calling thread. Only threads that run under control ask.
pub fn me() -> Id {
    crate::local::current()
}

/// The calling thread's data.
#[must_use]
pub fn my_thread() -> &'static mut Thread {
    runtime().scheduler.thread(me())
}

/// The place of the call that the thread makes.
#[must_use]
pub fn call_site() -> u64 {
    my_thread().call_site
}

/// Writes a record of the calling thread.
pub fn record(record: Record) {
    let runtime = runtime();
    runtime.ring.push(record);
    if runtime.ring.pushed >= runtime.limit {
        runtime.limit = u64::MAX;
        finish(event(Kind::Ending, record.site).numbered(Ending::Limit as u32));
    }
}

/// A record of the calling thread, at a place.
#[must_use]
pub fn event(kind: Kind, site: u64) -> Record {
    Record::new(kind, me(), site)
}

/// A scheduling point: the calling thread stands before an event.
pub fn point(site: u64, address: usize, writes: bool) {
    let me = me();
    if BACK.load(Ordering::Relaxed) != 0 {
        welcome(me);
    }
    match core::mem::replace(&mut my_thread().gives_way, GivesWay::No) {
        GivesWay::No => {}
        GivesWay::Asked => give_way(site),
        GivesWay::Polls => spinning(site),
    }
    let next = runtime().scheduler.at_point(me, site, address, writes);
    if next != Next::Thread(me) {
        stand(me, next, site);
    }
}

/// Gives the token away before an event: where that is belongs to the schedule, even if the run ends
/// before the thread comes back.
fn stand(me: Id, next: Next, site: u64) {
    record(event(Kind::Stands, site));
    give(me, next, site);
}

/// The calling thread reads the same again and again: others go first.
fn spinning(site: u64) {
    let me = me();
    let scheduler = &mut runtime().scheduler;
    // Looked at first: of two that poll, each would let the other go first for ever.
    if scheduler.makes_no_progress() {
        stuck(Ending::NoProgress);
    }
    let next = scheduler.spinning(me);
    if next != me {
        stand(me, Next::Thread(next), site);
    }
}

/// Lets others go first, as `sched_yield` asks for.
fn give_way(site: u64) {
    let me = me();
    let next = runtime().scheduler.spinning(me);
    if next != me {
        stand(me, Next::Thread(next), site);
    }
}

/// The calling thread waits until somebody lets it look again, or its time is over.
pub fn wait(on: On, until: Option<u64>, site: u64) {
    let me = me();
    let runtime = runtime();
    let arrival = runtime.scheduler.events;
    let thread = runtime.scheduler.thread(me);
    thread.status = Status::Waiting(Wait { on, until });
    if thread.queued_at == 0 {
        thread.arrival = arrival;
    }
    let next = runtime.scheduler.without(me);
    give(me, next, site);
}

/// Gives the token away and sleeps until it comes back.
fn give(me: Id, next: Next, site: u64) {
    hand_over(next, site);
    if next != Next::Thread(me) {
        sleep(me);
    }
}

/// Gives the token to the next thread, which may be the caller itself.
pub fn hand_over(next: Next, site: u64) {
    match next {
        Next::Thread(next) if next == me() => {}
        Next::Thread(next) => pass(next),
        Next::Outside => lay_down(),
        Next::Nobody if runtime().scheduler.makes_no_progress() && somebody_spins() => {
            stuck(Ending::NoProgress);
        }
        Next::Nobody => stuck(Ending::Deadlock),
        Next::Diverged(wanted) => diverged(wanted, site),
    }
}

fn somebody_spins() -> bool {
    let scheduler = &runtime().scheduler;
    scheduler.threads[..scheduler.count].iter().any(Thread::is_ready)
}

/// The thread that the schedule wants cannot go on. The run goes on without the schedule.
fn diverged(wanted: Id, site: u64) {
    let runtime = runtime();
    let awaited = runtime.scheduler.awaited();
    let diverged = event(Kind::Diverged, site).numbered(u32::from(wanted)).with(awaited, site);
    runtime.ring.push(diverged);
    runtime.scheduler.abandon();
    let me = me();
    let next = runtime.scheduler.without(me);
    hand_over(next, site);
}

fn pass(next: Id) {
    let turn = &runtime().scheduler.thread(next).turn;
    turn.store(1, Ordering::Release);
    sys::futex_wake(turn);
}

/// Sleeps until it is this thread's turn.
pub fn sleep(me: Id) {
    // SAFETY: the word is an atomic in a table that is never moved; the thread has not the token,
    // and touches nothing else.
    let turn = unsafe {
        let threads = &raw const (*GLOBAL.load(Ordering::Relaxed)).scheduler.threads;
        &(*threads.cast::<Thread>().add(usize::from(me))).turn
    };
    while turn.swap(0, Ordering::Acquire) == 0 {
        sys::futex_wait(turn, 0, 0);
    }
    see_off();
}

/// Waits until the thread that has ended is gone for the kernel, too: what it still does there (it may be
/// the last one, which ends the process) would else happen at any time.
fn see_off() {
    /// Between two looks: a thread is gone in some ten microseconds.
    const MOMENT: u64 = 10_000;
    let leaving = core::mem::take(&mut runtime().leaving);
    let never = AtomicU32::new(0);
    while leaving != 0 && !sys::is_gone(leaving) {
        sys::futex_wait(&never, 0, MOMENT);
    }
}

/// Whether the token lies about: everybody waits for something outside.
static OUTSIDE: AtomicU32 = AtomicU32::new(TAKEN);
const TAKEN: u32 = 0;
const FREE: u32 = 1;
/// Threads that have come back and want the token.
static BACK: AtomicU64 = AtomicU64::new(0);

/// Runs something that may last, without the token.
pub fn outside<T>(site: u64, call: impl FnOnce() -> T) -> T {
    let me = me();
    let scheduler = &mut runtime().scheduler;
    scheduler.thread(me).status = Status::Outside;
    let next = scheduler.without(me);
    hand_over(next, site);
    let result = call();
    come_back(me, site);
    result
}

/// A thread comes back from outside: it takes the token if it lies about, else it waits until one
/// who has it sees it.
fn come_back(me: Id, site: u64) {
    BACK.fetch_add(1, Ordering::AcqRel);
    loop {
        if OUTSIDE.compare_exchange(FREE, TAKEN, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
            break;
        }
        // The one that runs looks at `BACK` at its next event, and lets the token lie about.
        sys::futex_wait(&OUTSIDE, TAKEN, 1_000_000);
    }
    BACK.fetch_sub(1, Ordering::AcqRel);
    let runtime = runtime();
    runtime.scheduler.thread(me).status = Status::Ready;
    runtime.scheduler.changed();
    let next = runtime.scheduler.returned(me);
    give(me, next, site);
}

/// Leaves the token to the first that comes back.
fn lay_down() {
    OUTSIDE.store(FREE, Ordering::Release);
    sys::futex_wake(&OUTSIDE);
}

/// Lets those have the token who have come back from outside.
fn welcome(me: Id) {
    lay_down();
    sleep(me);
}

/// Nobody can go on: says who waits for what, and ends the process.
fn stuck(ending: Ending) -> ! {
    let runtime = runtime();
    let (scheduler, objects) = (&runtime.scheduler, &runtime.objects);
    for thread in &scheduler.threads[..scheduler.count] {
        let waits = Record::new(Kind::Waits, thread.id, thread.call_site);
        let waits = match thread.status {
            Status::Waiting(Wait { on: On::Object { op, object, mutex }, .. }) => {
                let at = if thread.released && mutex != 0 { mutex } else { object };
                let holder = objects.get(at).and_then(|it| it.holder()).map_or(0, |it| it + 1);
                waits.numbered(op as u32).with(at as u64, u64::from(holder))
            }
            Status::Waiting(Wait { on: On::Thread(id), .. }) => {
                waits.numbered(u32::MAX).with(0, u64::from(id) + 1)
            }
            Status::Waiting(Wait { on: On::Guard(guard), .. }) => {
                waits.numbered(u32::MAX - 1).with(guard as u64, 0)
            }
            Status::Ready => waits.numbered(u32::MAX - 2),
            _ => continue,
        };
        runtime.ring.push(waits);
    }
    // Who found out is of no importance, and may be another thread when the run is repeated.
    finish(Record::new(Kind::Ending, 0, 0).numbered(ending as u32))
}

/// Ends the process with a last record.
pub fn finish(last: Record) -> ! {
    /// What the recorder takes for an end that the runtime has decided.
    const CODE: i32 = 86;
    end_with(last);
    sys::exit_now(CODE)
}

/// Where a debugger stops: the run is over, and all threads stand where it ended.
#[cfg_attr(feature = "exports", unsafe(no_mangle))]
#[inline(never)]
pub extern "C" fn __unravel_ended() {
    // SAFETY: does nothing; it keeps the call.
    unsafe { core::arch::asm!("", options(nostack, nomem, preserves_flags)) };
}

/// Writes the last record: nothing comes after it.
pub fn end_with(last: Record) {
    let runtime = runtime();
    runtime.ring.push(last);
    runtime.ring.close(&runtime.scheduler);
    __unravel_ended();
    ACTIVE.store(0, Ordering::Relaxed);
}
