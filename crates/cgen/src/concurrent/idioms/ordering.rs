//! What the library orders: a message through each of its means.

use crate::concurrent::generator::Gen;

/// A way to say that something is done, and to wait for it.
struct Means {
    tell: String,
    wait: String,
}

fn means(g: &mut Gen) -> Means {
    match g.rng.below(6) {
        0 | 1 => {
            let sem = g.semaphore(0);
            let wait = g.await_token(&sem);
            Means { tell: format!("sem_post(&{sem});"), wait }
        }
        2 | 3 => {
            let barrier = g.barrier(2);
            let wait = format!("pthread_barrier_wait(&{barrier});");
            Means { tell: wait.clone(), wait }
        }
        4 => {
            let monitor = g.monitor();
            let ready = g.int("ready", 0);
            let (lock, unlock) = (monitor.lock(), monitor.unlock());
            let (wait, signal) = (monitor.wait(), monitor.signal());
            Means {
                tell: format!("1< {lock}\n{ready} = 1;\n{signal}\n1> {unlock}"),
                wait: format!("1< {lock}\nwhile (!{ready})\n    ! {wait}\n1> {unlock}"),
            }
        }
        _ => {
            let (lock, ready) = (g.any_lock(), g.int("ready", 0));
            let (take, give, local) = (lock.acquire(), lock.release(), g.name("l"));
            Means {
                tell: format!("1< {take}\n{ready} = 1;\n1> {give}"),
                wait: format!(
                    "{local}: int {local} = 0;\nwhile (!{local}) #PollUnderLock\n    1< {take}\n    \
                     {local} = {ready};\n    1> {give}"
                ),
            }
        }
    }
}

/// Data, then a message; the broken sender writes after it, or the receiver reads before.
pub(super) fn message(g: &mut Gen, broken: bool) {
    let data = g.int("data", 0);
    let Means { tell, wait } = means(g);
    let [sender, receiver] = g.singles();
    let (write, local) = (format!("{data} = 1;"), g.name("l"));
    let read = format!("{local}: int {local} = {data}; (void){local};");
    let late = broken && g.rng.chance(50);
    let send = if late { format!("{tell}\n{write}") } else { format!("{write}\n{tell}") };
    g.put_text(sender, &send);
    let early = broken && !late;
    let receive = if early { format!("{read}\n{wait}") } else { format!("{wait}\n{read}") };
    g.put_text(receiver, &receive);
}
