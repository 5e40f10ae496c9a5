//! A position in the tokens, and the small things every rule of the grammar needs.

use std::fmt;

use super::lexer::{Lexeme, Token};
use super::words::{Words, type_named};
use crate::ir::{BlockId, Reg, SiteId, Type};

/// Why a text is not a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
    /// What was expected, or what is wrong.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Parsed<T> = Result<T, ParseError>;

/// The tokens, and the next one.
pub(super) struct Cursor<'a> {
    lexemes: &'a [Lexeme<'a>],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(lexemes: &'a [Lexeme<'a>]) -> Self {
        Cursor { lexemes, at: 0 }
    }

    pub fn peek(&self) -> &'a Token<'a> {
        self.lexemes.get(self.at).map_or(&Token::End, |lexeme| &lexeme.token)
    }

    fn advance(&mut self) {
        self.at += 1;
    }

    /// An error at the next token.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.at, message)
    }

    /// An error at the token consumed last.
    pub fn error_before(&self, message: impl Into<String>) -> ParseError {
        self.error_at(self.at.saturating_sub(1), message)
    }

    fn error_at(&self, at: usize, message: impl Into<String>) -> ParseError {
        let place = self.lexemes.get(at).or(self.lexemes.last());
        let (line, column) = place.map_or((1, 1), |lexeme| (lexeme.line, lexeme.column));
        ParseError { line, column, message: message.into() }
    }

    /// "Expected this", at the next token, which is named.
    pub fn expected(&self, what: &str) -> ParseError {
        self.expected_at(self.at, what)
    }

    /// "Expected this", at the token consumed last, which is named.
    pub fn expected_before(&self, what: &str) -> ParseError {
        self.expected_at(self.at.saturating_sub(1), what)
    }

    fn expected_at(&self, at: usize, what: &str) -> ParseError {
        let found = match self.lexemes.get(at).map_or(&Token::End, |lexeme| &lexeme.token) {
            Token::Word(word) | Token::Mark(word) => format!("`{word}`"),
            Token::Number(value) => format!("`{value}`"),
            Token::Text(_) => "a string".to_owned(),
            Token::Newline => "the end of the line".to_owned(),
            Token::End => "the end of the text".to_owned(),
        };
        self.error_at(at, format!("expected {what}, found {found}"))
    }

    /// Consumes the mark if it is next.
    pub fn eat(&mut self, mark: &str) -> bool {
        let found = *self.peek() == Token::Mark(mark);
        if found {
            self.advance();
        }
        found
    }

    /// Consumes the word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = *self.peek() == Token::Word(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, mark: &str) -> Parsed<()> {
        if self.eat(mark) { Ok(()) } else { Err(self.expected(&format!("`{mark}`"))) }
    }

    pub fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}`"))) }
    }

    pub fn word(&mut self, what: &str) -> Parsed<&'a str> {
        let Token::Word(word) = self.peek() else { return Err(self.expected(what)) };
        self.advance();
        Ok(word)
    }

    pub fn end_of_line(&mut self) -> Parsed<()> {
        match self.peek() {
            Token::Newline => self.advance(),
            Token::End => {}
            _ => return Err(self.expected("the end of the line")),
        }
        Ok(())
    }

    /// Lists in brackets may run over several lines.
    pub fn skip_newlines(&mut self) {
        while *self.peek() == Token::Newline {
            self.advance();
        }
    }

    /// A number of a type that may be narrower than what tokens hold.
    pub fn number<T: TryFrom<u128>>(&mut self, what: &str) -> Parsed<T> {
        let Token::Number(value) = self.peek() else { return Err(self.expected(what)) };
        let value = T::try_from(*value).map_err(|_| self.error(format!("{what} is too large")))?;
        self.advance();
        Ok(value)
    }

    /// A number that may have a minus sign.
    pub fn signed(&mut self, what: &str) -> Parsed<i64> {
        if self.eat("-") { self.negative(what) } else { self.number(what) }
    }

    /// The negative of the number that follows.
    pub fn negative(&mut self, what: &str) -> Parsed<i64> {
        let magnitude: u64 = self.number(what)?;
        0i64.checked_sub_unsigned(magnitude)
            .ok_or_else(|| self.error_before(format!("{what} is too large")))
    }

    pub fn bytes(&mut self, what: &str) -> Parsed<Vec<u8>> {
        let Token::Text(bytes) = self.peek() else { return Err(self.expected(what)) };
        self.advance();
        Ok(bytes.clone())
    }

    pub fn string(&mut self, what: &str) -> Parsed<String> {
        let bytes = self.bytes(what)?;
        String::from_utf8(bytes).map_err(|_| self.error_before("the string is not UTF-8"))
    }

    /// A name: a word or a string.
    pub fn name(&mut self, what: &str) -> Parsed<String> {
        if let Token::Word(word) = self.peek() {
            self.advance();
            return Ok((*word).to_owned());
        }
        self.string(what)
    }

    pub fn ty(&mut self) -> Parsed<Type> {
        let ty = match self.peek() {
            Token::Word(word) => type_named(word),
            _ => None,
        };
        let Some(ty) = ty else { return Err(self.expected("a type")) };
        self.advance();
        Ok(ty)
    }

    /// The width of an integer type.
    pub fn width(&mut self) -> Parsed<u16> {
        match self.ty()? {
            Type::Int(width) => Ok(width),
            _ => Err(self.error_before("expected an integer type")),
        }
    }

    /// A word of an enum.
    pub fn one_of<T: Words>(&mut self) -> Parsed<T> {
        let value = match self.peek() {
            Token::Word(word) => T::from_word(word),
            _ => None,
        };
        let Some(value) = value else { return Err(self.expected(T::NOUN)) };
        self.advance();
        Ok(value)
    }

    pub fn register(&mut self) -> Parsed<Reg> {
        if !self.eat("%") {
            return Err(self.expected("a register"));
        }
        self.number("the number of a register").map(Reg)
    }

    pub fn block(&mut self) -> Parsed<BlockId> {
        let id = match self.peek() {
            Token::Word(word) => word.strip_prefix("bb").and_then(|id| id.parse().ok()),
            _ => None,
        };
        let Some(id) = id else { return Err(self.expected("a block")) };
        self.advance();
        Ok(BlockId(id))
    }

    /// The place at the end of a line; 0 if there is none.
    pub fn site(&mut self) -> Parsed<SiteId> {
        if !self.eat("!") {
            return Ok(SiteId(0));
        }
        self.number("the number of a site").map(SiteId)
    }

    /// Items separated by commas up to the mark `end`, which is consumed.
    pub fn list<T>(
        &mut self,
        end: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        let mut items = Vec::new();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(item(self)?);
            if self.eat(end) {
                return Ok(items);
            }
            if !self.eat(",") {
                return Err(self.expected(&format!("`,` or `{end}`")));
            }
        }
    }
}
