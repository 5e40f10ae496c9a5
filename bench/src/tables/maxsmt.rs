//! Tables 1 and 2 of "Concurrency Debugging with MaxSMT", beside ours.

use unravel_driver::{Distance, HowClose};

use super::closest::{CONFLICTS, Cell, LIMIT, METHODS, Row, SearchMethod};
use super::figures::{mean, number, percent};
use super::maxsmt_published::{Published, quality, times};
use super::summary::headline;
use crate::compare::geometric_mean;
use crate::table::{Table, cells, target};

/// The progressive search is to find at most this many times the operations of the exact one...
const TIMES: f64 = 1.5;
/// ... within so many seconds on every L.
const SOON: f64 = 10.0;

/// The section.
pub fn section(rows: &[Row]) -> Result<String, String> {
    Ok(format!(
        "{}\n{}\n{}\n{}",
        introduction(),
        time_table(rows, &times()?),
        quality_table(rows, &quality()?),
        targets(rows)
    ))
}

fn introduction() -> String {
    format!(
        "## Compare\n\n\
         The passing run closest to the failing one, on the programs of `corpus/compare` at three sizes, \
         in the layout of Tables 1 and 2 of \"Concurrency Debugging with MaxSMT\" (Terra-Neves, Machado, \
         Lynce, Manquinho).\n\
         Rows in *italics* are that text's figures (`bench/published/maxsmt_*.tsv`), for its own programs \
         and on its authors' machine; where it has one size only, they stand below our three.\n\
         Its `exMCR` and `garage` have no counterpart here.\n\n\
         - **swap**: one pair of events swapped, the closest pairs first; in the text, SYMBIOSIS and \
         CORTEX.\n\
         - **MaxSMT**: data flows, segments and context switches count alike (`--weights equal`); \
         **Lexico**: one after the other (the default).\n\
         - **Prog**: the progressive search (`--progressive`); the others prove that no run is closer \
         (`--exact`).\n\
         - **cores**, **linear**: the MaxSAT algorithm (`--maxsat`); in the text, MaxRes and WMax.\n\
         - All of ours have {} s in all and {CONFLICTS} conflicts of the solver; `> {}` where that time is \
         not enough, `FAIL` where there is no passing run in the end. The text: TO is over three hours.\n",
        LIMIT.as_secs(),
        LIMIT.as_secs(),
    )
}

/// The heading of a way to search.
fn title(way: SearchMethod) -> String {
    let model = if way.equal { "MaxSMT" } else { "Lexico" };
    match way.search {
        HowClose::Swap => "swap".to_owned(),
        HowClose::Exact => model.to_owned(),
        HowClose::Progressive => format!("Prog ({model})"),
    }
}

fn label(row: &Row) -> String {
    format!("{} ({})", row.name, row.size)
}

/// The rows of the text that stand below one of ours.
fn below<'a>(row: &Row, published: &'a [Published]) -> impl Iterator<Item = &'a Published> {
    let (name, size) = (row.stands_for.clone(), row.size.clone());
    published
        .iter()
        .filter(move |it| it.name == name && it.size.as_deref().unwrap_or("L") == size.as_str())
}

fn published_label(published: &Published) -> String {
    let size = published.size.as_ref().map(|size| format!(" ({size})")).unwrap_or_default();
    format!("*{}{size}*", published.name)
}

// ----- Table 1 -----

fn time_table(rows: &[Row], published: &[Published]) -> String {
    let algorithm = |way: &SearchMethod| match way.search {
        HowClose::Swap => title(*way),
        _ => format!("{} {}", title(*way), if way.linear { "linear" } else { "cores" }),
    };
    let mut header = cells(&["program", "threads", "steps"]);
    header.extend(METHODS.iter().map(algorithm));
    let mut table = Table::new(header);
    for row in rows {
        let steps = row.operations.map_or("-".to_owned(), |it| it.to_string());
        let mut line = vec![label(row), row.threads.to_string(), steps];
        line.extend(row.cells.iter().map(seconds));
        table.row(line);
        for published in below(row, published) {
            table.row(published_times(published));
        }
    }
    table.row(average_times(rows));
    format!(
        "### Time (Table 1)\n\n\
         Seconds. Ours: *search* / *whole*.\n\
         *Search* is what the text measures, the MaxSAT search; it is taken from the complete formula on, \
         and so has the failing run looked up in that, too.\n\
         *Whole* is all without clang: execute symbolically, encode, find the failing run, from bound to \
         bound, and search.\n\
         The text's: without a limit of conflicts / with one.\n\
         *Steps* are those of the failing run. The average is that of ours which are solved.\n\n{table}"
    )
}

