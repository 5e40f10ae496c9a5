//! Threads: creation, end, join, sleep.
//!
//! The parent gives a new thread its number, so that numbers repeat. The thread waits for its turn
//! before it does anything. It has ended when the destructors of its data have run: a key of ours is
//! the last to be destroyed.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};

use unravel_sync::codes;
use unravel_wire::control::Mutant;
use unravel_wire::record::{END, Ending};
use unravel_wire::{Kind, Record};

use crate::posix::counts;
use crate::scheduler::Next;
use crate::thread::{GivesWay, Id, On, Status, Thread};
use crate::{local, real, sys, token};

/// The key whose destructor is the end of a thread; 0 before it is made.
static KEY: AtomicU32 = AtomicU32::new(0);

/// Makes the key. It is the last of those for which the C library has room in each thread; the numbers
/// before it are left to the program, which gets the same ones as without us.
pub fn make_key() {
    const ROOM: usize = 32;
    let mut keys = [0_u32; ROOM];
    for key in &mut keys {
        // SAFETY: the real function, with addresses of ours.
        unsafe {
            real!("pthread_key_create" (&raw mut *key => *mut u32, ended as *const () => *const ()) -> i32);
        }
    }
    for &key in &keys[..ROOM - 1] {
        // SAFETY: the real function, with a key of ours.
        unsafe { real!("pthread_key_delete" (key => u32) -> i32) };
    }
    KEY.store(keys[ROOM - 1] + 1, Ordering::Relaxed);
}

/// Asks for the end of the calling thread to be told.
fn ask_for_end(value: usize) {
    let key = KEY.load(Ordering::Relaxed).wrapping_sub(1);
    // SAFETY: the real function, with a key of ours.
    unsafe { real!("pthread_setspecific" (key => u32, value => usize) -> i32) };
}

/// The main thread is under control from here on.
pub fn adopt_main() {
    let scheduler = &mut token::runtime().scheduler;
    let Some(id) = scheduler.add() else { return };
    // SAFETY: the real function.
    scheduler.thread(id).handle = unsafe { real!("pthread_self" () -> usize) };
    local::become_thread(id);
    ask_for_end(1);
}

unsafe extern "C" {
    /// The linker's: the first byte of the executable in memory.
    static __ehdr_start: u8;
    /// The linker's: the first byte behind the executable.
    static _end: u8;
}

/// Whether an address lies in the executable or the program's heap, and not in a library.
pub fn is_of_program(address: usize) -> bool {
    let (begin, end) = (&raw const __ehdr_start as usize, &raw const _end as usize);
    (begin..end).contains(&address) || crate::heap::contains(address)
}

/// The first records of all.
pub fn main_started() {
    let base = &raw const __ehdr_start;
    token::record(token::event(Kind::Module, 0).with(base as u64, 0));
    started();
}

