//! A torn read-modify-write as one atomic operation.
//!
//! An operation that C has an atomic form for is replaced by it: `x++`, `x += e`, `x = x + e` on
//! variables, members and elements, plain reads and writes beside them, and `if (x == a) x = b;`.
//! Two statements can be one operation, too: see [`pair`].

mod operation;
mod pair;
mod render;

use std::collections::BTreeSet;

use tree_sitter::Node;
use unravel_span::{Edit, Span};

use crate::expr::{bare, call, descendants, is_pure, operator, parts};
use crate::place::{self, Place};
use crate::source::{Refusal, Source, Sources, ancestors};
use crate::{names, style, types};
use operation::{Effect, Operation, Target, is_used, parse};
use render::Dialect;
pub use render::is_update;

/// Each operation on `variable` at these places as one atomic operation.
///
/// # Errors
/// If one of them has no atomic form, or nothing has to change.
pub fn atomic(
    sources: &Sources<'_>,
    accesses: &[Span],
    variable: &str,
) -> Result<Vec<Edit>, Refusal> {
    let places: Vec<Place<'_>> =
        accesses.iter().map(|span| place::find(sources, *span)).collect::<Result<_, _>>()?;
    let is_wanted = |node: Node<'_>| places.iter().any(|place| place.statement == node);
    let mut edits = BTreeSet::new();
    for place in &places {
        if let Some(fused) = pair::fuse(sources, place.source, place.statement, is_wanted) {
            edits.extend(fused);
            continue;
        }
        for operation in operations(place, variable)? {
            edits.extend(single(sources, place, &operation)?);
        }
    }
    match places.first() {
        Some(place) if edits.is_empty() => Err(place.refuse("every operation is atomic already")),
        _ => Ok(edits.into_iter().collect()),
    }
}

/// The operations on a variable at a place: one, or those in the arguments of a macro's use.
fn operations<'s>(place: &Place<'s>, variable: &str) -> Result<Vec<Operation<'s>>, Refusal> {
    let source = &place.source;
    let refuse = || place.refuse(format!("no access to `{variable}` is seen here"));
    let node = source.node_at(place.offset).ok_or_else(refuse)?;
    let callee = node.parent().filter(|it| it.kind() == "call_expression");
    if callee.is_some() && is_atomic_function(source.text_of(node)) {
        return Ok(Vec::new());
    }
    if let Some(call) = callee.filter(|it| parse(source, *it).is_none()) {
        let inside = descendants(call).filter(|it| is_access(source, *it, variable));
        let found: Vec<_> = inside.map(|it| of_lvalue(source, it)).collect();
        return if found.is_empty() { Err(refuse()) } else { Ok(found) };
    }
    let own = node.parent().and_then(|it| parse(source, it));
    if let Some(own) = own.filter(|it| it.node.child_by_field_name("operator") == Some(node)) {
        return Ok(vec![own]);
    }
    let lvalue = lvalue_at(source, node, variable).ok_or_else(refuse)?;
    Ok(vec![of_lvalue(source, lvalue)])
}

/// Whether a function makes one atomic operation of what it is given.
fn is_atomic_function(name: &str) -> bool {
    ["atomic_", "__atomic_", "__sync_"].iter().any(|it| name.starts_with(it))
}

/// Whether a node is the whole of an lvalue whose last name is that of a variable.
fn is_access(source: &Source<'_>, node: Node<'_>, variable: &str) -> bool {
    let is_lvalue = is_lvalue(source, node);
    let part_of = node.parent().is_some_and(|it| {
        is_lvalue && self::is_lvalue(source, it) && it.child_by_field_name("argument") == Some(node)
    });
    is_lvalue && !part_of && final_name(source, node) == Some(last_name(variable))
}

fn is_lvalue(source: &Source<'_>, node: Node<'_>) -> bool {
    match node.kind() {
        "identifier" | "field_expression" | "subscript_expression" => true,
        "pointer_expression" => operator(source, node) == "*",
        _ => false,
    }
}

/// The last name of a variable: `count` of `pool.shard[1].count`.
#[must_use]
pub fn last_name(variable: &str) -> &str {
    let end = variable.find('[').filter(|_| variable.ends_with(']'));
    let plain = if end.is_some() {
        variable.rsplit_once('[').map_or(variable, |it| it.0)
    } else {
        variable
    };
    plain.rsplit(['.', '>']).next().unwrap_or(plain).trim_start_matches('*')
}

