//! Atomic operations, run by one thread: C11, GNU `__atomic` and `__sync`.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::Mix;
use crate::tree::{Part, Stmt, parts};
use crate::types::Int;

/// One type per width and signedness.
const KINDS: &[Int] =
    &[Int::UChar, Int::SChar, Int::Short, Int::UShort, Int::Int, Int::UInt, Int::Long, Int::ULong];

/// The operations that fetch a value and change it.
const FETCH: &[(&str, Feature)] = &[
    ("add", Feature::AtomicFetchAdd),
    ("sub", Feature::AtomicFetchSub),
    ("and", Feature::AtomicFetchAnd),
    ("or", Feature::AtomicFetchOr),
    ("xor", Feature::AtomicFetchXor),
    // Twice, since the C11 operations cannot make up for it.
    ("nand", Feature::AtomicFetchNand),
    ("nand", Feature::AtomicFetchNand),
];

/// C11 has no nand.
const FETCH_C11: usize = 5;

type Step = fn(&mut Gen, &str, Int) -> Stmt;

/// A few steps on one atomic variable.
fn steps(g: &mut Gen, qualifier: &str, mark: Feature, all: &[Step]) -> Vec<Stmt> {
    let name = g.fresh("at");
    let kind = g.rng.pick(KINDS);
    let width = match kind.size() {
        1 => Feature::AtomicWidth1,
        2 => Feature::AtomicWidth2,
        4 => Feature::AtomicWidth4,
        _ => Feature::AtomicWidth8,
    };
    let value = g.literal(kind);
    let declare = format!("static {qualifier}{} {name} = ", kind.name());
    g.item(&name, parts![declare, value, ";", mark, width]);
    let mut stmts = Vec::new();
    for _ in 0..g.rng.between(4, 6) {
        let step = g.rng.pick(all);
        stmts.push(step(g, &name, kind));
    }
    stmts.push(Stmt::new(parts![Mix, format!("({name});")]));
    stmts
}

/// `<stdatomic.h>` on an `_Atomic` variable.
pub(super) fn c11(g: &mut Gen) -> Vec<Stmt> {
    const STEPS: &[Step] =
        &[c11_fetch, c11_fetch, c11_fetch, c11_access, c11_exchange, c11_compare, c11_operator];
    steps(g, "_Atomic ", Feature::AtomicC11, STEPS)
}

fn c11_fetch(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let (op, mark) = g.rng.pick(&FETCH[..FETCH_C11]);
    let value = g.int_expr(2);
    if g.rng.chance(50) {
        let call = parts![format!("(atomic_fetch_{op}(&{at}, "), value, "));", mark];
        return Stmt::new(parts![Mix, call]);
    }
    let order = c11_order(g);
    let call = parts![format!("(atomic_fetch_{op}_explicit(&{at}, "), value];
    Stmt::new(parts![Mix, call, format!(", {order}));"), mark])
}

fn c11_order(g: &mut Gen) -> &'static str {
    let orders = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"];
    match g.rng.pick(&orders) {
        "relaxed" => "memory_order_relaxed",
        "acquire" => "memory_order_acquire",
        "release" => "memory_order_release",
        "acq_rel" => "memory_order_acq_rel",
        _ => "memory_order_seq_cst",
    }
}

fn c11_access(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let load = g.rng.chance(50);
    access(g, at, load, "atomic_load(&", "atomic_store(&", "")
}

/// A load, whose value is used, or a store.
fn access(g: &mut Gen, at: &str, load: bool, get: &str, set: &str, order: &str) -> Stmt {
    if load {
        return Stmt::new(parts![Mix, format!("({get}{at}{order}));"), Feature::AtomicLoad]);
    }
    let value = g.int_expr(2);
    Stmt::new(parts![format!("{set}{at}, "), value, format!("{order});"), Feature::AtomicStore])
}

fn c11_exchange(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let call = parts![format!("(atomic_exchange(&{at}, "), g.int_expr(2), "));"];
    Stmt::new(parts![Mix, call, Feature::AtomicExchange])
}

fn c11_compare(g: &mut Gen, at: &str, kind: Int) -> Stmt {
    compare(g, at, kind, &format!("atomic_compare_exchange_strong(&{at}, &"), "")
}

