//! Places in SARIF's form.

use serde_json::{Value, json};
use unravel_span::{Files, Span};

use crate::model::Place;
use crate::place;

/// Makes locations.
pub struct Locations<'a> {
    /// The files.
    pub files: &'a Files,
}

impl Locations<'_> {
    /// A place, with words for it.
    pub fn at(&self, place: &Place, message: Option<&str>) -> Value {
        let mut physical = json!({
            "artifactLocation": { "uri": uri(self.files.path(place.span.file)) },
        });
        if let Some(region) = self.region(place.span) {
            physical["region"] = region;
        }
        let mut location = json!({ "physicalLocation": physical });
        if !place.function.is_empty() {
            let function = json!([{ "name": place.function, "kind": "function" }]);
            location["logicalLocations"] = function;
        }
        if let Some(message) = message {
            location["message"] = json!({ "text": message });
        }
        location
    }

    /// The text that a span covers; only its point where there is no text.
    fn region(&self, span: Span) -> Option<Value> {
        let range = place::range(self.files, span);
        let line = place::line_range(self.files, span);
        let text = self.files.get(span.file).and_then(|file| file.text.as_deref());
        let (Some(range), Some(line), Some(text)) = (range, line, text) else {
            return point(span);
        };
        // Debug information counts bytes, SARIF's readers count UTF-16 code units.
        let column = |at: usize| text.get(line.start..at).map(|it| it.encode_utf16().count() + 1);
        Some(json!({
            "startLine": span.line,
            "startColumn": column(range.start)?,
            "endLine": span.line,
            "endColumn": column(range.end)?,
        }))
    }
}

fn point(span: Span) -> Option<Value> {
    match (span.line, span.column) {
        (0, _) => None,
        (line, 0) => Some(json!({ "startLine": line })),
        (line, column) => Some(json!({ "startLine": line, "startColumn": column })),
    }
}

/// A path as a URI reference: relative stays relative, absolute becomes `file:`.
pub fn uri(path: &str) -> String {
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(char::from(byte)),
            b'/' | b'.' | b'-' | b'_' | b'~' | b'+' | b'@' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