fn final_name<'a>(source: &Source<'a>, lvalue: Node<'_>) -> Option<&'a str> {
    let lvalue = bare(lvalue);
    match lvalue.kind() {
        "identifier" => Some(source.text_of(lvalue)),
        "field_expression" => lvalue.child_by_field_name("field").map(|it| source.text_of(it)),
        _ => final_name(source, lvalue.child_by_field_name("argument")?),
    }
}

/// The lvalue that debug information means by a token: of those it is part of, the one that has the
/// variable's name, else the one that the token makes.
fn lvalue_at<'s>(source: &Source<'s>, token: Node<'s>, variable: &str) -> Option<Node<'s>> {
    let mut chain: Vec<Node<'s>> = Vec::new();
    let mut below = token;
    for node in ancestors(token) {
        let is_index = node.child_by_field_name("index") == Some(below);
        let is_part = is_lvalue(source, node) || node.kind() == "parenthesized_expression";
        let is_token = node == token && node.child_count() == 0;
        if is_index || !(is_part || is_token) {
            break;
        }
        if is_lvalue(source, node) {
            chain.push(node);
        }
        below = node;
    }
    let named = |it: &&Node<'s>| final_name(source, **it) == Some(last_name(variable));
    if let Some(found) = chain.iter().rfind(named) {
        return Some(*found);
    }
    let first = *chain.first()?;
    let grown = chain.iter().take_while(|it| **it == first || it.kind() == "subscript_expression");
    grown.last().copied()
}

/// The operation that an lvalue is the target of, or its read.
fn of_lvalue<'s>(source: &Source<'s>, lvalue: Node<'s>) -> Operation<'s> {
    let target = Target::variable(source, lvalue);
    let around = ancestors(lvalue).skip(1).take_while(|it| !it.kind().ends_with("_statement"));
    let mut around = around.filter_map(|it| parse(source, it));
    let own = around.find(|it| it.target.is(&target));
    own.unwrap_or_else(|| Operation { node: bare(lvalue), target, effect: Effect::Read })
}

/// The edits for one operation; none if it is atomic as it is.
fn single(
    sources: &Sources<'_>,
    place: &Place<'_>,
    operation: &Operation<'_>,
) -> Result<Vec<Edit>, Refusal> {
    let source = &place.source;
    let target = &operation.target;
    checked(sources, source, operation).map_err(|why| place.refuse(why))?;
    if let Some(edits) = compare_and_swap(sources, source, operation) {
        return Ok(edits);
    }
    let dialect = dialect_of(sources, source, target);
    let is_one_step = matches!(operator(source, operation.node), "=" | "")
        && matches!(operation.effect, Effect::Update { .. });
    let by_library = operation.node.kind() == "call_expression";
    if by_library || (dialect == Dialect::Standard && !is_one_step) {
        return Ok(Vec::new());
    }
    let address = &target.address;
    let text = match &operation.effect {
        Effect::Read => dialect.load(address),
        Effect::Write(value) => dialect.store(address, source.text_of(*value)),
        Effect::Update { op, by, old: false, .. } if is_used(operation.node) => {
            dialect.updated(*op, address, by)
        }
        Effect::Update { op, by, .. } => dialect.fetch(*op, address, by),
        Effect::Other => return Err(place.refuse("this change of it has no atomic form")),
    };
    let mut edits = vec![Edit::replace(source.file, operation.node.byte_range(), text)];
    if dialect == Dialect::Standard {
        edits.extend(style::include(sources, source.file, "<stdatomic.h>"));
    }
    Ok(edits)
}

/// `if (x == a) x = b;` as one compare-and-swap.
fn compare_and_swap(
    sources: &Sources<'_>,
    source: &Source<'_>,
    operation: &Operation<'_>,
) -> Option<Vec<Edit>> {
    let target = &operation.target;
    let whole = ancestors(operation.node).find(|it| it.kind() == "if_statement")?;
    let (old, new) = check_then_act(source, whole, target)?;
    let kind = target.type_of(sources, source)?;
    let local = names::fresh(sources, "expected");
    let dialect = dialect_of(sources, source, target);
    let swap = dialect.compare_exchange(&target.address, &local, source.text_of(new));
    let declared = format!("{}{local} = {};", kind.written(), source.text_of(old));
    let margin = source.indentation(whole.start_byte());
    let unit = &source.style().unit;
    let text = format!("{{\n{margin}{unit}{declared}\n{margin}{unit}{swap};\n{margin}}}");
    Some(vec![Edit::replace(source.file, whole.byte_range(), text)])
}

