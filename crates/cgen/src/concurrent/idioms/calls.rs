//! Function pointers, and results of threads.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Gen, Join};
use crate::concurrent::tree::{Item, Stmt, block, line, parts};

/// Two functions that write different values.
fn two_functions(g: &mut Gen, target: &str) -> [String; 2] {
    [1, 2]
        .map(|value| g.function("set", "void @(void)", vec![line(format!("{target} = {value};"))]))
}

/// A shared function pointer that changes or is taken away.
pub(super) fn function_pointer(g: &mut Gen, broken: bool) {
    let target = g.int("x", 0);
    let [a, b] = two_functions(g, &target);
    let pointer = g.name("act");
    let start = if g.rng.chance(50) { a.clone() } else { "0".into() };
    g.functions.push(Item {
        name: pointer.clone(),
        parts: parts![format!("static void (*{pointer})(void) = {start};")],
    });
    let [changer, caller] = g.two();
    // What goes wrong: null between check and call, or the wrong function.
    let null = start != "0" && g.rng.chance(60);
    let new = if null { "0".to_string() } else { b };
    let change = vec![line(format!("{pointer} = {new};")).mark(Construct::FunctionPointer)];
    let change = g.wrap(change, true).stmts;
    g.put(changer, change);
    let local = g.name("call");
    let stmts = if broken && null {
        vec![line(format!("if ({pointer}) {pointer}();")).mark(Construct::NullPointer)]
    } else {
        vec![
            Stmt::declares(&local, format!("void (*{local})(void) = {pointer};")),
            line(format!("if ({local}) {local}();")).mark(Construct::NullPointer),
        ]
    };
    g.put(caller, stmts);
    let condition = match (null, broken) {
        (true, _) => format!("{target} <= 1"),
        (false, true) => format!("{target} < 2"),
        (false, false) => format!("{target} <= 2"),
    };
    let check = g.assertion(&condition);
    g.checks.push(check);
}

/// A table of functions with an index that another thread changes.
pub(super) fn table(g: &mut Gen, broken: bool) {
    let (target, at) = (g.int("x", 0), g.int("at", 0));
    let [a, b] = two_functions(g, &target);
    let table = g.name("table");
    g.functions.push(Item {
        name: table.clone(),
        parts: parts![format!("static void (*{table}[2])(void) = {{{a}, {b}}};")],
    });
    let [changer, caller] = g.two();
    let mutex = g.mutex();
    let lock = format!("pthread_mutex_lock(&{mutex});");
    let unlock = format!("pthread_mutex_unlock(&{mutex});");
    // The index is 1 for a moment only, and the lock hides the moment.
    let change = vec![line(format!("{at} = 1;")), line(format!("{at} = 0;"))];
    let change = g.around(lock.clone(), change, unlock.clone());
    g.put(changer, change);
    let call = vec![
        line(format!("{table}[{at} & 1]();"))
            .mark(Construct::FunctionTable)
            .mark(Construct::ComputedIndex),
    ];
    let call = if broken { call } else { g.around(lock, call, unlock) };
    g.put(caller, call);
    let check = g.assertion(&format!("{target} <= 1"));
    g.checks.push(check);
}

/// A thread's result, through `return` or `pthread_exit`.
pub(super) fn result(g: &mut Gen, broken: bool) {
    let free = |g: &Gen, f: usize| {
        !g.c11 && g.can_return(Actor::All(f)) && g.threads[f].join == Join::Plain
    };
    let Some(f) = (0..g.threads.len()).find(|f| free(g, *f)) else {
        return table(g, broken);
    };
    g.threads[f].conditional = false;
    let res = g.name("res");
    let declare = Stmt::declares(&res, format!("void *{res} = 0;"));
    g.setup.push(declare.mark(Construct::ThreadResult));
    g.threads[f].join = Join::Result(res.clone());
    let exit = g.rng.chance(50);
    let end = |value: &str| {
        if exit { format!("pthread_exit({value}); return 0;") } else { format!("return {value};") }
    };
    let early = |value: &str| {
        if exit { format!("pthread_exit({value});") } else { format!("return {value};") }
    };
    if g.rng.chance(50) {
        pointer_result(g, f, &res, broken, end);
        return;
    }
    // The result tells what the thread saw.
    let seen = g.int("seen", 0);
    let other = g.two().into_iter().find(|actor| *actor != Actor::All(f)).unwrap_or(Actor::Main);
    g.put(other, vec![line(format!("{seen} = 1;")), line(format!("{seen} = 2;"))]);
    let back = line(early("(void *)1L")).mark(Construct::EarlyReturn);
    g.put_last(Actor::All(f), vec![block(format!("if ({seen} == 1)"), vec![back])]);
    g.threads[f].end = end("(void *)2L");
    let condition = if broken {
        format!("(long){res} == 2")
    } else {
        format!("(long){res} == 1 || (long){res} == 2")
    };
    let check = g.assertion(&condition);
    g.checks.push(check);
}

/// The result is the address of what the thread wrote.
fn pointer_result(g: &mut Gen, f: usize, res: &str, broken: bool, end: impl Fn(&str) -> String) {
    let place = g.int("out", 0);
    let value = g.rng.between(1, 3);
    g.put(Actor::All(f), vec![line(format!("{place} = {value};"))]);
    g.threads[f].end = end(&format!("&{place}"));
    let got = g.name("got");
    g.checks.push(Stmt::declares(&got, format!("int *{got} = {res};")));
    let check = g.assertion(&format!("{got} == 0 || *{got} == {value}"));
    g.checks.push(check);
    if broken {
        // Someone else writes there, too.
        let other =
            g.two().into_iter().find(|actor| *actor != Actor::All(f)).unwrap_or(Actor::Main);
        g.put(other, vec![line(format!("{place} = {};", value + 1))]);
    }
}
