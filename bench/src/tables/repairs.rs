//! What `unravel repair` says: Tables 3 and 4 of ConcBugAssist beside ours, and how fast it is.

use serde_json::Value;

use super::diagnosis::Row;
use super::figures::{mean, names, number};
use super::summary::headline;
use super::unravel::Unravel;
use super::why;
use crate::compare::{geometric_mean, median};
use crate::table::{Table, cells, target};

/// From a diagnosis to the first verified patch, in times of the check.
const TIMES: f64 = 5.0;

/// What is said about a program.
pub struct Repaired {
    /// Directory and name.
    path: String,
    stands_for: String,
    /// Why there is no repair of a published kind.
    differs: Option<String>,
    /// Kinds of the verified repairs, best first, and what each does.
    kinds: Vec<(String, String)>,
    numbers: [f64; 5],
    /// From the diagnosis to the first verified patch, without the compiler, in times of the check.
    ratio: f64,
}

/// Repairs a program that was diagnosed.
pub fn measure(unravel: &Unravel, row: &Row) -> Result<Repaired, String> {
    let reports = unravel.reports("repair", &row.program)?;
    let stat = |report: &Value, name: &str| report["stats"][name].as_f64().unwrap_or(0.0);
    let first = reports.first().ok_or("no report")?;
    let repairs = first["findings"][0]["repairs"].as_array().cloned().unwrap_or_default();
    let text = |it: &Value| it.as_str().unwrap_or_default().to_owned();
    let kind = |it: &Value| (text(&it["kind"]), text(&it["title"]));
    let names = ["elementary", "composite", "orders_in_covers", "kill_sets", "kill_orders"];
    let seconds = reports.iter().map(|it| stat(it, "first_repair_us") / 1e6);
    let seconds = median(seconds.collect()).unwrap_or(0.0);
    Ok(Repaired {
        path: row.path(),
        stands_for: row.program.header.stands_for.clone(),
        differs: row.program.header.differs.clone(),
        kinds: repairs.iter().map(kind).collect(),
        numbers: names.map(|name| stat(first, name)),
        // The clock counts microseconds.
        ratio: seconds.max(1e-6) / row.check.max(1e-6),
    })
}

impl Repaired {
    /// What the best repair of one of these kinds does.
    fn best(&self, kinds: &[&str]) -> Option<&str> {
        let best = self.kinds.iter().find(|(kind, _)| kinds.contains(&kind.as_str()));
        best.map(|(_, title)| title.as_str())
    }

    /// All kinds, best first.
    fn kinds(&self) -> String {
        let kinds: Vec<&str> = self.kinds.iter().map(|(kind, _)| kind.as_str()).collect();
        kinds.join(", ")
    }
}

/// A critical section, or an atomic operation.
const ATOMIC: &[&str] = &["mutex", "widen", "atomic", "lock-order"];
/// An order that is enforced.
const ORDER: &[&str] = &["move", "signal-wait", "join", "predicate-loop"];

/// A published row of Tables 3 and 4.
struct Published {
    name: String,
    is_atomic: bool,
    is_ordered: bool,
    /// Repairs, elementary, composite, orders, average and total of the kill sets.
    numbers: [f64; 6],
}

fn published() -> Result<Vec<Published>, String> {
    let text = include_str!("../../published/concbugassist_repair.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |index: usize| fields.get(index)?.parse::<f64>().ok();
        Some(Published {
            name: (*fields.first()?).to_owned(),
            is_atomic: *fields.get(3)? == "yes",
            is_ordered: *fields.get(4)? == "yes",
            numbers: [number(2)?, number(5)?, number(6)?, number(7)?, number(8)?, number(9)?],
        })
    };
    lines.map(|line| row(line).ok_or(format!("concbugassist_repair.tsv: `{line}`"))).collect()
}

/// The section.
pub fn section(rows: &[Repaired]) -> Result<String, String> {
    let published = published()?;
    Ok(format!(
        "{INTRODUCTION}\n{}\n{}\n{}",
        kinds(&published, rows),
        sizes(&published, rows),
        speed(rows)
    ))
}

