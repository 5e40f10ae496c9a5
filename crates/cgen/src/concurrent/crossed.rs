//! A program whose safety no single pair of accesses shows.
//!
//! Two writes of `x`, each with its readers, must come one after the other. If the first comes
//! first, both writes of `y` lie before both reads of `y`, which then cannot see different values;
//! if the second, the same holds for `z`. So no run passes all checks, but nothing follows from
//! any one of them: an engine has to try both orders of the writes of `x`.

use super::generator::{Actor, Arg, Gen, Join, Thread};
use super::tree::{Stmt, line};

/// Makes the threads and what they do; the broken form has runs that pass all checks.
pub(super) fn fill(g: &mut Gen, broken: bool) {
    let [x, y, z, f, h] = ["x", "y", "z", "f", "h"].map(|name| g.int(name, 0));
    let [p, q, c, m] = ["p", "q", "c", "m"].map(|name| g.int(name, 0));
    // Two values of each variable, to tell its writes apart.
    let [x1, y1, z1] = [(); 3].map(|()| g.rng.between(1, 20));
    let [x2, y2, z2] = [x1, y1, z1].map(|one| one + g.rng.between(1, 20));
    let seen = if broken { y1 } else { y2 };
    for _ in 0..3 {
        add_thread(g);
    }
    g.main_acts = true;
    let set = |variable: &str, value: u32| line(format!("{variable} = {value};"));
    let want = |variable: &str, value: u32| {
        Stmt::required(format!("if ({variable} != {value}) return 0;"))
    };
    g.put(
        Actor::All(0),
        vec![set(&y, y1), want(&f, 1), set(&x, x1), want(&z, z1), want(&x, x1), set(&p, 1)],
    );
    g.put(
        Actor::All(1),
        vec![set(&z, z1), want(&h, 1), set(&x, x2), want(&y, y1), want(&x, x2), set(&q, 1)],
    );
    g.put(Actor::All(2), vec![set(&z, z2), set(&h, 1), want(&x, x2), want(&y, seen), set(&c, 1)]);
    let both = line(format!("if ({x} == {x1} && {z} == {z2}) {m} = 1;"));
    g.put(Actor::Main, vec![set(&y, y2), set(&f, 1), both]);
    let check = g.assertion(&format!("!({p} && {q} && {c} && {m})"));
    g.checks.push(check);
}

/// A thread that does nothing yet.
pub(super) fn add_thread(g: &mut Gen) {
    let name = g.name("work");
    g.threads.push(Thread {
        name,
        count: 1,
        arg: Arg::None,
        join: Join::Plain,
        conditional: false,
        body: Vec::new(),
        tail: Vec::new(),
        end: "return 0;".into(),
    });
}
