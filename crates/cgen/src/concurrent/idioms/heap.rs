//! Blocks that one thread allocates and another uses or frees.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Gen, Join};
use crate::concurrent::guard::Guard;
use crate::concurrent::tree::{Item, Keep, Stmt, block, line, parts};

/// A block is filled and handed over through a shared pointer.
pub(super) fn hand_over(g: &mut Gen, broken: bool) {
    let shared = g.name("box");
    let (ty, field) =
        g.rng.pick(&[("int", ""), ("struct { int a; short b; }", ".b"), ("long", "")]);
    let kind = g.name("boxed");
    g.global(&kind, format!("typedef {ty} {kind};"));
    let atomic = g.rng.chance(30);
    let qualifier = if atomic { "_Atomic " } else { "" };
    let declare = parts![format!("{kind} *{qualifier}{shared};"), Construct::HeapHandOver];
    g.globals.push(Item { name: shared.clone(), parts: declare });
    let [maker, user] = g.two();
    let (new, got) = (g.name("new"), g.name("got"));
    let value = g.rng.between(1, 3);
    let allocate = Stmt::declares(&new, format!("{kind} *{new} = calloc(1, sizeof *{new});"));
    let fill = line(format!("(*{new}){field} = {value};"));
    let give = line(format!("{shared} = {new};"));
    // Too early: not filled yet, or freed after all.
    let freed = broken && g.rng.chance(65);
    let mut stmts =
        if broken && !freed { vec![allocate, give, fill] } else { vec![allocate, fill, give] };
    if freed {
        stmts.push(line(format!("free({new});")).mark(Construct::Free));
    }
    g.put(maker, stmts);
    let read = Stmt::declares(&got, format!("{kind} *{got} = {shared};"));
    let check = g.assertion(&format!("(*{got}){field} == {value}"));
    let body = if g.rng.chance(40) {
        vec![check, line(format!("(*{got}){field} = {value};"))]
    } else {
        vec![check]
    };
    g.put(user, vec![read, block(format!("if ({got})"), body).mark(Construct::NullPointer)]);
    if !freed && g.ends(user) && g.rng.chance(50) {
        g.checks.push(line(format!("free({shared});")).mark(Construct::Free));
    }
}

/// A block that whoever comes first frees. The broken ones all free it.
pub(super) fn free_once(g: &mut Gen, broken: bool) {
    let shared = g.name("buf");
    let exchange = g.rng.chance(40);
    let qualifier = if exchange { "_Atomic " } else { "" };
    g.global(&shared, format!("int *{qualifier}{shared};"));
    g.setup.push(line(format!("{shared} = calloc(1, sizeof(int));")));
    let guard = if broken { Guard::None } else { g.guard() };
    for actor in g.team() {
        let got = g.name("got");
        let stmts = if exchange && !broken {
            let take = format!("int *{got} = atomic_exchange(&{shared}, (int *)0);");
            let body = vec![line(format!("*{got} = 1;")), line(format!("free({got});"))];
            vec![Stmt::declares(&got, take), block(format!("if ({got})"), body)]
        } else {
            let body = vec![line(format!("free({shared});")), line(format!("{shared} = 0;"))];
            let check = block(format!("if ({shared} != 0)"), body).mark(Construct::NullPointer);
            g.guarded(&guard, vec![check])
        };
        let stmts = g.wrap(stmts, broken).stmts;
        g.put(actor, stmts);
    }
    // A mark needs a statement; this one does no harm in either form.
    let last = line(format!("{shared} = 0;")).mark(Construct::DoubleFree).mark(Construct::Free);
    g.checks.push(last);
}

/// A block that all use and `main` frees: after the joins, or too early.
pub(super) fn free_late(g: &mut Gen, broken: bool) {
    let shared = g.name("buf");
    let len = g.rng.between(1, 2);
    g.global(&shared, format!("short *{shared};"));
    g.setup.push(line(format!("{shared} = calloc({len}, sizeof(short));")));
    let mut all_end = true;
    for f in 0..g.threads.len() {
        let value = g.rng.between(1, 3);
        let stmts = vec![line(format!("{shared}[{}] = {value};", len - 1))];
        let stmts = g.wrap(stmts, broken).stmts;
        g.put(Actor::All(f), stmts);
        all_end &= g.ends(Actor::All(f)) || g.threads[f].join != Join::Never;
    }
    let free = line(format!("free({shared});")).mark(Construct::Free);
    if broken {
        g.put(Actor::Main, vec![free]);
    } else if all_end {
        let check = g.assertion(&format!("{shared}[0] <= 3"));
        g.checks.extend([check, free]);
    }
}

