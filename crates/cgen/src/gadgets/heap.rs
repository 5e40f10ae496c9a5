//! Blocks on the heap. What allocates, fills and frees is required: the
//! shrinker must not leave a block unfilled or leaked.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::Mix;
use crate::tree::{Stmt, parts};

fn sum(p: &str, n: u32) -> Stmt {
    Stmt::new(parts![format!("for (int k0 = 0; k0 < {n}; k0++) "), Mix, format!("({p}[k0]);")])
}

fn free(p: &str) -> Stmt {
    Stmt::required(parts![format!("free({p});"), Feature::Free])
}

/// `for (i = from; i < to; i++) p[i] = ...;`
fn fill(g: &mut Gen, p: &str, from: u32, to: u32) -> Stmt {
    let i = g.fresh("i");
    let value = g.counted(&i, to, 2);
    let head = format!("for (int {i} = {from}; {i} < {to}; {i}++) {p}[{i}] = ");
    Stmt::required(parts![head, value, ";"])
}

/// An array from malloc, which realloc may make longer or shorter.
pub(super) fn array(g: &mut Gen) -> Vec<Stmt> {
    let p = g.fresh("hp");
    let ty = g.plain_kind().name();
    let n = g.rng.between(1, 6);
    let allocate = parts![format!("{ty} *{p} = malloc({n} * sizeof({ty}));"), Feature::Malloc];
    let mut stmts = vec![Stmt::required(allocate), fill(g, &p, 0, n)];
    let mut len = n;
    if g.rng.chance(90) {
        len = g.rng.between(1, 9);
        let grow = format!("{p} = realloc({p}, {len} * sizeof *{p});");
        stmts.push(Stmt::required(parts![grow, Feature::Realloc]));
        if len > n {
            stmts.push(fill(g, &p, n, len));
        }
    }
    stmts.push(sum(&p, len));
    stmts.push(free(&p));
    stmts
}

/// Zeroed memory from calloc.
pub(super) fn zeroed(g: &mut Gen) -> Vec<Stmt> {
    let p = g.fresh("hp");
    let ty = g.plain_kind().name();
    let n = g.rng.between(2, 6);
    let allocate = parts![format!("{ty} *{p} = calloc({n}, sizeof({ty}));"), Feature::Calloc];
    let (index, value) = (g.index(n, 1), g.int_expr(2));
    vec![
        Stmt::required(allocate),
        Stmt::new(parts![format!("{p}["), index, "] = ", value, ";"]),
        sum(&p, n),
        free(&p),
    ]
}

/// A list that is built, walked, perhaps reversed, and freed.
pub(super) fn linked_list(g: &mut Gen) -> Vec<Stmt> {
    let (node, head) = (g.fresh("N"), g.fresh("head"));
    let kind = g.plain_kind();
    let value_ty = g.spelled(crate::types::Scalar::Int(kind));
    let body = format!(" value; struct {node} *next; }};");
    g.item(&node, parts![format!("struct {node} {{ "), value_ty, body, Feature::Struct]);
    let mut stmts = vec![
        Stmt::required(parts![format!("struct {node} *{head} = NULL;")]),
        push_nodes(g, &node, &head),
    ];
    if g.rng.chance(50) {
        stmts.push(reverse(g, &node, &head));
    }
    let (n, m) = (g.fresh("n"), g.fresh("n"));
    let walk = format!("for (struct {node} *{n} = {head}; {n} != NULL; {n} = {n}->next) ");
    stmts.push(Stmt::new(parts![walk, Mix, format!("({n}->value);"), Feature::LinkedList]));
    let drop = format!(
        "while ({head}) {{ struct {node} *{m} = {head}->next; free({head}); {head} = {m}; }}"
    );
    stmts.push(Stmt::required(parts![drop, Feature::Free, Feature::While]));
    stmts
}

fn push_nodes(g: &mut Gen, node: &str, head: &str) -> Stmt {
    let (i, n) = (g.fresh("i"), g.fresh("n"));
    let trips = g.rng.between(2, 6);
    let value = g.counted(&i, trips, 2);
    let loop_head = parts![
        format!("for (int {i} = 0; {i} < "),
        crate::tree::Part::Bound(trips),
        format!("; {i}++) {{")
    ];
    let stmts = vec![
        Stmt::required(parts![
            format!("struct {node} *{n} = malloc(sizeof *{n});"),
            Feature::Malloc
        ]),
        Stmt::required(parts![format!("{n}->value = "), value, ";"]),
        Stmt::required(parts![format!("{n}->next = {head};")]),
        Stmt::required(parts![format!("{head} = {n};")]),
    ];
    Stmt::new(parts![loop_head, stmts, "}"])
}

fn reverse(g: &mut Gen, node: &str, head: &str) -> Stmt {
    let (done, next) = (g.fresh("n"), g.fresh("n"));
    let start = format!("struct {node} *{done} = NULL;\n");
    let step = format!(
        "while ({head}) {{ struct {node} *{next} = {head}->next; \
         {head}->next = {done}; {done} = {head}; {head} = {next}; }}\n"
    );
    Stmt::new(parts![start, step, format!("{head} = {done};"), Feature::LinkedList])
}
