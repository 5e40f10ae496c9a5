//! Orders as lines: what comes before what, and what that leads to.

use unravel_span::Files;

use crate::model::{Core, End, Order};
use crate::words::step;
use crate::{place, shared};

use super::words;

/// Orders of a core that are listed where it is not the one explained.
const MAX_SHORT: usize = 6;

/// An order in parts.
struct Line {
    id: String,
    before: String,
    after: String,
    /// What it leads to.
    consequence: String,
}

/// The orders of a core in full, in columns where the width allows it. Of many that may not be needed,
/// the last ones, unless all are wanted.
pub fn full(core: &Core, files: &Files, width: usize, wants_all: bool) -> String {
    let orders = if wants_all { core.orders.iter().collect() } else { shared::told(core) };
    let hidden = if wants_all { 0 } else { core.orders.len() - shared::explained(core).len() };
    let lines: Vec<Line> = orders.into_iter().map(|order| line(order, files)).collect();
    let longest = |part: fn(&Line) -> &String| {
        lines.iter().map(|line| part(line).chars().count()).max().unwrap_or(0)
    };
    let (id, so) = (longest(|it| &it.id), longest(|it| &it.consequence));
    let (before, after) = (longest(|it| &it.before), longest(|it| &it.after));
    let lead = 2 + id + 2;
    let pair = lead + before + 10 + after;
    let so_fits = pair + if so == 0 { 0 } else { 2 + so } <= width;
    let mut out = String::new();
    if hidden > 0 {
        let earlier = words::count(hidden, "earlier order");
        out.push_str(&format!("  {earlier} (list them with -v)\n"));
    }
    for Line { id: letter, before: first, after: second, consequence } in &lines {
        let margin = format!("  {}  ", words::pad(letter, id));
        let indent = " ".repeat(lead);
        if pair > width {
            out.push_str(&words::wrap(&margin, first, width));
            out.push_str(&words::wrap(&format!("{indent}before  "), second, width));
        } else {
            let (first, second) = (words::pad(first, before), words::pad(second, after));
            let last = if so_fits { consequence.as_str() } else { "" };
            let text = format!("{margin}{first}  before  {second}  {last}");
            out.push_str(&format!("{}\n", text.trim_end()));
        }
        if (pair > width || !so_fits) && !consequence.is_empty() {
            out.push_str(&words::wrap(&indent, consequence, width));
        }
    }
    out
}

/// The orders of a core, a short line for each.
pub fn short(core: &Core, files: &Files, indent: &str, width: usize) -> String {
    let mut out = String::new();
    let told = shared::told(core);
    for order in told.iter().take(MAX_SHORT) {
        let lead = format!("{indent}  [{}] ", words::clean(&order.id));
        let at = |end: &End| {
            let mut facts = vec![words::thread(end.thread)];
            facts.extend(written_place(end, files));
            facts.extend(end.iteration.map(|iteration| format!("iteration {iteration}")));
            format!("{} ({})", step::end(end), facts.join(", "))
        };
        let text = format!("{} before {}", at(&order.before), at(&order.after));
        out.push_str(&words::wrap(&lead, &text, width));
    }
    if told.len() > MAX_SHORT {
        let more = words::count(told.len() - MAX_SHORT, "more order");
        out.push_str(&format!("{indent}  and {more}\n"));
    }
    out
}

fn line(order: &Order, files: &Files) -> Line {
    Line {
        id: words::clean(&format!("[{}]", order.id)),
        before: words::clean(&written(&order.before, files)),
        after: words::clean(&written(&order.after, files)),
        consequence: words::clean(&step::consequence(order)),
    }
}

/// `x = 0 (T1 writer0, race.c:7, iteration 2 of its loop)`.
fn written(end: &End, files: &Files) -> String {
    format!("{} ({})", step::end(end), place(end, files))
}

/// `T1 writer0, race.c:7, iteration 2 of its loop`.
pub fn place(end: &End, files: &Files) -> String {
    let thread = format!("T{} {}", end.thread, end.thread_name);
    let mut facts = vec![thread.trim_end().to_owned()];
    facts.extend(written_place(end, files));
    facts.extend(end.iteration.map(|iteration| format!("iteration {iteration} of its loop")));
    facts.join(", ")
}

fn written_place(end: &End, files: &Files) -> Option<String> {
    end.place.as_ref().map(|place| place::short_line(files, place.span))
}