const INTRODUCTION: &str = "## Repair\n\n\
    Every repair counted here was written as a patch of the source, compiled, and checked for all \
    properties in every schedule. ConcBugAssist counts orders that would help (its Tables 3 and 4; \
    `bench/published/concbugassist_repair.tsv`) and leaves code and check to the reader.\n\
    *atomic*: a critical section or an atomic operation; *order*: signal and wait, or a join. One \
    repair of each kind is looked for unless `--all` is given, so the numbers of repairs are not \
    comparable; those of covers and kill sets are, up to differences of the programs.\n";

fn ours<'a>(rows: &'a [Repaired], published: &Published) -> Option<&'a Repaired> {
    let stands_for = format!("ConcBugAssist, Table 1, {}", published.name);
    rows.iter().find(|row| row.stands_for == stands_for)
}

fn mark(yes: bool) -> String {
    if yes { "yes" } else { "no" }.to_owned()
}

/// Table 3.
fn kinds(published: &[Published], rows: &[Repaired]) -> String {
    let mut table = Table::new(cells(&[
        "program",
        "repairs",
        "atomic",
        "ours",
        "order",
        "ours",
        "our kinds, best first",
    ]))
    .text(&[0, 2, 3, 4, 5, 6]);
    for it in published {
        let ours = ours(rows, it);
        let has = |kinds| ours.map_or("-".to_owned(), |row| mark(row.best(kinds).is_some()));
        table.row(vec![
            it.name.clone(),
            number(Some(it.numbers[0]), 0),
            mark(it.is_atomic),
            has(ATOMIC),
            mark(it.is_ordered),
            has(ORDER),
            ours.map_or("-".to_owned(), Repaired::kinds),
        ]);
    }
    let differing = differing(published, rows);
    format!("### Kinds of repair (Table 3)\n\n{table}\n{differing}")
}

/// Why a row has a kind less than the published one, or more.
fn differing(published: &[Published], rows: &[Repaired]) -> String {
    let (mut less, mut more) = (String::new(), String::new());
    for (it, row) in published.iter().filter_map(|it| Some((it, ours(rows, it)?))) {
        let kinds = [("atomic", it.is_atomic, ATOMIC), ("order", it.is_ordered, ORDER)];
        for (name, is_published, kinds) in kinds {
            match (is_published, row.best(kinds)) {
                (true, None) => {
                    let why = why(row.differs.as_deref(), None);
                    less.push_str(&format!("- `{}`, *{name}*: {why}\n", it.name));
                }
                (false, Some(title)) => {
                    more.push_str(&format!("- `{}`, *{name}*: {title}\n", it.name));
                }
                _ => {}
            }
        }
    }
    let part = |title: &str, lines: String| match lines.is_empty() {
        true => format!("{title}: none.\n"),
        false => format!("{title}:\n\n{lines}"),
    };
    let [less, more] = [part(LESS, less), part(MORE, more)];
    format!("{less}\n{more}")
}

const LESS: &str = "Published, and not found here";
const MORE: &str = "Found here, and not published (ConcBugAssist makes a critical section only of two opposite \
    orders between exactly two threads; here the best of the kind is a patch that was checked in every \
    schedule)";

/// Table 4.
fn sizes(published: &[Published], rows: &[Repaired]) -> String {
    let mut table = Table::new(cells(&[
        "program",
        "elementary",
        "ours",
        "composite",
        "ours",
        "size",
        "ours",
        "kill set",
        "ours",
        "total",
        "ours",
    ]));
    for it in published {
        let ours = ours(rows, it).map(|row| row.numbers);
        let [elementary, composite, size, average, total] =
            [it.numbers[1], it.numbers[2], it.numbers[3], it.numbers[4], it.numbers[5]];
        let share =
            |part: usize, of: usize| ours.filter(|it| it[of] > 0.0).map(|it| it[part] / it[of]);
        table.row(vec![
            it.name.clone(),
            number(Some(elementary), 0),
            number(ours.map(|it| it[0]), 0),
            number(Some(composite), 0),
            number(ours.map(|it| it[1]), 0),
            number(Some(size), 0),
            number(share(2, 0), 1),
            number(Some(average), 0),
            number(share(4, 3), 1),
            number(Some(total), 0),
            number(ours.map(|it| it[4]), 0),
        ]);
    }
    format!(
        "### Covers and kill sets (Table 4)\n\nAt most 100 covers are enumerated, cheapest first.\n\n{table}"
    )
}

