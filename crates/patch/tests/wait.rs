//! One step waits for another.

mod marks;

use marks::Marked;
use unravel_patch::wait::{Order, wait_behind, wait_for};
use unravel_patch::{Edit, Refusal, Sources};

fn order(marked: &Marked, arrivals: u32) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> {
    let (first, second) = (marked.all("first"), marked.all("second"));
    let order = Order { first, second, arrivals, name: "ready".to_owned() };
    move |sources| wait_for(sources, &order)
}

/// A program whose two threads have these bodies.
fn program(writer: &str, reader: &str) -> Marked {
    Marked::new(&format!(
        "#include <pthread.h>\n#include <stdlib.h>\n\nint x, y;\n\
         pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\n\
         void *writer(void *arg) {{\n{writer}    return arg;\n}}\n\n\
         void *reader(void *arg) {{\n{reader}    return arg;\n}}\n"
    ))
}

#[track_caller]
fn becomes(writer: &str, reader: &str, expected: &str) {
    let marked = program(writer, reader);
    marked.becomes(order(&marked, 1), expected);
}

#[test]
fn a_statement_before_a_statement() {
    becomes(
        "    /*@first*/x = 1;\n",
        "    y = /*@second*/x;\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
     x = 1;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     y = x;
",
    );
}

#[test]
fn several_threads_run_the_first_step() {
    let marked = program("    x/*@first*/++;\n", "    if (/*@second*/x == 2)\n        y = 1;\n");
    marked.becomes(
        order(&marked, 2),
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
     x++;
+    pthread_mutex_lock(&ready_lock);
+    ready++;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (ready < 2)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     if (x == 2)
",
    );
}

#[test]
fn the_first_step_is_in_a_branch_or_a_loop() {
    becomes(
        "    for (int i = 0; i < 3; i++)\n        if (y == i)\n            /*@first*/x = i;\n    y = 1;\n",
        "    int seen = /*@second*/x;\n    y = seen;\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
             x = i;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     y = 1;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     int seen = x;
",
    );
}

