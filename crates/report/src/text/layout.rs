//! Tables of runs: one column per thread, then values.

use annotate_snippets::renderer::{AnsiColor, Effects};

use super::rows::{Cells, Column, Grid, MAX_VALUE, Outcome, Row};
use super::{Style, list, names, words};

/// Space before the first column.
const INDENT: usize = 2;
/// Space between columns.
const GAP: usize = 2;
/// Width of the step number.
const STEP: usize = 4;
/// A line with its file is cut above this.
const MAX_LINE: usize = 16;
/// A thread's title is not cut below this, since less says nothing.
const MIN_TITLE: usize = 12;
/// Room for the word at the violating step.
const OUTCOME: usize = 5;
/// A statement that spans the columns is cut above this.
const MAX_STATEMENT: usize = 40;

/// A table with the widths of its columns.
struct Table<'a> {
    grid: &'a Grid,
    /// Width of each thread's column, and the least that can be read.
    threads: Vec<(usize, usize)>,
    values: Vec<usize>,
    /// Width of the column for the line of a step; 0 if there is none.
    line: usize,
    /// The steps stand in more than one file.
    several: bool,
    /// The statement that decides is written across the threads, with the word behind it.
    spans: bool,
    style: Style,
}

/// Runs below each other, each with its head.
///
/// The beginning that names share is left out where not everything fits with it; then fewer values
/// are shown, and a run whose columns would have to be cut too much becomes a list.
pub fn stacked(runs: &[(String, Grid)], prefix: Option<&str>, style: Style) -> String {
    let prefix = prefix.filter(|prefix| {
        runs.iter().any(|(_, grid)| is_better(grid, &names::without(grid, prefix), style))
    });
    let mut out = Vec::new();
    for (head, grid) in runs {
        let short = prefix.map(|prefix| names::without(grid, prefix));
        let grid = short.as_ref().unwrap_or(grid);
        let table = best(grid, style);
        let body = table.map_or_else(|| list::list(grid, style), |table| table.lines().concat());
        out.push(format!("{head}\n{body}"));
    }
    format!("{}{}", out.join("\n"), prefix_note(prefix))
}

/// Whether shorter names show more of a run.
fn is_better(grid: &Grid, short: &Grid, style: Style) -> bool {
    let values = |grid: &Grid| best(grid, style).map(|table| table.values.len());
    let is_list = values(grid).is_none() && values(short).is_none();
    values(short) > values(grid) || (is_list && !list::fits(grid, style))
}

/// The table with the most values that fits. Better fewer of them than no columns: the cells have
/// values, too.
fn best(grid: &Grid, style: Style) -> Option<Table<'_>> {
    let with =
        |line: usize| (0..=grid.names.len()).rev().find_map(|count| fit(grid, count, line, style));
    with(line_width(grid)).or_else(|| with(0))
}

/// Room for the lines of a run's steps.
fn line_width(grid: &Grid) -> usize {
    let several = has_files(grid);
    let lines = grid.steps().map(|cells| line_of(cells, several).chars().count());
    lines.max().filter(|&width| width > 0).map_or(0, |width| width.clamp(4, MAX_LINE))
}

/// Whether the steps stand in more than one file.
fn has_files(grid: &Grid) -> bool {
    let file = |cells: &Cells| cells.place.rsplit_once(':').map(|(file, _)| file.to_owned());
    let mut files: Vec<String> = grid.steps().filter_map(file).collect();
    files.sort_unstable();
    files.dedup();
    files.len() > 1
}

/// The line of a step, with its file where there are several.
fn line_of(cells: &Cells, several: bool) -> &str {
    match cells.place.rsplit_once(':') {
        Some((_, line)) if !several => line,
        _ => &cells.place,
    }
}

/// Two runs side by side, or nothing where they do not fit.
pub fn beside(
    left: (&str, &Grid),
    right: (&str, &Grid),
    prefix: Option<&str>,
    style: Style,
) -> Option<String> {
    let whole = pair(left, right, left.1.names.len(), style);
    let shorter = || {
        let prefix = prefix?;
        let grids = [left.1, right.1].map(|grid| names::without(grid, prefix));
        let text = pair((left.0, &grids[0]), (right.0, &grids[1]), left.1.names.len(), style)?;
        Some(text + &prefix_note(Some(prefix)))
    };
    let fewer = || (1..left.1.names.len()).rev().find_map(|count| pair(left, right, count, style));
    whole.or_else(shorter).or_else(fewer)
}

fn prefix_note(prefix: Option<&str>) -> String {
    let note = |prefix| format!("names: {prefix}* shown without {prefix}\n");
    prefix.map(|prefix| note(words::clean(prefix))).unwrap_or_default()
}

