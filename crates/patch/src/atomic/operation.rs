//! What an expression does to one variable: reads, writes, or updates it.

use tree_sitter::Node;

use crate::expr::{bare, call, cast, contains, operator, parts, tokens};
use crate::source::Source;

/// The variable that an operation is about, by its address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target<'t> {
    /// An expression for its address, as the source writes it.
    pub address: String,
    /// The words of the variable itself.
    key: Vec<String>,
    /// The variable; the expression for the address where only that is written.
    pub node: Node<'t>,
    /// Whether `node` is the address.
    pub by_address: bool,
}

/// The operators that have an atomic form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// `+`.
    pub sign: &'static str,
    /// `add`.
    pub word: &'static str,
}

const OPS: [Op; 5] = [
    Op { sign: "+", word: "add" },
    Op { sign: "-", word: "sub" },
    Op { sign: "|", word: "or" },
    Op { sign: "&", word: "and" },
    Op { sign: "^", word: "xor" },
];

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect<'t> {
    /// The value is read.
    Read,
    /// A value is stored that does not depend on the old one.
    Write(Node<'t>),
    /// `v op e` is stored, where `v` is the old value.
    Update {
        /// The operator.
        op: Op,
        /// The text of `e`.
        by: String,
        /// Whether the expression's value is the old one.
        old: bool,
        /// A cast of the new value before it is stored.
        cast: Option<Node<'t>>,
    },
    /// The new value depends on the old one in a way that has no atomic form.
    Other,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation<'t> {
    /// The whole expression.
    pub node: Node<'t>,
    /// On what.
    pub target: Target<'t>,
    /// Does what.
    pub effect: Effect<'t>,
}

impl<'t> Target<'t> {
    /// A variable.
    #[must_use]
    pub fn variable(source: &Source<'_>, lvalue: Node<'t>) -> Target<'t> {
        let node = bare(lvalue);
        let pointed = Some(node).filter(|it| is_dereference(source, *it));
        let pointer = pointed.and_then(|it| it.child_by_field_name("argument"));
        let address = match pointer {
            Some(pointer) => source.text_of(bare(pointer)).to_owned(),
            None => format!("&{}", source.text_of(node)),
        };
        Target { address, key: owned(tokens(source, node)), node, by_address: false }
    }

    /// What an address leads to.
    #[must_use]
    pub fn pointed(source: &Source<'_>, address: Node<'t>) -> Target<'t> {
        let node = bare(address);
        let is_address = node.kind() == "pointer_expression" && operator(source, node) == "&";
        let lvalue = node.child_by_field_name("argument").filter(|_| is_address);
        if let Some(lvalue) = lvalue {
            return Target::variable(source, lvalue);
        }
        let mut key = vec!["*".to_owned()];
        key.extend(owned(tokens(source, node)));
        Target { address: source.text_of(node).to_owned(), key, node, by_address: true }
    }

    /// Whether both have the same text.
    #[must_use]
    pub fn is(&self, other: &Target<'_>) -> bool {
        self.key == other.key
    }

    /// Whether the text of a node contains the variable.
    #[must_use]
    pub fn occurs_in(&self, source: &Source<'_>, node: Node<'_>) -> bool {
        let key: Vec<&str> = self.key.iter().map(String::as_str).collect();
        contains(source, node, &key)
    }
}

fn owned(words: Vec<&str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

fn is_dereference(source: &Source<'_>, node: Node<'_>) -> bool {
    node.kind() == "pointer_expression" && operator(source, node) == "*"
}

/// What an expression does, if it is an operation on a variable as a whole.
#[must_use]
pub fn parse<'t>(source: &Source<'t>, node: Node<'t>) -> Option<Operation<'t>> {
    match node.kind() {
        "update_expression" => step(source, node),
        "assignment_expression" => assignment(source, node),
        "call_expression" => library(source, node),
        _ => None,
    }
}

fn step<'t>(source: &Source<'t>, node: Node<'t>) -> Option<Operation<'t>> {
    let argument = node.child_by_field_name("argument")?;
    let sign = if operator(source, node) == "++" { "+" } else { "-" };
    let old = argument.start_byte() == node.start_byte();
    let effect = Effect::Update { op: by_sign(sign)?, by: "1".to_owned(), old, cast: None };
    Some(Operation { node, target: Target::variable(source, argument), effect })
}

fn assignment<'t>(source: &Source<'t>, node: Node<'t>) -> Option<Operation<'t>> {
    let left = node.child_by_field_name("left")?;
    let right = node.child_by_field_name("right")?;
    let target = Target::variable(source, left);
    let reads = target.occurs_in(source, right);
    let effect = match operator(source, node) {
        "=" if !reads => Effect::Write(right),
        "=" => new_value(source, right, |it| Target::variable(source, it).is(&target))
            .unwrap_or(Effect::Other),
        compound => match compound.strip_suffix('=').and_then(by_sign) {
            Some(op) if !reads => {
                let by = source.text_of(right).to_owned();
                Effect::Update { op, by, old: false, cast: None }
            }
            _ => Effect::Other,
        },
    };
    Some(Operation { node, target, effect })
}

/// `v + e`, `e + v` or a cast of that, where `is_old` knows `v`.
#[must_use]
pub fn new_value<'t>(
    source: &Source<'_>,
    value: Node<'t>,
    is_old: impl Fn(Node<'t>) -> bool,
) -> Option<Effect<'t>> {
    let value = bare(value);
    if let Some((to, inner)) = cast(value) {
        let inner = new_value(source, inner, is_old)?;
        let Effect::Update { op, by, old, cast: None } = inner else { return None };
        return Some(Effect::Update { op, by, old, cast: Some(to) });
    }
    let (first, op, rest) = leading(source, value)?;
    let (by, operand) = if is_old(first) {
        (source.text.get(rest.start..rest.end)?.trim().to_owned(), None)
    } else {
        let (left, right) = sides(value)?;
        let commutes = op.sign != "-" && is_old(right);
        (commutes.then(|| source.text_of(left).to_owned())?, Some(left))
    };
    let others = operand.map_or_else(|| after(value, rest.start), |it| vec![it]);
    let reads = others.into_iter().flat_map(crate::expr::descendants).any(is_old);
    (!reads).then_some(Effect::Update { op, by, old: false, cast: None })
}

