//! Debug types to the table that names places inside objects.

use std::collections::HashMap;

use unravel_program::{DebugType, Member, Shape, TypeId, Types};

use super::name_of;
use crate::llvm::{Metadata, MetadataKind, operand};

/// DWARF tags (DWARF 5, section 7.5.3).
mod tag {
    pub(super) const ARRAY: u16 = 0x01;
    pub(super) const ENUMERATION: u16 = 0x04;
    pub(super) const MEMBER: u16 = 0x0d;
    pub(super) const POINTER: u16 = 0x0f;
    pub(super) const STRUCTURE: u16 = 0x13;
    pub(super) const TYPEDEF: u16 = 0x16;
    pub(super) const UNION: u16 = 0x17;
    pub(super) const CONST: u16 = 0x26;
    pub(super) const VOLATILE: u16 = 0x35;
    pub(super) const RESTRICT: u16 = 0x37;
    pub(super) const ATOMIC: u16 = 0x47;
}

/// Types whose inside is the library's business, whatever header they come from.
const OPAQUE: &[&str] = &[
    "pthread_t",
    "pthread_mutex_t",
    "pthread_mutexattr_t",
    "pthread_cond_t",
    "pthread_condattr_t",
    "pthread_rwlock_t",
    "pthread_rwlockattr_t",
    "pthread_barrier_t",
    "pthread_barrierattr_t",
    "pthread_spinlock_t",
    "pthread_once_t",
    "pthread_key_t",
    "pthread_attr_t",
    "sem_t",
    "mtx_t",
    "cnd_t",
    "once_flag",
    "thrd_t",
    "tss_t",
    "FILE",
];

/// Prefixes of such types, if a system header declares them.
const OPAQUE_PREFIXES: &[&str] =
    &["pthread_", "__pthread", "sem_", "mtx_", "cnd_", "once_", "thrd_", "tss_", "_IO_"];

/// How many qualifiers and typedefs are looked through; more would be malformed.
const DEPTH: usize = 100;

/// Debug types met so far.
#[derive(Default)]
pub(super) struct TypeTable {
    types: Vec<DebugType>,
    /// Ids by the key of the node; `None` while a type is being entered.
    ids: HashMap<usize, Option<TypeId>>,
}

impl TypeTable {
    pub(super) fn finish(self) -> Types {
        Types { types: self.types }
    }

    /// The id of a type, entering it if it is new.
    pub(super) fn intern(&mut self, ty: Metadata<'_>) -> TypeId {
        match self.ids.get(&ty.key()) {
            Some(Some(id)) => return *id,
            // A type that contains itself other than through a pointer is malformed.
            Some(None) => return self.push(opaque(String::new(), 0)),
            None => {}
        }
        self.ids.insert(ty.key(), None);
        let entry = self.build(ty);
        let id = self.push(entry);
        self.ids.insert(ty.key(), Some(id));
        id
    }

    fn push(&mut self, ty: DebugType) -> TypeId {
        let id = TypeId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        self.types.push(ty);
        id
    }

    fn build(&mut self, ty: Metadata<'_>) -> DebugType {
        let (name, base, is_opaque) = resolve(ty);
        let Some(base) = base else { return opaque(name, 0) };
        let size = base.type_bits().div_ceil(8);
        if is_opaque {
            return opaque(name, size);
        }
        match base.kind() {
            MetadataKind::LLVMDIBasicTypeMetadataKind => {
                let shape = basic_shape(base);
                DebugType { name, size, shape }
            }
            MetadataKind::LLVMDIDerivedTypeMetadataKind if base.tag() == tag::POINTER => {
                DebugType { name, size, shape: Shape::Pointer }
            }
            MetadataKind::LLVMDICompositeTypeMetadataKind => self.composite(name, base),
            _ => opaque(name, size),
        }
    }

    fn composite(&mut self, name: String, base: Metadata<'_>) -> DebugType {
        let size = base.type_bits().div_ceil(8);
        match base.tag() {
            tag::STRUCTURE | tag::UNION => {
                let elements = elements(base);
                let members = elements.into_iter().filter_map(|it| self.member(it)).collect();
                DebugType { name, size, shape: Shape::Struct(members) }
            }
            tag::ARRAY => self.array(name, base),
            tag::ENUMERATION => {
                let underlying = base.operand(operand::BASE).and_then(|it| resolve(it).1);
                let shape = underlying.map_or(Shape::Unsigned, basic_shape);
                DebugType { name, size, shape }
            }
            _ => opaque(name, size),
        }
    }

    fn member(&mut self, member: Metadata<'_>) -> Option<Member> {
        if member.tag() != tag::MEMBER {
            return None;
        }
        let storage = || member.operand(operand::STORAGE)?.wrapped()?.int_bits();
        let bits = match member.is_bit_field() {
            true => u64::try_from(storage()?).ok()?,
            false => member.type_offset_bits(),
        };
        let ty = self.intern(member.operand(operand::BASE)?);
        Some(Member { name: name_of(member).unwrap_or_default(), offset: bits / 8, ty })
    }

