//! Calls of `printf` and its kind with a constant format: each becomes a call of a function that is made for it,
//! with a call of a model of `print.c` for each piece of the format.
//!
//! A format that is not constant, or of which not all is known, stays with [`Print`].

use std::collections::BTreeSet;

use super::Linker;
use crate::ir::{
    BinaryOp, Block, CastOp, Function, FunctionId, Instruction, Op, Operand, Program, Reg,
    Register, SiteId, Terminator, Type,
};
use crate::library::format::{Count, Piece, Spec, parse};
use crate::library::{Action, Primitive, Print};

/// A call: what of it makes a difference for its model.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Call {
    name: &'static str,
    /// Where the format is.
    format: Operand,
    types: Vec<Type>,
    /// Whether it has a result.
    returns: bool,
    /// Whether anybody looks at the result; else it is not worked out.
    is_used: bool,
}

/// Registers of a function that something reads.
pub(super) fn used(function: &Function) -> BTreeSet<Reg> {
    let blocks = || function.blocks.iter();
    let ops = blocks().flat_map(|block| &block.instructions).map(|it| it.op.uses());
    let ends = blocks().map(|block| block.end.uses());
    ops.chain(ends).flatten().filter_map(Operand::register).collect()
}

/// Where a text goes.
#[derive(Clone, Copy)]
enum To {
    /// To a stream, or nowhere that can be seen.
    Stream,
    /// To memory: the address and the size.
    Memory(Operand, Operand),
}

impl Linker<'_> {
    /// Turns a call with a constant format into one of its own model.
    pub(super) fn resolve_format(&mut self, op: &mut Op, used: &BTreeSet<Reg>) {
        let Op::Library { primitive, args, result } = &*op else { return };
        let Action::Print(print) = primitive.action() else { return };
        let results: Vec<Reg> = result.iter().copied().collect();
        let is_used = result.is_some_and(|it| used.contains(&it));
        let Some(&(_, format)) = args.get(format_at(print)) else { return };
        let types = args.iter().map(|&(ty, _)| ty).collect();
        let call =
            Call { name: primitive.name(), format, types, returns: result.is_some(), is_used };
        let Some(callee) = self.format_model(print, call) else { return };
        let args = args.iter().map(|&(_, arg)| arg).collect();
        *op = Op::Call { results, callee, args };
    }

    fn format_model(&mut self, print: Print, call: Call) -> Option<FunctionId> {
        if let Some(&made) = self.formats.get(&call) {
            return Some(made);
        }
        let text = text(self.program, call.format)?.to_vec();
        let pieces = parse(&text)?;
        let mut maker = Maker::new(self, print, &call);
        maker.make(&pieces)?;
        let (registers, instructions, result) = (maker.registers, maker.instructions, maker.result);
        let params = (0u32..).map(Reg).take(call.types.len()).collect();
        let end = Terminator::Return(result.into_iter().filter(|_| call.returns).collect());
        let id = FunctionId(u32::try_from(self.program.functions.len()).ok()?);
        self.program.functions.push(Function {
            name: format!("{}.{}", call.name, self.formats.len()),
            site: SiteId(0),
            params,
            returns: if call.returns { vec![Type::Int(32)] } else { Vec::new() },
            variadic: false,
            atomic: false,
            library: true,
            wrapper: false,
            registers,
            blocks: vec![Block { params: Vec::new(), instructions, end_site: SiteId(0), end }],
        });
        self.formats.insert(call, id);
        Some(id)
    }
}

/// The argument that is the format.
fn format_at(print: Print) -> usize {
    match print {
        Print::Printf => 0,
        Print::Fprintf | Print::Dprintf | Print::Syslog | Print::Sprintf => 1,
        Print::Snprintf => 2,
    }
}

