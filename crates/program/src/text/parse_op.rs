//! Text to programs: instructions.

use super::cursor::{Cursor, Parsed};
use super::lexer::Token;
use super::parse::{Names, optional_type, untranslated};
use super::words::Words;
use crate::WORD;
use crate::ir::{
    Access, BinaryOp, BitsOp, CastOp, FloatOp, OffsetTerm, Op, Operand, Ordering, Reg, Type,
};
use crate::library::Primitive;

/// Items separated by commas up to the place at the end of the line.
pub(super) fn rest_of_line<'a, T>(
    cursor: &mut Cursor<'a>,
    mut item: impl FnMut(&mut Cursor<'a>) -> Parsed<T>,
) -> Parsed<Vec<T>> {
    let mut items = Vec::new();
    if matches!(cursor.peek(), Token::Newline | Token::End | Token::Mark("!")) {
        return Ok(items);
    }
    items.push(item(cursor)?);
    while cursor.eat(",") {
        items.push(item(cursor)?);
    }
    Ok(items)
}

/// Reads one instruction, after the registers it assigns.
///
/// It need not look how many these are: whoever calls compares them with what the instruction
/// says it assigns.
pub(super) struct OpParser<'a> {
    pub names: &'a Names,
    pub results: &'a [Reg],
    /// The type that stands at the first of them.
    pub ty: Option<Type>,
}

