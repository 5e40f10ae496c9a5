//! Waits on condition variables in loops that test what is waited for.

mod marks;

use marks::Marked;
use unravel_patch::predicate::{broadcast, changes_before, flag, loop_around, signal_under_lock};

const HEAD: &str = "#include <errno.h>\n#include <pthread.h>\n#include <stdbool.h>\n\
    #include <threads.h>\n#include <time.h>\n\nbool ready;\nint count;\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\npthread_cond_t c = PTHREAD_COND_INITIALIZER;\n\
    mtx_t t;\ncnd_t d;\nstruct timespec deadline;\nstruct queue { pthread_mutex_t m; pthread_cond_t c; };\n\n";

fn program(text: &str) -> Marked {
    Marked::new(&format!("{HEAD}{text}"))
}

fn waiting(text: &str) -> Marked {
    let (lock, unlock) = ("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");
    program(&format!("int work(void) {{\n    {lock}\n{text}    {unlock}\n    return 0;\n}}\n"))
}

#[test]
fn an_if_becomes_a_loop() {
    let marked = waiting("    if (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n");
    marked.becomes(
        |sources| loop_around(sources, marked.at("w")),
        r"
     pthread_mutex_lock(&m);
-    if (!ready)
+    while (!ready)
         pthread_cond_wait(&c, &m);
",
    );
    let marked = waiting(
        "    if (!ready) {\n        count++;\n        /*@w*/pthread_cond_wait(&c, &m);\n    }\n",
    );
    marked.becomes(
        |sources| loop_around(sources, marked.at("w")),
        r"
     pthread_mutex_lock(&m);
-    if (!ready) {
+    while (!ready) {
         count++;
",
    );
}

#[test]
fn a_timed_wait_goes_on_after_its_time() {
    let marked = waiting(
        "    int rc = 0;\n    while (!ready && rc != ETIMEDOUT)\n        rc = /*@w*/pthread_cond_timedwait(&c, &m, &deadline);\n",
    );
    marked.becomes(
        |sources| loop_around(sources, marked.at("w")),
        r"
     pthread_mutex_lock(&m);
-    int rc = 0;
-    while (!ready && rc != ETIMEDOUT)
-        rc = pthread_cond_timedwait(&c, &m, &deadline);
+    while (!ready)
+        pthread_cond_timedwait(&c, &m, &deadline);
     pthread_mutex_unlock(&m);
",
    );
}

#[test]
fn loops_that_cannot_be_made() {
    let marked = waiting("    /*@w*/pthread_cond_wait(&c, &m);\n");
    marked.refused(
        |sources| loop_around(sources, marked.at("w")),
        "nothing is tested around the wait",
    );
    let marked = waiting("    while (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n");
    marked.refused(|sources| loop_around(sources, marked.at("w")), "the wait is in a loop already");
    let marked = waiting(
        "    if (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n    else\n        count++;\n",
    );
    marked.refused(
        |sources| loop_around(sources, marked.at("w")),
        "the `if` around the wait has an `else`",
    );
    let marked = program(
        "int work(void) {\n    if (!ready) {\n        pthread_mutex_lock(&m);\n        /*@w*/pthread_cond_wait(&c, &m);\n        pthread_mutex_unlock(&m);\n    }\n    return 0;\n}\n",
    );
    marked.refused(
        |sources| loop_around(sources, marked.at("w")),
        "the test is outside the critical section of the wait",
    );
}

#[test]
fn a_flag_remembers_the_signal() {
    let marked = program(
        "void *cook(void *arg) {\n    pthread_mutex_lock(&m);\n    /*@s*/pthread_cond_signal(&c);\n    pthread_mutex_unlock(&m);\n    return arg;\n}\n\n\
         void *guest(void *arg) {\n    pthread_mutex_lock(&m);\n    /*@w*/pthread_cond_wait(&c, &m);\n    pthread_mutex_unlock(&m);\n    return arg;\n}\n",
    );
    marked.becomes(
        |sources| flag(sources, &marked.all("w"), &marked.all("s"), "served"),
        r"
 struct timespec deadline;
+static int served;
 struct queue { pthread_mutex_t m; pthread_cond_t c; };
...
     pthread_mutex_lock(&m);
+    served = 1;
     pthread_cond_signal(&c);
...
     pthread_mutex_lock(&m);
-    pthread_cond_wait(&c, &m);
+    while (!served)
+        pthread_cond_wait(&c, &m);
     pthread_mutex_unlock(&m);
",
    );
}

#[test]
fn a_signal_outside_the_mutex_takes_it() {
    let marked = program(
        "int cook(void *arg) {\n    if (arg)\n        /*@s*/cnd_signal(&d);\n    return 0;\n}\n\n\
         int guest(void *arg) {\n    (void)arg;\n    mtx_lock(&t);\n    if (!count)\n        /*@w*/cnd_wait(&d, &t);\n    mtx_unlock(&t);\n    return 0;\n}\n",
    );
    marked.becomes(
        |sources| flag(sources, &marked.all("w"), &marked.all("s"), "ready"),
        r"
 struct timespec deadline;
+static int ready2;
 struct queue { pthread_mutex_t m; pthread_cond_t c; };
...
 int cook(void *arg) {
-    if (arg)
+    if (arg) {
+        mtx_lock(&t);
+        ready2 = 1;
         cnd_signal(&d);
+        mtx_unlock(&t);
+    }
     return 0;
...
     if (!count)
-        cnd_wait(&d, &t);
+        while (!ready2)
+            cnd_wait(&d, &t);
     mtx_unlock(&t);
",
    );
}

#[test]
fn flags_that_cannot_be_made() {
    let marked = program(
        "void cook(struct queue *q) {\n    /*@s*/pthread_cond_signal(&q->c);\n}\n\n\
         void guest(struct queue *queue) {\n    pthread_mutex_lock(&queue->m);\n    /*@w*/pthread_cond_wait(&queue->c, &queue->m);\n    pthread_mutex_unlock(&queue->m);\n}\n",
    );
    let change = |sources: &unravel_patch::Sources<'_>| {
        flag(sources, &marked.all("w"), &marked.all("s"), "served")
    };
    marked.refused(change, "the mutex `&queue->m` of the wait has no name here");
    let marked = waiting("    while (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n");
    marked.refused(
        |sources| flag(sources, &marked.all("w"), &[], "served"),
        "the wait is in a loop or a condition already",
    );
    let marked = waiting(
        "    while (!ready) {\n        count++;\n        /*@w*/pthread_cond_wait(&c, &m);\n    }\n",
    );
    marked.refused(
        |sources| flag(sources, &marked.all("w"), &[], "served"),
        "the wait is in a loop or a condition already",
    );
}

/// Compares what becomes of a function that changes and signals what another waits for.
#[track_caller]
fn under_lock(cook: &str, expected: &str) {
    const GUEST: &str = "void guest(void) {\n    pthread_mutex_lock(&m);\n    while (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n    pthread_mutex_unlock(&m);\n}\n";
    let marked = program(&format!("void cook(void) {{\n{cook}}}\n\n{GUEST}"));
    let change = |sources: &unravel_patch::Sources<'_>| {
        signal_under_lock(sources, &marked.all("x"), &marked.all("s"), marked.at("w"))
    };
    marked.becomes(change, expected);
}

#[test]
fn change_and_signal_under_the_mutex() {
    under_lock(
        "    /*@x*/ready = true;\n    count++;\n    /*@s*/pthread_cond_signal(&c);\n",
        r"
 void cook(void) {
+    pthread_mutex_lock(&m);
     ready = true;
...
     pthread_cond_signal(&c);
+    pthread_mutex_unlock(&m);
 }
",
    );
    under_lock(
        "    pthread_mutex_lock(&m);\n    /*@x*/ready = true;\n    pthread_mutex_unlock(&m);\n    /*@s*/pthread_cond_signal(&c);\n",
        r"
     pthread_mutex_unlock(&m);
+    pthread_mutex_lock(&m);
     pthread_cond_signal(&c);
+    pthread_mutex_unlock(&m);
 }
",
    );
    under_lock(
        "    /*@x*/ready = true;\n    if (count)\n        return;\n    /*@s*/pthread_cond_signal(&c);\n",
        r"
 void cook(void) {
+    pthread_mutex_lock(&m);
     ready = true;
+    pthread_mutex_unlock(&m);
     if (count)
         return;
+    pthread_mutex_lock(&m);
     pthread_cond_signal(&c);
+    pthread_mutex_unlock(&m);
 }
",
    );
}

