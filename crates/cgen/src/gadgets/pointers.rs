//! Pointers used in ways that expressions alone would seldom show.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::Mix;
use crate::tree::{Stmt, parts};

/// A walk over an array with a moving pointer, forwards or backwards.
pub(super) fn walk(g: &mut Gen) -> Vec<Stmt> {
    let (a, p) = (g.fresh("x"), g.fresh("p"));
    let kind = g.plain_kind();
    let (ty, n) = (kind.name(), g.rng.between(2, 6));
    let declare = g.filled_array(kind, &a, n);
    let (start, step) = match g.rng.below(3) {
        0 => (format!("{ty} *{p} = {a};"), format!("while ({p} < {a} + {n}) ")),
        1 => (format!("{ty} *{p} = &{a}[{n}];"), format!("while ({p} != {a}) ")),
        _ => (format!("{ty} *{p} = &{a}[0];"), format!("while ({p} - {a} < {n}) ")),
    };
    let moved =
        if start.contains(&format!("[{n}]")) { format!("*--{p}") } else { format!("*{p}++") };
    let marks = parts![Feature::PointerArithmetic, Feature::While, Feature::PointerCompare];
    let index = g.index(n, 1);
    vec![
        declare,
        Stmt::declares(&p, parts![start, Feature::PointerToElement]),
        Stmt::new(parts![step, Mix, format!("({moved});"), marks]),
        Stmt::new(parts![Mix, format!("({p} - &{a}["), index, "]);", Feature::PointerDifference]),
    ]
}

/// A pointer to a pointer, through which both levels change.
pub(super) fn chain(g: &mut Gen) -> Vec<Stmt> {
    let (x, y) = (g.fresh("x"), g.fresh("y"));
    let (p, pp) = (g.fresh("p"), g.fresh("pp"));
    let ty = g.plain_kind().name();
    let (first, second, third) = (g.int_expr(2), g.int_expr(1), g.int_expr(2));
    let condition = g.int_expr(1);
    let aim = parts![format!("if ("), condition, format!(") *{pp} = &{y};"), Feature::If];
    vec![
        Stmt::declares(&x, parts![format!("{ty} {x} = "), first, ";"]),
        Stmt::declares(&y, parts![format!("{ty} {y} = "), second, ";"]),
        Stmt::declares(&p, parts![format!("{ty} *{p} = &{x};"), Feature::PointerToLocal]),
        Stmt::declares(&pp, parts![format!("{ty} **{pp} = &{p};"), Feature::PointerToPointer]),
        Stmt::new(aim),
        Stmt::new(parts![format!("**{pp} = "), third, ";"]),
        Stmt::new(parts![
            Mix,
            format!("({x}); "),
            Mix,
            format!("({y}); "),
            Mix,
            format!("(*{p});")
        ]),
    ]
}

/// A pointer turned into an integer and back, with arithmetic in between.
pub(super) fn integer_round_trip(g: &mut Gen) -> Vec<Stmt> {
    let (a, u, p) = (g.fresh("x"), g.fresh("u"), g.fresh("p"));
    let kind = g.plain_kind();
    let (ty, n) = (kind.name(), g.rng.between(2, 5));
    let declare = g.filled_array(kind, &a, n);
    let (index, value) = (g.index(n, 2), g.int_expr(2));
    let offset = parts![format!("({ty} *)({u} + sizeof({ty}) * ("), index, "));"];
    vec![
        declare,
        Stmt::declares(&u, parts![format!("uintptr_t {u} = (uintptr_t)(void *){a};")]),
        Stmt::declares(&p, parts![format!("{ty} *{p} = "), offset, Feature::UintptrRoundTrip]),
        Stmt::new(parts![format!("*{p} = "), value, ";"]),
        Stmt::new(parts![Mix, format!("({a}[0]); "), Mix, format!("((uintptr_t){p} - {u});")]),
        Stmt::new(parts![Mix, format!("({p} == {a});"), Feature::PointerCompare]),
    ]
}

/// A function that swaps any two objects of a size.
pub(super) fn void_swap(g: &mut Gen) -> Vec<Stmt> {
    let (f, x, y) = (g.fresh("swap"), g.fresh("x"), g.fresh("y"));
    let body = "    unsigned char t[16];\n    \
                memcpy(t, a, n); memcpy(a, b, n); memcpy(b, t, n);\n";
    let text = format!("static void {f}(void *a, void *b, size_t n) {{\n{body}}}");
    g.item(&f, parts![text, Feature::VoidPointer, Feature::Memcpy]);
    let ty = g.plain_kind().name();
    let (first, second) = (g.int_expr(2), g.int_expr(1));
    let read = format!("(*(const {ty} *)(const void *)&{x}); ");
    vec![
        Stmt::declares(&x, parts![format!("{ty} {x} = "), first, ";"]),
        Stmt::declares(&y, parts![format!("{ty} {y} = "), second, ";"]),
        Stmt::new(parts![format!("{f}(&{x}, &{y}, sizeof {x});"), Feature::VoidPointer]),
        Stmt::new(parts![Mix, read, Mix, format!("({y});")]),
    ]
}
