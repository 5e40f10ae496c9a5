//! Bad input gets a message with its place and what to do, the right exit code, never a panic and
//! never `safe`.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::process::Output;

use support::{code, json, stderr, stdout, unravel};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    }
}

/// Runs `check` on a file of that text and expects the exit code and the words.
fn check(name: &str, text: &str, expected_code: i32, words: &[&str]) -> Output {
    let folder = Folder::new();
    let file = folder.file(name, text);
    expect(&["check", &file], expected_code, words)
}

fn expect(args: &[&str], expected_code: i32, words: &[&str]) -> Output {
    let output = unravel(args);
    let all = format!("{}{}", stdout(&output), stderr(&output));
    assert_eq!(code(&output), expected_code, "{args:?}\n{all}");
    assert!(!all.contains("panicked"), "{all}");
    let is_safe = all.contains("SUMMARY: safe");
    assert_eq!(is_safe, expected_code == 0, "{all}");
    for word in words {
        assert!(all.contains(word), "no `{word}` in:\n{all}");
    }
    output
}

#[test]
fn not_c() {
    check("a.c", "this is not C\n", 2, &["a.c:1:", "error", "help"]);
}

#[test]
fn does_not_compile() {
    check("a.c", "int main(void) {\n  return x;\n}\n", 2, &["a.c:2:10", "undeclared"]);
}

#[test]
fn no_main() {
    check("a.c", "int f(void) { return 0; }\n", 2, &["main", "help"]);
}

#[test]
fn missing_file() {
    expect(&["check", "/no/such/file.c"], 2, &["/no/such/file.c", "error"]);
}

#[test]
fn a_directory() {
    let folder = Folder::new();
    let path = folder.0.path().display().to_string();
    expect(&["check", &path], 2, &["directory", "help"]);
}

#[test]
fn an_empty_file() {
    check("a.c", "", 2, &["empty"]);
}

#[test]
fn an_unknown_kind_of_file() {
    check("a.txt", "hello\n", 2, &[".c", "help"]);
}

#[test]
fn broken_bitcode() {
    check("a.bc", "BC this is none", 2, &["a.bc"]);
    check("a.ll", "define nothing", 2, &["a.ll"]);
}

#[test]
fn inline_assembly_is_unsupported_with_its_place() {
    let text = "int main(void) {\n  int x = 0;\n  __asm__ volatile(\"incl %0\" : \"+r\"(x));\n  return x;\n}\n";
    check("a.c", text, 3, &["inconclusive", "a.c:3", "inline assembly"]);
}

#[test]
fn an_unknown_function_with_a_pointer_is_inconclusive() {
    let text = "void fill(int *);\nint main(void) {\n  int x = 0;\n  fill(&x);\n  return 0;\n}\n";
    check("a.c", text, 3, &["inconclusive", "a.c:4", "fill", "help"]);
}

#[test]
fn a_forgotten_definition_makes_nothing_safe_and_nothing_unsafe() {
    let text = "void lock(int);\nint main(void) {\n  lock(1);\n  return 0;\n}\n";
    check("a.c", text, 3, &["inconclusive", "a.c:3", "`lock`, which no given file defines", "add"]);
    let text = "#include <assert.h>\nint lokc(int);\nint main(void) {\n  lokc(1);\n  assert(0);\n  return 0;\n}\n";
    check("a.c", text, 3, &["inconclusive", "`lokc`, which no given file defines"]);
    let text = "extern int limit;\nint main(void) {\n  return limit / limit;\n}\n";
    check("a.c", text, 3, &["inconclusive", "`limit`, which no given file defines"]);
    let text = "#define _GNU_SOURCE\n#include <stdlib.h>\nint main(void) {\n  char *home = canonicalize_file_name(\"HOME\");\n  return home ? home[0] : 0;\n}\n";
    check(
        "a.c",
        text,
        3,
        &["inconclusive", "`canonicalize_file_name`, which no given file defines"],
    );
}

