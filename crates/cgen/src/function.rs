//! Functions: pure ones for use in expressions, others for statements.

use crate::feature::Feature;
use crate::generator::{Func, Gen, Var};
use crate::place::Access;
use crate::tree::{Part, Stmt, parts};
use crate::types::{Scalar, Type};

impl Gen {
    /// Adds a function that changes nothing but its own locals.
    pub(crate) fn pure_function(&mut self) {
        let count = self.rng.between(1, 3);
        let params: Vec<_> = (0..count).map(|_| Type::Scalar(self.scalar())).collect();
        let ret = Scalar::Int(self.kind());
        self.function("f", ret, params, true);
    }

    /// Adds a function that changes globals, prints, and takes pointers and
    /// structures.
    pub(crate) fn impure_function(&mut self) {
        let count = self.rng.between(1, 3);
        let params: Vec<_> = (0..count).map(|_| self.param_type()).collect();
        let ret = self.scalar();
        self.function("h", ret, params, false);
    }

    fn param_type(&mut self) -> Type {
        match self.rng.below(10) {
            // A type that some global has, so that there is an argument.
            0..=3 => self.pointer_type().unwrap_or_else(|| Type::Scalar(self.scalar())),
            4..=5 => match self.structs.last() {
                Some(def) => Type::Struct(def.clone()),
                None => Type::Scalar(self.scalar()),
            },
            _ => Type::Scalar(self.scalar()),
        }
    }

    fn function(&mut self, prefix: &str, ret: Scalar, params: Vec<Type>, pure: bool) {
        let name = self.fresh(prefix);
        let vars: Vec<_> = params.iter().map(|ty| self.param(ty)).collect();
        let (body, cost) = self.in_function(vars.clone(), pure, |g| g.body(ret));
        let result = self.spelled(ret);
        let list = self.param_list(&vars);
        let signature = parts![result, format!(" {name}("), list, ")"];
        let text = match self.linkage(&signature) {
            (before, None) => parts![before, signature, " {", body, "}"],
            (before, Some(extra)) => parts![before, signature, " {", body, "}\n", extra],
        };
        self.item(&name, text);
        self.funcs.push(Func { name, ret, params, pure, cost });
    }

    fn param(&mut self, ty: &Type) -> Var {
        let name = self.fresh("a");
        let addressable = self.rng.chance(40);
        Var { addressable, ..Var::plain(&name, ty.clone()) }
    }

    /// Parameters as they stand between parentheses.
    pub(crate) fn param_list(&mut self, vars: &[Var]) -> Vec<Part> {
        let mut list = Vec::new();
        for (i, var) in vars.iter().enumerate() {
            list.push(if i == 0 { "".into() } else { ", ".into() });
            list.extend(self.declare(&var.ty, &var.name));
            match var.ty {
                Type::Pointer(..) => list.push(Feature::PointerParam.into()),
                Type::Struct(_) => list.push(Feature::StructParam.into()),
                _ => {}
            }
        }
        list
    }

    /// The words before a function, and a declaration after it.
    fn linkage(&mut self, signature: &[Part]) -> (Vec<Part>, Option<Vec<Part>>) {
        match self.rng.below(10) {
            0..=1 => (parts!["static inline ", Feature::StaticInline], None),
            2 => {
                // The declaration makes the inline definition an external one.
                let extra = parts!["extern ", signature.to_vec(), ";"];
                (parts!["inline ", Feature::Inline], Some(extra))
            }
            3..=4 => {
                let words = "static inline __attribute__((always_inline)) ";
                (parts![words, Feature::AlwaysInline], None)
            }
            5 => (Vec::new(), None),
            _ => (parts!["static "], None),
        }
    }

    fn body(&mut self, ret: Scalar) -> Vec<Stmt> {
        let mut stmts = vec![self.local()];
        for _ in 0..self.rng.between(1, 4) {
            stmts.extend(self.statement());
        }
        if !self.pure && self.rng.chance(40) {
            let gadget = crate::gadgets::any(&mut self.rng);
            stmts.push(self.gadget(gadget));
        }
        if self.rng.chance(30) {
            let condition = self.full(Gen::condition);
            let value = self.storable(ret, 1);
            stmts.push(Stmt::new(parts!["if (", condition, ") return ", value, ";"]));
        }
        // Reading a place makes it likely that the work above matters.
        let value = match (ret, self.place(Access::Read, false, 1)) {
            (Scalar::Int(_), Some(place)) => self.combined(place.load()),
            _ => self.storable(ret, 2),
        };
        stmts.push(Stmt::required(parts!["return ", value, ";"]));
        stmts
    }

    /// An expression of two values; bit operations never overflow.
    fn combined(&mut self, first: crate::tree::Expr) -> Vec<Part> {
        parts![first, " ^ ", self.int_expr(2), Feature::BitwiseOp]
    }
}
