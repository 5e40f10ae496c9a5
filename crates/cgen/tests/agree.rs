//! Programs compile, and an optimizing compiler finds nothing to differ about.
//! Needs clang-19; `examples/validate.rs` runs the sanitizers as well.

#![allow(clippy::unwrap_used)] // a test may panic

use std::path::{Path, PathBuf};
use std::process::Command;
use unravel_cgen::{SequentialProgram, sequential, shrink};

fn scratch(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn compiles(source: &Path, binary: &Path, level: &str) -> bool {
    let mut clang = Command::new("clang-19");
    clang.args([level, "-w"]).arg(source).arg("-o").arg(binary).arg("-lm");
    clang.status().unwrap().success()
}

/// What the program prints and returns.
fn run(dir: &Path, text: &str, level: &str) -> (String, i32) {
    let (source, binary) = (dir.join("program.c"), dir.join("program"));
    std::fs::write(&source, text).unwrap();
    assert!(compiles(&source, &binary, level), "does not compile:\n{text}");
    // A program that takes milliseconds elsewhere hangs if it takes so long.
    let output = Command::new("timeout").arg("5m").arg(&binary).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn optimization_changes_nothing() {
    let dir = scratch("agree");
    for seed in 0..30 {
        let program = sequential(seed);
        let plain = run(&dir, &program.source, "-O0");
        assert!((0..=125).contains(&plain.1), "seed {seed} returns {}", plain.1);
        assert!(plain.0.contains("checksum "), "seed {seed} prints no checksum");
        assert_eq!(plain, run(&dir, &program.source, "-O2"), "seed {seed}");
    }
}

#[test]
fn simplifications_compile() {
    let dir = scratch("simplify");
    for seed in 0..3 {
        let candidates = SequentialProgram::generate(seed).simplifications();
        for candidate in candidates.iter().step_by(candidates.len() / 8 + 1) {
            run(&dir, &candidate.source(), "-O0");
        }
    }
}

#[test]
fn shrinking_leaves_little_besides_what_matters() {
    let wanted = "__builtin_bswap32";
    let fails = |program: &SequentialProgram| program.source().contains(wanted);
    let program = (0..).map(SequentialProgram::generate).find(fails).unwrap();
    let small = shrink(program, fails);
    assert!(fails(&small));
    assert!(small.source().lines().count() < 30, "{}", small.source());
    assert!(!small.simplifications().iter().any(fails));
    run(&scratch("shrink"), &small.source(), "-O0");
}
