//! Mutexes that may be locked twice, and mutexes that complain.

use crate::concurrent::generator::Gen;
use crate::concurrent::objects::{ERRORCHECK, MUTEX, RECURSIVE, RECURSIVE_MTX};

/// A function with a lock calls another with the same lock. The broken form has a mutex that may
/// not be locked twice, or gives it back once only.
pub(super) fn nested(g: &mut Gen, broken: bool) {
    let c11 = g.rng.chance(50);
    let normal = broken && g.rng.chance(40);
    let lock = match (normal, c11) {
        (true, _) => g.object(&MUTEX),
        (false, true) => g.object(&RECURSIVE_MTX),
        (false, false) => g.object(&RECURSIVE),
    };
    let (take, give) = match c11 && !normal {
        true => (format!("mtx_lock(&{lock});"), format!("mtx_unlock(&{lock});")),
        false => {
            (format!("pthread_mutex_lock(&{lock});"), format!("pthread_mutex_unlock(&{lock});"))
        }
    };
    let shared = g.int("x", 0);
    let [first, second] = g.singles();
    let inner = g.text(&format!("1< {take}\n{shared}++;\n1> {give}"));
    let inner = g.function("inner", "void @(void)", inner);
    let back = if broken && !normal { "" } else { &*give };
    let back = if back.is_empty() { String::new() } else { format!("1> {back}") };
    g.put_text(first, &format!("1< {take}\n{inner}();\n? {shared} >= 1\n{shared}--;\n{back}"));
    g.put_text(second, &format!("1< {take}\n? {shared} == 0\n1> {give}"));
}

/// A mutex that complains, and what it must say. The broken form expects something else.
pub(super) fn codes(g: &mut Gen, broken: bool) {
    let lock = g.object(&ERRORCHECK);
    let [first, second] = g.singles();
    let wrong = |right: &str, wrong: &str| if broken { wrong.to_owned() } else { right.to_owned() };
    let lines = match g.rng.below(4) {
        0 => format!("? pthread_mutex_lock(&{lock}) == {}", wrong("EDEADLK", "0")),
        1 => format!("? pthread_mutex_trylock(&{lock}) == {}", wrong("EBUSY", "0")),
        2 => {
            let deadline = g.deadline();
            let call = format!("pthread_mutex_timedlock(&{lock}, {deadline})");
            format!("? {call} == {}", wrong("EDEADLK", "ETIMEDOUT"))
        }
        _ => String::new(),
    };
    g.put_text(
        first,
        &format!("1< pthread_mutex_lock(&{lock});\n{lines}\n1> pthread_mutex_unlock(&{lock});"),
    );
    // Held by nobody or by the other: in both cases it is not ours.
    let code = if lines.is_empty() { wrong("EPERM", "0") } else { "EPERM".to_owned() };
    g.put_text(second, &format!("? pthread_mutex_unlock(&{lock}) == {code}"));
}

/// `trylock` on a recursive mutex: gets it again, or finds it taken by another.
pub(super) fn again(g: &mut Gen, broken: bool) {
    let lock = g.object(&RECURSIVE);
    let shared = g.int("x", 0);
    let [first, second] = g.singles();
    let unlock = format!("pthread_mutex_unlock(&{lock});");
    let own = format!(
        "
        1< pthread_mutex_lock(&{lock});
        {shared} = 1;
        if (pthread_mutex_trylock(&{lock}) == 0)
            {shared} = 0;
            ! {unlock}
        1> {unlock}
        "
    );
    g.put_text(first, &own);
    let rc = g.name("rc");
    let claim = if broken { format!("{rc} == 0") } else { format!("{rc} == 0 || {rc} == EBUSY") };
    let try_it = format!(
        "
        {rc}: int {rc} = pthread_mutex_trylock(&{lock});
        ? {claim}
        if ({rc} == 0)
            ? {shared} == 0
            ! {unlock}
        "
    );
    g.put_text(second, &try_it);
}
