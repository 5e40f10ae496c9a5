//! The report for the terminal.
//!
//! Violations come first, each as a source excerpt in rustc's form and the run that leads to it,
//! one column per thread; where it was asked why, a run that passes stands beside it, and the
//! orders that make the difference below; where a repair was asked for, the violation is told in
//! short and the patch is shown; then what limits the answer; last one `SUMMARY:` line.

mod answer;
mod compared;
mod condense;
mod covers;
mod excerpt;
pub(crate) mod faults;
mod footer;
mod labels;
mod layout;
mod list;
mod marks;
mod names;
mod order_labels;
mod orders;
mod phrase;
mod repaired;
mod rows;
mod run;
mod runs;
mod why;
mod words;

#[cfg(test)]
mod tests;

use annotate_snippets::Renderer;
use annotate_snippets::renderer::{self, DecorStyle};

use unravel_span::Files;

use crate::model::{Finding, Report, Verdict, is_same_mistake};
use crate::shared;

pub use repaired::RepairView;

/// How to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Use the 16 ANSI colours.
    pub color: bool,
    /// Draw with characters outside ASCII.
    pub unicode: bool,
    /// Columns of the terminal.
    pub width: usize,
    /// Leave nothing out of the run.
    pub verbose: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { color: false, unicode: false, width: 100, verbose: false }
    }
}

impl Style {
    fn renderer(self) -> Renderer {
        let renderer = if self.color { Renderer::styled() } else { Renderer::plain() };
        let decor = if self.unicode { DecorStyle::Unicode } else { DecorStyle::Ascii };
        renderer.decor_style(decor).term_width(self.width.max(40))
    }

    /// The sign for something left out.
    fn ellipsis(self) -> &'static str {
        if self.unicode { "…" } else { "..." }
    }

    /// `text` in the given look, or as it is where there are no colours.
    fn paint(self, look: renderer::Style, text: &str) -> String {
        if !self.color || text.is_empty() {
            return text.to_owned();
        }
        format!("{look}{text}{look:#}")
    }
}

/// Renders a report for the terminal.
#[must_use]
pub fn render(report: &Report, style: Style) -> String {
    render_view(report, style, &RepairView::default())
}

/// Renders a report with the repairs that are asked for.
#[must_use]
pub fn render_view(report: &Report, style: Style, view: &RepairView) -> String {
    let mut blocks = violations(report, style, view);
    match report.verdict {
        Verdict::Safe => blocks.push(answer::safe(report, style)),
        Verdict::Inconclusive => blocks.push(answer::inconclusive(report, style)),
        Verdict::Unsafe => {}
    }
    blocks.push(footer::not_modelled(report));
    blocks.push(footer::cut(report));
    blocks.push(footer::notes(report));
    blocks.push(footer::partial(report, style));
    if style.verbose {
        blocks.push(footer::numbers(report));
    }
    blocks.push(footer::next(report, view.next.as_deref(), style));
    blocks.push(footer::summary(report, style));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// The findings with what explains them, or what repairs them.
fn violations(report: &Report, style: Style, view: &RepairView) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let Some(repairs) = &report.repairs else {
        for (at, finding) in report.findings.iter().enumerate() {
            let earlier = &report.findings[..at];
            if !style.verbose && earlier.iter().any(|it| is_same_bug(it, finding)) {
                continue;
            }
            blocks.push(excerpt::violation(finding, &report.files, style));
            blocks.extend(explanation(finding, &report.files, style));
            let rest = report.findings[at + 1..].iter().filter(|it| is_same_bug(finding, it));
            blocks.push(footer::same_bug(rest, &report.files, style));
        }
        return blocks;
    };
    for finding in &report.findings {
        blocks.push(repaired::violation(finding, &report.files, style));
    }
    blocks.extend(repairs.covers.iter().flat_map(|covers| covers::render(covers, style)));
    blocks.extend(repaired::blocks(report, repairs, view, style));
    blocks
}

/// Whether the same line is at fault: then one change mends both.
fn is_same_bug(one: &Finding, other: &Finding) -> bool {
    one.diagnosis.is_some()
        && other.diagnosis.is_some()
        && is_same_mistake(one.mistake.as_ref(), other.mistake.as_ref())
}

/// The run of a finding and, where that was asked, why it fails.
fn explanation(finding: &Finding, files: &Files, style: Style) -> Vec<String> {
    if let Some(comparison) = &finding.comparison {
        return compared::blocks(finding, comparison, files, style);
    }
    if let Some(localization) = &finding.localization {
        return faults::blocks(finding, localization, files, style);
    }
    let mut blocks = match shared::core(finding) {
        Some(core) => vec![runs::render(finding, core, files, style)],
        None => vec![run::render(finding, files, style)],
    };
    if let Some(diagnosis) = &finding.diagnosis {
        blocks.extend(why::blocks(finding, diagnosis, files, style));
    }
    blocks
}