fn pair(left: (&str, &Grid), right: (&str, &Grid), values: usize, style: Style) -> Option<String> {
    let bar = if style.unicode { "│" } else { "|" };
    let head = |text: &str| words::width(text) + INDENT;
    let line = |grid| line_width(grid);
    let mut tables =
        [left, right].map(|(_, grid)| Table::new(grid, (values, line(grid)), true, style));
    let widths = |tables: &[Table<'_>; 2]| {
        [tables[0].total().max(head(left.0)), tables[1].total().max(head(right.0))]
    };
    while widths(&tables).iter().sum::<usize>() + GAP > style.width {
        let [first, second] = &mut tables;
        let widest = if second.slack() > first.slack() { second } else { first };
        widest.shrink()?;
    }
    let width = widths(&tables)[0];
    let indent = " ".repeat(INDENT);
    let lines = |head: &str, table: &Table<'_>| -> Vec<String> {
        [format!("{indent}{head}\n")].into_iter().chain(table.lines()).collect()
    };
    let (first, second) = (lines(left.0, &tables[0]), lines(right.0, &tables[1]));
    Some(side_by_side(&first, &second, width, bar))
}

fn side_by_side(left: &[String], right: &[String], width: usize, bar: &str) -> String {
    fn at(lines: &[String], index: usize) -> &str {
        lines.get(index).map_or("", |line| line.trim_end())
    }
    let mut out = String::new();
    for index in 0..left.len().max(right.len()) {
        let (a, b) = (at(left, index), at(right, index));
        let space = " ".repeat(width.saturating_sub(words::width(a)));
        out.push_str(format!("{a}{space} {bar}{}", b.strip_prefix(' ').unwrap_or(b)).trim_end());
        out.push('\n');
    }
    out
}

/// A table in the width of the terminal, columns cut as far as they can still be read.
fn fit(grid: &Grid, values: usize, line: usize, style: Style) -> Option<Table<'_>> {
    let mut table = Table::new(grid, (values, line), false, style);
    while table.total() > style.width {
        table.shrink()?;
    }
    Some(table)
}

fn value_width(grid: &Grid, at: usize) -> usize {
    let values = grid.steps().filter_map(|cells| cells.values.get(at));
    let widest = values.map(|value| value.chars().count()).max().unwrap_or(0);
    let name = grid.names.get(at).map_or(0, |name| name.chars().count());
    widest.min(MAX_VALUE).max(name)
}

