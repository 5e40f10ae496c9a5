//! Waiting loops that count their turns. A turn changes something, so it is none that can be left
//! out: the loop can go on beyond every bound, though the program has few states.

use crate::concurrent::generator::Gen;

/// A condition variable; who waits says so, and is only woken then. The broken sender looks who waits
/// before it has the lock, writes the data when it has said that they are there, or believes that
/// nobody waits.
pub(super) fn sleepers(g: &mut Gen, broken: bool) {
    let monitor = g.monitor();
    let (ready, data, asleep) = (g.int("ready", 0), g.int("data", 0), g.int("asleep", 0));
    let [sender, waiter] = g.singles();
    let value = g.rng.between(1, 9);
    let (lock, unlock) = (monitor.lock(), monitor.unlock());
    let (wait, signal) = (monitor.wait(), monitor.signal());
    let write = format!("{data} = {value};");
    let sees = g.name("sees");
    let fault = if broken { g.rng.below(3) } else { 3 };
    let looks_early = fault == 0;
    let (early, waits) = match looks_early {
        true => (format!("{sees}: int {sees} = {asleep};"), sees),
        false => (String::new(), asleep.clone()),
    };
    let (before, after) = if fault == 1 { ("", &*write) } else { (&*write, "") };
    let claim = if fault == 2 { format!("? {asleep} == 0") } else { String::new() };
    let send = format!(
        "
        {early}
        1< {lock}
        {claim}
        {before}
        {ready} = 1;
        if ({waits} > 0)
            ! {signal}
        1> {unlock}
        {after}
        "
    );
    g.put_text(sender, &send);
    let text = format!(
        "
        1< {lock}
        while (!{ready}) #CountedWait
            {asleep}++;
            ! {wait}
            {asleep}--;
        ? {data} == {value}
        1> {unlock}
        "
    );
    g.put_text(waiter, &text);
}

/// A semaphore that is tried again and again. The broken sender posts before it has written the data.
pub(super) fn tries(g: &mut Gen, broken: bool) {
    let (data, turn) = (g.int("data", 0), g.int("turn", 0));
    let full = g.semaphore(0);
    let value = g.rng.between(1, 9);
    let [sender, receiver] = g.singles();
    let (write, post) = (format!("{data} = {value};"), format!("sem_post(&{full});"));
    let send = if broken { format!("{post}\n{write}") } else { format!("{write}\n{post}") };
    g.put_text(sender, &send);
    let text = format!(
        "
        while (sem_trywait(&{full}) != 0) #CountedWait
            {turn} = ({turn} + 1) % 3;
        ? {data} == {value}
        "
    );
    g.put_text(receiver, &text);
}

/// The last act of a thread, for which another polls before the thread is joined. In the broken form
/// something comes after it, or the thread believes that nobody has polled an odd number of times.
pub(super) fn last_act(g: &mut Gen, broken: bool) {
    let (data, turn, gone) = (g.int("data", 0), g.int("turn", 0), g.name("gone"));
    let ty = g.rng.pick(&["volatile int", "atomic_int"]);
    g.global(&gone, format!("{ty} {gone};"));
    let [worker, watcher] = g.singles();
    let (act, last) = (format!("{data}++;"), format!("{gone} = 1;"));
    let work = match (broken, g.rng.chance(25)) {
        (true, true) => format!("{last}\n{act}"),
        (true, false) => format!("{act}\n? {turn} == 0\n{last}"),
        (false, _) => format!("{act}\n{last}"),
    };
    g.put_text(worker, &work);
    let text = format!(
        "
        while (!{gone}) #CountedWait
            {turn} = !{turn};
        ? {data} == 1
        "
    );
    g.put_text(watcher, &text);
}
