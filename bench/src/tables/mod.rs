//! The page of results, one module per table.
//!
//! `unravel` runs the tool and `diagnosis` reads what it says; `published` has the figures of others.
//! The tables: `concbugassist` beside ConcBugAssist, `rest` for the other programs, `kinds` beside the
//! headers of the corpus, `speed` beside `unravel check`, `repairs` for verified
//! patches. `closest` compares, and `maxsmt` has its tables
//! beside those of `maxsmt_published`; `localization` is beside Alves et al. `scaling` has the
//! families, with plots; `beside` has the peers on the PATH. `summary` stands before all of them.

mod beside;
mod closest;
mod concbugassist;
mod diagnosis;
mod figures;
mod kinds;
mod localization;
mod machine;
mod maxsmt;
mod maxsmt_published;
mod published;
mod repairs;
mod rest;
mod scaling;
mod speed;
mod summary;
mod unravel;

use std::path::Path;

use crate::corpus;
use crate::peers::Answer;
use diagnosis::Row;
use unravel::Unravel;

/// The page.
pub struct Page {
    /// The table in Markdown.
    pub text: String,
    /// Plots that it shows: path from its directory, and text.
    pub plots: Vec<(String, String)>,
    /// Where Unravel did not run, or was wrong.
    pub wrong: Vec<String>,
}

/// What was tried beside the project, on code that is not in it.
const LIBRARIES: &str = include_str!("../../published/libraries.md");

/// Runs everything and writes the page.
///
/// # Errors
/// Without the tool, the corpus or the published figures there is no page.
pub fn page(program: &Path) -> Result<Page, String> {
    let unravel = Unravel::new(program)?;
    let machine = machine::describe(&unravel.version()?);
    let published = published::concbugassist()?;
    let programs = corpus::all()?;
    let mut wrong = Vec::new();
    let compared = compare(&programs, &mut wrong)?;
    let localized = localization::section(&unravel, &programs, &mut wrong)?;
    let grown = scaling::section(unravel.path.clone())?;
    wrong.extend(grown.wrong);
    let beside = beside::section(unravel.path.clone())?;
    wrong.extend(beside.wrong);
    let failing = programs.into_iter().filter(|it| it.task.expected == Answer::Unsafe);
    let (rows, repaired) = diagnoses_and_repairs(&unravel, failing, &mut wrong);
    let sections = [
        diagnosis::heading(&rows),
        concbugassist::section(&rows, &published),
        rest::section(&rows),
        kinds::section(&rows),
        speed::section(&rows),
        repairs::section(&repaired)?,
        compared,
        localized,
        grown.text,
        beside.text,
        LIBRARIES.to_owned(),
    ];
    let sections = sections.join("\n");
    let text = [heading(&machine, &wrong), summary::of(&sections), sections].join("\n");
    Ok(Page { text, plots: grown.plots, wrong })
}

/// Diagnoses programs, and repairs those that could be diagnosed.
fn diagnoses_and_repairs(
    unravel: &Unravel,
    programs: impl Iterator<Item = corpus::Program>,
    wrong: &mut Vec<String>,
) -> (Vec<Row>, Vec<repairs::Repaired>) {
    let mut rows = Vec::new();
    for program in programs {
        eprintln!("{}/{}", program.directory, program.task.name);
        match diagnosis::measure(unravel, program) {
            Ok(row) => rows.push(row),
            Err(message) => wrong.push(message),
        }
    }
    let mut repaired = Vec::new();
    for row in &rows {
        match repairs::measure(unravel, row) {
            Ok(it) => repaired.push(it),
            Err(message) => wrong.push(message),
        }
    }
    (rows, repaired)
}

/// The tables beside ConcBugAssist alone.
///
/// # Errors
/// Without the tool, the corpus or the published figures there are none.
pub fn published(program: &Path) -> Result<Page, String> {
    let mut wrong = Vec::new();
    let unravel = Unravel::new(program)?;
    let is_it = |it: &corpus::Program| {
        it.directory == concbugassist::DIRECTORY && it.task.expected == Answer::Unsafe
    };
    let programs = corpus::all()?.into_iter().filter(is_it);
    let (rows, repaired) = diagnoses_and_repairs(&unravel, programs, &mut wrong);
    let diagnosed = concbugassist::section(&rows, &published::concbugassist()?);
    let text = format!("{diagnosed}\n{}", repairs::section(&repaired)?);
    Ok(Page { text, plots: Vec::new(), wrong })
}

/// The tables of the comparisons alone.
///
/// # Errors
/// Without the corpus or the published figures there are none.
pub fn comparisons() -> Result<Page, String> {
    let mut wrong = Vec::new();
    let text = compare(&corpus::all()?, &mut wrong)?;
    Ok(Page { text, plots: Vec::new(), wrong })
}

/// The table of the fault localization alone.
///
/// # Errors
/// Without the tool, the corpus or the published figures there is none.
pub fn localizations(program: &Path) -> Result<Page, String> {
    let mut wrong = Vec::new();
    let unravel = Unravel::new(program)?;
    let text = localization::section(&unravel, &corpus::all()?, &mut wrong)?;
    Ok(Page { text, plots: Vec::new(), wrong })
}

/// The growing families alone.
///
/// # Errors
/// Without the tool there are none.
pub fn families(program: &Path) -> Result<Page, String> {
    let unravel = Unravel::new(program)?;
    let scaling::Scaling { text, plots, wrong } = scaling::section(unravel.path)?;
    Ok(Page { text, plots, wrong })
}

/// The peers on the PATH alone.
///
/// # Errors
/// Without the tool or the corpus there is nothing.
pub fn peers(program: &Path) -> Result<Page, String> {
    let unravel = Unravel::new(program)?;
    let beside::Beside { text, wrong } = beside::section(unravel.path)?;
    Ok(Page { text, plots: Vec::new(), wrong })
}

fn compare(programs: &[corpus::Program], wrong: &mut Vec<String>) -> Result<String, String> {
    let mut rows = Vec::new();
    for program in programs.iter().filter(|it| it.directory == closest::DIRECTORY) {
        match closest::measure(program) {
            Ok(measured) => rows.extend(measured),
            Err(message) => wrong.push(message),
        }
    }
    wrong.extend(closest::contradictions(&rows));
    maxsmt::section(&rows)
}

fn heading(machine: &str, wrong: &[String]) -> String {
    let mut text = format!(
        "# Results\n\n\
         What Unravel finds on the programs of [`corpus/`](../corpus/README.md), beside published \
         results.\n\
         `make tables` writes this page; nothing in it is typed in by hand, other than what \
         stands in `bench/published/`: the figures of others, and the last section, which was \
         measured by hand.\n\n{machine}\n"
    );
    if !wrong.is_empty() {
        text.push_str("\n**Wrong on this machine, and left out below:**\n\n");
        wrong.iter().for_each(|message| text.push_str(&format!("- {message}\n")));
    }
    text
}

/// Why an answer differs from a published one: what the header of the program says, or else what the
/// answer itself says.
fn why(header: Option<&str>, answer: Option<&str>) -> String {
    header.or(answer).unwrap_or("neither the program nor the answer says why").to_owned()
}

/// Rows that satisfy a condition.
fn those(rows: &[Row], condition: impl Fn(&Row) -> bool) -> Vec<&Row> {
    rows.iter().filter(|row| condition(row)).collect()
}
