//! The peers on the PATH beside Unravel, program by program.

use std::path::PathBuf;
use std::time::Duration;

use crate::compare::{Pair, geometric_mean, pair};
use crate::peers::{self, Kind, Run, Task, Tool};
use crate::table::{Table, cells, ms, ratio};
use crate::{corpus, small};

use super::summary::headline;

/// A program that takes longer is not solved.
const LIMIT: Duration = Duration::from_secs(5);

/// The programs of published tables. What else is in the corpus shows single primitives.
const DIRECTORIES: [&str; 3] = ["figures", "concbugassist", "alves"];

/// The section, and where Unravel is wrong.
pub struct Beside {
    pub text: String,
    pub wrong: Vec<String>,
}

/// A program through all tools.
struct Measured {
    name: String,
    ours: Run,
    theirs: Vec<Run>,
}

/// Runs all programs through Unravel and every peer; nothing without a peer.
pub fn section(unravel: PathBuf) -> Result<Beside, String> {
    let peers = peers::installed();
    let mut rows = Vec::new();
    if !peers.is_empty() {
        let unravel = Tool { kind: Kind::Unravel, path: unravel };
        for (name, task) in tasks()? {
            eprintln!("{name}");
            rows.push(measure(name, &task, &unravel, &peers)?);
        }
    }
    let wrong = rows.iter().filter(|row| row.ours.wrong);
    let wrong = wrong.map(|row| format!("{}: the answer is wrong", row.name)).collect();
    let peers: Vec<(Kind, String)> = peers.iter().map(|it| (it.kind, it.version())).collect();
    Ok(Beside { text: text(&peers, &rows), wrong })
}

/// The programs with something that peers look for, and what they are called.
fn tasks() -> Result<Vec<(String, Task)>, String> {
    let mut tasks = Vec::new();
    for program in small::ALL {
        let task = program.task()?;
        tasks.push((format!("small/{}", task.name), task));
    }
    for directory in DIRECTORIES {
        let programs = corpus::programs(directory)?.into_iter();
        tasks.extend(programs.map(|task| (format!("{directory}/{}", task.name), task)));
    }
    tasks.retain(|(_, task)| task.for_peers);
    Ok(tasks)
}

fn measure(name: String, task: &Task, ours: &Tool, peers: &[Tool]) -> Result<Measured, String> {
    let run = |tool: &Tool| tool.median(task, LIMIT, 3);
    let theirs: Result<Vec<Run>, String> = peers.iter().map(run).collect();
    Ok(Measured { name, ours: run(ours)?, theirs: theirs? })
}

fn text(peers: &[(Kind, String)], rows: &[Measured]) -> String {
    let title = "## Beside other checkers";
    if peers.is_empty() {
        return format!(
            "{title}\n\nNo peer (CBMC, Deagle) was on the PATH of this run, so nothing is compared. \
             With one, this section has its times and ratios, program by program.\n"
        );
    }
    let versions: Vec<String> =
        peers.iter().map(|(kind, version)| format!("{} {version}", kind.name())).collect();
    format!(
        "{title}\n\n\
         On the PATH of this run: {}. Small programs and those of published tables, where the \
         answer is safe or a failing assertion; peers get a bound on loops that suffices, and do \
         not look for deadlocks, memory errors or misuse, which Unravel does. {} s for each, the \
         median of three runs if they are short. × is Unravel's time divided by the peer's, where \
         both are right: below 1, Unravel needs less. `- error`: it gives no answer (CBMC refuses \
         programs whose pointers it cannot follow through threads); `- unknown`: the bound is \
         too small for it.\n\n{}\n{}",
        versions.join(", "),
        LIMIT.as_secs(),
        table(peers, rows),
        peers.iter().enumerate().map(|(n, it)| summary(n, it.0, rows)).collect::<String>(),
    )
}

fn table(peers: &[(Kind, String)], rows: &[Measured]) -> Table {
    let mut header = cells(&["program", "answer", "ms", "engine ms"]);
    let mut texts = vec![0, 1];
    for (kind, _) in peers {
        texts.push(header.len());
        header.extend([kind.name().to_owned()]);
        header.extend(cells(&["ms", "engine ms", "× time", "× engine"]));
    }
    let mut table = Table::new(header).text(&texts);
    for row in rows {
        let mut line = vec![row.name.clone()];
        line.extend(answer_and_times(&row.ours));
        for (number, run) in row.theirs.iter().enumerate() {
            let pair = pair_with(row, number, peers[number].0);
            line.extend(answer_and_times(run));
            line.push(ratio(pair.as_ref().map(|it| it.whole)));
            line.push(ratio(pair.and_then(|it| it.engine)));
        }
        table.row(line);
    }
    table
}