fn started() {
    let here = 0_u64;
    token::my_thread().stack = &raw const here as usize;
    let record = token::event(Kind::Start, 0);
    token::record(record.with(local::pointer(), (&raw const here) as u64));
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_create(
    handle: *mut usize,
    attributes: usize,
    start: usize,
    argument: usize,
) -> i32 {
    if counts() {
        return create(handle, attributes, start, argument, false);
    }
    // SAFETY: the caller's own call, passed on; so in all functions below.
    unsafe {
        real!("pthread_create" (handle => *mut usize, attributes => usize, start => usize, argument => usize) -> i32)
    }
}

/// Creates a thread.
pub fn create(
    handle: *mut usize,
    attributes: usize,
    start: usize,
    argument: usize,
    returns_int: bool,
) -> i32 {
    let site = token::call_site();
    token::point(site, 0, true);
    let Some(id) = token::runtime().scheduler.add() else {
        sys::complain(b"unravel: the program creates more threads than the runtime can know\n");
        let record = token::event(Kind::Ending, site).numbered(Ending::Limit as u32);
        token::finish(record.with(2, 0));
    };
    let thread = token::runtime().scheduler.thread(id);
    (thread.start, thread.argument, thread.returns_int) = (start, argument, returns_int);
    thread.detached = is_detached(attributes);
    let mut real_handle = 0_usize;
    // SAFETY: the real function, with addresses of ours and the program's attributes.
    let code = unsafe {
        real!("pthread_create" (&raw mut real_handle => *mut usize, attributes => usize,
            begin as *const () => *const (), usize::from(id) => usize) -> i32)
    };
    if code != 0 {
        token::runtime().scheduler.thread(id).status = Status::Ended;
        return code;
    }
    token::runtime().scheduler.thread(id).handle = real_handle;
    token::runtime().scheduler.changed();
    token::record(token::event(Kind::Create, site).with(id.into(), start as u64));
    // The new thread may run before its handle is stored.
    token::point(site, handle as usize, true);
    // SAFETY: the program passes the address of a handle.
    unsafe { handle.write_unaligned(real_handle) };
    let stored = token::event(Kind::Write, site).sized(8).numbered(1);
    token::record(stored.with(handle as u64, real_handle as u64));
    token::runtime().scheduler.changed();
    0
}

fn is_detached(attributes: usize) -> bool {
    let mut state = 0_i32;
    if attributes != 0 {
        // SAFETY: the real function, with the program's attributes.
        unsafe {
            real!("pthread_attr_getdetachstate" (attributes => usize, &raw mut state => *mut i32) -> i32)
        };
    }
    state as u32 == codes::CREATE_DETACHED
}

/// The first function of each new thread. It is gone when the program's own function runs: what
/// unwinds the stack then (`pthread_exit`, cancellation) does not come through code of ours.
#[unsafe(naked)]
extern "C" fn begin(id: usize) -> usize {
    core::arch::naked_asm!(
        "sub rsp, 8",
        "call {prepare}",
        "add rsp, 8",
        "mov rdi, rdx",
        "jmp rax",
        prepare = sym prepare,
    )
}

/// A start function and its argument, in two registers.
#[repr(C)]
struct Start {
    function: usize,
    argument: usize,
}

/// Waits for the thread's first turn. Returns what it is to run.
extern "C" fn prepare(id: usize) -> Start {
    let id = id as Id;
    token::sleep(id);
    local::become_thread(id);
    crate::ends::use_own_stack_for_signals();
    ask_for_end(1);
    started();
    let thread = token::my_thread();
    Start { function: thread.start, argument: thread.argument }
}

/// The destructor of our key: it asks to be called again until the program's own have had all the
/// rounds that they get, and is the end of the thread then.
extern "C" fn ended(round: *mut c_void) {
    if !counts() {
        return;
    }
    let round = round as usize;
    if round < usize::from(codes::DESTRUCTOR_ITERATIONS) {
        return ask_for_end(round + 1);
    }
    token::my_thread().call_site = END;
    token::point(END, 0, true);
    end();
}

/// The calling thread's last step.
fn end() {
    let me = token::me();
    token::record(token::event(Kind::End, END));
    let scheduler = &mut token::runtime().scheduler;
    scheduler.thread(me).status = Status::Ended;
    scheduler.changed();
    scheduler.wake_if(|wait| wait.on == On::Thread(me));
    let all_ended =
        scheduler.threads[..scheduler.count].iter().all(|it| it.status == Status::Ended);
    // The last thread to end ends the process: it keeps the token for what runs then.
    if all_ended {
        scheduler.thread(me).status = Status::Ready;
        return;
    }
    let next = scheduler.without(me);
    if let Next::Thread(next) = next
        && next == me
    {
        return;
    }
    token::runtime().leaving = sys::thread();
    // Nobody must take this thread for the one with the token any more.
    token::hand_over(next, END);
    local::become_nobody();
}

fn thread_of(handle: usize) -> Option<&'static mut Thread> {
    let scheduler = &mut token::runtime().scheduler;
    let count = scheduler.count;
    scheduler.threads[..count].iter_mut().rev().find(|it| it.handle == handle)
}

