//! Initial values of variables with static storage.

use unravel_program::names::{Shape, TypeId};
use unravel_program::{Global, GlobalId, Program};

use crate::mark::{Holder, Kind, Mark, Marked};
use crate::naming;

/// Members and elements of one variable that are marked.
const MOST_MEMBERS: usize = 16;

/// An integer in a variable.
struct Cell {
    offset: u64,
    bytes: u64,
    ty: TypeId,
}

/// Marks the initial values that stand in the source.
pub(crate) fn mark(program: &Program, marked: &mut Marked) {
    for (id, global) in (0u32..).map(GlobalId).zip(&program.globals) {
        for cell in cells(program, global) {
            let number = marked.marks.len();
            marked.table.initials.insert((id, cell.offset), (number, cell.bytes));
            let whole = global.ty.unwrap_or(cell.ty);
            let (name, ty) = program.types.path(&global.shown_name, whole, cell.offset, cell.bytes);
            marked.marks.push(Mark {
                kind: Kind::Initial,
                site: global.site,
                name: Some(name),
                is_local: false,
                look: naming::look(program, ty),
                width: u16::try_from(cell.bytes * 8).unwrap_or(u16::MAX),
                is_constant: true,
                is_count: false,
                is_repeated: false,
                is_counted: false,
                holder: Holder::Initial(id, cell.offset, cell.bytes),
                callee: None,
            });
        }
    }
}

/// The integers of a variable whose initial value stands in the source.
fn cells(program: &Program, global: &Global) -> Vec<Cell> {
    let has_place = program.site(global.site).span.is_some_and(|span| span.line > 0);
    let (Some(ty), Some(bytes), true) = (global.ty, &global.bytes, has_place) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    collect(program, ty, 0, &mut found);
    let is_whole = found.len() == 1 && found[0].bytes == global.size;
    found.retain(|cell| {
        let is_pointer = global.relocations.iter().any(|it| it.offset == cell.offset);
        let begin = usize::try_from(cell.offset).unwrap_or(usize::MAX);
        let size = usize::try_from(cell.bytes).unwrap_or(0);
        let is_zero = bytes.iter().skip(begin).take(size).all(|byte| *byte == 0);
        !is_pointer && (!is_zero || is_whole && is_initialized(program, global))
    });
    found.truncate(MOST_MEMBERS);
    found
}

fn collect(program: &Program, ty: TypeId, offset: u64, found: &mut Vec<Cell>) {
    let Some(known) = program.types.get(ty) else { return };
    match &known.shape {
        Shape::Signed | Shape::Unsigned | Shape::Bool | Shape::Char => {
            if matches!(known.size, 1 | 2 | 4 | 8) && found.len() < 4 * MOST_MEMBERS {
                found.push(Cell { offset, bytes: known.size, ty });
            }
        }
        Shape::Struct(members) => {
            for member in members {
                collect(program, member.ty, offset + member.offset, found);
            }
        }
        Shape::Array { element, length } => {
            let size = program.types.get(*element).map_or(0, |it| it.size);
            for index in 0..(*length).min(MOST_MEMBERS as u64) {
                collect(program, *element, offset + index * size, found);
            }
        }
        Shape::Float | Shape::Pointer | Shape::Opaque => {}
    }
}

/// Whether the declaration has an initializer: zero looks the same without one.
fn is_initialized(program: &Program, global: &Global) -> bool {
    let span = program.site(global.site).span;
    let line = span.and_then(|span| program.files.line(span.file, span.line)).unwrap_or_default();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let name = &global.shown_name;
    line.match_indices(name.as_str()).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        whole && after.trim_start().starts_with('=')
    })
}
