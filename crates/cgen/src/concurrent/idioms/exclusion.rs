//! Mutual exclusion with loads and stores, or with tickets: real loops, one line wrong.

use crate::concurrent::generator::{Actor, Gen};

/// Only one may be in here.
fn critical(g: &mut Gen, inside: &str) -> String {
    match g.rng.below(2) {
        0 => format!("{inside}++;\n? {inside} == 1\n{inside}--;"),
        _ => {
            let value = g.rng.between(1, 9);
            format!("? {inside} == 0\n{inside} = {value};\n{inside} = 0;")
        }
    }
}

/// A shared variable for such an algorithm.
fn variable(g: &mut Gen, prefix: &str) -> String {
    let name = g.name(prefix);
    let ty = g.rng.pick(&["volatile int", "atomic_int", "int"]);
    g.global(&name, format!("{ty} {name};"));
    name
}

/// Peterson's algorithm.
pub(super) fn peterson(g: &mut Gen, broken: bool) {
    let wants = [variable(g, "want"), variable(g, "want")];
    let turn = variable(g, "turn");
    let inside = g.int("inside", 0);
    let actors: [Actor; 2] = g.singles();
    let fault = if broken { g.rng.between(1, 4) } else { 0 };
    for (i, actor) in actors.into_iter().enumerate() {
        let (own, other) = (&wants[i], &wants[1 - i]);
        let wrong = if i == 0 { fault } else { 0 };
        let want = format!("{own} = 1;");
        // Who yields to itself does not wait; both must for it to go wrong.
        let yields = format!("{turn} = {};", if fault == 1 { i } else { 1 - i });
        let enter = match wrong {
            2 => format!("{yields}\n{want}"),
            3 => yields,
            _ => format!("{want}\n{yields}"),
        };
        let wait = match wrong {
            4 => String::new(),
            _ => format!("while ({other} && {turn} == {}) ; #UnboundedSpin", 1 - i),
        };
        let critical = critical(g, &inside);
        g.put_text(actor, &format!("{enter}\n{wait}\n{critical}\n{own} = 0;"));
    }
}

/// Dekker's algorithm.
pub(super) fn dekker(g: &mut Gen, broken: bool) {
    let wants = [variable(g, "want"), variable(g, "want")];
    let turn = variable(g, "turn");
    let inside = g.int("inside", 0);
    let actors: [Actor; 2] = g.singles();
    let fault = if broken { g.rng.between(1, 3) } else { 0 };
    for (i, actor) in actors.into_iter().enumerate() {
        let (own, other) = (&wants[i], &wants[1 - i]);
        let wrong = if i == 0 { fault } else { 0 };
        let want = format!("{own} = 1;");
        let first = if wrong == 1 { "" } else { &*want };
        // Who does not ask again after having stepped back is not seen by the other.
        let again = if wrong == 2 { "" } else { &*want };
        let head = if wrong == 3 { "if" } else { "while" };
        let critical = critical(g, &inside).replace('\n', "\n            ");
        let text = format!(
            "
            {first}
            {head} ({other}) #UnboundedSpin
                if ({turn} != {i})
                    {own} = 0;
                    while ({turn} != {i}) ; #UnboundedSpin
                    {again}
            {critical}
            {turn} = {};
            {own} = 0;
            ",
            1 - i
        );
        g.put_text(actor, &text);
    }
}

/// A lock with tickets; in the broken form two may draw the same.
pub(super) fn ticket(g: &mut Gen, broken: bool) {
    let (next, serving) = (g.name("next"), g.name("now"));
    g.global(&next, format!("atomic_int {next};"));
    g.global(&serving, format!("atomic_int {serving};"));
    let inside = g.int("inside", 0);
    let actors: [Actor; 2] = g.singles();
    for actor in actors {
        let mine = g.name("my");
        let critical = critical(g, &inside);
        let draw = if broken {
            format!("{mine}: int {mine} = {next};\n{next} = {mine} + 1;")
        } else {
            format!("{mine}: int {mine} = atomic_fetch_add(&{next}, 1);")
        };
        let wait = format!("while (atomic_load(&{serving}) != {mine}) ; #UnboundedSpin");
        let give = format!("atomic_fetch_add(&{serving}, 1);");
        g.put_text(actor, &format!("{draw}\n{wait}\n{critical}\n{give}"));
    }
}
