//! `unravel doctor`, on this machine and on one without anything.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::process::Command;

use support::{code, stderr, stdout, unravel};

#[test]
fn on_this_machine_all_that_is_required_is_there() {
    let output = unravel(&["doctor"]);
    let text = stdout(&output);
    assert_eq!(code(&output), 0, "{text}");
    assert!(text.ends_with("\nall that is required is there\n"), "{text}");
    for what in ["unravel", "clang", "check", "hooks", "machine"] {
        let line = text.lines().find(|line| line.split_whitespace().nth(1) == Some(what));
        assert!(line.is_some_and(|line| line.starts_with("ok ")), "{what}: {text}");
    }
}

#[test]
fn without_any_program_it_says_what_is_missing() {
    let empty = tempfile::tempdir().expect("a folder");
    for path in [empty.path().as_os_str(), "".as_ref()] {
        let output = Command::new(env!("CARGO_BIN_EXE_unravel"))
            .arg("doctor")
            .env_clear()
            .env("PATH", path)
            .output()
            .expect("unravel starts");
        let text = stdout(&output);
        assert_eq!(code(&output), 1, "{text}{}", stderr(&output));
        assert_eq!(stderr(&output), "");
        assert!(text.contains("apt install clang-19"), "{text}");
        assert!(text.ends_with("\nrequired and missing: clang, check\n"), "{text}");
        for what in ["hooks", "gcc", "git", "patch", "gdb", "tsan", "cbmc", "deagle", "genmc"] {
            let line = text.lines().find(|line| line.split_whitespace().nth(1) == Some(what));
            assert!(line.is_some_and(|line| line.starts_with("optional ")), "{what}: {text}");
        }
    }
}
