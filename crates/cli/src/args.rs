//! Arguments.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use unravel_interp::{Properties, Property};

use crate::exit;

mod compile;
mod help;
mod localize;
mod offered;
mod recorded;
mod repair;
mod sequentialize;
mod stub;

pub use compile::CompilerArguments;
pub use help::{CompletionsArguments, DoctorArguments, ExplainArguments, ManArguments};
pub use localize::LocalizeArguments;
pub use offered::offered;
pub use recorded::{Mode, RecordArguments, ReplayArguments, RunFormat, ShowArguments};
pub use repair::RepairArguments;
pub use sequentialize::SequentializeArguments;
pub use stub::StubArguments;

/// Finds, explains and repairs concurrency bugs in multithreaded C programs.
#[derive(Debug, Parser)]
#[command(name = "unravel", version, after_help = exit::HELP, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Is there a run, under any schedule, that violates a property?
    Check(CheckArguments),
    /// Which few thread orders make it fail, and what a run without them looks like
    Diagnose(DiagnoseArguments),
    /// The smallest change of the source that makes every schedule pass, verified
    Repair(RepairArguments),
    /// The passing run closest to the failing one, and what differs
    Compare(CompareArguments),
    /// Which values, if they were others, would let the failing run pass
    Localize(LocalizeArguments),
    /// The failing run as one plain C file without threads
    Sequentialize(SequentializeArguments),
    /// Stubs for all functions that the program lacks, as a C file on standard output
    Stub(StubArguments),
    /// Run the program once on the interpreter, or replay a schedule
    Run(RunArguments),
    /// One run of a program that `unravel cc` has built, recorded
    Record(RecordArguments),
    /// A recorded run, forced on the program again
    Replay(ReplayArguments),
    /// What is in a recorded run
    Show(ShowArguments),
    /// Compile C: clang, with hooks for recording and the runtime (CC="unravel cc", or unravel-cc)
    Cc(CompilerArguments),
    /// Compile C++: clang++, likewise (CXX="unravel c++", or unravel-c++)
    #[command(name = "c++")]
    Cxx(CompilerArguments),
    /// What a code or a pattern of a report means, and how it is usually repaired
    Explain(ExplainArguments),
    /// What is missing on this machine
    Doctor(DoctorArguments),
    /// Completions for a shell, on standard output
    Completions(CompletionsArguments),
    /// The manual page of `unravel` or of one of its commands, on standard output
    Man(ManArguments),
}

/// Where the program is.
#[derive(Debug, Args)]
pub struct Input {
    /// C files (.c, .i), LLVM bitcode (.bc) or assembly (.ll); several are linked into one program
    #[arg(value_name = "FILE", required_unless_present = "build")]
    pub files: Vec<PathBuf>,

    /// Take compiler flags from compile_commands.json in this directory; without FILEs, or with
    /// FILEs that it does not list (a test of one's own), all its C files come along
    #[arg(short = 'p', value_name = "DIR")]
    pub build: Option<PathBuf>,

    /// Of compile_commands.json, take the files of this program or library; can be repeated
    #[arg(long, value_name = "NAME", requires = "build")]
    pub target: Vec<String>,

    /// What the program is called with, in a shell's words: --args '3 100' (default: nothing)
    #[arg(long, value_name = "WORDS", allow_hyphen_values = true, value_parser = words)]
    pub args: Option<Words>,

    /// Calls that can fail for reasons outside the program do not: open, write, read, fopen, stat, ...
    /// (malloc has a switch of its own)
    #[arg(long)]
    pub assume_calls_succeed: bool,

    /// Use this clang instead of clang-19
    #[arg(long, value_name = "PATH")]
    pub clang: Option<PathBuf>,

    /// Flags for clang
    #[arg(last = true, value_name = "CLANG FLAGS")]
    pub flags: Vec<String>,
}

impl Input {
    /// What the program is called with; nothing if that is not said.
    pub fn arguments(&self) -> Vec<String> {
        self.args.as_ref().map_or_else(Vec::new, |it| it.0.clone())
    }
}

/// The words of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Words(pub Vec<String>);

/// Which properties to check.
#[derive(Debug, Args)]
#[command(next_help_heading = "Properties")]
pub struct PropertyArguments {
    /// Check only these
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = properties())]
    pub only: Vec<Property>,

    /// Check for data races, too
    #[arg(long)]
    pub races: bool,

    /// Check for undefined arithmetic, too: signed overflow, division by zero, shifts, conversions
    /// of floating-point numbers that do not fit
    #[arg(long)]
    pub ub: bool,

    /// Do not check assertions and error calls
    #[arg(long)]
    pub no_reach: bool,

    /// Do not check for memory errors
    #[arg(long)]
    pub no_memory: bool,

    /// Do not check for deadlocks
    #[arg(long)]
    pub no_deadlock: bool,

    /// Do not check for misuse of locks and their kind
    #[arg(long)]
    pub no_misuse: bool,
}

