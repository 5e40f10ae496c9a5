//! Runs of Unravel, and the reports that they print.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::corpus::{self, Program};
use crate::measure;
use crate::peers::Answer;

/// What the tool is told; ours is longer, so that the tool can say what it knows by then.
const LIMIT: Duration = Duration::from_secs(60);
const GRACE: Duration = Duration::from_secs(30);

/// Runs are repeated as long as they are shorter: noise matters less in longer ones.
const SHORT: f64 = 1.0;
const TIMES: usize = 3;

/// The tool.
pub struct Unravel {
    pub path: PathBuf,
    output: PathBuf,
}

impl Unravel {
    /// Takes a copy: a build during the run must not change what is measured.
    pub fn new(program: &Path) -> Result<Unravel, String> {
        let directory = corpus::scratch("tables")?;
        let path = directory.join("unravel");
        std::fs::copy(program, &path).map_err(|error| {
            format!("{}: {error}; build it with `make build`", program.display())
        })?;
        Ok(Unravel { path, output: directory.join("output.json") })
    }

    /// What it says about itself, line by line.
    pub fn version(&self) -> Result<String, String> {
        let output = Command::new(&self.path).arg("--version").output();
        let output = output.map_err(|error| format!("{}: {error}", self.path.display()))?;
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err("`unravel --version` fails".to_owned()),
        }
    }

    /// The reports of a command on a program: several if it takes short, else one.
    pub fn reports(&self, command: &str, program: &Program) -> Result<Vec<Value>, String> {
        let mut reports = Vec::new();
        while reports.len() < TIMES {
            let (report, seconds) = self.report(command, program)?;
            reports.push(report);
            if seconds >= SHORT {
                break;
            }
        }
        Ok(reports)
    }

    fn report(&self, command: &str, program: &Program) -> Result<(Value, f64), String> {
        let limit = format!("{}s", LIMIT.as_secs());
        let root = corpus::root();
        // A relative path, since reports name it.
        let file = program.task.path.strip_prefix(&root).unwrap_or(&program.task.path);
        let mut run = Command::new(&self.path);
        run.current_dir(&root).args([command, "--format", "json", "--time-limit", &limit]);
        run.args(&program.task.flags).arg(file);
        let ran = measure::run(&mut run, LIMIT + GRACE, &self.output)
            .map_err(|error| format!("{}: {error}", self.path.display()))?;
        let said = format!("{}: `unravel {command}`", file.display());
        match (ran.code, serde_json::from_str::<Value>(&ran.output)) {
            (Some(0 | 1 | 3), Ok(report))
                if report["verdict"] == "safe" && program.task.expected != Answer::Safe =>
            {
                Err(format!("{said} says that it is safe, and it is not"))
            }
            (Some(0 | 1 | 3), Ok(report)) => Ok((report, ran.seconds)),
            (_, _) if ran.timed_out => Err(format!("{said} does not stop at its time limit")),
            (Some(code), _) => Err(format!("{said} ends with exit code {code} and no report")),
            (None, _) => Err(format!("{said} is ended by a signal")),
        }
    }
}
