//! Declarations: structure types, variables and their initializers.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::tree::{Part, Stmt, parts};
use crate::types::{Field, Int, Scalar, StructDef, Type};
use std::rc::Rc;

impl Gen {
    pub(crate) fn scalar(&mut self) -> Scalar {
        match self.rng.below(100) {
            0..=6 => Scalar::Float,
            7..=14 => Scalar::Double,
            _ => Scalar::Int(self.kind()),
        }
    }

    /// A type for a variable: a scalar more often than not.
    pub(crate) fn object_type(&mut self) -> Type {
        match self.rng.below(100) {
            0..=54 => Type::Scalar(self.scalar()),
            55..=72 => self.array_type(),
            73..=78 => {
                let row =
                    Type::Array(Box::new(Type::Scalar(self.scalar())), self.rng.between(2, 3));
                Type::Array(Box::new(row), self.rng.between(2, 3))
            }
            79..=92 => self.struct_type(),
            _ => Type::Array(Box::new(self.struct_type()), self.rng.between(2, 3)),
        }
    }

    pub(crate) fn array_type(&mut self) -> Type {
        Type::Array(Box::new(Type::Scalar(self.scalar())), self.rng.between(2, 6))
    }

    fn struct_type(&mut self) -> Type {
        match self.structs.len() {
            0 => Type::Scalar(self.scalar()),
            n => Type::Struct(Rc::clone(&self.structs[self.rng.index(n)])),
        }
    }

    /// Adds a structure type with members of all sorts.
    pub(crate) fn add_struct(&mut self) {
        let name = self.fresh("S");
        let count = self.rng.between(2, 4);
        let fields = (0..count).map(|_| self.field()).collect();
        let def = Rc::new(StructDef { name, fields });
        self.define_struct(&def);
        self.structs.push(def);
    }

    /// Puts the definition of a structure type into the program.
    pub(crate) fn define_struct(&mut self, def: &StructDef) {
        let mut text = parts![format!("struct {} {{ ", def.name), Feature::Struct];
        for field in &def.fields {
            text.extend(self.declare(&field.ty, &field.name));
            if let Some(bits) = field.bits {
                text.extend(parts![format!(" : {bits}"), Feature::BitField]);
            }
            match field.ty {
                Type::Struct(_) => text.push(Feature::NestedStruct.into()),
                Type::Scalar(ty) if ty.is_float() => text.push(Feature::FloatInStruct.into()),
                _ => {}
            }
            text.push("; ".into());
        }
        text.push("};".into());
        self.item(&def.name, text);
    }

    fn field(&mut self) -> Field {
        let name = self.fresh("m");
        match self.rng.below(100) {
            0..=24 => self.bit_field(name),
            25..=34 => Field { name, ty: self.array_type(), bits: None },
            35..=49 => Field { name, ty: self.struct_type(), bits: None },
            _ => Field { name, ty: Type::Scalar(self.scalar()), bits: None },
        }
    }

    fn bit_field(&mut self, name: String) -> Field {
        let kinds =
            [Int::Int, Int::UInt, Int::ULong, Int::Long, Int::UChar, Int::UShort, Int::Bool];
        let kind = self.rng.pick(&kinds);
        let bits = self.rng.between(1, kind.bits().min(40));
        Field { name, ty: Type::int(kind), bits: Some(bits) }
    }

    /// `type name` as C writes it, with the features of the type.
    pub(crate) fn declare(&mut self, ty: &Type, name: &str) -> Vec<Part> {
        match ty {
            Type::Scalar(scalar) => {
                let mut parts = self.spelled(*scalar);
                parts.push(format!(" {name}").into());
                parts
            }
            Type::Array(element, count) => {
                let mark = match **element {
                    Type::Array(..) => Feature::Array2D,
                    Type::Struct(_) => Feature::ArrayOfStructs,
                    _ => Feature::Array1D,
                };
                let inner = self.declare(element, &format!("{name}[{count}]"));
                parts![mark, inner]
            }
            Type::Struct(def) => parts![format!("struct {} {name}", def.name)],
            Type::Pointer(target, _) => parts![self.declare(target, &format!("*{name}"))],
        }
    }