/// A list of two or three nodes that the threads push to.
pub(super) fn list(g: &mut Gen, broken: bool) {
    let (node, head) = (g.name("node"), g.name("head"));
    g.global(&node, format!("struct {node} {{ int value; struct {node} *next; }};"));
    g.global(&head, format!("struct {node} *{head};"));
    let guard = g.guard();
    let team = g.team();
    let (mut all_end, mut total) = (true, 0);
    for actor in team {
        let new = g.name("new");
        let make = format!("struct {node} *{new} = calloc(1, sizeof *{new});");
        let fill = line(format!("{new}->value = 1;"));
        let link = vec![
            line(format!("{new}->next = {head};")),
            line(format!("{head} = {new};")).mark(Construct::LinkedNodes),
        ];
        let declare = Stmt::declares(&new, make);
        let stmts = [vec![declare, fill], link].concat();
        let stmts = if broken { stmts } else { g.guarded(&guard, stmts) };
        g.put(actor, stmts);
        all_end &= g.ends(actor);
        total += g.count(actor);
    }
    count_nodes(g, &node, &head, total, all_end || broken);
}

/// `main` counts the nodes after the joins.
/// An array that grows with each element that a thread adds. The broken ones grow it, or add to it,
/// without protection.
pub(super) fn grown(g: &mut Gen, broken: bool) {
    let (items, count) = (g.name("items"), g.name("count"));
    let ty = g.rng.pick(&["int", "char", "long", "struct { char tag; int value; }"]);
    let element = g.name("element");
    let field = if ty.starts_with("struct") { ".value" } else { "" };
    g.global(&element, format!("typedef {ty} {element};"));
    g.global(&items, format!("{element} *{items};"));
    g.global(&count, format!("int {count};"));
    // From nothing, or from a block with room.
    let room = g.rng.between(0, 1);
    if room > 0 {
        g.setup.push(line(format!("{items} = calloc({room}, sizeof *{items});")));
    }
    let guard = g.guard();
    let team = g.team();
    let (mut all_end, mut total) = (true, 0);
    for actor in team {
        let size = match g.rng.below(3) {
            0 => "4".to_owned(),
            _ => format!("({count} + {})", 1 + room),
        };
        let grow = format!("{items} = realloc({items}, {size} * sizeof *{items});");
        let grow = line(grow).mark(Construct::Realloc);
        let fill = line(format!("{items}[{count}]{field} = 1;"));
        let add = line(format!("{count}++;"));
        let stmts = if !broken {
            g.guarded(&guard, vec![grow, fill, add])
        } else if g.rng.chance(50) {
            [g.guarded(&guard, vec![grow]), vec![fill, add]].concat()
        } else {
            vec![grow, fill, add]
        };
        g.put(actor, stmts);
        all_end &= g.ends(actor);
        total += g.count(actor);
    }
    if all_end || broken {
        let sum: Vec<String> =
            (0..total.min(3)).map(|at| format!("{items}[{at}]{field}")).collect();
        let (whole, sum) = (total.min(3), sum.join(" + "));
        let check = g.assertion(&format!("{count} == {total} && {sum} == {whole}"));
        g.checks.push(check);
    }
}

fn count_nodes(g: &mut Gen, node: &str, head: &str, total: u32, exact: bool) {
    let (at, sum) = (g.name("at"), g.name("sum"));
    let id = g.number();
    let op = if exact { "==" } else { "<=" };
    let check = g.assertion(&format!("{sum} {op} {total}"));
    g.checks.push(Stmt::declares(&sum, format!("int {sum} = 0;")));
    let head = format!("for (struct {node} *{at} = {head}; {at}; {at} = {at}->next) ");
    let add = line(format!("{sum} += {at}->value;"));
    g.checks.push(Stmt::kept(Keep::Leads(id), parts![head, vec![add], Construct::BoundedLoop]));
    g.checks.push(check);
}
