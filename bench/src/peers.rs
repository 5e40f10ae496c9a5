//! The tools: where they are, how they are called, and how their answers are read.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::measure::{self, Measured};

/// A program to check.
pub struct Task {
    /// How it is called in tables.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// The right answer.
    pub expected: Answer,
    /// What Unravel is to find wrong with it, as its report calls the property; none if anything
    /// will do.
    pub property: Option<String>,
    /// Flags of `unravel check` that the right answer needs.
    pub flags: Vec<String>,
    /// A bound on loops that suffices, for tools that need one.
    pub unwind: u32,
    /// Peers look for what is wrong with it.
    pub for_peers: bool,
}

/// What a tool says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// No run fails.
    Safe,
    /// A run fails.
    Unsafe,
    /// It cannot tell.
    Unknown,
    /// It ended in some other way.
    Error,
    /// It was ended by the limit.
    Time,
}

/// The tools that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// This project.
    Unravel,
    /// CBMC: every order of accesses as clauses over clocks.
    Cbmc,
    /// Deagle: CBMC's front end with a theory of orders.
    Deagle,
}

impl Kind {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unravel => "unravel",
            Kind::Cbmc => "cbmc",
            Kind::Deagle => "deagle",
        }
    }
}

/// A tool at its place.
pub struct Tool {
    /// Which one.
    pub kind: Kind,
    /// The program.
    pub path: PathBuf,
}

/// What one tool made of one program.
pub struct Run {
    /// Its answer.
    pub answer: Answer,
    /// It is the right one.
    pub solved: bool,
    /// The right answer is safe and it said unsafe, or the other way round; or it is unsafe for
    /// another reason than the one that was found.
    pub wrong: bool,
    /// Seconds from start to end.
    pub whole: f64,
    /// Seconds without parsing, where the tool says so.
    pub engine: Option<f64>,
    /// Seconds before that, where the tool says so: clang and lowering.
    pub front: Option<f64>,
    /// Memory of the largest process, in MB.
    pub peak: f64,
}

impl Run {
    /// Seconds that the tool's own clock does not see: starting, printing, ending.
    pub fn rest(&self) -> Option<f64> {
        let seen = self.engine? + self.front?;
        Some((self.whole - seen).max(0.0))
    }

    /// The answer in a table.
    pub fn label(&self) -> &'static str {
        match self.answer {
            _ if self.wrong => "- wrong",
            Answer::Safe => "safe",
            Answer::Unsafe => "unsafe",
            Answer::Unknown if self.solved => "unknown",
            Answer::Unknown => "- unknown",
            Answer::Error => "- error",
            Answer::Time => "- time",
        }
    }
}

/// The peers on the PATH.
pub fn installed() -> Vec<Tool> {
    let find = |kind: Kind| Some(Tool { kind, path: on_path(kind.name())? });
    [Kind::Cbmc, Kind::Deagle].into_iter().filter_map(find).collect()
}

fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|directory| directory.join(name)).find(|file| file.is_file())
}

impl Tool {
    /// What it says about its version, in one line.
    pub fn version(&self) -> String {
        let output = Command::new(&self.path).arg("--version").output();
        let said = output.map(|it| String::from_utf8_lossy(&it.stdout).into_owned());
        let said = said.unwrap_or_default();
        let line = said.lines().map(str::trim).find(|line| !line.is_empty());
        line.unwrap_or("version unknown").to_owned()
    }

    /// Runs it `times` times and takes the run of median time; once if it takes long, since the
    /// noise of the machine is small then.
    pub fn median(&self, task: &Task, limit: Duration, times: usize) -> Result<Run, String> {
        let mut runs = vec![self.run(task, limit)?];
        while runs.len() < times && runs.iter().all(|run| run.whole < 1.0) {
            runs.push(self.run(task, limit)?);
        }
        runs.sort_by(|a, b| a.whole.total_cmp(&b.whole));
        Ok(runs.swap_remove(runs.len() / 2))
    }

    fn run(&self, task: &Task, limit: Duration) -> Result<Run, String> {
        let output = crate::families::directory()?.join("output.txt");
        let measured = measure::run(&mut self.command(task, limit), limit, &output)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        let said = match self.kind {
            Kind::Unravel => unravel_said(&measured),
            Kind::Cbmc | Kind::Deagle => bmc_said(&measured),
        };
        let answer = if measured.timed_out { Answer::Time } else { said.answer };
        let solved = answer == task.expected && said.means(task);
        Ok(Run {
            answer,
            solved,
            wrong: !solved && matches!(answer, Answer::Safe | Answer::Unsafe),
            whole: measured.seconds,
            engine: said.engine,
            front: said.front,
            peak: measured.peak_mb,
        })
    }

    fn command(&self, task: &Task, limit: Duration) -> Command {
        let mut command = Command::new(&self.path);
        let unwind = task.unwind.to_string();
        let bounded = ["--unwind", &unwind, "--unwinding-assertions"];
        match self.kind {
            Kind::Unravel => {
                // Longer than ours, so that a run that takes too long always ends the same way.
                let limit = format!("{}ms", 2 * limit.as_millis());
                command.args(["check", "--format", "json", "--time-limit", &limit]);
                command.args(&task.flags);
            }
            // Without the checks that CBMC 6 makes by default and Deagle does not.
            Kind::Cbmc => {
                command.args(bounded).args(["--64", "--no-standard-checks"]);
                // With the times of its stages.
                command.args(["--verbosity", "9"]);
            }
            Kind::Deagle => {
                command.args(bounded).arg("--allow-pointer-unsoundness");
            }
        }
        command.arg(&task.path);
        command
    }
}

