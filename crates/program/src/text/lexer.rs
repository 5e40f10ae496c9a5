//! Text to tokens.

use super::cursor::ParseError;
use super::words::{begins_word, continues_word};

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters, digits, `_`, `.` and `$`, not beginning with a digit.
    Word(&'a str),
    /// A number, decimal or with `0x`.
    Number(u128),
    /// A quoted string, escapes resolved; not always UTF-8.
    Text(Vec<u8>),
    /// A single character, or `->`.
    Mark(&'a str),
    /// End of a line that has tokens.
    Newline,
    /// End of the text.
    End,
}

/// A token and where it begins; both numbers count from 1.
#[derive(Clone, Debug)]
pub(super) struct Lexeme<'a> {
    pub token: Token<'a>,
    pub line: usize,
    pub column: usize,
}

/// All tokens, the last being [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<Lexeme<'_>>, ParseError> {
    let mut lexer = Lexer { rest: text, line: 1, column: 1, out: Vec::new() };
    while let Some(c) = lexer.rest.chars().next() {
        lexer.step(c)?;
    }
    lexer.end_line();
    lexer.push(Token::End);
    Ok(lexer.out)
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
    out: Vec<Lexeme<'a>>,
}

const MARKS: &str = "%@&!#=:,(){}[]+-*";

impl<'a> Lexer<'a> {
    /// Consumes the token, space or comment that begins with `c`.
    fn step(&mut self, c: char) -> Result<(), ParseError> {
        match c {
            '\n' => {
                self.end_line();
                self.take(1);
                self.line += 1;
                self.column = 1;
            }
            ';' => {
                self.take_while(|c| c != '\n');
            }
            '"' => self.text()?,
            _ if c.is_whitespace() => {
                self.take(c.len_utf8());
            }
            _ if c.is_ascii_digit() => self.number()?,
            _ if begins_word(c) => self.word(),
            _ if self.rest.starts_with("->") => self.mark(2),
            _ if MARKS.contains(c) => self.mark(1),
            _ => return Err(self.error(format!("unexpected character `{}`", c.escape_debug()))),
        }
        Ok(())
    }

    fn push(&mut self, token: Token<'a>) {
        self.out.push(Lexeme { token, line: self.line, column: self.column });
    }

    /// Lines without tokens have no end.
    fn end_line(&mut self) {
        if self.out.last().is_some_and(|last| last.token != Token::Newline) {
            self.push(Token::Newline);
        }
    }

    /// Consumes `bytes` bytes, which end between characters.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        self.column += taken.chars().count();
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, holds: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !holds(c)).unwrap_or(self.rest.len()))
    }

    fn mark(&mut self, bytes: usize) {
        let (line, column) = (self.line, self.column);
        let token = Token::Mark(self.take(bytes));
        self.out.push(Lexeme { token, line, column });
    }

    fn word(&mut self) {
        let (line, column) = (self.line, self.column);
        let token = Token::Word(self.take_while(continues_word));
        self.out.push(Lexeme { token, line, column });
    }

    fn number(&mut self) -> Result<(), ParseError> {
        let (line, column) = (self.line, self.column);
        let digits = self.take_while(continues_word);
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let Ok(value) = value else {
            let message = format!("`{digits}` is not a number of at most 128 bits");
            return Err(ParseError { line, column, message });
        };
        self.out.push(Lexeme { token: Token::Number(value), line, column });
        Ok(())
    }

    /// A string, from its opening quote on.
    fn text(&mut self) -> Result<(), ParseError> {
        let (line, column) = (self.line, self.column);
        self.take(1);
        let mut bytes = Vec::new();
        loop {
            let plain = self.take_while(|c| !matches!(c, '"' | '\\' | '\n'));
            bytes.extend_from_slice(plain.as_bytes());
            match self.rest.chars().next() {
                Some('"') => break,
                Some('\\') => bytes.push(self.escape()?),
                _ => return Err(self.error("expected `\"` at the end of the string")),
            }
        }
        self.take(1);
        self.out.push(Lexeme { token: Token::Text(bytes), line, column });
        Ok(())
    }

    /// The byte that an escape stands for; at its backslash.
    fn escape(&mut self) -> Result<u8, ParseError> {
        let known = ESCAPES.iter().find(|(_, escape)| self.rest.starts_with(escape));
        if let Some((byte, escape)) = known {
            self.take(escape.len());
            return Ok(*byte);
        }
        let digits = self.rest.get(1..3).filter(|hex| hex.chars().all(|c| c.is_ascii_hexdigit()));
        let byte = digits.and_then(|hex| u8::from_str_radix(hex, 16).ok());
        let Some(byte) = byte else {
            return Err(self.error("expected two hexadecimal digits, `n`, `t`, `\"` or `\\`"));
        };
        self.take(3);
        Ok(byte)
    }

    fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.line, column: self.column, message: message.into() }
    }
}

/// Bytes with an escape of their own; others are two hexadecimal digits.
const ESCAPES: &[(u8, &str)] = &[(b'"', "\\\""), (b'\\', "\\\\"), (b'\n', "\\n"), (b'\t', "\\t")];

fn escape(byte: u8) -> String {
    let known = ESCAPES.iter().find(|(known, _)| *known == byte);
    known.map_or_else(|| format!("\\{byte:02x}"), |(_, escape)| (*escape).to_owned())
}

/// A string of bytes in quotes: ASCII stands for itself.
pub(super) fn quote_bytes(bytes: &[u8]) -> String {
    let shown = |&byte: &u8| match byte {
        b'"' | b'\\' => escape(byte),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => escape(byte),
    };
    format!("\"{}\"", bytes.iter().map(shown).collect::<String>())
}

/// A string of characters in quotes: all but control characters stand for themselves.
pub(super) fn quote(text: &str) -> String {
    let shown = |c: char| {
        if c.is_control() || matches!(c, '"' | '\\') {
            c.encode_utf8(&mut [0; 4]).bytes().map(escape).collect()
        } else {
            c.to_string()
        }
    };
    format!("\"{}\"", text.chars().map(shown).collect::<String>())
}
