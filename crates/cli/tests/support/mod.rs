//! What the tests of the built program share.
#![allow(dead_code, reason = "each test binary uses a part")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

pub mod compiled;
pub mod differing;
pub mod engines;
pub mod shown;

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;
use unravel_corpus::CorpusProgram;
pub use unravel_corpus::root;

/// The time limit of a run whose test names none. No expectation may depend on how fast the machine
/// is, as it would with the default limit of one minute: this one only ends a run that would never
/// end.
pub const HANG_GUARD: &str = "--time-limit=30m";

/// How long a compiled program may take before it counts as hanging. All take milliseconds, if the
/// machine has time for them.
pub const HANG_TIME: Duration = Duration::from_secs(5 * 60);

/// The commands that have a time limit.
const LIMITED: [&str; 6] = ["check", "compare", "diagnose", "localize", "repair", "sequentialize"];

/// Arguments of a call, with [`HANG_GUARD`] if the command has a time limit and they name none.
pub fn guarded<'a>(args: &[&'a str]) -> Vec<&'a str> {
    let at = args.iter().position(|&arg| arg == "--").unwrap_or(args.len());
    let names_one = args[..at].iter().any(|it| it.starts_with("--time-limit"));
    let mut all = args.to_vec();
    if args.first().is_some_and(|it| LIMITED.contains(it)) && !names_one {
        all.insert(at, HANG_GUARD);
    }
    all
}

/// The built program, run from the root of the repository.
pub fn unravel(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unravel"));
    command.args(guarded(args)).current_dir(root()).env_remove("NO_COLOR").stdin(Stdio::null());
    command.output().expect("unravel starts")
}

/// Exit code; −1 if it died by a signal.
pub fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JSON report of a run of `unravel … --format json`, validated against the schema.
pub fn json(args: &[&str]) -> (i32, Value) {
    let mut all = args.to_vec();
    let at = all.iter().position(|&arg| arg == "--").unwrap_or(all.len());
    all.splice(at..at, ["--format", "json"]);
    let output = unravel(&all);
    let text = stdout(&output);
    let value: Value = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{args:?}: {error}\n{text}\n{}", stderr(&output)));
    validate(&value, args);
    (code(&output), value)
}

/// Checks a report against `docs/report.schema.json`.
fn validate(value: &Value, args: &[&str]) {
    let text = std::fs::read_to_string(root().join("docs/report.schema.json")).expect("schema");
    let schema: Value = serde_json::from_str(&text).expect("a schema");
    let validator = jsonschema::validator_for(&schema).expect("a valid schema");
    let errors: Vec<String> = validator.iter_errors(value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{args:?}: the report does not fit the schema: {errors:#?}");
}

/// The programs of the corpus, by directory and name.
pub fn corpus() -> Vec<CorpusProgram> {
    well_formed(unravel_corpus::all())
}

/// The programs of the corpus that fail, by directory and name.
pub fn failing_corpus() -> Vec<CorpusProgram> {
    well_formed(unravel_corpus::failing())
}

/// The programs of the corpus that fail and are in one of these directories.
pub fn failing_in(directories: &[&str]) -> Vec<CorpusProgram> {
    let mut programs = failing_corpus();
    programs.retain(|it| directories.contains(&it.directory()));
    programs
}

/// The program at a path from the root of the repository.
pub fn corpus_program(shown: &str) -> CorpusProgram {
    well_formed(unravel_corpus::program(shown))
}

/// What was read of the corpus; a malformed header fails the test with its file and line.
fn well_formed<T>(read: Result<T, unravel_corpus::Error>) -> T {
    read.unwrap_or_else(|error| panic!("{error}"))
}

/// Fails if something went wrong, with a line for each.
pub fn none_fail(failed: &[String]) {
    assert!(failed.is_empty(), "{} failed:\n{}", failed.len(), failed.join("\n"));
}

/// An item that takes longer is named: among thousands, one of them can take longer than the rest.
const SLOW_SECONDS: u64 = 20;

/// Runs `check` on every item, on two threads; collects what went wrong. Of many items it says how
/// far it has come, so that a run that is stopped has told something.
pub fn failures<T: Sync>(
    items: &[T],
    check: impl Fn(&T) -> Result<(), String> + Sync,
) -> Vec<String> {
    let next = Mutex::new(0usize);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = {
                        let mut next = next.lock().expect("lock");
                        *next += 1;
                        *next - 1
                    };
                    let Some(item) = items.get(index) else { break };
                    let begun = Instant::now();
                    if let Err(message) = check(item) {
                        println!("item {index}: {message}");
                        failed.lock().expect("lock").push((index, message));
                    }
                    let seconds = begun.elapsed().as_secs();
                    if seconds >= SLOW_SECONDS {
                        println!("item {index} took {seconds} s");
                    }
                    if index > 0 && index % 250 == 0 {
                        println!("{index} of {} done", items.len());
                    }
                }
            });
        }
    });
    let mut failed = failed.into_inner().expect("lock");
    failed.sort();
    failed.into_iter().map(|(_, message)| message).collect()
}

/// Builds a C program with clang and runs it: its output and exit code. `None` if it hangs.
pub fn run_natively(source: &Path, folder: &Path) -> Result<Option<(Vec<u8>, i32)>, String> {
    let binary = folder.join(format!(
        "{}.bin",
        source.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default()
    ));
    let built = Command::new("clang-19")
        .args(["-O0", "-w", "-pthread", "-o"])
        .arg(&binary)
        .arg(source)
        .arg("-lm")
        .output()
        .map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err(stderr(&built));
    }
    let mut child = Command::new(&binary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut pipe = child.stdout.take().ok_or("no pipe")?;
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read until an error counts.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            break Some(status);
        }
        if start.elapsed() > HANG_TIME {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let bytes = reader.join().map_err(|_| "the reader failed")?;
    // Not needed any more, and large.
    let _ = std::fs::remove_file(&binary);
    Ok(status.map(|status| (bytes, status.code().unwrap_or(-1))))
}

/// The exit code that `unravel run` says the program ended with.
pub fn program_exit_code(output: &Output) -> Option<i32> {
    let text = stderr(output);
    let line = text.lines().find(|line| line.contains("ended with exit code"))?;
    line.rsplit(' ').next()?.parse().ok()
}