/// The value compared with and the value stored, if an `if` does that and nothing else.
fn check_then_act<'s>(
    source: &Source<'s>,
    whole: Node<'s>,
    target: &Target<'_>,
) -> Option<(Node<'s>, Node<'s>)> {
    let condition = bare(whole.child_by_field_name("condition")?);
    let body = whole.child_by_field_name("consequence")?;
    let body = match (body.kind(), parts(body).as_slice()) {
        ("compound_statement", [only]) => *only,
        _ => body,
    };
    let act = parse(source, bare(*parts(body).first()?))?;
    let Effect::Write(new) = act.effect else { return None };
    let is_equality = operator(source, condition) == "==";
    let left = condition.child_by_field_name("left").filter(|_| is_equality)?;
    let right = condition.child_by_field_name("right")?;
    let is_it = |it: Node<'s>| Target::variable(source, it).is(target);
    let old = if is_it(left) { right } else { Some(left).filter(|_| is_it(right))? };
    let free = |it: Node<'s>| is_pure(it) && !target.occurs_in(source, it);
    let alone = whole.child_by_field_name("alternative").is_none()
        && body.kind() == "expression_statement"
        && act.target.is(target);
    (alone && free(old) && free(new)).then_some((old, new))
}

/// Why an operation has no atomic form, if it has none.
fn checked(
    sources: &Sources<'_>,
    source: &Source<'_>,
    operation: &Operation<'_>,
) -> Result<(), String> {
    let target = &operation.target;
    let name = source.text_of(target.node);
    let parent = crate::expr::with_parentheses(operation.node).parent();
    let addressed = parent.is_some_and(|it| {
        it.kind() == "sizeof_expression"
            || it.kind() == "pointer_expression" && operator(source, it) == "&"
    });
    let kind = target.type_of(sources, source);
    let is_bit_field = kind.as_ref().is_some_and(|it| it.is_bit_field);
    if call(source, bare(target.node)).is_some() || !is_pure(target.node) {
        return Err(format!("`{name}` does more than name a variable"));
    }
    match (&operation.effect, kind) {
        (Effect::Other, _) => Err(format!("this change of `{name}` has no atomic form")),
        (Effect::Read, _) if addressed => Err(format!("`{name}` is not read here")),
        _ if is_bit_field => Err(format!("`{name}` is a bit-field")),
        (Effect::Update { .. }, None) => Err(format!("the type of `{name}` is not seen")),
        (Effect::Update { cast, .. }, Some(kind)) => fits(source, name, *cast, &kind),
        _ => Ok(()),
    }
}

/// Whether arithmetic on a type is arithmetic of the atomic builtins.
fn fits(
    source: &Source<'_>,
    name: &str,
    cast: Option<Node<'_>>,
    kind: &types::Type,
) -> Result<(), String> {
    const NO_NUMBERS: [&str; 5] = ["bool", "_Bool", "float", "double", "long double"];
    if kind.depth > 0 {
        return Err(format!("`{name}` is a pointer, and atomic additions do not count elements"));
    }
    if NO_NUMBERS.contains(&kind.base.as_str()) || kind.depth < 0 {
        return Err(format!("`{name}` is no integer"));
    }
    match cast.map(|it| source.text_of(it)) {
        Some(to) if to != kind.base => Err(format!("the new value of `{name}` is cut to `{to}`")),
        _ => Ok(()),
    }
}

fn dialect_of(sources: &Sources<'_>, source: &Source<'_>, target: &Target<'_>) -> Dialect {
    let is_atomic = target.type_of(sources, source).is_some_and(|it| it.is_atomic);
    if is_atomic { Dialect::Standard } else { Dialect::Builtin }
}

impl Target<'_> {
    /// The type of the variable, where it is known.
    fn type_of(&self, sources: &Sources<'_>, source: &Source<'_>) -> Option<types::Type> {
        let found = types::of(sources, source, self.node)?;
        Some(if self.by_address { found.pointed_to() } else { found })
    }
}
