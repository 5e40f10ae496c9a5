//! Where the initial value of a variable, or of a member of it, stands in its initializer.

use tree_sitter::Node;
use unravel_patch::source::descendants;

use crate::replace::{How, Replacement};
use crate::tree::{declared_name, field, parts};
use crate::unit::Unit;

/// The node of an initial value; none if the initializer does not show it.
pub fn locate<'a>(unit: &Unit<'a>, wanted: &Replacement) -> Option<(Node<'a>, How)> {
    let path = wanted.name.as_deref()?;
    let end = path.find(['.', '[']).unwrap_or(path.len());
    let (root, path) = path.split_at(end);
    let line = usize::try_from(wanted.line).ok()?;
    let declares = |it: &Node<'a>| {
        let name = declared_name(*it);
        let is_there = |it| unit.line(it) == line && unit.path(it) == wanted.file;
        name.is_some_and(|it| unit.text(it) == root && is_there(it))
    };
    let mut all = descendants(unit.source.root).filter(|it| it.kind() == "init_declarator");
    let value = field(all.find(declares)?, "value")?;
    below(unit, value, path)
}

/// The value at a path of members and indices: where a list names it, or added to the list, in
/// which the last value for a member counts.
pub fn below<'a>(unit: &Unit<'a>, value: Node<'a>, path: &str) -> Option<(Node<'a>, How)> {
    let is_list = value.kind() == "initializer_list";
    if path.is_empty() {
        return (!is_list).then_some((value, How::Value));
    }
    if !is_list {
        return None;
    }
    let end = path[1..].find(['.', '[']).map_or(path.len(), |it| it + 1);
    let (step, rest) = path.split_at(end);
    let elements = parts(value);
    let named = elements.iter().find(|it| designates(unit, **it, step));
    let element = match named {
        Some(pair) => field(*pair, "value"),
        None if elements.iter().any(|it| it.kind() == "initializer_pair") => None,
        None => index(step).and_then(|it| elements.get(it).copied()),
    };
    let below = element.and_then(|it| below(unit, it, rest));
    Some(below.unwrap_or((value, How::Member)))
}

/// The number in `[number]`. Which member comes first, only the type says.
fn index(step: &str) -> Option<usize> {
    step.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Whether an element is the one of `.member = …` or `[index] = …`.
fn designates(unit: &Unit<'_>, element: Node<'_>, step: &str) -> bool {
    element.kind() == "initializer_pair"
        && matches!(&parts(element)[..], [one, _] if unit.text(*one) == step)
}