/// The nodes of an expression that begin at a byte or after.
fn after(node: Node<'_>, start: usize) -> Vec<Node<'_>> {
    crate::expr::descendants(node).filter(|it| it.start_byte() >= start).collect()
}

/// The first operand of a sum, the operator behind it, and where the other operands are.
///
/// After a minus, or for other operators, the rest is one operand: `x - a + b` is not `x - (a + b)`.
fn leading<'t>(
    source: &Source<'_>,
    value: Node<'t>,
) -> Option<(Node<'t>, Op, std::ops::Range<usize>)> {
    let (left, right) = sides(value)?;
    let op = by_sign(operator(source, value))?;
    let nested = Some(bare(left)).filter(|it| *it == left && op.sign.contains(['+', '-']));
    if let Some((first, inner, rest)) = nested.and_then(|it| leading(source, it)) {
        return (inner.sign == "+").then_some((first, inner, rest.start..value.end_byte()));
    }
    Some((bare(left), op, right.start_byte()..right.end_byte()))
}

fn sides(value: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let is_binary = value.kind() == "binary_expression";
    let left = value.child_by_field_name("left").filter(|_| is_binary)?;
    Some((left, value.child_by_field_name("right")?))
}

fn by_sign(sign: &str) -> Option<Op> {
    OPS.into_iter().find(|op| op.sign == sign)
}

/// A call of an atomic function: `<stdatomic.h>`, `__atomic_…`, `__sync_…`.
fn library<'t>(source: &Source<'t>, node: Node<'t>) -> Option<Operation<'t>> {
    let (name, arguments) = call(source, node)?;
    let target = Target::pointed(source, *arguments.first()?);
    let name = name.strip_suffix("_explicit").unwrap_or(name);
    let effect = match name {
        "atomic_load" | "__atomic_load_n" => Effect::Read,
        "atomic_store" | "__atomic_store_n" => Effect::Write(*arguments.get(1)?),
        _ => {
            let (op, old) = fetching(name)?;
            let by = source.text_of(*arguments.get(1)?).to_owned();
            Effect::Update { op, by, old, cast: None }
        }
    };
    Some(Operation { node, target, effect })
}

/// The operator of a function that fetches and updates, and whether it gives the old value.
fn fetching(name: &str) -> Option<(Op, bool)> {
    OPS.into_iter().find_map(|op| {
        let word = op.word;
        let old = [
            format!("atomic_fetch_{word}"),
            format!("__atomic_fetch_{word}"),
            format!("__sync_fetch_and_{word}"),
        ];
        let new = [format!("__atomic_{word}_fetch"), format!("__sync_{word}_and_fetch")];
        let is = |names: &[String]| names.iter().any(|it| it == name);
        is(&old).then_some((op, true)).or_else(|| is(&new).then_some((op, false)))
    })
}

/// Whether the value of an expression is used.
#[must_use]
pub fn is_used(node: Node<'_>) -> bool {
    let outer = crate::expr::with_parentheses(node);
    let Some(parent) = outer.parent() else { return false };
    match parent.kind() {
        "expression_statement" => false,
        "for_statement" => parent.child_by_field_name("condition") == Some(outer),
        "comma_expression" if parent.child_by_field_name("left") == Some(outer) => false,
        "comma_expression" => is_used(parent),
        "cast_expression" => {
            let to = parent.child_by_field_name("type").map(parts);
            let is_void = to.is_some_and(|it| {
                it.len() == 1 && it[0].kind() == "primitive_type" && it[0].byte_range().len() == 4
            });
            !is_void || is_used(parent)
        }
        _ => true,
    }
}
