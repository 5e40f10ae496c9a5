//! Source excerpts in rustc's form.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Message, Origin, Snippet};
use unravel_span::{FileId, Files};

use crate::model::{Finding, RelatedKind, Remark};
use crate::place;
use crate::words::violation;

use super::labels::{self, Label};
use super::{Style, words};

/// A violation: message, excerpt, remarks.
pub fn violation(finding: &Finding, files: &Files, style: Style) -> String {
    let title = Level::ERROR.primary_title(title(finding, files, style)).id(finding.kind.code());
    let mut group = Group::with_title(title);
    for element in elements(files, labels::labels(finding)) {
        group = group.element(element);
    }
    for remark in labels::unlabelled(finding) {
        group = group.element(note(files, remark));
    }
    print(&[group], style)
}

/// What goes wrong, and where that was asked, at which line and why.
fn title(finding: &Finding, files: &Files, style: Style) -> String {
    let text = words::clean(&violation::of_finding(finding, files));
    // As wide as what the renderer writes before it, and aligns further lines with.
    let lead = " ".repeat(format!("error[{}]: ", finding.kind.code()).len());
    let lines = words::wrap(&lead, &text, style.width.max(60));
    let lines: Vec<&str> = lines.lines().map(str::trim).collect();
    lines.join("\n")
}

/// Renders groups, ending in a line break.
pub fn print(groups: &[Group<'_>], style: Style) -> String {
    let mut text = style.renderer().render(groups);
    text.push('\n');
    text
}

/// What shows the labels: excerpts where there is source text, a list of places elsewhere.
pub fn elements<'a>(files: &'a Files, labels: Vec<Label>) -> Vec<Element<'a>> {
    let origin = labels.first().filter(|label| place::range(files, label.span).is_none());
    let origin = origin.map(|label| Element::Origin(self::origin(files, label)));
    let has_source = |label: &Label| place::range(files, label.span).is_some();
    let (shown, mut listed): (Vec<Label>, Vec<Label>) = labels.into_iter().partition(has_source);
    listed.sort_by_key(|label| label.span);
    let mut ids: Vec<FileId> = Vec::new();
    for label in &shown {
        if !ids.contains(&label.span.file) {
            ids.push(label.span.file);
        }
    }
    let snippets = ids.into_iter().filter_map(|id| snippet(files, id, &shown));
    let list = (!listed.is_empty()).then(|| Element::Message(list(files, &listed)));
    origin.into_iter().chain(snippets.map(Element::Cause)).chain(list).collect()
}

fn origin(files: &Files, label: &Label) -> Origin<'static> {
    let span = label.span;
    let origin = Origin::path(words::clean(files.path(span.file)));
    match (span.line, span.column) {
        (0, _) => origin,
        (line, 0) => origin.line(line as usize),
        (line, column) => origin.line(line as usize).char_column(column as usize),
    }
}

fn snippet<'a>(
    files: &'a Files,
    id: FileId,
    labels: &[Label],
) -> Option<Snippet<'a, annotate_snippets::Annotation<'a>>> {
    let text = files.get(id)?.text.as_deref()?;
    let primary = labels.iter().find(|label| label.primary).map(|label| label.span);
    let annotation = |label: &Label| {
        let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        // The header names the column at which the primary range begins, so that is not moved.
        let is_exact = Some(label.span) == primary;
        let range = if is_exact { place::range } else { place::wide_range };
        Some(kind.span(range(files, label.span)?).label(label.text.clone()))
    };
    let here = labels.iter().filter(|label| label.span.file == id);
    let snippet = Snippet::source(text).path(words::clean(files.path(id)));
    Some(snippet.annotations(here.filter_map(annotation)))
}

fn list(files: &Files, labels: &[Label]) -> Message<'static> {
    let places: Vec<String> =
        labels.iter().map(|label| words::clean(&place::written(files, label.span))).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    let mut text = "the source text of these places is not available".to_owned();
    for (place, label) in places.iter().zip(labels) {
        text.push_str(&format!("\n{}  {}", words::pad(place, width), label.text));
    }
    Level::NOTE.message(text)
}

fn note(files: &Files, remark: &Remark<RelatedKind>) -> Message<'static> {
    let what = words::clean(&violation::related(&remark.what));
    let text = match &remark.place {
        Some(place) => format!("{what} ({})", words::clean(&place::written(files, place.span))),
        None => what,
    };
    Level::NOTE.message(text)
}
