//! Invariants over several variables, and shapes of locking.

use crate::concurrent::construct::Construct;
use crate::concurrent::generator::Gen;
use crate::concurrent::guard::Guard;
use crate::concurrent::tree::{Keep, Stmt, block, line, parts};

/// Two variables that are equal whenever the guard is free.
pub(super) fn pair(g: &mut Gen, broken: bool) {
    let (a, b) = (g.int("x", 0), g.int("y", 0));
    let [writer, reader] = g.two();
    let guard = g.guard();
    let wrong = g.wrong_guard(&guard);
    let writes = match g.rng.below(3) {
        0 => vec![
            line(format!("{a}++;")).mark(Construct::Increment),
            line(format!("{b}++;")).mark(Construct::Increment),
        ],
        1 => {
            let (value, input) = (g.name("l"), g.input());
            let declare = parts![format!("int {value} = "), input, ";"];
            vec![
                Stmt { parts: declare, ..Stmt::declares(&value, "") },
                line(format!("{a} = {value};")),
                line(format!("{b} = {value};")),
            ]
        }
        _ => vec![line(format!("{a} = 2;")), line(format!("{b} = {a};"))],
    };
    let side = g.rng.chance(50);
    let (of_writer, of_reader) = match (broken, side) {
        (false, _) => (&guard, &guard),
        (true, false) => (&wrong, &guard),
        (true, true) => (&guard, &wrong),
    };
    let writes = g.guarded(of_writer, writes);
    let writes = g.wrap(writes, broken).stmts;
    g.put(writer, writes);
    let check = g.assertion(&format!("{a} == {b}"));
    let reads = g.guarded(of_reader, vec![check]);
    g.put(reader, reads);
}

/// Money that moves between accounts: the sum stays.
pub(super) fn transfer(g: &mut Gen, broken: bool) {
    let (a, b) = (g.int("acct", 3), g.int("acct", 2));
    let m = g.mutex();
    let n = g.other_mutex(&m);
    let [first, second] = g.two();
    for (i, (actor, from, to)) in [(first, &a, &b), (second, &b, &a)].into_iter().enumerate() {
        let amount = g.rng.between(1, 2);
        let moves = vec![
            line(format!("{from} -= {amount};")),
            line(format!("{to} += {amount};")).mark(Construct::AddAssign),
        ];
        let moves = g.wrap(moves, true).stmts;
        // The broken second takes one of the two locks only, or none.
        let stmts = if broken && i == 1 && g.rng.chance(50) {
            moves
        } else {
            let (outer, inner) = if g.rng.chance(15) { (&n, &m) } else { (&m, &n) };
            let inner = if broken && i == 1 { outer } else { inner };
            let nested = if inner == outer {
                moves
            } else {
                g.guarded(&Guard::Mutex(format!("&{inner}")), moves)
            };
            let last = format!("pthread_mutex_unlock(&{outer});");
            let mut stmts = g.around(format!("pthread_mutex_lock(&{outer});"), nested, last);
            if inner != outer {
                stmts[0].parts.push(Construct::NestedLocks.into());
            }
            stmts
        };
        g.put(actor, stmts);
        if i == 1 && broken {
            // One lock would do if the other thread held it as well.
            let check = g.assertion(&format!("{a} + {b} == 5"));
            g.put(actor, vec![check]);
        }
    }
    if g.ends(first) && g.ends(second) || broken {
        let check = g.assertion(&format!("{a} + {b} == 5"));
        g.checks.push(check);
    }
}

/// Counters under an array of mutexes; the broken one takes another's.
pub(in crate::concurrent) fn mutex_array(g: &mut Gen, broken: bool) {
    let (mutexes, counts) = (g.name("mm"), g.name("cc"));
    let init = "{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}";
    g.global(&mutexes, format!("pthread_mutex_t {mutexes}[2] = {init};"));
    g.global(&counts, format!("int {counts}[2];"));
    let team = g.team();
    let mut ends = true;
    let mut total = 0;
    for (i, actor) in team.into_iter().enumerate() {
        let k = g.name("k");
        let index = match (g.rng.below(3), g.any_var()) {
            (0, Some(var)) => format!("{} & 1", var.place),
            (1, _) if g.inputs > 0 => {
                g.inputs -= 1;
                "__VERIFIER_nondet_bool()".into()
            }
            _ => g.rng.below(2).to_string(),
        };
        let wrong = broken && i == 0;
        let locked = if wrong { format!("{mutexes}[1 - {k}]") } else { format!("{mutexes}[{k}]") };
        let up = vec![line(format!("{counts}[{k}]++;")).mark(Construct::Increment)];
        let lock = format!("pthread_mutex_lock(&{locked});");
        let mut stmts = g.around(lock, up, format!("pthread_mutex_unlock(&{locked});"));
        stmts[0].parts.push(Construct::MutexArray.into());
        let declare = Stmt::declares(&k, format!("int {k} = {index};"));
        stmts.insert(0, declare.mark(Construct::ComputedIndex));
        g.put(actor, stmts);
        ends &= g.ends(actor);
        total += g.count(actor);
    }
    let op = if ends || broken { "==" } else { "<=" };
    let check = g.assertion(&format!("{counts}[0] + {counts}[1] {op} {total}"));
    g.checks.push(check);
}

/// A limit that is checked under the lock, with a return on the way. The broken
/// one checks before it locks.
pub(super) fn early_return(g: &mut Gen, broken: bool) {
    let name = g.int("used", 0);
    let mutex = g.mutex();
    let limit = if broken { 1 } else { g.rng.between(1, 2) };
    for (i, actor) in g.team().into_iter().enumerate() {
        let (id, count) = (g.number(), g.rng.between(1, 2));
        let thread = g.can_return(actor);
        let leave = if thread { g.leave() } else { line("return;").mark(Construct::EarlyReturn) };
        let unlock = format!("pthread_mutex_unlock(&{mutex});");
        let last = Stmt::kept(Keep::Ends(id), parts![&unlock]);
        let full = format!("if ({name} >= {limit})");
        let lock = Stmt::kept(Keep::Leads(id), parts![format!("pthread_mutex_lock(&{mutex});")]);
        let up = line(format!("{name}++;")).mark(Construct::Increment);
        let stmts = if broken && i == 0 {
            vec![block(full, vec![leave]), lock, up, last]
        } else {
            // One statement: an unlock without the return would be one too many.
            let parts = [parts![unlock, " "], leave.parts].concat();
            let leave = Stmt::kept(Keep::Follows(id), parts);
            let back = block(full, vec![leave]).mark(Construct::UnlockOnReturn);
            vec![lock, back, up, last]
        };
        if thread {
            g.put_last(actor, stmts);
        } else {
            let function = g.function("take", "void @(void)", stmts);
            let call = line(format!("{function}();")).mark(Construct::LockInFunction);
            g.put(actor, vec![call; count as usize]);
        }
    }
    let check = g.assertion(&format!("{name} <= {limit}"));
    g.checks.push(check);
}
