//! Operations of the thread library: from a call to its result.
//!
//! [`perform`] goes through the table of `unravel_sync` case by case. Where an operation has to wait,
//! the thread gives the token away and looks again when something about the object has changed. Where
//! it may give up (a time, a spurious wakeup), it does so only if the scheduler says so, or the
//! schedule.

use unravel_sync::{Effect, MutexKind, SyncOp, Then, codes};
use unravel_wire::record::Ending;
use unravel_wire::{Kind, control};

use crate::objects::{Request, TooMany, unsignaled};
use crate::thread::{Id, On};
use crate::{sys, token};

/// An operation as it is called.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The operation.
    pub op: SyncOp,
    /// Its object.
    pub object: usize,
    /// The second argument: a mutex, a function, where a value goes.
    pub second: usize,
    /// The number that it is given.
    pub argument: u64,
    /// The time at which it gives up, by which clock.
    pub time: Option<(*const [i64; 2], i32)>,
    /// The kind that the object is initialized as.
    pub kind: MutexKind,
}

impl Call {
    /// An operation that has an object only.
    #[must_use]
    pub fn new(op: SyncOp, object: usize) -> Call {
        Call { op, object, second: 0, argument: 0, time: None, kind: MutexKind::Normal }
    }
}

/// Bits of a record's number above the operation: the error code, and whether the wait ended
/// without a signal.
const CODE_SHIFT: u32 = 16;
/// The wait ended without a signal, or its time was over.
pub const EXPIRED: u32 = 1 << 15;

/// Performs an operation. Returns its error code.
pub fn perform(call: &Call) -> i32 {
    let site = token::call_site();
    let mut op = call.op;
    loop {
        token::point(site, call.object, true);
        match complete(call, op, site) {
            Completed::Code(code) => {
                if code != 0 {
                    crate::hooks::changed_nothing(site, call.object, code as u64);
                }
                return code;
            }
            Completed::Then(next) => op = next,
        }
    }
}

/// An operation that the real function has refused already.
pub fn fails(call: &Call, code: i32) {
    let site = token::call_site();
    token::point(site, call.object, true);
    let number = call.op as u32 | (code as u32) << CODE_SHIFT;
    token::record(token::event(Kind::Sync, site).numbered(number).with(call.object as u64, 0));
}

/// What comes of one step of an operation.
enum Completed {
    Code(i32),
    Then(SyncOp),
}

/// One step of an operation, with the wait before it.
fn complete(call: &Call, op: SyncOp, site: u64) -> Completed {
    let (until, bad_time, bad_clock) = deadline(call);
    let mutex = if call.op.argument() == unravel_sync::Argument::Mutex { call.second } else { 0 };
    let me = token::me();
    let request = Request {
        op,
        me,
        object: call.object,
        mutex,
        argument: call.argument,
        bad_time,
        bad_clock,
        kind: call.kind,
    };
    loop {
        let then = decide(&request, site);
        let expired = core::mem::take(&mut token::my_thread().expired);
        let then = match then {
            Then::Misuse(misuse, otherwise) => {
                misused(&request, misuse, site);
                *otherwise
            }
            other => other,
        };
        let gives_up = gives_up(op, then);
        if matches!(then, Then::Block) || gives_up && !expired {
            let until = until.filter(|_| may_expire(op));
            token::wait(On::Object { op, object: call.object, mutex }, until, site);
            continue;
        }
        let mark = if gives_up { EXPIRED } else { 0 };
        return settle(call, &request, then, site, mark);
    }
}

/// Whether an operation that waits may give up by itself.
fn may_expire(op: SyncOp) -> bool {
    op.is_timed() || matches!(op, SyncOp::CondTimedWake | SyncOp::RwTimedWriteWake)
}

/// Whether the thread does this only if its time is over, or it is woken without a signal.
fn gives_up(op: SyncOp, then: Then) -> bool {
    match then {
        Then::Spurious(..) => true,
        Then::Choice(_) => op == SyncOp::CondTimedWake,
        Then::Enter(_, SyncOp::CondTimedOut) => true,
        Then::Return(_, code) => code == codes::ETIMEDOUT && op != SyncOp::CondTimedOut,
        _ => false,
    }
}

fn decide(request: &Request, site: u64) -> Then {
    let runtime = token::runtime();
    match runtime.objects.decide(&runtime.scheduler, request) {
        Ok(Then::Block) if token::is_broken(control::Mutant::LockDoesNotExclude) => {
            let taken = |it: &unravel_sync::Case| matches!(it.then, Then::Return(_, 0));
            let case = request.op.cases().iter().find(|it| taken(it));
            case.map_or(Then::Block, |it| it.then)
        }
        Ok(then) => then,
        Err(TooMany) => too_many(site),
    }
}

