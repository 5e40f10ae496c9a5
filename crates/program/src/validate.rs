//! The rules that every [`Program`] obeys.
//!
//! Everything downstream uses ids as indices and trusts widths, so a program is checked once,
//! before anything runs it. A program that breaks a rule is a bug of the front end (or of
//! whoever wrote the text form), never of the user's C code.
//!
//! - `tables` checks what is not code: sites, debug types, globals;
//! - `code` checks ids, arities and single assignment in a function;
//! - `typing` checks the types of values.

mod code;
mod tables;
mod typing;

use std::fmt;

use crate::ir::{FunctionId, GlobalId, Operand, Program, SiteId, Type};
use crate::names::TypeId;

/// A broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The function it is broken in; `None` outside functions.
    pub function: Option<String>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "in function {function}: {}", self.what),
            None => f.write_str(&self.what),
        }
    }
}

impl std::error::Error for Invalid {}

/// Checks all rules.
///
/// # Errors
///
/// Every rule that is broken, in the order of the program. What follows from an id out of range
/// is not reported again.
pub fn validate(program: &Program) -> Result<(), Vec<Invalid>> {
    let mut broken = Broken::default();
    tables::check(program, &mut broken);
    for function in &program.functions {
        broken.function = Some(function.name.clone());
        code::check(program, function, &mut broken);
    }
    if broken.list.is_empty() { Ok(()) } else { Err(broken.list) }
}

/// The broken rules so far, and the function at hand.
#[derive(Default)]
struct Broken {
    function: Option<String>,
    list: Vec<Invalid>,
}

impl Broken {
    fn push(&mut self, what: impl Into<String>) {
        self.list.push(Invalid { function: self.function.clone(), what: what.into() });
    }

    /// Reports unless `holds`; the text is only built then.
    fn require(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.push(what());
        }
    }

    fn site(&mut self, program: &Program, site: SiteId) {
        let known = (site.0 as usize) < program.sites.len();
        self.require(known, || format!("site {} does not exist", site.0));
    }

    fn debug_type(&mut self, program: &Program, ty: Option<TypeId>) {
        if let Some(TypeId(id)) = ty {
            let known = (id as usize) < program.types.types.len();
            self.require(known, || format!("debug type {id} does not exist"));
        }
    }

    fn function_id(&mut self, program: &Program, FunctionId(id): FunctionId) {
        let known = (id as usize) < program.functions.len();
        self.require(known, || format!("function {id} does not exist"));
    }

    /// Globals and functions; registers are the business of `code`.
    fn address(&mut self, program: &Program, operand: Operand) {
        match operand {
            Operand::Global(GlobalId(id), _) => {
                let known = (id as usize) < program.globals.len();
                self.require(known, || format!("global {id} does not exist"));
            }
            Operand::Function(id) => self.function_id(program, id),
            Operand::Reg(_) | Operand::Int(_) | Operand::Undef => {}
        }
    }

    fn width(&mut self, width: u16) {
        self.require((1..=128).contains(&width), || {
            format!("an integer of {width} bits, not of 1 to 128")
        });
    }

    fn ty(&mut self, ty: Type) {
        if let Type::Int(width) = ty {
            self.width(width);
        }
    }

    fn align(&mut self, align: u64) {
        self.require(align.is_power_of_two(), || {
            format!("an alignment of {align}, not a power of two")
        });
    }
}

#[cfg(test)]
mod tests;
