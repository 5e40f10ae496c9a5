//! Threads that count together: no update may be lost.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::guard::Guard;
use crate::concurrent::tree::{Item, Stmt, line, parts};

/// How often the team's work runs.
#[derive(Default)]
struct Times {
    least: u32,
    most: u32,
}

impl Gen {
    /// Gives an actor work with some control flow around it.
    fn work(&mut self, actor: Actor, stmts: Vec<Stmt>, exact: bool, times: &mut Times) {
        let wrapped = self.wrap(stmts, exact);
        let count = self.count(actor);
        times.most += count * wrapped.most;
        if self.ends(actor) {
            times.least += count * wrapped.least;
        }
        self.put(actor, wrapped.stmts);
    }

    /// After the joins, `place` must have the sum of all steps.
    fn check_total(&mut self, place: &str, step: u32, times: &Times) {
        let (least, most) = (step * times.least, step * times.most);
        let condition = match self.rng.below(3) {
            _ if least < most => format!("{place} >= {least} && {place} <= {most}"),
            0 => format!("{place} > {}", most - 1),
            _ => format!("{place} == {most}"),
        };
        let check = self.assertion(&condition);
        self.checks.push(check);
    }

    /// A shared integer somewhere, with its type.
    fn counter(&mut self) -> String {
        let name = self.name("c");
        let (ty, place, construct) = match self.rng.below(12) {
            0 => ("short @;", "@", Construct::PlainShort),
            1 => ("signed char @;", "@", Construct::PlainChar),
            2 => ("long @;", "@", Construct::PlainLong),
            3 => ("unsigned @;", "@", Construct::PlainUnsigned),
            4 => ("struct { char a; int b; } @;", "@.b", Construct::Struct),
            5 => ("struct { int a; long b; } @[2];", "@[1].b", Construct::StructArray),
            6 => ("struct { unsigned a : 2; unsigned b : 6; } @;", "@.b", Construct::BitField),
            7 => ("unsigned long @;", "@", Construct::LongArithmetic),
            8 => ("unsigned char @;", "@", Construct::PlainChar),
            _ => ("int @;", "@", Construct::PlainInt),
        };
        let parts = parts![ty.replace('@', &name), construct];
        self.globals.push(Item { name: name.clone(), parts });
        place.replace('@', &name)
    }

    fn count_up(&mut self, place: &str, step: u32) -> Vec<Stmt> {
        match self.rng.below(3) {
            0 if step == 1 => vec![line(format!("{place}++;")).mark(Construct::Increment)],
            1 => {
                let old = self.name("l");
                vec![
                    Stmt::declares(&old, format!("long {old} = {place};")),
                    line(format!("{place} = {old} + {step};")),
                ]
            }
            _ => vec![line(format!("{place} += {step};")).mark(Construct::AddAssign)],
        }
    }
}

/// A plain counter under a guard.
pub(super) fn guarded(g: &mut Gen, broken: bool) {
    let (place, step) = (g.counter(), g.rng.between(1, 2));
    let guard = g.guard();
    let wrong = g.wrong_guard(&guard);
    let mut times = Times::default();
    for (i, actor) in g.team().into_iter().enumerate() {
        let body = g.count_up(&place, step);
        // The first alone is wrong, so that it takes another to show it.
        let guard = if broken && i == 0 { &wrong } else { &guard };
        let own = broken && g.count(actor) > 1;
        let stmts = g.guarded(if own { &Guard::None } else { guard }, body);
        g.work(actor, stmts, broken, &mut times);
    }
    g.check_total(&place, step, &times);
}

/// A C11 atomic counter; the broken one loads and stores.
pub(super) fn atomic(g: &mut Gen, broken: bool) {
    let (name, step) = (g.name("c"), g.rng.between(1, 2));
    let ty = g.rng.pick(&["atomic_int", "_Atomic short", "_Atomic unsigned char", "atomic_long"]);
    let down = g.rng.chance(65);
    let mut times = Times::default();
    let start = if down { 20 } else { 0 };
    g.global(&name, format!("{ty} {name} = {start};"));
    for (i, actor) in g.team().into_iter().enumerate() {
        let (op, sign) = if down { ("sub", '-') } else { ("add", '+') };
        let stmts = if broken && i == 0 {
            let old = g.name("l");
            vec![
                Stmt::declares(&old, format!("int {old} = atomic_load(&{name});")),
                line(format!("atomic_store(&{name}, {old} {sign} {step});")),
            ]
        } else if g.rng.chance(30) {
            vec![line(format!("{name} {sign}= {step};"))]
        } else {
            vec![line(format!("atomic_fetch_{op}(&{name}, {step});"))]
        };
        g.work(actor, stmts, broken, &mut times);
    }
    let place = if down { format!("20 - {name}") } else { name };
    g.check_total(&place, step, &times);
}

