//! How the cost of `unravel check` grows with the program, with a plot for each family; the peers on
//! the PATH beside it.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use crate::compare::{geometric_mean, pair};
use crate::families::{self, Right, Series};
use crate::peers::{self, Kind, Run, Tool};
use crate::plot::{Line, svg};
use crate::table::{Table, cells, ms, ratio};

use super::summary::headline;

/// A size that takes longer ends its series.
const LIMIT: Duration = Duration::from_secs(5);

/// The sizes that a tool solved, in growing order.
type Solved = Vec<(u32, Run)>;

/// The section, and the plots: name below `docs/`, and text.
pub struct Scaling {
    pub text: String,
    pub plots: Vec<(String, String)>,
    pub wrong: Vec<String>,
}

/// One series through all tools, Unravel first.
struct Measured {
    series: &'static Series,
    runs: Vec<Solved>,
}

/// Runs all families.
pub fn section(unravel: PathBuf) -> Result<Scaling, String> {
    let mut tools = vec![Tool { kind: Kind::Unravel, path: unravel }];
    tools.extend(peers::installed());
    let mut wrong = Vec::new();
    let mut all = Vec::new();
    for series in families::all() {
        eprintln!("{}", series.name);
        let runs = tools.iter().map(|tool| solved(tool, series, &mut wrong));
        all.push(Measured { series, runs: runs.collect::<Result<_, _>>()? });
    }
    let plots: Vec<(String, String)> = families::names()
        .into_iter()
        .filter_map(|family| Some((format!("plots/{family}.svg"), plot(family, &all, &tools)?)))
        .collect();
    let text = text(&all, &tools, &plots);
    Ok(Scaling { text, plots, wrong })
}

/// Growing sizes until one is not solved.
fn solved(tool: &Tool, series: &Series, wrong: &mut Vec<String>) -> Result<Solved, String> {
    let mut found = Vec::new();
    if tool.kind != Kind::Unravel && !series.for_peers() {
        return Ok(found);
    }
    for &n in series.sizes(false) {
        let task = series.task(n)?;
        let run = tool.median(&task, LIMIT, 3)?;
        if run.wrong && tool.kind == Kind::Unravel {
            wrong.push(format!("{}: the answer is wrong", task.name));
        }
        if !run.solved {
            break;
        }
        found.push((n, run));
    }
    Ok(found)
}

fn plot(family: &str, all: &[Measured], tools: &[Tool]) -> Option<String> {
    let mut lines = Vec::new();
    for measured in all.iter().filter(|it| it.series.family == family) {
        for (tool, runs) in tools.iter().zip(&measured.runs).filter(|(_, runs)| !runs.is_empty()) {
            let ours = tool.kind == Kind::Unravel;
            let name = match ours {
                true => measured.series.name.to_owned(),
                false => format!("{}, {}", measured.series.name, tool.kind.name()),
            };
            let points = runs.iter().map(|(n, run)| (f64::from(*n), run.whole * 1e3)).collect();
            let subject = measured.series.name.to_owned();
            lines.push(Line { name, subject, points, dashed: !ours });
        }
    }
    svg(family, "N", "ms, whole process", &lines)
}

fn text(all: &[Measured], tools: &[Tool], plots: &[(String, String)]) -> String {
    let names: Vec<&str> = tools.iter().skip(1).map(|tool| tool.kind.name()).collect();
    let beside = match names.is_empty() {
        true => "No peer (CBMC, Deagle) is on the PATH.".to_owned(),
        false => format!("Peers on the PATH: {}.", names.join(", ")),
    };
    let mut text = format!(
        "## How the cost grows\n\n\
         `unravel check` on families of generated programs with growing N, each size in less than \
         {} s, the median of three runs if they are short; the first size that takes longer ends a \
         line. `make bench` shows every size, and memory.\n{beside}\n\n{}\n{}",
        LIMIT.as_secs(),
        table(all, tools),
        ratios(all, tools),
    );
    for (file, _) in plots {
        let family = file.trim_start_matches("plots/").trim_end_matches(".svg");
        text.push_str(&format!("![{family}: time by N]({file})\n"));
    }
    text
}

fn table(all: &[Measured], tools: &[Tool]) -> Table {
    let mut header = cells(&["family", "what", "answer", "largest N", "ms", "engine ms"]);
    for tool in tools.iter().skip(1) {
        header.extend([format!("{} N", tool.kind.name()), "ms".to_owned()]);
    }
    let mut table = Table::new(header).text(&[0, 1, 2]);
    for Measured { series, runs } in all {
        let answer = match series.right {
            Right::Safe => "safe",
            Right::Fails(property) => property,
        };
        let mut row = cells(&[series.name, series.what, answer]);
        for (number, runs) in runs.iter().enumerate() {
            let last = runs.last();
            row.push(last.map_or("-".to_owned(), |(n, _)| n.to_string()));
            row.push(last.map_or(String::new(), |(_, run)| ms(Some(run.whole))));
            if number == 0 {
                row.push(last.map_or(String::new(), |(_, run)| ms(run.engine)));
            }
        }
        table.row(row);
    }
    table
}

/// Unravel's time divided by each peer's, over all sizes that both solve.
fn ratios(all: &[Measured], tools: &[Tool]) -> String {
    let mut text = String::new();
    for (number, tool) in tools.iter().enumerate().skip(1) {
        let mut pairs = Vec::new();
        for Measured { series, runs } in all {
            let theirs: BTreeMap<u32, &Run> = runs[number].iter().map(|(n, it)| (*n, it)).collect();
            for (n, ours) in &runs[0] {
                let run = theirs.get(n);
                pairs.extend(run.and_then(|run| pair(series.name, tool.kind, ours, run)));
            }
        }
        let whole = geometric_mean(pairs.iter().map(|pair| pair.whole));
        let engine = geometric_mean(pairs.iter().filter_map(|pair| pair.engine));
        let sentence = format!(
            "Unravel's time divided by that of {}, geometric mean over the {} sizes that both \
             solve: {} × whole, {} × engine.",
            tool.kind.name(),
            pairs.len(),
            ratio(whole),
            ratio(engine),
        );
        text.push_str(&headline(&sentence));
        text.push('\n');
    }
    text
}
