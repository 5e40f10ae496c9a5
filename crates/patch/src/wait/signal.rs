//! Where the signal goes.

use tree_sitter::Node;
use unravel_span::Edit;

use super::{Flag, passed_by_all};
use crate::calls::{self, Act};
use crate::exits::completes;
use crate::expr::{descendants, parts};
use crate::names;
use crate::place::{Changes, Place};
use crate::source::{Refusal, Source, Sources};
use crate::style::Insertions;

/// The signal after the last of some places of one function.
pub(super) fn after<'s>(
    sources: &'s Sources<'_>,
    places: &[Place<'s>],
    flag: &Flag,
    changes: &mut Changes<'s>,
) -> Result<Vec<Edit>, Refusal> {
    let returning: Option<&Place<'s>> =
        places.iter().find(|it| it.statement.kind() == "return_statement");
    let points = places.iter().map(|it| (it, point(it)));
    let Some((place, point)) = points.max_by_key(|(_, point)| point.end_byte()) else {
        return Ok(Vec::new());
    };
    counted_once(place, point, flag)?;
    let source = &place.source;
    let change = changes.of(*source);
    let mut edits = Vec::new();
    if completes(source, point) {
        change.after(point, flag.signal());
    }
    for exit in exits_before(source, place.function, point) {
        let accessed = returning.filter(|it| it.statement == exit);
        match accessed {
            Some(place) => edits.extend(hoisted(sources, place, flag, change)?),
            None => change.before(exit, flag.signal()),
        }
    }
    Ok(edits)
}

/// The statement that the signal follows.
fn point<'s>(place: &Place<'s>) -> Node<'s> {
    calls::after_sections(&place.source, passed_by_all(place.statement))
}

/// A counter must not count one arrival twice: no jump leads back over the signal.
fn counted_once(place: &Place<'_>, point: Node<'_>, flag: &Flag) -> Result<(), Refusal> {
    let source = &place.source;
    let mut all = descendants(place.function);
    let back = all.any(|jump| {
        jump.kind() == "goto_statement"
            && jump.start_byte() >= point.end_byte()
            && target(source, place.function, jump)
                .is_some_and(|label| label.start_byte() <= point.start_byte())
    });
    if back && flag.arrivals > 1 {
        return Err(place.refuse("a `goto` leads back over the step, which cannot be counted"));
    }
    Ok(())
}

/// The statement that a `goto` leads to.
fn target<'s>(source: &Source<'_>, function: Node<'s>, jump: Node<'_>) -> Option<Node<'s>> {
    let label = source.text_of(jump.child_by_field_name("label")?);
    descendants(function).find(|it| {
        let own = it.child_by_field_name("label").filter(|_| it.kind() == "labeled_statement");
        own.is_some_and(|it| source.text_of(it) == label)
    })
}

/// The statements that leave the function, or jump past a point, before its end.
fn exits_before<'s>(source: &Source<'s>, function: Node<'s>, point: Node<'s>) -> Vec<Node<'s>> {
    let early = descendants(function).filter(|it| it.start_byte() < point.end_byte());
    early
        .filter(|it| match it.kind() {
            "return_statement" => true,
            "goto_statement" => target(source, function, *it)
                .is_some_and(|label| label.start_byte() >= point.end_byte()),
            "expression_statement" => calls::statement(source, *it, Act::Exit).is_some(),
            _ => false,
        })
        .collect()
}

/// `return e;` where the step is in `e`: its value, the signal, the return.
fn hoisted<'s>(
    sources: &Sources<'_>,
    place: &Place<'s>,
    flag: &Flag,
    change: &mut Insertions<'s>,
) -> Result<Option<Edit>, Refusal> {
    let source = &place.source;
    let Some(value) = parts(place.statement).first().copied() else {
        change.before(place.statement, flag.signal());
        return Ok(None);
    };
    let local = names::fresh(sources, "result");
    let declared = declared_like(source, place.function, &local);
    let declared = declared.ok_or_else(|| place.refuse("the type of the result is not seen"))?;
    let mut lines = vec![format!("{declared} = {};", source.text_of(value))];
    lines.extend(flag.signal());
    change.declare_before(place.statement, lines);
    Ok(Some(Edit::replace(source.file, value.byte_range(), local)))
}

/// A declaration of a local of the type that a function returns.
fn declared_like(source: &Source<'_>, function: Node<'_>, local: &str) -> Option<String> {
    let base = source.text_of(function.child_by_field_name("type")?);
    let declarator = function.child_by_field_name("declarator")?;
    let around = std::iter::successors(Some(declarator), |it| it.child_by_field_name("declarator"));
    let stars = around.take_while(|it| it.kind() != "function_declarator");
    let mut count = 0;
    for it in stars {
        if it.kind() != "pointer_declarator" {
            return None;
        }
        count += 1;
    }
    Some(format!("{base} {}{local}", "*".repeat(count)))
}