/// A plain counter with the builtins of GCC; in the broken one, one thread does
/// without.
pub(super) fn gnu(g: &mut Gen, broken: bool) {
    let (name, step) = (g.name("c"), g.rng.between(1, 2));
    let ty = g.rng.pick(&["int", "short", "long", "unsigned char"]);
    let mut times = Times::default();
    g.global(&name, format!("{ty} {name};"));
    for (i, actor) in g.team().into_iter().enumerate() {
        let stmts = if broken && i == 0 {
            g.count_up(&name, step)
        } else {
            vec![line(match g.rng.below(4) {
                0 => format!("__sync_fetch_and_add(&{name}, {step});"),
                1 => format!("__sync_add_and_fetch(&{name}, {step});"),
                2 => format!("__atomic_fetch_add(&{name}, {step}, __ATOMIC_SEQ_CST);"),
                _ => format!("__atomic_add_fetch(&{name}, {step}, __ATOMIC_RELAXED);"),
            })]
        };
        g.work(actor, stmts, broken, &mut times);
    }
    g.check_total(&name, step, &times);
}

/// A counter by compare-and-exchange with few attempts: the sum of what
/// succeeded. The broken one takes every attempt for a success.
pub(super) fn compare_exchange(g: &mut Gen, broken: bool) {
    let (name, done) = (g.name("c"), g.name("done"));
    g.global(&name, format!("atomic_int {name};"));
    g.global(&done, format!("atomic_int {done};"));
    let mut all_end = true;
    for actor in g.team() {
        let how = g.rng.pick(&["strong", "weak"]);
        let (old, i, turns) = (g.name("l"), g.name("i"), g.rng.between(1, 2));
        let attempt = format!("atomic_compare_exchange_{how}(&{name}, &{old}, {old} + 1)");
        let then = if broken {
            vec![line(format!("{attempt};")), line(format!("atomic_fetch_add(&{done}, 1);"))]
        } else {
            vec![line(format!("if ({attempt}) {{ atomic_fetch_add(&{done}, 1); break; }}"))]
        };
        let head = if broken {
            String::new()
        } else {
            format!("for (int {i} = 0; {i} < {turns}; {i}++) ")
        };
        let block = Stmt::new(parts![head, then, Construct::BoundedLoop]);
        let declare = Stmt::declares(&old, format!("int {old} = atomic_load(&{name});"));
        g.put(actor, vec![declare, block]);
        all_end &= g.ends(actor);
    }
    // A thread that goes on may be between the two.
    let condition =
        if all_end || broken { format!("{name} == {done}") } else { format!("{done} <= {name}") };
    let check = g.assertion(&condition);
    g.checks.push(check);
}

/// A counter in a static local of a function that all call.
pub(super) fn static_local(g: &mut Gen, broken: bool) {
    let (count, seen) = (g.name("count"), g.int("seen", 0));
    let up = line(format!("{count}++;")).mark(Construct::Increment);
    let body = vec![
        Stmt::declares(&count, format!("static int {count};")).mark(Construct::StaticLocal),
        up,
        Stmt::new(parts![format!("{seen} = {count};")]),
    ];
    let next = g.function("next", "void @(void)", body);
    let guard = if broken { Guard::None } else { g.guard() };
    let mut times = Times::default();
    for actor in g.team() {
        let stmts = g.guarded(&guard, vec![line(format!("{next}();")).mark(Construct::Call)]);
        g.work(actor, stmts, broken, &mut times);
    }
    g.check_total(&seen, 1, &times);
}

/// A counter of each thread's own; the broken one is shared.
pub(super) fn thread_local(g: &mut Gen, broken: bool) {
    let name = g.name("own");
    let class = if broken { "" } else { "_Thread_local " };
    g.global(&name, format!("{class}int {name};"));
    let other = g.name("own");
    if broken {
        g.global(&other, format!("_Thread_local int {other};"));
    }
    for actor in g.team() {
        let mut times = Times::default();
        let up = vec![line(format!("{name}++;")).mark(Construct::Increment)];
        let wrapped = g.wrap(up, true);
        times.most += wrapped.most;
        g.put(actor, wrapped.stmts);
        if broken {
            g.put(actor, vec![line(format!("{other} += {name};"))]);
        }
        let check = g.assertion(&format!("{name} == {}", times.most));
        g.put(actor, vec![check]);
    }
}