fn answer_and_times(run: &Run) -> [String; 3] {
    let (whole, engine) = match run.solved {
        true => (ms(Some(run.whole)), ms(run.engine)),
        false => (String::new(), String::new()),
    };
    [run.label().to_owned(), whole, engine]
}

fn pair_with(row: &Measured, number: usize, kind: Kind) -> Option<Pair> {
    pair(&row.name, kind, &row.ours, row.theirs.get(number)?)
}

/// How many each solves, and the means over what both solve.
fn summary(number: usize, kind: Kind, rows: &[Measured]) -> String {
    let pairs: Vec<Pair> = rows.iter().filter_map(|row| pair_with(row, number, kind)).collect();
    let solved = |run: &dyn Fn(&Measured) -> bool| rows.iter().filter(|row| run(row)).count();
    let theirs = |row: &Measured| row.theirs.get(number).is_some_and(|run| run.solved);
    let wrong = |row: &Measured| row.theirs.get(number).is_some_and(|run| run.wrong);
    let mut text = format!(
        "Of {} programs Unravel solves {}, {} solves {} and is wrong on {}; both solve {}.",
        rows.len(),
        solved(&|row| row.ours.solved),
        kind.name(),
        solved(&theirs),
        solved(&wrong),
        pairs.len(),
    );
    let worst = pairs.iter().max_by(|a, b| a.whole.total_cmp(&b.whole));
    if let Some(worst) = worst {
        let slower = pairs.iter().filter(|pair| pair.whole > 1.0).count();
        let engine = geometric_mean(pairs.iter().filter_map(|pair| pair.engine));
        let engine = engine.map_or(String::new(), |it| format!(", {} × engine", ratio(Some(it))));
        text.push_str(&format!(
            " Geometric means of the ratios: {} × time{engine}. Unravel takes longer on {slower} of \
             them, at most {} × (`{}`).",
            ratio(geometric_mean(pairs.iter().map(|pair| pair.whole))),
            ratio(Some(worst.whole)),
            worst.program,
        ));
    }
    headline(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::Answer;

    fn run(answer: Answer, solved: bool, whole: f64) -> Run {
        let wrong = !solved && matches!(answer, Answer::Safe | Answer::Unsafe);
        Run { answer, solved, wrong, whole, engine: Some(whole / 2.0), front: None, peak: 1.0 }
    }

    #[test]
    fn without_a_peer_it_says_so() {
        let text = text(&[], &[]);
        assert!(text.contains("No peer (CBMC, Deagle) was on the PATH") && !text.contains('|'));
    }

    #[test]
    fn ratios_only_where_both_are_right() {
        let row = |name: &str, theirs: Run| Measured {
            name: name.to_owned(),
            ours: run(Answer::Unsafe, true, 1.0),
            theirs: vec![theirs],
        };
        let rows = [
            row("slower", run(Answer::Unsafe, true, 0.5)),
            row("faster", run(Answer::Unsafe, true, 8.0)),
            row("late", run(Answer::Time, false, 5.0)),
            row("wrong", run(Answer::Safe, false, 0.1)),
        ];
        let text = text(&[(Kind::Cbmc, "6.3.1".to_owned())], &rows);
        assert!(text.contains("On the PATH of this run: cbmc 6.3.1."), "{text}");
        assert!(text.contains("cbmc solves 2 and is wrong on 1; both solve 2."), "{text}");
        assert!(
            text.contains("0.50 × time") && text.contains("at most 2.00 × (`slower`)"),
            "{text}"
        );
        let late = text.lines().find(|line| line.starts_with("| late")).unwrap();
        assert!(late.contains("- time") && !late.contains("5000"), "{late}");
    }

    #[test]
    fn published_programs_are_asked() {
        let names: Vec<String> = tasks().unwrap().into_iter().map(|(name, _)| name).collect();
        for name in ["small/race1", "figures/conc_xy", "concbugassist/reorder", "alves/lazy01_ok"] {
            assert!(names.iter().any(|it| it == name), "{name}");
        }
        assert!(!names.iter().any(|it| it == "alves/carter"), "a deadlock is not for peers");
    }
}
