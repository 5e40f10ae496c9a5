//! The beginning of the page: what its sections say in short, and where they are.
//!
//! Nothing is computed or written twice: a section has its most telling sentences in bold, each on a
//! line of its own, and they are repeated here.

/// A sentence for the beginning of the page, as a paragraph of its section.
pub fn headline(sentence: &str) -> String {
    format!("**{sentence}**\n")
}

/// A section as the summary has it.
struct Entry<'a> {
    title: &'a str,
    sentences: Vec<&'a str>,
    parts: Vec<&'a str>,
}

/// The summary of all sections.
pub fn of(sections: &str) -> String {
    let entries = entries(sections);
    let written: String = entries.iter().map(Entry::written).collect();
    format!("## In short\n\n{written}")
}

fn entries(sections: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in sections.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            entries.push(Entry { title, sentences: Vec::new(), parts: Vec::new() });
        }
        let Some(entry) = entries.last_mut() else { continue };
        entry.parts.extend(line.strip_prefix("### "));
        let bold = line.strip_prefix("**").and_then(|it| it.strip_suffix("**"));
        entry.sentences.extend(bold);
    }
    entries
}

impl Entry<'_> {
    fn written(&self) -> String {
        let mut text = format!("- {}", link(self.title));
        if !self.sentences.is_empty() {
            text.push_str(&format!(": {}", self.sentences.join(" ")));
        }
        text.push('\n');
        let parts: Vec<String> = self.parts.iter().map(|part| link(part)).collect();
        if !parts.is_empty() {
            text.push_str(&format!("  In it: {}.\n", parts.join(", ")));
        }
        text
    }
}

fn link(title: &str) -> String {
    format!("[{title}](#{})", anchor(title))
}

/// As GitHub names a heading: small letters, hyphens for spaces, no punctuation.
fn anchor(title: &str) -> String {
    let kept = title.to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_listed_with_what_they_say() {
        let sections = format!(
            "## Time: a (Table 1)\n\nText.\n{}\n- **a**: no sentence\n### Part one\n## Rest\n",
            headline("It takes 2 s.")
        );
        let expected = "## In short\n\n\
            - [Time: a (Table 1)](#time-a-table-1): It takes 2 s.\n  \
            In it: [Part one](#part-one).\n\
            - [Rest](#rest)\n";
        assert_eq!(of(&sections), expected);
    }
}