impl PropertyArguments {
    /// The set they describe.
    pub fn properties(&self) -> Properties {
        let base = if self.only.is_empty() {
            Properties::by_default()
        } else {
            self.only.iter().fold(Properties::NONE, |set, &property| set.with(property))
        };
        let added = [(self.races, Property::Race), (self.ub, Property::Ub)];
        let removed = [
            (self.no_reach, Property::Reach),
            (self.no_memory, Property::Memory),
            (self.no_deadlock, Property::Deadlock),
            (self.no_misuse, Property::Misuse),
        ];
        let base = added.iter().filter(|(on, _)| *on).fold(base, |set, (_, it)| set.with(*it));
        removed.iter().filter(|(on, _)| *on).fold(base, |set, (_, it)| set.without(*it))
    }
}

/// How far to go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Unroll every loop at most N times
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,

    /// Stop after this time, with what is known: 500ms, 60s, 5m
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub time_limit: Duration,

    /// Stop when the process takes this much memory: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = size)]
    pub memory_limit: u64,

    /// Stop after this many states
    #[arg(long, value_name = "N", default_value_t = 20_000_000)]
    pub max_states: usize,

    /// Let malloc return null
    #[arg(long)]
    pub malloc_may_fail: bool,
}

/// How to show the result.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// Form of the result on standard output
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,

    /// Colours
    #[arg(long, value_enum, default_value = "auto")]
    pub color: Color,

    /// More detail: local steps, numbers
    #[arg(short, long)]
    pub verbose: bool,
}

/// Form of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// One JSON object (docs/report.schema.json)
    Json,
    /// SARIF 2.1.0
    Sarif,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// How to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Decide all schedules at once with a SAT solver; what it does not model yet is explored
    Sat,
    /// Visit every state: exact, for small programs
    Explore,
}

/// `unravel check`.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct CheckArguments {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub given: GivenArguments,

    /// The engine
    #[arg(long, value_enum, default_value = "sat")]
    pub engine: Engine,

    /// Go on after the first violation and report each place that can fail
    #[arg(long)]
    pub all: bool,

    /// Also write: program[=FILE] (the intermediate form; without FILE, print it and stop),
    /// schedule=FILE (the failing run, for `unravel run --schedule`)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = emits(),
          hide_possible_values = true)]
    pub emit: Vec<Emit>,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// The failing run that a command is about.
#[derive(Debug, Args)]
pub struct GivenArguments {
    /// Be about this failing run instead of searching for one: a schedule that `--emit
    /// schedule=FILE` wrote, with the properties it was made for
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
}

/// `unravel diagnose`.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct DiagnoseArguments {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub given: GivenArguments,

    /// Also write: program[=FILE] (the intermediate form; without FILE, print it and stop),
    /// schedule=FILE (the failing run, for `unravel run --schedule`), passing=FILE (the passing run
    /// beside it)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = emits_of_two_runs(),
          hide_possible_values = true)]
    pub emit: Vec<Emit>,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// `unravel compare`.
#[derive(Debug, Args)]
#[command(after_help = exit::HELP)]
pub struct CompareArguments {
    #[command(flatten)]
    pub input: Input,

    #[command(flatten)]
    pub given: GivenArguments,

    /// What counts: data flows first, then segments, then switches; or all alike
    #[arg(long, value_name = "HOW", default_value = "lexicographic")]
    pub weights: WeightsName,

    /// The algorithm: from below by cores, or from above by better and better runs
    #[arg(long, value_name = "HOW", default_value = "cores")]
    pub maxsat: MaxsatName,

    /// Search all runs, and prove that none is closer
    #[arg(long, conflicts_with = "progressive")]
    pub exact: bool,

    /// Free the steps near the failure first (the default for long runs)
    #[arg(long)]
    pub progressive: bool,

    /// Give up proving after this many conflicts of the solver
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    pub conflicts: u64,

    /// Also write: schedule=FILE (the failing run, for `unravel run --schedule`), passing=FILE (the
    /// passing run beside it)
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = emits_of_two_runs(),
          hide_possible_values = true)]
    pub emit: Vec<Emit>,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub limits: LimitArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// What counts how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum WeightsName {
    /// Data flows, then segments, then context switches.
    Lexicographic,
    /// All three alike.
    Equal,
}

/// A MaxSAT algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MaxsatName {
    /// Core-guided (OLL).
    Cores,
    /// Linear search.
    Linear,
}

