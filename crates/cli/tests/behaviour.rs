//! How the program behaves towards its surroundings: signals, colours, repeated runs, formats.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use support::{HANG_GUARD, HANG_TIME, code, guarded, json, root, stderr, stdout, unravel};

/// A program whose exploration takes far longer than any test.
const ENDLESS: &str = "#include <pthread.h>\n\
    static unsigned a, b, c; static pthread_t t[4];\n\
    static void *work(void *p) {\n  for (;;) { a += 1; b += a; c ^= b + (unsigned)(long)p; }\n  return 0;\n}\n\
    int main(void) {\n  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);\n\
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";

/// Starts a command on a file, with nothing but a hang to end it.
fn start(command: &str, file: &Path, more: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_unravel"))
        .args([command, HANG_GUARD])
        .arg(file)
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts")
}

/// As Ctrl-C does.
fn interrupt(child: &Child) {
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
}

/// Waits until a process has written a file.
fn wait_for(file: &Path, child: &mut Child) {
    let start = Instant::now();
    while !file.exists() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it ended before: {ended:?}");
        assert!(start.elapsed() < HANG_TIME, "{} is not written", file.display());
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn an_interrupt_keeps_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, ENDLESS).expect("written");
    // The program's text form is written when signals are listened to and before the search begins.
    let begun = folder.path().join("a.ir");
    let mut child = start("check", &file, &["--emit", &format!("program={}", begun.display())]);
    wait_for(&begun, &mut child);
    interrupt(&child);
    let output = child.wait_with_output().expect("ends");
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("inconclusive") && text.contains("interrupted"), "{text}");
    assert!(text.contains("SUMMARY:") && !text.contains("--time-limit"), "{text}");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let run = |args: &[&str]| {
        let (_, mut report) = json(args);
        let stats = report["stats"].as_object_mut().expect("an object");
        stats.retain(|name, _| !name.ends_with("_ms") && !name.ends_with("_us"));
        report.to_string()
    };
    for args in [
        &["check", "corpus/figures/conc_list_seq.c", "--all"][..],
        &["diagnose", "corpus/figures/maxsmt_fig2.c"],
    ] {
        assert_eq!(run(args), run(args));
    }
}

#[test]
fn a_run_that_passes_is_a_report_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let text = "#include <stdio.h>\nint main(void) {\n  puts(\"{\");\n  return 0;\n}\n";
    std::fs::write(&file, text).expect("written");
    let file = file.display().to_string();
    let (exit, report) = json(&["run", &file]);
    assert_eq!((exit, &report["verdict"]), (0, &"inconclusive".into()));
    assert_eq!(report["reasons"][0]["kind"], "one-run");
    assert_eq!(report["threads"][0]["name"], "main");
    let (exit, report) = json(&["run", "corpus/figures/conc_xy.c", "--max-steps", "2"]);
    assert_eq!((exit, &report["reasons"][0]["kind"]), (3, &"incomplete".into()));
    let output = unravel(&["run", &file, "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    assert_eq!(sarif["runs"][0]["invocations"][0]["exitCode"], 0);
    assert!(stderr(&output).contains("{\n"), "{}", stderr(&output));
    assert_eq!(stdout(&unravel(&["run", &file])), "{\n");
}

#[test]
fn hidden_steps_and_numbers_agree() {
    // The first thing that main does is a local assignment.
    let (_, report) = json(&["check", "corpus/concbugassist/list_seq.c"]);
    let schedule = report["findings"][0]["schedule"].as_array().expect("a list");
    assert_eq!(schedule[0]["kind"], "local");
    let shown = schedule.iter().filter(|step| step["kind"] != "local");
    let numbers: Vec<u64> = shown.filter_map(|step| step["step"].as_u64()).collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    let text = stdout(&unravel(&["check", "corpus/concbugassist/list_seq.c"]));
    let mut lines = text.lines().skip_while(|line| !line.contains("before the first thread"));
    let mut first_number = || {
        let word = lines.next()?.split_whitespace().find(|word| word.parse::<u64>().is_ok());
        word.and_then(|word| word.parse::<u64>().ok())
    };
    let (hidden, next) = (first_number(), first_number());
    assert_eq!(hidden.map(|hidden| hidden + 1), next, "{text}");
}

#[test]
fn a_wakeup_without_a_signal_is_called_so() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint ready;\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
        static void *waits(void *p) {\n  pthread_mutex_lock(&m);\n\
        if (!ready) pthread_cond_wait(&c, &m);\n  assert(ready);\n\
        pthread_mutex_unlock(&m);\n  return p;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, waits, 0);\n\
        pthread_mutex_lock(&m);\n  ready = 1;\n  pthread_cond_signal(&c);\n\
        pthread_mutex_unlock(&m);\n  pthread_join(t, 0);\n  return 0;\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let run = |text: &str| {
        std::fs::write(&file, text).expect("written");
        stdout(&unravel(&["check", &file.display().to_string()]))
    };
    assert!(run(text).contains("wakes without a signal"), "{}", run(text));
    let waited = text.replace("if (!ready)", "int old = ready;\n  if (!old)");
    let signalled = run(&waited.replace("assert(ready)", "assert(old || !ready)"));
    assert!(signalled.contains("wakes from c"), "{signalled}");
}