#[test]
fn a_library_function_gives_any_number_that_it_may() {
    let text = "#include <assert.h>\n#include <unistd.h>\nint main(void) {\n  assert(getppid() != 7);\n  return 0;\n}\n";
    check("a.c", text, 1, &["getppid"]);
    let text = "#include <assert.h>\n#include <unistd.h>\nint main(void) {\n  assert(getppid() >= 0);\n  return 0;\n}\n";
    check("a.c", text, 0, &["safe"]);
}

#[test]
fn a_state_space_far_too_large() {
    let text = "#include <pthread.h>\n\
        static int a[64]; static pthread_t t[8];\n\
        static void *work(void *p) {\n  long id = (long)p;\n\
        for (int i = 0; i < 64; i++) a[i] += (int)id * i;\n  return 0;\n}\n\
        int main(void) {\n  for (long i = 0; i < 8; i++) pthread_create(&t[i], 0, work, (void *)i);\n\
        for (int i = 0; i < 8; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    let explore = ["check", &file, "--engine", "explore"];
    let limited = |limit: [&'static str; 2]| [&explore[..], &limit].concat();
    expect(&limited(["--time-limit", "1s"]), 3, &["inconclusive", "time limit", "help"]);
    expect(&limited(["--max-states", "500"]), 3, &["inconclusive", "too many states"]);
}

#[test]
fn threads_that_never_end_are_not_safe_in_either_engine() {
    let start = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int a, b;\n\
        static void *f(void *x) {\n  while (!b) ;\n  a = 1;\n  return x;\n}\n";
    let polls = "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  while (!a) ;\n  b = 1;\n  return 0;\n}\n";
    let stays =
        "int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  for (;;) ;\n}\n";
    // Whoever polls waits; who stays in an empty loop does not.
    for (main, code, said) in [
        (polls, 1, ["error[hang]", "main and T1 spin forever"]),
        (stays, 3, ["inconclusive", "no run comes to its end"]),
    ] {
        let folder = Folder::new();
        let file = folder.file("a.c", &format!("{start}{main}"));
        expect(&["check", &file], code, &said);
        expect(&["check", &file, "--engine", "explore"], code, &said);
        expect(&["check", &file, "--only", "reach"], 0, &["safe"]);
    }
}

#[test]
fn an_endless_loop_that_changes_nothing_is_safe() {
    check("a.c", "int main(void) {\n  for (;;) ;\n}\n", 0, &["safe"]);
}

#[test]
fn an_endless_local_loop() {
    let text = "int main(void) {\n  for (unsigned i = 0;; i++) ;\n}\n";
    check("a.c", text, 3, &["inconclusive", "a.c:2"]);
}

#[test]
fn a_cut_loop_is_never_safe() {
    let text = "#include <pthread.h>\nint x;\nint main(void) {\n  for (int i = 0; i < 9; i++)\n    x++;\n  return 0;\n}\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    expect(&["check", &file, "--unwind", "3"], 3, &["inconclusive", "a.c:", "--unwind 6"]);
    expect(&["check", &file, "--unwind", "9"], 0, &[]);
}

#[test]
fn longjmp_is_unsupported() {
    let text = "#include <setjmp.h>\njmp_buf b;\nint main(void) {\n  if (setjmp(b)) return 1;\n  longjmp(b, 1);\n}\n";
    check("a.c", text, 3, &["inconclusive", "a.c:5", "longjmp"]);
}

#[test]
fn a_wide_input_is_not_safe_by_exploration() {
    let text = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n  int x = __VERIFIER_nondet_int();\n  return x > 3;\n}\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    let words = ["inconclusive", "a.c:3", "input"];
    expect(&["check", &file, "--engine", "explore"], 3, &words);
    expect(&["check", &file], 0, &["safe"]);
}

#[test]
fn a_proof_that_does_not_end() {
    let text = "#include <pthread.h>\n#include <assert.h>\n\
        extern unsigned __VERIFIER_nondet_uint(void);\n\
        unsigned a, b;\nstatic void *work(void *p) {\n  a = __VERIFIER_nondet_uint();\n\
        b = __VERIFIER_nondet_uint();\n  return p;\n}\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, work, 0);\n\
        pthread_join(t, 0);\n  unsigned long x = a, y = b;\n\
        assert(x * x * x + y * y * y != 1000036000099ul || x * y == 999999ul * 7);\n  return 0;\n}\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    expect(&["check", &file, "--time-limit", "2s"], 3, &["inconclusive", "time limit"]);
}