/// `unravel run`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes:
  0    the run is complete and violates nothing
  1    the run violates a property
  2    wrong usage, or input that cannot be read or compiled
  3    the run could not be completed, or does not follow the schedule")]
pub struct RunArguments {
    #[command(flatten)]
    pub input: Input,

    /// Replay this schedule instead of running each thread in its turn
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,

    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub max_steps: usize,

    #[command(flatten)]
    pub properties: PropertyArguments,

    #[command(flatten)]
    pub output: OutputArguments,
}

/// Something to write besides the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Emit {
    /// The program's text form.
    Program(Option<PathBuf>),
    /// The failing run.
    Schedule(PathBuf),
    /// The passing run beside it.
    Passing(PathBuf),
}

/// The argument parser. Which commands have a manual page is known only when all are put together.
pub fn command() -> clap::Command {
    let all = Arguments::command();
    let names = all.get_subcommands().map(clap::Command::get_name);
    let parser = offered(StringValueParser::new(), names);
    all.mut_subcommand("man", |man| man.mut_arg("command", |it| it.value_parser(parser)))
}

fn properties() -> impl TypedValueParser<Value = Property> {
    let names = PossibleValuesParser::new(Property::ALL.map(Property::name));
    names.try_map(|name| Property::named(&name).ok_or("there is no such property"))
}

fn emits() -> impl TypedValueParser<Value = Emit> {
    offered(emit, ["program", "program=", "schedule="])
}

/// What a command can write that shows a passing run, too.
fn emits_of_two_runs() -> impl TypedValueParser<Value = Emit> {
    let passing = |text: &str| match text.split_once('=') {
        Some(("passing", file)) => Ok(Emit::Passing(file.into())),
        _ => emit(text)
            .map_err(|_| "there are program[=FILE], schedule=FILE and passing=FILE".to_owned()),
    };
    offered(passing, ["program", "program=", "schedule=", "passing="])
}

fn emit(text: &str) -> Result<Emit, String> {
    match text.split_once('=') {
        None if text == "program" => Ok(Emit::Program(None)),
        Some(("program", file)) => Ok(Emit::Program(Some(file.into()))),
        Some(("schedule", file)) => Ok(Emit::Schedule(file.into())),
        None if text == "schedule" => Err("say where: schedule=FILE".to_owned()),
        _ => Err("there are program[=FILE] and schedule=FILE".to_owned()),
    }
}

fn words(text: &str) -> Result<Words, String> {
    let words = shlex::split(text).ok_or("a quotation mark is not closed")?;
    match words.iter().any(|it| it.contains('\0')) {
        true => Err("no argument has a zero byte".to_owned()),
        false => Ok(Words(words)),
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| "expected a time such as 60s".to_owned())?;
    match unit {
        "ms" => Ok(Duration::from_millis(number)),
        "" | "s" => Ok(Duration::from_secs(number)),
        "m" | "min" => Ok(Duration::from_secs(number.saturating_mul(60))),
        "h" => Ok(Duration::from_secs(number.saturating_mul(3600))),
        _ => Err("units are ms, s, m and h".to_owned()),
    }
}

fn size(text: &str) -> Result<u64, String> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let number: u64 = number.parse().map_err(|_| "expected a size such as 4G".to_owned())?;
    let shift = match unit.to_ascii_uppercase().trim_end_matches('B').trim_end_matches('I') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        _ => return Err("units are K, M and G".to_owned()),
    };
    number.checked_mul(1 << shift).ok_or_else(|| "that is too much".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn times_and_sizes() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(duration("soon").is_err());
        assert_eq!(size("4G"), Ok(4 << 30));
        assert_eq!(size("512MiB"), Ok(512 << 20));
        assert!(size("99999999999G").is_err());
    }

    #[test]
    fn words_are_those_of_a_shell() {
        assert_eq!(words(""), Ok(Words(Vec::new())));
        let split = ["3", "a b", ""].map(str::to_owned).to_vec();
        assert_eq!(words("3 'a b' \"\""), Ok(Words(split)));
        assert!(words("it's").is_err());
    }

    #[test]
    fn properties_add_and_remove() {
        let parse = |args: &[&str]| {
            let all = ["unravel", "check", "a.c"].iter().chain(args);
            match Arguments::try_parse_from(all).expect("valid").command {
                Command::Check(check) => check.properties.properties(),
                _ => Properties::NONE,
            }
        };
        assert_eq!(parse(&[]), Properties::by_default());
        assert!(parse(&["--races"]).has(Property::Race));
        assert_eq!(parse(&["--only", "reach,ub"]).iter().count(), 2);
        assert!(!parse(&["--no-deadlock"]).has(Property::Deadlock));
    }
}
