//! SARIF 2.1.0.

use crate::model::Report;

/// Renders a report as SARIF.
#[must_use]
pub fn render(report: &Report, tool_version: &str) -> String {
    crate::json::render(report, tool_version)
}
