//! Side effects in the midst of expressions.
//!
//! C leaves the order of evaluation open, so an expression may change one
//! variable at most, and may mention that variable just once. The variable is
//! a local that no pointer reaches; hence no function called by the expression
//! can see it either.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::tree::{Expr, parts};
use crate::types::{Int, Scalar, Type};

impl Gen {
    /// Generates a full expression or statement, which may change a variable.
    pub(crate) fn full<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        // Never nested: a statement inside an expression does not exist.
        if self.rng.chance(35) {
            self.effect = self.changeable();
            self.hidden = self.effect.as_ref().map(|var| var.name.clone());
        }
        let result = body(self);
        self.effect = None;
        self.hidden = None;
        result
    }

    /// A local integer out of the reach of pointers.
    pub(crate) fn changeable(&mut self) -> Option<Var> {
        let fits = |var: &&Var| {
            let int = matches!(var.ty, Type::Scalar(Scalar::Int(_)));
            int && var.writable && !var.addressable
        };
        let vars: Vec<_> = self.locals.iter().filter(fits).cloned().collect();
        if vars.is_empty() { None } else { vars.get(self.rng.index(vars.len())).cloned() }
    }

    /// The one side effect of the expression, if it is to be here.
    pub(crate) fn side_effect(&mut self, depth: u32) -> Option<Expr> {
        if self.effect.is_none() || !self.rng.chance(40) {
            return None;
        }
        // Taken first, so that the operand gets no effect of its own.
        let var = self.effect.take()?;
        let Type::Scalar(Scalar::Int(kind)) = var.ty else { return None };
        let may_step = !kind.signed() || kind.bits() <= 16;
        Some(match self.rng.below(6) {
            0..=3 if may_step => self.step(&var.name, kind),
            0..=4 => {
                let value = self.int_expr(depth.min(1));
                let assign = parts!["(", &var.name, " = ", value, ")", Feature::SimpleAssign];
                Expr::int(kind, assign)
            }
            _ => self.compound_effect(&var.name, kind, depth),
        })
    }

    /// An increment or decrement that cannot overflow.
    pub(crate) fn step(&mut self, name: &str, kind: Int) -> Expr {
        let op = self.rng.pick(&["++", "--"]);
        if self.rng.chance(50) {
            return Expr::int(kind, parts![format!("({op}{name})"), Feature::PreIncDec]);
        }
        Expr::int(kind, parts![format!("({name}{op})"), Feature::PostIncDec])
    }

    fn compound_effect(&mut self, name: &str, kind: Int, depth: u32) -> Expr {
        let value = self.int_expr(depth.min(1));
        let assign = self.compound(kind, value);
        Expr::int(kind, parts!["(", name, assign, ")"])
    }

    /// ` op= value` for an object of type `kind`, with what guards the value.
    pub(crate) fn compound(&mut self, kind: Int, value: Expr) -> Vec<crate::tree::Part> {
        let unsigned = usual_unsigned(kind, value.kind());
        let cast = format!("({})", unsigned.name());
        let op = match self.rng.below(12) {
            0..=4 => {
                let op = self.rng.pick(&["+=", "-=", "*="]);
                parts![format!(" {op} {cast}"), value]
            }
            5..=7 => parts![format!(" {} ", self.rng.pick(&["&=", "|=", "^="])), value],
            8 => parts![format!(" /= ({cast}"), value, " | 1)", Feature::Division],
            9 => parts![format!(" %= ({cast}"), value, " | 1)", Feature::Remainder],
            10 if !kind.signed() => shift_by("<<=", kind, value),
            _ => shift_by(">>=", kind, value),
        };
        parts![op, Feature::CompoundAssign]
    }
}

/// A mask of 7 keeps even the narrow types, promoted to `int`, in range.
fn shift_by(op: &str, kind: Int, value: Expr) -> Vec<crate::tree::Part> {
    let mask = if kind.bits() < 32 { 7 } else { kind.bits() - 1 };
    parts![format!(" {op} ("), value, format!(" & {mask})"), Feature::Shift]
}

/// An unsigned type in which an operation of both types wraps.
fn usual_unsigned(a: Int, b: Int) -> Int {
    crate::types::usual(a, b).to_unsigned()
}