fn seconds(cell: &Cell) -> String {
    match (cell.is_late, cell.distance) {
        (true, _) => format!("> {}", LIMIT.as_secs()),
        (false, None) => "FAIL".to_owned(),
        (false, Some(_)) => format!("{:.2} / {:.2}", cell.search, cell.whole),
    }
}

fn published_times(published: &Published) -> Vec<String> {
    let mut line = vec![published_label(published), String::new(), String::new()];
    line.extend(published.cells.first().cloned());
    let rest = published.cells.get(1..).unwrap_or_default();
    line.extend(rest.chunks(2).map(|pair| pair.join(" / ")));
    line
}

fn average_times(rows: &[Row]) -> Vec<String> {
    let mut line = cells(&["average", "", ""]);
    for index in 0..METHODS.len() {
        let solved = || {
            let cells = rows.iter().filter_map(|row| row.cells.get(index));
            cells.filter(|cell| !cell.is_late && cell.distance.is_some())
        };
        let search = number(mean(solved().map(|cell| cell.search)), 2);
        line.push(format!("{search} / {}", number(mean(solved().map(|cell| cell.whole)), 2)));
    }
    line
}

// ----- Table 2 -----

/// The searches of Table 2, with the algorithms that the text's Table 3 chose: linear for all but the
/// exact lexicographic one.
fn shown() -> Vec<usize> {
    let is_shown = |way: &SearchMethod| match way.search {
        HowClose::Swap => true,
        HowClose::Exact => way.linear == way.equal,
        HowClose::Progressive => way.linear,
    };
    METHODS.iter().enumerate().filter(|(_, way)| is_shown(way)).map(|(index, _)| index).collect()
}

type Measure = fn(&Distance) -> usize;
const MEASURES: [(&str, Measure); 4] = [
    ("OP", |it| it.operations),
    ("DF", |it| it.flows),
    ("BS", |it| it.segments),
    ("CTX", |it| it.switches),
];

fn quality_table(rows: &[Row], published: &[Published]) -> String {
    let mut header = cells(&["program"]);
    for index in shown() {
        let title = title(METHODS[index]);
        let column = |(place, (name, _)): (usize, &(&str, Measure))| match place {
            0 => format!("{title}: {name}"),
            _ => (*name).to_owned(),
        };
        header.extend(MEASURES.iter().enumerate().map(column));
    }
    let mut table = Table::new(header);
    for row in rows {
        let mut line = vec![label(row)];
        for index in shown() {
            line.extend(row.cells.get(index).map_or(unknown("-"), distances));
        }
        table.row(line);
        for published in below(row, published) {
            let mut line = vec![published_label(published)];
            line.extend(published.cells.iter().flat_map(|cell| spread(cell)));
            table.row(line);
        }
    }
    table.row(relative(rows));
    format!(
        "### Quality (Table 2)\n\n\
         In how many operations (OP), data flows (DF), segments (BS) and context switches (CTX) the two \
         runs differ, with the algorithms of the text's Table 3.\n\
         An OP with `?` is of a run that was not proved to be the closest before the limit.\n\
         The last line is the average of the ratios to the swap, where both have a run.\n\n{table}"
    )
}

fn distances(cell: &Cell) -> Vec<String> {
    let Some(distance) = cell.distance else {
        return unknown(&if cell.is_late { seconds(cell) } else { "FAIL".to_owned() });
    };
    let mut line: Vec<String> = MEASURES.iter().map(|(_, it)| it(&distance).to_string()).collect();
    if cell.is_late {
        line[0].push('?');
    }
    line
}

/// A cell of the text: four numbers, or a word.
fn spread(cell: &str) -> Vec<String> {
    let parts: Vec<String> = cell.split(' ').map(str::to_owned).collect();
    if parts.len() == MEASURES.len() { parts } else { unknown(cell) }
}

