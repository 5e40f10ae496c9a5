//! Corners of the thread library: deadlines that are no time, one condition variable with two mutexes,
//! semaphores that are initialized again, attributes that are copied, keys that are deleted.

use crate::concurrent::generator::Gen;
use crate::concurrent::objects::{COND, ERRORCHECK, MUTEX};
use crate::concurrent::tree::Stmt;

/// A wait with a deadline that another thread sets, both under a lock. Nanoseconds that are no part of
/// a second are refused; the broken form does not expect that.
pub(super) fn deadline(g: &mut Gen, broken: bool) {
    let (lock, tried) = (g.object(&MUTEX), g.object(&MUTEX));
    let cond = g.object(&COND);
    let limit = g.name("limit");
    g.global(&limit, format!("struct timespec {limit} = {{1, 0}};"));
    let [first, second] = g.singles();
    let bad = g.rng.pick(&["1000000000", "-1"]);
    let (take, give) =
        (format!("pthread_mutex_lock(&{lock});"), format!("pthread_mutex_unlock(&{lock});"));
    g.put_text(first, &format!("1< {take}\n{limit}.tv_nsec = {bad};\n1> {give}"));
    let rc = g.name("rc");
    let also = if broken { String::new() } else { format!(" || {rc} == EINVAL") };
    let (call, back) = match g.rng.below(2) {
        0 => (format!("pthread_cond_timedwait(&{cond}, &{lock}, &{limit})"), String::new()),
        // Who has it already must wait, and looks at the time.
        _ => (
            format!(
                "pthread_mutex_trylock(&{tried}) + pthread_mutex_timedlock(&{tried}, &{limit})"
            ),
            format!("pthread_mutex_unlock(&{tried});"),
        ),
    };
    let text = format!(
        "1< {take}\n{rc}: int {rc} = {call};\n? {rc} == 0 || {rc} == ETIMEDOUT{also}\n{back}\n1> {give}"
    );
    g.put_text(second, &text);
}

/// Two who wait at one condition variable with a mutex each. Whoever comes second misuses it; in the
/// correct form both have the same mutex.
pub(super) fn two_mutexes(g: &mut Gen, broken: bool) {
    let cond = g.object(&COND);
    let own = g.object(&MUTEX);
    let other = if broken { g.object(&MUTEX) } else { own.clone() };
    let deadline = g.deadline();
    let [first, second] = g.singles();
    for (actor, lock) in [(first, own), (second, other)] {
        let wait = format!("pthread_cond_timedwait(&{cond}, &{lock}, {deadline});");
        let text =
            format!("1< pthread_mutex_lock(&{lock});\n{wait}\n1> pthread_mutex_unlock(&{lock});");
        g.put_text(actor, &text);
    }
}

/// A semaphore that is initialized again, with others about or when all are gone.
pub(super) fn again(g: &mut Gen, broken: bool) {
    let sem = g.semaphore(1);
    let [first, second] = g.singles();
    let init = format!("sem_init(&{sem}, 0, 1);");
    g.put_text(first, &format!("sem_wait(&{sem});\nsem_post(&{sem});"));
    if broken {
        g.put_text(second, &init);
    } else if g.ends(first) {
        g.check_text(&init);
    }
}

/// A mutex made with attributes that are copied, and that must complain like those of the original. The
/// broken form does not initialize them.
pub(super) fn copied(g: &mut Gen, broken: bool) {
    let lock = g.object(&ERRORCHECK);
    let (name, original, copy) = (g.name("mu"), g.name("attr"), g.name("copy"));
    g.global(&name, format!("pthread_mutex_t {name};"));
    let [first, second] = g.singles();
    let mut lines = vec![format!("pthread_mutexattr_t {original}, {copy};")];
    if !broken {
        lines.push(format!("pthread_mutexattr_init(&{original});"));
        lines.push(format!("pthread_mutexattr_settype(&{original}, PTHREAD_MUTEX_ERRORCHECK);"));
    }
    lines.push(format!("{copy} = {original};"));
    lines.push(format!("pthread_mutex_init(&{name}, &{copy});"));
    g.setup.push(Stmt::declares(&name, format!("{{ {} }}", lines.join(" "))));
    g.put_text(first, &format!("? pthread_mutex_unlock(&{name}) == EPERM"));
    g.put_text(second, &format!("? pthread_mutex_unlock(&{lock}) == EPERM"));
}

/// A key that is used while somebody deletes it, or before.
pub(super) fn deleted(g: &mut Gen, broken: bool) {
    let key = g.name("key");
    g.global(&key, format!("pthread_key_t {key};"));
    g.setup.push(Stmt::declares(&key, format!("pthread_key_create(&{key}, 0);")));
    let [first, second] = g.singles();
    g.put_text(
        first,
        &format!("pthread_setspecific({key}, &{key});\n? pthread_getspecific({key})"),
    );
    if broken {
        g.put_text(second, &format!("pthread_key_delete({key});"));
    } else if g.ends(first) {
        g.check_text(&format!("? pthread_key_delete({key}) == 0"));
    }
}
