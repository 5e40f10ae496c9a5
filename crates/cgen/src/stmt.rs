//! Statements without statements inside: assignments, declarations, calls.

use crate::feature::Feature;
use crate::generator::{Func, Gen, Var};
use crate::helper::Helper;
use crate::place::{Access, Place};
use crate::tree::{Part, Stmt, parts};
use crate::types::{Int, Scalar, Type};

/// A rule yields nothing where it does not apply.
pub(crate) type StmtRule = fn(&mut Gen) -> Option<Vec<Stmt>>;

/// What a statement can be.
const RULES: &[(u32, StmtRule)] = &[
    (30, |g| g.assignment().map(one)),
    (5, |g| g.float_assignment().map(one)),
    (8, |g| Some(one(g.local()))),
    (5, |g| g.local_pointer().map(one)),
    (3, |g| g.retarget().map(one)),
    (7, |g| g.impure_call().map(one)),
    (4, |g| g.struct_copy().map(one)),
    (5, |g| g.print().map(one)),
    (4, |g| g.mix_value().map(one)),
    (8, |g| Some(one(g.if_else()))),
    (6, |g| g.for_loop().map(one)),
    (4, |g| g.while_loop().map(one)),
    (3, |g| g.do_while().map(one)),
    (4, |g| Some(one(g.switch()))),
    (3, |g| Some(g.goto_forward())),
    (2, |g| g.goto_backward()),
    (6, |g| g.leave_loop().map(one)),
];

fn one(stmt: Stmt) -> Vec<Stmt> {
    vec![stmt]
}

impl Gen {
    /// A list of about `count` statements in a scope of their own.
    pub(crate) fn block(&mut self, count: u32) -> Vec<Stmt> {
        self.scoped(|g| (0..count).flat_map(|_| g.statement()).collect())
    }

    /// One statement, or a few that belong together.
    pub(crate) fn statement(&mut self) -> Vec<Stmt> {
        self.charge_statement();
        for _ in 0..4 {
            let rule = self.rng.weighted(RULES);
            if let Some(stmts) = rule(self) {
                return stmts;
            }
        }
        Vec::new()
    }

    fn assignment(&mut self) -> Option<Stmt> {
        self.full(|g| {
            let place = g.place(Access::Write, false, 1)?;
            let Scalar::Int(kind) = place.ty else { return None };
            let change = match place.bits {
                Some(bits) => g.change_bit_field(bits),
                None => g.change(kind),
            };
            Some(Stmt::new(parts![place.parts, change, ";"]))
        })
    }

    /// What follows an integer object in a statement that changes it.
    fn change(&mut self, kind: Int) -> Vec<Part> {
        let may_step = !kind.signed() || kind.bits() <= 16;
        match self.rng.below(10) {
            0..=5 => parts![" = ", self.storable(Scalar::Int(kind), 3), Feature::SimpleAssign],
            6 if may_step => parts![self.rng.pick(&["++", "--"]), Feature::PostIncDec],
            _ => {
                let value = self.int_expr(2);
                self.compound(kind, value)
            }
        }
    }

    /// A narrow bit-field is promoted to `int`, so less is allowed.
    fn change_bit_field(&mut self, bits: u32) -> Vec<Part> {
        let value = self.int_expr(2);
        match self.rng.below(5) {
            0 if bits <= 16 => parts![self.rng.pick(&["++", "--"]), Feature::PostIncDec],
            1 => {
                let op = self.rng.pick(&[" |= ", " &= ", " ^= "]);
                parts![op, value, Feature::CompoundAssign]
            }
            _ => parts![" = ", value, Feature::ImplicitConversion],
        }
    }

    fn float_assignment(&mut self) -> Option<Stmt> {
        self.full(|g| {
            let place = g.place(Access::Write, true, 1)?;
            // The compound form names the place twice: no holes in it then.
            match place.parts.as_slice() {
                [Part::Text(name)] if g.rng.chance(50) => {
                    let name = name.clone();
                    Some(g.float_compound(&name, place))
                }
                _ => {
                    let value = g.storable(place.ty, 3);
                    Some(Stmt::new(parts![place.parts, " = ", value, ";", Feature::SimpleAssign]))
                }
            }
        })
    }

