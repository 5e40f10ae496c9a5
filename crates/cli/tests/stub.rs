//! What a program lacks: all of it is named at once, `stub` writes it, and a compilation database has
//! the rest.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::Path;

use support::{code, stderr, stdout, unravel};

const LACKING: &str = "#include <assert.h>\n#include <pthread.h>\n\
    struct part { int size; struct part *next; };\ntypedef struct part part_t;\n\
    int read_part(part_t *into);\npart_t *first_part(void);\nvoid log_part(const char *, ...);\n\
    int never_called(void);\nstatic int seen;\n\
    static void *work(void *arg) { part_t *p = first_part(); if (p) seen = p->size; return arg; }\n\
    int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, work, 0);\n    part_t p;\n\
    if (read_part(&p))\n        log_part(\"%d\", 1);\n    pthread_join(t, 0);\n\
    assert(seen == 0);\n    return 0;\n}\n\
    static int unused(void) { return never_called(); }\n";

fn written(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn all_that_is_missing_is_named_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", LACKING);
    let output = unravel(&["check", &file]);
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    for name in ["read_part", "first_part", "log_part"] {
        let call = format!("call of `{name}`, which no given file defines");
        assert!(stdout(&output).contains(&call), "{}", stdout(&output));
    }
    assert!(!stdout(&output).contains("never_called"), "{}", stdout(&output));
}

#[test]
fn a_program_with_its_stubs_has_an_answer() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = written(folder.path(), "a.c", LACKING);
    let stubs = unravel(&["stub", &file]);
    assert_eq!(code(&stubs), 0, "{}", stderr(&stubs));
    let stubs = written(folder.path(), "stubs.c", &stdout(&stubs));
    let output = unravel(&["check", &file, &stubs]);
    assert_eq!(code(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let output = unravel(&["stub", &file, &stubs]);
    assert_eq!((code(&output), stdout(&output).as_str()), (0, ""));
    assert!(stderr(&output).contains("nothing is missing"), "{}", stderr(&output));
}

/// A library, two programs that use it, and their database.
fn project(folder: &Path) -> String {
    written(folder, "inc/sum.h", "int add(int);\nextern int sum;\n");
    written(
        folder,
        "src/sum.c",
        "#include \"sum.h\"\nint sum;\nint add(int x) { return sum += x; }\n",
    );
    let main =
        "#include \"sum.h\"\n#ifndef APP\n#error\n#endif\nint main(void) { return add(1); }\n";
    written(folder, "src/app.c", main);
    written(folder, "src/tool.c", main);
    let build = folder.join("build");
    let entry = |file: &str, target: &str| {
        format!(
            r#"{{"directory":"{0}","file":"../src/{file}","output":"CMakeFiles/{target}.dir/{file}.o",
                "command":"cc -DAPP -I../inc -o CMakeFiles/{target}.dir/{file}.o -c ../src/{file}"}}"#,
            build.display()
        )
    };
    let entries = [entry("sum.c", "sum"), entry("app.c", "app"), entry("tool.c", "tool")];
    let text = format!("[{}]", entries.join(","));
    written(folder, "build/compile_commands.json", &text);
    build.display().to_string()
}

#[test]
fn a_target_is_taken_out_of_a_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = project(folder.path());
    let output = unravel(&["check", "-p", &build]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("choose a target with `--target`"), "{}", stderr(&output));
    let output = unravel(&["check", "-p", &build, "--target", "app", "--target", "sum"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let output = unravel(&["check", "-p", &build, "--target", "other"]);
    assert_eq!(code(&output), 2);
    assert!(stderr(&output).contains("there are `app`, `sum` and `tool`"), "{}", stderr(&output));
}

#[test]
fn a_test_of_ones_own_stands_beside_the_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let build = project(folder.path());
    let test =
        "#include <assert.h>\n#include \"sum.h\"\nint main(void) { add(2); assert(sum == 3); }\n";
    let test = written(folder.path(), "tests/own.c", test);
    for rest in [&[][..], &["--target", "sum"]] {
        let args = [&["check", "-p", &build, &test], rest].concat();
        let output = unravel(&args);
        assert_eq!(code(&output), 1, "{args:?}: {}", stderr(&output));
        assert!(stdout(&output).contains("own.c:3"), "{}", stdout(&output));
    }
}
