//! What `sequentialize` takes apart, on small programs: each is written, compiles without a warning,
//! and fails in the same way on every run. The command itself runs each file on the interpreter.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use std::path::{Path, PathBuf};
use std::process::Output;

use support::compiled::run;
use support::{code, stderr, unravel};

/// What all programs begin with.
const HEADERS: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
";

/// Starts a thread and waits for it.
const CREATE: &str = "pthread_t t; pthread_create(&t, NULL, other, NULL);";
const JOIN: &str = "pthread_join(t, NULL);";

/// Writes the failing run of a program: the file and the output.
fn written(folder: &Path, program: &str) -> (PathBuf, Output) {
    let (source, file) = (folder.join("program.c"), folder.join("out.c"));
    std::fs::write(&source, program).expect("written");
    let path = |it: &Path| it.to_str().expect("a path").to_owned();
    let output = unravel(&["sequentialize", &path(&source), "-o", &path(&file)]);
    (file, output)
}

/// The file of a program of a thread and what `main` does beside it.
fn taken_apart(globals: &str, other: &str, main: &str) -> String {
    let program = format!(
        "{HEADERS}{globals}\nstatic void *other(void *arg) {{ {other} return arg; }}\n\
         int main(void) {{ {main} return 0; }}\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let (file, output) = written(folder.path(), &program);
    assert_eq!(code(&output), 1, "{}\n{program}", stderr(&output));
    let text = std::fs::read_to_string(&file).expect("written");
    for compiler in ["gcc", "clang-19"] {
        if let Err(why) = run(compiler, &file, folder.path()) {
            panic!("{why}:\n{text}");
        }
    }
    text
}

#[test]
fn the_result_of_a_library_function_is_that_of_the_run() {
    let text = taken_apart(
        "static char name[8] = \"abcdef\"; static size_t seen;",
        "seen = strlen(name) + 1;",
        &format!(
            "{CREATE} name[1] = 0; name[0] = 'x'; name[1] = 'y'; name[2] = 0; name[3] = 0; {JOIN}
             assert(seen != 4 || name[0] != 'x');"
        ),
    );
    assert!(text.contains("if (memcmp((char *)name + 3, \"\\000\", 1) != 0) other_way("), "{text}");
    assert!(text.contains("((__typeof__(strlen(name)))3UL) + 1"), "{text}");
}

#[test]
fn a_pointer_into_an_argument_is_told_by_its_distance() {
    let text = taken_apart(
        "static char path[6] = \"a/b/c\";",
        "path[1] = '_'; path[3] = '_';",
        &format!(
            "{CREATE} char *slash = strchr(path, '/'); {JOIN}
             assert(slash != path + 3 || path[3] == '/');"
        ),
    );
    assert!(text.contains("((uintptr_t)path + 3)"), "{text}");
}

#[test]
fn an_assertion_is_cut_behind_a_call() {
    taken_apart(
        "static char a[4] = \"abc\", b[4] = \"xbc\";",
        "a[0] = 'x'; b[2] = 'd';",
        &format!(
            "{CREATE} size_t n = sizeof a - 1;
             assert(strncmp(a, b, n) >= 0 || a[0] != 'x' || b[2] != 'd'); {JOIN}"
        ),
    );
}

#[test]
fn a_library_function_that_fails_has_done_its_part() {
    let text = taken_apart(
        "static char small[4], source[8] = \"abc\";",
        "source[3] = 'd'; source[4] = 'e';",
        &format!("{CREATE} strcpy(small, source); {JOIN}"),
    );
    assert!(text.contains("at offset 4 of `small`, which has 4"), "{text}");
    assert!(text.contains("\n    assert(0);\n"), "{text}");
}

#[test]
fn a_block_is_handed_over_to_its_next_owner() {
    let text = taken_apart(
        "static int *top; static int turns;",
        "for (int i = 0; i < 2; i++) {
            int *mine = top;
            free(mine);
            top = i ? calloc(1, 8) : malloc(8);
            turns++;
         }",
        &format!(
            "top = malloc(8); int *before = top; *top = 7; {CREATE} {JOIN}
             assert(top != before || turns != 2 || *top != 0);"
        ),
    );
    assert_eq!(text.matches("reused_block = T1_other_mine").count(), 2, "{text}");
    assert!(text.contains("memset(reused_block, 0, (1) * (8))"), "{text}");
    assert!(!text.contains("free("), "{text}");
}

#[test]
fn a_wide_value_is_written_in_part() {
    let text = taken_apart(
        "typedef unsigned __int128 wide; static wide total[2]; static int at;",
        "total[at] = ((wide)1 << 64) + 1;",
        &format!(
            "at = 1; {CREATE} wide seen = total[1];
             assert((seen >> 64) != 0 || (unsigned long)seen == 0); {JOIN}"
        ),
    );
    let first = "memcpy((char *)&(total[T1_other_tmp]), (char *)&T1_other_tmp_2, 8);";
    assert!(text.contains(first), "{text}");
    assert!(!text.contains("T1_other_tmp_2 + 8"), "the run ends before the second step:\n{text}");
}

#[test]
fn atomic_pointers_move_by_elements_under_every_compiler() {
    taken_apart(
        "static long slots[4] = {1, 2, 3, 4}; static _Atomic(long *) cursor; static atomic_int count;
         static long *step(int by) {
             return atomic_fetch_sub_explicit(&cursor, by, memory_order_relaxed);
         }",
        "long *old = step(2); atomic_fetch_add(&count, (int)(old - cursor));",
        &format!("cursor = slots + 3; {CREATE} {JOIN} assert(*cursor != 2 || count != 2);"),
    );
}

#[test]
fn the_time_is_that_of_the_run() {
    let text = taken_apart("", "", "time_t now = time(NULL); assert(now == 7); (void)other;");
    assert!(text.contains("T0_main_now = ((__typeof__(time(NULL)))"), "{text}");
}

#[test]
fn what_cannot_be_written_is_said() {
    let rows = [
        (
            "time_t now; time(&now); assert(now == 7);",
            "what `time` leaves behind cannot be written",
        ),
        (
            "pthread_t t; pthread_create(&t, NULL, other, NULL); char *first = strtok(words, \" \");
             pthread_join(t, NULL); assert(first == 0 || words[1] != 0);",
            "parts of `strtok`, which writes a pointer cannot be written",
        ),
    ];
    for (main, what) in rows {
        let program = format!(
            "{HEADERS}static char words[8] = \"a b c\";\n\
             static void *other(void *arg) {{ words[1] = '_'; words[3] = 0; return arg; }}\n\
             int main(void) {{ (void)other; (void)words; {main} return 0; }}\n"
        );
        let folder = tempfile::tempdir().expect("a folder");
        let (file, output) = written(folder.path(), &program);
        assert_eq!(code(&output), 3, "{}", stderr(&output));
        assert!(stderr(&output).contains(what), "{}", stderr(&output));
        assert!(!file.exists());
    }
}
