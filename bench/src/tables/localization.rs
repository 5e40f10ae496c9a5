//! What `unravel localize` says about the programs that stand for Table 3 of Alves et al., beside it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::diagnosis::cause;
use super::figures::number;
use super::summary::headline;
use super::unravel::Unravel;
use super::why;
use crate::compare::median;
use crate::corpus::Program;
use crate::table::{Table, cells};

/// What headers call the programs of the table.
const STANDS_FOR: &str = "Alves et al., Table 3, ";

/// A published row.
struct Published {
    name: String,
    found: u32,
    actual: u32,
    seconds: f64,
    is_useful: bool,
}

fn published() -> Result<Vec<Published>, String> {
    let text = include_str!("../../published/alves.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        Some(Published {
            name: (*fields.first()?).to_owned(),
            found: fields.get(4)?.parse().ok()?,
            actual: fields.get(5)?.parse().ok()?,
            seconds: fields.get(6)?.parse().ok()?,
            is_useful: *fields.get(7)? == "1",
        })
    };
    lines.map(|line| row(line).ok_or(format!("alves.tsv: `{line}`"))).collect()
}

/// What is said about a program.
struct Localized {
    verdict: String,
    /// Sets of other values.
    sets: usize,
    /// Those with which every schedule passes and the check is still there.
    robust: usize,
    is_order: bool,
    /// What the cause of the failure says, where an order is to blame.
    cause: Option<String>,
    /// What the header says of the difference.
    differs: Option<String>,
    /// The number, from 1, of the first set with a line that the header names.
    named: Option<usize>,
    /// The header names a line.
    has_lines: bool,
    seconds: f64,
}

fn measure(unravel: &Unravel, program: &Program) -> Result<Localized, String> {
    let reports = unravel.reports("localize", program)?;
    let times = reports.iter().filter_map(|it| it["stats"]["time_ms"].as_f64()).collect();
    let first = reports.first().ok_or("no report")?;
    let lines: BTreeSet<u64> = program.header.faulty_lines.iter().map(|it| it.line).collect();
    let finding = &first["findings"][0];
    let sets = finding["faults"].as_array().cloned().unwrap_or_default();
    let is_robust = |it: &&Value| {
        it["robust"] == true && it["restates_assertion"] == false && it["avoids_check"] == false
    };
    let is_named = |set: &Value| {
        let mut parts = set["lines"].as_array().into_iter().flatten();
        parts.any(|it| it["line"].as_u64().is_some_and(|line| lines.contains(&line)))
    };
    Ok(Localized {
        verdict: first["verdict"].as_str().unwrap_or_default().to_owned(),
        sets: sets.len(),
        robust: sets.iter().filter(is_robust).count(),
        is_order: finding["order_not_value"] == true,
        cause: cause(first),
        differs: program.header.differs.clone(),
        named: sets.iter().position(is_named).map(|index| index + 1),
        has_lines: !lines.is_empty(),
        seconds: median(times).unwrap_or(0.0) / 1e3,
    })
}

/// The section; what goes wrong is added to `wrong`.
///
/// # Errors
/// Without the published figures there is none.
pub fn section(
    unravel: &Unravel,
    programs: &[Program],
    wrong: &mut Vec<String>,
) -> Result<String, String> {
    let header = [
        "program",
        "found/actual",
        "useful",
        "s",
        "sets",
        "robust",
        "answer",
        "named in",
        "s, ours",
    ];
    let mut table = Table::new(cells(&header)).text(&[0, 6]);
    let mut measured = Vec::new();
    let mut differing = String::new();
    for it in published()? {
        let name = format!("{STANDS_FOR}{}", it.name);
        let program = programs.iter().find(|program| program.header.stands_for == name);
        let Some(program) = program else { continue };
        eprintln!("{}/{}", program.directory, program.task.name);
        let found = match measure(unravel, program) {
            Ok(found) => found,
            Err(message) => {
                wrong.push(message);
                continue;
            }
        };
        differing.push_str(&found.differing(&it));
        table.row(vec![
            it.name,
            format!("{}/{}", it.found, it.actual),
            if it.is_useful { "yes" } else { "no" }.to_owned(),
            number(Some(it.seconds), 2),
            found.sets.to_string(),
            found.robust.to_string(),
            found.answer().to_owned(),
            found.named_in(),
            number(Some(found.seconds), 2),
        ]);
        measured.push(found);
    }
    let summary = headline(&summary(&measured));
    Ok(format!(
        "## Fault localization\n\n{INTRODUCTION}\n\n{table}\n{summary}\n\
         Where the answer is of another kind than the lines that were published:\n\n{differing}"
    ))
}

