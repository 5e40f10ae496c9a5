//! Waiting without the help of the library: loops that end when somebody else says so.

use crate::concurrent::generator::Gen;

/// The flag's type, how it is raised and how it is read; `@` is its name.
const FLAGS: &[(&str, &str, &str)] = &[
    ("volatile int @;", "@ = 1;", "@"),
    ("volatile _Bool @;", "@ = 1;", "@"),
    ("int @;", "@ = 1;", "@"),
    ("atomic_int @;", "atomic_store(&@, 1);", "atomic_load(&@)"),
    ("atomic_bool @;", "@ = 1;", "@"),
    (
        "int @;",
        "__atomic_store_n(&@, 1, __ATOMIC_RELEASE);",
        "__atomic_load_n(&@, __ATOMIC_ACQUIRE)",
    ),
];

/// Data, then a flag, for which the receiver waits as long as it takes.
pub(super) fn flag(g: &mut Gen, broken: bool) {
    let (declare, raise, read) = g.rng.pick(FLAGS);
    let (flag, data) = (g.name("go"), g.int("data", 0));
    g.global(&flag, declare.replace('@', &flag));
    let (raise, read) = (raise.replace('@', &flag), read.replace('@', &flag));
    let value = g.rng.between(1, 9);
    let write = format!("{data} = {value};");
    let [sender, receiver] = g.singles();
    let send = if broken { format!("{raise}\n{write}") } else { format!("{write}\n{raise}") };
    g.put_text(sender, &send);
    g.put_text(receiver, &format!("while (!{read}) ; #UnboundedSpin\n? {data} == {value}"));
}

/// Two who take turns. In the broken form one gives the turn away before it has finished.
pub(super) fn turns(g: &mut Gen, broken: bool) {
    let turn = g.name("turn");
    let ty = g.rng.pick(&["volatile int", "atomic_int", "int"]);
    g.global(&turn, format!("{ty} {turn};"));
    let inside = g.int("inside", 0);
    let actors: [_; 2] = g.singles();
    let rounds = g.rng.between(1, 2);
    for (i, actor) in actors.into_iter().enumerate() {
        let pass = format!("{turn} = {};", 1 - i);
        let leave = format!("{inside} = 0;");
        let end = match broken && i == 0 {
            true => format!("{pass}\n{leave}"),
            false => format!("{leave}\n{pass}"),
        };
        let text = format!(
            "while ({turn} != {i}) ; #UnboundedSpin\n? {inside} == 0\n{inside} = 1;\n{end}"
        );
        for _ in 0..rounds {
            g.put_text(actor, &text);
        }
    }
}

/// Looks again and again under a lock. The broken sender writes the data when it has said so.
pub(super) fn poll(g: &mut Gen, broken: bool) {
    let lock = g.any_lock();
    let (ready, data) = (g.int("ready", 0), g.int("data", 0));
    let value = g.rng.between(1, 9);
    let [sender, receiver] = g.singles();
    let (take, give) = (lock.acquire(), lock.release());
    let write = format!("{data} = {value};");
    let (before, after) = if broken { ("", &*write) } else { (&*write, "") };
    g.put_text(sender, &format!("{before}\n1< {take}\n{ready} = 1;\n1> {give}\n{after}"));
    let local = g.name("l");
    let text = format!(
        "
        {local}: int {local} = 0;
        while (!{local}) #PollUnderLock
            1< {take}
            {local} = {ready};
            1> {give}
        ? {data} == {value}
        "
    );
    g.put_text(receiver, &text);
}