const TRAY: &str = "struct tray {\n    pthread_mutex_t lock;\n    pthread_cond_t filled;\n    int closed;\n};\n\nvoid take(struct tray *queue) {\n    pthread_mutex_lock(&queue->lock);\n    while (!queue->closed)\n        /*@w*/pthread_cond_wait(&queue->filled, &queue->lock);\n    pthread_mutex_unlock(&queue->lock);\n}\n\n";

#[test]
fn a_mutex_is_named_as_the_condition_variable_beside_it() {
    let marked = program(&format!(
        "{TRAY}void shut(struct tray *q) {{\n    count++;\n    q->closed = 1;\n    /*@s*/pthread_cond_signal(&q->filled);\n}}\n"
    ));
    let change = |sources: &unravel_patch::Sources<'_>| {
        let (wait, signal) = (marked.at("w"), marked.at("s"));
        let changes = changes_before(sources, wait, signal);
        assert_eq!(changes.len(), 1, "{changes:?}");
        signal_under_lock(sources, &changes, &[signal], wait)
    };
    marked.becomes(
        change,
        r"
     count++;
+    pthread_mutex_lock(&q->lock);
     q->closed = 1;
     pthread_cond_signal(&q->filled);
+    pthread_mutex_unlock(&q->lock);
 }
