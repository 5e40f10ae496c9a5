//! Text to programs: functions and their code.

use std::collections::BTreeMap;

use super::NO_TYPE;
use super::cursor::{Cursor, Parsed};
use super::lexer::Token;
use super::parse::Names;
use super::parse_op::{OpParser, rest_of_line};
use crate::ir::{
    Block, BlockId, Edge, Function, Instruction, Operand, Reg, Register, Terminator, Type,
};

/// A function from its parameters on.
pub(super) fn function(names: &Names, cursor: &mut Cursor<'_>, name: String) -> Parsed<Function> {
    let mut code = Code { names, types: BTreeMap::new(), returns: Vec::new() };
    cursor.expect("(")?;
    let (params, variadic) = code.function_params(cursor)?;
    code.returns = returns(cursor)?;
    let atomic = cursor.eat_word("atomic");
    let library = cursor.eat_word("library");
    let wrapper = cursor.eat_word("wrapper");
    let site = cursor.site()?;
    cursor.expect("{")?;
    cursor.end_of_line()?;
    if cursor.eat_word("registers") {
        code.unassigned(cursor)?;
    }
    let mut blocks = Vec::new();
    while !cursor.eat("}") {
        blocks.push(code.block(cursor, blocks.len())?);
    }
    let registers = code.registers(cursor)?;
    let returns = code.returns;
    Ok(Function {
        name,
        site,
        params,
        returns,
        variadic,
        atomic,
        library,
        wrapper,
        registers,
        blocks,
    })
}

fn returns(cursor: &mut Cursor<'_>) -> Parsed<Vec<Type>> {
    if !cursor.eat("->") {
        return Ok(Vec::new());
    }
    if cursor.eat("(") {
        return cursor.list(")", Cursor::ty);
    }
    Ok(vec![cursor.ty()?])
}

/// What is known of the function at hand.
struct Code<'a> {
    names: &'a Names,
    types: BTreeMap<Reg, Type>,
    returns: Vec<Type>,
}

/// What stands after a register that is assigned.
#[derive(Clone, Copy)]
enum Annotation {
    /// Nothing: the instruction implies the type.
    Nothing,
    /// That the register does not exist.
    NoType,
    Type(Type),
}

