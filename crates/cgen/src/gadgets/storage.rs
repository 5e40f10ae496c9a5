//! Storage classes and arrays of computed length.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::helper::Helper::Mix;
use crate::tree::{Stmt, parts};
use crate::types::{Scalar, Type};

/// A function that remembers a value between calls.
pub(super) fn static_local(g: &mut Gen) -> Vec<Stmt> {
    let (f, s, a) = (g.fresh("count"), g.fresh("st"), g.fresh("a"));
    let kind = g.plain_kind();
    let param = Var::plain(&a, Type::int(kind));
    let list = g.param_list(std::slice::from_ref(&param));
    let start = g.literal(kind);
    let vars = vec![param, Var::plain(&s, Type::int(kind))];
    let (change, _) = g.in_function(vars, true, |g| g.int_expr(2));
    let declare = parts![format!("static {} {s} = ", kind.name()), start, ";"];
    let body = vec![
        Stmt::required(parts![declare, Feature::StaticLocal]),
        Stmt::new(parts![format!("{s} ^= "), change, ";", Feature::CompoundAssign]),
        Stmt::required(parts![format!("return {s};")]),
    ];
    g.item(&f, parts![format!("static {} {f}(", kind.name()), list, ") {", body, "}"]);
    let mut stmts = Vec::new();
    for _ in 0..g.rng.between(2, 3) {
        let value = g.int_expr(1);
        stmts.push(Stmt::new(parts![Mix, format!("({f}("), value, "));"]));
    }
    stmts
}

/// A thread-local variable, also through a pointer.
pub(super) fn thread_local(g: &mut Gen) -> Vec<Stmt> {
    let (t, p) = (g.fresh("tl"), g.fresh("p"));
    let kind = g.plain_kind();
    let start = g.literal(kind);
    let ty = kind.name();
    let storage = g.rng.pick(&["static _Thread_local", "_Thread_local", "static __thread"]);
    let declare = parts![format!("{storage} {ty} {t} = "), start, ";", Feature::ThreadLocal];
    g.item(&t, declare);
    let (first, second) = (g.int_expr(2), g.int_expr(2));
    vec![
        Stmt::new(parts![format!("{t} ^= "), first, ";", Feature::CompoundAssign]),
        Stmt::declares(&p, parts![format!("{ty} *{p} = &{t};"), Feature::PointerToGlobal]),
        Stmt::new(parts![format!("*{p} |= "), second, ";"]),
        Stmt::new(parts![Mix, format!("({t}); "), Mix, format!("(sizeof *{p});")]),
    ]
}

/// An array whose length is not known before the program runs.
pub(super) fn variable_length(g: &mut Gen) -> Vec<Stmt> {
    let (n, a, i) = (g.fresh("n"), g.fresh("vla"), g.fresh("i"));
    let kind = g.plain_kind();
    let length = g.int_expr(2);
    let value = g.counted(&i, 8, 2);
    let declare = g.spelled(Scalar::Int(kind));
    let index = g.int_expr(1);
    let marks = parts![Feature::VariableLengthArray, Feature::ComputedBound];
    let sum = parts![format!("for (int {i} = {n}; {i}-- > 0;) "), Mix, format!("({a}[{i}]);")];
    vec![
        Stmt::declares(&n, parts![format!("int {n} = 1 + (int)("), length, " & 7);"]),
        Stmt::declares(&a, parts![declare, format!(" {a}[{n}];"), marks]),
        Stmt::required(parts![
            format!("for (int {i} = 0; {i} < {n}; {i}++) {a}[{i}] = "),
            value,
            ";"
        ]),
        Stmt::new(parts![format!("{a}[(unsigned)"), index, format!(" % (unsigned){n}] ^= 3;")]),
        Stmt::new(sum),
        Stmt::new(parts![Mix, format!("(sizeof {a});"), Feature::Sizeof]),
    ]
}
