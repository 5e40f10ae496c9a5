//! `sequentialize` on the corpus: every file that is written compiles without a warning, fails in
//! the same way on every run, and `check` finds the failure at the statement that it comes from. So
//! does CBMC, where it is installed.
//!
//! By default every sixth of the failing programs; all with `UNRAVEL_CORPUS=all`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use support::compiled::run;
use support::{
    code, corpus_program, failing_corpus, failures, json, none_fail, stderr, stdout, unravel,
};
use unravel_corpus::{CorpusProgram, Marker};
use unravel_interp::Property;

/// One of so many programs is written by default.
const FRACTION: usize = 6;

/// How often CBMC turns a loop of a file.
const UNWIND: &str = "12";

/// Seconds after which CBMC is stopped. What it would have said is not known then, and nothing is
/// held against it.
const CBMC_SECONDS: &str = "60";

/// The exit code of `timeout` for a command that it has stopped.
const STOPPED: i32 = 124;

/// What CBMC says about a file.
enum Cbmc {
    /// It is not installed, or was stopped.
    Nothing,
    /// It does not understand the file, or its bound on loops is too small.
    NotUnderstood,
    /// It finds the failure, too.
    Agrees,
}

/// Writes the failing run of a program; the output of the command.
fn write(program: &CorpusProgram, out: &Path, more: &[&str]) -> Output {
    let mut args = vec!["sequentialize", &program.shown, "-o", out.to_str().expect("a path")];
    args.extend(program.header.flags.args());
    args.extend(more);
    unravel(&args)
}

fn chosen() -> Vec<CorpusProgram> {
    let is_all = std::env::var("UNRAVEL_CORPUS").is_ok_and(|it| it == "all");
    failing_corpus().into_iter().step_by(if is_all { 1 } else { FRACTION }).collect()
}

/// That the compiled file fails as the program does.
fn fails(
    program: &CorpusProgram,
    compiler: &str,
    file: &Path,
    folder: &Path,
) -> Result<(), String> {
    let (code, said) = run(compiler, file, folder)?;
    let words: &[&str] = match program.header.property {
        // A thread that is stuck is blocked, or it runs in circles.
        Some(Property::Deadlock) => &["waits for", "spins until"],
        Some(Property::Race) => &["the other access"],
        _ => return Ok(()),
    };
    match code == 1 && words.iter().any(|it| said.contains(it)) {
        true => Ok(()),
        false => Err(format!("{compiler}: exit code {code}: {said}")),
    }
}

/// That `check` finds the failure at a statement of the line that the header names; its line in the
/// file.
fn check_agrees(program: &CorpusProgram, file: &Path) -> Result<usize, String> {
    let (_, report) = json(&["check", file.to_str().expect("a path")]);
    let finding = &report["findings"][0];
    let (verdict, property) = (&report["verdict"], &finding["property"]);
    if verdict != "unsafe" || property != "reach" {
        return Err(format!("check says {verdict} and {property}"));
    }
    let line = usize::try_from(finding["line"].as_u64().unwrap_or(0)).expect("a line");
    let text = std::fs::read_to_string(file).expect("it was written");
    // The comment stands at the head of a statement, or in what a deadlock says.
    let from = line.saturating_sub(6);
    let around: String = text.lines().skip(from).take(line - from).collect();
    let is_there = |at: &Marker| around.contains(&format!("{}:{}", program.file_name(), at.line));
    if program.header.at.iter().any(is_there) {
        return Ok(line);
    }
    Err(format!("line {line} is not from {:?}: {around}", program.header.at))
}

/// What CBMC says about the failure at a line of a file; an error if it contradicts.
fn cbmc(file: &Path, line: usize) -> Result<Cbmc, String> {
    let output = Command::new("timeout")
        .args([CBMC_SECONDS, "cbmc", "--64", "--unwind", UNWIND])
        .args(["--no-standard-checks", "--unwinding-assertions"])
        .arg(file)
        .stdin(Stdio::null())
        .output()
        .expect("timeout starts");
    let said = stdout(&output);
    let mut failed = said.lines().filter(|it| it.ends_with(": FAILURE"));
    match code(&output) {
        0 => Err("CBMC finds no failure".to_owned()),
        10 if failed.clone().any(|it| fails_at(it, file, line)) => Ok(Cbmc::Agrees),
        10 if failed.any(|it| !it.contains("unwinding assertion")) => Err(format!("CBMC: {said}")),
        STOPPED => Ok(Cbmc::Nothing),
        _ => Ok(Cbmc::NotUnderstood),
    }
}