/// The model of a call whose format is not constant, so that it is read while the program runs.
pub(super) fn generic(
    program: &Program,
    primitive: Primitive,
    args: &[(Type, Operand)],
) -> Option<&'static str> {
    let Action::Print(print) = primitive.action() else { return None };
    let &(_, format) = args.get(format_at(print))?;
    if text(program, format).is_some() {
        return None;
    }
    Some(match print {
        Print::Printf => "__unravel_printf",
        Print::Fprintf => "__unravel_fprintf",
        Print::Dprintf => "__unravel_dprintf",
        Print::Syslog => "__unravel_syslog",
        Print::Sprintf => "__unravel_sprintf",
        Print::Snprintf => "__unravel_snprintf",
    })
}

/// The model of a function that prints, where nobody asks how much.
pub(super) fn unasked(name: &str) -> Option<String> {
    let own = name.strip_prefix("__unravel_");
    let printing = ["printf", "fprintf", "dprintf", "vprintf", "vfprintf", "vdprintf"];
    let name = own.unwrap_or(name);
    printing.contains(&name).then(|| format!("__unravel_unasked_{name}"))
}

/// The bytes of a text that is never written.
pub(super) fn text(program: &Program, operand: Operand) -> Option<&[u8]> {
    let Operand::Global(id, 0) = operand else { return None };
    let global = program.global(id);
    let bytes = global.bytes.as_deref().filter(|_| global.constant)?;
    let is_padded = (bytes.len() as u64) < global.size;
    let end = bytes.iter().position(|&byte| byte == 0);
    bytes.get(..end.or(is_padded.then_some(bytes.len()))?)
}

/// Makes the body of a model.
struct Maker<'a, 'l> {
    linker: &'a mut Linker<'l>,
    print: Print,
    format: Operand,
    types: Vec<Type>,
    is_used: bool,
    registers: Vec<Register>,
    instructions: Vec<Instruction>,
    /// The next argument.
    next: usize,
    /// How long the text is so far.
    at: Operand,
    to: To,
    /// What the function returns.
    result: Option<Operand>,
}

impl<'a, 'l> Maker<'a, 'l> {
    fn new(linker: &'a mut Linker<'l>, print: Print, call: &Call) -> Maker<'a, 'l> {
        let size = Type::Int(linker.program.target.pointer_bits());
        let to = match print {
            Print::Sprintf => {
                let largest = u128::MAX >> (128 - u32::from(size.bits(linker.program.target)));
                To::Memory(Operand::Reg(Reg(0)), Operand::Int(largest))
            }
            Print::Snprintf => To::Memory(Operand::Reg(Reg(0)), Operand::Reg(Reg(1))),
            _ => To::Stream,
        };
        Maker {
            print,
            format: call.format,
            registers: call.types.iter().map(|&ty| Register { ty }).collect(),
            types: call.types.clone(),
            is_used: call.is_used,
            instructions: Vec::new(),
            next: format_at(print) + 1,
            at: Operand::Int(0),
            to,
            result: None,
            linker,
        }
    }

    /// The body; `None` if something in the format is not known.
    fn make(&mut self, pieces: &[Piece]) -> Option<()> {
        let expected = [Type::Ptr, self.size()];
        let named = self.types.get(..format_at(self.print))?;
        let fits = match self.print {
            Print::Sprintf | Print::Snprintf => expected.starts_with(named),
            Print::Fprintf => named == [Type::Ptr],
            Print::Dprintf | Print::Syslog => named == [Type::Int(32)],
            Print::Printf => true,
        };
        if !fits {
            return None;
        }
        for piece in pieces {
            match piece {
                Piece::Text(range) => self.literal(range.start, range.len())?,
                Piece::Conversion(spec) => self.conversion(spec)?,
            }
        }
        self.end()
    }

    fn size(&self) -> Type {
        Type::Int(self.linker.program.target.pointer_bits())
    }

    fn fresh(&mut self, ty: Type) -> Reg {
        let reg = Reg(u32::try_from(self.registers.len()).unwrap_or(u32::MAX));
        self.registers.push(Register { ty });
        reg
    }

    fn emit(&mut self, op: Op) {
        self.instructions.push(Instruction { op, site: SiteId(0) });
    }

    fn shows(&mut self, name: &str, args: Vec<(Type, Operand)>) -> Option<()> {
        let primitive = Primitive::named(name)?;
        self.emit(Op::Library { primitive, args, result: None });
        Some(())
    }