impl Code<'_> {
    /// The registers, once all are known.
    fn registers(&self, cursor: &Cursor<'_>) -> Parsed<Vec<Register>> {
        for (expected, reg) in (0u32..).map(Reg).zip(self.types.keys()) {
            if expected != *reg {
                let message = format!("the type of register %{} is missing", expected.0);
                return Err(cursor.error_before(message));
            }
        }
        Ok(self.types.values().map(|&ty| Register { ty }).collect())
    }

    /// Notes the type of a register; it may be assigned twice, but not with two types.
    fn note(&mut self, cursor: &Cursor<'_>, reg: Reg, ty: Type) -> Parsed<()> {
        let known = *self.types.entry(reg).or_insert(ty);
        if known == ty {
            return Ok(());
        }
        Err(cursor.error_before(format!("register %{} is {known}, not {ty}", reg.0)))
    }

    /// A register and, after a colon, its type.
    fn typed_register(&mut self, cursor: &mut Cursor<'_>) -> Parsed<(Reg, Option<Type>)> {
        let reg = cursor.register()?;
        cursor.expect(":")?;
        if cursor.eat_word(NO_TYPE) {
            return Ok((reg, None));
        }
        let ty = cursor.ty()?;
        self.note(cursor, reg, ty)?;
        Ok((reg, Some(ty)))
    }

    fn function_params(&mut self, cursor: &mut Cursor<'_>) -> Parsed<(Vec<Reg>, bool)> {
        let mut variadic = false;
        let params = cursor.list(")", |cursor| {
            if variadic {
                return Err(cursor.expected("`)` after `...`"));
            }
            variadic = cursor.eat_word("...");
            if variadic { Ok(None) } else { self.typed_register(cursor).map(|(reg, _)| Some(reg)) }
        })?;
        Ok((params.into_iter().flatten().collect(), variadic))
    }

    /// The line of registers that nothing assigns.
    fn unassigned(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        self.typed_register(cursor)?;
        while cursor.eat(",") {
            self.typed_register(cursor)?;
        }
        cursor.end_of_line()
    }

    fn block(&mut self, cursor: &mut Cursor<'_>, next: usize) -> Parsed<Block> {
        let BlockId(id) = cursor.block()?;
        if id as usize != next {
            return Err(cursor.expected_before(&format!("`bb{next}`")));
        }
        let params = match cursor.eat("(") {
            true => cursor.list(")", |cursor| self.typed_register(cursor).map(|(reg, _)| reg))?,
            false => Vec::new(),
        };
        cursor.expect(":")?;
        cursor.end_of_line()?;
        let mut instructions = Vec::new();
        loop {
            if let Some(end) = self.terminator(cursor)? {
                let end_site = cursor.site()?;
                cursor.end_of_line()?;
                return Ok(Block { params, instructions, end_site, end });
            }
            instructions.push(self.instruction(cursor)?);
        }
    }

    /// A terminator, if one follows.
    fn terminator(&self, cursor: &mut Cursor<'_>) -> Parsed<Option<Terminator>> {
        let end = if cursor.eat_word("jump") {
            Terminator::Jump(self.edge(cursor)?)
        } else if cursor.eat_word("branch") {
            self.branch(cursor)?
        } else if cursor.eat_word("switch") {
            self.switch(cursor)?
        } else if cursor.eat_word("return") {
            self.return_values(cursor)?
        } else if cursor.eat_word("unreachable") {
            Terminator::Unreachable
        } else {
            return Ok(None);
        };
        Ok(Some(end))
    }

    fn edge(&self, cursor: &mut Cursor<'_>) -> Parsed<Edge> {
        let target = cursor.block()?;
        let args = match cursor.eat("(") {
            true => cursor.list(")", |cursor| self.names.operand(cursor, None))?,
            false => Vec::new(),
        };
        Ok(Edge { target, args })
    }

    fn branch(&self, cursor: &mut Cursor<'_>) -> Parsed<Terminator> {
        let condition = self.names.operand(cursor, Some(Type::Int(1)))?;
        cursor.expect(",")?;
        let then = self.edge(cursor)?;
        cursor.expect(",")?;
        Ok(Terminator::Branch { condition, then, otherwise: self.edge(cursor)? })
    }

    fn switch(&self, cursor: &mut Cursor<'_>) -> Parsed<Terminator> {
        let width = cursor.width()?;
        let ty = Some(Type::Int(width));
        let value = self.names.operand(cursor, ty)?;
        cursor.expect(",")?;
        let default = self.edge(cursor)?;
        cursor.expect("[")?;
        cursor.skip_newlines();
        let mut cases = Vec::new();
        while !cursor.eat("]") {
            let Operand::Int(case) = self.names.operand(cursor, ty)? else {
                return Err(cursor.error_before("expected a number"));
            };
            cursor.expect(":")?;
            cases.push((case, self.edge(cursor)?));
            cursor.end_of_line()?;
        }
        Ok(Terminator::Switch { value, width, cases, default })
    }

    fn return_values(&self, cursor: &mut Cursor<'_>) -> Parsed<Terminator> {
        let mut types = self.returns.iter();
        let values =
            rest_of_line(cursor, |cursor| self.names.operand(cursor, types.next().copied()))?;
        Ok(Terminator::Return(values))
    }

    fn instruction(&mut self, cursor: &mut Cursor<'_>) -> Parsed<Instruction> {
        let results = self.results(cursor)?;
        let registers: Vec<Reg> = results.iter().map(|(reg, _)| *reg).collect();
        let ty = match results.first() {
            Some((_, Annotation::Type(ty))) => Some(*ty),
            _ => None,
        };
        let Some(op) = OpParser { names: self.names, results: &registers, ty }.op(cursor)? else {
            return Err(cursor.expected_before("an instruction"));
        };
        if op.defines() != registers {
            let message = format!("expected {} registers before `=`", op.defines().len());
            return Err(cursor.error_before(message));
        }
        for ((reg, annotation), implied) in results.into_iter().zip(op.result_types()) {
            self.note_result(cursor, reg, annotation, implied)?;
        }
        let site = cursor.site()?;
        cursor.end_of_line()?;
        Ok(Instruction { site, op })
    }

    fn note_result(
        &mut self,
        cursor: &Cursor<'_>,
        reg: Reg,
        annotation: Annotation,
        implied: Option<Type>,
    ) -> Parsed<()> {
        match (annotation, implied) {
            (Annotation::NoType, _) => Ok(()),
            (Annotation::Type(ty), _) | (Annotation::Nothing, Some(ty)) => {
                self.note(cursor, reg, ty)
            }
            (Annotation::Nothing, None) => {
                Err(cursor.error_before(format!("the type of register %{} is missing", reg.0)))
            }
        }
    }

    /// Assigned registers up to `=`, if any.
    fn results(&self, cursor: &mut Cursor<'_>) -> Parsed<Vec<(Reg, Annotation)>> {
        let mut results = Vec::new();
        if *cursor.peek() != Token::Mark("%") {
            return Ok(results);
        }
        loop {
            let reg = cursor.register()?;
            let annotation = match cursor.eat(":") {
                true if cursor.eat_word(NO_TYPE) => Annotation::NoType,
                true => Annotation::Type(cursor.ty()?),
                false => Annotation::Nothing,
            };
            results.push((reg, annotation));
            if cursor.eat("=") {
                return Ok(results);
            }
            if !cursor.eat(",") {
                return Err(cursor.expected("`,` or `=`"));
            }
        }
    }
}
