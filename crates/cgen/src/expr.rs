//! Integer expressions other than arithmetic proper.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::place::Access;
use crate::tree::{Expr, Part, parts};
use crate::types::{Int, Scalar, Type, usual};

type Rule = fn(&mut Gen, u32) -> Expr;

/// What an inner node of an integer expression can be.
const RULES: &[(u32, Rule)] = &[
    (24, Gen::leaf),
    (22, Gen::arithmetic),
    (9, Gen::bitwise),
    (9, Gen::division),
    (8, Gen::shift),
    (7, Gen::comparison),
    (4, Gen::short_circuit),
    (4, Gen::ternary),
    (3, Gen::comma),
    (7, Gen::unary),
    (7, Gen::cast),
    (6, Gen::builtin),
    (6, Gen::pure_call),
    (6, Gen::int_of_floats),
    (2, Gen::element_distance),
    (2, Gen::element_order),
    (2, Gen::string_element),
    (2, Gen::literal_array_element),
    (1, Gen::size_of),
    (3, Gen::library_value),
];

impl Gen {
    /// An expression of some integer type, at most `depth` operators deep.
    pub(crate) fn int_expr(&mut self, depth: u32) -> Expr {
        if let Some(expr) = self.side_effect(depth) {
            return expr;
        }
        if depth == 0 {
            return self.leaf(0);
        }
        let rule = self.rng.weighted(RULES);
        rule(self, depth - 1)
    }

    /// An expression of exactly the given type.
    pub(crate) fn expr_of(&mut self, ty: Scalar, depth: u32) -> Expr {
        let expr = match ty {
            Scalar::Int(_) => self.int_expr(depth),
            Scalar::Float | Scalar::Double => self.float_expr(depth),
        };
        if expr.ty == ty { expr } else { cast_to(ty, expr) }
    }

    /// A condition: any integer, most often a comparison.
    pub(crate) fn condition(&mut self) -> Expr {
        if self.rng.chance(60) { self.comparison(1) } else { self.int_expr(2) }
    }

    pub(crate) fn two(&mut self, depth: u32) -> (Expr, Expr) {
        (self.int_expr(depth), self.int_expr(depth))
    }

    /// A variable or literal; `depth` is what an index may spend.
    fn leaf(&mut self, depth: u32) -> Expr {
        if self.rng.chance(72)
            && let Some(place) = self.place(Access::Read, false, depth)
        {
            return place.load();
        }
        let kind = if self.rng.chance(50) { Int::Int } else { self.kind() };
        self.literal(kind)
    }

