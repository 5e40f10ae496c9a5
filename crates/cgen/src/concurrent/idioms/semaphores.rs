//! Semaphores, as a signal and as a stock of tokens.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::tree::{Stmt, line};

/// What goes wrong with a hand-over.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    NoPost,
    PostFirst,
    /// There is a token at the start.
    Start,
    /// The threads may come before the semaphore is there.
    LateInit,
    /// It is destroyed as soon as it was posted.
    Destroyed,
    Ignored,
}

impl Gen {
    /// Waits for a token, as long as it takes.
    pub(super) fn await_token(&mut self, sem: &str) -> String {
        match self.rng.below(10) {
            0..3 => format!("while (sem_trywait(&{sem})) ; #UnboundedSpin"),
            3..6 => {
                let deadline = self.deadline();
                format!("while (sem_timedwait(&{sem}, {deadline})) ; #UnboundedSpin")
            }
            _ => format!("sem_wait(&{sem});"),
        }
    }
}

/// Waits for the data in one of the ways to wait.
fn receive(g: &mut Gen, sem: &str, found: &str, fault: Fault) -> String {
    let timed = g.rng.chance(60);
    if fault != Fault::Ignored && g.rng.chance(40) {
        let wait = g.await_token(sem);
        return format!("{wait}\n? {found}");
    }
    let (call, code) = if timed {
        (format!("sem_timedwait(&{sem}, {})", g.deadline()), "ETIMEDOUT")
    } else {
        (format!("sem_trywait(&{sem})"), "EAGAIN")
    };
    match (fault, g.rng.chance(50)) {
        (Fault::Ignored, _) => format!("{call};\n? {found}"),
        (_, true) => format!("if ({call} == 0)\n    ? {found}\nelse\n    ? errno == {code}"),
        (_, false) => format!("if (!{call})\n    ? {found}"),
    }
}

/// Data, then a token.
pub(super) fn hand_over(g: &mut Gen, broken: bool) {
    let faults = [
        (3, Fault::NoPost),
        (3, Fault::PostFirst),
        (2, Fault::Start),
        (2, Fault::LateInit),
        (2, Fault::Destroyed),
        (4, Fault::Ignored),
    ];
    let fault = if broken { g.rng.weighted(&faults) } else { Fault::Nothing };
    let sem = match fault {
        Fault::LateInit => late_semaphore(g),
        _ => g.semaphore(u32::from(fault == Fault::Start)),
    };
    let (data, value) = (g.int("data", 0), g.rng.between(1, 9));
    let [sender, receiver] = g.singles();
    let (write, post) = (format!("{data} = {value};"), format!("sem_post(&{sem});"));
    let send = match fault {
        Fault::NoPost => write,
        Fault::PostFirst => format!("{post}\n{write}"),
        Fault::Destroyed => format!("{write}\n{post}\nsem_destroy(&{sem});"),
        _ => format!("{write}\n{post}"),
    };
    g.put_text(sender, &send);
    // Without a token it is the plain wait that never ends.
    let receiving = match fault {
        Fault::NoPost => format!("sem_wait(&{sem});\n? {data} == {value}"),
        _ => receive(g, &sem, &format!("{data} == {value}"), fault),
    };
    g.put_text(receiver, &receiving);
}

/// A semaphore that `main` initializes when the threads have been created.
fn late_semaphore(g: &mut Gen) -> String {
    let name = g.name("sem");
    g.global(&name, format!("sem_t {name};"));
    g.body.insert(0, Stmt::declares(&name, format!("sem_init(&{name}, 0, 0);")));
    name
}

/// So many tokens as threads may be inside at once; the broken one has too many or too few.
pub(super) fn tokens(g: &mut Gen, broken: bool) {
    let inside = g.name("inside");
    g.global(&inside, format!("atomic_int {inside};"));
    let actors: [Actor; 2] = g.singles();
    let (start, most) = if broken { (g.rng.pick(&[0, 2]), 1) } else { (1, 1) };
    let sem = g.semaphore(start);
    for actor in actors {
        let text = format!(
            "
            1< sem_wait(&{sem});
            atomic_fetch_add(&{inside}, 1);
            ? atomic_load(&{inside}) <= {most}
            atomic_fetch_sub(&{inside}, 1);
            1> sem_post(&{sem});
            "
        );
        g.put_text(actor, &text);
    }
}

/// The number of tokens, as `sem_getvalue` says; it may have changed since.
pub(super) fn value(g: &mut Gen, broken: bool) {
    let [first, second] = g.singles();
    let start = g.rng.between(1, 2);
    let sem = g.semaphore(start);
    let local = g.name("v");
    g.put(first, vec![line(format!("sem_wait(&{sem});")), line(format!("sem_post(&{sem});"))]);
    let claim = match (broken, g.rng.below(2)) {
        (false, _) => format!("{local} >= {} && {local} <= {start}", start - 1),
        (true, 0) => format!("{local} == {start}"),
        (true, _) => format!("{local} != {}", start - 1),
    };
    g.put_text(
        second,
        &format!("{local}: int {local} = 0;\nsem_getvalue(&{sem}, &{local});\n? {claim}"),
    );
    if g.ends(first) && g.ends(second) && !broken {
        let last = g.name("v");
        g.check_text(&format!(
            "{last}: int {last} = 0;\nsem_getvalue(&{sem}, &{last});\n? {last} == {start}"
        ));
    }
}
