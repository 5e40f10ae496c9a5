//! Text to programs: everything outside functions.

use std::collections::HashMap;
use unravel_kinds::Untranslated;

use super::VERSION;
use super::cursor::{Cursor, ParseError, Parsed};
use super::lexer::{Lexeme, Token, lex};
use super::parse_code;
use super::print::negate;
use super::words::SHAPES;
use crate::ir::{
    FunctionId, Global, GlobalId, Operand, Program, Relocation, Site, SiteId, Target, Type,
    Unsupported,
};
use crate::names::{DebugType, Member, Shape, TypeId, Types};
use unravel_span::{FileId, Files, Span};

/// Reads a program from its text form.
///
/// The program is not validated; that is the step after.
///
/// # Errors
///
/// The first place where the text is not in the text form, with what was expected there.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let lexemes = lex(text)?;
    let names = Names {
        functions: NameTable::declared(&lexemes, "function"),
        globals: NameTable::declared(&lexemes, "global"),
    };
    let mut cursor = Cursor::new(&lexemes);
    cursor.expect_word("unravel")?;
    cursor.expect_word("program")?;
    if cursor.number::<u128>("the version")? != VERSION {
        return Err(cursor.error_before(format!("expected version {VERSION}")));
    }
    cursor.end_of_line()?;
    let mut parser = Parser { names: &names, target: None, main: None, program: empty() };
    while *cursor.peek() != Token::End {
        parser.entry(&mut cursor)?;
    }
    parser.program.target = parser.target.ok_or_else(|| cursor.error("`target` is missing"))?;
    parser.program.main = parser.main.ok_or_else(|| cursor.error("`main` is missing"))?;
    Ok(parser.program)
}

fn empty() -> Program {
    Program {
        target: Target { pointer_bytes: 8 },
        files: Files::new(),
        types: Types::default(),
        sites: Vec::new(),
        globals: Vec::new(),
        functions: Vec::new(),
        constructors: Vec::new(),
        main: FunctionId(0),
        arguments: Vec::new(),
        unsupported: Vec::new(),
    }
}

/// The names of functions or globals, collected ahead since code refers to what follows it.
struct NameTable {
    names: Vec<String>,
    /// The id of a name, `None` if it has several.
    ids: HashMap<String, Option<u32>>,
}

impl NameTable {
    /// The names in lines that begin with `keyword`.
    fn declared(lexemes: &[Lexeme<'_>], keyword: &str) -> NameTable {
        let mut table = NameTable { names: Vec::new(), ids: HashMap::new() };
        let mut begins_line = true;
        for (at, lexeme) in lexemes.iter().enumerate() {
            if begins_line && lexeme.token == Token::Word(keyword) {
                let mut cursor = Cursor::new(lexemes.get(at + 2..).unwrap_or_default());
                table.push(optional_name(&mut cursor).unwrap_or_default());
            }
            begins_line = lexeme.token == Token::Newline;
        }
        table
    }

    fn push(&mut self, name: String) {
        let id = u32::try_from(self.names.len()).ok();
        self.ids.entry(name.clone()).and_modify(|known| *known = None).or_insert(id);
        self.names.push(name);
    }

    /// A reference: a name, a number, or both.
    fn reference(&self, cursor: &mut Cursor<'_>, what: &str) -> Parsed<u32> {
        let name = optional_name(cursor)?;
        if cursor.eat("#") {
            let id: u32 = cursor.number("the number after a name")?;
            let actual = self.names.get(id as usize);
            if !name.is_empty() && actual != Some(&name) {
                return Err(cursor.error_before(format!("{what} {id} is not called {name:?}")));
            }
            return Ok(id);
        }
        match self.ids.get(&name) {
            _ if name.is_empty() => Err(cursor.expected(&format!("the name of a {what}"))),
            Some(Some(id)) => Ok(*id),
            Some(None) => Err(cursor.error_before(format!("the name {name:?} is not unique"))),
            None => Err(cursor.error_before(format!("there is no {what} {name:?}"))),
        }
    }
}

/// A name if one follows; otherwise empty.
fn optional_name(cursor: &mut Cursor<'_>) -> Parsed<String> {
    match cursor.peek() {
        Token::Word(_) | Token::Text(_) => cursor.name("a name"),
        _ => Ok(String::new()),
    }
}

/// All names of the program.
pub(super) struct Names {
    functions: NameTable,
    globals: NameTable,
}

impl Names {
    /// A function after its `@` or `&`.
    pub fn function(&self, cursor: &mut Cursor<'_>) -> Parsed<FunctionId> {
        self.functions.reference(cursor, "function").map(FunctionId)
    }

