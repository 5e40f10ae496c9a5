//! Indexes and pointers that another thread changes.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::Gen;
use crate::concurrent::tree::{Item, Stmt, block, line, parts};

/// An index that is checked and used; the broken one reads it twice.
pub(super) fn index(g: &mut Gen, broken: bool) {
    let (at, slots) = (g.int("at", 0), g.name("slots"));
    let len = g.rng.between(2, 3);
    let ty = g.rng.pick(&["int", "char", "short"]);
    g.globals.push(Item {
        name: slots.clone(),
        parts: parts![format!("{ty} {slots}[{len}];"), Construct::ComputedIndex],
    });
    let [mover, user] = g.two();
    let target = match g.rng.below(3) {
        0 => len.to_string(),
        1 => format!("(__VERIFIER_nondet_uchar() & 3) + {}", len - 1),
        _ => format!("{at} + {len}"),
    };
    let step = line(format!("{at} = {target};")).mark(Construct::OutOfBounds);
    let moves = g.wrap(vec![step], true).stmts;
    g.put(mover, moves);
    let store = g.rng.chance(60);
    let access = |at: &str| {
        if store { format!("{slots}[{at}] = 1;") } else { format!("if ({slots}[{at}]) abort();") }
    };
    let stmts = if broken {
        vec![block(format!("if ({at} < {len})"), vec![line(access(&at))])]
    } else {
        let local = g.name("l");
        vec![
            Stmt::declares(&local, format!("int {local} = {at};")),
            block(format!("if ({local} < {len})"), vec![line(access(&local))]),
        ]
    };
    let stmts = g.wrap(stmts, true).stmts;
    g.put(user, stmts);
}

/// A pointer that is null now and then; the broken user reads it twice.
pub(super) fn null(g: &mut Gen, broken: bool) {
    let (target, pointer) = (g.int("x", 0), g.name("p"));
    g.globals.push(Item {
        name: pointer.clone(),
        parts: parts![format!("int *{pointer} = &{target};"), Construct::SharedPointer],
    });
    let [changer, user] = g.two();
    let clear = line(format!("{pointer} = 0;"));
    let mut changes = vec![clear];
    if g.rng.chance(40) {
        changes.push(line(format!("{pointer} = &{target};")));
    }
    let changes = g.wrap(changes, true).stmts;
    g.put(changer, changes);
    let stmts = if broken {
        vec![
            block(format!("if ({pointer})"), vec![line(format!("*{pointer} = 1;"))])
                .mark(Construct::NullPointer),
        ]
    } else {
        let local = g.name("q");
        vec![
            Stmt::declares(&local, format!("int *{local} = {pointer};")),
            block(format!("if ({local})"), vec![line(format!("*{local} = 1;"))])
                .mark(Construct::NullPointer),
        ]
    };
    let stmts = g.wrap(stmts, true).stmts;
    g.put(user, stmts);
    let check = g.assertion(&format!("{target} <= 1"));
    g.checks.push(check);
}

/// A pointer to one of two variables, compared before it is used.
pub(super) fn choice(g: &mut Gen, broken: bool) {
    let (a, b, pointer) = (g.int("x", 0), g.int("y", 0), g.name("p"));
    g.globals.push(Item {
        name: pointer.clone(),
        parts: parts![format!("int *{pointer} = &{a};"), Construct::SharedPointer],
    });
    let [changer, user] = g.two();
    let condition = g.condition(&[]);
    let change = if g.rng.chance(50) {
        Stmt::new(parts![format!("{pointer} = &{b};")])
    } else {
        Stmt::new(parts![format!("{pointer} = "), condition, format!(" ? &{b} : &{a};")])
    };
    // The broken one must be able to go wrong.
    let change = if broken { line(format!("{pointer} = &{b};")) } else { change };
    g.put(changer, vec![change]);
    let local = g.name("q");
    let read = Stmt::declares(&local, format!("int *{local} = {pointer};"));
    let (test, used) = if broken { (&pointer, &pointer) } else { (&local, &local) };
    let write = line(format!("*{used} = 1;"));
    let check = block(format!("if ({test} == &{a})"), vec![write]).mark(Construct::PointerCompare);
    let stmts = if broken { vec![check] } else { vec![read, check] };
    let stmts = g.wrap(stmts, true).stmts;
    g.put(user, stmts);
    let check = g.assertion(&format!("{b} == 0"));
    g.checks.push(check);
}