    fn float_compound(&mut self, name: &str, place: Place) -> Stmt {
        let op = self.rng.pick(&[" += ", " -= ", " *= "]);
        let clamp = match place.ty {
            Scalar::Float => Helper::ClampFloat,
            _ => Helper::ClampDouble,
        };
        // The right side is clamped too, lest a float overflow on conversion.
        let value = self.storable(place.ty, 2);
        let change = parts![name, op, value, "; ", Feature::CompoundAssign];
        Stmt::new(parts![change, name, " = ", clamp, format!("({name});")])
    }

    fn mix_value(&mut self) -> Option<Stmt> {
        if self.pure {
            return None;
        }
        let value = self.full(|g| g.int_expr(3));
        Some(self.sink(value))
    }

    /// Copies a structure from one object to another.
    fn struct_copy(&mut self) -> Option<Stmt> {
        let objects = self.struct_objects();
        let locals: Vec<_> = self.locals.iter().map(|var| var.name.clone()).collect();
        let writable = |var: &&Var| var.writable && (!self.pure || locals.contains(&var.name));
        let targets: Vec<_> = objects.iter().filter(writable).cloned().collect();
        let target = targets.get(self.rng.index(targets.len()))?;
        let Type::Struct(def) = &target.ty else { return None };
        let others: Vec<_> = objects.iter().filter(|var| var.ty == target.ty).collect();
        if others.len() > 1 && self.rng.chance(60) {
            let source = &others[self.rng.index(others.len())].name;
            return Some(Stmt::new(parts![&target.name, " = ", source, ";", Feature::StructCopy]));
        }
        let value = parts![format!("(struct {})", def.name), self.struct_initializer(def, false)];
        let marks = parts![Feature::StructCopy, Feature::CompoundLiteral];
        Some(Stmt::new(parts![&target.name, " = ", value, ";", marks]))
    }

    fn struct_objects(&self) -> Vec<Var> {
        let all = self.locals.iter().chain(&self.globals);
        all.filter(|var| matches!(var.ty, Type::Struct(_))).cloned().collect()
    }

    /// A call of some function that may change anything.
    fn impure_call(&mut self) -> Option<Stmt> {
        if self.pure || self.funcs.iter().all(|func| func.pure) {
            return None;
        }
        let impure: Vec<_> = self.funcs.iter().filter(|func| !func.pure).cloned().collect();
        let func = &impure[self.rng.index(impure.len())];
        self.call_statement(func)
    }

    /// A call as a statement of its own. The result goes into a local that the
    /// function cannot reach.
    pub(crate) fn call_statement(&mut self, func: &Func) -> Option<Stmt> {
        let call = self.call(func)?;
        match self.changeable() {
            Some(var) if !func.ret.is_float() => {
                Some(Stmt::new(parts![&var.name, " = ", call, ";", Feature::ImpureCall]))
            }
            _ => Some(Stmt::new(parts![call, ";", Feature::ImpureCall])),
        }
    }

    fn call(&mut self, func: &Func) -> Option<Vec<Part>> {
        if !self.charge_call(func.cost) {
            return None;
        }
        let mut call = parts![&func.name, "("];
        for (i, param) in func.params.iter().enumerate() {
            call.push(if i == 0 { "".into() } else { ", ".into() });
            call.extend(self.argument(param)?);
        }
        call.push(")".into());
        Some(call)
    }

    fn argument(&mut self, param: &Type) -> Option<Vec<Part>> {
        match param {
            Type::Scalar(ty) => Some(self.storable(*ty, 2)),
            Type::Pointer(target, run) => self.address_of(target, *run, self.locals.len()),
            Type::Struct(def) => {
                let value = self.struct_initializer(def, false);
                Some(parts![format!("(struct {})", def.name), value, Feature::CompoundLiteral])
            }
            Type::Array(..) => None,
        }
    }
}