/// Gives a lock back for a moment while it waits: that moment is the only one in which the sender,
/// who first wants to see that the receiver waits, gets in. The broken sender writes the data late.
pub(super) fn window(g: &mut Gen, broken: bool) {
    let lock = g.any_lock();
    let (came, ready, data) = (g.int("came", 0), g.int("ready", 0), g.int("data", 0));
    let value = g.rng.between(1, 9);
    let [sender, receiver] = g.singles();
    let (take, give, local) = (lock.acquire(), lock.release(), g.name("l"));
    let write = format!("{data} = {value};");
    let (before, after) = if broken { ("", &*write) } else { (&*write, "") };
    let text = format!(
        "
        {local}: int {local} = 0;
        while (!{local}) #PollUnderLock
            1< {take}
            {local} = {came};
            1> {give}
        {before}
        1< {take}
        {ready} = 1;
        1> {give}
        {after}
        "
    );
    g.put_text(sender, &text);
    let text = format!(
        "
        {take}
        {came} = 1;
        while (!{ready}) #PollUnderLock
            {give}
            {take}
        {give}
        ? {data} == {value}
        "
    );
    g.put_text(receiver, &text);
}

/// Waits for a flag while it may hold the lock that the sender needs, which hangs, or has given it
/// back, which does not.
pub(super) fn holding(g: &mut Gen, broken: bool) {
    let lock = g.any_lock();
    let flag = g.name("go");
    let ty = g.rng.pick(&["volatile int", "atomic_int"]);
    g.global(&flag, format!("{ty} {flag};"));
    let [sender, receiver] = g.singles();
    let (take, give) = (lock.acquire(), lock.release());
    g.put_text(sender, &format!("1< {take}\n{flag} = 1;\n1> {give}"));
    let wait = format!("while (!{flag}) ; #UnboundedSpin");
    let text = match broken {
        true => format!("1< {take}\n{wait}\n1> {give}"),
        false => format!("1< {take}\n1> {give}\n{wait}"),
    };
    g.put_text(receiver, &text);
}

/// A flag that is up for a moment only: who comes late waits for ever, which is a hang. The
/// broken one believes that it is still up.
pub(super) fn moment(g: &mut Gen, broken: bool) {
    let flag = g.name("go");
    let ty = g.rng.pick(&["volatile int", "atomic_int"]);
    g.global(&flag, format!("{ty} {flag};"));
    let data = g.int("data", 0);
    let [sender, receiver] = g.singles();
    g.put_text(sender, &format!("{data} = 1;\n{flag} = 1;\n{flag} = 0;"));
    let claim = if broken { format!("{flag} == 1") } else { format!("{data} == 1") };
    g.put_text(receiver, &format!("while (!{flag}) ; #UnboundedSpin\n? {claim}"));
}

/// A number that is changed by compare-and-swap until that succeeds; the broken one stores.
pub(super) fn retry(g: &mut Gen, broken: bool) {
    let number = g.name("num");
    g.global(&number, format!("atomic_int {number};"));
    let actors: [_; 2] = g.singles();
    let ends = actors.iter().all(|actor| g.ends(*actor));
    for (i, actor) in actors.into_iter().enumerate() {
        let old = g.name("old");
        let how = g.rng.pick(&["strong", "weak"]);
        let test = format!("atomic_compare_exchange_{how}(&{number}, &{old}, {old} + 1)");
        let change = match broken && i == 0 {
            true => format!("atomic_store(&{number}, {old} + 1);"),
            false => format!("while (!{test}) ; #UnboundedSpin"),
        };
        g.put_text(actor, &format!("{old}: int {old} = atomic_load(&{number});\n{change}"));
    }
    let op = if ends { "==" } else { "<=" };
    g.check_text(&format!("? {number} {op} 2"));
}

/// Counts how often it looks, up to three, while it waits: a turn that writes is no idle one. The
/// broken form believes that it looks at most twice.
pub(super) fn counting(g: &mut Gen, broken: bool) {
    let flag = g.name("go");
    let ty = g.rng.pick(&["volatile int", "atomic_int"]);
    g.global(&flag, format!("{ty} {flag};"));
    let tries = g.int("tries", 0);
    let [sender, receiver] = g.singles();
    g.put_text(sender, &format!("{flag} = 1;"));
    let most = if broken { 2 } else { 3 };
    let text = format!(
        "
        while (!{flag}) #UnboundedSpin
            if ({tries} < 3) {tries}++;
        ? {tries} <= {most}
        "
    );
    g.put_text(receiver, &text);
}
