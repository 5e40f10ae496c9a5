//! What `main` is called with: `argc`, `argv` and an empty environment, as variables of the program.
//!
//! Later stages see ordinary variables with ordinary names, and need no case for a command line.

use std::path::Path;

use unravel_program::{
    DebugType, Global, GlobalId, Operand, Program, Relocation, Shape, SiteId, TypeId,
};

/// The name that a program is called by if its source has none.
const NAME: &str = "program";

/// Gives `main` its arguments: the program's name, and what the user gave, or nothing behind it.
/// Whether `main` looks at them is `unravel_program::command_line`.
pub(crate) fn give(program: &mut Program, name: Option<&str>, given: &[String]) {
    let name = name.map_or_else(|| name_of(program), str::to_owned);
    let words: Vec<&str> =
        std::iter::once(name.as_str()).chain(given.iter().map(String::as_str)).collect();
    let params = program.function(program.main).params.len();
    if params == 0 {
        return;
    }
    let count = Operand::Int(words.len() as u128);
    // `argv` is there even for a `main` that has no parameter for it: reports read it.
    program.arguments = vec![count, vector(program, "argv", &words)];
    if params > 2 {
        let environment = vector(program, "environment", &[]);
        program.arguments.push(environment);
    }
}

/// The name of the file that has `main`, without its end: what it is usually called when it is built.
fn name_of(program: &Program) -> String {
    let site = program.site(program.function(program.main).site);
    let path = site.span.map(|span| program.files.path(span.file));
    let stem = path.and_then(|path| Path::new(path).file_stem()?.to_str());
    stem.unwrap_or(NAME).to_owned()
}

/// Pointers to words, with a null behind the last.
fn vector(program: &mut Program, name: &str, words: &[&str]) -> Operand {
    let pointer_bytes = u64::from(program.target.pointer_bytes);
    let strings: Vec<GlobalId> = (0usize..)
        .zip(words)
        .map(|(at, word)| string(program, format!("{name}[{at}]"), word))
        .collect();
    let relocation = |(at, &target): (u64, &GlobalId)| Relocation {
        offset: at * pointer_bytes,
        target: Operand::Global(target, 0),
    };
    let relocations = (0u64..).zip(&strings).map(relocation).collect();
    let length = words.len() as u64 + 1;
    let shape = DebugType { name: String::new(), size: pointer_bytes, shape: Shape::Pointer };
    let ty = array_of(program, shape, length);
    let global = variable(name.to_owned(), ty, length * pointer_bytes, pointer_bytes);
    Operand::Global(add_global(program, Global { relocations, ..global }), 0)
}

/// The bytes of a word, with a zero behind the last.
fn string(program: &mut Program, name: String, word: &str) -> GlobalId {
    let length = word.len() as u64 + 1;
    let char = DebugType { name: "char".to_owned(), size: 1, shape: Shape::Char };
    let ty = array_of(program, char, length);
    let global = variable(name, ty, length, 1);
    add_global(program, Global { bytes: Some(word.as_bytes().to_vec()), ..global })
}

fn variable(name: String, ty: TypeId, size: u64, align: u64) -> Global {
    Global {
        shown_name: name.clone(),
        name,
        ty: Some(ty),
        site: SiteId(0),
        size,
        align,
        constant: false,
        thread_local: false,
        bytes: Some(Vec::new()),
        relocations: Vec::new(),
    }
}

fn add_global(program: &mut Program, global: Global) -> GlobalId {
    let id = GlobalId(u32::try_from(program.globals.len()).unwrap_or(u32::MAX));
    program.globals.push(global);
    id
}

fn array_of(program: &mut Program, element: DebugType, length: u64) -> TypeId {
    let size = element.size * length;
    let element = enter_type(program, element);
    let shape = Shape::Array { element, length };
    enter_type(program, DebugType { name: String::new(), size, shape })
}

fn enter_type(program: &mut Program, ty: DebugType) -> TypeId {
    let types = &mut program.types.types;
    let id = types.iter().position(|it| *it == ty).unwrap_or_else(|| {
        types.push(ty);
        types.len() - 1
    });
    TypeId(u32::try_from(id).unwrap_or(u32::MAX))
}