/// A compare and exchange, of which the expected value is right or not.
fn compare(g: &mut Gen, at: &str, kind: Int, call: &str, orders: &str) -> Stmt {
    let old = g.fresh("old");
    let expected: Vec<Part> = match g.rng.below(2) {
        0 => parts![at],
        _ => parts![g.int_expr(1)],
    };
    let declare = parts![format!("{{ {} {old} = ", kind.name()), expected, "; "];
    let swap = parts![Mix, format!("({call}{old}, "), g.int_expr(2), format!("{orders})); ")];
    Stmt::new(parts![declare, swap, Mix, format!("({old}); }}"), Feature::AtomicCompareExchange])
}

/// Plain operators on an `_Atomic` variable are atomic too.
fn c11_operator(g: &mut Gen, at: &str, _: Int) -> Stmt {
    match g.rng.below(3) {
        0 => Stmt::new(parts![Mix, format!("({at}++);"), Feature::AtomicFetchAdd]),
        1 => Stmt::new(parts![Mix, format!("(--{at});"), Feature::AtomicFetchSub]),
        _ => {
            let value = g.int_expr(2);
            let op = g.rng.pick(&["|=", "&=", "^="]);
            Stmt::new(parts![format!("{at} {op} "), value, ";", Feature::CompoundAssign])
        }
    }
}

/// The `__atomic` builtins on a plain variable.
pub(super) fn gnu(g: &mut Gen) -> Vec<Stmt> {
    const STEPS: &[Step] =
        &[gnu_fetch, gnu_fetch, gnu_fetch, gnu_access, gnu_access, gnu_exchange, gnu_compare];
    steps(g, "", Feature::AtomicGnu, STEPS)
}

fn gnu_fetch(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let (op, mark) = g.rng.pick(FETCH);
    let name = match g.rng.below(2) {
        0 => format!("__atomic_fetch_{op}"),
        _ => format!("__atomic_{op}_fetch"),
    };
    let value = g.int_expr(2);
    let order = g.rng.pick(&["__ATOMIC_SEQ_CST", "__ATOMIC_RELAXED", "__ATOMIC_ACQ_REL"]);
    Stmt::new(parts![Mix, format!("({name}(&{at}, "), value, format!(", {order}));"), mark])
}

fn gnu_access(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let load = g.rng.chance(50);
    let order = if load { ", __ATOMIC_ACQUIRE" } else { ", __ATOMIC_RELEASE" };
    access(g, at, load, "__atomic_load_n(&", "__atomic_store_n(&", order)
}

fn gnu_exchange(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let call = parts![format!("(__atomic_exchange_n(&{at}, "), g.int_expr(2)];
    Stmt::new(parts![Mix, call, ", __ATOMIC_ACQ_REL));", Feature::AtomicExchange])
}

fn gnu_compare(g: &mut Gen, at: &str, kind: Int) -> Stmt {
    let orders = ", 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE";
    compare(g, at, kind, &format!("__atomic_compare_exchange_n(&{at}, &"), orders)
}

/// The older `__sync` builtins.
pub(super) fn sync(g: &mut Gen) -> Vec<Stmt> {
    const STEPS: &[Step] = &[sync_fetch, sync_fetch, sync_compare, sync_exchange];
    steps(g, "", Feature::AtomicSync, STEPS)
}

fn sync_fetch(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let (op, mark) = g.rng.pick(FETCH);
    let name = match g.rng.below(2) {
        0 => format!("__sync_fetch_and_{op}"),
        _ => format!("__sync_{op}_and_fetch"),
    };
    let value = g.int_expr(2);
    Stmt::new(parts![Mix, format!("({name}(&{at}, "), value, "));", mark])
}

fn sync_compare(g: &mut Gen, at: &str, kind: Int) -> Stmt {
    let word = g.rng.pick(&["bool", "val"]);
    // A copy, since reading the variable in an argument is no part of the
    // atomic operation.
    let old = g.fresh("old");
    let declare = format!("{{ {} {old} = {at}; ", kind.name());
    let call = format!("(__sync_{word}_compare_and_swap(&{at}, {old}, ");
    let swap = parts![Mix, call, g.int_expr(2), ")); }"];
    Stmt::new(parts![declare, swap, Feature::AtomicCompareExchange])
}

fn sync_exchange(g: &mut Gen, at: &str, _: Int) -> Stmt {
    let call = parts![format!("(__sync_lock_test_and_set(&{at}, "), g.int_expr(2), "));"];
    Stmt::new(parts!["__sync_synchronize(); ", Mix, call, Feature::AtomicExchange])
}