/// Waits for the end of a thread.
pub fn join(handle: usize, result: *mut usize, until: Option<u64>) -> i32 {
    let site = token::call_site();
    let Some(target) = thread_of(handle).map(|it| it.id) else {
        // SAFETY: as `pthread_create`: a thread that nobody knows is the C library's own matter.
        return unsafe { real!("pthread_join" (handle => usize, result => *mut usize) -> i32) };
    };
    token::point(site, 0, true);
    let waits = !token::is_broken(Mutant::JoinDoesNotWait);
    while waits && token::runtime().scheduler.thread(target).status != Status::Ended {
        let expired = core::mem::take(&mut token::my_thread().expired);
        if target == token::me() || expired {
            let code = if expired { codes::ETIMEDOUT } else { codes::EDEADLK };
            token::record(token::event(Kind::Join, site).with(target.into(), code as u64));
            return code;
        }
        token::wait(On::Thread(target), until, site);
    }
    token::my_thread().expired = false;
    let code = if waits {
        // It is over but for the kernel: this takes a moment only.
        // SAFETY: as above.
        unsafe { real!("pthread_join" (handle => usize, result => *mut usize) -> i32) }
    } else {
        0
    };
    token::runtime().scheduler.thread(target).handle = 0;
    token::record(token::event(Kind::Join, site).with(target.into(), code as u64));
    code
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_join(handle: usize, result: *mut usize) -> i32 {
    if counts() {
        return join(handle, result, None);
    }
    // SAFETY: see `pthread_create`.
    unsafe { real!("pthread_join" (handle => usize, result => *mut usize) -> i32) }
}

/// A call that is a step of its own, and of which nothing more is to be known.
pub fn step_of_call() {
    let site = token::call_site();
    token::point(site, 0, true);
    token::record(token::event(Kind::Outside, site));
}

/// The thread cannot be joined any more.
pub fn detached(handle: usize) {
    if let Some(thread) = thread_of(handle) {
        thread.detached = true;
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_detach(handle: usize) -> i32 {
    if counts() {
        step_of_call();
        detached(handle);
    }
    // SAFETY: see `pthread_create`.
    unsafe { real!("pthread_detach" (handle => usize) -> i32) }
}

/// Lets others go first.
pub fn give_way() {
    if !counts() {
        // SAFETY: see `pthread_create`.
        unsafe { real!("sched_yield" () -> i32) };
        return;
    }
    let site = token::call_site();
    token::point(site, 0, false);
    token::record(Record::new(Kind::Yield, token::me(), site));
    token::my_thread().result_is_known = true;
    token::my_thread().gives_way = GivesWay::Asked;
}

#[unsafe(no_mangle)]
extern "C" fn sched_yield() -> i32 {
    give_way();
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_yield() -> i32 {
    give_way();
    0
}

/// Whether a time to sleep is one. The real function says what is wrong with one that is none.
pub fn is_time([seconds, nanoseconds]: [i64; 2]) -> bool {
    seconds >= 0 && (0..codes::NANOSECONDS as i64).contains(&nanoseconds)
}

/// Sleeps in virtual time: it goes on when nobody else can.
pub fn sleep_for([seconds, nanoseconds]: [i64; 2]) {
    let site = token::call_site();
    token::point(site, 0, false);
    let length = (seconds.max(0) as u64).saturating_mul(codes::NANOSECONDS);
    let length = length.saturating_add(nanoseconds.max(0) as u64);
    let until = token::runtime().scheduler.now.saturating_add(length);
    while !core::mem::take(&mut token::my_thread().expired) {
        token::wait(On::Time, Some(until), site);
    }
    token::record(token::event(Kind::Yield, site).with(length, 0));
    crate::hooks::changed_nothing(site, 0, 0);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn nanosleep(time: *const [i64; 2], left: usize) -> i32 {
    // SAFETY: the program passes the address of a time.
    if counts() && is_time(unsafe { time.read_unaligned() }) {
        // SAFETY: likewise.
        sleep_for(unsafe { time.read_unaligned() });
        return 0;
    }
    // SAFETY: see `pthread_create`.
    unsafe { real!("nanosleep" (time => *const [i64; 2], left => usize) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_nanosleep(
    clock: i32,
    flags: i32,
    time: *const [i64; 2],
    left: usize,
) -> i32 {
    const ABSOLUTE: i32 = 1;
    // SAFETY: the program passes the address of a time.
    if counts() && is_time(unsafe { time.read_unaligned() }) {
        // SAFETY: likewise.
        let [seconds, nanoseconds] = unsafe { time.read_unaligned() };
        let past = if flags & ABSOLUTE != 0 { sys::clock(clock) as i64 } else { 0 };
        let nanoseconds = seconds.saturating_mul(1_000_000_000).saturating_add(nanoseconds) - past;
        sleep_for([0, nanoseconds]);
        return 0;
    }
    // SAFETY: see `pthread_create`.
    unsafe {
        real!("clock_nanosleep" (clock => i32, flags => i32, time => *const [i64; 2], left => usize) -> i32)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn usleep(microseconds: u32) -> i32 {
    if counts() {
        sleep_for([0, i64::from(microseconds) * 1000]);
        return 0;
    }
    // SAFETY: see `pthread_create`.
    unsafe { real!("usleep" (microseconds => u32) -> i32) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn sleep(seconds: u32) -> u32 {
    if counts() {
        sleep_for([seconds.into(), 0]);
        return 0;
    }
    // SAFETY: see `pthread_create`.
    unsafe { real!("sleep" (seconds => u32) -> u32) }
}
