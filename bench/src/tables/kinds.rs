//! The kind of bug that a diagnosis names, beside the one in the program's header.

use super::diagnosis::Row;
use crate::table::{Table, cells};

/// The section.
pub fn section(rows: &[Row]) -> String {
    let known: Vec<(&Row, &str, &str)> = rows
        .iter()
        .filter_map(|row| {
            Some((row, row.answer.pattern.as_deref()?, row.program.header.pattern?.name()))
        })
        .collect();
    let differing = known.iter().filter(|(_, said, expected)| said != expected);
    let same = known.len() - differing.clone().count();
    let mut text = format!(
        "### Kinds of bugs\n\n\
         The kind of the first cause is the one in the header of the program for {same} of {} programs.\n\
         The headers are revised along with the tool: this shows where the two disagree, and is no \
         independent measure.\n",
        known.len()
    );
    if same < known.len() {
        let mut table = Table::new(cells(&["program", "header", "diagnosis"])).text(&[0, 1, 2]);
        for (row, said, expected) in differing {
            table.row(cells(&[&row.path(), expected, said]));
        }
        text.push_str(&format!("The others:\n\n{table}"));
    }
    text
}
