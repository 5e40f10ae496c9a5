//! Long runs: steps that have to do with the orders stay, the others are folded.

use super::rows::{Cells, Grid, Row};
use super::{Style, words};

/// Runs of more rows than this are folded.
const LONG: usize = 24;

/// The run with everything folded that touches none of the variables shown and is no end of an
/// order; short runs, and all runs of a verbose report, as they are.
pub fn condense(grid: Grid, style: Style) -> Grid {
    let matters = |cells: &Cells| {
        let is_named = cells.variable.as_ref().is_some_and(|name| grid.names.contains(name));
        is_named || cells.outcome.is_some() || !cells.mark.is_empty()
    };
    if style.verbose || grid.rows.len() <= LONG || !grid.steps().any(matters) {
        return grid;
    }
    let mut rows = Vec::new();
    let mut folded: Vec<&Cells> = Vec::new();
    for row in &grid.rows {
        match row {
            Row::Step(cells) if !matters(cells) => folded.push(cells),
            other => {
                rows.extend(fold(&folded, style));
                folded.clear();
                rows.push(other.clone());
            }
        }
    }
    rows.extend(fold(&folded, style));
    Grid { rows, ..grid }
}

/// One row for several, unless it is only one.
fn fold(cells: &[&Cells], style: Style) -> Option<Row> {
    let [first, .., last] = cells else {
        return cells.first().map(|only| Row::Step((*only).clone()));
    };
    let mut threads: Vec<u32> = cells.iter().map(|it| it.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let who: Vec<String> = threads.into_iter().map(words::thread).collect();
    let numbers = match (first.number, last.number) {
        (Some(first), Some(last)) => format!("steps {first} to {last}"),
        _ => words::count(cells.len(), "step"),
    };
    Some(Row::Folded(format!("{} {numbers}: {}", style.ellipsis(), who.join(", "))))
}