",
    );
}

#[test]
fn a_variable_of_another_type_names_another_mutex() {
    let marked = program(&format!(
        "{TRAY}struct bell {{\n    pthread_cond_t filled;\n}};\n\nvoid ring(struct bell *q) {{\n    /*@s*/pthread_cond_signal(&q->filled);\n}}\n"
    ));
    let change = |sources: &unravel_patch::Sources<'_>| {
        signal_under_lock(sources, &[], &[marked.at("s")], marked.at("w"))
    };
    marked.refused(change, "the mutex `&queue->lock` of the wait has no name here");
}

#[test]
fn change_and_signal_are_under_it_already() {
    let marked = waiting(
        "    /*@x*/ready = true;\n    /*@s*/pthread_cond_signal(&c);\n    while (!ready)\n        /*@w*/pthread_cond_wait(&c, &m);\n",
    );
    let change = |sources: &unravel_patch::Sources<'_>| {
        signal_under_lock(sources, &marked.all("x"), &marked.all("s"), marked.at("w"))
    };
    marked.refused(change, "change and signal are under the wait's mutex already");
}

#[test]
fn all_are_woken() {
    let marked = program(
        "void f(void) {\n    if (/*@s*/pthread_cond_signal(&c))\n        count++;\n    /*@d*/cnd_signal(&d);\n}\n",
    );
    marked.becomes(
        |sources| broadcast(sources, marked.at("s")),
        r"
 void f(void) {
-    if (pthread_cond_signal(&c))
+    if (pthread_cond_broadcast(&c))
         count++;
",
    );
    marked.becomes(
        |sources| broadcast(sources, marked.at("d")),
        r"
         count++;
-    cnd_signal(&d);
+    cnd_broadcast(&d);
 }
",
    );
    let marked = program("void f(void) {\n    /*@s*/pthread_cond_broadcast(&c);\n}\n");
    marked.refused(
        |sources| broadcast(sources, marked.at("s")),
        "no signal of a condition variable is seen here",
    );
}
