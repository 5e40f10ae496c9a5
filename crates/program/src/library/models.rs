//! Library functions that are modelled by code.
//!
//! `models.c` defines them; `make models` lowers it to the two texts below. [`link`] adds those
//! that a program calls, with what they call in turn, and turns the calls into ordinary ones.

mod ends;
mod formats;
mod handlers;
mod scan;

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{
    Function, FunctionId, Global, GlobalId, Instruction, Op, Operand, Program, Reg, Register,
    SiteId, Type,
};
use crate::library::{Action, Print};
use crate::text;
use crate::variadic::{self, Further};

/// How names begin that only the models use.
const OWN: &str = "__unravel_";

/// What the models do to `errno` where the outside decides; left out where nobody looks at it.
const ERRNO: [&str; 2] = ["__unravel_fails", "__unravel_leaves_errno_open"];

/// Whether calls that the outside can let fail succeed: 0, unless the user says so.
const CALLS_SUCCEED: &str = "__unravel_calls_succeed";

/// The same of functions that print, which are not code.
const AFTER_OUTPUT: &str = "__unravel_output_leaves_errno_open";

const MODELS_64: &str = include_str!("models64.ir");
const MODELS_32: &str = include_str!("models32.ir");

/// The models for a pointer width, as text.
#[must_use]
pub fn source(pointer_bytes: u8) -> &'static str {
    if pointer_bytes == 8 { MODELS_64 } else { MODELS_32 }
}

/// Whether a function is modelled by code. Looks at the heads in the text, without parsing it all.
#[must_use]
pub fn is_modelled(name: &str) -> bool {
    let head = format!("\nfunction @{name}(");
    !name.contains("_unravel_") && name != "main" && MODELS_64.contains(&head)
}

/// Adds the models of the functions that a program calls and does not define.
///
/// A call whose arguments do not have the model's types (an old declaration without prototype)
/// stays external. With `calls_succeed`, what the outside can let fail does not.
///
/// # Errors
/// The position and message, should the text built into this crate not parse.
pub fn link(program: &mut Program, calls_succeed: bool) -> Result<(), text::ParseError> {
    let asks_errno = asks_errno(program);
    if !calls_external(program) && !asks_errno {
        return Ok(());
    }
    let models = text::parse(source(program.target.pointer_bytes))?;
    handlers::ask_for_signals(program);
    let ends = ends::Asked::of(program);
    let (functions, globals, formats) = Default::default();
    let mut linker = Linker {
        program,
        models: &models,
        asks_errno,
        calls_succeed,
        ends,
        functions,
        globals,
        formats,
    };
    // Models call only models and primitives, so the program's own functions are enough.
    for index in 0..linker.program.functions.len() {
        let mut function = linker.program.functions[index].clone();
        linker.resolve(&mut function);
        linker.open_errno(&mut function);
        linker.end(&mut function, index == linker.program.main.0 as usize);
        linker.program.functions[index] = function;
    }
    linker.define_variables();
    Ok(())
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
        // A report says `state_of_strtok`.
        if let Some(shown) = global.shown_name.strip_prefix(OWN) {
            global.shown_name = shown.to_owned();
        }
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

/// Whether a program calls what may be modelled by code.
fn calls_external(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| match &instruction.op {
        Op::Library { primitive, .. } => matches!(primitive.action(), Action::Print(_)),
        op => matches!(op, Op::External { .. }),
    })
}

/// Whether the program's own code looks at `errno`.
fn asks_errno(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    let mut instructions = blocks.flat_map(|block| &block.instructions);
    instructions.any(|instruction| match &instruction.op {
        Op::Library { primitive, .. } => primitive.action() == Action::ErrnoLocation,
        _ => false,
    })
}

/// Whether a function is the model of one that tells the user something, or is needed to.
#[must_use]
pub fn reports(function: &Function) -> bool {
    let name = function.name.split('.').next().unwrap_or_default();
    let name = name.strip_prefix("__unravel_").unwrap_or(name);
    let name = name.strip_prefix("unasked_").unwrap_or(name);
    let name = name.strip_prefix('v').unwrap_or(name);
    let printing = ["printf", "fprintf", "dprintf", "syslog"];
    let whole = ["puts", "fputs", "putchar", "fputc", "putc", "perror", "strerror"];
    function.library && (printing.contains(&name) || whole.contains(&name))
}

