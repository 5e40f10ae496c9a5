//! The few arguments.

use std::path::PathBuf;
use std::time::Duration;

use crate::families;

/// What `--help` prints.
pub const HELP: &str = "\
Time and memory of Unravel on the corpus and on growing programs, beside its peers

Usage: unravel-bench [OPTIONS]

  --quick           small sizes, the figures only, one run each, limit 5 s
  --limit SECONDS   stop each run after this time (default 20)
  --family NAME     only this family: counter, fibonacci, reorder, stack, array,
                    philosophers, lockcycle, buffer_cond, buffer_sem, readers
  --unravel PATH    this program instead of target/release/unravel";

/// What to run.
pub struct Options {
    /// Few and small programs, each run once.
    pub quick: bool,
    /// Time limit of each run.
    pub limit: Duration,
    /// Only this family, and no corpus.
    pub family: Option<String>,
    /// The program to measure.
    pub unravel: PathBuf,
}

/// What the arguments ask for.
pub enum Asked {
    /// Print the help.
    Help,
    /// Measure with these options.
    Run(Options),
}

/// Reads the arguments.
pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Asked, String> {
    let mut quick = false;
    let mut limit = None;
    let mut family = None;
    let mut unravel = crate::corpus::root().join("target/release/unravel");
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value"));
        match argument.as_str() {
            "--quick" => quick = true,
            "--limit" => limit = Some(seconds(&value()?)?),
            "--family" => family = Some(known_family(value()?)?),
            "--unravel" => unravel = PathBuf::from(value()?),
            "-h" | "--help" => return Ok(Asked::Help),
            _ => return Err(format!("unknown argument `{argument}`; see --help")),
        }
    }
    let limit = limit.unwrap_or(Duration::from_secs(if quick { 5 } else { 20 }));
    Ok(Asked::Run(Options { quick, limit, family, unravel }))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number > 0.0);
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .ok_or(format!("`{text}` is not a number of seconds"))
}

fn known_family(name: String) -> Result<String, String> {
    match families::names().contains(&name.as_str()) {
        true => Ok(name),
        false => Err(format!("unknown family `{name}`; see --help")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(arguments: &[&str]) -> Result<Options, String> {
        match parse(arguments.iter().map(ToString::to_string))? {
            Asked::Run(options) => Ok(options),
            Asked::Help => Err("help".to_owned()),
        }
    }

    #[test]
    fn a_limit_given_beats_the_one_of_quick() {
        assert_eq!(run(&["--quick"]).unwrap().limit, Duration::from_secs(5));
        assert_eq!(run(&["--limit", "0.5", "--quick"]).unwrap().limit, Duration::from_millis(500));
    }

    #[test]
    fn the_help_names_all_families() {
        for name in families::names() {
            assert!(HELP.contains(name), "{name}");
            assert!(run(&["--family", name]).is_ok(), "{name}");
        }
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in [["--limit", "-1"], ["--limit", "soon"], ["--family", "trees"]] {
            assert!(run(&wrong).is_err(), "{wrong:?}");
        }
        assert!(run(&["--family"]).is_err());
    }
}
