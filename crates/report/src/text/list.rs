//! The run as a list, for more threads than columns fit.

use annotate_snippets::renderer::Effects;

use super::layout;
use super::rows::{Cells, Grid, Row};
use super::{Style, words};

/// Space before words on steps that are left out.
const FOLDED: &str = "        ";
/// Room for the word at the violating step, with the space before it.
const OUTCOME: usize = 7;

/// Widths of the columns before the text; no place where it would take the room of the text.
#[derive(Clone, Copy)]
struct Widths {
    thread: usize,
    place: Option<usize>,
}

impl Widths {
    fn lead(self) -> usize {
        FOLDED.len() + self.thread + 2 + self.place.map_or(0, |place| place + 2)
    }
}

/// One line per step: number, thread, place, what.
pub fn list(grid: &Grid, style: Style) -> String {
    let widths = widths(grid, style);
    let mut out = header(widths, style);
    for row in &grid.rows {
        out.push_str(&match row {
            Row::Folded(text) => {
                let room = style.width.saturating_sub(FOLDED.len()).max(8);
                format!("{FOLDED}{}\n", words::cut(text, room, style))
            }
            Row::Step(cells) => line(grid, cells, widths, style),
        });
    }
    out
}

/// Whether all steps of a list can be read.
pub fn fits(grid: &Grid, style: Style) -> bool {
    widths(grid, style).lead() + need(grid) <= style.width
}

/// Room that the text needs.
fn need(grid: &Grid) -> usize {
    let need = |cells: &Cells| cells.least() + cells.outcome.map_or(0, |_| OUTCOME);
    grid.steps().map(need).max().unwrap_or(0)
}

/// The first choice that leaves enough room for the text.
fn widths(grid: &Grid, style: Style) -> Widths {
    // Neither names nor paths may push the text out of sight.
    let most = (style.width / 5).max(8);
    let thread = grid.columns.iter().map(|column| column.title.chars().count()).max().unwrap_or(0);
    let place = grid.steps().map(|cells| cells.place.chars().count()).max().unwrap_or(0);
    let thread = thread.clamp(6, most);
    let place = Some(place.clamp(5, most));
    let need = need(grid);
    let choices = [
        Widths { thread, place },
        Widths { thread, place: None },
        Widths { thread: 6, place: None },
    ];
    let fits = |it: &&Widths| it.lead() + need <= style.width;
    *choices.iter().find(fits).unwrap_or(&choices[2])
}

fn header(widths: Widths, style: Style) -> String {
    let Widths { thread, place } = widths;
    let place_title = place.map_or(String::new(), |place| format!("{:<place$}  ", "place"));
    let titles = format!("  step  {:<thread$}  {place_title}what", "thread");
    let dash = if style.unicode { "─" } else { "-" };
    let columns = [Some(4), Some(thread), place, Some(4)];
    let rule: Vec<String> = columns.into_iter().flatten().map(|it| dash.repeat(it)).collect();
    format!("{}\n  {}\n", style.paint(Effects::BOLD.into(), &titles), rule.join("  "))
}

fn line(grid: &Grid, cells: &Cells, widths: Widths, style: Style) -> String {
    let number = cells.number.map_or_else(String::new, |number| number.to_string());
    let title = grid.columns.iter().find(|column| column.thread == cells.thread);
    let title = title.map_or("", |column| column.title.as_str());
    let thread = words::pad(&words::cut(title, widths.thread, style), widths.thread);
    let place = widths.place.map_or(String::new(), |width| {
        words::pad(&words::cut_front(&cells.place, width, style), width) + "  "
    });
    let lead = format!("  {number:>4}  {thread}  {place}");
    let outcome = cells.outcome.map_or(0, |_| OUTCOME);
    let room = style.width.saturating_sub(widths.lead() + outcome).max(8);
    let text = layout::marked(cells, cells.width().min(room), style);
    let line = format!("{lead}{text}  {}", layout::painted(cells.outcome, style));
    format!("{}\n", line.trim_end())
}
