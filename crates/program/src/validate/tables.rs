//! Rules about what is not code.

use super::Broken;
use crate::ir::{Global, Operand, Program, Relocation, Site, SiteId};
use crate::names::{Shape, TypeId};

pub(super) fn check(program: &Program, broken: &mut Broken) {
    let bytes = program.target.pointer_bytes;
    broken.require(matches!(bytes, 4 | 8), || format!("pointers of {bytes} bytes, not of 4 or 8"));
    sites(program, broken);
    types(program, broken);
    for global in &program.globals {
        check_global(program, global, broken);
    }
    for &id in program.constructors.iter().chain([&program.main]) {
        broken.function_id(program, id);
    }
    for &argument in &program.arguments {
        let is_static = !matches!(argument, Operand::Reg(_));
        broken.require(is_static, || "main is called with a register".to_owned());
        broken.address(program, argument);
    }
    for unsupported in &program.unsupported {
        broken.site(program, unsupported.site);
    }
}

fn sites(program: &Program, broken: &mut Broken) {
    let nowhere = |site: &Site| site.span.is_none() && site.inlined_at.is_none();
    let first = program.sites.first().is_some_and(nowhere);
    broken.require(first, || "site 0 is not \"no place\"".to_owned());
    for site in &program.sites {
        if let Some(span) = site.span {
            let known = program.files.get(span.file).is_some();
            broken.require(known, || format!("file {} does not exist", span.file.0));
        }
        if let Some(caller) = site.inlined_at {
            broken.site(program, caller);
        }
    }
    let caller = |site: &Site| site.inlined_at.iter().map(|&SiteId(id)| id as usize).collect();
    if has_cycle(&program.sites.iter().map(caller).collect::<Vec<_>>()) {
        broken.push("a site is inlined at itself");
    }
}

fn types(program: &Program, broken: &mut Broken) {
    let parts: Vec<Vec<TypeId>> =
        program.types.types.iter().map(|ty| type_parts(&ty.shape)).collect();
    for &part in parts.iter().flatten() {
        broken.debug_type(program, Some(part));
    }
    let index = |parts: &Vec<TypeId>| parts.iter().map(|part| part.0 as usize).collect();
    if has_cycle(&parts.iter().map(index).collect::<Vec<_>>()) {
        broken.push("a debug type contains itself");
    }
}

/// Types that a type contains.
fn type_parts(shape: &Shape) -> Vec<TypeId> {
    match shape {
        Shape::Struct(members) => members.iter().map(|member| member.ty).collect(),
        Shape::Array { element, .. } => vec![*element],
        _ => Vec::new(),
    }
}

/// Whether a graph, given by its successors, has a cycle. Successors that do not exist count as
/// having none.
fn has_cycle(successors: &[Vec<usize>]) -> bool {
    let mut incoming = vec![0usize; successors.len()];
    for &node in successors.iter().flatten() {
        if let Some(count) = incoming.get_mut(node) {
            *count += 1;
        }
    }
    let roots = incoming.iter().enumerate().filter(|(_, count)| **count == 0);
    let mut ready: Vec<usize> = roots.map(|(node, _)| node).collect();
    let mut done = 0;
    while let Some(node) = ready.pop() {
        done += 1;
        for &next in successors.get(node).into_iter().flatten() {
            let Some(count) = incoming.get_mut(next) else { continue };
            *count -= 1;
            if *count == 0 {
                ready.push(next);
            }
        }
    }
    done < successors.len()
}

fn check_global(program: &Program, global: &Global, broken: &mut Broken) {
    let before = broken.list.len();
    broken.site(program, global.site);
    broken.debug_type(program, global.ty);
    broken.align(global.align);
    let bytes = global.bytes.as_ref().map_or(0, Vec::len) as u64;
    broken.require(bytes <= global.size, || {
        format!("{bytes} initial bytes in an object of {}", global.size)
    });
    let defined = global.bytes.is_some() || global.relocations.is_empty();
    broken.require(defined, || "addresses in an object without initial bytes".to_owned());
    relocations(program, global, broken);
    for invalid in broken.list.iter_mut().skip(before) {
        invalid.what = format!("global {}: {}", global.name, invalid.what);
    }
}

fn relocations(program: &Program, global: &Global, broken: &mut Broken) {
    let mut free_from = 0;
    for &Relocation { offset, target } in &global.relocations {
        let end = offset.checked_add(u64::from(program.target.pointer_bytes));
        let inside = end.is_some_and(|end| end <= global.size);
        broken.require(inside, || format!("the address at offset {offset} lies outside"));
        broken.require(offset >= free_from, || {
            format!("the address at offset {offset} overlaps or precedes the one before it")
        });
        let is_address = matches!(target, Operand::Global(..) | Operand::Function(_));
        broken.require(is_address, || format!("no address at offset {offset}"));
        broken.address(program, target);
        free_from = end.unwrap_or(u64::MAX);
    }
}
