//! Checks that generated programs have no undefined behaviour.
//!
//! `cargo run --example validate -- [count [first seed]]` compiles each program
//! with clang -O0, with the address and undefined-behaviour sanitizers, with
//! the memory sanitizer and with gcc -O2, runs all of them, and compares what
//! they print and return. Needs clang-19 with its runtime library, and gcc.
//!
//! With the word `simplify` at the end, it is not the programs themselves that
//! are checked but what a random chain of simplifications makes of them.

use std::path::Path;
use std::process::{Command, ExitCode, Output};
use unravel_cgen::SequentialProgram;

/// A compiler with its options.
const BUILDS: &[(&str, &[&str])] = &[
    ("clang-19", &["-O0"]),
    ("clang-19", &["-O1", "-fsanitize=undefined,address", "-fno-sanitize-recover=all"]),
    ("clang-19", &["-O1", "-fsanitize=memory", "-fno-sanitize-recover=all"]),
    ("gcc", &["-O2"]),
];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1).map_while(|arg| arg.parse::<u64>().ok());
    let count = args.next().unwrap_or(30);
    let first = args.next().unwrap_or(0);
    let dir = std::env::temp_dir().join(format!("cgen-validate-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&dir) {
        eprintln!("cannot make {}: {error}", dir.display());
        return ExitCode::FAILURE;
    }
    let simplify = std::env::args().any(|arg| arg == "simplify");
    let failures = (first..first + count).filter(|seed| !check(&dir, *seed, simplify)).count();
    // A directory left behind does no harm.
    let _ = std::fs::remove_dir_all(&dir);
    println!("{count} seeds, {failures} failures");
    if failures == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Does every build of the program behave the same?
fn check(dir: &Path, seed: u64, simplify: bool) -> bool {
    let mut program = SequentialProgram::generate(seed);
    if simplify {
        program = simplified(program, seed);
    }
    let text = program.source();
    let Err(error) = validate(dir, &text) else { return true };
    println!("seed {seed}: {error}");
    if simplify {
        println!("{text}");
    }
    false
}

/// Goes through 20 simplifications, chosen by the seed.
fn simplified(program: SequentialProgram, seed: u64) -> SequentialProgram {
    let mut choice = seed;
    (0..20).fold(program, |program, _| {
        choice =
            choice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut candidates = program.simplifications();
        // The first ones remove nearly all; they would end the chain at once.
        let from = candidates.len() / 4;
        let index = from + (choice >> 33) as usize % (candidates.len() - from).max(1);
        if index < candidates.len() { candidates.swap_remove(index) } else { program }
    })
}

fn validate(dir: &Path, text: &str) -> Result<(), String> {
    let source = dir.join("program.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    let mut expected: Option<(Vec<u8>, i32)> = None;
    for (compiler, options) in BUILDS {
        let output = build_and_run(&source, &dir.join("program"), compiler, options)?;
        let label = format!("{compiler} {}", options.join(" "));
        let code = output.status.code().ok_or(format!("{label}: killed"))?;
        if !output.stderr.is_empty() {
            return Err(format!("{label}: {}", String::from_utf8_lossy(&output.stderr)));
        }
        match &expected {
            None => expected = Some((output.stdout, code)),
            Some(first) if *first == (output.stdout, code) => {}
            Some(_) => return Err(format!("{label}: differs from the first build")),
        }
    }
    match expected {
        Some((_, 0..=125)) => Ok(()),
        _ => Err("exit code out of range".into()),
    }
}

fn build_and_run(
    source: &Path,
    binary: &Path,
    compiler: &str,
    options: &[&str],
) -> Result<Output, String> {
    let mut build = Command::new(compiler);
    build.args(options).arg("-w").arg(source).arg("-o").arg(binary).arg("-lm");
    let built = build.output().map_err(|error| format!("{compiler}: {error}"))?;
    if !built.status.success() {
        return Err(format!("{compiler}: {}", String::from_utf8_lossy(&built.stderr)));
    }
    // A second is the promise; the sanitizers are slower.
    let run = Command::new("timeout").arg("10").arg(binary).output();
    run.map_err(|error| error.to_string())
}
