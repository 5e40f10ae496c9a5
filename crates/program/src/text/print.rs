//! Programs to text.

use std::collections::HashMap;
use std::fmt;
use unravel_kinds::Untranslated;

use super::lexer::{quote, quote_bytes};
use super::words::{SHAPES, is_word};
use super::{NO_TYPE, VERSION};
use crate::ir::{
    Block, Edge, Function, FunctionId, Global, GlobalId, Operand, Program, Reg, Site, SiteId,
    Terminator, Type,
};
use crate::liveness::RegSet;
use crate::names::{DebugType, Member, Shape};

/// Column at which the places of instructions begin.
const SITE_COLUMN: usize = 44;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(self);
        printer.header(f)?;
        for (id, ty) in self.types.types.iter().enumerate() {
            let DebugType { name, size, shape } = ty;
            writeln!(f, "type {id} {} {size} {}", quote(name), shape_text(shape))?;
        }
        for (global, name) in self.globals.iter().zip(&printer.globals) {
            printer.global(f, global, name)?;
        }
        for (function, name) in self.functions.iter().zip(&printer.functions) {
            printer.function(f, function, name)?;
        }
        Ok(())
    }
}

/// A program and how its functions and globals are called in the text.
pub(super) struct Printer<'a> {
    program: &'a Program,
    functions: Vec<String>,
    globals: Vec<String>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Self {
        let functions = program.functions.iter().map(|function| function.name.as_str());
        let globals = program.globals.iter().map(|global| global.name.as_str());
        Printer { program, functions: references(functions), globals: references(globals) }
    }

    /// How a function is called, without the sign in front.
    pub fn function_name(&self, FunctionId(id): FunctionId) -> String {
        self.functions.get(id as usize).cloned().unwrap_or_else(|| format!("#{id}"))
    }

    fn global_name(&self, GlobalId(id): GlobalId) -> String {
        self.globals.get(id as usize).cloned().unwrap_or_else(|| format!("#{id}"))
    }

    fn header(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program;
        writeln!(f, "unravel program {VERSION}")?;
        writeln!(f, "target pointer {}", program.target.pointer_bytes)?;
        writeln!(f, "main @{}", self.function_name(program.main))?;
        for &argument in &program.arguments {
            writeln!(f, "argument {}", self.operand(argument, None))?;
        }
        for &constructor in &program.constructors {
            writeln!(f, "constructor @{}", self.function_name(constructor))?;
        }
        for unsupported in &program.unsupported {
            writeln!(f, "unsupported {}{}", untranslated(&unsupported.what), at(unsupported.site))?;
        }
        for (id, file) in program.files.iter() {
            writeln!(f, "file {} {}", id.0, quote(&file.path))?;
        }
        for (id, site) in program.sites.iter().enumerate() {
            writeln!(f, "site {id} {}", site_text(site))?;
        }
        Ok(())
    }

    fn global(&self, f: &mut fmt::Formatter<'_>, global: &Global, name: &str) -> fmt::Result {
        write!(f, "global @{name}")?;
        if global.shown_name != global.name {
            write!(f, " {}", quote(&global.shown_name))?;
        }
        for (holds, word) in [(global.constant, "const"), (global.thread_local, "thread_local")] {
            if holds {
                write!(f, " {word}")?;
            }
        }
        write!(f, " size {} align {}", global.size, global.align)?;
        if let Some(ty) = global.ty {
            write!(f, " type {}", ty.0)?;
        }
        match global.bytes.as_deref() {
            None => write!(f, " = external")?,
            Some([]) => write!(f, " = zero")?,
            Some(bytes) => write!(f, " = bytes {}", quote_bytes(bytes))?,
        }
        self.relocations(f, global)?;
        writeln!(f, "{}", at(global.site))
    }

    fn relocations(&self, f: &mut fmt::Formatter<'_>, global: &Global) -> fmt::Result {
        if global.relocations.is_empty() {
            return Ok(());
        }
        writeln!(f, " {{")?;
        for relocation in &global.relocations {
            writeln!(f, "  {}: {}", relocation.offset, self.operand(relocation.target, None))?;
        }
        write!(f, "}}")
    }

    fn function(&self, f: &mut fmt::Formatter<'_>, function: &Function, name: &str) -> fmt::Result {
        let mut params = registers(function, &function.params);
        if function.variadic {
            params.push("...".to_owned());
        }
        write!(f, "\nfunction @{name}({})", params.join(", "))?;
        write!(f, "{}", returns(&function.returns))?;
        let words = [
            (function.atomic, "atomic"),
            (function.library, "library"),
            (function.wrapper, "wrapper"),
        ];
        for (holds, word) in words {
            if holds {
                write!(f, " {word}")?;
            }
        }
        writeln!(f, "{} {{", at(function.site))?;
        let unassigned = unassigned(function);
        if !unassigned.is_empty() {
            writeln!(f, "  registers {}", registers(function, &unassigned).join(", "))?;
        }
        for (id, block) in function.blocks.iter().enumerate() {
            self.block(f, function, id, block)?;
        }
        writeln!(f, "}}")
    }

    fn block(
        &self,
        f: &mut fmt::Formatter<'_>,
        function: &Function,
        id: usize,
        block: &Block,
    ) -> fmt::Result {
        let params = registers(function, &block.params);
        let params =
            if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        writeln!(f, "bb{id}{params}:")?;
        for instruction in &block.instructions {
            line(f, &self.instruction(function, &instruction.op), instruction.site)?;
        }
        line(f, &self.terminator(function, &block.end), block.end_site)
    }

    fn terminator(&self, function: &Function, end: &Terminator) -> String {
        match end {
            Terminator::Jump(edge) => format!("jump {}", self.edge(edge)),
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.operand(*condition, Some(Type::Int(1)));
                format!("branch {condition}, {}, {}", self.edge(then), self.edge(otherwise))
            }
            Terminator::Switch { value, width, cases, default } => {
                let ty = Type::Int(*width);
                let value = self.operand(*value, Some(ty));
                let cases = cases.iter().map(|(case, edge)| {
                    let case = self.operand(Operand::Int(*case), Some(ty));
                    format!("    {case}: {}\n", self.edge(edge))
                });
                let cases: String = cases.collect();
                format!("switch {ty} {value}, {} [\n{cases}  ]", self.edge(default))
            }
            Terminator::Return(values) => {
                let types =
                    function.returns.iter().copied().map(Some).chain(std::iter::repeat(None));
                let values = values.iter().zip(types).map(|(&value, ty)| self.operand(value, ty));
                format!("return {}", values.collect::<Vec<_>>().join(", ")).trim_end().to_owned()
            }
            Terminator::Unreachable => "unreachable".to_owned(),
        }
    }

    fn edge(&self, edge: &Edge) -> String {
        let args: Vec<_> = edge.args.iter().map(|&arg| self.operand(arg, None)).collect();
        let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
        format!("bb{}{args}", edge.target.0)
    }

    /// An operand; its type, where the text says it, makes constants readable.
    pub fn operand(&self, operand: Operand, ty: Option<Type>) -> String {
        match operand {
            Operand::Reg(Reg(id)) => format!("%{id}"),
            Operand::Int(value) => constant(value, ty),
            Operand::Global(id, 0) => format!("@{}", self.global_name(id)),
            Operand::Global(id, offset) => {
                let sign = if offset < 0 { '-' } else { '+' };
                format!("@{} {sign} {}", self.global_name(id), offset.unsigned_abs())
            }
            Operand::Function(id) => format!("&{}", self.function_name(id)),
            Operand::Undef => "undef".to_owned(),
        }
    }
}