impl OpParser<'_> {
    /// The instruction; `None` if the word that follows is not one.
    pub fn op(&self, cursor: &mut Cursor<'_>) -> Parsed<Option<Op>> {
        let word = cursor.word("an instruction")?;
        if let Some(op) = self.arithmetic(cursor, word)? {
            return Ok(Some(op));
        }
        let op = match word {
            "compare" => self.compare(cursor)?,
            "fcompare" => self.float_compare(cursor)?,
            "select" => self.select(cursor)?,
            "copy" => Op::Copy { dst: self.dst(), value: self.operand(cursor, self.ty)? },
            "offset" => self.offset(cursor)?,
            "call" => self.call(cursor)?,
            "call_indirect" => self.call_indirect(cursor)?,
            "library" => self.library(cursor)?,
            "external" => {
                let name = cursor.name("the name of a function")?;
                Op::External { results: self.results.to_vec(), name, args: self.args(cursor)? }
            }
            "variable" => self.variable(cursor)?,
            "unsupported" => {
                let what = untranslated(cursor)?;
                Op::Unsupported { results: self.results.to_vec(), what }
            }
            _ => return self.memory(cursor, word),
        };
        Ok(Some(op))
    }

    /// The register of an instruction that assigns one.
    fn dst(&self) -> Reg {
        self.results.first().copied().unwrap_or(Reg(0))
    }

    /// The second register of an instruction that assigns two.
    fn second(&self) -> Reg {
        self.results.get(1).copied().unwrap_or(Reg(0))
    }

    fn operand(&self, cursor: &mut Cursor<'_>, ty: Option<Type>) -> Parsed<Operand> {
        self.names.operand(cursor, ty)
    }

    fn address(&self, cursor: &mut Cursor<'_>) -> Parsed<Operand> {
        self.operand(cursor, Some(Type::Ptr))
    }

    /// A comma and an operand.
    fn next_operand(&self, cursor: &mut Cursor<'_>, ty: Option<Type>) -> Parsed<Operand> {
        cursor.expect(",")?;
        self.operand(cursor, ty)
    }

    fn pair(&self, cursor: &mut Cursor<'_>, ty: Type) -> Parsed<(Operand, Operand)> {
        let first = self.operand(cursor, Some(ty))?;
        Ok((first, self.next_operand(cursor, Some(ty))?))
    }

    /// Operands of one type up to the end of the line.
    fn operands(&self, cursor: &mut Cursor<'_>, ty: Type) -> Parsed<Vec<Operand>> {
        rest_of_line(cursor, |cursor| self.operand(cursor, Some(ty)))
    }

    /// Arguments in parentheses, each after its type.
    fn args(&self, cursor: &mut Cursor<'_>) -> Parsed<Vec<(Type, Operand)>> {
        cursor.expect("(")?;
        cursor.list(")", |cursor| {
            let ty = cursor.ty()?;
            Ok((ty, self.operand(cursor, Some(ty))?))
        })
    }

    /// Instructions whose word is that of an operation.
    fn arithmetic(&self, cursor: &mut Cursor<'_>, word: &str) -> Parsed<Option<Op>> {
        let dst = self.dst();
        let op = if let Some(op) = BinaryOp::from_word(word) {
            let no_signed_wrap = cursor.eat_word("nsw");
            let width = cursor.width()?;
            let (lhs, rhs) = self.pair(cursor, Type::Int(width))?;
            Op::Binary { dst, op, width, lhs, rhs, no_signed_wrap }
        } else if let Some(op) = BitsOp::from_word(word) {
            let width = cursor.width()?;
            let args = self.operands(cursor, Type::Int(width))?;
            Op::Bits { dst, overflow: self.results.get(1).copied(), op, width, args }
        } else if let Some(op) = FloatOp::from_word(word) {
            let ty = cursor.ty()?;
            Op::Float { dst, op, ty, args: self.operands(cursor, ty)? }
        } else if let Some(op) = CastOp::from_word(word) {
            let from = cursor.ty()?;
            let value = self.operand(cursor, Some(from))?;
            cursor.expect_word("to")?;
            Op::Cast { dst, op, from, to: cursor.ty()?, value }
        } else {
            return Ok(None);
        };
        Ok(Some(op))
    }

    fn compare(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let (op, ty) = (cursor.one_of()?, cursor.ty()?);
        let (lhs, rhs) = self.pair(cursor, ty)?;
        Ok(Op::Compare { dst: self.dst(), op, ty, lhs, rhs })
    }

    fn float_compare(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let (op, ty) = (cursor.one_of()?, cursor.ty()?);
        let (lhs, rhs) = self.pair(cursor, ty)?;
        Ok(Op::FloatCompare { dst: self.dst(), op, ty, lhs, rhs })
    }

    fn select(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let condition = self.operand(cursor, Some(Type::Int(1)))?;
        let then = self.next_operand(cursor, self.ty)?;
        let otherwise = self.next_operand(cursor, self.ty)?;
        Ok(Op::Select { dst: self.dst(), condition, then, otherwise })
    }

    fn offset(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let base = self.address(cursor)?;
        cursor.expect(",")?;
        let constant = cursor.signed("an offset")?;
        let mut terms = Vec::new();
        while cursor.eat(",") {
            let width = cursor.width()?;
            let index = self.operand(cursor, Some(Type::Int(width)))?;
            cursor.expect("*")?;
            terms.push(OffsetTerm { index, width, scale: cursor.signed("a scale")? });
        }
        Ok(Op::Offset { dst: self.dst(), base, constant, terms })
    }

    fn call(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        cursor.expect("@")?;
        let callee = self.names.function(cursor)?;
        cursor.expect("(")?;
        let args = cursor.list(")", |cursor| self.operand(cursor, None))?;
        Ok(Op::Call { results: self.results.to_vec(), callee, args })
    }

    fn call_indirect(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let callee = self.address(cursor)?;
        Ok(Op::CallIndirect { results: self.results.to_vec(), callee, args: self.args(cursor)? })
    }

    fn library(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let name = cursor.name("the name of a library function")?;
        let Some(primitive) = Primitive::named(&name) else {
            return Err(cursor.error_before(format!("there is no model of {name:?}")));
        };
        let result = self.results.first().copied();
        Ok(Op::Library { result, primitive, args: self.args(cursor)? })
    }

    fn variable(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let name = cursor.string("the name of a variable in quotes")?;
        cursor.expect("=")?;
        let ty = cursor.ty()?;
        Ok(Op::Variable { name, value: self.operand(cursor, Some(ty))?, ty })
    }

    fn memory(&self, cursor: &mut Cursor<'_>, word: &str) -> Parsed<Option<Op>> {
        let op = match word {
            "alloca" => self.alloca(cursor)?,
            "load" => {
                let (access, ty) = (access(cursor)?, cursor.ty()?);
                Op::Load { dst: self.dst(), ty, address: self.address(cursor)?, access }
            }
            "store" => self.store(cursor)?,
            "rmw" => self.read_modify_write(cursor)?,
            "cmpxchg" => self.compare_exchange(cursor)?,
            "endlocal" => Op::EndLocal { address: self.address(cursor)? },
            "fence" => Op::Fence { ordering: cursor.one_of()? },
            "memcpy" | "memmove" => self.memory_copy(cursor, word == "memmove")?,
            "memset" => self.memory_set(cursor)?,
            _ => return Ok(None),
        };
        Ok(Some(op))
    }

    fn alloca(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let size = cursor.number("a size")?;
        let count = match cursor.eat_word("count") {
            true => self.operand(cursor, None)?,
            false => Operand::Int(1),
        };
        cursor.expect_word("align")?;
        let align = cursor.number("an alignment")?;
        let name = match cursor.peek() {
            Token::Text(_) => Some(cursor.string("a name")?),
            _ => None,
        };
        let ty = optional_type(cursor)?;
        Ok(Op::Alloca { dst: self.dst(), size, count, align, name, ty })
    }

    fn store(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let (access, ty) = (access(cursor)?, cursor.ty()?);
        let value = self.operand(cursor, Some(ty))?;
        let address = self.next_operand(cursor, Some(Type::Ptr))?;
        Ok(Op::Store { ty, address, value, access })
    }

    fn read_modify_write(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let (op, ordering, ty) = (cursor.one_of()?, cursor.one_of()?, cursor.ty()?);
        let address = self.address(cursor)?;
        let value = self.next_operand(cursor, Some(ty))?;
        Ok(Op::ReadModifyWrite { dst: self.dst(), op, ty, address, value, ordering })
    }

    fn compare_exchange(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let weak = cursor.eat_word("weak");
        let (on_success, on_failure) = (cursor.one_of()?, cursor.one_of()?);
        let ty = cursor.ty()?;
        let address = self.address(cursor)?;
        let expected = self.next_operand(cursor, Some(ty))?;
        let new = self.next_operand(cursor, Some(ty))?;
        let (old, success) = (self.dst(), self.second());
        Ok(Op::CompareExchange {
            old,
            success,
            ty,
            address,
            expected,
            new,
            weak,
            on_success,
            on_failure,
        })
    }

    fn memory_copy(&self, cursor: &mut Cursor<'_>, may_overlap: bool) -> Parsed<Op> {
        let to = self.address(cursor)?;
        let from = self.next_operand(cursor, Some(Type::Ptr))?;
        let length = self.next_operand(cursor, None)?;
        let unit = unit(cursor)?;
        Ok(Op::MemoryCopy { to, from, length, may_overlap, unit })
    }

    fn memory_set(&self, cursor: &mut Cursor<'_>) -> Parsed<Op> {
        let to = self.address(cursor)?;
        let byte = self.next_operand(cursor, None)?;
        let length = self.next_operand(cursor, None)?;
        let unit = unit(cursor)?;
        Ok(Op::MemorySet { to, byte, length, unit })
    }
}

/// `by 4`: at most so many bytes at once.
fn unit(cursor: &mut Cursor<'_>) -> Parsed<u8> {
    if cursor.eat_word("by") { cursor.number("a number of bytes") } else { Ok(WORD) }
}

fn access(cursor: &mut Cursor<'_>) -> Parsed<Access> {
    if cursor.eat_word("volatile") {
        return Ok(Access::Volatile);
    }
    if cursor.eat_word("atomic") {
        return cursor.one_of::<Ordering>().map(Access::Atomic);
    }
    Ok(Access::Plain)
}