/// Carries out what was decided.
fn settle(call: &Call, request: &Request, then: Then, site: u64, mark: u32) -> Completed {
    match then {
        Then::Return(effects, code) | Then::Spurious(effects, code) => {
            note(request, Some(code), mark, site);
            apply(call, request, effects, site);
            Completed::Code(code)
        }
        // Of the ways to end a timed wait, the first is that its time is over.
        Then::Choice(ways) => settle(call, request, ways[0], site, mark),
        Then::Enter(effects, next) => {
            note(request, None, mark, site);
            apply(call, request, effects, site);
            Completed::Then(next)
        }
        Then::CallThenEnter(effects, next) => {
            note(request, None, mark, site);
            apply(call, request, effects, site);
            // SAFETY: the program passes the address of a function without arguments.
            let function: extern "C" fn() = unsafe { core::mem::transmute(call.second) };
            function();
            // What it called has left its own places.
            token::my_thread().call_site = site;
            Completed::Then(next)
        }
        Then::Block | Then::Misuse(..) => Completed::Code(codes::EINVAL),
    }
}

fn note(request: &Request, code: Option<i32>, mark: u32, site: u64) {
    let number = request.op as u32 | mark | (code.unwrap_or(0) as u32) << CODE_SHIFT;
    let record = token::event(Kind::Sync, site).numbered(number);
    token::record(record.with(request.object as u64, request.mutex as u64));
}

fn apply(call: &Call, request: &Request, effects: &[Effect], site: u64) {
    for &effect in effects {
        match effect {
            Effect::WakeOne => wake_one(request.object, site),
            Effect::ReportValue => report_value(call),
            _ => {}
        }
        let runtime = token::runtime();
        if runtime.objects.apply(&mut runtime.scheduler, request, effect).is_err() {
            too_many(site);
        }
    }
}

/// Gives a signal to one of those who wait.
fn wake_one(object: usize, site: u64) {
    if token::is_broken(control::Mutant::SignalIsLost) {
        return;
    }
    let runtime = token::runtime();
    let scheduler = &mut runtime.scheduler;
    let waiters = unsignaled(scheduler, object).count() as u64;
    if waiters == 0 {
        return;
    }
    let chosen = chosen(control::Decision::Woken).map(|value| value as Id);
    let pick = scheduler.pick(waiters) as usize;
    let given = chosen.filter(|id| unsignaled(scheduler, object).any(|it| it.id == *id));
    let first = || {
        // In the order of arrival, so that `serial` wakes who came first.
        let before = |it: &&crate::thread::Thread, than: u64| it.arrival < than;
        let rank = |arrival| unsignaled(scheduler, object).filter(|it| before(it, arrival)).count();
        unsignaled(scheduler, object).find(|it| rank(it.arrival) == pick).map(|it| it.id)
    };
    let Some(id) = given.or_else(first) else { return };
    runtime.scheduler.thread(id).released = true;
    token::record(token::event(Kind::Woken, site).with(object as u64, u64::from(id)));
}

/// What the schedule says that the calling thread decides next, of this kind.
pub fn chosen(what: control::Decision) -> Option<u64> {
    let me = u32::from(token::me());
    let runtime = token::runtime();
    let fits = |it: &&control::Choice| it.thread == me && it.what == what as u32;
    // Each thread takes its own in order; a thread's place is kept by the number of those taken.
    let taken = runtime.scheduler.thread(me as Id).choices[what as usize];
    let choice = runtime.choices.iter().filter(fits).nth(taken as usize)?;
    runtime.scheduler.thread(me as Id).choices[what as usize] += 1;
    Some(choice.value)
}

fn report_value(call: &Call) {
    let value = token::runtime().objects.value(call.object);
    // SAFETY: the program passes the address of an `int` for the value.
    unsafe { (call.second as *mut u32).write_unaligned(value) };
}

fn misused(request: &Request, misuse: unravel_sync::Misuse, site: u64) {
    let record = token::event(Kind::Misuse, site).numbered(misuse as u32);
    let record = record.with(request.object as u64, request.op as u64);
    if token::runtime().strict {
        token::finish(record);
    }
    token::record(record);
}

/// The program has more objects than the runtime can know: it cannot say any more who waits.
fn too_many(site: u64) -> ! {
    sys::complain(b"unravel: the program uses more locks than the runtime can know\n");
    token::finish(token::event(Kind::Ending, site).numbered(Ending::Limit as u32).with(1, 0))
}

/// When an operation gives up, in virtual time, and whether its time is none.
fn deadline(call: &Call) -> (Option<u64>, bool, bool) {
    let Some((time, clock)) = call.time else { return (None, false, false) };
    // SAFETY: the program passes the address of a time.
    let [seconds, nanoseconds] = unsafe { time.read_unaligned() };
    let bad_time = nanoseconds as u64 >= codes::NANOSECONDS;
    let bad_clock = clock as u32 > codes::CLOCK_MONOTONIC;
    let at = (seconds.max(0) as u64).saturating_mul(codes::NANOSECONDS);
    let at = at.saturating_add(nanoseconds.max(0) as u64);
    let left = at.saturating_sub(sys::clock(clock & 1));
    (Some(token::runtime().scheduler.now.saturating_add(left)), bad_time, bad_clock)
}