/// How things with these names are referred to: by name, with the number if that is not enough.
fn references<'a>(names: impl Iterator<Item = &'a str> + Clone) -> Vec<String> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for name in names.clone() {
        *count.entry(name).or_default() += 1;
    }
    let reference = |(id, name): (usize, &str)| match (name, count.get(name)) {
        ("", _) => format!("#{id}"),
        (_, Some(1)) => name_text(name),
        _ => format!("{}#{id}", name_text(name)),
    };
    names.enumerate().map(reference).collect()
}

/// A name, in quotes if it is not a word.
pub(super) fn name_text(name: &str) -> String {
    if is_word(name) { name.to_owned() } else { quote(name) }
}

/// A constant. Small ones are decimal; floats and large ones of unknown sign hexadecimal.
fn constant(value: u128, ty: Option<Type>) -> String {
    match ty {
        Some(Type::Ptr) if value == 0 => "null".to_owned(),
        Some(Type::Int(width)) if is_negative(value, width) => {
            format!("-{}", negate(value, width))
        }
        Some(Type::Int(_)) => value.to_string(),
        Some(Type::F32 | Type::F64) if value != 0 => format!("{value:#x}"),
        _ if value < 1 << 31 => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

/// Whether the sign bit, and none above it, is set. One bit has no sign: it is a truth value.
fn is_negative(value: u128, width: u16) -> bool {
    (2..=128).contains(&width) && value >> (width - 1) == 1
}

/// Two's complement within `width` bits, which are 1 to 128.
pub(super) fn negate(value: u128, width: u16) -> u128 {
    let mask = u128::MAX.checked_shr(128 - u32::from(width)).unwrap_or(0);
    value.wrapping_neg() & mask
}

/// A place at the end of a line; "no place" is not shown.
fn at(site: SiteId) -> String {
    if site == SiteId(0) { String::new() } else { format!(" !{}", site.0) }
}

/// A line of a block.
fn line(f: &mut fmt::Formatter<'_>, text: &str, site: SiteId) -> fmt::Result {
    let site = at(site);
    if site.is_empty() || text.contains('\n') {
        return writeln!(f, "  {text}{site}");
    }
    writeln!(f, "  {text:<SITE_COLUMN$}{site}")
}

/// A register with its type; one that does not exist has none.
pub(super) fn register(function: &Function, reg: Reg) -> String {
    match function.registers.get(reg.0 as usize) {
        Some(register) => format!("%{}: {}", reg.0, register.ty),
        None => format!("%{}: {NO_TYPE}", reg.0),
    }
}

fn registers(function: &Function, regs: &[Reg]) -> Vec<String> {
    regs.iter().map(|&reg| register(function, reg)).collect()
}

/// Registers whose type no assignment shows.
fn unassigned(function: &Function) -> Vec<Reg> {
    let by_blocks = function.blocks.iter().flat_map(|block| {
        let by_instructions = block.instructions.iter().flat_map(|i| i.op.defines());
        block.params.iter().copied().chain(by_instructions)
    });
    let known = |reg: &Reg| (reg.0 as usize) < function.registers.len();
    let assigned: RegSet = function.params.iter().copied().chain(by_blocks).filter(known).collect();
    let all = (0u32..).map(Reg).take(function.registers.len());
    all.filter(|&reg| !assigned.contains(reg)).collect()
}

fn returns(types: &[Type]) -> String {
    match types {
        [] => String::new(),
        [ty] => format!(" -> {ty}"),
        _ => {
            let types: Vec<_> = types.iter().map(Type::to_string).collect();
            format!(" -> ({})", types.join(", "))
        }
    }
}

fn site_text(site: &Site) -> String {
    let span = site.span.map(|span| format!("{}:{}:{} ", span.file.0, span.line, span.column));
    let caller = site.inlined_at.map(|caller| format!(" inlined {}", caller.0));
    let hook = site.hook.map(|hook| format!(" hook {hook}"));
    let function = quote(&site.function);
    let (span, caller) = (span.unwrap_or_default(), caller.unwrap_or_default());
    format!("{span}{function}{caller}{}", hook.unwrap_or_default())
}

fn shape_text(shape: &Shape) -> String {
    match shape {
        Shape::Struct(members) if members.is_empty() => "struct { }".to_owned(),
        Shape::Struct(members) => {
            let member = |member: &Member| {
                format!("{} {}: {}", quote(&member.name), member.offset, member.ty.0)
            };
            let members: Vec<_> = members.iter().map(member).collect();
            format!("struct {{ {} }}", members.join(", "))
        }
        Shape::Array { element, length } => format!("array {length} of {}", element.0),
        _ => {
            let word = SHAPES.iter().find(|(known, _)| known == shape);
            word.map_or("", |(_, word)| word).to_owned()
        }
    }
}

/// Something untranslated; see the parser for the form.
pub(super) fn untranslated(what: &Untranslated) -> String {
    match what {
        Untranslated::Construct(name) => quote(name),
        Untranslated::MissingVariable(name) => format!("variable {}", quote(name)),
        Untranslated::OwnFunction(name) => format!("function {}", quote(name)),
    }
}
