//! The run as a list, for more threads than columns fit.

use annotate_snippets::renderer::{AnsiColor, Effects};

use super::layout::FAILS;
use super::run::{Cells, Column, Row};
use super::{Style, words};

/// Space before words on steps that are left out.
const FOLDED: &str = "        ";

/// Widths of the columns before the text.
struct Widths {
    thread: usize,
    place: usize,
}

/// One line per step: number, thread, place, what.
pub fn list(columns: &[Column], rows: &[Row], style: Style) -> String {
    let cells = || {
        rows.iter().filter_map(|row| match row {
            Row::Step(cells) => Some(cells),
            Row::Folded(_) => None,
        })
    };
    // Neither names nor paths may push the text out of sight.
    let most = (style.width / 5).max(8);
    let thread = columns.iter().map(|column| column.title.chars().count()).max().unwrap_or(0);
    let place = cells().map(|cells| cells.place.chars().count()).max().unwrap_or(0);
    let widths = Widths { thread: thread.clamp(6, most), place: place.clamp(5, most) };
    let mut out = header(&widths, style);
    for row in rows {
        out.push_str(&match row {
            Row::Folded(text) => {
                let room = style.width.saturating_sub(FOLDED.len()).max(8);
                format!("{FOLDED}{}\n", words::cut(text, room, style))
            }
            Row::Step(cells) => line(columns, cells, &widths, style),
        });
    }
    out
}

fn header(widths: &Widths, style: Style) -> String {
    let Widths { thread, place } = *widths;
    let titles = format!("  step  {:<thread$}  {:<place$}  what", "thread", "place");
    let dash = if style.unicode { "─" } else { "-" };
    let rule = [4, thread, place, 4].map(|width| dash.repeat(width)).join("  ");
    format!("{}\n  {rule}\n", style.paint(Effects::BOLD.into(), &titles))
}

fn line(columns: &[Column], cells: &Cells, widths: &Widths, style: Style) -> String {
    let number = cells.number.map_or_else(String::new, |number| number.to_string());
    let title = columns.iter().find(|column| column.thread == cells.thread);
    let title = title.map_or("", |column| column.title.as_str());
    let thread = words::pad(&words::cut(title, widths.thread, style), widths.thread);
    let place = words::pad(&words::cut_front(&cells.place, widths.place, style), widths.place);
    let lead = format!("  {number:>4}  {thread}  {place}  ");
    let mark = if cells.fails { FAILS } else { "" };
    let used = lead.chars().count() + mark.len() + 2;
    let text = words::cut(&cells.text, style.width.saturating_sub(used).max(8), style);
    let red = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
    let line = format!("{lead}{text}  {}", style.paint(red, mark));
    format!("{}\n", line.trim_end())
}