#[test]
fn two_definitions_of_one_function() {
    let folder = Folder::new();
    let a = folder.file("a.c", "int f(void) { return 1; }\nint main(void) { return f(); }\n");
    let b = folder.file("b.c", "int f(void) { return 2; }\n");
    expect(&["check", &a, &b], 2, &["a.c", "b.c", "f"]);
}

#[test]
fn no_compilation_database() {
    let folder = Folder::new();
    let path = folder.0.path().display().to_string();
    expect(&["check", "-p", &path], 2, &["compile_commands.json", "CMAKE_EXPORT_COMPILE_COMMANDS"]);
}

#[test]
fn wrong_usage() {
    expect(&["check"], 2, &["Usage"]);
    expect(&["check", "a.c", "--only", "speed"], 2, &["reach"]);
    expect(&["check", "a.c", "--time-limit", "soon"], 2, &["60s"]);
    expect(&["check", "a.c", "--emit", "everything"], 2, &["schedule=FILE"]);
}

#[test]
fn a_schedule_that_is_none_or_does_not_fit() {
    let folder = Folder::new();
    let program = folder.file("a.c", "int main(void) { return 0; }\n");
    let none = folder.file("none.schedule", "hello\n");
    expect(&["run", &program, "--schedule", &none], 2, &["none.schedule:1", "help"]);
    let other = "unravel-schedule 1\ntool 0.1.0\nproperties reach\nstep 0\nstep 5\nend\n";
    let other = folder.file("other.schedule", other);
    expect(&["run", &program, "--schedule", &other], 3, &["step 2", "T5"]);
    expect(&["run", &program, "--schedule", "/no/such"], 2, &["/no/such"]);
}

#[test]
fn bad_input_in_json_is_a_report_too() {
    let folder = Folder::new();
    let text = "int main(void) {\n  __asm__ volatile(\"cpuid\" ::: \"eax\", \"ebx\", \"ecx\", \"edx\");\n  return 0;\n}\n";
    let file = folder.file("a.c", text);
    let (code, report) = json(&["check", &file]);
    assert_eq!(code, 3);
    assert_eq!(report["verdict"], "inconclusive");
    assert_eq!(report["unsupported"][0]["line"], 2);
}

const RACE: &str = "#include <assert.h>\n#include <pthread.h>\nint x;\n\
    void *f(void *a) { x = 1; return a; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); assert(x == 0); return 0; }\n";

#[test]
fn no_output_replaces_an_input() {
    let folder = Folder::new();
    let file = folder.file("a.c", RACE);
    let (hard, soft) = (format!("{file}.hard"), format!("{file}.soft"));
    std::fs::hard_link(&file, &hard).expect("a link");
    std::os::unix::fs::symlink(&file, &soft).expect("a link");
    let odd = file.replace("/a.c", "/./a.c");
    let header = folder.file("h.h", "static int h;\n");
    let user = folder.file("b.c", &format!("#include \"h.h\"\n{RACE}"));
    for output in [&file, &hard, &soft, &odd] {
        expect(&["sequentialize", &file, "-o", output], 2, &["is read", "help"]);
        expect(&["check", &file, &format!("--emit=schedule={output}")], 2, &["is read"]);
        expect(&["repair", &file, &format!("--emit=program={output}")], 2, &["is read"]);
    }
    expect(&["sequentialize", &user, "-o", &header], 2, &["is read"]);
    expect(&["check", &user, &format!("--emit=program={header}")], 2, &["is read"]);
    assert_eq!(std::fs::read_to_string(&file).expect("text"), RACE);
    assert_eq!(std::fs::read_to_string(&header).expect("text"), "static int h;\n");
}

