//! Function pointers and recursion.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::helper::Helper::Mix;
use crate::tree::{Part, Stmt, parts};
use crate::types::{Int, Type};

/// A function of two parameters whose body is one expression.
fn small_function(g: &mut Gen, kind: Int, second: Int) -> (String, u64) {
    let (name, a, b) = (g.fresh("fn"), g.fresh("a"), g.fresh("a"));
    let params = vec![Var::plain(&a, Type::int(kind)), Var::plain(&b, Type::int(second))];
    let list = g.param_list(&params);
    let (value, cost) = g.in_function(params, true, |g| g.int_expr(3));
    let head = parts![format!("static {} {name}(", kind.name()), list, ") { return "];
    g.item(&name, parts![head, value, "; }"]);
    (name, cost)
}

/// A table of functions, called in turn.
pub(super) fn table(g: &mut Gen) -> Vec<Stmt> {
    let (kind, second) = (g.plain_kind(), g.kind());
    let count = g.rng.between(2, 3);
    let functions: Vec<_> = (0..count).map(|_| small_function(g, kind, second)).collect();
    let names: Vec<_> = functions.iter().map(|(name, _)| name.as_str()).collect();
    let table = g.fresh("table");
    let declare = format!(
        "static {ty} (*const {table}[{count}])({ty}, {}) = {{{}}};",
        second.name(),
        names.join(", "),
        ty = kind.name(),
    );
    g.item(&table, parts![declare, Feature::FunctionPointerTable, Feature::ConstTable]);
    let i = g.fresh("i");
    let trips = g.rng.between(2, 5);
    // The calls are few and the functions small: the charge always fits.
    let cost: u64 = functions.iter().map(|(_, cost)| cost).sum();
    g.charge_call(cost * u64::from(trips));
    let (index, first, other) = (g.index(count, 2), g.counted(&i, trips, 1), g.int_expr(1));
    let call = parts![Mix, format!("({table}["), index, "](", first, ", ", other, "));"];
    let head =
        parts![format!("for (int {i} = 0; {i} < "), Part::Bound(trips), format!("; {i}++) ")];
    vec![Stmt::new(parts![head, call, Feature::For])]
}

/// A function that is handed another and applies it again and again.
pub(super) fn parameter(g: &mut Gen) -> Vec<Stmt> {
    let (kind, second) = (g.plain_kind(), g.plain_kind());
    let (function, cost) = small_function(g, kind, second);
    let (other, other_cost) = small_function(g, kind, second);
    let apply = g.fresh("apply");
    let (ty, ty2) = (kind.name(), second.name());
    let head = format!("static {ty} {apply}({ty} (*f)({ty}, {ty2}), {ty} x, int n) {{\n");
    let body = format!("    for (int i = 0; i < n; i++) x = f(x, ({ty2})i);\n    return x;\n}}");
    g.item(&apply, parts![head, body, Feature::FunctionPointerParam]);
    let trips = g.rng.between(1, 6);
    g.charge_call((cost + other_cost) * u64::from(trips));
    let (condition, start) = (g.condition(), g.int_expr(2));
    let pick = parts![condition, format!(" ? {function} : {other}, ")];
    let call = parts![format!("({apply}("), pick, start, ", ", Part::Bound(trips), "));"];
    vec![Stmt::new(parts![Mix, call])]
}

/// A function that calls itself, once or twice, to a bounded depth.
pub(super) fn recursion(g: &mut Gen) -> Vec<Stmt> {
    let (name, n, x) = (g.fresh("rec"), g.fresh("d"), g.fresh("a"));
    let kind = g.plain_kind();
    let twice = g.rng.chance(30);
    let (depth, calls) = if twice { (5, 40) } else { (7, 8) };
    // No loop counter: it sinks below zero, and so is no good as an index.
    let counter = Var { writable: false, ..Var::plain(&n, Type::int(Int::Int)) };
    let params = vec![counter, Var::plain(&x, Type::int(kind))];
    let ((base, step, next), cost) = g.in_function(params, true, |g| {
        g.looped(calls, |g| (g.int_expr(1), g.int_expr(2), g.int_expr(1)))
    });
    let mut value = parts![step, format!(" ^ {name}({n} - 1, "), next, ")"];
    if twice {
        value.push(format!(" ^ {name}({n} - 2, {x})").into());
    }
    let ty = kind.name();
    let head = parts![format!("static {ty} {name}(int {n}, {ty} {x}) {{"), Feature::Recursion];
    let body = vec![
        Stmt::required(parts![format!("if ({n} <= 0) return "), base, ";"]),
        Stmt::required(parts!["return ", value, ";"]),
    ];
    g.item(&name, parts![head, body, "}"]);
    g.charge_call(cost * 2);
    let (rounds, start) = (g.int_expr(1), g.int_expr(2));
    let limit = format!(" % {}u), ", depth + 1);
    vec![Stmt::new(parts![Mix, format!("({name}((int)((unsigned)"), rounds, limit, start, "));"])]
}