#[test]
fn a_diagnosis_that_is_stopped_shows_what_it_knows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    // Lost updates that make up for each other: no end of sets of orders, each with a hard proof.
    let text = "#include <assert.h>\n#include <pthread.h>\nstatic int stock;\n\
        static void *add(void *p) {\n  for (int i = 0; i < 12; i++) stock = stock + 1;\n  return p;\n}\n\
        static void *take(void *p) {\n  for (int i = 0; i < 12; i++) stock = stock - 1;\n  return p;\n}\n\
        int main(void) {\n  pthread_t a, b, c;\n  pthread_create(&a, 0, add, 0);\n\
        pthread_create(&b, 0, take, 0);\n  pthread_create(&c, 0, add, 0);\n  pthread_join(a, 0);\n\
        pthread_join(b, 0);\n  pthread_join(c, 0);\n  assert(stock == 12);\n  return 0;\n}\n";
    std::fs::write(&file, text).expect("written");
    let mut child = start("diagnose", &file, &[]);
    // It is stopped when it says that it knows a cause and looks for others.
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let said = lines.find_map(|line| line.ok().filter(|line| line.starts_with("so far: ")));
    assert!(said.is_some(), "it ended before it said what it knows");
    interrupt(&child);
    let rest: Vec<String> = lines.map_while(Result::ok).collect();
    let output = child.wait_with_output().expect("ends");
    assert_eq!(code(&output), 130, "{rest:?}");
    let text = stdout(&output);
    assert!(
        text.contains("cause") && text.contains("stopped: interrupted; one failing run is known"),
        "{text}"
    );
    assert!(text.lines().count() < 120, "{text}");
}

#[test]
fn a_diagnosis_names_the_inputs_that_it_needs() {
    let text = stdout(&unravel(&["diagnose", "corpus/primitives/nondet_int_bad.c"]));
    assert!(text.contains("inputs: it needs __VERIFIER_nondet_"), "{text}");
    let text = stdout(&unravel(&["diagnose", "corpus/figures/alves_controller_diag.c"]));
    assert!(text.contains("no thread order avoids it") && text.contains("with input"), "{text}");
}

