//! Joins and creations at other places.

mod marks;

use marks::Marked;
use unravel_patch::threads::{create_after, join_before, move_before};
use unravel_patch::{Edit, Refusal, Sources};

fn program(text: &str) -> Marked {
    Marked::new(&format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n\n\
         int x, y;\nint *config;\npthread_mutex_t m;\n\n\
         void *work(void *arg) {{\n    x = 1;\n    return arg;\n}}\n\n\
         void *loner(void *arg) {{\n    pthread_detach(pthread_self());\n    return arg;\n}}\n\n\
         int job(void *arg) {{\n    (void)arg;\n    return x;\n}}\n\n\
         int main(void) {{\n    pthread_t t, u, all[3];\n    thrd_t d;\n    int i = 0;\n    (void)t;\n    (void)u;\n    (void)all;\n    (void)d;\n{text}    return i;\n}}\n"
    ))
}

fn join(marked: &Marked, moved: bool) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> {
    let (create, before) = (marked.at("create"), marked.at("before"));
    let join = moved.then(|| marked.at("join"));
    move |sources| join_before(sources, create, join, before)
}

#[track_caller]
fn joined(text: &str, expected: &str) {
    let marked = program(text);
    marked.becomes(join(&marked, text.contains("@join")), expected);
}

#[track_caller]
fn not_joined(text: &str, why: &str) {
    let marked = program(text);
    marked.refused(join(&marked, text.contains("@join")), why);
}

#[test]
fn a_join_is_moved() {
    joined(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    /*@before*/assert(x == 1);\n    y = 2;\n    /*@join*/pthread_join(t, NULL); // done\n",
        r"
     pthread_create(&t, NULL, work, NULL);
+    pthread_join(t, NULL); // done
     assert(x == 1);
     y = 2;
-    pthread_join(t, NULL); // done
     return i;
",
    );
}

#[test]
fn a_join_is_added() {
    joined(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    pthread_create(&u, NULL, work, NULL);\n    if (y) {\n        /*@before*/x++;\n    }\n    pthread_join(u, NULL);\n",
        r"
     pthread_create(&u, NULL, work, NULL);
+    pthread_join(t, NULL);
     if (y) {
",
    );
    joined(
        "    if (/*@create*/pthread_create(&all[1], NULL, work, NULL) != 0)\n        abort();\n    i++;\n    y = /*@before*/x;\n",
        r"
     i++;
+    pthread_join(all[1], NULL);
     y = x;
",
    );
    joined(
        "    /*@create*/pthread_create(all + 2, NULL, work, NULL);\n    y = /*@before*/x;\n",
        r"
     pthread_create(all + 2, NULL, work, NULL);
+    pthread_join(all[2], NULL);
     y = x;
",
    );
}

#[test]
fn a_join_that_was_not_named_is_found() {
    joined(
        "    /*@create*/pthread_create(&all[0], NULL, work, NULL);\n    y = /*@before*/x;\n    pthread_join(all[0], NULL);\n",
        r"
     pthread_create(&all[0], NULL, work, NULL);
+    pthread_join(all[0], NULL);
     y = x;
-    pthread_join(all[0], NULL);
     return i;
",
    );
}

#[test]
fn a_loop_of_joins_is_moved() {
    joined(
        "    for (i = 0; i < 3; i++)\n        /*@create*/pthread_create(&all[i], NULL, work, NULL);\n    y = /*@before*/x;\n    for (int k = 0; k < 3; k++)\n        /*@join*/pthread_join(all[k], NULL);\n",
        r"
         pthread_create(&all[i], NULL, work, NULL);
-    y = x;
     for (int k = 0; k < 3; k++)
         pthread_join(all[k], NULL);
+    y = x;
     return i;
",
    );
}

#[test]
fn a_join_ends_the_turn_of_a_loop() {
    joined(
        "    for (i = 0; i < 3; /*@before*/i++)\n        /*@create*/pthread_create(&all[i], NULL, work, &i);\n    for (int k = 0; k < 3; k++)\n        /*@join*/pthread_join(all[k], NULL);\n",
        r"
     (void)d;
-    for (i = 0; i < 3; i++)
+    for (i = 0; i < 3; i++) {
         pthread_create(&all[i], NULL, work, &i);
-    for (int k = 0; k < 3; k++)
-        pthread_join(all[k], NULL);
+        pthread_join(all[i], NULL);
+    }
     return i;
",
    );
}

#[test]
fn nobody_is_joined_in_a_critical_section() {
    joined(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    pthread_mutex_lock(&m);\n    /*@before*/x = 2;\n    pthread_mutex_unlock(&m);\n    /*@join*/pthread_join(t, NULL);\n",
        r"
     pthread_create(&t, NULL, work, NULL);
+    pthread_join(t, NULL);
     pthread_mutex_lock(&m);
...
     pthread_mutex_unlock(&m);
-    pthread_join(t, NULL);
     return i;
",
    );
}

#[test]
fn a_detached_thread_is_joined_instead() {
    joined(
        "    /*@create*/thrd_create(&d, job, NULL);\n    thrd_detach(d);\n    /*@before*/assert(x == 9);\n",
        r"
     thrd_create(&d, job, NULL);
-    thrd_detach(d);
+    thrd_join(d, NULL);
     assert(x == 9);
",
    );
}

#[test]
fn joins_that_cannot_be_made() {
    not_joined(
        "    /*@create*/pthread_create(&t, NULL, loner, NULL);\n    y = /*@before*/x;\n",
        "the thread is detached",
    );
    not_joined(
        "    y = /*@before*/x;\n    /*@create*/pthread_create(&t, NULL, work, NULL);\n",
        "the thread is created after this",
    );
    not_joined(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    /*@join*/pthread_join(t, NULL);\n    y = /*@before*/x;\n",
        "the thread is joined before already",
    );
    not_joined(
        "    /*@create*/pthread_create(&all[i], NULL, work, NULL);\n    i++;\n    y = /*@before*/x;\n",
        "`i` changes after the creation",
    );
    not_joined(
        "    for (i = 0; i < 3; i++)\n        /*@create*/pthread_create(&all[i], NULL, work, NULL);\n    y = /*@before*/x;\n",
        "several threads may be created here",
    );
    not_joined(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    y = /*@before*/x;\n    for (i = 0; i < 1; i++) {\n        y++;\n        /*@join*/pthread_join(t, NULL);\n    }\n",
        "the loop around the join does other things",
    );
}

fn later(marked: &Marked) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> {
    let (create, after) = (marked.at("create"), marked.at("after"));
    move |sources| create_after(sources, create, after)
}

#[test]
fn a_thread_is_created_later() {
    let marked = program(
        "    /*@create*/pthread_create(&t, NULL, work, &y);\n    y = 3;\n    /*@after*/config = &y;\n    pthread_join(t, NULL);\n",
    );
    marked.becomes(
        later(&marked),
        r"
     (void)d;
-    pthread_create(&t, NULL, work, &y);
     y = 3;
     config = &y;
+    pthread_create(&t, NULL, work, &y);
     pthread_join(t, NULL);
",
    );
}

#[test]
fn the_test_of_a_creation_goes_with_it() {
    let marked = program(
        "    if (/*@create*/pthread_create(&t, NULL, work, NULL) != 0)\n        return 1;\n    /*@after*/config = &y;\n    pthread_join(t, NULL);\n",
    );
    marked.becomes(
        later(&marked),
        r"
     (void)d;
+    config = &y;
     if (pthread_create(&t, NULL, work, NULL) != 0)
         return 1;
-    config = &y;
     pthread_join(t, NULL);
",
    );
    let marked = program(
        "    int rc = /*@create*/pthread_create(&t, NULL, work, NULL);\n    if (rc != 0) {\n        abort();\n    }\n    if (y) {\n        /*@after*/config = &y;\n    }\n    pthread_join(t, NULL);\n",
    );
    marked.becomes(
        later(&marked),
        r"
     (void)d;
+    if (y) {
+        config = &y;
+    }
     int rc = pthread_create(&t, NULL, work, NULL);
...
         abort();
-    }
-    if (y) {
-        config = &y;
     }
",
    );
}