    /// Calls a model that returns something.
    fn call(&mut self, name: &str, args: Vec<Operand>, ty: Type) -> Option<Operand> {
        let dst = self.fresh(ty);
        let op = self.linker.call_of(name, vec![dst], args)?;
        self.emit(op);
        Some(Operand::Reg(dst))
    }

    /// Calls a model that writes to memory, and moves on.
    fn put(&mut self, name: &str, rest: Vec<Operand>) -> Option<()> {
        let To::Memory(to, size) = self.to else { return None };
        let args = [vec![to, size, self.at], rest].concat();
        self.at = self.call(name, args, self.size())?;
        Some(())
    }

    /// Moves on by the length of something that is printed.
    fn moves(&mut self, length: Operand) {
        if !self.is_used {
            return;
        }
        let dst = self.fresh(self.size());
        self.emit(Op::Binary {
            dst,
            op: BinaryOp::Add,
            width: self.linker.program.target.pointer_bits(),
            lhs: self.at,
            rhs: length,
            no_signed_wrap: false,
        });
        self.at = Operand::Reg(dst);
    }

    /// Calls a model of how long something is, and moves on.
    fn moves_by(&mut self, name: &str, args: Vec<Operand>) -> Option<()> {
        if self.is_used {
            let length = self.call(name, args, self.size())?;
            self.moves(length);
        }
        Some(())
    }

    fn literal(&mut self, from: usize, length: usize) -> Option<()> {
        let Operand::Global(id, offset) = self.format else { return None };
        let start = Operand::Global(id, offset + i64::try_from(from).ok()?);
        let length = Operand::Int(length as u128);
        match self.to {
            To::Memory(..) => self.put("__unravel_put_literal", vec![start, length]),
            To::Stream => {
                let args = vec![(Type::Ptr, start), (self.size(), length)];
                self.shows("__unravel_shows_literal", args)?;
                self.moves(length);
                Some(())
            }
        }
    }

    /// The next argument, which has to be of a type.
    fn argument(&mut self) -> Option<(Type, Operand)> {
        let at = self.next;
        self.next += 1;
        Some((*self.types.get(at)?, Operand::Reg(Reg(u32::try_from(at).ok()?))))
    }

    /// A width or precision; −1 if it is not given.
    fn count(&mut self, count: Count, none: i32) -> Option<Operand> {
        let number = match count {
            Count::None => none,
            Count::Number(number) => i32::try_from(number).ok()?,
            Count::Argument => {
                let (ty, operand) = self.argument()?;
                return Some(operand).filter(|_| ty == Type::Int(32));
            }
        };
        Some(Operand::Int(u128::from(number.cast_unsigned())))
    }

    fn conversion(&mut self, spec: &Spec) -> Option<()> {
        let width = self.count(spec.width, 0)?;
        let precision = self.count(spec.precision, -1)?;
        let (ty, operand) = self.argument()?;
        match (spec.letter, ty) {
            ('d' | 'i' | 'u' | 'x' | 'X' | 'o', Type::Int(_)) => {
                let (number, is_wide) = self.number(spec, ty, operand)?;
                self.integer(spec, is_wide, [width, precision], number)
            }
            ('c', Type::Int(32)) if spec.length.is_empty() => self.character(spec, width, operand),
            ('s', Type::Ptr) if spec.length.is_empty() => {
                let args = vec![packed(spec, false), width, precision, operand];
                match self.to {
                    To::Memory(..) => self.put("__unravel_put_text", args),
                    To::Stream => {
                        let length = self.call("__unravel_print_text", args, self.size())?;
                        self.moves(length);
                        Some(())
                    }
                }
            }
            ('p', Type::Ptr) | ('f' | 'F' | 'e' | 'E' | 'g' | 'G', Type::F64) => {
                self.without_length(spec, [width, precision], (ty, operand))
            }
            _ => None,
        }
    }