#[test]
fn ways_out_before_the_first_step_signal_too() {
    becomes(
        "    if (y)\n        return NULL;\n    if (y == 2) {\n        y = 3;\n        pthread_exit(NULL);\n    }\n    /*@first*/x = 1;\n",
        "    while (/*@second*/x == 0)\n        y++;\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

 void *writer(void *arg) {
-    if (y)
+    if (y) {
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         return NULL;
+    }
     if (y == 2) {
         y = 3;
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         pthread_exit(NULL);
...
     x = 1;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     while (x == 0)
",
    );
}

#[test]
fn the_first_step_is_in_a_return() {
    let marked = Marked::new(
        "static int x;\n\nint take(void) {\n    return x/*@first*/++;\n}\n\nint look(void) {\n    return /*@second*/x;\n}\n",
    );
    marked.becomes(
        order(&marked, 1),
        r"
+#include <pthread.h>

 static int x;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

 int take(void) {
-    return x++;
+    int result = x++;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
+    return result;
 }
...
 int look(void) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     return x;
",
    );
}

#[test]
fn a_return_in_a_branch_without_braces() {
    let marked = Marked::new(
        "static int x;\n\nint take(int n) {\n\tif (n > 0)\n\t\treturn /*@first*/x;\n\tn++;\n\treturn n;\n}\n\nint look(void) {\n\treturn /*@second*/x;\n}\n",
    );
    marked.becomes(
        order(&marked, 1),
        r"
+#include <pthread.h>

 static int x;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

 int take(int n) {
-	if (n > 0)
-		return x;
+	if (n > 0) {
+		int result = x;
+		pthread_mutex_lock(&ready_lock);
+		ready = 1;
+		pthread_cond_broadcast(&ready_cond);
+		pthread_mutex_unlock(&ready_lock);
+		return result;
+	}
+	pthread_mutex_lock(&ready_lock);
+	ready = 1;
+	pthread_cond_broadcast(&ready_cond);
+	pthread_mutex_unlock(&ready_lock);
 	n++;
...
 int look(void) {
+	pthread_mutex_lock(&ready_lock);
+	while (!ready)
+		pthread_cond_wait(&ready_cond, &ready_lock);
+	pthread_mutex_unlock(&ready_lock);
 	return x;
",
    );
}

#[test]
fn critical_sections_are_left_before() {
    becomes(
        "    pthread_mutex_lock(&m);\n    /*@first*/x = 1;\n    y = 2;\n    pthread_mutex_unlock(&m);\n",
        "    pthread_mutex_lock(&m);\n    if (y) {\n        y = /*@second*/x;\n    }\n    pthread_mutex_unlock(&m);\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
     pthread_mutex_unlock(&m);
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     pthread_mutex_lock(&m);
",
    );
}

#[test]
fn a_jump_past_the_first_step() {
    becomes(
        "    if (y)\n        goto out;\n    /*@first*/x = 1;\nout:\n    y = 0;\n",
        "    for (int i = 0; i < /*@second*/x; i++)\n        y++;\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

 void *writer(void *arg) {
-    if (y)
+    if (y) {
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         goto out;
+    }
     x = 1;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
 out:
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     for (int i = 0; i < x; i++)
",
    );
}

#[test]
fn the_second_step_in_an_else_if_and_a_switch() {
    becomes(
        "    x/*@first*/++;\n",
        "    if (y == 1)\n        y = 2;\n    else if (/*@second*/x)\n        y = 3;\n    switch (y) {\n    case 1:\n        y = /*@second*/x;\n        break;\n    default:\n        break;\n    }\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
     x++;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     if (y == 1)
...
     case 1:
+        pthread_mutex_lock(&ready_lock);
+        while (!ready)
+            pthread_cond_wait(&ready_cond, &ready_lock);
+        pthread_mutex_unlock(&ready_lock);
         y = x;
",
    );
}

#[test]
fn the_first_step_ends_the_function() {
    becomes(
        "    if (arg) {\n        /*@first*/x = 1;\n        return NULL;\n    } else {\n        return arg;\n    }\n",
        "    y = /*@second*/x;\n",
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

...
         x = 1;
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         return NULL;
     } else {
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         return arg;
...
 void *reader(void *arg) {
+    pthread_mutex_lock(&ready_lock);
+    while (!ready)
+        pthread_cond_wait(&ready_cond, &ready_lock);
+    pthread_mutex_unlock(&ready_lock);
     y = x;
",
    );
}

#[test]
fn names_in_use_and_other_files() {
    let marked = Marked::of(&[
        (
            "a.c",
            "#include <pthread.h>\nint x, ready;\n\nvoid put(void)\n{\n    /*@first*/x = 1;\n}\n",
        ),
        ("b.c", "extern int x;\n\nint get(void)\n{\n    return /*@second*/x;\n}\n"),
    ]);
    marked.becomes(
        order(&marked, 1),
        r"
 int x, ready;
+pthread_mutex_t ready2_lock = PTHREAD_MUTEX_INITIALIZER;
+pthread_cond_t ready2_cond = PTHREAD_COND_INITIALIZER;
+int ready2;

...
     x = 1;
+    pthread_mutex_lock(&ready2_lock);
+    ready2 = 1;
+    pthread_cond_broadcast(&ready2_cond);
+    pthread_mutex_unlock(&ready2_lock);
 }
+#include <pthread.h>

 extern int x;
+extern pthread_mutex_t ready2_lock;
+extern pthread_cond_t ready2_cond;
+extern int ready2;

...
 {
+    pthread_mutex_lock(&ready2_lock);
+    while (!ready2)
+        pthread_cond_wait(&ready2_cond, &ready2_lock);
+    pthread_mutex_unlock(&ready2_lock);
     return x;
",
    );
}

#[test]
fn a_counter_does_not_count_twice() {
    let marked = program(
        "again:\n    x/*@first*/++;\n    if (x < 3)\n        goto again;\n",
        "    y = /*@second*/x;\n",
    );
    marked.refused(order(&marked, 2), "a `goto` leads back over the step, which cannot be counted");
}

#[test]
fn a_loop_waits_behind_its_step() {
    let marked = program(
        "    if (y)\n        return NULL;\n    x/*@first*/++;\n",
        "    for (int i = 0; i < 3; i++)\n        /*@second*/y++;\n",
    );
    let (first, second) = (marked.all("first"), marked.all("second"));
    let order = Order { first, second, arrivals: 1, name: "ready".to_owned() };
    marked.becomes(
        |sources: &Sources<'_>| wait_behind(sources, &order),
        r"
 pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
+static pthread_mutex_t ready_lock = PTHREAD_MUTEX_INITIALIZER;
+static pthread_cond_t ready_cond = PTHREAD_COND_INITIALIZER;
+static int ready;

 void *writer(void *arg) {
-    if (y)
+    if (y) {
+        pthread_mutex_lock(&ready_lock);
+        ready = 1;
+        pthread_cond_broadcast(&ready_cond);
+        pthread_mutex_unlock(&ready_lock);
         return NULL;
+    }
     x++;
+    pthread_mutex_lock(&ready_lock);
+    ready = 1;
+    pthread_cond_broadcast(&ready_cond);
+    pthread_mutex_unlock(&ready_lock);
     return arg;
...
 void *reader(void *arg) {
-    for (int i = 0; i < 3; i++)
+    for (int i = 0; i < 3; i++) {
         y++;
+        pthread_mutex_lock(&ready_lock);
+        while (!ready)
+            pthread_cond_wait(&ready_cond, &ready_lock);
+        ready = 0;
+        pthread_mutex_unlock(&ready_lock);
+    }
     return arg;
",
    );
}