#[track_caller]
fn not_later(text: &str, why: &str) {
    let marked = program(text);
    marked.refused(later(&marked), why);
}

#[test]
fn creations_that_must_stay() {
    not_later(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    pthread_join(t, NULL);\n    /*@after*/config = &y;\n",
        "the handle or the result is used in between",
    );
    not_later(
        "    /*@create*/pthread_create(&t, NULL, work, config);\n    /*@after*/config = &y;\n",
        "what the thread is given changes in between",
    );
    not_later(
        "    /*@create*/pthread_create(&t, NULL, work, NULL);\n    if (y)\n        return 2;\n    /*@after*/config = &y;\n",
        "the function may be left in between",
    );
    not_later(
        "    /*@after*/config = &y;\n    /*@create*/pthread_create(&t, NULL, work, NULL);\n",
        "the thread is created after this already",
    );
}

fn earlier(marked: &Marked) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> {
    let (statement, before) = (marked.at("statement"), marked.at("before"));
    move |sources| move_before(sources, statement, before)
}

#[test]
fn a_statement_is_moved() {
    let marked = program(
        "    /*@before*/pthread_create(&t, NULL, work, &config);\n    config /*@statement*/= malloc(4 *\n        sizeof *config); // late\n    pthread_join(t, NULL);\n",
    );
    marked.becomes(
        earlier(&marked),
        r"
     (void)d;
-    pthread_create(&t, NULL, work, &config);
     config = malloc(4 *
         sizeof *config); // late
+    pthread_create(&t, NULL, work, &config);
     pthread_join(t, NULL);
",
    );
    let marked = program(
        "    if (/*@before*/pthread_create(&t, NULL, work, NULL))\n        abort();\n    y = 2;\n    /*@statement*/pthread_mutex_init(&m, NULL);\n    pthread_join(t, NULL);\n",
    );
    marked.becomes(
        earlier(&marked),
        r"
     (void)d;
+    pthread_mutex_init(&m, NULL);
     if (pthread_create(&t, NULL, work, NULL))
...
     y = 2;
-    pthread_mutex_init(&m, NULL);
     pthread_join(t, NULL);
",
    );
}

#[track_caller]
fn not_earlier(text: &str, why: &str) {
    let marked = program(text);
    marked.refused(earlier(&marked), why);
}

#[test]
fn statements_that_must_stay() {
    not_earlier(
        "    /*@before*/pthread_create(&t, NULL, work, NULL);\n    int *p = &y;\n    config /*@statement*/= p;\n",
        "`p` is declared or assigned in between",
    );
    not_earlier(
        "    /*@before*/pthread_create(&t, NULL, work, NULL);\n    y = *config;\n    config /*@statement*/= &i;\n",
        "what the statement changes is used in between",
    );
    not_earlier(
        "    config /*@statement*/= &i;\n    /*@before*/pthread_create(&t, NULL, work, NULL);\n",
        "the statement comes before already",
    );
}
