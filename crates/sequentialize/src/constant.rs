//! Numbers that the compiler knows: no branch is made on them.

use tree_sitter::Node;

use crate::tree::{field, operator, parts};
use crate::unit::Unit;

impl<'a> Unit<'a> {
    /// Whether an expression is a number that the compiler knows.
    pub fn is_constant(&self, node: Node<'a>) -> bool {
        self.constant(node).is_some()
    }

    /// Whether a constant expression is other than 0, as far as its text says it.
    pub fn constant(&self, node: Node<'a>) -> Option<bool> {
        match node.kind() {
            "sizeof_expression" => Some(true),
            "identifier" if self.functions.contains_key(self.text(node)) => Some(true),
            "parenthesized_expression" => match parts(node).as_slice() {
                [inner] => self.constant(*inner),
                _ => None,
            },
            _ => self.number(node).map(|it| it != 0),
        }
    }

    fn number(&self, node: Node<'a>) -> Option<i64> {
        match node.kind() {
            "number_literal" => literal(self.text(node)),
            "char_literal" => Some(i64::from(self.text(node) != "'\\0'")),
            "true" => Some(1),
            "false" | "null" => Some(0),
            "parenthesized_expression" => match parts(node).as_slice() {
                [inner] => self.number(*inner),
                _ => None,
            },
            "unary_expression" => {
                let inner = self.number(field(node, "argument")?)?;
                match self.text(operator(node)?) {
                    "!" => Some(i64::from(inner == 0)),
                    "-" => inner.checked_neg(),
                    "~" => Some(!inner),
                    "+" => Some(inner),
                    _ => None,
                }
            }
            "binary_expression" => {
                let left = self.number(field(node, "left")?)?;
                let right = self.number(field(node, "right")?)?;
                computed(self.text(operator(node)?), left, right)
            }
            "identifier" => match self.macros(self.text(node)).as_slice() {
                [body] => literal(body.trim()),
                _ => None,
            },
            _ => None,
        }
    }
}

fn literal(text: &str) -> Option<i64> {
    let text = text.trim_end_matches(['u', 'U', 'l', 'L']).to_ascii_lowercase();
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => i64::from_str_radix(&text, 8).ok(),
        None => text.parse().ok(),
    }
}

fn computed(sign: &str, left: i64, right: i64) -> Option<i64> {
    match sign {
        "+" => left.checked_add(right),
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "/" => left.checked_div(right),
        "%" => left.checked_rem(right),
        "<" => Some(i64::from(left < right)),
        ">" => Some(i64::from(left > right)),
        "<=" => Some(i64::from(left <= right)),
        ">=" => Some(i64::from(left >= right)),
        "==" => Some(i64::from(left == right)),
        "!=" => Some(i64::from(left != right)),
        "&&" => Some(i64::from(left != 0 && right != 0)),
        "||" => Some(i64::from(left != 0 || right != 0)),
        "&" => Some(left & right),
        "|" => Some(left | right),
        "^" => Some(left ^ right),
        _ => None,
    }
}
