//! Locks taken in another order.

mod marks;

use marks::Marked;
use unravel_patch::locks::{Nested, by_address, reorder};
use unravel_patch::{Edit, Refusal, Sources};

fn program(text: &str) -> Marked {
    Marked::new(&format!(
        "#include <pthread.h>\n\nint x, y;\n\
         pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
         pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;\npthread_mutex_t forks[3];\n\n\
         int work(int n) {{\n{text}    return n;\n}}\n"
    ))
}

fn nested(marked: &Marked) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> {
    let nested = Nested { outer: marked.at("outer"), inner: marked.at("inner") };
    move |sources| reorder(sources, &nested)
}

#[track_caller]
fn becomes(text: &str, expected: &str) {
    let marked = program(text);
    marked.becomes(nested(&marked), expected);
}

#[track_caller]
fn refused(text: &str, why: &str) {
    let marked = program(text);
    marked.refused(nested(&marked), why);
}

#[test]
fn one_directly_in_the_other() {
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a); // first\n    /*@inner*/pthread_mutex_lock(&b); // second\n    x++;\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&b); // second
     pthread_mutex_lock(&a); // first
-    pthread_mutex_lock(&b); // second
     x++;
",
    );
}

#[test]
fn statements_between() {
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a);\n    x++;\n    /*@inner*/pthread_mutex_lock(&b);\n    y++;\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&b);
     pthread_mutex_lock(&a);
     x++;
-    pthread_mutex_lock(&b);
     y++;
",
    );
}

#[test]
fn ways_out_between() {
    becomes(
        "    for (;;) {\n        /*@outer*/pthread_mutex_lock(&a);\n        if (x)\n            break;\n        if (y) {\n            pthread_mutex_unlock(&a);\n            return 1;\n        }\n        for (;;)\n            break;\n        /*@inner*/pthread_mutex_lock(&b);\n        y++;\n        pthread_mutex_unlock(&b);\n        pthread_mutex_unlock(&a);\n    }\n    pthread_mutex_unlock(&a);\n",
        r"
     for (;;) {
+        pthread_mutex_lock(&b);
         pthread_mutex_lock(&a);
-        if (x)
+        if (x) {
+            pthread_mutex_unlock(&b);
             break;
+        }
         if (y) {
             pthread_mutex_unlock(&a);
+            pthread_mutex_unlock(&b);
             return 1;
...
             break;
-        pthread_mutex_lock(&b);
         y++;
",
    );
}

#[test]
fn a_branch_that_only_locks() {
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a);\n    ++x;\n    if (x == 1) /*@inner*/pthread_mutex_lock(&b);\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&b);
     pthread_mutex_lock(&a);
     ++x;
-    if (x == 1) pthread_mutex_lock(&b);
+    if (!(x == 1)) pthread_mutex_unlock(&b);
     pthread_mutex_unlock(&a);
",
    );
}

#[test]
fn a_branch_with_a_section_of_its_own() {
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a);\n    if (x) {\n        /*@inner*/pthread_mutex_lock(&b);\n        y++;\n        pthread_mutex_unlock(&b);\n    }\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&b);
     pthread_mutex_lock(&a);
     if (x) {
-        pthread_mutex_lock(&b);
         y++;
         pthread_mutex_unlock(&b);
+    } else {
+        pthread_mutex_unlock(&b);
     }
",
    );
}

#[test]
fn a_branch_with_an_else() {
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a);\n    if (x)\n        y = 1;\n    else {\n        if (y)\n            return 2;\n        /*@inner*/pthread_mutex_lock(&b);\n        y++;\n        pthread_mutex_unlock(&b);\n    }\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&b);
     pthread_mutex_lock(&a);
-    if (x)
+    if (x) {
+        pthread_mutex_unlock(&b);
         y = 1;
-    else {
-        if (y)
+    } else {
+        if (y) {
+            pthread_mutex_unlock(&b);
             return 2;
-        pthread_mutex_lock(&b);
+        }
         y++;
",
    );
}