const INTRODUCTION: &str = "Table 3 of Alves et al. (found and actual errors, whether what was found is useful, \
and their time), beside `unravel localize`: sets of values that would let the failing run pass, those with \
which every schedule passes, whether a value or an order is at fault, and the first set with a line that the \
header of the program names (`-`: it names none).\n\
A set that only restates the assertion comes last.";

impl Localized {
    fn answer(&self) -> &'static str {
        match (self.verdict.as_str(), self.is_order) {
            ("safe", _) => "safe",
            (_, true) => "an order",
            (_, false) => "a value",
        }
    }

    /// Why this is not a line, or not the line of the header, where lines were published; a line of
    /// a list, or nothing.
    fn differing(&self, published: &Published) -> String {
        let is_line = self.answer() == "a value" && self.named.is_some();
        if is_line {
            return String::new();
        }
        let why = why(self.differs.as_deref(), self.cause.as_deref());
        let Published { name, found, actual, .. } = published;
        format!("- `{name}` ({found} found of {actual} there, {} here): {why}\n", self.answer())
    }

    fn named_in(&self) -> String {
        match (self.has_lines, self.named) {
            (false, _) => "-".to_owned(),
            (true, Some(number)) => format!("set {number}"),
            (true, None) => "no set".to_owned(),
        }
    }
}

/// In how many programs the lines that headers name are found, and what is said of the others.
fn summary(rows: &[Localized]) -> String {
    let count = |is_it: &dyn Fn(&Localized) -> bool| rows.iter().filter(|it| is_it(it)).count();
    let with_lines = count(&|it| it.has_lines);
    let first = count(&|it| it.named == Some(1));
    let any = count(&|it| it.named.is_some());
    let orders = count(&|it| !it.has_lines && it.is_order);
    let safe = count(&|it| it.verdict == "safe");
    format!(
        "Of {with_lines} programs whose headers name lines, the first set has one in {first}, some \
         set in {any}. Of the {} others, {orders} come out as orders, {safe} as safe.",
        rows.len() - with_lines
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_of_nineteen_were_useful() {
        let rows = published().unwrap();
        assert_eq!(rows.len(), 19);
        assert_eq!(rows.iter().filter(|row| row.is_useful).count(), 16);
    }

    fn localized(is_order: bool, cause: Option<&str>, named: Option<usize>) -> Localized {
        Localized {
            verdict: "unsafe".to_owned(),
            sets: 1,
            robust: 1,
            is_order,
            cause: cause.map(str::to_owned),
            differs: None,
            named,
            has_lines: true,
            seconds: 1.0,
        }
    }

    #[test]
    fn an_order_where_lines_were_published_says_why() {
        let row = &published().unwrap()[3];
        assert_eq!(localized(false, None, Some(1)).differing(row), "");
        let order = localized(true, Some("they cross"), Some(1)).differing(row);
        let expected = "- `circular_buffer_bad` (7 found of 7 there, an order here): they cross\n";
        assert_eq!(order, expected);
        let mut told = localized(true, Some("they cross"), None);
        told.differs = Some("a join is missing".to_owned());
        assert!(told.differing(row).ends_with(": a join is missing\n"));
    }

    /// The answer cannot say why no line is named.
    #[test]
    fn a_program_without_lines_says_why() {
        let programs = crate::corpus::all().unwrap();
        for program in programs.iter().filter(|it| it.directory == "alves") {
            let header = &program.header;
            if header.stands_for.ends_with(", repaired") || !header.faulty_lines.is_empty() {
                continue;
            }
            assert!(header.differs.is_some(), "{}", program.task.name);
        }
    }
}
