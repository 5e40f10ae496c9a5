//! The parts of an expression: text and values, which are kept in variables where others come in
//! between.

use tree_sitter::Node;

use crate::text::one_line;
use crate::tree::{field, operator, parts};
use crate::walk::{Extent, Walk, Walker};

/// A value that is not computed yet: its text, to be put where it is used.
#[derive(Clone, Debug)]
pub struct Val {
    /// The text.
    pub text: String,
    /// The segment of its steps, if it has some.
    pub segment: Option<usize>,
    /// It reads memory or calls, so what happens in between matters.
    pub accesses: bool,
    /// Computing it changes something.
    pub effects: bool,
}

impl Val {
    /// A value that is the same whenever it is computed.
    pub fn known(text: impl Into<String>) -> Val {
        Val { text: text.into(), segment: None, accesses: false, effects: false }
    }
}

/// Part of the text of an expression.
#[derive(Clone, Debug)]
pub enum Piece<'a> {
    /// As it is.
    Text(String),
    /// A value.
    Hole(Node<'a>),
    /// A pointer, or an array that becomes one.
    Base(Node<'a>),
}

/// A piece with its value.
#[derive(Clone, Debug)]
pub struct Filled<'a> {
    piece: Piece<'a>,
    /// Its value.
    pub val: Val,
}

