//! Places: the expressions that name an object, to be read or assigned.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::tree::{Expr, Part, Stmt, parts};
use crate::types::{Scalar, StructDef, Type};

/// A scalar object or bit-field.
pub(crate) struct Place {
    pub(crate) ty: Scalar,
    pub(crate) bits: Option<u32>,
    pub(crate) parts: Vec<Part>,
}

/// What a place is wanted for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Place {
    /// The value of the place. A bit-field is cast to its declared type, since
    /// compilers differ in the type they give to a wide one.
    pub(crate) fn load(self) -> Expr {
        let parts = match self.bits {
            None => self.parts,
            Some(_) => parts![format!("(({})", self.ty.name()), self.parts, ")"],
        };
        Expr::new(self.ty, parts)
    }
}

impl Gen {
    /// A random place that holds a float or that holds an integer.
    pub(crate) fn place(&mut self, access: Access, float: bool, depth: u32) -> Option<Place> {
        for _ in 0..8 {
            let var = self.variable(access)?;
            let place = self.descend(&var.ty, Path::of(&var), depth);
            if place.ty.is_float() == float {
                return Some(place);
            }
        }
        None
    }

    /// A variable that may be accessed; locals are preferred.
    fn variable(&mut self, access: Access) -> Option<Var> {
        let prefer_local = self.rng.chance(65);
        let locals = self.accessible(&self.locals, access, false);
        let globals = self.accessible(&self.globals, access, true);
        let first = if prefer_local { [locals, globals] } else { [globals, locals] };
        let list = first.into_iter().find(|list| !list.is_empty())?;
        let index = self.rng.index(list.len());
        list.get(index).cloned()
    }

    fn accessible(&self, vars: &[Var], access: Access, global: bool) -> Vec<Var> {
        let allowed = |var: &&Var| {
            let hidden = self.hidden.as_ref() == Some(&var.name);
            let writes_outside = self.pure && (global || matches!(var.ty, Type::Pointer(..)));
            !hidden && (access == Access::Read || (var.writable && !writes_outside))
        };
        vars.iter().filter(allowed).cloned().collect()
    }

    /// Walks from an object down to a scalar in it.
    fn descend(&mut self, ty: &Type, path: Path, depth: u32) -> Place {
        match ty {
            Type::Scalar(scalar) => Place { ty: *scalar, bits: path.bits, parts: path.parts },
            Type::Array(element, count) => {
                let index = self.index(*count, depth);
                self.descend(element, path.then(parts!["[", index, "]"]), depth)
            }
            Type::Struct(def) => self.descend_field(def, path, ".", depth),
            Type::Pointer(target, run) => self.descend_pointer(target, *run, path, depth),
        }
    }

    fn descend_field(&mut self, def: &StructDef, path: Path, dot: &str, depth: u32) -> Place {
        let field = &def.fields[self.rng.index(def.fields.len())];
        let mut path = path.then(parts![dot, &field.name]);
        if field.bits.is_some() {
            path = path.then(parts![Feature::BitField]);
        }
        path.bits = field.bits;
        self.descend(&field.ty, path, depth)
    }

    fn descend_pointer(&mut self, target: &Type, run: u32, path: Path, depth: u32) -> Place {
        match target {
            Type::Struct(def) if run == 1 => self.descend_field(def, path, "->", depth),
            _ if run == 1 => self.descend(target, path.wrap("(*", parts![")"]), depth),
            _ if self.rng.chance(50) => {
                let index = self.index(run, depth);
                self.descend(target, path.then(parts!["[", index, "]"]), depth)
            }
            _ => {
                let index = self.index(run, depth);
                let sum = parts![" + ", index, "))", Feature::PointerArithmetic];
                self.descend(target, path.wrap("(*(", sum), depth)
            }
        }
    }

    /// An index in `0..count`, as parts.
    pub(crate) fn index(&mut self, count: u32, depth: u32) -> Vec<Part> {
        if let Some(name) = self.counter_below(count) {
            return parts![name];
        }
        if depth == 0 || self.rng.chance(50) {
            return parts![self.rng.below(count).to_string()];
        }
        let index = self.int_expr(depth - 1);
        if count.is_power_of_two() && self.rng.chance(50) {
            return parts!["(", index, format!(" & {})", count - 1)];
        }
        parts!["(unsigned)", index, format!(" % {count}u")]
    }

    /// Often, the name of a loop counter whose values are all below `count`.
    fn counter_below(&mut self, count: u32) -> Option<String> {
        if self.rng.chance(30) {
            return None;
        }
        let fits = |var: &&Var| var.below.is_some_and(|below| below <= count);
        self.locals.iter().rev().find(fits).map(|var| var.name.clone())
    }
}

/// The text that leads to an object.
pub(crate) struct Path {
    pub(crate) parts: Vec<Part>,
    bits: Option<u32>,
}

impl Path {
    pub(crate) fn of(var: &Var) -> Self {
        Self { parts: parts![&var.name], bits: None }
    }

    fn then(mut self, more: Vec<Part>) -> Self {
        self.parts.extend(more);
        self
    }

    fn wrap(self, before: &str, after: Vec<Part>) -> Self {
        Self { parts: parts![before, self.parts, after], bits: None }
    }
}

/// Statements that fold all of a variable into the checksum.
pub(crate) fn mix_all(path: &str, ty: &Type) -> Vec<Stmt> {
    let mut parts = Vec::new();
    mix_into(&mut parts, path, ty, 0);
    vec![Stmt::new(parts)]
}

fn mix_into(parts: &mut Vec<Part>, path: &str, ty: &Type, depth: u32) {
    use crate::helper::Helper::{DoubleBits, Mix};
    match ty {
        Type::Scalar(Scalar::Int(kind)) => {
            parts.extend(parts![Mix, format!("({path}); ")]);
            if kind.bits() == 128 {
                parts.extend(parts![Mix, format!("({path} >> 64); ")]);
            }
        }
        Type::Scalar(_) => parts.extend(parts![Mix, "(", DoubleBits, format!("({path})); ")]),
        Type::Array(element, count) => {
            let k = format!("k{depth}");
            parts.extend(parts![format!("for (int {k} = 0; {k} < {count}; {k}++) {{ ")]);
            mix_into(parts, &format!("{path}[{k}]"), element, depth + 1);
            parts.extend(parts!["}"]);
        }
        Type::Struct(def) => {
            for field in &def.fields {
                mix_into(parts, &format!("{path}.{}", field.name), &field.ty, depth);
            }
        }
        Type::Pointer(target, _) => mix_into(parts, &format!("(*{path})"), target, depth),
    }
}