#[test]
fn there_is_nothing_to_diagnose_in_a_safe_program() {
    let output = unravel(&["diagnose", "corpus/figures/conc_xy_ok.c"]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert!(stdout(&output).starts_with("safe:"), "{}", stdout(&output));
}

#[test]
fn no_colours_when_piped_and_colours_on_request() {
    let file = "corpus/figures/conc_xy.c";
    assert!(!stdout(&unravel(&["check", file])).contains('\x1b'));
    assert!(stdout(&unravel(&["check", file, "--color", "always"])).contains('\x1b'));
    let output = Command::new(env!("CARGO_BIN_EXE_unravel"))
        .args(guarded(&["check", file]))
        .env("NO_COLOR", "1")
        .env("CLICOLOR_FORCE", "1")
        .current_dir(root())
        .output()
        .expect("starts");
    assert!(!stdout(&output).contains('\x1b'));
}

#[test]
fn progress_stays_away_from_standard_output_and_from_pipes() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, ENDLESS).expect("written");
    // No machine comes to the end of it.
    let output = unravel(&["check", &file.display().to_string(), "--time-limit", "1s"]);
    assert_eq!(code(&output), 3);
    assert_eq!(stderr(&output), "");
    assert!(!stdout(&output).contains("exploring"));
}

#[test]
fn several_places_are_reported_with_all() {
    let (_, first) = json(&["check", "corpus/figures/best_fig2.c"]);
    let (_, all) = json(&["check", "corpus/figures/best_fig2.c", "--all"]);
    let count = |report: &serde_json::Value| report["findings"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&first), 1);
    assert!(count(&all) > 1, "{}", count(&all));
}

#[test]
fn all_lists_each_wait_of_deadlocks_and_each_property_of_a_place() {
    let lines = |file: &str| {
        let (_, report) = json(&["check", file, "--all"]);
        let finding = |it: &serde_json::Value| format!("{} {}", it["property"], it["line"]);
        let found = report["findings"].as_array().expect("findings").iter().map(finding);
        found.collect::<Vec<_>>()
    };
    let locker = lines("corpus/mistakes/if_not_while.c");
    assert_eq!(locker, ["\"deadlock\" 44", "\"deadlock\" 34"]);
    let local = lines("corpus/semantics/local_ends_bad.c");
    assert_eq!(local, ["\"memory\" 27", "\"reach\" 27"]);
}

#[test]
fn sarif_is_a_log_with_the_interleaving() {
    let output = unravel(&["check", "corpus/figures/conc_xy.c", "--format", "sarif"]);
    let log: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["level"], "error");
    let steps = result["codeFlows"][0]["threadFlows"][0]["locations"].as_array();
    assert!(steps.is_some_and(|steps| steps.len() > 4));
}

#[test]
fn several_files_and_flags_make_one_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let main =
        "#include <assert.h>\n#include \"f.h\"\nint main(void) { assert(f() == N); return 0; }\n";
    let main = write("main.c", main);
    let other = write("f.c", "int f(void) { return sizeof(long); }\n");
    let include = folder.path().join("include");
    std::fs::create_dir(&include).expect("a folder");
    std::fs::write(include.join("f.h"), "int f(void);\n").expect("written");
    let include = format!("-I{}", include.display());
    let verdict = |flags: &[&str]| {
        let mut args = vec!["check", &main, &other, "--", &include];
        args.extend(flags);
        json(&args).1["verdict"].as_str().unwrap_or("").to_owned()
    };
    assert_eq!(verdict(&["-DN=8"]), "safe");
    assert_eq!(verdict(&["-DN=4"]), "unsafe");
    assert_eq!(verdict(&["-DN=4", "-m32"]), "safe");
}

#[test]
fn an_endless_counter_does_not_hide_a_bug_between_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let text = "#include <assert.h>\n#include <pthread.h>\n\
        static unsigned beats, x;\n\
        static void *heart(void *p) { for (;;) { beats++; x = 1; x = 0; } return p; }\n\
        static void *look(void *p) { assert(x == 0); return p; }\n\
        int main(void) {\n  pthread_t a, b;\n  pthread_create(&a, 0, heart, 0);\n\
        pthread_create(&b, 0, look, 0);\n  pthread_join(b, 0);\n  return 0;\n}\n";
    std::fs::write(&file, text).expect("written");
    let (code, report) = json(&["check", &file.display().to_string()]);
    assert_eq!((code, report["findings"][0]["line"].as_u64()), (1, Some(5)));
}
