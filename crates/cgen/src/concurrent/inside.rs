//! A program whose threads check, inside of atomic sections, what they have just written.
//!
//! An atomic section that fails is never completed, so nobody else sees what it wrote; but it
//! sees that itself, and it is just what makes it fail.

use super::crossed::add_thread;
use super::generator::{Actor, Gen};
use super::guard::Guard;
use super::tree::line;

/// Makes the threads and what they do; in the broken form some section can fail.
pub(super) fn fill(g: &mut Gen, broken: bool) {
    let [used, kept] = ["used", "kept"].map(|name| g.int(name, 0));
    let value = g.rng.between(1, 9999);
    let threads = g.rng.between(2, 3);
    for _ in 0..threads {
        add_thread(g);
    }
    // In the correct form only the first thread finds nothing there before it.
    let fails = format!("!({kept} && {used} == {value})");
    let holds = format!("{used} == {value} && ({kept} == 0 || {kept} == {value})");
    for thread in 0..threads as usize {
        let checked = if broken && thread == 1 { &fails } else { &holds };
        let check = g.assertion(checked);
        let body =
            vec![line(format!("{kept} = {used};")), line(format!("{used} = {value};")), check];
        let guard = if g.rng.chance(50) { Guard::Section } else { Guard::Function };
        let body = g.guarded(&guard, body);
        g.put(Actor::All(thread), body);
    }
}
