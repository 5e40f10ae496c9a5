//! A fault as values that stand in the written file of its failing run.

use unravel_localize::{Change, Kind, Look, Mark, Marked};
use unravel_sequentialize::{Replaced, Replacement};

/// The other values of a fault. What has no place in the source has none in a file.
pub fn replacements(marked: &Marked, changes: &[Change]) -> Vec<Replacement> {
    changes.iter().filter_map(|it| replacement(marked, it)).collect()
}

fn replacement(marked: &Marked, change: &Change) -> Option<Replacement> {
    let mark = marked.marks.get(change.mark)?;
    let program = &marked.program;
    let place = |it: &Mark| program.site(it.site).span;
    let span = place(mark)?;
    // All of a macro is at one place.
    let same = |it: &Mark| (it.kind, &it.name, place(it)) == (mark.kind, &mark.name, Some(span));
    let (before, after) = marked.marks.split_at(change.mark);
    let nth = before.iter().filter(|it| same(it)).count();
    let of = nth + after.iter().filter(|it| same(it)).count();
    Some(Replacement {
        what: match mark.kind {
            Kind::Assignment => Replaced::Assignment,
            Kind::Initial => Replaced::Initial,
            Kind::Operand => Replaced::Operand,
            Kind::Argument(number) => Replaced::Argument(number),
            Kind::Return => Replaced::Return,
            Kind::Condition => Replaced::Condition,
        },
        file: program.files.path(span.file).to_owned(),
        line: span.line,
        column: span.column,
        name: mark.name.clone(),
        nth: (nth, of),
        iteration: change.iteration,
        value: (change.value, mark.width, mark.look != Look::Signed),
    })
}
