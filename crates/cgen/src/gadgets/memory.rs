//! Objects as bytes.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::{ClampDouble, ClampFloat, Mix};
use crate::tree::{Stmt, parts};

/// Two arrays and the functions that move bytes.
pub(super) fn copy(g: &mut Gen) -> Vec<Stmt> {
    let (a, b) = (g.fresh("x"), g.fresh("y"));
    let kind = g.plain_kind();
    let n = g.rng.between(3, 6);
    let mut stmts = vec![g.filled_array(kind, &a, n), g.filled_array(kind, &b, n)];
    for _ in 0..g.rng.between(2, 3) {
        let step = byte_step(g, &a, &b, n);
        stmts.push(step);
    }
    let sum = parts![format!("for (int k0 = 0; k0 < {n}; k0++) "), Mix, format!("({b}[k0]);")];
    stmts.push(Stmt::new(sum));
    stmts
}

fn byte_step(g: &mut Gen, a: &str, b: &str, n: u32) -> Stmt {
    let count = g.rng.between(1, n - 1);
    let to = g.rng.below(n - count + 1);
    let bytes = format!("{count} * sizeof *{a}");
    match g.rng.below(4) {
        0 => Stmt::new(parts![format!("memcpy({b} + {to}, {a}, {bytes});"), Feature::Memcpy]),
        1 => {
            let from = g.rng.below(n - count + 1);
            let call = format!("memmove(&{b}[{to}], &{b}[{from}], {bytes});");
            Stmt::new(parts![call, Feature::Memmove])
        }
        2 => {
            let value = g.int_expr(2);
            let call = parts![format!("memset({b} + {to}, (int)("), value];
            Stmt::new(parts![call, format!(" & 255), {bytes});"), Feature::Memset])
        }
        _ => {
            let op = g.rng.pick(&["<", ">", "=="]);
            let test = format!("(memcmp({a}, {b} + {to}, {bytes}) {op} 0);");
            Stmt::new(parts![Mix, test, Feature::Memcmp])
        }
    }
}

/// A walk over the bytes of an array, which may change them.
pub(super) fn char_walk(g: &mut Gen) -> Vec<Stmt> {
    let (a, q) = (g.fresh("x"), g.fresh("q"));
    let kind = g.plain_kind();
    let n = g.rng.between(1, 4);
    let declare = g.filled_array(kind, &a, n);
    let char = g.rng.pick(&["unsigned char", "char", "signed char"]);
    let head = format!("for ({char} *{q} = ({char} *){a}; {q} < ({char} *)({a} + {n}); {q}++) {{ ");
    let change = match g.rng.below(3) {
        0 => format!("*{q} ^= 0x5a; "),
        1 => format!("*{q} = ({char})~*{q}; "),
        _ => String::new(),
    };
    let walk = parts![head, change, Mix, format!("(*{q}); }}"), Feature::CharWalk];
    let last = parts![Mix, format!("({a}[{}]);", n - 1)];
    vec![declare, Stmt::new(walk), Stmt::new(last)]
}

/// The bits of a float, by memcpy.
pub(super) fn float_bits(g: &mut Gen) -> Vec<Stmt> {
    let (f, u) = (g.fresh("x"), g.fresh("u"));
    let double = g.rng.chance(50);
    let (ty, bits, clamp) = match double {
        true => ("double", "uint64_t", ClampDouble),
        false => ("float", "uint32_t", ClampFloat),
    };
    let value = g.float_expr(3);
    vec![
        Stmt::declares(&f, parts![format!("{ty} {f} = "), clamp, "(", value, ");"]),
        Stmt::declares(&u, parts![format!("{bits} {u} = 0;")]),
        Stmt::new(parts![format!("memcpy(&{u}, &{f}, sizeof {u});"), Feature::Memcpy]),
        Stmt::new(parts![Mix, format!("({u});")]),
        Stmt::new(parts![format!("printf(\"%g %.3f\\n\", {f}, {f});"), Feature::FmtG]),
    ]
}
