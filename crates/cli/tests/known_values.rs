//! What is known of shared memory while events are built, where it must not be: programs in which
//! somebody else writes after all.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::{code, stdout, unravel};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
                    #include <string.h>\nstatic int x;\nstatic pthread_t t;\n\
                    static void none(void) {}\nstatic void set(void) { x = 1; }\n";

/// Name and text; in all of them an assertion can fail.
const PROGRAMS: [(&str, &str); 6] = [
    (
        "a constructor writes after another has created the thread",
        "static void *run(void *a) { assert(x == 0); return a; }\n\
         __attribute__((constructor(200))) static void first(void) { pthread_create(&t, 0, run, 0); }\n\
         __attribute__((constructor(300))) static void second(void) { none(); set(); }\n\
         int main(void) { pthread_join(t, 0); return 0; }\n",
    ),
    (
        "the function that writes is found in a table that was sorted",
        "struct job { int rank; void (*act)(void); };\n\
         static int by_rank(const void *a, const void *b) {\n\
           return ((const struct job *)a)->rank - ((const struct job *)b)->rank;\n}\n\
         static void *run(void *a) {\n\
           struct job jobs[2] = {{2, none}, {1, set}};\n\
           qsort(jobs, 2, sizeof jobs[0], by_rank);\n  jobs[0].act();\n  return a;\n}\n\
         int main(void) {\n  pthread_create(&t, 0, run, 0);\n  pthread_join(t, 0);\n\
           assert(x == 0);\n  return 0;\n}\n",
    ),
    (
        "its address was a smaller number meanwhile",
        "static void *run(void *a) {\n  unsigned small = (unsigned)(unsigned long)set;\n\
           void (*act)(void) = (void (*)(void))(unsigned long)small;\n\
           none();\n  act();\n  return a;\n}\n\
         int main(void) {\n  pthread_create(&t, 0, run, 0);\n  pthread_join(t, 0);\n\
           assert(x == 0);\n  return 0;\n}\n",
    ),
    (
        "a helper creates the thread, and main writes later",
        "static void *run(void *a) { assert(x == 0); return a; }\n\
         static void begin(void) { none(); pthread_create(&t, 0, run, 0); }\n\
         int main(void) {\n  begin();\n  set();\n  pthread_join(t, 0);\n  return 0;\n}\n",
    ),
    (
        "the start function writes when main calls it, too",
        "static void *run(void *a) { if (a) x++; else assert(x == 0); none(); return a; }\n\
         int main(void) {\n  pthread_create(&t, 0, run, 0);\n  run(&t);\n  if (x > 1) set();\n\
           pthread_join(t, 0);\n  return 0;\n}\n",
    ),
    (
        "part of a larger cell is written through a pointer to bytes",
        "static union { long whole; char part[8]; } u;\n\
         static void *run(void *a) { assert(u.whole == 1); return a; }\n\
         int main(void) {\n  u.whole = 1;\n  pthread_create(&t, 0, run, 0);\n  u.part[3] = 1;\n\
           none();\n  set();\n  pthread_join(t, 0);\n  return 0;\n}\n",
    ),
];

#[test]
fn what_somebody_else_writes_is_not_known() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in PROGRAMS {
        let file = folder.path().join("a.c");
        std::fs::write(&file, format!("{HEAD}{text}")).expect("written");
        let file = file.display().to_string();
        for engine in ["sat", "explore"] {
            let output = unravel(&["check", &file, "--engine", engine]);
            assert_eq!(code(&output), 1, "{name}, {engine}: {}", stdout(&output));
        }
    }
}

/// Also if it is read through a pointer that is no more than another name for it.
#[test]
fn a_local_without_a_value_has_one_value() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let text = "int x; int *p = &x; int a = *p, b = *p; assert(a == b);";
    std::fs::write(&file, format!("{HEAD}int main(void) {{ {text} return 0; }}\n"))
        .expect("written");
    let file = file.display().to_string();
    // The exploration tries some of its values, and says so.
    for (engine, exit) in [("sat", 0), ("explore", 3)] {
        let output = unravel(&["check", &file, "--engine", engine]);
        assert_eq!(code(&output), exit, "{engine}: {}", stdout(&output));
    }
}

#[test]
fn arithmetic_on_what_was_never_assigned_is_an_input() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                static atomic_int x;\n\
                static void *run(void *a) { int u; atomic_fetch_add(&x, u); return a; }\n\
                int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, run, 0);\n\
                  pthread_join(t, 0);\n  assert(x != 5);\n  return 0;\n}\n";
    std::fs::write(&file, text).expect("written");
    let output = unravel(&["check", &file.display().to_string()]);
    assert_eq!(code(&output), 1, "{}", stdout(&output));
}
