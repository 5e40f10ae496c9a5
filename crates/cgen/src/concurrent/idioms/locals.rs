//! Locals that other threads use.

use super::pointers::null;
use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Arg, Gen, Join};
use crate::concurrent::tree::{Item, Keep, Stmt, line, parts};

/// A local of `main` that a thread writes.
pub(super) fn escape(g: &mut Gen, broken: bool) {
    let Some(f) = (0..g.threads.len()).find(|f| g.threads[*f].arg == Arg::None) else {
        return null(g, broken);
    };
    let (local, copy) = (g.name("local"), g.name("lp"));
    let array = g.rng.chance(30);
    let (declare, place) = if array {
        (format!("int {local}[2] = {{0, 0}};"), format!("{local}[1]"))
    } else {
        (format!("int {local} = 0;"), local.clone())
    };
    g.setup.push(Stmt::declares(&local, declare).mark(Construct::EscapingLocal));
    let value = format!("&{place}");
    g.threads[f].arg = Arg::Pointer { value, name: copy.clone(), ty: "int *".into() };
    // Whether a thread may still run when `main` has returned is not the point.
    if g.threads[f].join == Join::Never {
        g.threads[f].join = Join::Plain;
    }
    if g.threads[f].count > 1 || g.rng.chance(30) {
        count_in_local(g, f, &place, &copy, broken);
    } else {
        write_local(g, f, &place, &copy, broken);
    }
}

/// `main` and the threads count in the local.
fn count_in_local(g: &mut Gen, f: usize, place: &str, copy: &str, broken: bool) {
    let mutex = g.mutex();
    let lock = format!("pthread_mutex_lock(&{mutex});");
    let unlock = format!("pthread_mutex_unlock(&{mutex});");
    let up = line(format!("*{copy} += 1;")).mark(Construct::AddAssign);
    let stmts = if broken { vec![up] } else { g.around(lock.clone(), vec![up], unlock.clone()) };
    g.put(Actor::All(f), stmts);
    let own = line(format!("{place} += 1;")).mark(Construct::AddAssign);
    let own = g.around(lock, vec![own], unlock);
    g.put(Actor::Main, own);
    let op = if g.ends(Actor::All(f)) { "==" } else { "<=" };
    let total = g.threads[f].count + 1;
    let check = g.assertion(&format!("{place} {op} {total}"));
    g.checks.push(check);
}

/// One thread writes the local, and `main` looks after the join or before it.
fn write_local(g: &mut Gen, f: usize, place: &str, copy: &str, broken: bool) {
    let value = g.rng.between(1, 3);
    g.put(Actor::All(f), vec![line(format!("*{copy} = {value};"))]);
    let condition = match (broken, g.ends(Actor::All(f))) {
        (true, _) => format!("{place} != {value}"),
        (false, true) => format!("{place} == {value}"),
        (false, false) => format!("{place} == {value} || {place} == 0"),
    };
    let check = g.assertion(&condition);
    if broken && g.rng.chance(60) {
        g.put(Actor::Main, vec![check]);
    } else {
        g.checks.push(check);
    }
}

/// A function that gives its local to a thread of its own; the broken one
/// returns before that thread has ended.
pub(super) fn dangle(g: &mut Gen, broken: bool) {
    if g.thread_count() > 3 {
        return escape(g, broken);
    }
    let (local, handle, group) = (g.name("local"), g.name("h"), g.number());
    let value = g.rng.between(1, 3);
    let body = vec![line(format!("*(int *)arg = {value};")), Stmt::required("return 0;")];
    let late = g.function("late", "void *@(void *arg)", body);
    g.globals.push(Item { name: handle.clone(), parts: parts![format!("pthread_t {handle};")] });
    let create = format!("pthread_create(&{handle}, 0, {late}, &{local});");
    let create = Stmt::kept(Keep::Leads(group), parts![create, Construct::PointerArgument]);
    let declare = Stmt::declares(&local, format!("int {local} = 0;"));
    let mut body = vec![declare.mark(Construct::EscapingLocal), create];
    if broken {
        let condition = format!("{local} == 0 || {local} == {value}");
        body.push(g.assertion(&condition));
    } else {
        let join = parts![format!("pthread_join({handle}, 0);")];
        body.push(Stmt::kept(Keep::Follows(group), join));
        body.push(g.assertion(&format!("{local} == {value}")));
    }
    let spawn = g.function("spawn", "void @(void)", body);
    let single = |g: &Gen, actor: &Actor| g.count(*actor) == 1;
    let actor = g.everyone().into_iter().find(|actor| single(g, actor)).unwrap_or(Actor::Main);
    g.put(actor, vec![line(format!("{spawn}();")).mark(Construct::Call)]);
}