/// What can be read from a tool's output.
struct Said {
    answer: Answer,
    /// The properties that are violated, where the tool says so.
    violated: Option<Vec<String>>,
    engine: Option<f64>,
    front: Option<f64>,
}

impl Said {
    /// What was found, if anything, is what is wrong with the program.
    fn means(&self, task: &Task) -> bool {
        match (self.answer, &self.violated, &task.property) {
            (Answer::Unsafe, Some(violated), Some(property)) => violated.contains(property),
            _ => true,
        }
    }
}

fn unravel_said(measured: &Measured) -> Said {
    let report: Value = serde_json::from_str(&measured.output).unwrap_or_default();
    let answer = match report["verdict"].as_str() {
        Some("safe") => Answer::Safe,
        Some("unsafe") => Answer::Unsafe,
        Some("inconclusive") => Answer::Unknown,
        _ => Answer::Error,
    };
    let findings = report["findings"].as_array();
    let violated = findings.map(|findings| {
        let properties = findings.iter().filter_map(|finding| finding["property"].as_str());
        properties.map(str::to_owned).collect()
    });
    let seconds = |name: &str| report["stats"][name].as_f64().map(|ms| ms / 1000.0);
    let front = seconds("clang_ms");
    // The total less the front end, not the sum of the stages: each stage is cut to whole
    // milliseconds, and small programs spend less than that in most of them.
    let engine = seconds("time_ms").zip(front).map(|(total, front)| total - front);
    Said { answer, violated, engine, front }
}

/// CBMC and Deagle share their output and their exit codes.
fn bmc_said(measured: &Measured) -> Said {
    let answer = match measured.code {
        Some(0) => Answer::Safe,
        Some(10) if only_unwinding_failed(&measured.output) => Answer::Unknown,
        Some(10) => Answer::Unsafe,
        _ => Answer::Error,
    };
    Said { answer, violated: None, engine: bmc_engine(&measured.output), front: None }
}

/// A failed unwinding assertion says that the bound was too small, not that there is a bug.
fn only_unwinding_failed(output: &str) -> bool {
    let unwinding = "unwinding assertion";
    let mut failed = output.lines().filter(|line| line.ends_with(": FAILURE")).peekable();
    match failed.peek() {
        Some(_) => failed.all(|line| line.contains(unwinding)),
        // With one property only, it is named above the result.
        None => output.contains(unwinding),
    }
}

/// The decision procedure's time contains conversion and solver; it is printed once per call.
fn bmc_engine(output: &str) -> Option<f64> {
    let stages =
        ["Runtime Symex: ", "Runtime Postprocess Equation: ", "Runtime decision procedure: "];
    let seconds = |line: &str| -> Option<f64> {
        let time = stages.iter().find_map(|stage| line.strip_prefix(stage))?;
        time.trim_end().strip_suffix('s')?.parse().ok()
    };
    let found: Vec<f64> = output.lines().filter_map(seconds).collect();
    (!found.is_empty()).then(|| found.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(code: i32, output: &str) -> Measured {
        let output = output.to_owned();
        Measured { seconds: 1.0, peak_mb: 1.0, code: Some(code), timed_out: false, output }
    }

    #[test]
    fn a_bound_that_is_too_small_is_no_bug() {
        let bound = "[f.unwind.0] line 3 unwinding assertion loop 0: FAILURE\n";
        let bug = "[main.assertion.1] line 9 assertion x == 2: FAILURE\n";
        assert_eq!(bmc_said(&measured(10, bound)).answer, Answer::Unknown);
        assert_eq!(bmc_said(&measured(10, &format!("{bound}{bug}"))).answer, Answer::Unsafe);
        assert_eq!(bmc_said(&measured(0, "")).answer, Answer::Safe);
        assert_eq!(bmc_said(&measured(6, "")).answer, Answer::Error);
    }

    #[test]
    fn another_bug_than_the_known_one_is_not_the_right_answer() {
        let task = |property: &str| Task {
            name: String::new(),
            path: PathBuf::new(),
            expected: Answer::Unsafe,
            property: Some(property.to_owned()),
            flags: Vec::new(),
            unwind: 0,
            for_peers: false,
        };
        let report = r#"{"verdict": "unsafe", "findings": [{"property": "deadlock"}]}"#;
        let said = unravel_said(&measured(1, report));
        assert!(said.means(&task("deadlock")) && !said.means(&task("reach")));
        assert!(bmc_said(&measured(10, "")).means(&task("reach")));
    }

    #[test]
    fn engine_time_of_a_peer_is_the_sum_of_its_stages() {
        let output = "Runtime Symex: 0.5s\nRuntime Solver: 9s\nRuntime decision procedure: 0.25s\n\
                      Runtime decision procedure: 1.25e-1s\n";
        assert_eq!(bmc_engine(output), Some(0.875));
        assert_eq!(bmc_engine("nothing"), None);
    }

    #[test]
    fn engine_time_of_unravel_leaves_the_front_end_out() {
        let report = r#"{"verdict": "safe", "stats": {"clang_ms": 30, "time_ms": 32.5}}"#;
        let said = unravel_said(&measured(0, report));
        assert_eq!(said.answer, Answer::Safe);
        assert!(said.engine.is_some_and(|engine| (engine - 0.0025).abs() < 1e-9));
        assert_eq!(said.front, Some(0.03));
        assert_eq!(unravel_said(&measured(4, "")).answer, Answer::Error);
    }
}