    /// An operand; only where a type stands before it can a constant be negative.
    pub fn operand(&self, cursor: &mut Cursor<'_>, ty: Option<Type>) -> Parsed<Operand> {
        if *cursor.peek() == Token::Mark("%") {
            return cursor.register().map(Operand::Reg);
        }
        if cursor.eat("@") {
            return self.global(cursor);
        }
        if cursor.eat("&") {
            return self.function(cursor).map(Operand::Function);
        }
        if cursor.eat("-") {
            return negative(cursor, ty).map(Operand::Int);
        }
        if cursor.eat_word("undef") {
            return Ok(Operand::Undef);
        }
        if cursor.eat_word("null") {
            return Ok(Operand::Int(0));
        }
        cursor.number("an operand").map(Operand::Int)
    }

    /// A global after its `@`, with an offset.
    fn global(&self, cursor: &mut Cursor<'_>) -> Parsed<Operand> {
        let id = self.globals.reference(cursor, "global").map(GlobalId)?;
        let offset = if cursor.eat("+") {
            cursor.number("an offset")?
        } else if cursor.eat("-") {
            cursor.negative("an offset")?
        } else {
            0
        };
        Ok(Operand::Global(id, offset))
    }
}

/// The bits of a negative constant, after its sign.
fn negative(cursor: &mut Cursor<'_>, ty: Option<Type>) -> Parsed<u128> {
    let magnitude: u128 = cursor.number("a number")?;
    let width = match ty {
        Some(Type::Int(width)) if (1..=128).contains(&width) => width,
        _ => return Err(cursor.error_before("a negative number without an integer type")),
    };
    if magnitude > 1 << (width - 1) {
        return Err(cursor.error_before(format!("-{magnitude} does not fit into i{width}")));
    }
    Ok(negate(magnitude, width))
}

/// What begins a line outside functions, for messages.
const AN_ENTRY: &str = "an entry such as `site`, `global` or `function`";

/// The program as far as it has been read.
struct Parser<'a> {
    names: &'a Names,
    target: Option<Target>,
    main: Option<FunctionId>,
    program: Program,
}

impl Parser<'_> {
    /// An entry, which begins a line and ends one.
    fn entry(&mut self, cursor: &mut Cursor<'_>) -> Parsed<()> {
        let program = &mut self.program;
        match cursor.word(AN_ENTRY)? {
            "target" => once(cursor, &mut self.target, target)?,
            "main" => once(cursor, &mut self.main, |cursor| function_after_at(self.names, cursor))?,
            "constructor" => program.constructors.push(function_after_at(self.names, cursor)?),
            "argument" => program.arguments.push(self.names.operand(cursor, None)?),
            "unsupported" => program.unsupported.push(unsupported(cursor)?),
            "file" => file(cursor, &mut program.files)?,
            "site" => {
                in_order(cursor, program.sites.len())?;
                program.sites.push(site(cursor)?);
            }
            "type" => {
                in_order(cursor, program.types.types.len())?;
                program.types.types.push(debug_type(cursor)?);
            }
            "global" => {
                let name = declared_name(cursor, program.globals.len())?;
                program.globals.push(global(self.names, cursor, name)?);
            }
            "function" => {
                let name = declared_name(cursor, program.functions.len())?;
                program.functions.push(parse_code::function(self.names, cursor, name)?);
            }
            _ => return Err(cursor.expected_before(AN_ENTRY)),
        }
        cursor.end_of_line()
    }
}

