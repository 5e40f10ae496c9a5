//! What must happen once, before anybody goes on.

use crate::concurrent::generator::{Actor, Gen};
use crate::concurrent::objects::{ONCE, ONCE_FLAG};
use crate::concurrent::tree::{Stmt, line};

/// The way the broken form goes wrong.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    /// A test in place of the library.
    ByHand,
    /// Two control objects for one function.
    TwoFlags,
    /// One does not call it at all.
    Missing,
}

/// Everyone sees that the function ran exactly once, and what it did.
pub(super) fn initialize(g: &mut Gen, broken: bool) {
    let c11 = g.rng.chance(45);
    let kind = if c11 { &ONCE_FLAG } else { &ONCE };
    let call = if c11 { "call_once" } else { "pthread_once" };
    let fault = match broken {
        true => g.rng.pick(&[Fault::ByHand, Fault::TwoFlags, Fault::Missing]),
        false => Fault::Nothing,
    };
    let (runs, data) = (g.int("runs", 0), g.int("data", 0));
    let value = g.rng.between(1, 9);
    let body = vec![line(format!("{data} = {value};")), line(format!("{runs}++;"))];
    let function = g.function("init", "void @(void)", body);
    let flag = g.object(kind);
    let actors: [Actor; 2] = g.singles();
    for (i, actor) in actors.into_iter().enumerate() {
        let usual = line(format!("{call}(&{flag}, {function});"));
        let stmts = match fault {
            Fault::TwoFlags if i == 1 => {
                let other = g.object(kind);
                vec![line(format!("{call}(&{other}, {function});"))]
            }
            Fault::Missing if i == 1 => Vec::new(),
            Fault::ByHand => by_hand(g, &format!("{function}();")),
            _ => vec![usual],
        };
        g.put(actor, stmts);
        let check = g.assertion(&format!("{runs} == 1 && {data} == {value}"));
        g.put(actor, vec![check]);
    }
}

/// A flag of its own for each thread would never be shared: there is one for all.
fn by_hand(g: &mut Gen, act: &str) -> Vec<Stmt> {
    let done = "once_done";
    if !g.globals.iter().any(|item| item.name == done) {
        g.global(done, format!("int {done};"));
    }
    g.text(&format!("if (!{done})\n    {done} = 1;\n    {act}"))
}
