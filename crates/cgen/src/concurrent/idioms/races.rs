//! Accesses that are ordered or not: for the search for data races.
//!
//! Nothing is asserted about the data, so that in the broken forms it is the race that is found.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::guard::Guard;
use crate::concurrent::objects::{ONCE, ONCE_FLAG, RWLOCK};
use crate::concurrent::tree::{Stmt, line};

/// Reads something, to no purpose.
fn read(g: &mut Gen, place: &str) -> String {
    let local = g.name("l");
    format!("{local}: int {local} = {place}; (void){local};")
}

/// A message with a flag of C11. Release and acquire order the data, with fences or without;
/// relaxed accesses do not.
pub(super) fn message(g: &mut Gen, broken: bool) {
    let (flag, data) = (g.name("go"), g.int("data", 0));
    g.global(&flag, format!("atomic_int {flag};"));
    let [sender, receiver] = g.singles();
    let fault = if broken { g.rng.between(1, 3) } else { 0 };
    let fences = g.rng.chance(65);
    let order = |strong: &'static str, weak: bool| if weak || fences { "relaxed" } else { strong };
    let fence = |kind: &str, there: bool| match there && fences {
        true => format!("atomic_thread_fence(memory_order_{kind});"),
        false => String::new(),
    };
    let write = format!("{data} = 1;");
    let store_order = order("release", fault == 1);
    let raise = format!("atomic_store_explicit(&{flag}, 1, memory_order_{store_order});");
    let release = fence("release", fault != 1);
    g.put_text(
        sender,
        &match fault {
            3 => format!("{release}\n{raise}\n{write}"),
            _ => format!("{write}\n{release}\n{raise}"),
        },
    );
    let load_order = order("acquire", fault == 2);
    let load = format!("atomic_load_explicit(&{flag}, memory_order_{load_order})");
    let (acquire, got) = (fence("acquire", fault != 2), read(g, &data));
    let receive = match g.rng.chance(40) {
        true => format!("while (!{load}) ; #UnboundedSpin\n{acquire}\n{got}"),
        false => format!("if ({load})\n    {acquire}\n    {got}"),
    };
    g.put_text(receiver, &receive);
}

/// A flag that is no atomic: the loop ends, but orders nothing. The correct one is.
pub(super) fn flag(g: &mut Gen, broken: bool) {
    let (flag, data) = (g.name("go"), g.int("data", 0));
    let ty = if broken { g.rng.pick(&["volatile int", "int"]) } else { "atomic_int" };
    g.global(&flag, format!("{ty} {flag};"));
    let [sender, receiver] = g.singles();
    g.put_text(sender, &format!("{data} = 1;\n{flag} = 1;"));
    let got = read(g, &data);
    g.put_text(receiver, &format!("while (!{flag}) ; #UnboundedSpin\n{got}"));
}

/// Counters under a lock; one of the broken ones has another or none.
pub(super) fn locked(g: &mut Gen, broken: bool) {
    let shared = g.int("x", 0);
    let guard = match g.rng.chance(20) {
        true => Guard::Mutex(format!("&{}", g.mutex())),
        false => Guard::Lock(g.any_lock()),
    };
    let actors: [Actor; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let used = if broken && i == 0 { g.wrong_guard(&guard) } else { guard.clone() };
        let body = g.guarded(&used, vec![line(format!("{shared}++;"))]);
        g.put(actor, body);
    }
}

/// Readers share a lock; the broken one writes under it.
pub(super) fn readers(g: &mut Gen, broken: bool) {
    let (lock, shared) = (g.object(&RWLOCK), g.int("x", 0));
    let actors: [Actor; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let writes = broken && i == 0;
        let act = if writes { format!("{shared} = 1;") } else { read(g, &shared) };
        let unlock = format!("pthread_rwlock_unlock(&{lock});");
        g.put_text(actor, &format!("1< pthread_rwlock_rdlock(&{lock});\n{act}\n1> {unlock}"));
    }
}

/// What is ordered by the creation of a thread, or by its end; the broken one comes too late or
/// too early.
pub(super) fn life(g: &mut Gen, broken: bool) {
    let shared = g.int("x", 0);
    let thread = g.single();
    let thread = if thread == Actor::Main { Actor::All(0) } else { thread };
    g.put_text(thread, &format!("{shared}++;"));
    let access = line(format!("{shared} = 2;"));
    match (broken, g.rng.chance(50)) {
        (true, _) => g.put(Actor::Main, vec![access]),
        (false, true) => g.setup.push(access),
        (false, false) => g.checks.push(access),
    }
}

/// A function that is called once: what it writes is visible to all who asked for it.
pub(super) fn once(g: &mut Gen, broken: bool) {
    let c11 = g.rng.chance(50);
    let flag = g.object(if c11 { &ONCE_FLAG } else { &ONCE });
    let call = if c11 { "call_once" } else { "pthread_once" };
    let data = g.int("data", 0);
    let function = g.function("init", "void @(void)", vec![line(format!("{data} = 1;"))]);
    let actors: [Actor; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let got = read(g, &data);
        let ask = format!("{call}(&{flag}, {function});");
        let ask = if broken && i == 0 { String::new() } else { ask };
        g.put_text(actor, &format!("{ask}\n{got}"));
    }
}

/// Members of one object: two of a struct are two places, two bit-fields beside each other one.
pub(super) fn members(g: &mut Gen, broken: bool) {
    let name = g.name("s");
    let ty = match (broken, g.rng.chance(50)) {
        (true, _) => "struct { unsigned a : 3; unsigned b : 5; }",
        (false, true) => "struct { char a; char b; }",
        (false, false) => "struct { unsigned a : 3; unsigned : 0; unsigned b : 5; }",
    };
    g.global(&name, format!("{ty} {name};"));
    let actors: [Actor; 2] = g.singles();
    for (member, actor) in ["a", "b"].into_iter().zip(actors) {
        g.put(actor, vec![Stmt::new(vec![format!("{name}.{member} = 1;").into()])]);
    }
}

/// A count of owners: the last one to let go sees what all others did. With relaxed counts it
/// does not.
pub(super) fn owners(g: &mut Gen, broken: bool) {
    let (count, data) = (g.name("refs"), g.int("data", 0));
    g.global(&count, format!("atomic_int {count} = 2;"));
    let order = if broken { g.rng.pick(&["relaxed", "release"]) } else { "acq_rel" };
    let actors: [Actor; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let drop = format!("atomic_fetch_sub_explicit(&{count}, 1, memory_order_{order}) == 1");
        let before = if i == 0 { format!("{data} = 1;") } else { String::new() };
        g.put_text(actor, &format!("{before}\nif ({drop})\n    {data} = 2;"));
    }
}
