//! Builtins that need an object for their result.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper::Mix;
use crate::tree::{Stmt, parts};
use crate::types::Scalar;

/// Arithmetic that tells of overflow.
pub(super) fn overflow(g: &mut Gen) -> Vec<Stmt> {
    let r = g.fresh("r");
    let kind = g.plain_kind();
    let declare = parts![format!("{} {r} = 0;", kind.name()), kind.feature()];
    let mut stmts = vec![Stmt::declares(&r, declare)];
    for _ in 0..g.rng.between(2, 3) {
        let (op, mark) = g.rng.pick(&[
            ("add", Feature::AddOverflow),
            ("sub", Feature::SubOverflow),
            ("mul", Feature::MulOverflow),
        ]);
        // Operands of the type of the result: others would make the compiler
        // compute in types of odd widths, or call a function libgcc lacks.
        let ty = Scalar::Int(kind);
        let (a, b) = (g.expr_of(ty, 2), g.expr_of(ty, 2));
        let call = parts![format!("(__builtin_{op}_overflow("), a, ", ", b, format!(", &{r})); ")];
        stmts.push(Stmt::new(parts![Mix, call, Mix, format!("({r});"), mark]));
    }
    stmts
}