    /// The name of a scalar type, in one of its spellings.
    pub(crate) fn spelled(&mut self, ty: Scalar) -> Vec<Part> {
        let Scalar::Int(kind) = ty else { return parts![ty.name()] };
        match kind.typedef() {
            Some(name) if self.rng.chance(45) => {
                parts![name, Feature::FixedWidthTypedef, kind.feature()]
            }
            _ => parts![kind.name(), kind.feature()],
        }
    }

    /// An initializer; one for a global must be constant.
    pub(crate) fn initializer(&mut self, ty: &Type, constant: bool) -> Vec<Part> {
        match ty {
            Type::Scalar(scalar) if constant => parts![self.constant(*scalar)],
            Type::Scalar(scalar) => self.storable(*scalar, 1),
            Type::Array(element, count) => self.array_initializer(element, *count, constant),
            Type::Struct(def) => self.struct_initializer(def, constant),
            // Declared by `declare_pointer`, which knows what there is to
            // point at.
            Type::Pointer(..) => parts!["0"],
        }
    }

    fn array_initializer(&mut self, element: &Type, count: u32, constant: bool) -> Vec<Part> {
        if count > 2 && self.rng.chance(20) {
            let value = self.initializer(element, constant);
            let index = self.rng.below(count);
            return parts![format!("{{[{index}] = "), value, "}", Feature::DesignatedInit];
        }
        let mut parts = parts!["{"];
        for i in 0..count {
            parts.push(if i == 0 { "".into() } else { ", ".into() });
            parts.extend(self.initializer(element, constant));
        }
        parts.push("}".into());
        parts
    }

    /// `{.a = 1, .b = 2}` or `{1, 2}`.
    pub(crate) fn struct_initializer(&mut self, def: &StructDef, constant: bool) -> Vec<Part> {
        let designated = self.rng.chance(50);
        let mut parts = parts!["{"];
        for (i, field) in def.fields.iter().enumerate() {
            parts.push(if i == 0 { "".into() } else { ", ".into() });
            if designated {
                parts.extend(parts![format!(".{} = ", field.name), Feature::DesignatedInit]);
            }
            parts.extend(self.initializer(&field.ty, constant));
        }
        parts.push("}".into());
        parts
    }

    /// Declares a local variable with a value.
    pub(crate) fn local(&mut self) -> Stmt {
        let ty = self.object_type();
        let name = self.fresh("l");
        let value = self.full(|g| g.initializer(&ty, false));
        let volatile = self.rng.chance(6);
        let mut text = if volatile { parts!["volatile ", Feature::Volatile] } else { Vec::new() };
        text.extend(self.declare(&ty, &name));
        text.extend(parts![" = ", value, ";"]);
        // Pointers to volatile objects would need types of their own.
        let addressable = !volatile && self.rng.chance(50);
        self.locals.push(Var { addressable, ..Var::plain(&name, ty) });
        Stmt::declares(&name, text)
    }

    /// Declares a global variable.
    pub(crate) fn global(&mut self) {
        let ty = self.object_type();
        let name = self.fresh("g");
        let mut var = Var { addressable: true, ..Var::plain(&name, ty) };
        let prefix = self.global_prefix(&mut var);
        let value = self.initializer(&var.ty, true);
        let declared = self.declare(&var.ty, &name);
        // Without an initializer the variable is zero.
        let value = match !var.writable || self.rng.chance(80) {
            true => parts![" = ", value],
            false => Vec::new(),
        };
        self.item(&name, parts![prefix, declared, value, ";"]);
        self.globals.push(var);
    }

    /// Storage class and qualifiers, and what follows from them.
    fn global_prefix(&mut self, var: &mut Var) -> Vec<Part> {
        match self.rng.below(100) {
            0..=9 => {
                (var.writable, var.addressable) = (false, false);
                let table = matches!(var.ty, Type::Array(..));
                let mark = if table { Feature::ConstTable } else { Feature::StaticGlobal };
                parts!["static const ", mark]
            }
            10..=17 => {
                var.addressable = false;
                parts!["static volatile ", Feature::Volatile]
            }
            18..=25 => {
                // Its address is no constant, so no global may point at it.
                var.addressable = false;
                parts!["static _Thread_local ", Feature::ThreadLocal]
            }
            26..=45 => parts![Feature::ExternalGlobal],
            _ => parts!["static ", Feature::StaticGlobal],
        }
    }
}
