//! Long runs: steps that have to do with the orders stay, the others are folded.

use super::rows::{Cells, Grid, Row};
use super::{Style, words};

/// Runs of more rows than this are folded.
const LONG: usize = 24;
/// Of runs that still have more, only the ends of orders are shown.
const TOO_LONG: usize = 40;

/// The run with everything folded that touches none of the variables shown and is no end of an
/// order; if that leaves too much, only the ends stay. Short runs, and all runs of a verbose report,
/// are left as they are.
pub fn condense(grid: Grid, style: Style) -> Grid {
    let is_end = |cells: &Cells| cells.outcome.is_some() || !cells.mark.is_empty();
    if style.verbose || grid.rows.len() <= LONG || !grid.steps().any(is_end) {
        return grid;
    }
    let names = grid.names.clone();
    let is_named = |cells: &Cells| cells.variable.as_ref().is_some_and(|it| names.contains(it));
    let rows = keep(&grid.rows, |cells| is_end(cells) || is_named(cells), style);
    let rows = if rows.len() > TOO_LONG { keep(&grid.rows, is_end, style) } else { rows };
    Grid { rows, ..grid }
}

/// Rows of a run that nobody would read all of, and of one in a verbose report.
const ENDLESS: (usize, usize) = (200, 4000);

/// The run without the middle of what nobody would read, however it is shown: its first and last
/// steps stay, and ends of orders.
pub fn shorten(grid: Grid, style: Style) -> Grid {
    let most = if style.verbose { ENDLESS.1 } else { ENDLESS.0 };
    if grid.rows.len() <= most {
        return grid;
    }
    let last = grid.rows.len() - most / 2;
    let (begin, rest) = grid.rows.split_at(most / 2);
    let (middle, end) = rest.split_at(last - most / 2);
    let is_end = |cells: &Cells| cells.outcome.is_some() || !cells.mark.is_empty();
    let mut folded = keep(middle, is_end, style);
    if folded.len() > most {
        folded = keep(middle, |_| false, style);
    }
    Grid { rows: [begin, &folded, end].concat(), ..grid }
}

/// Rows of which only some stay.
fn keep(rows: &[Row], matters: impl Fn(&Cells) -> bool, style: Style) -> Vec<Row> {
    let mut kept = Vec::new();
    let mut folded: Vec<&Cells> = Vec::new();
    for row in rows {
        match row {
            Row::Step(cells) if !matters(cells) => folded.push(cells),
            other => {
                kept.extend(fold(&folded, style));
                folded.clear();
                kept.push(other.clone());
            }
        }
    }
    kept.extend(fold(&folded, style));
    kept
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
