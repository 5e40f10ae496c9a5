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
    assert!(shown.contains("for the command line `a a 'b c'`"), "{shown}");
    assert_eq!(code(&unravel(&["check", &name, "--args", "a b"])), 1);
}

/// What a shell gives: no arguments, its own name, a null behind it.
#[test]
fn without_one_a_program_is_called_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <assert.h>\n#include <string.h>\n\
                int main(int argc, char **argv) {\n\
                assert(argc == 1 && !strcmp(argv[0], \"a\") && !argv[1]);\n return 0;\n}\n";
    let (_, name) = written(folder.path(), text);
    let (exit, report) = json(&["check", &name]);
    assert_eq!((exit, report["verdict"].as_str()), (0, Some("safe")));
    assert_eq!(report["bounds"]["command_line"], serde_json::json!("a"));
    let shown = stdout(&unravel(&["check", &name]));
    let summary = shown.lines().last().unwrap_or_default();
    assert!(summary.contains("for the command line `a`;"), "{shown}");
}

#[test]
fn a_program_that_does_not_look_says_nothing_about_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "int main(int argc, char **argv) { (void)argc; (void)argv; return 0; }\n";
    let (_, name) = written(folder.path(), text);
    for command in ["check", "diagnose", "repair", "compare", "localize"] {
        let shown = stdout(&unravel(&[command, &name]));
        assert!(shown.contains("safe: ") && !shown.contains("command line"), "{shown}");
        let (_, report) = json(&[command, &name]);
        assert_eq!(report["bounds"].get("command_line"), None);
    }
}

/// Starts as many threads as it is told to.
const WORKERS: &str = "\
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int done;
static void *work(void *arg) { done++; return arg; }
int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, \"usage: %s WORKERS\\n\", argv[0]);
        return 2;
    }
    pthread_t workers[2];
    for (int i = 0; i < 2 && i < atoi(argv[1]); i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int i = 0; i < 2 && i < atoi(argv[1]); i++)
        pthread_join(workers[i], NULL);
    if (done != 2)
        abort();
    return 0;
}
";

#[test]
fn safe_without_a_second_thread_says_that_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, name) = written(folder.path(), WORKERS);
    for engine in ["sat", "explore"] {
        let shown = stdout(&unravel(&["check", &name, "--engine", engine]));
        assert!(shown.starts_with("safe: no second thread starts: "), "{shown}");
        assert!(shown.contains("--args '3 100'"), "{shown}");
        assert!(shown.contains("SUMMARY: safe: no second thread starts;"), "{shown}");
    }
    let (_, report) = json(&["check", &name]);
    assert!(report["one_thread"].as_str().is_some_and(|it| it.contains("--args")), "{report}");
    let (exit, report) = json(&["check", &name, "--args", "2"]);
    assert_eq!((exit, report.get("one_thread")), (1, None));
}

/// Whether a thread starts is no matter of what stands in the text.
#[test]
fn a_creation_that_no_run_reaches_starts_no_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#include <pthread.h>\nunsigned __VERIFIER_nondet_uint(void);\n\
                static void *work(void *arg) { return arg; }\n\
                int main(void) {\n pthread_t t;\n unsigned n = __VERIFIER_nondet_uint();\n\
                if (n % 4 == 5)\n pthread_create(&t, 0, work, 0);\n return 0;\n}\n";
    for (text, alone) in [(text.to_owned(), true), (text.replace("== 5", "== 3"), false)] {
        let (_, name) = written(folder.path(), &text);
        let (exit, report) = json(&["check", &name]);
        assert_eq!((exit, report.get("one_thread").is_some()), (0, alone), "{report}");
    }
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
    assert!(
        text.contains("argc = 2;") && text.contains(r#"{"settings_bad", "2", NULL}"#),
        "{text}"
    );
}

/// Calls that the outside can let fail, none of which may.
const CALLS: &str = "\
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
static int x;
static void *up(void *a) { x++; return a; }
int main(void) {
    int fd = open(\"a\", O_RDWR), ends[2];
    struct stat status;
    assert(fd >= 0 && write(fd, \"ab\", 2) == 2 && lseek(fd, 0, SEEK_SET) == 0);
    assert(stat(\"a\", &status) == 0 && pipe(ends) == 0 && close(fd) == 0);
    FILE *file = fopen(\"b\", \"w\");
    assert(file && fwrite(\"ab\", 1, 2, file) == 2 && fclose(file) == 0);
    assert(mmap(0, 8, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
    pthread_t t;
    pthread_create(&t, 0, up, 0);
    x++;
    pthread_join(t, 0);
    return x == 2 ? 0 : 1;
}
";

#[test]
fn calls_fail_unless_the_user_says_that_they_do_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, name) = written(folder.path(), CALLS);
    assert_eq!(code(&unravel(&["check", &name])), 1);
    for command in ["check", "diagnose", "repair", "compare", "localize", "sequentialize"] {
        let output = unravel(&[command, &name, "--assume-calls-succeed"]);
        assert_eq!(code(&output), 0, "{command}: {}", stdout(&output));
    }
    let flags = ["check", &name, "--assume-calls-succeed"];
    let shown = stdout(&unravel(&flags));
    assert!(shown.contains("calls of the system assumed to succeed"), "{shown}");
    let (_, report) = json(&flags);
    assert_eq!(report["bounds"]["calls_assumed_to_succeed"], serde_json::json!(true));
    let (_, report) = json(&["check", &name]);
    assert_eq!(report["bounds"]["calls_assumed_to_succeed"], serde_json::json!(false));
}

/// What a failing read leaves behind is left out, but not what a short one does.
#[test]
fn less_than_was_asked_for_is_no_failure() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = |holds: &str| {
        format!(
            "#include <assert.h>\n#include <unistd.h>\nint main(void) {{\n char b[4];\n\
             long r = read(0, b, 4);\n assert({holds});\n return 0;\n}}\n"
        )
    };
    for (holds, exit) in [("r >= 0", 0), ("r == 4", 1), ("r != 0", 1)] {
        let (_, name) = written(folder.path(), &text(holds));
        let output = unravel(&["check", &name, "--assume-calls-succeed"]);
        assert_eq!(code(&output), exit, "{holds}: {}", stdout(&output));
    }
}
