//! Limits and signals reach a command wherever it is. Nothing here would end by itself, so a limit
//! that is not heard makes a test run for ever, whatever the speed of the machine.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use support::{code, json, stderr, stdout, unravel};

const SMALL: &str = "int main(void) { return 0; }\n";

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// A compiler that says that it runs, and then does nothing for an hour.
fn slow_compiler(folder: &Path) -> (String, PathBuf) {
    let started = folder.join("started");
    let text = format!("#!/bin/sh\n: > '{}'\nsleep 3600\n", started.display());
    let path = written(folder, "slow", &text);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("executable");
    (path, started)
}

fn ended(child: Child) -> Output {
    child.wait_with_output().expect("it ends")
}

fn send(child: &Child, signal: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
}

#[test]
fn a_compiler_ends_at_the_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", SMALL);
    let (slow, _) = slow_compiler(folder.path());
    for command in ["check", "diagnose", "repair", "compare", "localize", "sequentialize"] {
        let output = unravel(&[command, &file, "--clang", &slow, "--time-limit", "200ms"]);
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&output), 3, "{command}: {all}");
        assert!(all.contains("the time limit of 200 ms was reached"), "{command}: {all}");
    }
}

#[test]
fn what_is_said_at_the_limit_is_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", SMALL);
    let (slow, _) = slow_compiler(folder.path());
    let args = ["check", &file, "--races", "--clang", &slow, "--time-limit", "200ms"];
    let (_, report) = json(&args);
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["reasons"][0]["kind"], "budget");
    assert!(report["properties"].as_array().expect("a list").contains(&"race".into()));
}

#[test]
fn signals_end_a_command_while_a_compiler_runs() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().expect("a folder");
        let file = written(folder.path(), "a.c", SMALL);
        let (slow, started) = slow_compiler(folder.path());
        let child = Command::new(env!("CARGO_BIN_EXE_unravel"))
            .args(["check", &file, "--clang", &slow, "--time-limit", "1h"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        while !started.exists() {
            sleep(Duration::from_millis(5));
        }
        send(&child, signal);
        let output = ended(child);
        assert_eq!(code(&output), 130, "{signal}: {}{}", stdout(&output), stderr(&output));
        assert!(stdout(&output).contains("SUMMARY: inconclusive"), "{}", stdout(&output));
    }
}

/// Reports say so in a line of their own, and in JSON; `sequentialize` has no report.
#[test]
fn each_command_says_that_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", SMALL);
    let (slow, started) = slow_compiler(folder.path());
    for command in ["check", "diagnose", "repair", "compare", "localize", "sequentialize"] {
        let _ = std::fs::remove_file(&started);
        let child = Command::new(env!("CARGO_BIN_EXE_unravel"))
            .args([command, &file, "--clang", &slow, "--time-limit", "1h"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        while !started.exists() {
            sleep(Duration::from_millis(5));
        }
        send(&child, "-INT");
        let output = ended(child);
        let all = format!("{}{}", stdout(&output), stderr(&output));
        assert_eq!(code(&output), 130, "{command}: {all}");
        let said = if command == "sequentialize" {
            "it was interrupted"
        } else {
            "stopped: interrupted; "
        };
        assert!(all.contains(said), "{command}: {all}");
    }
    let args = ["diagnose", &file, "--clang", &slow, "--time-limit", "200ms"];
    let (_, report) = json(&args);
    let stopped = report["stopped"].as_str().expect("a sentence");
    assert!(stopped.starts_with("time limit of 200 ms; no failing run is known"), "{stopped}");
}

/// A lost update, which a mutex mends.
const LOST: &str = "#include <assert.h>\n#include <pthread.h>\nstatic int x;\n\
    static void *up(void *a) {\n    x++;\n    return a;\n}\n\
    int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, up, 0);\n    x++;\n    \
    pthread_join(t, 0);\n    assert(x == 2);\n    return 0;\n}\n";

/// The compiler of the patch never ends: by then the failing run and its causes are known.
#[test]
fn an_interrupted_repair_says_what_it_knows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", LOST);
    let started = folder.path().join("started");
    let text = format!(
        "#!/bin/sh\ncase \"$*\" in *-ivfsoverlay*) : > '{}'; sleep 3600;; esac\n\
         exec clang-19 \"$@\"\n",
        started.display()
    );
    let slow = written(folder.path(), "slow", &text);
    std::fs::set_permissions(&slow, std::fs::Permissions::from_mode(0o755)).expect("executable");
    let child = Command::new(env!("CARGO_BIN_EXE_unravel"))
        .args(["repair", &file, "--clang", &slow, "--time-limit", "1h"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    while !started.exists() {
        sleep(Duration::from_millis(5));
    }
    send(&child, "-INT");
    let output = ended(child);
    let shown = stdout(&output);
    assert_eq!(code(&output), 130, "{shown}{}", stderr(&output));
    let known = "stopped: interrupted; one failing run is known, no repair was verified yet";
    assert!(shown.contains(known), "{shown}");
    assert!(shown.contains("none was verified before the search was stopped"), "{shown}");
    assert!(!shown.contains("no order of steps is known"), "{shown}");
}

#[test]
fn a_pipe_is_not_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let pipe = folder.path().join("pipe.c").display().to_string();
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
    let output = unravel(&["check", &pipe]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("it is no regular file"), "{}", stderr(&output));
    let file = written(folder.path(), "a.c", SMALL);
    let output = unravel(&["run", &file, "--schedule", &pipe]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("it is no regular file"), "{}", stderr(&output));
}

/// Two endless counters have no end of states.
const ENDLESS: &str = "#include <pthread.h>\nvolatile unsigned long a, b, c;\n\
    static void *f(void *x) { for (;;) { a++; c += b; } return x; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); for (;;) { b++; c += a; } }\n";

#[test]
fn memory_has_a_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", ENDLESS);
    let limits = ["--engine", "explore", "--time-limit", "1h", "--memory-limit", "200M"];
    let args = [&["check", &file], &limits[..]].concat();
    let output = unravel(&args);
    assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("memory limit of 200 MiB"), "{}", stdout(&output));
}

#[test]
fn memory_that_is_refused_ends_with_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", ENDLESS);
    let command = format!(
        "ulimit -v 700000; exec '{}' check '{file}' --engine explore --time-limit 1h \
         --memory-limit 100G",
        env!("CARGO_BIN_EXE_unravel")
    );
    let output = Command::new("sh").args(["-c", &command]).output().expect("it runs");
    assert_eq!(code(&output), 3, "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).contains("there is no memory for"), "{}", stderr(&output));
    assert!(stdout(&output).contains("SUMMARY: inconclusive"), "{}", stdout(&output));
}