    pub(crate) fn comparison(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&["==", "!=", "<", "<=", ">", ">="]);
        let (a, b) = self.two(depth);
        Expr::int(Int::Int, parts!["(", a, format!(" {op} "), b, ")", Feature::Comparison])
    }

    fn short_circuit(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[" && ", " || "]);
        let (a, b) = self.two(depth);
        Expr::int(Int::Int, parts!["(", a, op, b, ")", Feature::ShortCircuit])
    }

    fn ternary(&mut self, depth: u32) -> Expr {
        let cond = self.condition();
        let (a, b) = self.two(depth);
        let ty = usual(a.kind(), b.kind());
        Expr::int(ty, parts!["(", cond, " ? ", a, " : ", b, ")", Feature::Ternary])
    }

    fn comma(&mut self, depth: u32) -> Expr {
        let (a, b) = self.two(depth);
        Expr::int(b.kind(), parts!["(", a, ", ", b, ")", Feature::Comma])
    }

    fn cast(&mut self, depth: u32) -> Expr {
        let operand = self.int_expr(depth);
        let kind = self.kind();
        cast_to(Scalar::Int(kind), operand)
    }

    /// A call of a pure function whose result is an integer.
    fn pure_call(&mut self, depth: u32) -> Expr {
        let fits = |f: &&crate::generator::Func| f.pure && !f.ret.is_float();
        let candidates: Vec<_> = self.funcs.iter().filter(fits).cloned().collect();
        if candidates.is_empty() {
            return self.leaf(depth);
        }
        let func = &candidates[self.rng.index(candidates.len())];
        if !self.charge_call(func.cost) {
            return self.leaf(depth);
        }
        let mut call = parts![Feature::PureCall, format!("{}(", func.name)];
        for (i, param) in func.params.iter().enumerate() {
            call.push(if i == 0 { "".into() } else { ", ".into() });
            call.push(self.scalar_argument(param, depth).into());
        }
        call.push(")".into());
        Expr::new(func.ret, call)
    }

    /// An argument of scalar type; floats are clamped as all stored ones are.
    pub(crate) fn scalar_argument(&mut self, param: &Type, depth: u32) -> Vec<Part> {
        match param {
            Type::Scalar(ty) => self.storable(*ty, depth),
            // Pure functions have scalar parameters only.
            _ => parts!["0"],
        }
    }

    /// A value fit to be stored in an object of the type.
    pub(crate) fn storable(&mut self, ty: Scalar, depth: u32) -> Vec<Part> {
        use crate::helper::Helper::{ClampDouble, ClampFloat};
        match ty {
            Scalar::Int(_) => self.converted(ty, depth),
            // A double out of range must not be converted to a float.
            Scalar::Float => parts![ClampFloat, "(", self.expr_of(ty, depth), ")"],
            Scalar::Double => parts![ClampDouble, "(", self.float_expr(depth), ")"],
        }
    }

    /// An integer to be converted implicitly to `ty`.
    fn converted(&mut self, ty: Scalar, depth: u32) -> Vec<Part> {
        let value = self.int_expr(depth);
        if value.ty == ty {
            return parts![value];
        }
        parts![value, Feature::ImplicitConversion]
    }

    /// The distance of two elements of one array.
    fn element_distance(&mut self, depth: u32) -> Expr {
        match self.two_elements(depth) {
            Some((a, b)) => {
                Expr::int(Int::Long, parts!["(", a, " - ", b, ")", Feature::PointerDifference])
            }
            None => self.leaf(depth),
        }
    }

    /// A comparison of pointers into one array.
    fn element_order(&mut self, depth: u32) -> Expr {
        let op = self.rng.pick(&[" < ", " >= ", " == ", " != "]);
        match self.two_elements(depth) {
            Some((a, b)) => {
                Expr::int(Int::Int, parts!["(", a, op, b, ")", Feature::PointerCompare])
            }
            None => self.leaf(depth),
        }
    }

    fn two_elements(&mut self, depth: u32) -> Option<(Vec<Part>, Vec<Part>)> {
        let (name, count) = self.array()?;
        let first = parts!["&", &name, "[", self.index(count, depth), "]"];
        let second = match self.rng.below(2) {
            0 => parts![&name],
            _ => parts!["(", &name, " + ", self.index(count, depth), ")"],
        };
        Some((first, second))
    }

    /// The name and length of some array in scope.
    fn array(&mut self) -> Option<(String, u32)> {
        let arrays = self.locals.iter().chain(&self.globals).filter_map(|var| match var.ty {
            Type::Array(_, count) => Some((var.name.clone(), count)),
            _ => None,
        });
        let arrays = arrays.collect::<Vec<_>>();
        if arrays.is_empty() { None } else { arrays.get(self.rng.index(arrays.len())).cloned() }
    }

    fn string_element(&mut self, depth: u32) -> Expr {
        let word = self.word();
        // The terminating zero is an element too.
        let index = self.index(word.len() as u32 + 1, depth);
        Expr::int(Int::Char, parts![format!("\"{word}\"["), index, "]", Feature::StringLiteral])
    }

    fn literal_array_element(&mut self, depth: u32) -> Expr {
        let kind = self.rng.pick(&[Int::Short, Int::Int, Int::ULong, Int::UChar]);
        let (a, b) = self.two(depth);
        let index = self.index(2, depth);
        let array = parts![format!("(({}[]){{", kind.name()), a, ", ", b, "}["];
        Expr::int(kind, parts![array, index, "])", Feature::CompoundLiteral])
    }

    fn size_of(&mut self, _depth: u32) -> Expr {
        let names: Vec<_> = self.locals.iter().chain(&self.globals).map(|v| &v.name).collect();
        let name = if names.is_empty() { "long" } else { names[self.rng.index(names.len())] };
        Expr::int(Int::ULong, parts![format!("sizeof({name})"), Feature::Sizeof])
    }
}

/// An explicit conversion that is defined for all values of the operand.
pub(crate) fn cast_to(ty: Scalar, operand: Expr) -> Expr {
    let mut parts = parts![format!("(({})", ty.name()), Feature::ExplicitCast];
    match (operand.ty, ty) {
        (Scalar::Int(from), Scalar::Int(to)) if to.bits() < from.bits() => {
            parts.push(Feature::Truncation.into());
        }
        (Scalar::Int(from), Scalar::Int(to)) if from.signed() && to.bits() > from.bits() => {
            parts.push(Feature::SignExtension.into());
        }
        (Scalar::Int(_), Scalar::Float | Scalar::Double) => parts.push(Feature::IntToFloat.into()),
        (Scalar::Float, Scalar::Double) => parts.push(Feature::FloatToDouble.into()),
        (Scalar::Double, Scalar::Float) => return narrow(operand),
        _ => {}
    }
    parts.extend(parts![operand, ")"]);
    Expr::new(ty, parts)
}

/// A double too large for a float may not be cast, so it is clamped first.
fn narrow(operand: Expr) -> Expr {
    use crate::helper::Helper::ClampDouble;
    let inner = parts!["((float)", ClampDouble, "(", operand, "))", Feature::DoubleToFloat];
    Expr::new(Scalar::Float, inner)
}
