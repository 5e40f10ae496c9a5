//! What the IR of the analysis cannot compute, although it has a type for the result: `long double`,
//! vectors, inline assembly, exceptions. In a recorded run such a result is an input.

use crate::assembly::{Known, known};
use crate::call::called_function;
use crate::intrinsic;
use crate::llvm::{InlineAsm, Layout, Opcode, Ty, TypeKind, Value};

/// More scalars than this are not told one by one.
const MOST: usize = 16;

/// Whether the result of an instruction has to be told.
pub(super) fn is_unrepresented<'m>(at: Value<'m>, layout: Layout<'m>) -> bool {
    let parts = at.ty().and_then(|ty| scalars(ty, layout)).unwrap_or_default();
    if parts.is_empty() {
        return false;
    }
    match at.opcode() {
        Some(
            Opcode::LLVMVAArg
            | Opcode::LLVMLandingPad
            | Opcode::LLVMExtractElement
            | Opcode::LLVMInsertElement
            | Opcode::LLVMShuffleVector,
        ) => true,
        Some(Opcode::LLVMLoad) => {
            at.operand(0).and_then(Value::ty).and_then(|ty| ty.address_space()) != Some(0)
        }
        Some(
            Opcode::LLVMPHI
            | Opcode::LLVMAlloca
            | Opcode::LLVMFreeze
            | Opcode::LLVMExtractValue
            | Opcode::LLVMInsertValue
            | Opcode::LLVMAtomicRMW
            | Opcode::LLVMAtomicCmpXchg
            | Opcode::LLVMGetElementPtr,
        ) => false,
        Some(Opcode::LLVMSelect) => {
            at.operand(0).and_then(Value::ty).and_then(|ty| ty.int_width()) != Some(1)
        }
        Some(Opcode::LLVMBitCast) => !operands_fit(at, layout),
        Some(_) if at.is_call() => is_foreign_call(at, layout),
        Some(_) => !operands_fit(at, layout) || is_vector(at) || operands(at).any(is_vector),
        None => false,
    }
}

/// The scalars of a type, each as its place among members of members; `None` if the type cannot be
/// represented.
pub(super) fn scalars<'m>(ty: Ty<'m>, layout: Layout<'m>) -> Option<Vec<Vec<u32>>> {
    let mut found = Vec::new();
    collect(ty, layout, &mut Vec::new(), &mut found).then_some(found)
}

fn collect<'m>(
    ty: Ty<'m>,
    layout: Layout<'m>,
    at: &mut Vec<u32>,
    found: &mut Vec<Vec<u32>>,
) -> bool {
    let is_scalar = match ty.kind() {
        TypeKind::LLVMVoidTypeKind => return true,
        TypeKind::LLVMStructTypeKind => {
            let members = ty.members().unwrap_or_default();
            return (0u32..).zip(members).all(|(index, member)| {
                at.push(index);
                let fits = collect(member, layout, at, found);
                at.pop();
                fits
            });
        }
        TypeKind::LLVMIntegerTypeKind => ty.int_width().is_some_and(|width| width <= 128),
        TypeKind::LLVMPointerTypeKind => ty.address_space() == Some(0),
        TypeKind::LLVMFloatTypeKind | TypeKind::LLVMDoubleTypeKind => true,
        TypeKind::LLVMVectorTypeKind => {
            let is_number = ty.element().is_some_and(|it| {
                matches!(
                    it.kind(),
                    TypeKind::LLVMIntegerTypeKind
                        | TypeKind::LLVMFloatTypeKind
                        | TypeKind::LLVMDoubleTypeKind
                )
            });
            is_number && layout.bits(ty).is_some_and(|bits| bits <= 128)
        }
        _ => false,
    };
    found.push(at.clone());
    is_scalar && found.len() <= MOST
}

fn operands<'m>(at: Value<'m>) -> impl Iterator<Item = Value<'m>> {
    (0..at.operand_count()).filter_map(move |index| at.operand(index))
}

fn operands_fit<'m>(at: Value<'m>, layout: Layout<'m>) -> bool {
    operands(at).all(|it| it.ty().is_none_or(|ty| fits(ty, layout)))
}

fn fits<'m>(ty: Ty<'m>, layout: Layout<'m>) -> bool {
    matches!(ty.kind(), TypeKind::LLVMLabelTypeKind | TypeKind::LLVMMetadataTypeKind)
        || scalars(ty, layout).is_some()
}

fn is_vector(value: Value<'_>) -> bool {
    value.ty().is_some_and(|ty| ty.kind() == TypeKind::LLVMVectorTypeKind)
}

fn is_foreign_call<'m>(at: Value<'m>, layout: Layout<'m>) -> bool {
    let Some(callee) = at.callee() else { return false };
    if let Some(assembly) = callee.inline_asm() {
        return !is_idle(&assembly);
    }
    let Some(function) = called_function(callee) else { return false };
    let args_fit = at.arguments().into_iter().all(|it| it.ty().is_none_or(|ty| fits(ty, layout)));
    match function.name().strip_prefix("llvm.") {
        Some(name) => {
            !intrinsic::is_known(name)
                || !args_fit
                || is_vector(at)
                || at.arguments().into_iter().any(is_vector)
        }
        None => !args_fit,
    }
}

/// Assembly whose result is known: it has none, or hides a value from the optimizer.
fn is_idle(assembly: &InlineAsm) -> bool {
    let template = assembly.template.trim().trim_end_matches([';', '\n', '\t']);
    let constraints: Vec<_> = assembly.constraints.split(',').collect();
    known(template) == Some(Known::Idle) && matches!(constraints[..], ["=r", "0", ..])
}
