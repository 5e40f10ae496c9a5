//! `make bench`: what recording costs.
//!
//! Five programs (`bench/src/recording`), each built by clang, by clang with ThreadSanitizer and by
//! `unravel cc`, all with `-O2`. A recorded run is one of `unravel record --mode serial`, its file
//! included. Times are the least of three runs. Prints Markdown; the exit code is 2 if something
//! could not be run. A target that is missed is only printed.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// The programs, and how many rounds they go.
const PROGRAMS: [(&str, &str); 5] = [
    ("compressor", "50"),
    ("hash_table", "50"),
    ("array_sum", "100"),
    ("matrix", "50"),
    ("queue", "20"),
];

/// Recording may take so many times what ThreadSanitizer takes, on the geometric mean.
const TARGET: f64 = 1.5;
const RUNS: usize = 3;

fn main() -> ExitCode {
    match bench() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn bench() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let unravel = root.join("target/release/unravel");
    let folder = root.join("target/bench/recording");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    println!("## Recording\n");
    println!(
        "| program | native | hooks, not recorded | ThreadSanitizer | recorded | events | million events/s | bytes/event | recorded ÷ ThreadSanitizer |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut product = 1.0;
    for (name, rounds) in PROGRAMS {
        let source = root.join("bench/src/recording").join(name).with_extension("c");
        let row = Row::measure(&unravel, &source, &folder, rounds)?;
        product *= row.recorded / row.sanitized;
        row.print(name);
    }
    let mean = product.powf(1.0 / PROGRAMS.len() as f64);
    let word = if mean <= TARGET { "reached" } else { "missed" };
    println!(
        "\nGeometric mean: {mean:.1} times ThreadSanitizer; the target of {TARGET} is {word}."
    );
    Ok(())
}

/// Seconds, and what was recorded.
struct Row {
    native: f64,
    hooked: f64,
    sanitized: f64,
    recorded: f64,
    events: f64,
    bytes: f64,
}

impl Row {
    fn measure(unravel: &Path, source: &Path, folder: &Path, rounds: &str) -> Result<Row, String> {
        let plain = build(&["clang-19"], source, &folder.join("native"))?;
        let sanitizer = ["clang-19", "-fsanitize=thread"];
        let sanitized = build(&sanitizer, source, &folder.join("sanitized"))?;
        let own = unravel.to_string_lossy();
        let hooked = build(&[&own, "cc"], source, &folder.join("hooked"))?;
        let run = folder.join("run");
        let (to, program) = (run.to_string_lossy(), hooked.to_string_lossy());
        let recorded = least(unravel, &["record", "-o", &to, &program, rounds])?;
        let said = Command::new(unravel).args(["record", "-o", &to, &program, rounds]).output();
        let said = said.map_err(|error| error.to_string())?;
        let bytes = std::fs::metadata(&run).map_err(|error| error.to_string())?.len();
        Ok(Row {
            native: least(&plain, &[rounds])?,
            hooked: least(&hooked, &[rounds])?,
            sanitized: least(&sanitized, &[rounds])?,
            recorded,
            events: events(&String::from_utf8_lossy(&said.stderr)).ok_or("no events")?,
            bytes: bytes as f64,
        })
    }

    fn print(&self, name: &str) {
        let Row { native, hooked, sanitized, recorded, events, bytes } = self;
        let (rate, each) = (events / recorded / 1e6, bytes / events);
        let ratio = recorded / sanitized;
        println!(
            "| {name} | {native:.3} s | {hooked:.3} s | {sanitized:.3} s | {recorded:.3} s | \
             {events} | {rate:.1} | {each:.2} | {ratio:.1} |"
        );
    }
}

/// The number before `events` in what `record` says.
fn events(said: &str) -> Option<f64> {
    let (before, _) = said.split_once(" events")?;
    before.rsplit(' ').next()?.parse().ok()
}

fn build(compiler: &[&str], source: &Path, to: &Path) -> Result<PathBuf, String> {
    let (program, flags) = compiler.split_first().ok_or("no compiler")?;
    let mut command = Command::new(program);
    command.args(flags).args(["-O2", "-g", "-pthread", "-o"]).arg(to).arg(source);
    match command.status() {
        Ok(status) if status.success() => Ok(to.to_owned()),
        Ok(status) => Err(format!("{compiler:?}: {status}")),
        Err(error) => Err(format!("{compiler:?}: {error}")),
    }
}

/// The shortest time of some runs, in seconds.
fn least(program: &Path, arguments: &[&str]) -> Result<f64, String> {
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        let begin = Instant::now();
        let mut command = Command::new(program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
        if !status.success() {
            return Err(format!("{}: {status}", program.display()));
        }
        least = least.min(begin.elapsed().as_secs_f64());
    }
    Ok(least)
}
