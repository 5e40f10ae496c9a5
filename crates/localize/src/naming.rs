//! What the source calls what is changed.

use unravel_program::names::{Shape, TypeId};
use unravel_program::{Op, Operand, Program, SiteId};

use crate::facts::Facts;
use crate::mark::Look;

/// The name of the memory at an address, and how its values look.
pub(crate) fn memory(
    program: &Program,
    facts: &Facts<'_>,
    (address, bytes): (Operand, u64),
    site: SiteId,
) -> (Option<String>, Look) {
    if let Some((name, Some(ty), offset)) = root(program, facts, address) {
        let (name, ty) = program.types.path(&name, ty, offset, bytes);
        return (Some(name), look(program, ty));
    }
    (written(program, site), Look::Signed)
}

/// How values of a type look.
pub(crate) fn look(program: &Program, ty: TypeId) -> Look {
    match program.types.get(ty).map(|ty| &ty.shape) {
        Some(Shape::Unsigned) => Look::Unsigned,
        Some(Shape::Bool) => Look::Bool,
        _ => Look::Signed,
    }
}

/// The variable that an address lies in, if that is plain to see: its name, type and the offset.
fn root(
    program: &Program,
    facts: &Facts<'_>,
    address: Operand,
) -> Option<(String, Option<TypeId>, u64)> {
    match address {
        Operand::Global(id, offset) => {
            let global = program.global(id);
            Some((global.shown_name.clone(), global.ty, u64::try_from(offset).ok()?))
        }
        Operand::Reg(reg) => match facts.definitions.get(&reg)? {
            Op::Alloca { name: Some(name), ty, .. } => Some((name.clone(), *ty, 0)),
            Op::Offset { base, constant, terms, .. } if terms.is_empty() => {
                let (name, ty, offset) = root(program, facts, *base)?;
                Some((name, ty, offset.checked_add_signed(*constant)?))
            }
            _ => None,
        },
        _ => None,
    }
}

/// What stands in the source before the operator of an assignment, or behind one that comes first:
/// `s->users` of `s->users++` and of `++s->users`.
fn written(program: &Program, site: SiteId) -> Option<String> {
    let span = program.site(site).span?;
    let line = program.files.line(span.file, span.line)?;
    let column = usize::try_from(span.column).ok()?.checked_sub(1)?;
    let (before, after) = (line.get(..column)?, line.get(column..)?);
    let ends = |c: char| matches!(c, ';' | '{' | '}' | '(' | ')' | ',');
    let before = before.rsplit(ends).next().unwrap_or_default().trim();
    let operand = after.trim_start_matches(['+', '-']).split([';', ')', ',']).next()?.trim();
    let text = if before.is_empty() && operand.len() < after.len() { operand } else { before };
    let text = text.rsplit(' ').next().unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || "_->.[]*".contains(c);
    (!text.is_empty() && text.chars().all(plain)).then(|| text.to_owned())
}
