//! The figures of "Concurrency Debugging with MaxSMT"; the files in `bench/published/` say which.

/// A row of its Table 1 or 2: cells as they are printed.
pub struct Published {
    /// What it calls the program.
    pub name: String,
    /// `S`, `M` or `L`; none where it has one size only.
    pub size: Option<String>,
    /// In the order of its columns.
    pub cells: Vec<String>,
}

/// Table 1: one cell for the baseline, and two for each of the others, without a limit of conflicts and
/// with one.
pub fn times() -> Result<Vec<Published>, String> {
    rows(include_str!("../../published/maxsmt_times.tsv"), 17)
}

/// Table 2: a cell of four numbers for each search.
pub fn quality() -> Result<Vec<Published>, String> {
    rows(include_str!("../../published/maxsmt_quality.tsv"), 5)
}

fn rows(text: &str, cells: usize) -> Result<Vec<Published>, String> {
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| row(line, cells).ok_or(format!("published/maxsmt: `{line}`"))).collect()
}

fn row(line: &str, count: usize) -> Option<Published> {
    let mut fields = line.split('\t').map(str::to_owned);
    let (name, size) = (fields.next()?, fields.next()?);
    let cells: Vec<String> = fields.collect();
    let size = (size != "-").then_some(size);
    (cells.len() == count).then_some(Published { name, size, cells })
}

#[cfg(test)]
mod tests {
    use super::super::figures::mean;
    use super::*;

    /// The averages are published, too: of what was solved, and cut to whole seconds where they are
    /// large. Except for one: the first of MaxSMT is 782 there, the sum of its 10 figures divided by 11.
    const AVERAGES: [f64; 17] = [
        437.0, 860.1, 502.0, 1347.0, 1862.0, 1001.0, 753.0, 1200.0, 1112.0, 25.8, 159.0, 5.5,
        107.0, 8.2, 106.0, 13.0, 86.5,
    ];

    #[test]
    fn averages() {
        let rows = times().unwrap();
        assert_eq!((rows.len(), quality().unwrap().len()), (16, 16));
        for (column, published) in AVERAGES.into_iter().enumerate() {
            let solved = rows.iter().filter_map(|row| row.cells[column].parse::<f64>().ok());
            let average = mean(solved).unwrap();
            let tolerance = if published < 100.0 { 0.051 } else { 0.8 };
            assert!((average - published).abs() < tolerance, "{column}: {average}");
        }
    }

    #[test]
    fn quality_has_four_numbers_or_none() {
        for row in quality().unwrap() {
            for cell in row.cells {
                let numbers = cell.split(' ').filter(|it| it.parse::<u32>().is_ok()).count();
                assert!(numbers == 4 || cell == "TO" || cell == "FAIL", "{}: {cell}", row.name);
            }
        }
    }
}
