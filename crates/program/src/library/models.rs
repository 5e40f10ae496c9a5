//! Library functions that are modelled by code.
//!
//! `cstring.c` and `threads.c` define them; `make models` lowers each to two of the texts below.
//! [`link`] adds those that a program calls, with what they call in turn, and turns the calls into
//! ordinary ones.

use std::collections::BTreeMap;

use crate::ir::{Function, FunctionId, GlobalId, Instruction, Op, Operand, Program, SiteId, Type};
use crate::text;

/// How names begin that only the models use.
const OWN: &str = "__unravel_";

/// The models, by the name of their C file: for pointers of eight bytes and of four.
const MODELS: [(&str, [&str; 2]); 2] = [
    ("cstring.c", [include_str!("cstring64.ir"), include_str!("cstring32.ir")]),
    ("threads.c", [include_str!("threads64.ir"), include_str!("threads32.ir")]),
];

/// The models for a pointer width, as text, with the name of their C file.
pub fn sources(pointer_bytes: u8) -> impl Iterator<Item = (&'static str, &'static str)> {
    let width = usize::from(pointer_bytes != 8);
    MODELS.iter().map(move |(file, texts)| (*file, texts[width]))
}

/// Adds the models of the functions that a program calls and does not define.
///
/// A call whose arguments do not have the model's types (an old declaration without prototype)
/// stays external.
///
/// # Errors
/// The position and message, should the text built into this crate not parse.
pub fn link(program: &mut Program) -> Result<(), text::ParseError> {
    if !calls_external(program) {
        return Ok(());
    }
    for (_, source) in sources(program.target.pointer_bytes) {
        link_file(program, &text::parse(source)?);
    }
    Ok(())
}

fn link_file(program: &mut Program, models: &Program) {
    let (functions, globals) = (BTreeMap::new(), BTreeMap::new());
    let mut linker = Linker { program, models, functions, globals };
    // Models call only models of their own file and primitives, so what is there now is enough.
    for index in 0..linker.program.functions.len() {
        let mut function = linker.program.functions[index].clone();
        linker.resolve(&mut function);
        linker.program.functions[index] = function;
    }
}

/// A program without its places, names of locals and debug types: what a model needs to keep.
#[must_use]
pub fn strip(program: &Program) -> Program {
    let mut stripped = program.clone();
    stripped.files = unravel_span::Files::new();
    stripped.sites.truncate(1);
    stripped.types.types.clear();
    for global in &mut stripped.globals {
        (global.site, global.ty) = (SiteId(0), None);
    }
    for function in &mut stripped.functions {
        function.site = SiteId(0);
        for block in &mut function.blocks {
            block.end_site = SiteId(0);
            block.instructions.retain(|it| !matches!(it.op, Op::Variable { .. }));
            for instruction in &mut block.instructions {
                instruction.site = SiteId(0);
                if let Op::Alloca { name, ty, .. } = &mut instruction.op {
                    (*name, *ty) = (None, None);
                }
            }
        }
    }
    stripped
}

fn calls_external(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| matches!(instruction.op, Op::External { .. }))
}

struct Linker<'a> {
    program: &'a mut Program,
    models: &'a Program,
    /// Models added so far, with their ids in the program.
    functions: BTreeMap<FunctionId, FunctionId>,
    globals: BTreeMap<GlobalId, GlobalId>,
}

impl Linker<'_> {
    /// Turns a function's external calls of modelled functions into calls.
    fn resolve(&mut self, function: &mut Function) {
        let types: Vec<Type> = function.registers.iter().map(|register| register.ty).collect();
        for block in &mut function.blocks {
            for instruction in &mut block.instructions {
                self.resolve_call(instruction, &types);
            }
        }
    }

    fn resolve_call(&mut self, instruction: &mut Instruction, types: &[Type]) {
        let Op::External { results, name, args } = &instruction.op else { return };
        let callable = |&id: &FunctionId| id != self.models.main && !name.starts_with(OWN);
        let Some(model) = self.models.function_named(name).filter(callable) else { return };
        let function = self.models.function(model);
        let wanted = function.params.iter().map(|&param| function.type_of(param));
        let given = args.iter().map(|&(ty, _)| ty);
        let result_types = results.iter().filter_map(|reg| types.get(reg.0 as usize).copied());
        if !wanted.eq(given) || !result_types.eq(function.returns.iter().copied()) {
            return;
        }
        let (results, args) = (results.clone(), args.iter().map(|&(_, arg)| arg).collect());
        let callee = self.add_function(model);
        instruction.op = Op::Call { results, callee, args };
    }

    /// Adds a model and all it refers to.
    fn add_function(&mut self, model: FunctionId) -> FunctionId {
        if let Some(&id) = self.functions.get(&model) {
            return id;
        }
        let id = FunctionId(u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX));
        self.functions.insert(model, id);
        let mut function = self.models.function(model).clone();
        function.library = true;
        // Entered before its callees, which come after it in the vector.
        self.program.functions.push(function.clone());
        self.rename(&mut function);
        self.program.functions[id.0 as usize] = function;
        id
    }

    fn rename(&mut self, function: &mut Function) {
        for block in &mut function.blocks {
            for instruction in &mut block.instructions {
                if let Op::Call { callee, .. } = &mut instruction.op {
                    *callee = self.add_function(*callee);
                }
                for operand in instruction.op.operands_mut() {
                    self.rename_operand(operand);
                }
            }
            for operand in block.end.operands_mut() {
                self.rename_operand(operand);
            }
        }
    }

    fn rename_operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Global(id, _) => *id = self.add_global(*id),
            Operand::Function(id) => *id = self.add_function(*id),
            Operand::Reg(_) | Operand::Int(_) | Operand::Undef => {}
        }
    }

    fn add_global(&mut self, model: GlobalId) -> GlobalId {
        if let Some(&id) = self.globals.get(&model) {
            return id;
        }
        let definition = self.models.global(model);
        let globals = &mut self.program.globals;
        // What the program declares and the library defines, such as `optarg`.
        let declared =
            globals.iter().position(|it| it.bytes.is_none() && it.name == definition.name);
        let index = declared.unwrap_or(globals.len());
        match globals.get_mut(index) {
            Some(global) => global.bytes.clone_from(&definition.bytes),
            None => globals.push(definition.clone()),
        }
        let id = GlobalId(u32::try_from(index).unwrap_or(u32::MAX));
        self.globals.insert(model, id);
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::validate;

    #[test]
    fn the_models_parse_and_are_valid() {
        for width in [4, 8] {
            for ((_, source), function) in sources(width).zip(["strlen", "thrd_sleep"]) {
                let models = text::parse(source).expect("parses");
                assert_eq!(validate(&models), Ok(()));
                assert_eq!(models.target.pointer_bytes, width);
                assert!(models.function_named(function).is_some());
            }
        }
    }

    #[test]
    fn models_have_no_unknown_calls() {
        for width in [4, 8] {
            for (_, source) in sources(width) {
                assert!(!calls_external(&text::parse(source).expect("parses")));
            }
        }
    }
}
