//! Locks that are tried, or waited for with a limit: the result says who has the lock.

use crate::concurrent::generator::Gen;
use crate::concurrent::objects::{ERRORCHECK, MTX, MUTEX, Object, SPIN, TIMED_MTX};

/// A way to try a lock; `@` is the lock, `$` the deadline.
struct Trial {
    object: &'static Object,
    attempt: &'static str,
    lock: &'static str,
    unlock: &'static str,
    /// What it says when it fails.
    busy: &'static str,
}

const POSIX: Trial = Trial {
    object: &MUTEX,
    attempt: "pthread_mutex_trylock(&@)",
    lock: "pthread_mutex_lock(&@);",
    unlock: "pthread_mutex_unlock(&@);",
    busy: "EBUSY",
};
const C11: Trial = Trial {
    object: &MTX,
    attempt: "mtx_trylock(&@)",
    lock: "mtx_lock(&@);",
    unlock: "mtx_unlock(&@);",
    busy: "thrd_busy",
};
const TRIALS: &[(u32, &Trial)] = &[
    (1, &POSIX),
    (1, &Trial { object: &ERRORCHECK, ..POSIX }),
    (7, &Trial { attempt: "pthread_mutex_timedlock(&@, $)", busy: "ETIMEDOUT", ..POSIX }),
    (
        7,
        &Trial {
            object: &SPIN,
            attempt: "pthread_spin_trylock(&@)",
            lock: "pthread_spin_lock(&@);",
            unlock: "pthread_spin_unlock(&@);",
            busy: "EBUSY",
        },
    ),
    (4, &C11),
    (
        4,
        &Trial {
            object: &TIMED_MTX,
            attempt: "mtx_timedlock(&@, $)",
            busy: "thrd_timedout",
            ..C11
        },
    ),
];

/// One locks, one tries. The broken one does not look at the result, or takes it for its opposite.
pub(super) fn attempt(g: &mut Gen, broken: bool) {
    let trial = g.rng.weighted(TRIALS);
    let lock = g.object(trial.object);
    let deadline = if trial.attempt.contains('$') { g.deadline() } else { "" };
    let shared = g.int("x", 0);
    let [owner, other] = g.singles();
    let named = |text: &str| text.replace('@', &lock).replace('$', deadline);
    let (take, give, attempt) = (named(trial.lock), named(trial.unlock), named(trial.attempt));
    g.put_text(owner, &format!("1< {take}\n{shared} = 1;\n{shared} = 0;\n1> {give}"));
    let (rc, busy) = (g.name("rc"), trial.busy);
    let result = format!("{rc}: int {rc} = {attempt};");
    let text = match (broken, g.rng.below(3)) {
        (true, 0) => format!("1< {attempt};\n? {shared} == 0\n1> {give}"),
        (true, 1) => format!("{result}\n? {rc} == 0\nif ({rc} == 0)\n    ! {give}"),
        (true, _) => format!("{result}\n? {shared} == 0\nif ({rc} == 0)\n    ! {give}"),
        (false, 0) => format!(
            "{result}\nif ({rc} == 0)\n    ? {shared} == 0\n    ! {give}\nelse\n    ? {rc} == {busy}"
        ),
        (false, _) => format!("if ({attempt} == 0)\n    ? {shared} == 0\n    ! {give}"),
    };
    g.put_text(other, &text);
}

/// Two who take two locks in opposite order. Who tries the second and steps back when it is taken
/// runs into no deadlock; the broken one waits for it.
pub(super) fn step_back(g: &mut Gen, broken: bool) {
    let (a, b) = (g.object(&MUTEX), g.object(&MUTEX));
    let [first, second] = g.singles();
    let done = g.int("done", 0);
    let nested = format!(
        "
        1< pthread_mutex_lock(&{a});
        2< pthread_mutex_lock(&{b});
        {done}++;
        2> pthread_mutex_unlock(&{b});
        1> pthread_mutex_unlock(&{a});
        "
    );
    g.put_text(first, &nested);
    let head = if broken {
        format!("if (pthread_mutex_lock(&{a}) == 0)")
    } else {
        format!("if (pthread_mutex_trylock(&{a}) == 0)")
    };
    let text = format!(
        "
        1< pthread_mutex_lock(&{b});
        {head}
            {done}++;
            ! pthread_mutex_unlock(&{a});
        1> pthread_mutex_unlock(&{b});
        "
    );
    g.put_text(second, &text);
    g.check_text(&format!("? {done} <= 2"));
}
