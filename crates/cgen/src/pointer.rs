//! Pointer variables. A pointer always points at so many valid elements as its
//! type says, and never at an object that may die before it.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::tree::{Part, Stmt, parts};
use crate::types::{StructDef, Type};

/// Something a pointer can point at.
struct Target {
    /// An expression for the address, save for an index at its end.
    text: String,
    ty: Type,
    /// The number of elements from there on, and whether `text` needs an index.
    run: u32,
    indexed: bool,
    mark: Feature,
}

impl Gen {
    /// Declares a local pointer to something in scope.
    pub(crate) fn local_pointer(&mut self) -> Option<Stmt> {
        let (ty, address) = self.new_pointer(self.locals.len(), false)?;
        let name = self.fresh("p");
        let declared = self.declare(&ty, &name);
        let addressable = self.rng.chance(60);
        self.locals.push(Var { addressable, ..Var::plain(&name, ty) });
        Some(Stmt::declares(&name, parts![declared, " = ", address, ";"]))
    }

    /// Declares a global pointer to another global.
    pub(crate) fn global_pointer(&mut self) {
        let Some((ty, address)) = self.new_pointer(0, true) else { return };
        let name = self.fresh("gp");
        let declared = self.declare(&ty, &name);
        let mark = Feature::GlobalPointerInit;
        self.item(&name, parts!["static ", declared, " = ", address, ";", mark]);
        self.globals.push(Var { addressable: true, ..Var::plain(&name, ty) });
    }

    /// The type of some pointer to a global.
    pub(crate) fn pointer_type(&mut self) -> Option<Type> {
        self.new_pointer(0, true).map(|(ty, _)| ty)
    }

    /// A type of pointer, and a value for it.
    fn new_pointer(&mut self, limit: usize, constant: bool) -> Option<(Type, Vec<Part>)> {
        let targets = self.targets(limit);
        if targets.is_empty() {
            return None;
        }
        let target = &targets[self.rng.index(targets.len())];
        let run = self.rng.between(1, target.run);
        let ty = Type::Pointer(Box::new(target.ty.clone()), run);
        Some((ty, self.address(target, run, constant)))
    }

    /// The address of `run` elements of type `ty`, for a pointer that lives as
    /// long as the local of index `limit`.
    pub(crate) fn address_of(&mut self, ty: &Type, run: u32, limit: usize) -> Option<Vec<Part>> {
        let mut targets = self.targets(limit);
        targets.retain(|target| target.ty == *ty && target.run >= run);
        if targets.is_empty() {
            return None;
        }
        let index = self.rng.index(targets.len());
        Some(self.address(&targets[index], run, false))
    }

    fn address(&mut self, target: &Target, run: u32, constant: bool) -> Vec<Part> {
        if !target.indexed {
            return parts![&target.text, target.mark];
        }
        let last = target.run - run;
        let index = match constant {
            true => parts![self.rng.below(last + 1).to_string()],
            false => self.index(last + 1, 1),
        };
        if self.rng.chance(40) {
            let text = target.text.trim_start_matches('&');
            return parts![format!("({text} + "), index, ")", Feature::PointerArithmetic];
        }
        parts![&target.text, "[", index, "]", target.mark, Feature::PointerToElement]
    }

    /// All that can be pointed at: globals, and locals before `limit`.
    fn targets(&self, limit: usize) -> Vec<Target> {
        let mut targets = Vec::new();
        let limit = limit.min(self.locals.len());
        for var in self.globals.iter().filter(|var| var.addressable) {
            add_targets(&mut targets, var, Feature::PointerToGlobal);
        }
        for var in self.locals[..limit].iter().filter(|var| var.addressable) {
            add_targets(&mut targets, var, Feature::PointerToLocal);
        }
        targets
    }

    /// Makes a pointer point elsewhere.
    pub(crate) fn retarget(&mut self) -> Option<Stmt> {
        let local = |(i, var): (usize, &Var)| (var.clone(), i);
        let mut pointers: Vec<_> = self.locals.iter().enumerate().map(local).collect();
        if !self.pure {
            pointers.extend(self.globals.iter().map(|var| (var.clone(), 0)));
        }
        pointers.retain(|(var, _)| var.writable && matches!(var.ty, Type::Pointer(..)));
        if pointers.is_empty() {
            return None;
        }
        let (var, limit) = &pointers[self.rng.index(pointers.len())];
        let Type::Pointer(target, run) = &var.ty else { return None };
        let address = self.address_of(target, *run, *limit)?;
        Some(Stmt::new(parts![&var.name, " = ", address, ";"]))
    }
}

fn add_targets(targets: &mut Vec<Target>, var: &Var, mark: Feature) {
    let whole = |ty: &Type, mark| Target {
        text: format!("&{}", var.name),
        ty: ty.clone(),
        run: 1,
        indexed: false,
        mark,
    };
    match &var.ty {
        Type::Array(element, count) => {
            // A pointer to an array would need parentheses in declarations.
            if !matches!(**element, Type::Array(..)) {
                let ty = (**element).clone();
                targets.push(Target { run: *count, indexed: true, ..whole(&ty, mark) });
            }
        }
        Type::Struct(def) => {
            targets.push(whole(&var.ty, mark));
            add_fields(targets, def, &var.name);
        }
        Type::Pointer(inner, _) if matches!(**inner, Type::Pointer(..)) => {}
        Type::Pointer(..) => targets.push(whole(&var.ty, Feature::PointerToPointer)),
        Type::Scalar(_) => targets.push(whole(&var.ty, mark)),
    }
}

fn add_fields(targets: &mut Vec<Target>, def: &StructDef, path: &str) {
    for field in def.fields.iter().filter(|field| field.bits.is_none()) {
        let text = format!("&{path}.{}", field.name);
        let mark = Feature::PointerToField;
        let target = match &field.ty {
            Type::Array(element, count) if !matches!(**element, Type::Array(..)) => {
                Target { text, ty: (**element).clone(), run: *count, indexed: true, mark }
            }
            Type::Array(..) => continue,
            ty => Target { text, ty: ty.clone(), run: 1, indexed: false, mark },
        };
        targets.push(target);
    }
}
