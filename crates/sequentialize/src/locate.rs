//! Where in the syntax something stands that the compiler gives a place for.
//!
//! The places are clang's: an assignment is at its sign, a declaration at the name, a call and a
//! `return` where they begin. All of a macro is at its name, so what is inside of one is told apart
//! by its number.

use tree_sitter::Node;
use unravel_patch::source::descendants;
use unravel_span::Span;

use crate::Unsupported;
use crate::initial;
use crate::replace::{How, Replaced, Replacement};
use crate::tree::{arguments, declared_name, field, operator, parts};
use crate::unit::Unit;

/// A node, and how it is written instead.
type Found<'a> = (Node<'a>, How);

/// The node whose value is another.
///
/// # Errors
/// No node, or several, for all that the place says.
pub fn locate<'a>(unit: &Unit<'a>, wanted: &Replacement) -> Result<Found<'a>, Unsupported> {
    let mut found = offset(unit, wanted).map_or_else(Vec::new, |at| candidates(unit, wanted, at));
    let (nth, of) = wanted.nth;
    if found.len() > of {
        // What a call gives is changed where it returns.
        found.retain(|it| it.0.kind() != "call_expression");
    }
    let one = found.get(nth).filter(|_| found.len() == of).copied();
    one.ok_or_else(|| {
        let name = wanted.name.as_ref().map_or_else(String::new, |it| format!(" of `{it}`"));
        let what = match wanted.what {
            Replaced::Assignment => "an assignment",
            Replaced::Initial => "the initial value",
            Replaced::Operand => "the operand of an update",
            Replaced::Argument(_) => "an argument",
            Replaced::Return => "a returned value",
            Replaced::Condition => "a condition",
        };
        let what = format!("another value for {what}{name}, which the text does not show,");
        Unsupported::new(what, unit.span(&wanted.file, wanted.line, wanted.column))
    })
}

/// A comparison of two addresses: at its sign, or the only one of a macro.
///
/// # Errors
/// No comparison, or several.
pub fn comparison<'a>(unit: &Unit<'a>, span: Option<Span>) -> Result<Node<'a>, Unsupported> {
    let is_comparison = |it: &Node<'a>| {
        let sign = operator(*it).map(|it| unit.text(it));
        it.kind() == "binary_expression" && matches!(sign, Some("<" | ">" | "<=" | ">="))
    };
    let at = span.and_then(|it| unit.offset(it));
    let all = || descendants(unit.source.root);
    let sign = all().find(|it| is_comparison(it) && at.is_some_and(|at| is_sign(*it, at)));
    let in_macro = || {
        let call = all().find(|it| at.is_some_and(|at| is(*it, "call_expression", at)))?;
        let mut inside = descendants(call).filter(|it| is_comparison(it));
        inside.next().filter(|_| inside.next().is_none())
    };
    let what = "which of two objects has the lower address, where the text does not show it,";
    sign.or_else(in_macro).ok_or_else(|| Unsupported::new(what, span))
}

fn offset(unit: &Unit<'_>, wanted: &Replacement) -> Option<usize> {
    unit.span(&wanted.file, wanted.line, wanted.column).and_then(|it| unit.offset(it))
}

fn candidates<'a>(unit: &Unit<'a>, wanted: &Replacement, at: usize) -> Vec<Found<'a>> {
    let nodes = descendants(unit.source.root);
    let nodes = nodes.filter(|it| it.start_byte() <= at && at < it.end_byte());
    match wanted.what {
        Replaced::Assignment => {
            let name = wanted.name.as_deref();
            nodes
                .filter_map(|it| stored(unit, it, at).or_else(|| member(unit, it, at, name)))
                .collect()
        }
        Replaced::Operand => nodes.filter_map(|it| updated(unit, it, at)).collect(),
        Replaced::Return => {
            let values = nodes.filter(|it| it.kind() == "return_statement");
            let values = values.filter_map(|it| Some((it.start_byte(), *parts(it).first()?)));
            let here = values.filter(|(begin, value)| *begin == at || value.start_byte() == at);
            here.map(|it| (it.1, How::Value)).collect()
        }
        Replaced::Argument(number) => {
            let name = wanted.name.as_deref();
            let calls = nodes.filter(|it| is(*it, "call_expression", at));
            calls.take(1).flat_map(|it| passed(unit, it, name, number)).collect()
        }
        Replaced::Condition => nodes.flat_map(|it| branches(unit, it, at)).collect(),
        Replaced::Initial => Vec::new(),
    }
}

fn is(node: Node<'_>, kind: &str, at: usize) -> bool {
    node.kind() == kind && node.start_byte() == at
}

fn is_sign(node: Node<'_>, at: usize) -> bool {
    operator(node).is_some_and(|it| it.start_byte() == at)
}

/// What is assigned at a place.
fn stored<'a>(unit: &Unit<'a>, node: Node<'a>, at: usize) -> Option<Found<'a>> {
    match node.kind() {
        "assignment_expression" if is_sign(node, at) => {
            let left = field(node, "left")?;
            let is_plain = operator(node).is_some_and(|it| unit.text(it) == "=");
            // The compiler stores all of the word that a bit-field lies in.
            let found =
                if is_plain { (field(node, "right")?, How::Value) } else { (node, How::Store) };
            (!unit.is_bit_field(left)).then_some(found)
        }
        "update_expression" if is_sign(node, at) => Some((node, How::Store)),
        "init_declarator" if declared_name(node)?.start_byte() == at => {
            let value = field(node, "value")?;
            (value.kind() != "initializer_list").then_some((value, How::Value))
        }
        "call_expression" if node.start_byte() == at => {
            let name = unit.text(field(node, "function")?);
            let stores = name.contains("atomic_store") || name.contains("atomic_init");
            arguments(node).get(1).filter(|_| stores).map(|it| (*it, How::Value))
        }
        _ if node.start_byte() == at && node.is_named() => {
            let parent = node.parent().filter(|it| it.kind() == "initializer_list");
            let is_value = !matches!(node.kind(), "initializer_list" | "initializer_pair");
            parent.filter(|_| is_value).map(|_| (node, How::Value))
        }
        _ => None,
    }
}

