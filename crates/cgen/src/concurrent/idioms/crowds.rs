//! Condition variables that several threads wait for, and a buffer of one place.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::monitor::Monitor;

/// Waits until a condition holds.
fn await_text(monitor: &Monitor, condition: &str) -> String {
    let (lock, unlock, wait) = (monitor.lock(), monitor.unlock(), monitor.wait());
    format!("1< {lock}\nwhile (!({condition}))\n    ! {wait}\n1> {unlock}")
}

/// Changes something and wakes.
fn change_text(monitor: &Monitor, change: &str, wake: &str) -> String {
    let (lock, unlock) = (monitor.lock(), monitor.unlock());
    format!("1< {lock}\n{change}\n{wake}\n1> {unlock}")
}

/// Two wait for the same: both must be woken.
pub(super) fn gate(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let open = g.int("open", 0);
    let [opener, first, second] = g.singles();
    let wake = if broken { monitor.signal() } else { monitor.broadcast() };
    g.put_text(opener, &change_text(&monitor, &format!("{open} = 1;"), &wake));
    for actor in [first, second] {
        g.put_text(actor, &await_text(&monitor, &open));
    }
}

/// Two wait for different things. With one condition variable for both, a signal may wake the
/// wrong one.
pub(super) fn predicates(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let (a, b) = (g.int("full", 0), g.int("idle", 0));
    let [setter, first, second] = g.singles();
    let one_for_all = broken || g.rng.chance(50);
    let other = if one_for_all { monitor.clone() } else { g.second_condition(&monitor) };
    for (actor, monitor, name) in [(first, &monitor, &a), (second, &other, &b)] {
        let both = one_for_all && !broken;
        let wake = if both { monitor.broadcast() } else { monitor.signal() };
        g.put_text(setter, &change_text(monitor, &format!("{name} = 1;"), &wake));
        g.put_text(actor, &await_text(monitor, name));
    }
}

/// A buffer with one place, through which one or two items go.
pub(super) fn buffer(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let split = g.rng.chance(50);
    let not_full = if split { g.second_condition(&monitor) } else { monitor.clone() };
    let (count, slot, items) = (g.int("count", 0), g.int("slot", 0), g.rng.between(1, 2));
    // Nobody waits for a place if there is one item only.
    let faults: &[u32] = if items == 1 { &[0, 1] } else { &[0, 1, 2] };
    let fault = if broken { Some(g.rng.pick(faults)) } else { None };
    let [producer, consumer] = g.singles();
    let (lock, unlock) = (monitor.lock(), monitor.unlock());
    let head = if fault == Some(0) { "if" } else { "while" };
    let (wait_full, wait_empty) = (not_full.wait(), monitor.wait());
    let filled = if fault == Some(1) { String::new() } else { monitor.signal() };
    let emptied = if fault == Some(2) { String::new() } else { not_full.signal() };
    let (i, j, got) = (g.name("i"), g.name("i"), g.name("got"));
    let put = format!(
        "
        for (int {i} = 1; {i} <= {items}; {i}++)
            1< {lock}
            while ({count} == 1)
                ! {wait_full}
            {slot} = {i};
            {count}++;
            {filled}
            1> {unlock}
        "
    );
    g.put_text(producer, &put);
    let take = format!(
        "
        for (int {j} = 1; {j} <= {items}; {j}++)
            1< {lock}
            {head} ({count} == 0)
                ! {wait_empty}
            {got}: int {got} = {slot};
            {count}--;
            ? {got} == {j}
            {emptied}
            1> {unlock}
        "
    );
    g.put_text(consumer, &take);
    if g.ends(producer) && g.ends(consumer) && producer != Actor::Main {
        g.check_text(&format!("? {count} == 0"));
    }
}
