//! `--args`: what a program is called with.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::{code, json, stderr, stdout, unravel};

/// Prints its options and operands.
const OPTIONS: &str = r#"
#include <stdio.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "n:vx::q")) != -1)
        printf("%c [%s] %d\n", c, optarg ? optarg : "", c == '?' ? optopt : 0);
    for (int i = 1; i < argc; i++)
        printf("%s%s\n", i == optind ? "| " : "", argv[i]);
    return 0;
}
"#;

fn written(folder: &Path, text: &str) -> (PathBuf, String) {
    let file = folder.join("a.c");
    std::fs::write(&file, text).expect("written");
    let name = file.display().to_string();
    (file, name)
}

#[test]
fn a_program_sees_what_it_is_called_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, name) = written(folder.path(), OPTIONS);
    let binary = folder.path().join("a");
    let built = Command::new("clang-19").arg("-w").arg(&file).arg("-o").arg(&binary).status();
    assert!(built.expect("clang runs").success());
    for words in ["", "-n 3 -v", "-v5", "a -n3 b -q c", "-x7 -x -qv -n", "a -- -v", "-vn 4 x -q"] {
        let real = Command::new(&binary).args(words.split_whitespace()).output().expect("runs");
        let ours = unravel(&["run", &name, &format!("--args={words}")]);
        assert_eq!(stdout(&ours), stdout(&real), "{words:?}: {}", stderr(&ours));
    }
}

#[test]
fn an_answer_names_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <assert.h>\n#include <string.h>\n\
                int main(int argc, char **argv) {\n\
                assert(argc == 3 && !strcmp(argv[2], \"b c\"));\n return 0;\n}\n";
    let (_, name) = written(folder.path(), text);
    let (exit, report) = json(&["check", &name, "--args", "a 'b c'"]);
    assert_eq!((exit, report["verdict"].as_str()), (0, Some("safe")));
    assert_eq!(report["bounds"]["arguments"], serde_json::json!(["a", "b c"]));
    let shown = stdout(&unravel(&["check", &name, "--args", "a 'b c'"]));
    assert!(shown.contains("called with `a b c`"), "{shown}");
    assert_eq!(code(&unravel(&["check", &name, "--args", "a b"])), 1);
}

#[test]
fn without_one_a_program_that_looks_is_not_safe() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, name) =
        written(folder.path(), "int main(int argc, char **argv) { return argc > 7; }\n");
    let output = unravel(&["check", &name]);
    assert_eq!(code(&output), 3);
    assert!(stdout(&output).contains("--args ''"), "{}", stdout(&output));
    let output = unravel(&["check", &name, "--args", ""]);
    assert_eq!(code(&output), 0);
    assert!(stdout(&output).contains("called without arguments"), "{}", stdout(&output));
}

#[test]
fn what_cannot_be_taken_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, name) = written(folder.path(), "int main(void) { return 0; }\n");
    let output = unravel(&["check", &name, "--args", "it's"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("a quotation mark is not closed"), "{}", stderr(&output));
    let output = unravel(&["check", &name, "--args", "3"]);
    assert_eq!(code(&output), 0);
    assert!(stderr(&output).contains("`main` takes no arguments"), "{}", stderr(&output));
}

#[test]
fn the_written_run_is_called_alike() {
    let output = unravel(&["sequentialize", "corpus/semantics/settings_bad.c", "--args=2"]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("argc = 2;") && text.contains(r#"{"program", "2", NULL}"#), "{text}");
}
