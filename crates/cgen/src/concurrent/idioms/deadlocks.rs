//! Threads that wait for each other, or for what never comes.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::lock::Lock;
use crate::concurrent::tree::{Stmt, block};

/// `act` under two locks.
fn nested(g: &mut Gen, outer: &Lock, inner: &Lock, act: &str) -> Vec<Stmt> {
    let text = format!(
        "
        1< {}
        2< {}
        {act}
        2> {}
        1> {}
        ",
        outer.acquire(),
        inner.acquire(),
        inner.release(),
        outer.release()
    );
    let mut stmts = g.text(&text);
    stmts[0].parts.extend([Construct::LockOrder.into(), Construct::NestedLocks.into()]);
    stmts
}

/// A circle of locks, one for each thread and the next; in the correct form the last keeps to
/// the order of the others.
fn circle<const N: usize>(g: &mut Gen, broken: bool) {
    let locks: [Lock; N] = std::array::from_fn(|_| g.blocking_lock());
    let actors: [Actor; N] = g.singles();
    let count = g.int("x", 0);
    for (i, actor) in actors.into_iter().enumerate() {
        let (mut outer, mut inner) = (i, (i + 1) % N);
        if !broken && outer > inner {
            (outer, inner) = (inner, outer);
        }
        let stmts = nested(g, &locks[outer], &locks[inner], &format!("{count}++;"));
        g.put(actor, stmts);
    }
    if N > 2 || !g.ends(actors[0]) || !g.ends(actors[1]) {
        return;
    }
    g.check_text(&format!("? {count} == 2"));
}

/// Two locks in opposite order.
pub(super) fn two(g: &mut Gen, broken: bool) {
    circle::<2>(g, broken);
}

/// Two locks in the order in which two variables lie in memory, as each of two threads sees it.
pub(super) fn by_address(g: &mut Gen, broken: bool) {
    let locks: [Lock; 2] = std::array::from_fn(|_| g.blocking_lock());
    let (count, pointers) = (g.int("x", 0), [g.name("p"), g.name("q")]);
    for pointer in &pointers {
        let target = g.int("y", 0);
        g.global(pointer, format!("int *{pointer} = &{target};"));
    }
    let [p, q] = &pointers;
    let same = format!("{q} {} {p}", g.rng.pick(&[">", ">="]));
    let other = if broken { format!("{q} < {p}") } else { same };
    for (actor, test) in g.singles::<2>().into_iter().zip([format!("{p} < {q}"), other]) {
        for (test, [outer, inner]) in [(test.clone(), [0, 1]), (format!("!({test})"), [1, 0])] {
            let act = format!("{count}++;");
            let stmts = nested(g, &locks[outer], &locks[inner], &act);
            g.put(actor, vec![block(format!("if ({test})"), stmts).mark(Construct::PointerOrder)]);
        }
    }
}

/// Three locks in a circle.
pub(super) fn three(g: &mut Gen, broken: bool) {
    circle::<3>(g, broken);
}

/// A lock that its owner takes along to the end, on one of the ways out.
pub(super) fn forgotten(g: &mut Gen, broken: bool) {
    let lock = g.blocking_lock();
    let (busy, count) = (g.int("busy", 0), g.int("x", 0));
    let [first, second] = g.singles();
    let (take, give) = (lock.acquire(), lock.release());
    let back = if broken { format!("if (!{busy})\n    1> {give}") } else { format!("1> {give}") };
    g.put_text(first, &format!("1< {take}\n{count}++;\n{back}"));
    g.put_text(second, &format!("{busy} = 1;\n1< {take}\n{count}++;\n1> {give}"));
}

/// A thread is waited for by one who holds what it needs.
pub(super) fn join(g: &mut Gen, broken: bool) {
    let lock = g.blocking_lock();
    let count = g.int("x", 0);
    let (take, give) = (lock.acquire(), lock.release());
    let side = g.side_thread(&format!("1< {take}\n{count}++;\n1> {give}"));
    let handle = g.early_thread(&side);
    let function = if g.c11 { "thrd_join" } else { "pthread_join" };
    let join = format!("{function}({handle}, 0); #JoinUnderLock");
    let actor = g.single();
    let text = if broken {
        format!("1< {take}\n{count}++;\n{join}\n1> {give}")
    } else {
        format!("{join}\n1< {take}\n{count}++;\n1> {give}")
    };
    g.put_text(actor, &text);
}

/// Two threads wait for each other's end; the correct one only if it will come.
pub(super) fn join_circle(g: &mut Gen, broken: bool) {
    if g.c11 {
        return two(g, broken);
    }
    let (boss, seen) = (g.name("boss"), g.int("seen", 0));
    g.global(&boss, format!("pthread_t {boss};"));
    g.setup.push(Stmt::declares(&boss, format!("{boss} = pthread_self();")));
    let test = if broken { format!("{seen} == 1") } else { format!("{seen} == 2") };
    let side = g.side_thread(&format!("if ({test})\n    pthread_join({boss}, 0); #JoinUnderLock"));
    let handle = g.early_thread(&side);
    let other = g.single();
    g.put_text(other, &format!("{seen} = 1;"));
    g.put_text(Actor::Main, &format!("pthread_join({handle}, 0);"));
}