/// The text of an expression whose parts have their values.
pub fn joined(filled: &[Filled<'_>]) -> String {
    filled.iter().map(|it| it.val.text.as_str()).collect()
}

impl<'a> Walker<'_, 'a> {
    /// The text of an expression with holes for the values that it is made of.
    pub fn pieces(&mut self, node: Node<'a>) -> Walk<Vec<Piece<'a>>> {
        let sign = operator(node).map_or("", |it| self.unit.text(it));
        let mut pieces = Vec::new();
        match (node.kind(), field(node, "argument")) {
            ("call_expression", _) => {
                let is_fixed = |it: &Node<'a>| it.kind() == "identifier" || self.unit.is_cast(node);
                let function = field(node, "function").filter(is_fixed);
                if let Some(function) = function {
                    pieces.push(Piece::Text(self.line_text(function)?));
                }
                let rest = self.parts_of(node)?;
                pieces.extend(rest.into_iter().skip(usize::from(function.is_some())));
            }
            ("identifier", _) => pieces.push(Piece::Text(self.line_text(node)?)),
            ("field_expression", Some(base)) => {
                let name = field(node, "field").map_or("", |it| self.unit.text(it));
                if sign == "->" {
                    pieces.push(Piece::Base(base));
                } else {
                    pieces.extend(self.pieces(base)?);
                }
                pieces.push(Piece::Text(format!("{sign}{name}")));
            }
            ("subscript_expression", Some(base)) => {
                pieces.push(Piece::Base(base));
                pieces.push(Piece::Text("[".to_owned()));
                pieces.extend(field(node, "index").map(Piece::Hole));
                pieces.push(Piece::Text("]".to_owned()));
            }
            ("pointer_expression", Some(inner)) if sign == "&" => {
                pieces.push(Piece::Text("&".to_owned()));
                pieces.extend(self.pieces(inner)?);
            }
            ("pointer_expression", Some(inner)) => {
                pieces.push(Piece::Text("*".to_owned()));
                pieces.push(Piece::Base(inner));
            }
            ("parenthesized_expression", _) => {
                pieces.push(Piece::Text("(".to_owned()));
                for inner in parts(node) {
                    pieces.extend(self.pieces(inner)?);
                }
                pieces.push(Piece::Text(")".to_owned()));
            }
            _ => pieces = self.parts_of(node)?,
        }
        Ok(pieces)
    }

    /// Every expression below a node is a hole, all else its text.
    fn parts_of(&mut self, node: Node<'a>) -> Walk<Vec<Piece<'a>>> {
        let mut pieces = Vec::new();
        let count = u32::try_from(node.child_count()).unwrap_or(0);
        if count == 0 {
            return Ok(vec![Piece::Text(self.line_text(node)?)]);
        }
        for child in (0..count).filter_map(|index| node.child(index)) {
            let kind = child.kind();
            if kind.ends_with("_expression") || matches!(kind, "identifier" | "number_literal") {
                pieces.push(Piece::Hole(child));
            } else if matches!(kind, "argument_list" | "initializer_list" | "initializer_pair") {
                pieces.extend(self.parts_of(child)?);
            } else if kind != "comment" {
                let text = one_line(&self.text(child)?);
                let is_operator = node.kind() == "binary_expression" && !child.is_named();
                let spaced = is_operator || kind == ",";
                let text = match (spaced, kind) {
                    (true, ",") => format!("{text} "),
                    (true, _) => format!(" {text} "),
                    _ => text,
                };
                pieces.push(Piece::Text(text));
            }
        }
        Ok(pieces)
    }

    /// Computes the values of pieces in order, after some that are computed already.
    pub fn fill(
        &mut self,
        pieces: Vec<Piece<'a>>,
        first: Vec<Filled<'a>>,
    ) -> Walk<Vec<Filled<'a>>> {
        let mut filled = first;
        for piece in pieces {
            let val = match &piece {
                Piece::Text(text) => Val::known(text.clone()),
                Piece::Hole(node) | Piece::Base(node) => {
                    let outer = self.limit;
                    self.limit = self.base_limit(*node).or(outer);
                    let (node, extent) = (*node, self.value_extent(*node));
                    let apart = extent.is_cut || extent.is_special || !self.unit.is_plain(node);
                    if apart {
                        self.settle_all(&mut filled)?;
                    } else if extent.segment.is_some() {
                        self.settle(&mut filled, extent.segment)?;
                    }
                    let value = self.value(node)?;
                    self.limit = outer;
                    value
                }
            };
            filled.push(Filled { piece, val });
        }
        Ok(filled)
    }

    /// The place of `a[i]` is where `a` begins, so the reads of `a` are told by their number.
    fn base_limit(&self, node: Node<'a>) -> Option<usize> {
        let parent = node.parent().filter(|it| it.kind() == "subscript_expression")?;
        let is_base = field(parent, "argument") == Some(node);
        let limit = || self.after_loads(self.loads(node)).min(self.limit.unwrap_or(usize::MAX));
        (is_base && !self.in_macro && !self.unit.calls(node)).then(limit)
    }

    /// Keeps the values of other segments than the one in which the expression goes on.
    pub fn settle(&mut self, filled: &mut [Filled<'a>], segment: Option<usize>) -> Walk<()> {
        for it in filled {
            if segment.is_some() && it.val.segment.is_some() && it.val.segment != segment {
                self.settle_one(it)?;
            }
        }
        Ok(())
    }

    /// Keeps all values.
    pub fn settle_all(&mut self, filled: &mut [Filled<'a>]) -> Walk<()> {
        filled.iter_mut().try_for_each(|it| self.settle_one(it))
    }

    /// Keeps a value.
    pub fn settle_one(&mut self, it: &mut Filled<'a>) -> Walk<()> {
        let (Piece::Hole(node) | Piece::Base(node)) = it.piece else { return Ok(()) };
        if matches!(it.piece, Piece::Base(_)) && (it.val.accesses || it.val.effects) {
            it.val.text = format!("&({})[0]", it.val.text);
        }
        it.val = self.keep(it.val.clone(), node, "tmp")?;
        Ok(())
    }

    /// Puts a value that may change into a variable.
    pub fn keep(&mut self, val: Val, node: Node<'a>, hint: &str) -> Walk<Val> {
        if !val.accesses && !val.effects {
            return Ok(val);
        }
        let ty = self.type_of(node, &val.text);
        self.keep_as(val, &ty, node, hint)
    }

    /// The type of a variable for a value.
    pub fn type_of(&self, node: Node<'a>, text: &str) -> String {
        self.unit.number_type(node).unwrap_or_else(|| format!("__typeof__({text})"))
    }

    /// Puts a value into a variable of a type.
    pub fn keep_as(&mut self, val: Val, ty: &str, node: Node<'a>, hint: &str) -> Walk<Val> {
        let name = self.fresh(hint);
        let segment = val.segment.unwrap_or(self.segment);
        self.write(segment, format!("{ty} {name} = {};", val.text), node);
        Ok(Val::known(name))
    }
}

/// A value made of parts.
pub fn of_parts(filled: &[Filled<'_>], rest: &Extent) -> Val {
    Val {
        text: joined(filled),
        segment: rest.segment.or_else(|| filled.iter().filter_map(|it| it.val.segment).max()),
        accesses: rest.accesses || filled.iter().any(|it| it.val.accesses),
        effects: filled.iter().any(|it| it.val.effects),
    }
}

/// The values among pieces that lead to an access: pointers and indices, innermost last.
pub fn pointers<'f>(filled: &'f [Filled<'_>]) -> impl Iterator<Item = &'f str> {
    let bases = filled.iter().filter(|it| matches!(it.piece, Piece::Base(_)));
    bases.map(|it| it.val.text.as_str())
}

impl<'a> Filled<'a> {
    /// A value that is computed.
    pub fn value(node: Node<'a>, val: Val) -> Filled<'a> {
        Filled { piece: Piece::Hole(node), val }
    }

    /// Whether it is a value.
    pub fn is_value(&self) -> bool {
        !matches!(self.piece, Piece::Text(_))
    }

    /// The segment of its steps.
    pub fn segment(&self) -> Option<usize> {
        self.val.segment
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.val.text
    }
}