/// Whether a property of CBMC is at a line; one of a function of the file is at that of its call.
fn fails_at(property: &str, file: &Path, line: usize) -> bool {
    let text = std::fs::read_to_string(file).expect("it was written");
    let at = text.lines().nth(line - 1).unwrap_or_default();
    let called = |name: &str| property.contains(&format!("[{name}.")) && at.contains(name);
    property.contains(&format!(" line {line} ")) || called("reach_error")
}

/// Judges what is written of a program; what CBMC says about it.
fn judge(program: &CorpusProgram, has_cbmc: bool) -> Result<Cbmc, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.c");
    let output = write(program, &file, &[]);
    if code(&output) != 1 || !stdout(&output).is_empty() {
        return Err(format!("exit code {}: {}", code(&output), stderr(&output)));
    }
    for compiler in ["gcc", "clang-19"] {
        fails(program, compiler, &file, folder.path())?;
    }
    let line = check_agrees(program, &file)?;
    if has_cbmc { cbmc(&file, line) } else { Ok(Cbmc::Nothing) }
}

fn has_cbmc() -> bool {
    Command::new("cbmc").arg("--version").output().is_ok_and(|it| it.status.success())
}

#[test]
fn written_runs_fail_as_the_programs_do() {
    let (chosen, has_cbmc) = (chosen(), has_cbmc());
    let (agreed, not_understood) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let failed = failures(&chosen, |it| {
        let said = judge(it, has_cbmc).map_err(|why| format!("{}: {why}", it.shown))?;
        let counted = match said {
            Cbmc::Nothing => return Ok(()),
            Cbmc::NotUnderstood => &not_understood,
            Cbmc::Agrees => &agreed,
        };
        counted.fetch_add(1, Ordering::Relaxed);
        Ok(())
    });
    let (agreed, not_understood) = (agreed.into_inner(), not_understood.into_inner());
    println!("{} programs; CBMC agrees on {agreed}, installed: {has_cbmc}", chosen.len());
    none_fail(&failed);
    // How many it comes to an end with depends on the machine; what it does not understand does not.
    assert!(not_understood * 10 <= chosen.len(), "CBMC does not understand {not_understood}");
}

/// What the grammar does not know, tables of functions, silent threads, settings and `errno`: what a
/// sequential file has to say in other words. So are a time that is missing, a key that is copied,
/// a shift into the sign and threads that spin.
#[test]
fn corners_of_c_are_written() {
    for name in [
        "primitives/sem_timedwait_null",
        "primitives/thread_id_compared",
        "primitives/thread_id_reused",
        "semantics/errno_of_success",
        "semantics/function_table",
        "semantics/hang_cas_order",
        "semantics/hang_missed",
        "semantics/key_delete",
        "semantics/lent_thread_local",
        "semantics/lock_free_stack",
        "semantics/shift_sign",
        "semantics/silent_result",
        "semantics/thread_settings",
    ] {
        let shown = format!("corpus/{name}_bad.c");
        let judged = judge(&corpus_program(&shown), false);
        if let Err(why) = judged {
            panic!("{shown}: {why}");
        }
    }
}

/// An allocation that fails gives nothing and sets `errno`, also inside of a modelled function.
#[test]
fn allocations_that_fail_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let head =
        "#include <assert.h>\n#include <errno.h>\n#include <stdlib.h>\n#include <string.h>\n";
    for body in [
        "errno = 0; int *p = malloc(sizeof *p); assert(errno == 0); free(p);",
        "int *p = calloc(2, sizeof *p); *p = 1; free(p);",
        "int *p = malloc(4); if (!p) return 0; *p = 1; p = realloc(p, 8); assert(p[0] == 1); free(p);",
        "char *s = strdup(\"ab\"); assert(s[0] == 'a'); free(s);",
        "void *p; int code = posix_memalign(&p, 8, 8); assert(code == 0); free(p);",
    ] {
        let file = folder.path().join("a.c");
        std::fs::write(&file, format!("{head}int main(void) {{ {body} return 0; }}\n"))
            .expect("written");
        let file = file.display().to_string();
        let output = unravel(&["sequentialize", &file, "--malloc-may-fail"]);
        assert_eq!(code(&output), 1, "{body}: {}", stderr(&output));
    }
}

/// A text that is too long fails where its length is, also where the names of function and variable have
/// letters in common.
#[test]
fn a_text_that_is_too_long_is_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let text = "#include <stdio.h>\nstatic int n = 10;\nstatic char s[4];\n\
                int main(void) { sprintf(s, \"n=%d\", n); return 0; }\n";
    std::fs::write(&file, text).expect("written");
    let output = unravel(&["sequentialize", &file.display().to_string()]);
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    assert!(stdout(&output).contains("snprintf(NULL, 0, \"n=%d\", n)"), "{}", stdout(&output));
}

