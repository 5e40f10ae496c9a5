//! Threads that are detached, joined twice, or ask who they are.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::tree::Stmt;

/// The interface in use.
#[derive(Clone, Copy)]
struct Api {
    c11: bool,
}

impl Api {
    fn of(g: &Gen) -> Self {
        Self { c11: g.c11 }
    }

    fn word(self, posix: &'static str, c11: &'static str) -> &'static str {
        if self.c11 { c11 } else { posix }
    }

    fn create(self, handle: &str, function: &str) -> String {
        match self.c11 {
            true => format!("thrd_create(&{handle}, {function}, 0);"),
            false => format!("pthread_create(&{handle}, 0, {function}, 0);"),
        }
    }

    fn join(self, handle: &str) -> String {
        format!("{}({handle}, 0);", self.word("pthread_join", "thrd_join"))
    }

    fn detach(self, handle: &str) -> String {
        format!("{}({handle});", self.word("pthread_detach", "thrd_detach"))
    }

    fn handle(self) -> &'static str {
        self.word("pthread_t", "thrd_t")
    }
}

impl Gen {
    /// A thread function of its own, besides those of the shape.
    pub(super) fn side_thread(&mut self, text: &str) -> String {
        let mut body = vec![Stmt::required("(void)arg;")];
        body.extend(self.text(text));
        body.push(Stmt::required("return 0;"));
        let head = if self.c11 { "int @(void *arg)" } else { "void *@(void *arg)" };
        self.function("side", head, body)
    }

    /// A global handle of a thread that starts before all others.
    pub(super) fn early_thread(&mut self, function: &str) -> String {
        let (handle, api) = (self.name("th"), Api::of(self));
        self.global(&handle, format!("{} {handle};", api.handle()));
        self.setup.push(Stmt::declares(&handle, api.create(&handle, function)));
        handle
    }
}

/// A detached thread says when it is done; the broken form does not wait for it, or joins or
/// detaches it nevertheless.
pub(super) fn detached(g: &mut Gen, broken: bool) {
    let api = Api::of(g);
    let (data, done) = (g.int("data", 0), g.semaphore(0));
    let value = g.rng.between(1, 9);
    let side = g.side_thread(&format!("{data} = {value};\nsem_post(&{done});"));
    let handle = g.name("th");
    let fault = if broken { g.rng.between(1, 3) } else { 0 };
    let attribute = !g.c11 && g.rng.chance(70);
    let (create, detach) = if attribute {
        let at = g.name("at");
        let create = format!(
            "1~ pthread_attr_t {at}; pthread_attr_init(&{at}); \
             pthread_attr_setdetachstate(&{at}, PTHREAD_CREATE_DETACHED); \
             pthread_create(&{handle}, &{at}, {side}, 0);"
        );
        (create, String::new())
    } else {
        (format!("1~ {}", api.create(&handle, &side)), format!("1~ {}", api.detach(&handle)))
    };
    let wait = if fault == 1 { String::new() } else { g.await_token(&done) };
    let again = match fault {
        2 => format!("1~ {}", api.join(&handle)),
        3 => format!("1~ {}", api.detach(&handle)),
        _ => String::new(),
    };
    let ty = api.handle();
    // The handle leads, so that everything that uses it goes with it.
    let text =
        format!("1< {ty} {handle};\n{create}\n{detach}\n{wait}\n{again}\n? {data} == {value}");
    g.put_text(Actor::Main, &text);
}

/// A thread that one of two joins; in the broken form both do, in some schedules.
pub(super) fn joined_by(g: &mut Gen, broken: bool) {
    let api = Api::of(g);
    let data = g.int("data", 0);
    let value = g.rng.between(1, 9);
    let side = g.side_thread(&format!("{data} = {value};"));
    let handle = g.early_thread(&side);
    let [first, second] = g.singles();
    let taken = g.name("taken");
    g.global(&taken, format!("atomic_int {taken};"));
    let join = api.join(&handle);
    for (i, actor) in [first, second].into_iter().enumerate() {
        // The test and the change are two steps, or only one of the two asks.
        let take = format!("atomic_store(&{taken}, 1);");
        let (test, take) = match (broken, i, g.rng.chance(50)) {
            (false, _, _) => (format!("atomic_exchange(&{taken}, 1) == 0"), ""),
            (true, 1, true) => (data.clone(), ""),
            (true, _, _) => (format!("!atomic_load(&{taken})"), &*take),
        };
        g.put_text(actor, &format!("if ({test})\n    {take}\n    {join}\n    ? {data} == {value}"));
    }
}

/// Threads ask who they are.
pub(super) fn identity(g: &mut Gen, broken: bool) {
    let api = Api::of(g);
    let (own, equal) =
        (api.word("pthread_self()", "thrd_current()"), api.word("pthread_equal", "thrd_equal"));
    let [first, second] = g.singles();
    let who = g.name("who");
    g.global(&who, format!("{} {who};", api.handle()));
    g.setup.push(Stmt::declares(&who, format!("{who} = {own};")));
    let count = g.int("same", 0);
    for actor in [first, second] {
        // Written by `main`, and in the broken form by whoever comes.
        let write = if broken { format!("{who} = {own};") } else { String::new() };
        let claim = match (broken, actor == Actor::Main) {
            (true, _) | (false, true) => format!("{equal}({who}, {own})"),
            (false, false) => format!("!{equal}({who}, {own})"),
        };
        g.put_text(actor, &format!("{write}\n{count} = 1;\n? {claim}"));
    }
}

/// The result of a thread of C11 or POSIX, taken by whom it was created.
pub(super) fn result(g: &mut Gen, broken: bool) {
    let seen = g.int("seen", 0);
    let value = g.rng.between(1, 9);
    let early = format!("if ({seen})\n    return {};", if g.c11 { "1" } else { "(void *)1L" });
    let side = g.side_thread(&early);
    let handle = g.early_thread(&side);
    let other = g.single();
    g.put_text(other, &format!("{seen} = {value};"));
    let (res, c11) = (g.name("res"), g.c11);
    let (ty, join) = if c11 { ("int ", "thrd_join") } else { ("void *", "pthread_join") };
    let got = if c11 { res.clone() } else { format!("(long){res}") };
    let claim = match (broken, g.rng.chance(50)) {
        (true, true) => format!("{got} == 1"),
        (true, false) => format!("{got} == 0"),
        (false, _) => format!("{got} == 0 || {got} == 1"),
    };
    g.put_text(
        Actor::Main,
        &format!("{res}: {ty}{res} = 0;\n{join}({handle}, &{res});\n? {claim}"),
    );
}