/// From the diagnosis to the first verified patch.
fn speed(rows: &[Repaired]) -> String {
    let repaired: Vec<&Repaired> = rows.iter().filter(|row| !row.kinds.is_empty()).collect();
    let ratios = || repaired.iter().map(|row| row.ratio);
    let geometric = geometric_mean(ratios());
    let mut table = Table::new(cells(&["target", "measured", "reached"])).text(&[0, 1, 2]);
    table.row(target(
        &format!("first verified patch at most {TIMES} × the engine time of the check"),
        geometric.map(|it| format!("{it:.2} ×")),
        geometric.is_some_and(|it| it <= TIMES),
    ));
    let without = rows.iter().filter(|row| row.kinds.is_empty()).map(|row| row.path.clone());
    let without = names(without);
    let kinds = mean(repaired.iter().map(|row| row.kinds.len() as f64));
    let headline = headline(&format!(
        "{} of {} programs with a bug have a verified repair, {} kinds on average.",
        repaired.len(),
        rows.len(),
        number(kinds, 1),
    ));
    format!(
        "### From diagnosis to patch\n\n{headline}\n\
         Time of the engine from the diagnosis to the first verified patch, without the \
         compiler: geometric mean {} ×, median {} × that of `unravel check`.\n\n{table}\nWithout a verified repair: {without}.\n",
        number(geometric, 2),
        number(median(ratios().collect()), 2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tables say of all programs together.
    #[test]
    fn the_published_rows_are_complete() {
        let rows = published().unwrap();
        assert_eq!(rows.len(), 34);
        assert!(rows.iter().all(|row| row.is_ordered), "signal-wait repairs all of them");
        assert_eq!(rows.iter().filter(|row| row.is_atomic).count(), 19);
    }

    fn repaired(name: &str, kinds: &[(&str, &str)], differs: Option<&str>) -> Repaired {
        let owned = |(kind, title): &(&str, &str)| ((*kind).to_owned(), (*title).to_owned());
        Repaired {
            path: String::new(),
            stands_for: format!("ConcBugAssist, Table 1, {name}"),
            differs: differs.map(str::to_owned),
            kinds: kinds.iter().map(owned).collect(),
            numbers: [0.0; 5],
            ratio: 1.0,
        }
    }

    #[test]
    fn a_kind_less_and_a_kind_more_say_why() {
        let wait = ("signal-wait", "let a wait for b");
        let rows = [
            repaired("boop", &[wait], Some("no lock helps")),
            repaired("testc", &[("mutex", "guard both"), wait], None),
            repaired("account", &[wait], None),
        ];
        let text = differing(&published().unwrap(), &rows);
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with("- ")).collect();
        let expected = ["- `boop`, *atomic*: no lock helps", "- `testc`, *atomic*: guard both"];
        assert_eq!(lines, expected);
    }

    /// The answer cannot say why there is no repair.
    #[test]
    fn a_program_without_a_published_kind_says_why() {
        let programs = crate::corpus::all().unwrap();
        for it in published().unwrap() {
            let name = format!("ConcBugAssist, Table 1, {}", it.name);
            let header = programs.iter().map(|it| &it.header).find(|it| it.stands_for == name);
            let header = header.unwrap();
            let has = |kinds: &[&str]| {
                header.repair.iter().flatten().any(|it| kinds.contains(&it.code()))
            };
            let lacks = (it.is_atomic && !has(ATOMIC)) || (it.is_ordered && !has(ORDER));
            assert!(!lacks || header.differs.is_some(), "{}", it.name);
        }
    }
}