/// Reads what may stand in a text only once.
fn once<T>(
    cursor: &mut Cursor<'_>,
    place: &mut Option<T>,
    read: impl FnOnce(&mut Cursor<'_>) -> Parsed<T>,
) -> Parsed<()> {
    if place.is_some() {
        return Err(cursor.error_before("a second one of its kind"));
    }
    *place = Some(read(cursor)?);
    Ok(())
}

/// The number of an entry, which counts the entries of its kind.
fn in_order(cursor: &mut Cursor<'_>, next: usize) -> Parsed<()> {
    let number: usize = cursor.number(&format!("the number {next}"))?;
    if number == next { Ok(()) } else { Err(cursor.error_before(format!("expected {next}"))) }
}

/// The name of a function or global in its own entry, where a number must be its own.
fn declared_name(cursor: &mut Cursor<'_>, next: usize) -> Parsed<String> {
    cursor.expect("@")?;
    let name = optional_name(cursor)?;
    if cursor.eat("#") {
        in_order(cursor, next)?;
    } else if name.is_empty() {
        return Err(cursor.expected("a name"));
    }
    Ok(name)
}

fn function_after_at(names: &Names, cursor: &mut Cursor<'_>) -> Parsed<FunctionId> {
    cursor.expect("@")?;
    names.function(cursor)
}

fn target(cursor: &mut Cursor<'_>) -> Parsed<Target> {
    cursor.expect_word("pointer")?;
    Ok(Target { pointer_bytes: cursor.number("the size of a pointer")? })
}

fn unsupported(cursor: &mut Cursor<'_>) -> Parsed<Unsupported> {
    let what = untranslated(cursor)?;
    Ok(Unsupported { site: cursor.site()?, what })
}

/// `variable "x"`, `function "f"`, or the name of a construct as a string.
pub(super) fn untranslated(cursor: &mut Cursor<'_>) -> Parsed<Untranslated> {
    if cursor.eat_word("variable") {
        return Ok(Untranslated::MissingVariable(cursor.string("a string")?));
    }
    if cursor.eat_word("function") {
        return Ok(Untranslated::OwnFunction(cursor.string("a string")?));
    }
    Ok(cursor.string("a string")?.into())
}

fn file(cursor: &mut Cursor<'_>, files: &mut Files) -> Parsed<()> {
    let count = files.iter().count();
    in_order(cursor, count)?;
    let FileId(id) = files.intern(&cursor.string("a path")?);
    if id as usize == count { Ok(()) } else { Err(cursor.error_before("the path occurs twice")) }
}

fn site(cursor: &mut Cursor<'_>) -> Parsed<Site> {
    let span = match cursor.peek() {
        Token::Number(_) => Some(span(cursor)?),
        _ => None,
    };
    let function = cursor.string("a place or the name of a function in quotes")?;
    let inlined_at = match cursor.eat_word("inlined") {
        true => Some(SiteId(cursor.number("the number of a site")?)),
        false => None,
    };
    let hook = match cursor.eat_word("hook") {
        true => Some(cursor.number("the number of a hook")?),
        false => None,
    };
    Ok(Site { span, function, inlined_at, hook })
}

fn span(cursor: &mut Cursor<'_>) -> Parsed<Span> {
    let file = FileId(cursor.number("the number of a file")?);
    cursor.expect(":")?;
    let line = cursor.number("a line")?;
    cursor.expect(":")?;
    Ok(Span::new(file, line, cursor.number("a column")?))
}

fn debug_type(cursor: &mut Cursor<'_>) -> Parsed<DebugType> {
    let name = cursor.string("the name of a type in quotes")?;
    Ok(DebugType { name, size: cursor.number("a size")?, shape: shape(cursor)? })
}

fn shape(cursor: &mut Cursor<'_>) -> Parsed<Shape> {
    if cursor.eat_word("struct") {
        cursor.expect("{")?;
        return cursor.list("}", member).map(Shape::Struct);
    }
    if cursor.eat_word("array") {
        let length = cursor.number("the length of an array")?;
        cursor.expect_word("of")?;
        return Ok(Shape::Array { element: type_id(cursor)?, length });
    }
    match SHAPES.iter().find(|(_, word)| cursor.eat_word(word)) {
        Some((shape, _)) => Ok(shape.clone()),
        None => Err(cursor.expected("the shape of a type")),
    }
}

fn member(cursor: &mut Cursor<'_>) -> Parsed<Member> {
    let name = cursor.string("the name of a member in quotes")?;
    let offset = cursor.number("the offset of a member")?;
    cursor.expect(":")?;
    Ok(Member { name, offset, ty: type_id(cursor)? })
}

pub(super) fn type_id(cursor: &mut Cursor<'_>) -> Parsed<TypeId> {
    cursor.number("the number of a debug type").map(TypeId)
}

/// The number after `type`, if that follows.
pub(super) fn optional_type(cursor: &mut Cursor<'_>) -> Parsed<Option<TypeId>> {
    if cursor.eat_word("type") { type_id(cursor).map(Some) } else { Ok(None) }
}

fn global(names: &Names, cursor: &mut Cursor<'_>, name: String) -> Parsed<Global> {
    let shown_name = match cursor.peek() {
        Token::Text(_) => cursor.string("a name")?,
        _ => name.clone(),
    };
    let constant = cursor.eat_word("const");
    let thread_local = cursor.eat_word("thread_local");
    cursor.expect_word("size")?;
    let size = cursor.number("a size")?;
    cursor.expect_word("align")?;
    let align = cursor.number("an alignment")?;
    let ty = optional_type(cursor)?;
    cursor.expect("=")?;
    let bytes = initial_bytes(cursor)?;
    let relocations = relocations(names, cursor)?;
    let site = cursor.site()?;
    Ok(Global {
        name,
        shown_name,
        ty,
        site,
        size,
        align,
        constant,
        thread_local,
        bytes,
        relocations,
    })
}

fn initial_bytes(cursor: &mut Cursor<'_>) -> Parsed<Option<Vec<u8>>> {
    if cursor.eat_word("external") {
        return Ok(None);
    }
    if cursor.eat_word("zero") {
        return Ok(Some(Vec::new()));
    }
    if !cursor.eat_word("bytes") {
        return Err(cursor.expected("`zero`, `bytes` or `external`"));
    }
    cursor.bytes("a string").map(Some)
}

fn relocations(names: &Names, cursor: &mut Cursor<'_>) -> Parsed<Vec<Relocation>> {
    let mut relocations = Vec::new();
    if !cursor.eat("{") {
        return Ok(relocations);
    }
    cursor.skip_newlines();
    while !cursor.eat("}") {
        let offset = cursor.number("an offset or `}`")?;
        cursor.expect(":")?;
        relocations.push(Relocation { offset, target: names.operand(cursor, None)? });
        cursor.end_of_line()?;
    }
    Ok(relocations)
}
