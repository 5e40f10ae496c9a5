//! The run itself, section by section; each prints its table when it is done.

use crate::compare::{self, Pair, exponent, geometric_mean, median};
use crate::deadlocks::Tally;
use crate::families::{self, Right, Series};
use crate::options::Options;
use crate::peers::{self, Kind, Run, Task, Tool};
use crate::table::{Table, cells, ms, power, ratio, target};
use crate::{corpus, small};

/// One program through all tools: Unravel's run, then one for each peer.
struct Row {
    ours: Option<Run>,
    theirs: Vec<Option<Run>>,
}

/// Unravel's time divided by a peer's published one, on a small program.
struct Published {
    program: &'static str,
    peer: Kind,
    ratio: f64,
}

/// Tools and what has been measured so far.
pub struct Session<'a> {
    options: &'a Options,
    unravel: Tool,
    peers: Vec<Tool>,
    pairs: Vec<Pair>,
    published: Vec<Published>,
    /// Engine times of the figures that were solved.
    figures: Vec<f64>,
    deadlocks: Tally,
    /// Programs on which Unravel's answer was wrong.
    wrong: Vec<String>,
}

impl<'a> Session<'a> {
    /// Looks for the tools.
    pub fn new(options: &'a Options) -> Result<Session<'a>, String> {
        // A copy: a build during the run must not change what is measured.
        let path = families::directory()?.join("unravel");
        std::fs::copy(&options.unravel, &path).map_err(|error| {
            format!("{}: {error}; build it with `make build`", options.unravel.display())
        })?;
        Ok(Session {
            options,
            unravel: Tool { kind: Kind::Unravel, path },
            peers: peers::installed(),
            pairs: Vec::new(),
            published: Vec::new(),
            figures: Vec::new(),
            deadlocks: Tally::default(),
            wrong: Vec::new(),
        })
    }

    /// Unravel gave no wrong answer.
    pub fn all_right(&self) -> bool {
        self.wrong.is_empty()
    }

    /// What is compared, and on what machine.
    pub fn heading(&self) {
        let names: Vec<&str> = self.peers.iter().map(|peer| peer.kind.name()).collect();
        let names = if names.is_empty() { "none on the PATH".to_owned() } else { names.join(", ") };
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
        let load = load.split_whitespace().next().unwrap_or("?");
        println!("# Benchmark\n");
        println!("Peers: {names}. Limit {} s.", self.options.limit.as_secs_f64());
        println!("{cores} cores, load {load} at the start.");
        println!("A ratio (×) is Unravel divided by the peer: below 1, Unravel needs less.");
    }

    /// The programs of the texts that Unravel builds on.
    pub fn figures(&mut self) -> Result<(), String> {
        let rows = self.group("Figures", corpus::programs("figures")?)?;
        let solved: Vec<&Run> = rows.iter().filter_map(solved).collect();
        self.figures = solved.iter().filter_map(|run| run.engine).collect();
        let of = |value: fn(&Run) -> Option<f64>| {
            median(solved.iter().filter_map(|run| value(run)).collect())
        };
        println!(
            "\nMedian of {} solved: whole {} ms, engine {} ms, front {} ms, rest {} ms, peak {:.0} MB.",
            solved.len(),
            ms(of(|run| Some(run.whole))),
            ms(of(|run| run.engine)),
            ms(of(|run| run.front)),
            ms(of(Run::rest)),
            of(|run| Some(run.peak)).unwrap_or(0.0),
        );
        Ok(())
    }

    /// All other programs of the corpus.
    pub fn rest_of_corpus(&mut self) -> Result<(), String> {
        self.group("Primitives", corpus::programs("primitives")?)?;
        self.group("Semantics", corpus::programs("semantics")?)?;
        Ok(())
    }

    /// The six small programs, beside what was published.
    pub fn small(&mut self) -> Result<(), String> {
        let tasks: Result<Vec<Task>, String> = small::ALL.iter().map(small::Small::task).collect();
        let rows = self.group("Small programs", tasks?)?;
        for (program, row) in small::ALL.iter().zip(&rows) {
            for peer in [Kind::Cbmc, Kind::Deagle] {
                if let Some((run, seconds)) = solved(row).zip(program.published(peer)) {
                    let ratio = run.whole / seconds;
                    self.published.push(Published { program: program.name, peer, ratio });
                }
            }
        }
        self.print_published();
        Ok(())
    }

    fn print_published(&self) {
        println!("\nBeside published times of the peers (whole process, loaded machine):\n");
        let mut table = Table::new(cells(&["program", "cbmc ms", "× time", "deagle ms", "× time"]));
        for program in small::ALL {
            let mut row = vec![program.name.to_owned()];
            for peer in [Kind::Cbmc, Kind::Deagle] {
                let found =
                    self.published.iter().find(|p| p.program == program.name && p.peer == peer);
                row.push(program.published(peer).map_or("-".to_owned(), |time| ms(Some(time))));
                row.push(ratio(found.map(|p| p.ratio)));
            }
            table.row(row);
        }
        let mean = |peer| ratio(self.published_mean(peer));
        let (cbmc, deagle) = (mean(Kind::Cbmc), mean(Kind::Deagle));
        table.row(cells(&["geometric mean", "", &cbmc, "", &deagle]));
        print!("{table}");
    }

    fn published_mean(&self, peer: Kind) -> Option<f64> {
        geometric_mean(self.published.iter().filter(|p| p.peer == peer).map(|p| p.ratio))
    }

    /// Runs and prints a group of programs.
    fn group(&mut self, title: &str, tasks: Vec<Task>) -> Result<Vec<Row>, String> {
        println!("\n## {title}\n");
        let mut table = Table::new([cells(&["program"]), self.columns()].concat());
        let mut rows = Vec::new();
        for task in tasks {
            let asked: Vec<bool> = self.peers.iter().map(|_| task.for_peers).collect();
            let row = self.measure(&task, true, &asked)?;
            table.row([vec![task.name.clone()], self.numbers(&task.name, &row)].concat());
            rows.push(row);
        }
        print!("{table}");
        Ok(rows)
    }

    /// The families, and how each grows.
    pub fn families(&mut self) -> Result<(), String> {
        let wanted = |series: &&Series| {
            self.options.family.as_ref().is_none_or(|family| series.family == family)
        };
        let wanted: Vec<&Series> = families::all().filter(wanted).collect();
        let mut overview = Table::new(self.overview_header());
        for series in wanted {
            let row = self.series(series)?;
            overview.row(row);
        }
        println!(
            "\n## How the cost grows\n\nTo the largest N solved (≥: no larger one was tried); k is in cost ~ N^k, from half of it on.\n"
        );
        print!("{overview}");
        Ok(())
    }

    /// The classic programs with deadlocks, beside what was published.
    pub fn deadlocks(&mut self) -> Result<(), String> {
        if !self.deadlocks.is_empty() {
            let floor = self.measure(&families::empty()?, true, &[])?;
            self.deadlocks.print(solved(&floor));
        }
        Ok(())
    }

    fn overview_header(&self) -> Vec<String> {
        let mut header = cells(&["family", "N", "whole ms", "engine ms", "k time", "k memory"]);
        for peer in &self.peers {
            let name = peer.kind.name();
            header.extend([format!("{name} N"), format!("{name} ms"), "k time".to_owned()]);
        }
        header
    }

    /// One family with growing N until no tool solves it; the row of the overview.
    fn series(&mut self, series: &Series) -> Result<Vec<String>, String> {
        let expected = match series.right {
            Right::Safe => "safe".to_owned(),
            Right::Fails(property) => format!("unsafe ({property})"),
        };
        println!("\n## {}\n\n{}. Expected: {expected}.\n", series.name, series.what);
        let header = [cells(&["N"]), self.columns(), cells(&["growth"])].concat();
        let mut table = Table::new(header);
        let mut asked = true;
        let mut peers_asked = vec![series.for_peers(); self.peers.len()];
        let mut solved_by_us: Vec<(u32, Run)> = Vec::new();
        let mut solved_by_peers: Vec<Vec<(u32, Run)>> =
            self.peers.iter().map(|_| Vec::new()).collect();
        let sizes = series.sizes(self.options.quick);
        for &n in sizes {
            if !asked && !peers_asked.contains(&true) {
                break;
            }
            let task = series.task(n)?;
            let row = self.measure(&task, asked, &peers_asked)?;
            let growth = solved_by_us.last().zip(solved(&row));
            let growth = growth.and_then(|((m, last), run)| time_growth((*m, last), (n, run)));
            let numbers = self.numbers(&task.name, &row);
            table.row([vec![n.to_string()], numbers, vec![power(growth)]].concat());
            asked = keep(&mut solved_by_us, n, row.ours);
            for (number, run) in row.theirs.into_iter().enumerate() {
                peers_asked[number] = keep(&mut solved_by_peers[number], n, run);
            }
        }
        print!("{table}");
        self.deadlocks.add(series, sizes, &solved_by_us);
        let mut overview = vec![series.name.to_owned()];
        overview.extend(grown(&solved_by_us, asked, true));
        let peers = solved_by_peers.iter().zip(&peers_asked);
        overview.extend(peers.flat_map(|(runs, open)| grown(runs, *open, false)));
        Ok(overview)
    }

    /// Runs a program through the tools that are asked.
    fn measure(&mut self, task: &Task, asked: bool, peers: &[bool]) -> Result<Row, String> {
        eprintln!("{}", task.name);
        let times = if self.options.quick { 1 } else { 3 };
        let run = |tool: &Tool, asked: bool| -> Result<Option<Run>, String> {
            asked.then(|| tool.median(task, self.options.limit, times)).transpose()
        };
        let ours = run(&self.unravel, asked)?;
        let theirs: Result<Vec<Option<Run>>, String> =
            self.peers.iter().zip(peers).map(|(tool, asked)| run(tool, *asked)).collect();
        if ours.as_ref().is_some_and(|run| run.wrong) {
            self.wrong.push(task.name.clone());
        }
        Ok(Row { ours, theirs: theirs? })
    }

    fn columns(&self) -> Vec<String> {
        let mut header =
            cells(&["answer", "whole ms", "engine ms", "front ms", "rest ms", "peak MB"]);
        for peer in &self.peers {
            let name = peer.kind.name();
            header.extend([name.to_owned(), format!("{name} ms"), format!("{name} MB")]);
            header.extend(cells(&["× time", "× engine", "× memory"]));
        }
        header
    }

    /// The cells below [`Session::columns`]; ratios are kept for the means.
    fn numbers(&mut self, program: &str, row: &Row) -> Vec<String> {
        let mut line = match &row.ours {
            None => vec![String::new(); 6],
            Some(run) if !run.solved => cells(&[run.label(), "-", "-", "-", "-", "-"]),
            Some(run) => {
                let peak = format!("{:.0}", run.peak);
                let times = [Some(run.whole), run.engine, run.front, run.rest()].map(ms);
                [vec![run.label().to_owned()], times.to_vec(), vec![peak]].concat()
            }
        };
        for (tool, theirs) in self.peers.iter().zip(&row.theirs) {
            let pair = row.ours.as_ref().zip(theirs.as_ref());
            let pair = pair.and_then(|(ours, run)| compare::pair(program, tool.kind, ours, run));
            line.extend(peer_cells(theirs.as_ref(), pair.as_ref()));
            self.pairs.extend(pair);
        }
        line
    }

    /// The geometric means over everything that both solve.
    pub fn ratios(&self) {
        if self.peers.is_empty() {
            return;
        }
        println!("\n## Ratios, geometric means over what both solve\n");
        let header = ["peer", "programs", "× time", "× engine", "× memory", "worst time", "on"];
        let mut table = Table::new(cells(&header));
        for peer in self.peers.iter().map(|peer| peer.kind) {
            let pairs = || self.pairs.iter().filter(move |pair| pair.peer == peer);
            let worst = self.worst(peer);
            table.row(vec![
                peer.name().to_owned(),
                pairs().count().to_string(),
                ratio(geometric_mean(pairs().map(|pair| pair.whole))),
                ratio(geometric_mean(pairs().filter_map(|pair| pair.engine))),
                ratio(geometric_mean(pairs().filter_map(|pair| pair.memory))),
                ratio(worst.map(|pair| pair.whole)),
                worst.map_or(String::new(), |pair| pair.program.clone()),
            ]);
        }
        print!("{table}");
    }

    fn worst(&self, peer: Kind) -> Option<&Pair> {
        let pairs = self.pairs.iter().filter(|pair| pair.peer == peer);
        pairs.max_by(|a, b| a.whole.total_cmp(&b.whole))
    }

    /// What is to be reached, and what was.
    pub fn targets(&self) {
        println!("\n## Targets\n");
        let mut table = Table::new(cells(&["target", "measured", "reached"]));
        if self.options.family.is_none() {
            let engine = median(self.figures.clone());
            table.row(target(
                "engine, median over the figures, at most 50 ms",
                engine.map(|engine| format!("{} ms", ms(Some(engine)))),
                engine.is_some_and(|engine| engine <= 0.050),
            ));
        }
        let (ratios, source) = self.whole_ratios(Kind::Deagle);
        let count = ratios.len();
        let mean = geometric_mean(ratios.into_iter());
        table.row(target(
            "whole process, geometric mean, not slower than Deagle",
            mean.map(|mean| format!("{mean:.2} ({count} programs, {source})")),
            mean.is_some_and(|mean| mean <= 1.0),
        ));
        let (ratios, source) = self.whole_ratios(Kind::Cbmc);
        let count = ratios.len();
        let worst = ratios.into_iter().max_by(f64::total_cmp);
        table.row(target(
            "whole process never slower than CBMC on what both solve",
            worst.map(|worst| format!("at worst {worst:.2} ({count} programs, {source})")),
            worst.is_some_and(|worst| worst <= 1.0),
        ));
        print!("{table}");
        if !self.wrong.is_empty() {
            println!("\nWRONG ANSWERS of Unravel: {}", self.wrong.join(", "));
        }
    }

    /// Ratios of whole time to a peer: from this run, or else from what was published. The latter
    /// are few and from another time, so the table says where they are from.
    fn whole_ratios(&self, peer: Kind) -> (Vec<f64>, &'static str) {
        let pairs = self.pairs.iter().filter(|pair| pair.peer == peer);
        let measured: Vec<f64> = pairs.map(|pair| pair.whole).collect();
        if !measured.is_empty() {
            return (measured, "this run");
        }
        let published = self.published.iter().filter(|p| p.peer == peer);
        (published.map(|p| p.ratio).collect(), "published times only")
    }
}

fn solved(row: &Row) -> Option<&Run> {
    row.ours.as_ref().filter(|run| run.solved)
}

/// What growth is measured in: the engine alone where known, without the floor that clang is.
fn cost(run: &Run) -> f64 {
    run.engine.unwrap_or(run.whole)
}

/// The exponent of time between two sizes, where both take long enough.
fn time_growth(from: (u32, &Run), to: (u32, &Run)) -> Option<f64> {
    let (before, after) = (cost(from.1), cost(to.1));
    let measurable = compare::measurable(before) && compare::measurable(after);
    measurable.then(|| exponent((from.0, before), (to.0, after))).flatten()
}

/// Keeps a run that solved size `n`; whether the next size is to be asked.
fn keep(runs: &mut Vec<(u32, Run)>, n: u32, run: Option<Run>) -> bool {
    let run = run.filter(|run| run.solved);
    let go_on = run.is_some();
    runs.extend(run.map(|run| (n, run)));
    go_on
}

/// Cells of the overview: the largest size, its cost, and the growth from half of that size on
/// (over more than one step, since one step is noisy). `open`: no larger size was tried.
fn grown(runs: &[(u32, Run)], open: bool, ours: bool) -> Vec<String> {
    let Some((n, last)) = runs.last() else {
        return cells(if ours { &["-", "", "", "", ""] } else { &["-", "", ""] });
    };
    let half = runs.iter().rev().find(|(m, _)| *m <= *n / 2).or(runs.first());
    let time = half.and_then(|(m, run)| time_growth((*m, run), (*n, last)));
    let memory = half.and_then(|(m, run)| exponent((*m, run.peak), (*n, last.peak)));
    let n = format!("{}{n}", if open { "≥ " } else { "" });
    let whole = ms(Some(last.whole));
    match ours {
        true => vec![n, whole, ms(last.engine), power(time), power(memory)],
        false => vec![n, whole, power(time)],
    }
}

fn peer_cells(run: Option<&Run>, pair: Option<&Pair>) -> Vec<String> {
    let mut line = match run {
        None => vec![String::new(); 3],
        Some(run) if !run.solved => cells(&[run.label(), "-", "-"]),
        Some(run) => {
            vec![run.label().to_owned(), ms(Some(run.whole)), format!("{:.0}", run.peak)]
        }
    };
    line.push(ratio(pair.map(|pair| pair.whole)));
    line.push(ratio(pair.and_then(|pair| pair.engine)));
    line.push(ratio(pair.and_then(|pair| pair.memory)));
    line
}