/// A member of what is declared with a list of values at a place.
fn member<'a>(unit: &Unit<'a>, node: Node<'a>, at: usize, name: Option<&str>) -> Option<Found<'a>> {
    let list = field(node, "value").filter(|it| is(*it, "initializer_list", at))?;
    let path = name?.strip_prefix(unit.text(declared_name(node)?))?;
    initial::below(unit, list, path)
}

/// What an atomic update at a place takes.
fn updated<'a>(unit: &Unit<'a>, node: Node<'a>, at: usize) -> Option<Found<'a>> {
    match node.kind() {
        "assignment_expression" if is_sign(node, at) => Some((field(node, "right")?, How::Value)),
        "update_expression" if is_sign(node, at) => Some((node, How::Amount)),
        "call_expression" if node.start_byte() == at => {
            let name = unit.text(field(node, "function")?);
            let index = if name.contains("compare") { 2 } else { 1 };
            let is_order = name.contains("atomic_flag");
            arguments(node).get(index).filter(|_| !is_order).map(|it| (*it, How::Value))
        }
        _ => None,
    }
}

/// An argument of the calls of a function that begin at a place, or are in a macro there.
fn passed<'a>(
    unit: &Unit<'a>,
    node: Node<'a>,
    name: Option<&str>,
    number: usize,
) -> Vec<Found<'a>> {
    let is_called = |it: &Node<'a>| {
        field(*it, "function").is_some_and(|it| name.is_none_or(|name| unit.text(it) == name))
    };
    let calls: Vec<Node<'a>> = match is_called(&node) {
        true => vec![node],
        false => {
            descendants(node).filter(|it| it.kind() == "call_expression" && is_called(it)).collect()
        }
    };
    let argument = |it: Node<'a>| arguments(it).get(number.checked_sub(1)?).copied();
    calls.into_iter().filter_map(argument).map(|it| (it, How::Value)).collect()
}

/// What is branched on at a place.
fn branches<'a>(unit: &Unit<'a>, node: Node<'a>, at: usize) -> Vec<Found<'a>> {
    let mut all = Vec::new();
    match (node.kind(), condition(unit, node)) {
        ("call_expression", Some(it)) => operands(unit, it, node.start_byte(), None, &mut all),
        ("do_statement", Some(it)) => all.extend(field(node, "body").map(|body| (it, end(body)))),
        ("while_statement" | "for_statement" | "switch_statement", Some(it)) => {
            all.push((it, node.start_byte()));
        }
        ("if_statement" | "conditional_expression", Some(it)) => {
            operands(unit, it, it.start_byte(), Some(()), &mut all);
            all.retain(|it| Some(it.1) == condition(unit, node).map(|it| it.start_byte()));
        }
        ("binary_expression", _) if is_sign(node, at) && unit.is_logical(node) => {
            if let Some(left) = field(node, "left") {
                operands(unit, left, at, Some(()), &mut all);
            }
        }
        _ => {}
    }
    all.into_iter().filter(|it| it.1 == at).map(|it| (it.0, How::Value)).collect()
}

/// Where the condition of a `do` loop is tested.
fn end(body: Node<'_>) -> usize {
    match body.kind() {
        "compound_statement" => body.end_byte() - 1,
        _ => body.start_byte(),
    }
}

fn condition<'a>(unit: &Unit<'a>, node: Node<'a>) -> Option<Node<'a>> {
    match node.kind() {
        "if_statement" | "while_statement" | "do_statement" | "switch_statement" => {
            let condition = field(node, "condition")?;
            match (condition.kind(), parts(condition).as_slice()) {
                ("parenthesized_expression", [inner]) => Some(*inner),
                _ => Some(condition),
            }
        }
        "for_statement" | "conditional_expression" => field(node, "condition"),
        "call_expression" => {
            let is_it = field(node, "function").is_some_and(|it| unit.text(it) == "assert");
            arguments(node).first().copied().filter(|_| is_it)
        }
        _ => None,
    }
}

/// The operands of a condition that are branches of their own, each with its place: behind `&&` and
/// `||` that of what is around them, before them their sign, in a macro always that of the macro.
fn operands<'a>(
    unit: &Unit<'a>,
    node: Node<'a>,
    place: usize,
    own: Option<()>,
    all: &mut Vec<(Node<'a>, usize)>,
) {
    let sign = operator(node).map(|it| (unit.text(it), it.start_byte()));
    match (node.kind(), sign) {
        ("parenthesized_expression", _) => {
            if let Some(inner) = parts(node).first() {
                operands(unit, *inner, place, own, all);
            }
        }
        ("unary_expression", Some(("!", _))) => {
            if let Some(inner) = field(node, "argument") {
                operands(unit, inner, place, own, all);
            }
        }
        ("binary_expression", Some(("&&" | "||", sign))) => {
            let first = own.map_or(place, |()| sign);
            for (name, place) in [("left", first), ("right", place)] {
                if let Some(inner) = field(node, name) {
                    operands(unit, inner, place, own, all);
                }
            }
        }
        _ => all.push((node, place)),
    }
}
