//! What `unravel compare` finds, by every search that the tables show.
//!
//! By the driver and not by the tool: the swap of one pair is no choice of its users.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use unravel_corpus::Size;
use unravel_driver::{
    CheckOptions, CompareOptions, Counts, Distance, HowClose, Phase, StopReason, Watch,
    compare_and_track,
};
use unravel_frontend::load;

use crate::corpus::{self, Program};

/// The directory of the programs.
pub const DIRECTORY: &str = "compare";

/// Most time for one comparison, and most conflicts of the solver in one: the text's limit.
pub const LIMIT: Duration = Duration::from_secs(60);
pub const CONFLICTS: u64 = 200_000;

/// A way to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchMethod {
    pub search: HowClose,
    /// All three count alike ("MaxSMT" in the text); else one after the other ("Lexico").
    pub equal: bool,
    pub linear: bool,
}

const fn method(search: HowClose, equal: bool, linear: bool) -> SearchMethod {
    SearchMethod { search, equal, linear }
}

/// All of them, in the order of the columns of the text's Table 1.
pub const METHODS: [SearchMethod; 9] = [
    method(HowClose::Swap, false, false),
    method(HowClose::Exact, true, false),
    method(HowClose::Exact, true, true),
    method(HowClose::Exact, false, false),
    method(HowClose::Exact, false, true),
    method(HowClose::Progressive, true, false),
    method(HowClose::Progressive, true, true),
    method(HowClose::Progressive, false, false),
    method(HowClose::Progressive, false, true),
];

/// A program at one size.
pub struct Row {
    pub name: String,
    /// What the text calls it.
    pub stands_for: String,
    /// `S`, `M` or `L`.
    pub size: String,
    /// Threads, and steps of the failing run, if one was found.
    pub threads: usize,
    pub operations: Option<usize>,
    /// One for each of [`METHODS`].
    pub cells: Vec<Cell>,
}

/// What one search says.
#[derive(Clone)]
pub struct Cell {
    /// Seconds from the program to the answer, without clang.
    pub whole: f64,
    /// Seconds of it from the complete formula on.
    pub search: f64,
    /// The limit was reached.
    pub is_late: bool,
    /// How far the passing run is from the failing one, if one was found.
    pub distance: Option<Distance>,
    /// None is closer: that is proved.
    pub is_optimal: bool,
}

/// Compares a program at all its sizes.
pub fn measure(program: &Program) -> Result<Vec<Row>, String> {
    let stands_for = program.header.stands_for.rsplit(", ").next().unwrap_or_default();
    let mut rows = Vec::new();
    for Size { name: size, value } in &program.header.sizes {
        eprintln!("{}/{} {size}", program.directory, program.task.name);
        let mut row = Row {
            name: program.task.name.clone(),
            stands_for: stands_for.to_owned(),
            size: size.clone(),
            threads: 0,
            operations: None,
            cells: Vec::new(),
        };
        fill(&mut row, program, *value)
            .map_err(|why| format!("{}/{} {size}: {why}", program.directory, row.name))?;
        rows.push(row);
    }
    Ok(rows)
}

fn fill(row: &mut Row, program: &Program, size: u32) -> Result<(), String> {
    let flags = vec![format!("-DSIZE={size}")];
    let options = unravel_frontend::Options { flags, ..Default::default() };
    let files: [PathBuf; 1] = [program.task.path.clone()];
    let program = load(&files, &options).map_err(|error| error.to_string())?;
    for way in METHODS {
        let mut watch = Stopwatch::start();
        let how = CompareOptions {
            equal_weights: way.equal,
            linear: way.linear,
            search: Some(way.search),
            conflicts: CONFLICTS,
        };
        let answer = compare_and_track(&program, &CheckOptions::new(), &how, &mut watch);
        let (checked, compared) = answer.map_err(|failure| failure.to_string())?;
        let is_found = !checked.report.findings.is_empty();
        if !is_found && !watch.is_late {
            return Err("no failing run".to_owned());
        }
        row.threads = row.threads.max(checked.report.threads.len());
        row.operations = compared.as_ref().map(|it| it.failing.len()).or(row.operations);
        row.cells.push(Cell {
            whole: watch.start.elapsed().as_secs_f64(),
            search: watch.phase.elapsed().as_secs_f64(),
            is_late: watch.is_late,
            distance: compared.as_ref().map(|it| it.distance),
            is_optimal: compared.is_some_and(|it| it.is_optimal),
        });
        // All find the failing run in the same way.
        if !is_found && let Some(cell) = row.cells.last().cloned() {
            row.cells.resize(METHODS.len(), cell);
            break;
        }
    }
    Ok(())
}

/// Stops at the limit, and knows when the last phase began.
struct Stopwatch {
    start: Instant,
    phase: Instant,
    is_late: bool,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        let now = Instant::now();
        Stopwatch { start: now, phase: now, is_late: false }
    }
}

impl Watch for Stopwatch {
    fn check(&mut self, _counts: &Counts) -> Option<StopReason> {
        self.is_late |= self.start.elapsed() > LIMIT;
        self.is_late.then_some(StopReason::Time(LIMIT))
    }

    fn phase(&mut self, _phase: Phase) {
        self.phase = Instant::now();
    }
}

/// Where two searches that both prove that none is closer contradict each other.
pub fn contradictions(rows: &[Row]) -> Vec<String> {
    let mut found = Vec::new();
    for row in rows {
        for equal in [true, false] {
            let exact = METHODS.iter().zip(&row.cells).filter(|(way, cell)| {
                way.search == HowClose::Exact && way.equal == equal && cell.is_optimal
            });
            let mut costs: Vec<_> =
                exact.filter_map(|(_, cell)| Some(cost(cell.distance?, equal))).collect();
            costs.dedup();
            if costs.len() > 1 {
                let path = corpus::root().join("corpus").join(DIRECTORY).join(&row.name);
                let path = path.strip_prefix(corpus::root()).unwrap_or(&path).display();
                found.push(format!("{path} {}: two optima differ: {costs:?}", row.size));
            }
        }
    }
    found
}

/// What is minimized, the most important first.
fn cost(distance: Distance, equal: bool) -> [usize; 4] {
    let Distance { flips, flows, segments, switches, .. } = distance;
    match equal {
        true => [flips, flows + segments + switches, 0, 0],
        false => [flips, flows, segments, switches],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(costs: [(usize, usize); 2]) -> Row {
        let cell = |(flows, segments): (usize, usize)| Cell {
            whole: 1.0,
            search: 1.0,
            is_late: false,
            distance: Some(Distance { flips: 0, flows, segments, switches: 0, operations: 2 }),
            is_optimal: true,
        };
        let cells = METHODS.iter().map(|way| cell(costs[usize::from(way.linear)])).collect();
        let (name, size) = ("bank".to_owned(), "S".to_owned());
        Row { stands_for: name.clone(), name, size, threads: 3, operations: Some(9), cells }
    }

    #[test]
    fn optima_that_differ_are_noticed() {
        assert!(contradictions(&[row([(1, 2), (1, 2)])]).is_empty());
        // The sum is the same, so only the lexicographic ones contradict each other.
        assert_eq!(contradictions(&[row([(1, 2), (2, 1)])]).len(), 1);
        assert_eq!(contradictions(&[row([(1, 2), (1, 1)])]).len(), 2);
    }
}