impl<'a> Table<'a> {
    /// A table as wide as it would like to be.
    fn new(grid: &'a Grid, (values, line): (usize, usize), spans: bool, style: Style) -> Table<'a> {
        let values = (0..values).map(|at| value_width(grid, at)).collect();
        let mut table = Table {
            grid,
            threads: Vec::new(),
            values,
            line,
            several: has_files(grid),
            spans,
            style,
        };
        table.threads = grid.columns.iter().map(|column| table.thread_width(column)).collect();
        let spanned = grid.steps().filter(|cells| table.is_spanned(cells));
        let spanned = spanned.map(spanned_width).max().unwrap_or(0);
        let missing = spanned.saturating_sub(table.span());
        if let Some((width, _)) = table.threads.last_mut() {
            *width += missing;
        }
        table
    }

    fn is_spanned(&self, cells: &Cells) -> bool {
        self.spans && cells.outcome.is_some()
    }

    fn thread_width(&self, column: &Column) -> (usize, usize) {
        let title = column.title.chars().count();
        let mut widths = (title, title.min(MIN_TITLE));
        let mine = self.grid.steps().filter(|cells| cells.thread == column.thread);
        for cells in mine.filter(|cells| !self.is_spanned(cells)) {
            widths = (widths.0.max(cells.width()), widths.1.max(cells.least()));
        }
        (widths.0.min(self.style.width.max(widths.1)), widths.1)
    }

    /// Width of all threads together.
    fn span(&self) -> usize {
        let columns: usize = self.threads.iter().map(|(width, _)| width + GAP).sum();
        columns.saturating_sub(GAP)
    }

    fn total(&self) -> usize {
        let values: usize = self.values.iter().map(|width| width + GAP).sum();
        let threads = if self.threads.is_empty() { 0 } else { self.span() + GAP };
        let outcome = if self.spans { 0 } else { GAP + OUTCOME };
        self.lead() + threads + values + outcome
    }

    /// Room before the first thread.
    fn lead(&self) -> usize {
        let line = if self.line == 0 { 0 } else { self.line + GAP };
        INDENT + STEP + line
    }

    /// Width of the widest column that can be cut.
    fn slack(&self) -> usize {
        let mine = self.threads.iter().filter(|(width, least)| width > least);
        mine.map(|(width, _)| *width).max().unwrap_or(0)
    }

    /// Makes the widest column that can be cut one narrower.
    fn shrink(&mut self) -> Option<()> {
        let mine = self.threads.iter_mut().rev().filter(|(width, least)| width > least);
        let (width, _) = mine.max_by_key(|(width, _)| *width)?;
        *width -= 1;
        Some(())
    }

    /// Head and rows, each line with its break.
    fn lines(&self) -> Vec<String> {
        let mut lines = self.header();
        lines.extend(self.grid.rows.iter().map(|row| self.row(row)));
        lines
    }

    fn header(&self) -> Vec<String> {
        let titles: Vec<String> = self.grid.columns.iter().map(|it| it.title.clone()).collect();
        let titles = self.line(("step", "line"), &self.cells(&titles), &self.grid.names, "");
        let dash = if self.style.unicode { "─" } else { "-" };
        let threads: Vec<String> = self.threads.iter().map(|it| dash.repeat(it.0)).collect();
        let values: Vec<String> = self.values.iter().map(|&width| dash.repeat(width)).collect();
        let rules = (&*dash.repeat(STEP), &*dash.repeat(self.line));
        let rule = self.line(rules, &self.cells(&threads), &values, "");
        let titles = self.style.paint(Effects::BOLD.into(), titles.trim());
        vec![format!("{}{titles}\n", " ".repeat(INDENT)), rule]
    }

    fn row(&self, row: &Row) -> String {
        match row {
            Row::Folded(text) => {
                let lead = " ".repeat(self.lead() + GAP);
                let most = if self.spans { self.total() } else { self.style.width };
                let room = most.saturating_sub(lead.len()).max(MIN_TITLE);
                format!("{lead}{}\n", words::cut(text, room, self.style))
            }
            Row::Step(cells) => self.step(cells),
        }
    }

    fn step(&self, cells: &Cells) -> String {
        let number = cells.number.map_or_else(String::new, |number| number.to_string());
        let word = painted(cells.outcome, self.style);
        let line = words::cut_front(line_of(cells, self.several), self.line, self.style);
        let number = (&*number, &*line);
        if self.is_spanned(cells) {
            return self.line(number, &self.spanned(cells, &word), &cells.values, "");
        }
        let text = |(column, width): (&Column, &(usize, usize))| {
            let is_mine = column.thread == cells.thread;
            if is_mine { marked(cells, width.0, self.style) } else { String::new() }
        };
        let texts: Vec<String> = self.grid.columns.iter().zip(&self.threads).map(text).collect();
        self.line(number, &self.cells(&texts), &cells.values, &word)
    }

    /// `main: assert(x == y)  FAILS`, across all threads.
    fn spanned(&self, cells: &Cells, word: &str) -> String {
        let lead = format!("{}: ", words::thread(cells.thread));
        let room = self.span().saturating_sub(lead.len() + GAP + OUTCOME);
        let most = cells.width().min(room);
        format!("{lead}{}  {word}", marked(cells, most, self.style))
    }

    /// Cells of all threads, one beside the other.
    fn cells(&self, texts: &[String]) -> String {
        let cell = |(text, &(width, _)): (&String, &(usize, usize))| {
            words::pad(&words::cut(text, width, self.style), width)
        };
        let cells: Vec<String> = texts.iter().zip(&self.threads).map(cell).collect();
        cells.join(&" ".repeat(GAP))
    }

    fn line(
        &self,
        (number, line): (&str, &str),
        threads: &str,
        values: &[String],
        word: &str,
    ) -> String {
        let gap = " ".repeat(GAP);
        let place = match self.line {
            0 => String::new(),
            width => format!("{gap}{line:>width$}"),
        };
        let mut line = format!("{}{number:>STEP$}{place}{gap}{threads}", " ".repeat(INDENT));
        let missing = self.span().saturating_sub(words::width(threads));
        line.push_str(&" ".repeat(missing));
        for (text, &width) in values.iter().zip(&self.values) {
            let text = words::cut(text, width, self.style);
            line.push_str(&format!("{gap}{text:>width$}"));
        }
        line.push_str(&format!("{gap}{word}"));
        format!("{}\n", line.trim_end())
    }
}

/// What a spanned row would like to have.
fn spanned_width(cells: &Cells) -> usize {
    let lead = words::thread(cells.thread).len() + 2;
    lead + cells.width().min(MAX_STATEMENT) + GAP + OUTCOME
}

/// Text on the left, mark on the right.
pub fn marked(cells: &Cells, width: usize, style: Style) -> String {
    if cells.mark.is_empty() {
        return words::cut(&cells.text, width, style);
    }
    let room = width.saturating_sub(cells.mark_width());
    let text = words::cut(&cells.text, room, style);
    format!("{text:<room$}  {}", cells.mark)
}

/// The word for what becomes of the property, in its colour.
pub fn painted(outcome: Option<Outcome>, style: Style) -> String {
    let color = match outcome {
        None => return String::new(),
        Some(Outcome::Fails) => AnsiColor::BrightRed,
        Some(Outcome::Holds) => AnsiColor::BrightGreen,
    };
    let word = outcome.map_or("", Outcome::word);
    style.paint(color.on_default().effects(Effects::BOLD), word)
}