#[test]
fn nothing_left_to_check() {
    let folder = Folder::new();
    let file = folder.file("a.c", RACE);
    expect(&["check", &file, "--only", "reach", "--no-reach"], 2, &["no property", "help"]);
}

#[test]
fn no_temporary_folder_is_no_fault_of_the_program() {
    let folder = Folder::new();
    let file = folder.file("a.c", RACE);
    for command in ["repair", "sequentialize"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_unravel"))
            .args([command, &file])
            .env("TMPDIR", folder.0.path().join("none"))
            .output()
            .expect("it runs");
        assert_eq!(code(&output), 2, "{command}: {}", stderr(&output));
        assert!(stderr(&output).contains("TMPDIR"), "{command}: {}", stderr(&output));
    }
}

#[test]
fn flags_that_cannot_be_followed() {
    let folder = Folder::new();
    let file = folder.file("a.c", RACE);
    let table = [
        ("-Wl,--defsym=f=g", "the linker"),
        ("-Wl,-T,x.ld", "the linker"),
        ("-Wl,--unheard-of", "the linker"),
        ("-nostdlib", "the C library"),
        ("-fopenmp", "OpenMP"),
        ("-fsanitize=address", "checks"),
        ("-xc++", "only C"),
        ("other.o", "not seen"),
    ];
    for (flag, word) in table {
        expect(&["check", &file, "--", flag], 2, &[word, "help"]);
    }
}

#[test]
fn flags_of_the_linker_that_are_followed() {
    let text = "#include <assert.h>\n#include <unistd.h>\nint __real_getppid(void);\n\
        int __wrap_getppid(void);\nint __wrap_getppid(void) { return 7; }\n\
        int main(void) { assert(getppid() == 7); return 0; }\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    let response = folder.file("flags", "-Wl,--wrap=getppid -O2\n");
    expect(&["check", &file, "--", "-Wl,--wrap=getppid"], 0, &[]);
    expect(&["check", &file, "--", &format!("@{response}")], 0, &[]);
}

#[test]
fn overflow_that_wraps_is_none() {
    let text = "#include <limits.h>\nint main(void) { volatile int x = INT_MAX; int y = x + 1;\n\
        int z = (x - INT_MAX - 1) << 1; return y == z; }\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    expect(&["check", &file, "--ub"], 1, &["signed integer overflow"]);
    for flag in ["-fwrapv", "-fno-strict-overflow"] {
        expect(&["check", &file, "--ub", "--", flag], 0, &[]);
    }
}

#[test]
fn headers_for_32_bits_are_found() {
    let text = "#include <assert.h>\n#include <errno.h>\n#include <pthread.h>\n\
        #include <semaphore.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n\
        int main(void) { errno = EINVAL; assert(sizeof(long) == 4); return 0; }\n";
    let folder = Folder::new();
    let file = folder.file("a.c", text);
    expect(&["check", &file, "--", "-m32"], 0, &[]);
}

#[test]
fn a_local_without_a_value_has_one() {
    let text = "#include <assert.h>\nint main(void) { int x; int a = x; int c = a == 3;\n\
        if (c) x = 1; int b = x; assert(c || a == b); return 0; }\n";
    check("a.c", text, 0, &[]);
    let text =
        "#include <assert.h>\nint main(void) { int x; int a = x; assert(a == 3); return 0; }\n";
    check("a.c", text, 1, &["assertion"]);
}

#[test]
fn a_library_name_in_a_header_of_the_project() {
    let text = "#include <assert.h>\n#include \"own.h\"\nint n;\n\
        int main(void) { sync(); assert(n == 0); return 0; }\n";
    let folder = Folder::new();
    folder.file("own.h", "void sync(void);\n");
    let file = folder.file("a.c", text);
    expect(&["check", &file], 3, &["`sync`", "no given file defines", "add the file"]);
    let with_system = folder.file("b.c", &format!("#include <unistd.h>\n{text}"));
    expect(&["check", &with_system], 0, &[]);
    let own =
        folder.file("own.c", "#include \"own.h\"\nextern int n;\nvoid sync(void) { n = 1; }\n");
    expect(&["check", &file, &own], 1, &["assertion"]);
}
