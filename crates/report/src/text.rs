//! The report for the terminal.
//!
//! Violations come first, each as a source excerpt in rustc's form and the run that leads to it,
//! one column per thread; where it was asked why, a run that passes stands beside it, and the
//! orders that make the difference below; then what limits the answer; last one `SUMMARY:` line.

mod answer;
mod compared;
mod condense;
mod ends;
mod excerpt;
mod footer;
mod labels;
mod layout;
mod list;
mod marks;
mod names;
mod orders;
mod phrase;
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

use crate::model::{Finding, Report, Verdict};
use crate::shared;

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
    let mut blocks: Vec<String> = Vec::new();
    for finding in &report.findings {
        blocks.push(excerpt::violation(finding, &report.files, style));
        blocks.extend(explanation(finding, &report.files, style));
    }
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
    blocks.push(footer::summary(report, style));
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

/// The run of a finding and, where that was asked, why it fails.
fn explanation(finding: &Finding, files: &Files, style: Style) -> Vec<String> {
    if let Some(comparison) = &finding.comparison {
        return compared::blocks(finding, comparison, files, style);
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
