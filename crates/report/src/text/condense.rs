//! Long runs: steps that have to do with the failure stay, the others are folded.

use std::collections::{BTreeMap, BTreeSet};

use super::rows::{Cells, Grid, Row};
use super::{Style, words};

/// Runs of more rows than this are folded.
const LONG: usize = 24;
/// Of runs that still have more, only the ends of orders are shown.
const TOO_LONG: usize = 40;

/// The run with everything folded that touches none of the variables shown, is not needed to
/// understand the failure, and is no neighbour of such a step in its thread; if that leaves too much,
/// only those needed and their neighbours stay. Short runs, and all runs of a verbose report, are
/// left as they are.
pub fn condense(grid: Grid, style: Style) -> Grid {
    if style.verbose || grid.rows.len() <= LONG || !grid.steps().any(Cells::is_needed) {
        return grid;
    }
    let names = grid.names.clone();
    let is_named = |cells: &Cells| cells.variable.as_ref().is_some_and(|it| names.contains(it));
    let near = neighbours(&grid.rows);
    let is_near = |cells: &Cells| cells.number.is_some_and(|it| near.contains(&it));
    let matters = |cells: &Cells| cells.is_needed() || is_near(cells);
    let rows = keep(&grid.rows, |cells| matters(cells) || is_named(cells), style);
    let rows = if rows.len() > TOO_LONG { keep(&grid.rows, matters, style) } else { rows };
    Grid { rows, ..grid }
}

/// The numbers of the steps right before and after those that are needed, in their threads.
fn neighbours(rows: &[Row]) -> BTreeSet<u32> {
    let steps = || rows.iter().filter_map(Row::cells);
    let mut near = BTreeSet::new();
    let mut last: BTreeMap<u32, &Cells> = BTreeMap::new();
    for cells in steps() {
        if let Some(before) = last.insert(cells.thread, cells) {
            if cells.is_needed() {
                near.extend(before.number);
            }
            if before.is_needed() {
                near.extend(cells.number);
            }
        }
    }
    near
}

/// The run without what both runs begin with, but for the last two steps of it.
pub fn without_beginning(grid: Grid, last: u32, style: Style) -> Grid {
    if style.verbose {
        return grid;
    }
    let is_later = |cells: &Cells| cells.number.is_none_or(|it| it.saturating_add(1) >= last);
    let rows = keep(&grid.rows, |cells| is_later(cells) || cells.is_needed(), style);
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
    let mut folded = keep(middle, Cells::is_needed, style);
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
