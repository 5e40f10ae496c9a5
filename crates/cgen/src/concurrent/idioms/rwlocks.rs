//! Read-write locks.

use crate::concurrent::generator::Gen;
use crate::concurrent::objects::RWLOCK;

/// One writes two variables, the others see both or none. The broken writer only has the read
/// lock, or one side has no lock.
pub(super) fn pair(g: &mut Gen, broken: bool) {
    let lock = g.object(&RWLOCK);
    let (a, b) = (g.int("x", 0), g.int("y", 0));
    let [writer, reader] = g.singles();
    let fault = if broken { g.rng.between(1, 3) } else { 0 };
    let write = if fault == 1 { "rdlock" } else { "wrlock" };
    let unlock = format!("1> pthread_rwlock_unlock(&{lock});");
    let with = |text: String, how: &str, locked: bool| match locked {
        true => format!("1< pthread_rwlock_{how}(&{lock});\n{text}\n{unlock}"),
        false => text,
    };
    let writes = format!("{a}++;\n{b}++;");
    g.put_text(writer, &with(writes, write, fault != 2));
    let (l, k) = (g.name("l"), g.name("l"));
    let reads = format!("{l}: int {l} = {a};\n{k}: int {k} = {b};\n? {l} == {k}");
    g.put_text(reader, &with(reads, "rdlock", fault != 3));
}

/// Two readers may be inside at once; a lock in between lets the writer wait for both. The broken
/// form asks for the write lock while it holds the read lock, and both wait for each other.
pub(super) fn upgrade(g: &mut Gen, broken: bool) {
    let lock = g.object(&RWLOCK);
    let seen = g.int("seen", 0);
    let actors: [_; 2] = g.singles();
    for actor in actors {
        let local = g.name("l");
        let back = format!("1> pthread_rwlock_unlock(&{lock});");
        let (before, after) = if broken { ("", &*back) } else { (&*back, "") };
        let text = format!(
            "
            1< pthread_rwlock_rdlock(&{lock});
            {local}: int {local} = {seen};
            {before}
            2< pthread_rwlock_wrlock(&{lock});
            {seen} = {local} + 1;
            2> pthread_rwlock_unlock(&{lock});
            {after}
            "
        );
        g.put_text(actor, &text);
    }
    // The upgrade is no upgrade: what was read may be old.
    g.check_text(&format!("? {seen} <= 2"));
}

/// An attempt to lock in one of two ways.
fn attempt(g: &mut Gen, lock: &str, mode: &str) -> String {
    if g.rng.chance(50) {
        let deadline = g.deadline();
        format!("pthread_rwlock_timed{mode}lock(&{lock}, {deadline})")
    } else {
        format!("pthread_rwlock_try{mode}lock(&{lock})")
    }
}

/// Locks that may not be had: who goes on without breaks what the others see.
pub(super) fn limited(g: &mut Gen, broken: bool) {
    let lock = g.object(&RWLOCK);
    let (a, b) = (g.int("x", 0), g.int("y", 0));
    let [writer, reader] = g.singles();
    let (write, read) = (attempt(g, &lock, "wr"), attempt(g, &lock, "rd"));
    let fault = if broken { g.rng.between(1, 2) } else { 0 };
    let unlock = format!("pthread_rwlock_unlock(&{lock});");
    let writing = match fault {
        1 => format!("1< {write};\n{a}++;\n{b}++;\n1> {unlock}"),
        _ => format!("if ({write} == 0)\n    ! {a}++;\n    ! {b}++;\n    ! {unlock}"),
    };
    g.put_text(writer, &writing);
    let code = if read.contains("timed") { "ETIMEDOUT" } else { "EBUSY" };
    let rc = g.name("rc");
    let reading = match fault {
        2 => format!("1< {read};\n? {a} == {b}\n1> {unlock}"),
        _ => format!(
            "
            {rc}: int {rc} = {read};
            if ({rc} == 0)
                ? {a} == {b}
                ! {unlock}
            else
                ? {rc} == {code}
            "
        ),
    };
    g.put_text(reader, &reading);
}
