//! The table of a run: one column per thread, then values.

use annotate_snippets::renderer::{AnsiColor, Effects};

use super::run::{Cells, Column, Row};
use super::{Style, words};

/// Space before the first column.
const INDENT: usize = 2;
/// Space between columns.
const GAP: usize = 2;
/// Width of the step number.
const STEP: usize = 4;
/// A thread's column is not cut below this, since less says nothing.
const MIN_THREAD: usize = 12;
/// A value is cut above this.
const MAX_VALUE: usize = 14;
/// What stands behind the violating step.
pub const FAILS: &str = "FAILS";

/// Widths of all columns.
struct Widths {
    threads: Vec<usize>,
    values: Vec<usize>,
    style: Style,
}

/// The table, or nothing where it does not fit in the width.
pub fn table(columns: &[Column], names: &[&str], rows: &[Row], style: Style) -> Option<String> {
    // Better fewer values than no columns; but a table that has values keeps one of them.
    let least = names.len().min(1);
    let mut counts = (least..=names.len()).rev();
    let widths = counts.find_map(|count| fit(columns, names.get(..count)?, rows, style))?;
    let mut out = widths.header(columns, names);
    for row in rows {
        out.push_str(&widths.row(columns, row));
    }
    Some(out)
}

/// Natural widths, the widest thread columns cut until all fit.
fn fit(columns: &[Column], names: &[&str], rows: &[Row], style: Style) -> Option<Widths> {
    let values = (0..names.len()).map(|at| value_width(names, rows, at)).collect();
    let most = style.width.max(MIN_THREAD);
    let threads = columns.iter().map(|column| thread_width(column, rows).min(most)).collect();
    let mut widths = Widths { threads, values, style };
    while widths.total() > style.width {
        let widest = widths.threads.iter_mut().rev().max_by_key(|width| **width)?;
        if *widest <= MIN_THREAD {
            return None;
        }
        *widest -= 1;
    }
    Some(widths)
}

fn steps(rows: &[Row]) -> impl Iterator<Item = &Cells> {
    rows.iter().filter_map(|row| match row {
        Row::Step(cells) => Some(cells),
        Row::Folded(_) => None,
    })
}

fn thread_width(column: &Column, rows: &[Row]) -> usize {
    let mine = steps(rows).filter(|cells| cells.thread == column.thread);
    let widest = mine.map(|cells| cells.text.chars().count()).max().unwrap_or(0);
    widest.max(column.title.chars().count())
}

fn value_width(names: &[&str], rows: &[Row], at: usize) -> usize {
    let values = steps(rows).filter_map(|cells| cells.values.get(at));
    let widest = values.map(|value| value.chars().count()).max().unwrap_or(0);
    let name = names.get(at).map_or(0, |name| name.chars().count());
    widest.max(name).min(MAX_VALUE)
}

impl Widths {
    fn total(&self) -> usize {
        let columns: usize = self.threads.iter().chain(&self.values).map(|width| width + GAP).sum();
        INDENT + STEP + columns + GAP + FAILS.len()
    }

    fn header(&self, columns: &[Column], names: &[&str]) -> String {
        let titles: Vec<&str> = columns.iter().map(|column| column.title.as_str()).collect();
        let titles = self.line("step", &titles, names, "");
        let dash = if self.style.unicode { "─" } else { "-" };
        let rule = |widths: &[usize]| -> Vec<String> {
            widths.iter().map(|&width| dash.repeat(width)).collect()
        };
        let (threads, values) = (rule(&self.threads), rule(&self.values));
        let rule = self.line(&dash.repeat(STEP), &refs(&threads), &refs(&values), "");
        let titles = self.style.paint(Effects::BOLD.into(), titles.trim_end());
        format!("{titles}\n{rule}")
    }

    fn row(&self, columns: &[Column], row: &Row) -> String {
        match row {
            Row::Folded(text) => {
                let lead = " ".repeat(INDENT + STEP + GAP);
                let room = self.style.width.saturating_sub(lead.len()).max(MIN_THREAD);
                format!("{lead}{}\n", words::cut(text, room, self.style))
            }
            Row::Step(cells) => self.step(columns, cells),
        }
    }

    fn step(&self, columns: &[Column], cells: &Cells) -> String {
        let number = cells.number.map_or_else(String::new, |number| number.to_string());
        let threads: Vec<&str> = columns
            .iter()
            .map(|column| if column.thread == cells.thread { cells.text.as_str() } else { "" })
            .collect();
        let mark = if cells.fails { FAILS } else { "" };
        let red = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
        let mark = self.style.paint(red, mark);
        self.line(&number, &threads, &refs(&cells.values), &mark)
    }

    fn line(&self, number: &str, threads: &[&str], values: &[&str], mark: &str) -> String {
        let mut line = format!("{}{number:>STEP$}", " ".repeat(INDENT));
        for (text, &width) in threads.iter().zip(&self.threads) {
            let text = words::cut(text, width, self.style);
            line.push_str(&format!("{}{text:<width$}", " ".repeat(GAP)));
        }
        for (text, &width) in values.iter().zip(&self.values) {
            let text = words::cut(text, width, self.style);
            line.push_str(&format!("{}{text:>width$}", " ".repeat(GAP)));
        }
        line.push_str(&format!("{}{mark}", " ".repeat(GAP)));
        format!("{}\n", line.trim_end())
    }
}

fn refs(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}
