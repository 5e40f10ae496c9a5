//! A failing run and one that passes, side by side where both fit.

use annotate_snippets::renderer::Effects;
use unravel_span::Files;

use crate::model::{Core, Finding, Order, PassingRun};
use crate::shared;

use super::condense::condense;
use super::marks::{self, Marks};
use super::rows::{Ending, Grid, Shown};
use super::{Style, layout, names, run, words};

/// The failing run of a core, and the passing run of its last order that has one.
pub fn render(finding: &Finding, core: &Core, files: &Files, style: Style) -> String {
    let names = run::shown_variables(finding);
    let marks = Marks::failing(finding, core);
    let failing = condense(run::failing(finding, &names, marks).grid(files, style), style);
    let head = run::header(finding, "FAILING", style);
    let shown = shared::passing(core).filter(|(_, run)| !run.schedule.is_empty());
    let steps = finding.schedule.iter();
    let steps = steps.chain(shown.into_iter().flat_map(|(_, run)| &run.schedule));
    let prefix = names::prefix(steps);
    let objects = run::objects(finding, style);
    let Some((order, run)) = shown else {
        return layout::stacked(&[(head, failing)], prefix.as_deref(), style) + &objects;
    };
    let passing = condense(passing(finding, core, run, &names).grid(files, style), style);
    let passing_head = passing_header(order, run, style);
    let beside =
        layout::beside((&head, &failing), (&passing_head, &passing), prefix.as_deref(), style);
    let runs: [(String, Grid); 2] = [(head, failing), (passing_head, passing)];
    beside.unwrap_or_else(|| layout::stacked(&runs, prefix.as_deref(), style)) + &objects
}

fn passing<'a>(
    finding: &'a Finding,
    core: &Core,
    run: &'a PassingRun,
    names: &'a [&'a str],
) -> Shown<'a> {
    let marks = Marks::passing(finding, core, run);
    let (threads, schedule) = (&run.threads, &run.schedule);
    let keys = Vec::new();
    Shown { finding, threads, schedule, names, marks, keys, ending: Ending::Pass }
}

fn passing_header(order: &Order, run: &PassingRun, style: Style) -> String {
    let title = style.paint(Effects::BOLD.into(), "PASSING");
    let is_reversed = marks::has_both(run, order);
    let id = words::clean(&order.id);
    let how = if is_reversed {
        format!("order [{id}] reversed")
    } else {
        format!("without order [{id}]")
    };
    format!("{title} (same inputs, {how})")
}