/// Writes some files, and the failing run of the program that they are.
fn of_files(files: &[(&str, &str)], folder: &Path) -> Output {
    let mut args = vec!["sequentialize".to_owned()];
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::write(&path, text).expect("written");
        if name.ends_with(".c") {
            args.push(path.to_string_lossy().into_owned());
        }
    }
    args.extend(["-o".to_owned(), folder.join("out.c").to_string_lossy().into_owned()]);
    unravel(&args.iter().map(String::as_str).collect::<Vec<_>>())
}

const HEADER: &str = "#ifndef COUNTER_H\n#define COUNTER_H\n#include <pthread.h>\n\
    struct counter {\n    pthread_mutex_t lock;\n    int value;\n};\nextern struct counter shared;\n\
    void add(struct counter *counter, int amount);\n\
    static inline int get(struct counter *counter) {\n    return counter->value;\n}\n#endif\n";

const COUNTER: &str = "#include \"counter.h\"\n\
    struct counter shared = {PTHREAD_MUTEX_INITIALIZER, 0};\n\
    void add(struct counter *counter, int amount) {\n    int old = get(counter);\n    \
    pthread_mutex_lock(&counter->lock);\n    counter->value = old + amount;\n    \
    pthread_mutex_unlock(&counter->lock);\n}\n";

const MAIN: &str = "#include <assert.h>\n#include \"counter.h\"\n\
    static void *one(void *arg) {\n    add(&shared, 1);\n    return arg;\n}\n\
    int main(void) {\n    pthread_t thread;\n    pthread_create(&thread, 0, one, 0);\n    \
    add(&shared, 2);\n    pthread_join(thread, 0);\n    assert(get(&shared) == 3);\n    return 0;\n}\n";

#[test]
fn several_files_become_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [("counter.h", HEADER), ("counter.c", COUNTER), ("main.c", MAIN)];
    let output = of_files(&files, folder.path());
    assert_eq!(code(&output), 1, "{}", stderr(&output));
    let file = folder.path().join("out.c");
    let text = std::fs::read_to_string(&file).expect("it was written");
    assert!(text.contains("counter.c:6") && text.contains("main.c:11"), "{text}");
    for compiler in ["gcc", "clang-19"] {
        run(compiler, &file, folder.path()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    }
}

/// In one file two things of the same name would meet.
#[test]
fn a_name_of_two_files_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let counter = format!("{COUNTER}static int one;\nint *first(void) {{ return &one; }}\n");
    let files = [("counter.h", HEADER), ("counter.c", counter.as_str()), ("main.c", MAIN)];
    let output = of_files(&files, folder.path());
    assert_eq!(code(&output), 3, "{}", stderr(&output));
    assert!(stderr(&output).contains("`one`, which means two things"), "{}", stderr(&output));
}

/// The programs of the comparisons have a size; a macro of the command line is in the file.
#[test]
fn larger_sizes_are_written_too() {
    for shown in ["corpus/compare/bank.c", "corpus/compare/pbzip2.c"] {
        let program = corpus_program(shown);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("out.c");
        let output = write(&program, &file, &["--", "-DSIZE=6"]);
        assert_eq!(code(&output), 1, "{shown}: {}", stderr(&output));
        let text = std::fs::read_to_string(&file).expect("it was written");
        assert!(text.contains("#define SIZE 6\n"), "{shown}: {text}");
        fails(&program, "gcc", &file, folder.path()).unwrap_or_else(|why| panic!("{shown}: {why}"));
    }
}

/// A schedule that another command wrote gives the same file.
#[test]
fn a_schedule_may_be_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (schedule, shown) = (path("run.schedule"), "corpus/figures/conc_xy.c");
    let emit = format!("schedule={schedule}");
    assert_eq!(code(&unravel(&["check", shown, "--emit", &emit])), 1);
    let given = unravel(&["sequentialize", shown, "--schedule", &schedule]);
    let found = unravel(&["sequentialize", shown]);
    assert_eq!(code(&given), 1, "{}", stderr(&given));
    assert_eq!(stdout(&given), stdout(&found));
    let other =
        unravel(&["sequentialize", "corpus/figures/maxsmt_fig1.c", "--schedule", &schedule]);
    assert_eq!(code(&other), 2, "{}", stderr(&other));
}

#[test]
fn nothing_is_written_if_no_run_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("out.c");
    let path = file.to_str().expect("a path");
    let output = unravel(&["sequentialize", "corpus/figures/conc_xy_ok.c", "-o", path]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stderr(&output).contains("no run fails"), "{}", stderr(&output));
    assert!(!file.exists());
}