    /// What is printed, and of which nobody wants to know the length.
    fn without_length(
        &mut self,
        spec: &Spec,
        [width, precision]: [Operand; 2],
        argument: (Type, Operand),
    ) -> Option<()> {
        if self.is_used || matches!(self.to, To::Memory(..)) || spec.length == "L" {
            return None;
        }
        let int = Type::Int(32);
        let args = vec![(int, packed(spec, false)), (int, width), (int, precision), argument];
        self.shows("__unravel_shows_number", args)
    }

    fn integer(
        &mut self,
        spec: &Spec,
        is_wide: bool,
        [width, precision]: [Operand; 2],
        number: Operand,
    ) -> Option<()> {
        let spec = packed(spec, is_wide);
        let args = vec![spec, width, precision, number];
        if let To::Memory(..) = self.to {
            return self.put("__unravel_put_number", args);
        }
        let types = [Type::Int(32), Type::Int(32), Type::Int(32), Type::Int(64)];
        let shown = types.into_iter().zip(args.iter().copied()).collect();
        self.shows("__unravel_shows_number", shown)?;
        self.moves_by("__unravel_print_number", args)
    }

    fn character(&mut self, spec: &Spec, width: Operand, operand: Operand) -> Option<()> {
        let spec = packed(spec, false);
        if let To::Memory(..) = self.to {
            return self.put("__unravel_put_character", vec![spec, width, operand]);
        }
        let dst = self.fresh(Type::Int(64));
        let (from, to) = (Type::Int(32), Type::Int(64));
        self.emit(Op::Cast { dst, op: CastOp::ZeroExtend, from, to, value: operand });
        let int = Type::Int(32);
        let args = vec![(int, spec), (int, width), (int, Operand::Int(0)), (to, Operand::Reg(dst))];
        self.shows("__unravel_shows_number", args)?;
        self.moves_by("__unravel_print_character", vec![spec, width])
    }

    /// An integer as 64 bits, and whether its conversion has more than 32.
    fn number(&mut self, spec: &Spec, ty: Type, value: Operand) -> Option<(Operand, bool)> {
        let Type::Int(given) = ty else { return None };
        let pointer = self.linker.program.target.pointer_bits();
        let (wanted, promoted) = match spec.length.as_str() {
            "hh" => (8, 32),
            "h" => (16, 32),
            "" => (32, 32),
            "l" | "z" | "t" => (pointer, pointer),
            "ll" | "j" | "q" => (64, 64),
            _ => return None,
        };
        if given != promoted {
            return None;
        }
        let is_signed = matches!(spec.letter, 'd' | 'i');
        let narrow = self.cast(CastOp::Truncate, (given, wanted), value);
        let extend = if is_signed { CastOp::SignExtend } else { CastOp::ZeroExtend };
        Some((self.cast(extend, (wanted, 64), narrow), wanted > 32))
    }

    fn cast(&mut self, op: CastOp, (from, to): (u16, u16), value: Operand) -> Operand {
        if from == to {
            return value;
        }
        let dst = self.fresh(Type::Int(to));
        self.emit(Op::Cast { dst, op, from: Type::Int(from), to: Type::Int(to), value });
        Operand::Reg(dst)
    }

    fn end(&mut self) -> Option<()> {
        let (first, at) = (Operand::Reg(Reg(0)), self.at);
        let (name, args) = match (self.to, self.print) {
            (To::Memory(to, size), _) => ("__unravel_put_end", vec![to, size, at]),
            (To::Stream, Print::Printf) => ("__unravel_printed", vec![at]),
            (To::Stream, Print::Fprintf) => ("__unravel_printed_to", vec![first, at]),
            (To::Stream, Print::Dprintf) => ("__unravel_printed_to_descriptor", vec![first, at]),
            (To::Stream, _) => ("__unravel_printed_to_descriptor", vec![Operand::Int(0), at]),
        };
        self.result = Some(self.call(name, args, Type::Int(32))?);
        Some(())
    }
}

fn packed(spec: &Spec, is_wide: bool) -> Operand {
    Operand::Int(u128::from(spec.packed(is_wide)))
}
