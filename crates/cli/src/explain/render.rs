//! Markdown for a terminal: just what our own pages use.
//!
//! Paragraphs and list items are wrapped, code is indented and left as it is, tables too. Marks
//! that would only disturb (fences, links' targets, emphasis) are dropped; backticks stay, since
//! they say what is code where there are no colours.

/// Lays a page out.
pub fn render(text: &str, width: usize, color: bool) -> String {
    let mut page = Page { out: String::new(), paragraph: Vec::new(), width, color };
    let mut in_code = false;
    for line in text.lines() {
        if line.starts_with("```") {
            page.flush();
            in_code = !in_code;
        } else if in_code {
            page.line(&format!("    {line}"));
        } else {
            page.prose(line);
        }
    }
    page.flush();
    page.out
}

struct Page {
    out: String,
    /// Lines of the paragraph that is being read.
    paragraph: Vec<String>,
    width: usize,
    color: bool,
}

impl Page {
    fn line(&mut self, line: &str) {
        self.out.push_str(line.trim_end());
        self.out.push('\n');
    }

    fn prose(&mut self, line: &str) {
        let is_item = line.starts_with("- ") || numbered(line).is_some();
        if line.is_empty() {
            self.flush();
            self.line("");
        } else if line.starts_with('#') {
            self.flush();
            self.heading(line);
        } else if line.starts_with('|') {
            self.flush();
            self.line(&inline(line));
        } else {
            if is_item {
                self.flush();
            }
            self.paragraph.push(line.to_owned());
        }
    }

    fn heading(&mut self, line: &str) {
        if self.color {
            let title = inline(line.trim_start_matches('#').trim());
            self.line(&format!("\x1b[1m{title}\x1b[0m"));
        } else {
            self.line(&inline(line));
        }
    }

    /// Writes the paragraph; an item's lines are indented below its mark.
    fn flush(&mut self) {
        if self.paragraph.is_empty() {
            return;
        }
        let text = inline(&std::mem::take(&mut self.paragraph).join(" "));
        let mark = if text.starts_with("- ") { 2 } else { numbered(&text).unwrap_or(0) };
        let (lead, rest) = text.split_at(mark);
        let wrapped = wrap(lead, rest, self.width);
        self.out.push_str(&wrapped);
    }
}

/// Length of the mark of a numbered item: `1. `.
fn numbered(line: &str) -> Option<usize> {
    let digits = line.find(|c: char| !c.is_ascii_digit())?;
    (digits > 0 && line[digits..].starts_with(". ")).then_some(digits + 2)
}

/// `text` behind `lead`, on lines of at most `width` characters; later lines are indented below
/// the first.
pub fn wrap(lead: &str, text: &str, width: usize) -> String {
    let indent = lead.chars().count();
    let (mut out, mut used) = (lead.to_owned(), indent);
    for (index, word) in text.split_whitespace().enumerate() {
        let length = word.chars().count();
        if index > 0 && used + 1 + length > width {
            out.push_str(&format!("\n{}", " ".repeat(indent)));
            used = indent;
        } else if index > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += length;
    }
    format!("{}\n", out.trim_end())
}

/// Links as their text (with the address, if it is one of the web), emphasis without its stars.
fn inline(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, text, target, after)) = link(rest) {
        out.push_str(before);
        out.push_str(text);
        if target.starts_with("http") {
            out.push_str(&format!(" ({target})"));
        }
        rest = after;
    }
    out.push_str(rest);
    unemphasized(&out)
}

/// The first `[text](target)`, with what stands before and after it.
fn link(line: &str) -> Option<(&str, &str, &str, &str)> {
    let middle = line.find("](")?;
    let start = line[..middle].rfind('[')?;
    let end = middle + line[middle..].find(')')?;
    Some((&line[..start], &line[start + 1..middle], &line[middle + 2..end], &line[end + 1..]))
}

/// Drops `*` and `**` around words, outside code.
fn unemphasized(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(index, part)| {
        if index % 2 == 0 { part.replace("**", "").replace('*', "") } else { part.to_owned() }
    });
    parts.collect::<Vec<_>>().join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_and_items_are_wrapped_and_code_is_not() {
        let text = "# Title\n\nOne two\nthree four.\n\n- an item that\n  goes on\n1. first\n\n```c\nint  x;\n```\n";
        let expected = "# Title\n\nOne two three\nfour.\n\n- an item that\n  goes on\n1. first\n\n    int  x;\n";
        assert_eq!(render(text, 15, false), expected);
    }

    #[test]
    fn marks_are_dropped() {
        assert_eq!(inline("see [that](x.md) and *this* `a * b`"), "see that and this `a * b`");
        assert_eq!(inline("[p](https://a.b)"), "p (https://a.b)");
        assert_eq!(inline("a[1] and f(2)"), "a[1] and f(2)");
    }

    #[test]
    fn headings_are_bold_where_there_are_colours() {
        assert_eq!(render("## A `b`", 80, true), "\x1b[1mA `b`\x1b[0m\n");
    }
}
