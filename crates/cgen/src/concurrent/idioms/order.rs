//! What must come before what.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::tree::{Stmt, block, line, parts};

/// The parts of a hand-over: data, then a flag.
struct Message {
    write: Stmt,
    raise: Stmt,
    /// An expression: has the flag been raised?
    raised: String,
    /// What the receiver finds then.
    found: String,
}

fn message(g: &mut Gen) -> Message {
    let (data, flag) = (g.name("data"), g.name("flag"));
    let value = g.rng.between(1, 3);
    let (ty, construct) = g.rng.pick(&[
        ("int", Construct::PlainInt),
        ("short", Construct::PlainShort),
        ("long", Construct::PlainLong),
        ("char", Construct::PlainChar),
        ("unsigned", Construct::PlainUnsigned),
    ]);
    g.globals.push(crate::concurrent::tree::Item {
        name: data.clone(),
        parts: parts![format!("{ty} {data};"), construct],
    });
    let (ty, raise, raised) = match g.rng.below(4) {
        0 => ("atomic_int", format!("atomic_store(&{flag}, 1);"), format!("atomic_load(&{flag})")),
        1 => (
            "int",
            format!("__atomic_store_n(&{flag}, 1, __ATOMIC_RELEASE);"),
            format!("__atomic_load_n(&{flag}, __ATOMIC_ACQUIRE)"),
        ),
        2 => ("_Bool", format!("{flag} = 1;"), flag.clone()),
        _ => ("int", format!("{flag} = 1;"), format!("{flag} != 0")),
    };
    g.global(&flag, format!("{ty} {flag};"));
    Message {
        write: line(format!("{data} = {value};")),
        raise: line(raise),
        raised,
        found: format!("{data} == {value}"),
    }
}

impl Message {
    fn send(&self, g: &mut Gen, actor: Actor, broken: bool) {
        let mut stmts = vec![self.write.clone(), self.raise.clone()];
        if broken {
            stmts.reverse();
        }
        let wrapped = g.wrap(stmts, broken);
        g.put(actor, wrapped.stmts);
    }
}

/// Data, then a flag; the broken sender raises the flag first.
pub(super) fn publish(g: &mut Gen, broken: bool) {
    let message = message(g);
    let [sender, receiver] = g.two();
    message.send(g, sender, broken);
    let check = g.assertion(&message.found);
    let look = vec![block(format!("if ({})", message.raised), vec![check])];
    let look = g.wrap(look, true).stmts;
    g.put(receiver, look);
}

/// The same with a receiver that waits a little and gives up.
pub(super) fn spin(g: &mut Gen, broken: bool) {
    let message = message(g);
    let [mut sender, mut receiver] = g.two();
    if !g.can_return(receiver) {
        (sender, receiver) = (receiver, sender);
    }
    message.send(g, sender, broken);
    let (i, raised) = (g.name("i"), &message.raised);
    let turns = g.rng.between(1, 2);
    let wait = format!("for (int {i} = 0; {i} < {turns} && !({raised}); {i}++) ;");
    let check = g.assertion(&message.found);
    let mut stmts = vec![line(wait).mark(Construct::BoundedSpin)];
    if g.can_return(receiver) {
        let leave = g.leave();
        stmts.extend([block(format!("if (!({raised}))"), vec![leave]), check]);
        g.put_last(receiver, stmts);
    } else {
        stmts.push(block(format!("if ({raised})"), vec![check]));
        g.put(receiver, stmts);
    }
}

/// Two threads that must answer each other several times to go wrong.
pub(super) fn ping_pong(g: &mut Gen, broken: bool) {
    let (a, b) = (g.int("ping", 0), g.int("pong", 0));
    let [first, second] = g.two();
    let last = if broken { 2 } else { 3 };
    let set = |condition: String, set: String| {
        line(format!("if ({condition}) {set}")).mark(Construct::ManySwitches)
    };
    g.put(first, vec![line(format!("{a} = 1;")), set(format!("{b} == 1"), format!("{a} = 2;"))]);
    let end = g.assertion(&format!("{a} != {last}"));
    g.put(second, vec![set(format!("{a} == 1"), format!("{b} = 1;")), end]);
}

/// Two threads that add to each other's number: the largest value takes a
/// switch at every step.
pub(super) fn fibonacci(g: &mut Gen, broken: bool) {
    let (a, b) = (g.int("i", 1), g.int("j", 1));
    let [mut first, mut second] = g.two();
    if g.count(first) > 1 {
        (first, second) = (second, first);
    }
    let turns = if g.count(first) + g.count(second) > 2 { 1 } else { 2 };
    for (actor, to, from) in [(first, &a, &b), (second, &b, &a)] {
        let add = line(format!("{to} += {from};")).mark(Construct::AddAssign);
        let mut stmts = vec![add; turns];
        stmts[0].parts.push(Construct::ManySwitches.into());
        g.put(actor, stmts);
    }
    // Two turns each: 2, 3, 5, 8. With one turn each: 2, 3; a second thread of
    // the same function makes it 5.
    let largest = match (turns, g.count(second)) {
        (2, _) => 8,
        (_, 1) => 3,
        (_, 2) => 5,
        _ => 8,
    };
    let (op, bound) = if broken { ("<", largest) } else { ("<=", largest) };
    let check = g.assertion(&format!("{a} {op} {bound} && {b} {op} {bound}"));
    g.checks.push(check);
}

/// A thread ends the process when it sees what must not be; the broken one
/// looks too late.
pub(super) fn leave_process(g: &mut Gen, broken: bool) {
    let name = g.int("state", 0);
    let [first, second] = g.two();
    let abort = g.rng.chance(50);
    let (see, act) = if abort { ("abort();", "exit(0);") } else { ("exit(0);", "exit(0);") };
    g.put(first, vec![line(format!("{name} = 1;")), line(format!("{name} = 2;"))]);
    let local = g.name("l");
    let mut stmts = vec![Stmt::declares(&local, format!("int {local} = {name};"))];
    let exit = line(format!("if ({local} == 1) {act}"));
    let fail = if abort {
        line(format!("if ({local} == 1) {see}"))
    } else {
        g.assertion(&format!("{local} != 1"))
    };
    stmts.extend([exit, fail]);
    if broken {
        stmts.swap(1, 2);
    }
    g.put(second, stmts);
}

/// An assumption makes the reader's claim true; the broken one assumes about
/// another read.
pub(super) fn assume(g: &mut Gen, broken: bool) {
    let name = g.int("level", 0);
    let [writer, reader] = g.two();
    let (low, high) = (g.rng.between(1, 2), g.rng.between(3, 4));
    let raise = vec![line(format!("{name} = {high};")), line(format!("{name} = {low};"))];
    let raise = g.wrap(raise, broken).stmts;
    g.put(writer, raise);
    let local = g.name("l");
    let read = Stmt::declares(&local, format!("int {local} = {name};"));
    let stmts = if broken {
        let assume = line(format!("__VERIFIER_assume({name} <= {low});"));
        let check = g.assertion(&format!("{local} <= {low}"));
        vec![assume, read, check]
    } else {
        let assume = line(format!("__VERIFIER_assume({local} > {low});"));
        let check = g.assertion(&format!("{local} == {high}"));
        vec![read, assume, check]
    };
    g.put(reader, stmts);
}
