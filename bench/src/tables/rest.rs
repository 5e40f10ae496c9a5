//! The programs of the corpus that stand for no published row, by directory.

use std::collections::BTreeMap;

use super::concbugassist;
use super::diagnosis::Row;
use super::figures::{mean, names, number, percent};
use super::those;
use crate::table::{Table, cells};

/// The section.
pub fn section(rows: &[Row]) -> String {
    let mut directories: Vec<&str> =
        rows.iter().map(|row| row.program.directory.as_str()).collect();
    directories.dedup();
    directories.retain(|directory| *directory != concbugassist::DIRECTORY);
    let parts: Vec<String> = directories.iter().map(|it| part(rows, it)).collect();
    format!("### The rest of the corpus\n\n{}", parts.join("\n"))
}

fn part(rows: &[Row], directory: &str) -> String {
    let here = |row: &Row| row.program.directory == directory;
    let diagnosed = those(rows, |row| here(row) && row.answer.pattern.is_some());
    let others = those(rows, |row| here(row) && row.answer.pattern.is_none());
    let mut text = format!("#### {directory}\n\n{}", table(&diagnosed));
    let partly: Vec<String> = diagnosed
        .iter()
        .filter(|row| !row.answer.is_complete)
        .map(|row| row.program.task.name.clone())
        .collect();
    if !partly.is_empty() {
        text.push_str(&format!("\nNot complete: {}.\n", names(partly)));
    }
    if !others.is_empty() {
        text.push_str(&format!("\nNot diagnosed ({}):\n\n{}", others.len(), reasons(&others)));
    }
    text
}

fn table(rows: &[&Row]) -> Table {
    let header =
        ["program", "s", "it", "sch", "core", "uniq", "directed", "ratio", "causes", "kind"];
    let mut table = Table::new(cells(&header)).text(&[0, 9]);
    for row in rows {
        let answer = &row.answer;
        let with_core = |count: f64| number((answer.cores > 0).then_some(count), 0);
        table.row(vec![
            row.program.task.name.clone(),
            number(Some(row.seconds), 2),
            answer.iterations.to_string(),
            number(answer.per_run(), 1),
            number(answer.per_core(), 1),
            with_core(answer.pairs as f64),
            with_core(answer.directed as f64),
            percent(answer.ratio(), 1),
            answer.causes.to_string(),
            answer.pattern.clone().unwrap_or_default(),
        ]);
    }
    table.row(averages(rows));
    table
}

/// Averages over the programs that have a core.
fn averages(rows: &[&Row]) -> Vec<String> {
    let rows: Vec<&&Row> = rows.iter().filter(|row| row.answer.cores > 0).collect();
    let of = |value: fn(&Row) -> Option<f64>| mean(rows.iter().filter_map(|row| value(row)));
    vec![
        format!("average of {} with a core", rows.len()),
        number(of(|row| Some(row.seconds)), 2),
        number(of(|row| Some(row.answer.iterations as f64)), 2),
        number(of(|row| row.answer.per_run()), 2),
        number(of(|row| row.answer.per_core()), 2),
        number(of(|row| Some(row.answer.pairs as f64)), 2),
        number(of(|row| Some(row.answer.directed as f64)), 2),
        percent(of(|row| row.answer.ratio()), 1),
        number(of(|row| Some(row.answer.causes as f64)), 2),
        String::new(),
    ]
}

/// Programs by the reason that the tool gives, the most frequent first.
fn reasons(rows: &[&Row]) -> String {
    let mut by_reason: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in rows {
        // What is done instead is the same for all.
        let reason = row.answer.reason.split("; the states were explored").next();
        by_reason
            .entry(reason.unwrap_or_default())
            .or_default()
            .push(row.program.task.name.clone());
    }
    let mut reasons: Vec<_> = by_reason.into_iter().collect();
    reasons.sort_by_key(|(_, programs)| std::cmp::Reverse(programs.len()));
    let line = |(reason, programs)| format!("- {reason}: {}\n", names(programs));
    reasons.into_iter().map(line).collect()
}
