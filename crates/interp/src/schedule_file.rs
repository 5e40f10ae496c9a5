//! Schedules as files: small, versioned, readable, and enough to replay a run.
//!
//! ```text
//! unravel-schedule 1
//! tool 0.1.0
//! source race.c 6f1d0f0e5a3b2c44
//! memory-model sc
//! unwind none
//! properties reach memory deadlock misuse
//! violation assertion
//! step 0
//! step 2 choose 5 0
//! end
//! ```
//!
//! One `step` line per decision: the thread, and after `choose` the answers to what its step asks.
//! `source` lines carry a fingerprint of the text, so that a replay on changed source can say so.
//! What follows a `#` is for people.

use std::fmt::Write as _;

use unravel_program::Program;
use xxhash_rust::xxh3::xxh3_64;

use crate::property::{Properties, Property};
use crate::schedule::Decision;
use crate::state::ThreadId;

/// Format version.
const VERSION: u32 = 1;

/// The content of a schedule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleFile {
    /// Version of the tool that wrote it.
    pub tool: String,
    /// User files with a fingerprint of their text.
    pub sources: Vec<(String, String)>,
    /// `--unwind`, if it was given.
    pub unwind: Option<u32>,
    /// Properties that were checked.
    pub properties: Properties,
    /// Kind of the violation it ends in, if any.
    pub violation: Option<String>,
    /// The run, each decision with a remark.
    pub decisions: Vec<Decision>,
}

/// A file that is no schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleError {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong, as a clause.
    pub message: String,
}

/// Fingerprints of a program's user files, in order.
///
/// Headers below an absolute path are left out: the system's may change without a change of the
/// program.
#[must_use]
pub fn sources(program: &Program) -> Vec<(String, String)> {
    let texts = program.files.iter().filter_map(|(_, file)| {
        let text = file.text.as_deref().filter(|_| !file.path.starts_with("/usr/"))?;
        Some((file.path.clone(), format!("{:016x}", xxh3_64(text.as_bytes()))))
    });
    texts.collect()
}

impl ScheduleFile {
    /// The file's text; `remarks` are put behind the steps they belong to.
    #[must_use]
    pub fn print(&self, remarks: &[String]) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "unravel-schedule {VERSION}");
        let _ = writeln!(out, "tool {}", self.tool);
        for (path, hash) in &self.sources {
            let _ = writeln!(out, "source {path} {hash}");
        }
        let _ = writeln!(out, "memory-model sc");
        let unwind = self.unwind.map_or("none".to_owned(), |bound| bound.to_string());
        let _ = writeln!(out, "unwind {unwind}");
        let names: Vec<&str> = self.properties.iter().map(Property::name).collect();
        let _ = writeln!(out, "properties {}", names.join(" "));
        if let Some(violation) = &self.violation {
            let _ = writeln!(out, "violation {violation}");
        }
        for (index, decision) in self.decisions.iter().enumerate() {
            let _ = write!(out, "step {}", decision.thread.0);
            if !decision.choices.is_empty() {
                let choices: Vec<String> = decision.choices.iter().map(u128::to_string).collect();
                let _ = write!(out, " choose {}", choices.join(" "));
            }
            match remarks.get(index).filter(|remark| !remark.is_empty()) {
                Some(remark) => {
                    let _ = writeln!(out, "  # {remark}");
                }
                None => out.push('\n'),
            }
        }
        out.push_str("end\n");
        out
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// The first line that does not fit the format.
    pub fn parse(text: &str) -> Result<ScheduleFile, ScheduleError> {
        let mut file = ScheduleFile {
            tool: String::new(),
            sources: Vec::new(),
            unwind: None,
            properties: Properties::NONE,
            violation: None,
            decisions: Vec::new(),
        };
        let mut ended = false;
        for (index, raw) in text.lines().enumerate() {
            let fail = |message: String| ScheduleError { line: index + 1, message };
            let line = raw.split('#').next().unwrap_or("").trim();
            if index == 0 {
                check_version(line).map_err(fail)?;
            } else if line == "end" {
                ended = true;
            } else if !line.is_empty() {
                file.line(line).map_err(fail)?;
            }
        }
        if !ended {
            let message = "the file ends without `end`: it was cut short".to_owned();
            return Err(ScheduleError { line: text.lines().count().max(1), message });
        }
        Ok(file)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (key, rest) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "tool" => self.tool = rest.to_owned(),
            "source" => {
                let parts = rest.rsplit_once(' ').ok_or("expected a path and a fingerprint")?;
                self.sources.push((parts.0.to_owned(), parts.1.to_owned()));
            }
            "memory-model" if rest == "sc" => {}
            "memory-model" => return Err(format!("unknown memory model `{rest}`")),
            "unwind" if rest == "none" => self.unwind = None,
            "unwind" => self.unwind = Some(number(rest)?),
            "properties" => {
                for name in rest.split_whitespace() {
                    let property = Property::named(name);
                    let property = property.ok_or(format!("unknown property `{name}`"))?;
                    self.properties = self.properties.with(property);
                }
            }
            "violation" => self.violation = Some(rest.to_owned()),
            "step" => self.decisions.push(parse_step(rest)?),
            _ => return Err(format!("unknown word `{key}`")),
        }
        Ok(())
    }
}

fn check_version(line: &str) -> Result<(), String> {
    match line.strip_prefix("unravel-schedule ") {
        Some(version) if version == VERSION.to_string() => Ok(()),
        Some(version) => Err(format!("version {version} is not supported, only {VERSION}")),
        None => Err("this is no schedule: it does not begin with `unravel-schedule`".to_owned()),
    }
}

fn parse_step(rest: &str) -> Result<Decision, String> {
    let (thread, choices) = match rest.split_once(" choose ") {
        Some((thread, choices)) => (thread, choices),
        None => (rest, ""),
    };
    let choices: Result<Vec<u128>, String> = choices.split_whitespace().map(number).collect();
    Ok(Decision { thread: ThreadId(number(thread.trim())?), choices: choices? })
}

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("expected a number, found `{text}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> ScheduleFile {
        let step = |thread, choices: &[u128]| Decision {
            thread: ThreadId(thread),
            choices: choices.to_vec(),
        };
        ScheduleFile {
            tool: "0.1.0".to_owned(),
            sources: vec![("a b.c".to_owned(), "00ff".to_owned())],
            unwind: Some(3),
            properties: Properties::by_default(),
            violation: Some("assertion".to_owned()),
            decisions: vec![step(0, &[]), step(2, &[5, u128::MAX])],
        }
    }

    #[test]
    fn what_is_printed_parses_back() {
        let file = sample();
        let text = file.print(&["main starts".to_owned(), String::new()]);
        assert_eq!(ScheduleFile::parse(&text), Ok(file));
    }

    #[test]
    fn what_is_no_schedule_is_refused_with_its_line() {
        let error = |text: &str| ScheduleFile::parse(text).map_err(|error| error.line);
        assert_eq!(error("hello\n"), Err(1));
        assert_eq!(error("unravel-schedule 9\nend\n"), Err(1));
        assert_eq!(error("unravel-schedule 1\nstep x\nend\n"), Err(2));
        assert_eq!(error("unravel-schedule 1\nstep 0\n"), Err(2));
        assert_eq!(error(""), Err(1));
    }
}
