//! The choices of one order from each kill set, as Figure 6 of ConcBugAssist has them.

use annotate_snippets::renderer::Effects;
use unravel_kinds::repair::CodeOrder;

use crate::model::{CoverRow, Covers};
use crate::words::repair as repair_words;

use super::{Style, words};

/// The table's columns.
const TITLES: [&str; 4] = ["No.", "cover set", "valid", "simplified result"];

/// The kill sets, then the table.
pub fn render(covers: &Covers, style: Style) -> Vec<String> {
    let names = Names::of(covers, style);
    vec![names.legend(style), kill_sets(covers, &names, style), table(covers, &names, style)]
}

/// How orders are called: in words where a table of words fits, else by number.
struct Names<'a> {
    /// All orders, each once; empty if they are called by their words.
    numbered: Vec<&'a CodeOrder>,
}

impl<'a> Names<'a> {
    fn of(covers: &'a Covers, style: Style) -> Names<'a> {
        let words = Names { numbered: Vec::new() };
        let wide = cells(covers, &words).iter().any(|row| {
            let used: usize = row.iter().map(|cell| cell.chars().count() + 2).sum();
            used > style.width.max(40)
        });
        if !wide {
            return words;
        }
        let mut numbered: Vec<&CodeOrder> = Vec::new();
        let chosen = covers
            .rows
            .iter()
            .flat_map(|row| row.chosen.iter().chain(row.simplified.iter().flatten()));
        for order in covers.kill_sets.iter().flatten().chain(chosen) {
            if !numbered.contains(&order) {
                numbered.push(order);
            }
        }
        Names { numbered }
    }

    fn name(&self, order: &CodeOrder) -> String {
        match self.numbered.iter().position(|it| *it == order) {
            Some(at) => format!("o{}", at + 1),
            None => words::clean(&repair_words::order(order)),
        }
    }

    fn set(&self, orders: &[CodeOrder]) -> String {
        let names: Vec<String> = orders.iter().map(|order| self.name(order)).collect();
        format!("{{{}}}", names.join(", "))
    }

    fn legend(&self, style: Style) -> String {
        if self.numbered.is_empty() {
            return String::new();
        }
        let mut out = format!("{}:\n", style.paint(Effects::BOLD.into(), "orders"));
        for order in &self.numbered {
            let lead = format!("  {:<5}", self.name(order));
            out.push_str(&words::wrap(&lead, &repair_words::order(order), style.width.max(40)));
        }
        out
    }
}

fn kill_sets(covers: &Covers, names: &Names<'_>, style: Style) -> String {
    let mut out = format!("{}:\n", style.paint(Effects::BOLD.into(), "kill sets"));
    for (index, set) in covers.kill_sets.iter().enumerate() {
        let lead = format!("  {:<5}", format!("KS{}", index + 1));
        out.push_str(&words::wrap(&lead, &names.set(set), style.width.max(40)));
    }
    out
}

/// The cells of the table, a row for each choice.
fn cells(covers: &Covers, names: &Names<'_>) -> Vec<[String; 4]> {
    let row = |(index, row): (usize, &CoverRow)| {
        let (valid, left) = match &row.simplified {
            Some(left) => ("YES", names.set(left)),
            None => ("cycle", "-".to_owned()),
        };
        [format!("{:>3}", index + 1), names.set(&row.chosen), valid.to_owned(), left]
    };
    covers.rows.iter().enumerate().map(row).collect()
}

fn table(covers: &Covers, names: &Names<'_>, style: Style) -> String {
    let rows = cells(covers, names);
    let mut widths = TITLES.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String; 4]| {
        let cells = cells.iter().zip(widths).map(|(cell, width)| words::pad(cell, width));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let titles = line(&TITLES.map(str::to_owned));
    let mut out = format!("{}\n", style.paint(Effects::BOLD.into(), &titles));
    for row in &rows {
        out.push_str(&format!("{}\n", line(row)));
    }
    if covers.cut {
        out.push_str(&format!("  {} and more choices\n", style.ellipsis()));
    }
    out
}