    /// An array of several dimensions is an array of arrays, as in C.
    fn array(&mut self, name: String, base: Metadata<'_>) -> DebugType {
        let Some(element) = base.operand(operand::BASE) else { return opaque(name, 0) };
        let mut element = self.intern(element);
        let mut element_name = type_name(base.operand(operand::BASE), 0);
        let mut lengths: Vec<u64> = elements(base).into_iter().map(length_of).collect();
        let outer = if lengths.is_empty() { 0 } else { lengths.remove(0) };
        for length in lengths.into_iter().rev() {
            let size = self.size_of(element).saturating_mul(length);
            element_name = format!("{element_name}{}", dimension(length));
            let name = element_name.clone();
            element = self.push(DebugType { name, size, shape: Shape::Array { element, length } });
        }
        let size = self.size_of(element).saturating_mul(outer);
        DebugType { name, size, shape: Shape::Array { element, length: outer } }
    }

    fn size_of(&self, id: TypeId) -> u64 {
        self.types.get(id.0 as usize).map_or(0, |ty| ty.size)
    }
}

fn opaque(name: String, size: u64) -> DebugType {
    DebugType { name, size, shape: Shape::Opaque }
}

/// Looks through typedefs and qualifiers: the name to show (that of the first typedef), the type
/// itself (`None` for `void`), and whether any name on the way makes it opaque.
fn resolve(ty: Metadata<'_>) -> (String, Option<Metadata<'_>>, bool) {
    let name = type_name(Some(ty), 0);
    let (mut at, mut is_opaque) = (Some(ty), false);
    for _ in 0..DEPTH {
        let Some(ty) = at else { break };
        is_opaque |= is_opaque_type(ty);
        match ty.tag() {
            tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => {
                at = ty.operand(operand::BASE);
            }
            _ => break,
        }
    }
    (name, at, is_opaque)
}

fn is_opaque_type(ty: Metadata<'_>) -> bool {
    let Some(name) = name_of(ty) else { return false };
    if OPAQUE.contains(&name.as_str()) {
        return matches!(ty.tag(), tag::TYPEDEF | tag::STRUCTURE | tag::UNION);
    }
    matches!(ty.tag(), tag::STRUCTURE | tag::UNION)
        && OPAQUE_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        && ty.operand(operand::FILE).and_then(|file| file.file()).is_some_and(|(dir, file)| {
            file.starts_with("/usr/include") || dir.starts_with("/usr/include")
        })
}

/// The name of a type as C would write it, about.
fn type_name(ty: Option<Metadata<'_>>, depth: usize) -> String {
    let Some(ty) = ty else { return "void".to_owned() };
    if depth > DEPTH {
        return String::new();
    }
    let base = || type_name(ty.operand(operand::BASE), depth + 1);
    let named = |keyword: &str| match name_of(ty) {
        Some(name) => format!("{keyword} {name}"),
        None => keyword.to_owned(),
    };
    match ty.tag() {
        tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC => base(),
        tag::POINTER => pointer_name(&base()),
        tag::STRUCTURE => named("struct"),
        tag::UNION => named("union"),
        tag::ENUMERATION => named("enum"),
        tag::ARRAY => {
            let lengths = elements(ty).into_iter().map(|it| dimension(length_of(it)));
            format!("{}{}", base(), lengths.collect::<String>())
        }
        _ => name_of(ty).unwrap_or_else(|| "function".to_owned()),
    }
}

fn pointer_name(base: &str) -> String {
    if base.ends_with('*') { format!("{base}*") } else { format!("{base} *") }
}

fn elements(ty: Metadata<'_>) -> Vec<Metadata<'_>> {
    let elements = ty.operand(operand::ELEMENTS);
    elements.map(|it| it.operands().into_iter().flatten().collect()).unwrap_or_default()
}

fn dimension(length: u64) -> String {
    if length == 0 { "[]".to_owned() } else { format!("[{length}]") }
}

/// Length of an array dimension; 0 if it is not fixed.
fn length_of(range: Metadata<'_>) -> u64 {
    let count = || range.operand(operand::COUNT)?.wrapped()?.int_bits();
    // An array without a length (`extern int a[];`) has count -1.
    count().and_then(|it| i64::try_from(it).ok()).and_then(|it| u64::try_from(it).ok()).unwrap_or(0)
}

/// Shape of a basic type. Its encoding can only be had from the printed node.
fn basic_shape(ty: Metadata<'_>) -> Shape {
    let printed = ty.printed();
    let encoding = printed.split("encoding: ").nth(1).unwrap_or_default();
    let end = encoding.find([',', ')']).unwrap_or(encoding.len());
    match &encoding[..end] {
        "DW_ATE_boolean" => Shape::Bool,
        "DW_ATE_float" => Shape::Float,
        "DW_ATE_signed" => Shape::Signed,
        "DW_ATE_unsigned" => Shape::Unsigned,
        "DW_ATE_UTF" => Shape::Char,
        "DW_ATE_signed_char" | "DW_ATE_unsigned_char" if name_of(ty).as_deref() == Some("char") => {
            Shape::Char
        }
        "DW_ATE_signed_char" => Shape::Signed,
        "DW_ATE_unsigned_char" => Shape::Unsigned,
        _ => Shape::Opaque,
    }
}
