//! Only one of several threads may get something.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::Gen;
use crate::concurrent::tree::{Part, Stmt, block, line, parts};

/// A token that the first to come takes.
pub(super) fn claim(g: &mut Gen, broken: bool) {
    let owners = g.int("owners", 0);
    let how = g.rng.below(6);
    let taken = g.name("taken");
    let ty = if how == 0 { "int" } else { "atomic_int" };
    let gnu = how == 4 || how == 5;
    g.global(&taken, format!("{} {taken};", if gnu { "int" } else { ty }));
    let guard = g.guard();
    for actor in g.team() {
        let got = vec![line(format!("{owners}++;")).mark(Construct::Increment)];
        let stmts = match how {
            _ if broken && how != 0 && !gnu => {
                let set = line(format!("atomic_store(&{taken}, 1);"));
                vec![
                    block(format!("if (!atomic_load(&{taken}))"), [vec![set], got].concat())
                        .mark(Construct::ReadCheckWrite),
                ]
            }
            _ if broken || how == 0 => {
                let set = line(format!("{taken} = 1;"));
                let check = block(format!("if ({taken} == 0)"), [vec![set], got].concat())
                    .mark(Construct::ReadCheckWrite);
                if broken { vec![check] } else { g.guarded(&guard, vec![check]) }
            }
            1 => vec![block(format!("if (atomic_exchange(&{taken}, 1) == 0)"), got)],
            2 => vec![block(format!("if ((atomic_fetch_or(&{taken}, 2) & 2) == 0)"), got)],
            3 => {
                let old = g.name("e");
                let how = g.rng.pick(&["strong", "weak"]);
                let test = format!("atomic_compare_exchange_{how}(&{taken}, &{old}, 1)");
                vec![
                    Stmt::declares(&old, format!("int {old} = 0;")),
                    block(format!("if ({test})"), got),
                ]
            }
            4 => vec![block(format!("if (__sync_bool_compare_and_swap(&{taken}, 0, 1))"), got)],
            _ => vec![block(format!("if (__sync_lock_test_and_set(&{taken}, 1) == 0)"), got)],
        };
        let wrapped = g.wrap(stmts, true);
        g.put(actor, wrapped.stmts);
    }
    let check = g.assertion(&format!("{owners} <= 1"));
    g.checks.push(check);
}

/// Each announces itself and then looks for the other; the broken one looks
/// first.
pub(super) fn dekker(g: &mut Gen, broken: bool) {
    let (a, b) = (g.int("want", 0), g.int("want", 0));
    let inside = g.int("inside", 0);
    let actors = g.two();
    for (actor, (own, other)) in actors.into_iter().zip([(&a, &b), (&b, &a)]) {
        let step = match g.rng.below(3) {
            0 => vec![
                line(format!("{inside}++;")).mark(Construct::Increment),
                g.assertion(&format!("{inside} == 1")),
                line(format!("{inside}--;")),
            ],
            _ => {
                let value = g.rng.between(1, 3);
                vec![
                    line(format!("{inside} = {value};")),
                    g.assertion(&format!("{inside} == {value}")),
                    line(format!("{inside} = 0;")),
                ]
            }
        };
        let announce = line(format!("{own} = 1;"));
        if broken {
            let body = [vec![announce], step].concat();
            g.put(actor, vec![block(format!("if (!{other})"), body)]);
        } else {
            let enter = Stmt::new(parts![format!("if (!{other}) "), Part::Block(step)]);
            // Two threads of one function would take each other for one.
            if g.count(actor) == 1 {
                g.put(actor, vec![announce, enter]);
            }
        }
    }
}
