//! Which threads are taken to be interchangeable, and that nothing is missed for it.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::json;

/// What every program begins with.
const PROGRAM: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
    static int done, last; static long sum; static int *made;\n";

struct Case {
    what: &'static str,
    /// The body of the worker.
    worker: &'static str,
    /// The body of `main`, after the handles `a` and `b`.
    main: &'static str,
    interchangeable: u64,
    verdict: &'static str,
}

const LOCKED: &str = "pthread_mutex_lock(&lock); done++; pthread_mutex_unlock(&lock); return 0;";
const PLAIN: &str = "pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
    pthread_join(a, 0); pthread_join(b, 0); assert(done == 2);";

const CASES: &[Case] = &[
    Case {
        what: "two equal workers",
        worker: LOCKED,
        main: PLAIN,
        interchangeable: 2,
        verdict: "safe",
    },
    Case {
        what: "an argument that nobody looks at",
        worker: LOCKED,
        main: "pthread_create(&a, 0, worker, &a); pthread_create(&b, 0, worker, &b);\n\
            pthread_join(a, 0); pthread_join(b, 0); assert(done == 2);",
        interchangeable: 2,
        verdict: "safe",
    },
    Case {
        what: "arguments that make a difference: it fails only if the first worker comes last",
        worker: "pthread_mutex_lock(&lock); last = (int)(long)arg; pthread_mutex_unlock(&lock); return 0;",
        main: "pthread_create(&a, 0, worker, (void *)1); pthread_create(&b, 0, worker, (void *)2);\n\
            pthread_join(a, 0); pthread_join(b, 0); assert(last != 1);",
        interchangeable: 0,
        verdict: "unsafe",
    },
    Case {
        what: "main acts between the creations: only the first worker may come before it",
        worker: "pthread_mutex_lock(&lock); if (!done) last++; pthread_mutex_unlock(&lock); return 0;",
        main: "pthread_create(&a, 0, worker, 0);\n\
            pthread_mutex_lock(&lock); done = 1; pthread_mutex_unlock(&lock);\n\
            pthread_create(&b, 0, worker, 0); pthread_join(a, 0); pthread_join(b, 0);\n\
            assert(last < 2);",
        interchangeable: 0,
        verdict: "safe",
    },
    Case {
        what: "main looks between the joins: the first worker has worked, the second need not",
        worker: LOCKED,
        main: "pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
            pthread_join(a, 0); pthread_mutex_lock(&lock); assert(done == 2);\n\
            pthread_mutex_unlock(&lock); pthread_join(b, 0);",
        interchangeable: 0,
        verdict: "unsafe",
    },
    Case {
        what: "only one of them is joined",
        worker: LOCKED,
        main: "pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
            pthread_join(b, 0); pthread_mutex_lock(&lock); assert(done);\n\
            pthread_mutex_unlock(&lock); pthread_detach(a);",
        interchangeable: 0,
        verdict: "safe",
    },
    Case {
        what: "a worker asks who it is",
        worker: "pthread_mutex_lock(&lock); last = pthread_equal(pthread_self(), *(pthread_t *)arg) != 0;\n\
            pthread_mutex_unlock(&lock); return 0;",
        main: "pthread_create(&a, 0, worker, &a); pthread_create(&b, 0, worker, &a);\n\
            pthread_join(a, 0); pthread_join(b, 0); assert(!last);",
        interchangeable: 0,
        verdict: "unsafe",
    },
    Case {
        what: "results that tell who was first",
        worker: "pthread_mutex_lock(&lock); long mine = ++done; pthread_mutex_unlock(&lock); return (void *)mine;",
        main: "void *first, *second; pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
            pthread_join(a, &first); pthread_join(b, &second); assert((long)first < (long)second);",
        interchangeable: 0,
        verdict: "unsafe",
    },
    Case {
        what: "what they make has any place in memory, whoever makes it",
        worker: "int *mine = malloc(4); pthread_mutex_lock(&lock); if (made && made < mine) last = 1;\n\
            made = mine; pthread_mutex_unlock(&lock); return 0;",
        main: "pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
            pthread_join(a, 0); pthread_join(b, 0); assert(!last);",
        interchangeable: 2,
        verdict: "unsafe",
    },
    Case {
        what: "a worker that creates another",
        worker: "if (!arg) { pthread_t c; pthread_create(&c, 0, worker, &lock); pthread_join(c, 0); }\n\
            pthread_mutex_lock(&lock); sum++; pthread_mutex_unlock(&lock); return 0;",
        main: "pthread_create(&a, 0, worker, 0); pthread_create(&b, 0, worker, 0);\n\
            pthread_join(a, 0); pthread_join(b, 0); assert(sum == 4);",
        interchangeable: 0,
        verdict: "safe",
    },
];

fn checked(text: &str) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.c");
    std::fs::write(&file, text).expect("written");
    let (_, report) = json(&["check", &file.display().to_string(), "--engine", "sat"]);
    let number = report["stats"]["interchangeable_threads"].as_u64().expect("a number");
    (report["verdict"].as_str().expect("a verdict").to_owned(), number)
}

#[test]
fn threads_are_interchangeable_only_if_nothing_tells_them_apart() {
    for case in CASES {
        let Case { what, worker, main, .. } = case;
        let text = format!(
            "{PROGRAM}static void *worker(void *arg) {{ (void)arg; {worker} }}\n\
             int main(void) {{ pthread_t a, b; {main} return 0; }}\n"
        );
        let expected = (case.verdict.to_owned(), case.interchangeable);
        assert_eq!(checked(&text), expected, "{what}:\n{text}");
    }
}

#[test]
fn many_equal_workers_are_proved() {
    let text = format!(
        "{PROGRAM}static void *worker(void *arg) {{ (void)arg; {LOCKED} }}\n\
         int main(void) {{ pthread_t t[24];\n\
         for (int i = 0; i < 24; i++) pthread_create(&t[i], 0, worker, 0);\n\
         for (int i = 0; i < 24; i++) pthread_join(t[i], 0);\n\
         assert(done == 24); return 0; }}\n"
    );
    assert_eq!(checked(&text), ("safe".to_owned(), 24));
}
