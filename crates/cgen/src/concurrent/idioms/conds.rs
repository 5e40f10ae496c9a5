//! A thread waits with a condition variable until another has done something.

use crate::concurrent::generator::Gen;
use crate::concurrent::monitor::Monitor;

/// What goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    /// The waiter does not look again after it woke up.
    If,
    /// The waiter does not look at all: a signal before the wait is lost.
    NoPredicate,
    /// The sender does not say what happened.
    NoFlag,
    /// The sender does not wake anybody.
    NoSignal,
    /// The sender does not lock, so the signal may come between look and wait.
    NoLock,
    /// The waiter does not lock.
    WaitUnlocked,
    /// The condition variable goes while somebody waits for it.
    Destroyed,
}

const FAULTS: &[(u32, Fault)] = &[
    (3, Fault::If),
    (2, Fault::NoPredicate),
    (2, Fault::NoFlag),
    (1, Fault::NoSignal),
    (2, Fault::NoLock),
    (2, Fault::WaitUnlocked),
    (4, Fault::Destroyed),
];

/// Data, a flag and a signal; the waiter waits for the flag and takes the data.
pub(super) fn flag(g: &mut Gen, broken: bool) {
    let fault = if broken { g.rng.weighted(FAULTS) } else { Fault::Nothing };
    let monitor = g.monitor();
    let (ready, data) = (g.int("ready", 0), g.int("data", 0));
    let [sender, waiter] = g.singles();
    let value = g.rng.between(1, 9);
    let sending = send(g, &monitor, &format!("{data} = {value};"), &ready, fault);
    g.put_text(sender, &sending);
    let waiting = wait(&monitor, &format!("{data} == {value}"), &ready, fault);
    g.put_text(waiter, &waiting);
}

fn send(g: &mut Gen, monitor: &Monitor, act: &str, ready: &str, fault: Fault) -> String {
    let signal = if g.rng.chance(45) { monitor.broadcast() } else { monitor.signal() };
    let signal = match fault {
        Fault::NoSignal => String::new(),
        Fault::Destroyed => format!("{signal}\n{}", monitor.destroy()),
        _ => signal,
    };
    let set = if fault == Fault::NoFlag { String::new() } else { format!("{ready} = 1;") };
    if fault == Fault::NoLock {
        return format!("{act}\n{set}\n{signal}");
    }
    let (lock, unlock) = (monitor.lock(), monitor.unlock());
    // Who has said so under the lock may give the signal after it.
    if fault == Fault::Nothing && g.rng.chance(35) {
        return format!("1< {lock}\n{act}\n{set}\n1> {unlock}\n{signal}");
    }
    format!("1< {lock}\n{act}\n{set}\n{signal}\n1> {unlock}")
}

fn wait(monitor: &Monitor, found: &str, ready: &str, fault: Fault) -> String {
    let (lock, unlock, wait) = (monitor.lock(), monitor.unlock(), monitor.wait());
    match fault {
        Fault::NoPredicate => format!("1< {lock}\n1~ {wait}\n1> {unlock}"),
        Fault::WaitUnlocked => format!("while (!{ready})\n    ! {wait}\n? {found}"),
        _ => {
            let head = if fault == Fault::If { "if" } else { "while" };
            format!("1< {lock}\n{head} (!{ready})\n    ! {wait}\n? {found}\n1> {unlock}")
        }
    }
}

/// Each of two threads must see that the other has come: a barrier of two, made by hand. In the
/// broken form one gives its signal before it has counted itself.
pub(super) fn meet(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let come = g.int("come", 0);
    let (lock, unlock, wait) = (monitor.lock(), monitor.unlock(), monitor.wait());
    let signal = monitor.signal();
    let actors: [_; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let (before, after) = if broken && i == 0 { (&*signal, "") } else { ("", &*signal) };
        g.put_text(
            actor,
            &format!(
                "
                {before}
                1< {lock}
                {come}++;
                {after}
                while ({come} < 2)
                    ! {wait}
                1> {unlock}
                "
            ),
        );
    }
}

/// A wait with a limit; who gives up must say so.
pub(super) fn limited(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let (ready, data) = (g.int("ready", 0), g.int("data", 0));
    let [sender, waiter] = g.singles();
    let value = g.rng.between(1, 9);
    let (lock, unlock, signal) = (monitor.lock(), monitor.unlock(), monitor.signal());
    let send = format!("1< {lock}\n{data} = {value};\n{ready} = 1;\n{signal}\n1> {unlock}");
    g.put_text(sender, &send);
    let (rc, timeout) = (g.name("rc"), monitor.timeout());
    let deadline = g.deadline();
    let wait = monitor.timed_wait(deadline);
    // A timeout does not say that nothing has happened, nor a return without one that it has.
    let (head, claim) = match (broken, g.rng.below(3)) {
        (false, 0) => ("while", format!("{ready} || {rc} == {timeout}")),
        (false, 1) => ("while", format!("!{ready} || {data} == {value}")),
        (false, _) => ("if", format!("{rc} == 0 || {rc} == {timeout}")),
        (true, 0) => ("if", format!("{rc} == {timeout} || {data} == {value}")),
        (true, 1) => ("while", format!("{rc} != {timeout} || !{ready}")),
        (true, _) => ("while", format!("{data} == {value}")),
    };
    let more = if head == "while" { format!(" && {rc} != {timeout}") } else { String::new() };
    let text = format!(
        "
        {rc}: int {rc} = 0;
        1< {lock}
        {head} (!{ready}{more})
            ! {rc} = {wait};
        ? {claim}
        1> {unlock}
        "
    );
    g.put_text(waiter, &text);
}
