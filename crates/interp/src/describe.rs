//! Names for memory, in the user's words.

use unravel_kinds::{ObjectName, Variable};
use unravel_program::{Program, Shape, SiteId, Type, TypeId};

use crate::exec::Exec;
use crate::float;
use crate::memory::{ObjectId, Origin};
use crate::state::State;
use crate::value::{Value, signed};

/// Name of the `bytes` bytes at an offset of an object: `queue.slots[2].next`.
#[must_use]
pub fn place(program: &Program, state: &State, id: ObjectId, offset: u64, bytes: u64) -> Variable {
    named_place(program, state, id, offset, bytes).0
}

/// The name, and the debug type of what it names, if known.
#[must_use]
pub fn named_place(
    program: &Program,
    state: &State,
    id: ObjectId,
    offset: u64,
    bytes: u64,
) -> (Variable, Option<TypeId>) {
    let Some(object) = state.object(id) else { return (Variable::Freed, None) };
    let (root, ty) = match &object.origin {
        Origin::Global(global) => {
            let global = program.global(*global);
            (global.shown_name.clone(), global.ty)
        }
        Origin::Local { name, ty } => (name.as_deref().unwrap_or("a temporary").to_owned(), *ty),
        Origin::Heap { site, nth } => {
            return (Variable::Heap { line: line(program, *site), nth: *nth, offset }, None);
        }
        Origin::Runtime(name) => ((*name).to_owned(), None),
    };
    match ty {
        Some(ty) => {
            let (name, ty) = program.types.path(&root, ty, offset, bytes);
            (Variable::Named(name), Some(ty))
        }
        None if offset == 0 => (Variable::Named(root), None),
        None => (Variable::Named(format!("{root}+{offset}")), None),
    }
}

/// The line of a place; 0 if it is not known.
fn line(program: &Program, site: SiteId) -> u32 {
    program.site(site).span.map_or(0, |span| span.line)
}

/// A heap block, by the line that it comes from, and its number if it is not the first from there.
fn heap_block(program: &Program, site: SiteId, nth: u32) -> String {
    let line = line(program, site);
    if nth == 1 { format!("heap@{line}") } else { format!("heap@{line}#{nth}") }
}

/// A value as a person would write it.
#[must_use]
pub fn value(
    program: &Program,
    state: &State,
    value: Value,
    ty: Type,
    debug: Option<TypeId>,
) -> String {
    if !value.is_defined() {
        return "?".to_owned();
    }
    let shape = debug.and_then(|id| program.types.get(id)).map(|ty| &ty.shape);
    let width = ty.bits(program.target);
    match (shape, ty) {
        (Some(Shape::Float), _) | (_, Type::F32 | Type::F64) => {
            let ty = if width == 32 { Type::F32 } else { Type::F64 };
            format!("{}", float::as_f64(ty, value.bits))
        }
        (_, Type::Ptr) | (Some(Shape::Pointer), _) => pointer(program, state, value),
        (Some(Shape::Bool), _) => (value.bits != 0).to_string(),
        (Some(Shape::Unsigned), _) => value.bits.to_string(),
        (Some(Shape::Char), _) => character(value.bits as u8),
        _ if value.provenance.is_some() => pointer(program, state, value),
        _ => signed(value.bits, width).to_string(),
    }
}

fn character(byte: u8) -> String {
    match byte {
        b' '..=b'~' => format!("'{}'", char::from(byte)),
        _ => byte.cast_signed().to_string(),
    }
}

/// The address of an object.
#[must_use]
pub fn address(program: &Program, state: &State, id: ObjectId) -> String {
    let base = state.object(id).map_or(0, |object| object.base);
    pointer(program, state, Value::pointer(base, id))
}

fn pointer(program: &Program, state: &State, value: Value) -> String {
    let Some(id) = value.provenance else {
        return if value.bits == 0 { "NULL".to_owned() } else { format!("{:#x}", value.bits) };
    };
    if id.kind == crate::memory::ObjectKind::Function {
        let function = program.functions.get(id.number as usize);
        return function.map_or_else(String::new, |function| function.name.clone());
    }
    match state.object(id) {
        Some(object) => {
            let offset = value.address().wrapping_sub(object.base);
            match (&object.origin, offset) {
                (Origin::Heap { site, nth }, 0) => heap_block(program, *site, *nth),
                // The beginning of an object is the object, and not its first member.
                (_, 0) => format!("&{}", place(program, state, id, 0, object.size())),
                _ => format!("&{}", place(program, state, id, offset, 1)),
            }
        }
        None => "a dangling pointer".to_owned(),
    }
}

impl Exec<'_, '_> {
    /// The name of the `bytes` bytes at an offset of an object.
    pub fn describe(&self, id: ObjectId, offset: u64, bytes: u64) -> Variable {
        place(self.machine.program, self.state, id, offset, bytes)
    }

    /// Name of a whole object.
    pub fn object_name(&self, id: ObjectId) -> ObjectName {
        let object = self.state.object(id);
        match object.map(|object| (&object.origin, object.size())) {
            Some((Origin::Heap { site, .. }, bytes)) => {
                ObjectName::HeapBlock { bytes, line: line(self.machine.program, *site) }
            }
            Some((_, size)) => ObjectName::Variable(self.describe(id, 0, size).to_string()),
            None => ObjectName::Freed,
        }
    }
}
