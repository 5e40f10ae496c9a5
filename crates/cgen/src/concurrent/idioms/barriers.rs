//! Barriers: nobody goes on before all have come.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::tree::line;

/// Everyone writes, waits, and reads what another has written. A count that is too large is a
/// deadlock; with one that is too small nobody waits.
pub(super) fn exchange(g: &mut Gen, broken: bool) {
    let actors: [Actor; 2] = g.singles();
    let cells = [g.int("cell", 0), g.int("cell", 0)];
    let count = if broken { g.rng.pick(&[1, 3]) } else { 2 };
    let barrier = g.barrier(count);
    // A second round, in which everyone writes again after all have read.
    let rounds = g.rng.between(1, 2);
    let skip = broken && count == 1;
    for (i, actor) in actors.into_iter().enumerate() {
        let (own, other) = (&cells[i], &cells[1 - i]);
        for round in 1..=rounds {
            let wait = format!("pthread_barrier_wait(&{barrier});");
            g.put(actor, vec![line(format!("{own} = {round};")), line(wait.clone())]);
            let check = g.assertion(&format!("{other} == {round}"));
            g.put(actor, vec![check]);
            if round < rounds && !skip {
                g.put(actor, vec![line(wait)]);
            }
        }
    }
}

/// Exactly one of those who wait is told to do what must be done once. The broken form takes
/// every return for that, or believes that nobody is told.
pub(super) fn serial(g: &mut Gen, broken: bool) {
    let actors: [Actor; 2] = g.singles();
    let barrier = g.barrier(2);
    let chosen = g.name("chosen");
    g.global(&chosen, format!("atomic_int {chosen};"));
    let everyone = broken && g.rng.chance(50);
    let test = if everyone {
        ">= PTHREAD_BARRIER_SERIAL_THREAD"
    } else {
        "== PTHREAD_BARRIER_SERIAL_THREAD"
    };
    for actor in actors {
        let head = format!("if (pthread_barrier_wait(&{barrier}) {test})");
        g.put_text(actor, &format!("{head}\n    atomic_fetch_add(&{chosen}, 1);"));
    }
    let ends = actors.iter().all(|actor| g.ends(*actor));
    let claim = match (broken && !everyone, ends) {
        (true, _) => "== 0",
        (false, true) => "== 1",
        (false, false) => "<= 1",
    };
    g.check_text(&format!("? atomic_load(&{chosen}) {claim}"));
}