#[test]
fn elements_and_read_write_locks() {
    becomes(
        "    /*@outer*/pthread_rwlock_rdlock(&rw);\n    if (x)\n        return 1;\n    /*@inner*/pthread_mutex_lock(&forks[(n + 1) % 3]);\n    pthread_mutex_unlock(&forks[(n + 1) % 3]);\n    pthread_rwlock_unlock(&rw);\n",
        r"
 int work(int n) {
+    pthread_mutex_lock(&forks[(n + 1) % 3]);
     pthread_rwlock_rdlock(&rw);
-    if (x)
+    if (x) {
+        pthread_mutex_unlock(&forks[(n + 1) % 3]);
         return 1;
-    pthread_mutex_lock(&forks[(n + 1) % 3]);
+    }
     pthread_mutex_unlock(&forks[(n + 1) % 3]);
",
    );
    becomes(
        "    /*@outer*/pthread_mutex_lock(&a);\n    while (x)\n        if (y)\n            return 1;\n    /*@inner*/pthread_rwlock_wrlock(&rw);\n    pthread_rwlock_unlock(&rw);\n    pthread_mutex_unlock(&a);\n",
        r"
 int work(int n) {
+    pthread_rwlock_wrlock(&rw);
     pthread_mutex_lock(&a);
     while (x)
-        if (y)
+        if (y) {
+            pthread_rwlock_unlock(&rw);
             return 1;
-    pthread_rwlock_wrlock(&rw);
+        }
     pthread_rwlock_unlock(&rw);
",
    );
}

#[test]
fn what_is_refused() {
    refused(
        "    /*@outer*/pthread_mutex_lock(&a);\n    n = x;\n    /*@inner*/pthread_mutex_lock(&forks[n]);\n    pthread_mutex_unlock(&forks[n]);\n    pthread_mutex_unlock(&a);\n",
        "what is locked is decided after the outer lock",
    );
    refused(
        "    /*@outer*/pthread_mutex_lock(&a);\n    pthread_mutex_unlock(&a);\n    /*@inner*/pthread_mutex_lock(&b);\n    pthread_mutex_unlock(&b);\n",
        "the outer lock is given back before the inner",
    );
    refused(
        "    /*@outer*/pthread_mutex_lock(&a);\n    while (x) {\n        /*@inner*/pthread_mutex_lock(&b);\n        pthread_mutex_unlock(&b);\n    }\n    pthread_mutex_unlock(&a);\n",
        "the inner lock is deep in branches or a loop",
    );
    refused(
        "    /*@inner*/pthread_mutex_lock(&a);\n    /*@outer*/pthread_mutex_lock(&b);\n    pthread_mutex_unlock(&b);\n    pthread_mutex_unlock(&a);\n",
        "the inner lock does not follow the outer in its block",
    );
}

#[track_caller]
fn by_address_becomes(text: &str, expected: &str) {
    let marked = program(text);
    let nested = Nested { outer: marked.at("outer"), inner: marked.at("inner") };
    marked.becomes(|sources: &Sources<'_>| by_address(sources, &nested), expected);
}

#[track_caller]
fn by_address_refused(text: &str, why: &str) {
    let marked = program(text);
    let nested = Nested { outer: marked.at("outer"), inner: marked.at("inner") };
    marked.refused(|sources: &Sources<'_>| by_address(sources, &nested), why);
}

#[test]
fn elements_in_the_order_of_their_addresses() {
    by_address_becomes(
        "    /*@outer*/pthread_mutex_lock(&forks[n]); // left\n    /*@inner*/pthread_mutex_lock(&forks[(n + 1) % 3]); // right\n    x++;\n    pthread_mutex_unlock(&forks[n]);\n    pthread_mutex_unlock(&forks[(n + 1) % 3]);\n",
        r"
 int work(int n) {
+    if (&forks[(n + 1) % 3] < &forks[n])
+        pthread_mutex_lock(&forks[(n + 1) % 3]);
     pthread_mutex_lock(&forks[n]); // left
-    pthread_mutex_lock(&forks[(n + 1) % 3]); // right
+    if (&forks[(n + 1) % 3] >= &forks[n])
+        pthread_mutex_lock(&forks[(n + 1) % 3]); // right
     x++;
",
    );
}

#[test]
fn no_order_of_addresses() {
    by_address_refused(
        "    /*@outer*/pthread_mutex_lock(&forks[n]);\n    if (x)\n        return 1;\n    /*@inner*/pthread_mutex_lock(&forks[0]);\n",
        "the inner lock is not taken on all ways from the outer",
    );
    by_address_refused(
        "    /*@outer*/pthread_mutex_lock(&forks[n]);\n    /*@inner*/pthread_mutex_lock(&forks[n++]);\n",
        "which locks are taken is decided where they are",
    );
}
