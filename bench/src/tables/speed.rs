//! The time of a complete diagnosis beside the time of finding one failing run.

use super::diagnosis::Row;
use super::figures::{names, number, percent};
use super::summary::headline;
use super::those;
use crate::compare::{geometric_mean, median};
use crate::table::{Table, cells, target};

/// A diagnosis is to be complete in this time, in seconds...
const SOON: f64 = 10.0;
/// ... on this share of the programs...
const SHARE: f64 = 0.9;
/// ... and to take this many times as long as the check.
const TIMES: f64 = 5.0;

/// The section.
pub fn section(rows: &[Row]) -> String {
    let complete = those(rows, is_complete);
    let left_out = rows.len() - complete.len();
    let ratios = || complete.iter().map(|row| ratio(row));
    let mean = geometric_mean(ratios());
    let headline = headline(&format!(
        "A complete diagnosis takes the engine {} × the time of a check, geometric mean; median {} ×.",
        number(mean, 2),
        number(median(ratios().collect()), 2),
    ));
    format!(
        "### Speed\n\n\
         The time of the engine, without clang, for a complete diagnosis, divided by that of \
         `unravel check` up to its first failing run; medians of three runs if they are short.\n\
         {} programs; {left_out} that are not diagnosed, or not completely, are left out.\n\n\
         {headline}\n\
         {}\nThe ten largest:\n\n{}\n{}",
        complete.len(),
        targets(rows, mean),
        largest(complete.clone()),
        late(rows),
    )
}

fn is_complete(row: &Row) -> bool {
    row.answer.pattern.is_some() && row.answer.is_complete
}

fn is_soon(row: &Row) -> bool {
    is_complete(row) && row.seconds <= SOON
}

fn ratio(row: &Row) -> f64 {
    // The clock counts microseconds.
    row.engine.max(1e-6) / row.check.max(1e-6)
}

fn targets(rows: &[Row], mean: Option<f64>) -> Table {
    let mut table = Table::new(cells(&["target", "measured", "reached"])).text(&[0, 1, 2]);
    table.row(target(
        &format!("engine time at most {TIMES} × that of the check, geometric mean"),
        mean.map(|mean| format!("{mean:.2} ×")),
        mean.is_some_and(|mean| mean <= TIMES),
    ));
    let soon = those(rows, is_soon).len();
    let diagnosed = those(rows, |row| row.answer.pattern.is_some()).len();
    for (of, count) in [("those that are diagnosed", diagnosed), ("all with a bug", rows.len())] {
        let share = (count > 0).then(|| soon as f64 / count as f64);
        table.row(target(
            &format!("complete within {SOON} s on at least {:.0} % of {of}", SHARE * 100.0),
            share.map(|share| format!("{soon} of {count}, {}", percent(Some(share), 1))),
            share.is_some_and(|share| share >= SHARE),
        ));
    }
    table
}

fn largest(mut rows: Vec<&Row>) -> Table {
    rows.sort_by(|a, b| ratio(b).total_cmp(&ratio(a)));
    let mut table = Table::new(cells(&["program", "check ms", "diagnose ms", "×"]));
    for row in rows.into_iter().take(10) {
        table.row(vec![
            row.path(),
            number(Some(row.check * 1e3), 1),
            number(Some(row.engine * 1e3), 1),
            number(Some(ratio(row)), 1),
        ]);
    }
    table
}

/// Which are diagnosed, but not in time.
fn late(rows: &[Row]) -> String {
    let late = those(rows, |row| row.answer.pattern.is_some() && !is_soon(row));
    match late.is_empty() {
        true => format!("All that are diagnosed are complete within {SOON} s.\n"),
        false => {
            let late = names(late.into_iter().map(Row::path));
            format!("Diagnosed, but not complete within {SOON} s: {late}.\n")
        }
    }
}
