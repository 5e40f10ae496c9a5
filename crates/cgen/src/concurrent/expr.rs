//! Random expressions and conditions on the variables of `soup.rs`.

use super::construct::Construct;
use super::generator::Gen;
use super::soup::{Kind, Var};
use super::tree::{Part, parts};

impl Gen {
    /// A small integer, signed or not.
    pub(super) fn expr(&mut self, locals: &[String], depth: u32) -> Part {
        if depth == 0 || self.rng.chance(40) {
            return self.leaf(locals);
        }
        let a = self.expr(locals, depth - 1);
        let parts = match self.rng.below(14) {
            0 | 1 => parts!["(", a, " + ", self.expr(locals, depth - 1), ")"],
            2 => parts!["(", a, " - ", self.expr(locals, depth - 1), ")"],
            3 => parts!["(", a, " * ", self.rng.between(2, 3).to_string(), ")"],
            4 => {
                let op = self.rng.pick(&[" & ", " | ", " ^ "]);
                parts!["(", a, op, self.expr(locals, depth - 1), ")"]
            }
            5 => {
                let b = self.expr(locals, depth - 1);
                parts!["(((unsigned)", a, " & 15) << (", b, " & 3))", Construct::Shift]
            }
            6 => {
                let b = self.expr(locals, depth - 1);
                parts!["((", a, " & 255) >> (", b, " & 3))", Construct::Shift]
            }
            7 => {
                let (op, b) = (self.rng.pick(&[" / ", " % "]), self.expr(locals, depth - 1));
                parts!["(", a, op, "(1 + (", b, " & 3)))", Construct::Division]
            }
            8 => {
                let ty = self.rng.pick(&["signed char", "unsigned char", "short", "long"]);
                parts![format!("(({ty})"), a, ")", Construct::Cast]
            }
            9 => parts!["(", a, " + 1u)", Construct::UnsignedArithmetic],
            10 => parts!["(((", a, " & 3) + 4294967296L) >> 1)", Construct::LongArithmetic],
            11 => {
                let b = self.expr(locals, depth - 1);
                let c = self.condition(locals);
                parts!["(", c, " ? ", a, " : ", b, ")"]
            }
            _ => match self.arrays.first().cloned() {
                Some(array) => parts![
                    format!("{}[(", array.name),
                    a,
                    format!(") & {}]", array.len - 1),
                    Construct::ComputedIndex
                ],
                None => parts!["(", a, " == ", self.expr(locals, depth - 1), ")"],
            },
        };
        Part::Hole(parts)
    }

    pub(super) fn leaf(&mut self, locals: &[String]) -> Part {
        if self.rng.chance(30) {
            return Part::Hole(parts![self.rng.below(4).to_string()]);
        }
        if self.inputs > 0 && self.rng.chance(12) {
            return self.input();
        }
        if !locals.is_empty() && self.rng.chance(50) {
            let index = self.rng.index(locals.len());
            return Part::Hole(parts![&locals[index]]);
        }
        let sure = self.pointers.iter().find(|pointer| !pointer.may_be_null).cloned();
        match sure {
            Some(pointer) if self.rng.chance(30) => {
                Part::Hole(parts![format!("*{}", pointer.name)])
            }
            _ => match self.any_var() {
                Some(var) => self.read(&var),
                None => Part::Hole(parts![self.rng.below(3).to_string()]),
            },
        }
    }

    /// An input of a few values.
    pub(super) fn input(&mut self) -> Part {
        if self.primitives && self.inputs == 0 {
            return Part::Hole(parts!["__VERIFIER_nondet_bool()"]);
        }
        self.inputs = self.inputs.saturating_sub(1);
        let text = self.rng.pick(&[
            "(__VERIFIER_nondet_uchar() & 3)",
            "(__VERIFIER_nondet_uchar() & 1)",
            "__VERIFIER_nondet_bool()",
            "__VERIFIER_nondet_bool()",
            "(__VERIFIER_nondet_char() & 3)",
        ]);
        Part::Hole(parts![text])
    }

    pub(super) fn any_var(&mut self) -> Option<Var> {
        let len = self.vars.len();
        (len > 0).then(|| self.vars[self.rng.index(len)].clone())
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, var: &Var) -> Part {
        let place = &var.place;
        let text = match var.kind {
            Kind::Atomic if self.rng.chance(60) => format!("atomic_load(&{place})"),
            Kind::Int if self.rng.chance(6) => format!("__atomic_load_n(&{place}, 5)"),
            _ => place.clone(),
        };
        Part::Hole(parts![text])
    }

    /// A condition that is true now and then.
    pub(super) fn condition(&mut self, locals: &[String]) -> Part {
        if let Some(pointer) = self.pointers.first().cloned()
            && self.rng.chance(30)
        {
            let name = &pointer.name;
            let target = &pointer.targets[self.rng.index(2)];
            let op = self.rng.pick(&["==", "!=", "<", ">="]);
            let mark = match op {
                "==" | "!=" => Construct::PointerCompare,
                _ => Construct::PointerOrder,
            };
            return Part::Hole(parts![format!("({name} {op} &{target})"), mark]);
        }
        // Two constants would decide nothing.
        let a = match self.any_var() {
            Some(var) if self.rng.chance(70) => self.read(&var),
            None if self.inputs > 0 && locals.is_empty() => self.input(),
            _ => self.leaf(locals),
        };
        let op = self.rng.pick(&[" == ", " != ", " < ", " >= ", " <= ", " > "]);
        let b = match self.rng.below(4) {
            0 => self.leaf(locals),
            _ => Part::Hole(parts![self.rng.below(3).to_string()]),
        };
        let mut parts = parts!["(", a, op, b, ")"];
        if self.rng.chance(12) {
            let op = self.rng.pick(&[" && ", " || "]);
            let more = self.condition(locals);
            parts = parts!["(", Part::Hole(parts), op, more, ")"];
        }
        Part::Hole(parts)
    }

    /// A condition that always holds, though it takes a look to see it.
    pub(super) fn truth(&mut self) -> String {
        let Some(var) = self.any_var() else { return "1".into() };
        let place = &var.place;
        match self.rng.below(4) {
            0 => format!("({place} & 3) < 4"),
            1 if !var.counts => format!("{place} <= {}", var.max),
            2 => format!("({place} | 1) != 0"),
            _ => format!("({place} & 1) == 0 || ({place} & 6) < 7"),
        }
    }
}
