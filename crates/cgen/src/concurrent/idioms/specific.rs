//! Thread-specific data of POSIX and of C11.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::objects::{ONCE, ONCE_FLAG};
use crate::concurrent::tree::Stmt;

/// The names of one of the two interfaces.
struct Key {
    name: String,
    c11: bool,
}

impl Key {
    fn set(&self, value: &str) -> String {
        let function = if self.c11 { "tss_set" } else { "pthread_setspecific" };
        format!("{function}({}, {value});", self.name)
    }

    fn get(&self) -> String {
        let function = if self.c11 { "tss_get" } else { "pthread_getspecific" };
        format!("{function}({})", self.name)
    }

    fn create(&self, destructor: &str) -> String {
        let function = if self.c11 { "tss_create" } else { "pthread_key_create" };
        format!("{function}(&{}, {destructor});", self.name)
    }
}

fn declare(g: &mut Gen) -> Key {
    let (name, c11) = (g.name("key"), g.rng.chance(50));
    let ty = if c11 { "tss_t" } else { "pthread_key_t" };
    g.global(&name, format!("{ty} {name};"));
    Key { name, c11 }
}

/// Everyone keeps a number of their own; the broken ones keep it in the same variable.
pub(super) fn own(g: &mut Gen, broken: bool) {
    let key = declare(g);
    let actors: [Actor; 2] = g.singles();
    let create = key.create("0");
    // By whoever comes first, or by `main`.
    let first = if g.rng.chance(50) {
        let once = g.object(if key.c11 { &ONCE_FLAG } else { &ONCE });
        let body = vec![Stmt::required(create)];
        let function = g.function("make", "void @(void)", body);
        let call = if key.c11 { "call_once" } else { "pthread_once" };
        format!("{call}(&{once}, {function});")
    } else {
        g.setup.push(Stmt::declares(&key.name, create));
        String::new()
    };
    let shared = g.int("x", 0);
    for (i, actor) in actors.into_iter().enumerate() {
        let (value, get) = (i + 1, key.get());
        let text = if broken {
            let set = key.set(&format!("&{shared}"));
            format!("{first}\n{set}\n{shared} = {value};\n? *(int *){get} == {value}")
        } else {
            let set = key.set(&format!("(void *){value}L"));
            format!("{first}\n? {get} == 0\n{set}\n{shared} = {value};\n? (long){get} == {value}")
        };
        g.put_text(actor, &text);
    }
}

/// What the destructors do at the end of each thread. The broken ones disturb each other, or
/// somebody does not wait for them.
pub(super) fn destructor(g: &mut Gen, broken: bool) {
    let key = declare(g);
    let ended = g.name("ended");
    let plain = broken && g.rng.chance(60);
    let ty = if plain { "int" } else { "atomic_int" };
    g.global(&ended, format!("{ty} {ended};"));
    let count =
        if plain { format!("{ended}++;") } else { format!("atomic_fetch_add(&{ended}, 1);") };
    let body = g.text(&format!("! (void)value;\n{count} #Destructor"));
    let drop = g.function("drop", "void @(void *value)", body);
    g.setup.push(Stmt::declares(&key.name, key.create(&drop)));
    let actors: [Actor; 2] = g.singles();
    let mut total = 0;
    for (i, actor) in actors.into_iter().enumerate() {
        g.put_text(actor, &key.set(&format!("(void *){}L", i + 1)));
        // `main` returns, which ends the process and not the thread.
        total += u32::from(actor != Actor::Main && g.ends(actor));
    }
    let check = format!("? {ended} {} {total}", if g.all_are_joined() { "==" } else { ">=" });
    if broken && (!plain || total < 2) {
        g.put_text(Actor::Main, &format!("? {ended} != 1"));
    } else {
        g.check_text(&check);
    }
}
