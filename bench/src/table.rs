//! Markdown tables, aligned so that they can be read as text, too; and how numbers are written.

use std::fmt;

/// A table: the first column is text, the others are numbers unless said otherwise.
pub struct Table {
    rows: Vec<Vec<String>>,
    /// Columns of text, which are aligned on the left.
    text: Vec<usize>,
}

impl Table {
    /// A table with this header.
    pub fn new(header: Vec<String>) -> Table {
        Table { rows: vec![header], text: vec![0] }
    }

    /// The columns, from 0, that are text.
    pub fn text(mut self, columns: &[usize]) -> Table {
        self.text = columns.to_vec();
        self
    }

    /// Adds a row; it has as many cells as the header.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn widths(&self) -> Vec<usize> {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0).max(2)
        };
        (0..columns).map(width).collect()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        for (number, row) in self.rows.iter().enumerate() {
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                match self.text.contains(&column) {
                    true => write!(f, "| {cell:<width$} ")?,
                    false => write!(f, "| {cell:>width$} ")?,
                }
            }
            writeln!(f, "|")?;
            if number == 0 {
                for (column, &width) in widths.iter().enumerate() {
                    let end = if self.text.contains(&column) { '-' } else { ':' };
                    write!(f, "|-{}{end}", "-".repeat(width))?;
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// Owned cells from text.
pub fn cells(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

/// Seconds as milliseconds; `?` where they are not known. Unravel's clock has no finer ones.
pub fn ms(seconds: Option<f64>) -> String {
    match seconds.map(|seconds| seconds * 1000.0) {
        None => "?".to_owned(),
        Some(ms) => format!("{ms:.0}"),
    }
}

/// A ratio, or nothing.
pub fn ratio(ratio: Option<f64>) -> String {
    match ratio {
        None => String::new(),
        // Two digits of a small one: a thousandth is not nothing.
        Some(ratio) if ratio > 0.0 && ratio < 0.1 => format!("{ratio:.4}"),
        Some(ratio) if ratio < 10.0 => format!("{ratio:.2}"),
        Some(ratio) => format!("{ratio:.0}"),
    }
}

/// An exponent, or nothing. One digit: the second is noise.
pub fn power(exponent: Option<f64>) -> String {
    exponent.map_or(String::new(), |exponent| format!("{exponent:.1}"))
}

/// A row of a table of targets: what is to be reached, what was measured, and whether it is reached.
pub fn target(name: &str, measured: Option<String>, reached: bool) -> Vec<String> {
    let reached = match (&measured, reached) {
        (None, _) => "?",
        (_, true) => "yes",
        (_, false) => "no",
    };
    vec![name.to_owned(), measured.unwrap_or("not known".to_owned()), reached.to_owned()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let mut table = Table::new(cells(&["program", "ms"]));
        table.row(cells(&["a", "1234"]));
        let expected = "| program |   ms |\n|---------|-----:|\n| a       | 1234 |\n";
        assert_eq!(table.to_string(), expected);
    }

    #[test]
    fn other_columns_can_be_text() {
        let mut table = Table::new(cells(&["name", "ms", "why"])).text(&[0, 2]);
        table.row(cells(&["a", "1", "b"]));
        assert_eq!(
            table.to_string(),
            "| name | ms | why |\n|------|---:|-----|\n| a    |  1 | b   |\n"
        );
    }

    #[test]
    fn numbers() {
        assert_eq!(ms(Some(0.0012)), "1");
        assert_eq!(ms(Some(1.234)), "1234");
        assert_eq!(ms(None), "?");
        assert_eq!(ratio(Some(0.123)), "0.12");
        assert_eq!(ratio(Some(0.0034)), "0.0034");
        assert_eq!(power(Some(2.04)), "2.0");
    }
}
