//! Objects of several parts that are written in one step or in several.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::Gen;
use crate::concurrent::guard::Guard;
use crate::concurrent::tree::{Item, Stmt, line, parts};

fn object(g: &mut Gen, prefix: &str, ty: &str, construct: Construct) -> String {
    let name = g.name(prefix);
    let parts = parts![ty.replace('@', &name), construct];
    g.globals.push(Item { name: name.clone(), parts });
    name
}

/// A word and its bytes: written at once, or byte by byte.
pub(super) fn union(g: &mut Gen, broken: bool) {
    let wide = g.rng.chance(40);
    let ty = if wide {
        "union { unsigned w; unsigned short h[2]; } @;"
    } else {
        "union { unsigned short w; unsigned char h[2]; } @;"
    };
    let name = object(g, "u", ty, Construct::Union);
    let [writer, reader] = g.two();
    let word = if wide { "0x10001" } else { "0x101" };
    let local = g.name("l");
    if g.rng.chance(50) {
        // Written in parts, read at once, or the other way round.
        let parts = vec![line(format!("{name}.h[0] = 1;")), line(format!("{name}.h[1] = 1;"))];
        let writes = if broken { parts } else { vec![line(format!("{name}.w = {word};"))] };
        let writes = g.wrap(writes, true).stmts;
        g.put(writer, writes);
        let check = g.assertion(&format!("{local} == 0 || {local} == {word}"));
        let read = format!("unsigned {local} = {name}.w;");
        g.put(reader, vec![Stmt::declares(&local, read), check]);
    } else {
        g.put(writer, vec![line(format!("{name}.w = {word};"))]);
        let (first, second) = if broken { (0, 1) } else { (1, 1) };
        let read = format!("unsigned {local} = {name}.h[{first}];");
        let op = if broken { "==" } else { "<=" };
        let check = g.assertion(&format!("{local} {op} {name}.h[{second}]"));
        g.put(reader, vec![Stmt::declares(&local, read), check]);
    }
}

/// Two bit-fields of one word, each of its own thread: writing one also writes
/// the other back.
pub(super) fn bits(g: &mut Gen, broken: bool) {
    let ty = if broken {
        "struct { unsigned a : 4; unsigned b : 4; } @;"
    } else {
        "struct { unsigned char a : 4; unsigned char : 0; unsigned char b : 4; } @;"
    };
    let name = object(g, "s", ty, Construct::BitField);
    let actors = g.two();
    let (a, b) = (g.rng.between(1, 7), g.rng.between(1, 7));
    for (actor, (field, value)) in actors.into_iter().zip([("a", a), ("b", b)]) {
        let write = vec![line(format!("{name}.{field} = {value};"))];
        let write = g.wrap(write, true).stmts;
        g.put(actor, write);
    }
    if actors.iter().all(|actor| g.ends(*actor)) || broken {
        let check = g.assertion(&format!("{name}.a == {a} && {name}.b == {b}"));
        g.checks.push(check);
    } else {
        let check = g.assertion(&format!("{name}.a <= {a} && {name}.b <= {b}"));
        g.checks.push(check);
    }
}

/// A small struct that is copied or cleared as a whole.
pub(super) fn copy(g: &mut Gen, broken: bool) {
    let kind = g.name("pair");
    // Copied word by word, so that only a struct of several words is torn.
    let ty = if broken { "long" } else { g.rng.pick(&["char", "int", "long"]) };
    g.global(&kind, format!("struct {kind} {{ {ty} a, b; }};"));
    let name = g.name("s");
    g.global(&name, format!("struct {kind} {name} = {{1, 1}};"));
    let [writer, reader] = g.two();
    let guard = match g.guard() {
        Guard::Function => Guard::Section,
        guard => guard,
    };
    let wrong = g.wrong_guard(&guard);
    let (new, old) = (g.name("l"), g.name("l"));
    let value = g.rng.between(2, 3);
    let writes = match g.rng.below(5) {
        0..=2 => vec![line(format!("memset(&{name}, {value}, sizeof {name});"))],
        3 => vec![
            Stmt::declares(&new, format!("struct {kind} {new} = {{{value}, {value}}};")),
            line(format!("{name} = {new};")).mark(Construct::Struct),
        ],
        _ => vec![
            Stmt::declares(&new, format!("struct {kind} {new} = {{{value}, {value}}};")),
            line(format!("memcpy(&{name}, &{new}, sizeof {name});")),
        ],
    };
    let writes = g.guarded(if broken { &wrong } else { &guard }, writes);
    g.put(writer, writes);
    let read = if g.rng.chance(65) {
        vec![
            Stmt::declares(&old, format!("struct {kind} {old} = {{0, 0}};")),
            line(format!("memcpy(&{old}, &{name}, sizeof {old});")),
        ]
    } else {
        vec![Stmt::declares(&old, format!("struct {kind} {old} = {name};"))]
    };
    let check = g.assertion(&format!("{old}.a == {old}.b"));
    let mut stmts = read;
    stmts.push(check);
    let stmts = g.guarded(&guard, stmts);
    g.put(reader, stmts);
}

/// An array of records, each thread with one of its own; in the broken one two
/// threads meet in one record.
pub(super) fn records(g: &mut Gen, broken: bool) {
    let ty = "struct { short key; int value; } @[2];";
    let name = object(g, "rec", ty, Construct::StructArray);
    let actors = g.two();
    for (i, actor) in actors.into_iter().enumerate() {
        let index = if broken { 0 } else { i };
        // Several threads of one function would meet as well.
        let value = i + 1;
        let k = g.name("k");
        let at = match g.any_var() {
            Some(var) if g.rng.chance(50) => format!("({} & 0) + {index}", var.place),
            _ => index.to_string(),
        };
        let check = g.assertion(&format!("{name}[{k}].value == {value}"));
        let stmts = vec![
            Stmt::declares(&k, format!("int {k} = {at};")).mark(Construct::ComputedIndex),
            line(format!("{name}[{k}].key = {value};")),
            line(format!("{name}[{k}].value = {name}[{k}].key;")),
            check,
        ];
        g.put(actor, stmts);
    }
}