/// The functions that are modelled by code, as a program calls them.
pub fn modelled(models: &Program) -> impl Iterator<Item = &Function> {
    let functions = models.functions.iter().enumerate();
    functions.filter_map(|(index, function)| {
        let is_main = models.main.0 as usize == index;
        let is_own = function.name.starts_with(OWN) || function.name.contains("_unravel_");
        (!is_main && !is_own).then_some(function)
    })
}

struct Linker<'a> {
    program: &'a mut Program,
    models: &'a Program,
    asks_errno: bool,
    calls_succeed: bool,
    ends: ends::Asked,
    /// Models added so far, with their ids in the program.
    functions: BTreeMap<FunctionId, FunctionId>,
    globals: BTreeMap<GlobalId, GlobalId>,
    /// Models of calls with a format, made so far.
    formats: BTreeMap<formats::Call, FunctionId>,
}

impl Linker<'_> {
    /// Turns a function's external calls of modelled functions into calls.
    fn resolve(&mut self, function: &mut Function) {
        let types: Vec<Type> = function.registers.iter().map(|register| register.ty).collect();
        let used = formats::used(function);
        let Function { blocks, registers, .. } = function;
        for block in blocks {
            let mut resolved = Vec::with_capacity(block.instructions.len());
            for mut instruction in std::mem::take(&mut block.instructions) {
                self.resolve_format(&mut instruction.op, &used);
                let further = self.resolve_call(&mut instruction, &types, &used, registers);
                let site = instruction.site;
                let around = |op: Op| Instruction { op, site };
                let (before, after) =
                    further.map_or_else(Default::default, |it| (it.before, it.after));
                resolved.extend(before.into_iter().map(around));
                resolved.push(instruction);
                resolved.extend(after.into_iter().map(around));
            }
            block.instructions = resolved;
        }
    }

    /// Lets what prints leave anything in `errno`, if somebody looks at it.
    fn open_errno(&mut self, function: &mut Function) {
        let model = self.models.function_named(AFTER_OUTPUT).filter(|_| self.asks_errno);
        let Some(model) = model else { return };
        for block in &mut function.blocks {
            let mut at = 0;
            while let Some(instruction) = block.instructions.get(at) {
                at += 1;
                if self.prints(&instruction.op) {
                    let (results, args, callee) = (vec![], vec![], self.add_function(model));
                    let site = instruction.site;
                    let op = Op::Call { results, callee, args };
                    block.instructions.insert(at, Instruction { op, site });
                    at += 1;
                }
            }
        }
    }

    /// Whether it writes to a stream.
    fn prints(&self, op: &Op) -> bool {
        match op {
            Op::Library { primitive, .. } => match primitive.action() {
                Action::Print(print) => !matches!(print, Print::Sprintf | Print::Snprintf),
                _ => false,
            },
            Op::Call { callee, .. } => {
                let function = self.program.function(*callee);
                reports(function) && function.name != "strerror"
            }
            _ => false,
        }
    }

    /// Lets models have their say where the process or a thread ends.
    fn end(&mut self, function: &mut Function, is_main: bool) {
        for block in &mut function.blocks {
            let mut at = 0;
            while let Some(instruction) = block.instructions.get(at) {
                at += 1;
                let (asked, site) = (self.ends.before(&instruction.op), instruction.site);
                if let Some(op) = asked.and_then(|name| self.call_of(name, Vec::new(), Vec::new()))
                {
                    block.instructions.insert(at - 1, Instruction { op, site });
                    at += 1;
                }
            }
        }
        if !is_main || !self.ends.at_exit {
            return;
        }
        for index in ends::returning(function) {
            let Some(op) = self.call_of(ends::AT_EXIT, Vec::new(), Vec::new()) else { return };
            let block = &mut function.blocks[index];
            block.instructions.push(Instruction { op, site: block.end_site });
        }
    }

    /// A call of a model.
    fn call_of(&mut self, name: &str, results: Vec<Reg>, args: Vec<Operand>) -> Option<Op> {
        let callee = self.models.function_named(name)?;
        let callee = self.add_function(callee);
        Some(Op::Call { results, callee, args })
    }

    /// Defines what the program declares and the library has: `stdout`, `optarg`.
    fn define_variables(&mut self) {
        for index in 0..self.program.globals.len() {
            let Some(global) = self.program.globals.get(index).filter(|it| it.bytes.is_none())
            else {
                continue;
            };
            let models = (0u32..).zip(&self.models.globals);
            let same = models.filter(|(_, it)| it.name == global.name && !it.constant);
            if let Some((id, _)) = same.last() {
                self.add_global(GlobalId(id));
            }
        }
    }

    /// Turns a call of a modelled function into one of its model; what has to stand around it.
    fn resolve_call(
        &mut self,
        instruction: &mut Instruction,
        types: &[Type],
        used: &BTreeSet<Reg>,
        registers: &mut Vec<Register>,
    ) -> Option<Further> {
        if let Some(scan) = scan::scan(self.program, &instruction.op)
            && let Op::External { results, .. } = &instruction.op
        {
            if let Some(op) = self.call_of(scan.model, results.clone(), scan.args) {
                instruction.op = op;
            }
            return None;
        }
        let (results, model, args) = match &instruction.op {
            Op::External { results, name, args } => {
                (results.clone(), self.model_of(name, results, used)?, args)
            }
            // What a constant format did not make a call of its own.
            Op::Library { primitive, args, result } => {
                let name = formats::generic(self.program, *primitive, args)?;
                let results: Vec<Reg> = result.iter().copied().collect();
                let model = self.asked(name, &results, used)?;
                (results, model, args)
            }
            _ => return None,
        };
        let function = self.models.function(model);
        let named = function.params.len() - usize::from(function.variadic);
        let wanted = function.params.iter().take(named).map(|&param| function.type_of(param));
        let most = if function.variadic { named } else { usize::MAX };
        let given = args.iter().take(most).map(|&(ty, _)| ty);
        let result_types = results.iter().filter_map(|reg| types.get(reg.0 as usize).copied());
        if !wanted.eq(given) || !result_types.eq(function.returns.iter().copied()) {
            return None;
        }
        let mut passed: Vec<Operand> = args.iter().take(most).map(|&(_, arg)| arg).collect();
        let mut further = None;
        if function.variadic {
            let laid_out = self.further(function, args.get(named..)?, registers)?;
            passed.push(laid_out.address);
            further = Some(laid_out);
        }
        let callee = self.add_function(model);
        instruction.op = Op::Call { results, callee, args: passed };
        further
    }

    /// The model of a function that a program calls by name.
    fn model_of(&self, name: &str, results: &[Reg], used: &BTreeSet<Reg>) -> Option<FunctionId> {
        let is_own = name.contains("_unravel_");
        let model = if is_own { None } else { self.asked(name, results, used) };
        model.filter(|&it| it != self.models.main)
    }

    /// A model, or the one that leaves out its result if nobody asks for that.
    fn asked(&self, name: &str, results: &[Reg], used: &BTreeSet<Reg>) -> Option<FunctionId> {
        let is_asked = results.iter().any(|it| used.contains(it));
        let unasked = formats::unasked(name).filter(|_| !is_asked);
        self.models.function_named(unasked.as_deref().unwrap_or(name))
    }

    /// Lays out what a model takes as further arguments, if it looks at them: the mode of `open` does
    /// not count.
    fn further(
        &self,
        model: &Function,
        rest: &[(Type, Operand)],
        registers: &mut Vec<Register>,
    ) -> Option<Further> {
        let looks = formats::used(model).contains(model.params.last()?);
        let mut fresh = |ty: Type| {
            registers.push(Register { ty });
            Reg(u32::try_from(registers.len() - 1).unwrap_or(u32::MAX))
        };
        variadic::further(if looks { rest } else { &[] }, self.program.target, &mut fresh)
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
        let (models, asks_errno) = (self.models, self.asks_errno);
        for block in &mut function.blocks {
            block.instructions.retain(|it| asks_errno || !sets_errno(models, &it.op));
            for instruction in &mut block.instructions {
                self.assume_success(&mut instruction.op);
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

    /// Answers the question of a model whether calls succeed, if the user did.
    fn assume_success(&self, op: &mut Op) {
        let Op::Call { callee, results, .. } = &*op else { return };
        if self.calls_succeed
            && self.models.function(*callee).name == CALLS_SUCCEED
            && let [dst] = results[..]
        {
            *op = Op::Copy { dst, value: Operand::Int(1) };
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
        let mut relocations = definition.relocations.clone();
        for relocation in &mut relocations {
            self.rename_operand(&mut relocation.target);
        }
        let globals = &mut self.program.globals;
        // What the program declares and the library defines, such as `optarg`.
        let declared =
            globals.iter().position(|it| it.bytes.is_none() && it.name == definition.name);
        let index = declared.unwrap_or(globals.len());
        match globals.get_mut(index) {
            Some(global) => {
                global.bytes.clone_from(&definition.bytes);
                global.relocations = relocations;
            }
            None => globals.push(Global { relocations, ..definition.clone() }),
        }
        let id = GlobalId(u32::try_from(index).unwrap_or(u32::MAX));
        self.globals.insert(model, id);
        id
    }
}

/// Whether it is a call that does nothing but leave something in `errno`.
fn sets_errno(models: &Program, op: &Op) -> bool {
    match op {
        Op::Call { callee, .. } => ERRNO.contains(&models.function(*callee).name.as_str()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::validate::validate;

    #[test]
    fn the_models_parse_and_are_valid() {
        for width in [4, 8] {
            let models = text::parse(source(width)).expect("parses");
            assert_eq!(validate(&models), Ok(()));
            assert_eq!(models.target.pointer_bytes, width);
            assert!(models.function_named("strlen").is_some());
        }
    }

    /// What a model does not follow, it calls by a name that says so.
    #[test]
    fn models_call_what_they_do_not_follow_by_name() {
        let not_followed = [
            "a_float_in_a_text_in_memory",
            "a_pointer_in_a_text_in_memory",
            "an_unknown_conversion_of_a_format",
            "cleanup_handlers_at_pthread_exit",
            "current_folder_in_a_new_block",
            "environment_after_a_change",
            "functions_at_exit_beyond_eight",
            "mapping_of_a_file_or_with_protection",
            "mappings_beyond_four",
            "numbers_after_a_second_seed",
            "open_descriptors_beyond_four",
            "poll_for_ever",
            "robust_mutexes",
            "the_length_of_a_float_in_a_text",
            "unmapping_of_a_part",
            "variable_with_a_long_name",
            "variables_beyond_four",
        ];
        for width in [4, 8] {
            let models = text::parse(source(width)).expect("parses");
            let mut called = BTreeSet::new();
            for block in models.functions.iter().flat_map(|function| &function.blocks) {
                called.extend(block.instructions.iter().filter_map(|it| match &it.op {
                    Op::External { name, .. } => Some(name.clone()),
                    _ => None,
                }));
            }
            assert_eq!(called.into_iter().collect::<Vec<_>>(), not_followed);
        }
    }

    #[test]
    fn names_of_the_models_own_are_no_functions() {
        let models = text::parse(source(8)).expect("parses");
        let names: Vec<_> = modelled(&models).map(|function| function.name.as_str()).collect();
        assert!(names.contains(&"strlen") && names.contains(&"write"));
        assert!(names.iter().all(|name| is_modelled(name)));
        assert!(["main", "len", "__unravel_fails", "nowhere"].iter().all(|it| !is_modelled(it)));
        assert!(!names.contains(&"main") && !names.iter().any(|name| name.contains("unravel")));
    }
}
