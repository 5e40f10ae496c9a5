//! Synchronization objects used as they must not be.

use crate::concurrent::generator::Gen;
use crate::concurrent::lock::{Lock, LockKind};
use crate::concurrent::objects::MUTEX;
use crate::concurrent::tree::Stmt;

const KINDS: &[LockKind] =
    &[LockKind::Mutex, LockKind::Mutex, LockKind::Write, LockKind::Spin, LockKind::Mtx];

/// The lock, some work, and the unlock.
fn section(lock: &Lock, act: &str) -> String {
    format!("1< {}\n{act}\n1> {}", lock.acquire(), lock.release())
}

/// A lock is given back by who does not have it; only some schedules show it. In the correct form
/// a flag, which the lock protects, tells whether to give it back.
pub(super) fn unlock(g: &mut Gen, broken: bool) {
    let kind = g.rng.pick(KINDS);
    let lock = g.lock(kind);
    let seen = g.int("seen", 0);
    let [first, second] = g.singles();
    g.put_text(first, &section(&lock, &format!("{seen} = 1;")));
    let (take, give) = (lock.acquire(), lock.release());
    let text = match (broken, g.rng.below(3)) {
        (true, 0) => format!("if ({seen} == 1)\n    {give}"),
        (true, 1) => format!("1< {take}\nif ({seen} == 1)\n    1~ {give}\n1> {give}"),
        (true, _) => format!("if ({seen} == 0)\n    1< {take}\nif ({seen} == 1)\n    1> {give}"),
        (false, _) => format!("1< {take}\n{seen} = 2;\n1> {give}"),
    };
    g.put_text(second, &text);
}

/// The same lock a second time: a thread waits for itself.
pub(super) fn relock(g: &mut Gen, broken: bool) {
    let kind = g.rng.pick(KINDS);
    let lock = g.lock(kind);
    let seen = g.int("seen", 0);
    let [first, second] = g.singles();
    g.put_text(first, &section(&lock, &format!("{seen} = 1;")));
    let (take, give) = (lock.acquire(), lock.release());
    let act = format!("{seen} = 2;");
    let text = match (broken, lock.kind) {
        // A read-write lock only says so.
        (true, LockKind::Write) => format!(
            "1< {take}\nif ({seen})\n    ? pthread_rwlock_wrlock(&{}) == 0\n1> {give}",
            lock.name
        ),
        (true, _) => format!("1< {take}\nif ({seen})\n    1~ {take}\n    1~ {give}\n1> {give}"),
        (false, _) => format!("1< {take}\nif ({seen})\n    {act}\n1> {give}"),
    };
    g.put_text(second, &text);
}

/// A mutex that is destroyed while others may hold or want it. The correct form does so when all
/// have ended, or initializes it again.
pub(super) fn destroy(g: &mut Gen, broken: bool) {
    let name = g.name("mu");
    g.global(&name, format!("pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"));
    let lock = Lock { kind: LockKind::Mutex, name: name.clone() };
    let seen = g.int("seen", 0);
    let [first, second] = g.singles();
    let destroy = format!("pthread_mutex_destroy(&{name});");
    g.put_text(first, &section(&lock, &format!("{seen}++;")));
    if broken {
        let held = g.rng.chance(40);
        let end = if held { format!("{seen}++;\n{destroy}") } else { format!("{seen}++;") };
        g.put_text(second, &section(&lock, &end));
        if !held {
            g.put_text(second, &destroy);
        }
    } else {
        g.put_text(second, &section(&lock, &format!("{seen}++;")));
        if g.all_are_joined() {
            g.check_text(&destroy);
        }
    }
}

/// A mutex in a block or on a stack, which nobody or somebody initializes.
pub(super) fn uninitialized(g: &mut Gen, broken: bool) {
    let [first, second] = g.singles();
    let shared = g.name("where");
    g.global(&shared, format!("pthread_mutex_t *{shared};"));
    let seen = g.int("seen", 0);
    if g.rng.chance(60) {
        let block = format!("{shared} = malloc(sizeof *{shared});");
        g.setup.push(Stmt::declares(&shared, block));
    } else {
        let local = g.name("mu");
        g.setup.push(Stmt::declares(&local, format!("pthread_mutex_t {local};")));
        g.setup.push(Stmt::declares(&shared, format!("{shared} = &{local};")));
    }
    let init = format!("pthread_mutex_init({shared}, 0);");
    match (broken, g.rng.chance(50)) {
        // Perhaps in time, perhaps not.
        (true, true) => {
            let init = g.text(&init);
            g.body.splice(0..0, init);
        }
        (true, false) => {}
        (false, _) => {
            let init = g.text(&init);
            g.setup.extend(init);
        }
    }
    for actor in [first, second] {
        let text = format!(
            "1< pthread_mutex_lock({shared});\n{seen}++;\n1> pthread_mutex_unlock({shared});"
        );
        g.put_text(actor, &text);
    }
    if g.ends(first) && g.ends(second) && !broken {
        g.check_text(&format!("? {seen} == 2"));
    }
}

/// A mutex that is initialized while another thread uses it.
pub(super) fn late(g: &mut Gen, broken: bool) {
    let mutex = g.object(&MUTEX);
    let seen = g.int("seen", 0);
    let [first, second] = g.singles();
    let lock = Lock { kind: LockKind::Mutex, name: mutex.clone() };
    let init = format!("pthread_mutex_init(&{mutex}, 0);");
    if broken {
        g.put_text(first, &init);
    }
    g.put_text(first, &section(&lock, &format!("{seen}++;")));
    g.put_text(second, &section(&lock, &format!("{seen}++;")));
}