fn unknown(why: &str) -> Vec<String> {
    let mut line = vec![String::new(); MEASURES.len()];
    line[0] = why.to_owned();
    line
}

fn relative(rows: &[Row]) -> Vec<String> {
    let mut line = cells(&["average, of swap"]);
    for index in shown() {
        for (_, measure) in MEASURES {
            let ratio = |row: &Row| {
                let at = |index: usize| row.cells.get(index)?.distance.as_ref().map(measure);
                let (base, here) = (at(0)?, at(index)?);
                (base > 0).then(|| here as f64 / base as f64)
            };
            line.push(percent(mean(rows.iter().filter_map(ratio)), 0));
        }
    }
    line
}

// ----- Targets -----

fn targets(rows: &[Row]) -> String {
    let mut table = Table::new(cells(&["target", "measured", "reached"])).text(&[0, 1, 2]);
    for equal in [false, true] {
        let (mean, count) = progressive_to_exact(rows, equal);
        let model = if equal { "MaxSMT" } else { "Lexico" };
        table.row(target(
            &format!("{model}: progressive OP at most {TIMES} × the exact OP, geometric mean"),
            mean.map(|mean| format!("{mean:.2} × ({count} pairs)")),
            mean.is_some_and(|mean| mean <= TIMES),
        ));
    }
    for (name, time) in [("search", search_of as fn(&Cell) -> f64), ("whole", |it| it.whole)] {
        let worst = worst_on_large(rows, time);
        table.row(target(
            &format!("progressive, {name}: less than {SOON} s on every L"),
            worst.as_ref().map(|(seconds, row)| format!("at most {seconds:.2} s ({row})")),
            worst.is_some_and(|(seconds, _)| seconds < SOON),
        ));
    }
    format!("### Targets of compare\n\n{table}\n{}", in_short(rows))
}

/// What the targets are about, in a sentence.
fn in_short(rows: &[Row]) -> String {
    let (mean, _) = progressive_to_exact(rows, false);
    let worst = worst_on_large(rows, |it| it.whole);
    let sentence = mean.zip(worst).map(|(mean, (seconds, row))| {
        format!(
            "On the largest programs the progressive search takes at most {seconds:.2} s in all \
             (`{row}`), and its runs differ in {mean:.2} × the operations of those of the exact \
             search, geometric mean."
        )
    });
    sentence.map_or(String::new(), |sentence| headline(&sentence))
}

fn search_of(cell: &Cell) -> f64 {
    cell.search
}

/// The geometric mean of the ratios of operations, for both algorithms, and of how many.
fn progressive_to_exact(rows: &[Row], equal: bool) -> (Option<f64>, usize) {
    let at = |search: HowClose, linear: bool| {
        METHODS.iter().position(|way| *way == SearchMethod { search, equal, linear })
    };
    let mut ratios = Vec::new();
    for row in rows {
        for linear in [false, true] {
            let operations = |search: HowClose| {
                let cell = row.cells.get(at(search, linear)?)?;
                // At least one: runs that differ do so somewhere.
                cell.distance
                    .filter(|_| search != HowClose::Exact || cell.is_optimal)
                    .map(|it| it.operations.max(1) as f64)
            };
            let exact = operations(HowClose::Exact);
            ratios.extend(operations(HowClose::Progressive).zip(exact).map(|(a, b)| a / b));
        }
    }
    (geometric_mean(ratios.iter().copied()), ratios.len())
}

/// The longest time of a progressive search on an L, and where. A search that was ended at its limit
/// counts with that.
fn worst_on_large(rows: &[Row], time: fn(&Cell) -> f64) -> Option<(f64, String)> {
    let mut worst: Option<(f64, String)> = None;
    for row in rows.iter().filter(|row| row.size == "L") {
        for (way, cell) in METHODS.iter().zip(&row.cells) {
            let late = if cell.is_late { LIMIT.as_secs_f64() } else { 0.0 };
            let seconds = time(cell).max(late);
            let longer = worst.as_ref().is_none_or(|(most, _)| seconds > *most);
            if way.search == HowClose::Progressive && longer {
                worst = Some((seconds, row.name.clone()));
            }
        }
    }
    worst
}
