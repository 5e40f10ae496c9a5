//! Torn read-modify-writes become one atomic operation.

mod marks;

use marks::Marked;
use unravel_patch::{Edit, Refusal, Sources, atomic::atomic};

fn at<'m>(
    marked: &'m Marked,
    variable: &'m str,
) -> impl Fn(&Sources<'_>) -> Result<Vec<Edit>, Refusal> + 'm {
    move |sources| atomic(sources, &marked.all("a"), variable)
}

/// A program around the body of a function.
fn body(text: &str) -> Marked {
    const HEAD: &str = "#include <stdbool.h>\n#include <stdlib.h>\n\
        struct node { int count; unsigned bits : 3; unsigned char small; };\n\
        int x, y;\nunsigned flags;\nint *cursor;\nbool busy;\nint cells[4];\n\
        struct node one;\nint next(void);\n\n\
        int f(struct node *n, int i, int *p)\n{\n    (void)n;\n    (void)i;\n    (void)p;\n";
    Marked::new(&format!("{HEAD}{text}    return i;\n}}\n"))
}

#[track_caller]
fn becomes(text: &str, variable: &str, expected: &str) {
    let marked = body(text);
    marked.becomes(at(&marked, variable), expected);
}

#[track_caller]
fn refused(text: &str, variable: &str, why: &str) {
    let marked = body(text);
    marked.refused(at(&marked, variable), why);
}

#[test]
fn steps_whose_value_is_not_used() {
    becomes(
        "    x/*@a*/++;\n    --/*@a*/x;\n",
        "x",
        r"
     (void)p;
-    x++;
-    --x;
+    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
+    __atomic_fetch_sub(&x, 1, __ATOMIC_SEQ_CST);
     return i;
",
    );
}

#[test]
fn steps_whose_value_is_used() {
    becomes(
        "    y = x/*@a*/++;\n    i = /*@a*/--x;\n    if (/*@a*/++x == 3)\n        y = 0;\n",
        "x",
        r"
     (void)p;
-    y = x++;
-    i = --x;
-    if (++x == 3)
+    y = __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
+    i = __atomic_sub_fetch(&x, 1, __ATOMIC_SEQ_CST);
+    if (__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST) == 3)
         y = 0;
",
    );
}

#[test]
fn compound_assignments() {
    becomes(
        "    flags /*@a*/|= 1u << i;\n    i = (/*@a*/flags &= ~3u) != 0;\n    flags /*@a*/^= 2;\n",
        "flags",
        r"
     (void)p;
-    flags |= 1u << i;
-    i = (flags &= ~3u) != 0;
-    flags ^= 2;
+    __atomic_fetch_or(&flags, 1u << i, __ATOMIC_SEQ_CST);
+    i = (__atomic_and_fetch(&flags, ~3u, __ATOMIC_SEQ_CST)) != 0;
+    __atomic_fetch_xor(&flags, 2, __ATOMIC_SEQ_CST);
     return i;
",
    );
}

#[test]
fn sums() {
    becomes(
        "    x = /*@a*/x + 1;\n    x /*@a*/= y + i - 2;\n    x = /*@a*/x + y - 2;\n    x = y + (/*@a*/x);\n    y = x = /*@a*/x - i;\n",
        "x",
        r"
     (void)p;
-    x = x + 1;
-    x = y + i - 2;
-    x = x + y - 2;
-    x = y + (x);
-    y = x = x - i;
+    __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
+    __atomic_store_n(&x, y + i - 2, __ATOMIC_SEQ_CST);
+    __atomic_fetch_add(&x, y - 2, __ATOMIC_SEQ_CST);
+    __atomic_fetch_add(&x, y, __ATOMIC_SEQ_CST);
+    y = __atomic_sub_fetch(&x, i, __ATOMIC_SEQ_CST);
     return i;
",
    );
}

#[test]
fn members_elements_and_what_pointers_lead_to() {
    becomes(
        "    n->/*@a*/count++;\n    one.count /*@a*/-= i;\n",
        "one.count",
        r"
     (void)p;
-    n->count++;
-    one.count -= i;
+    __atomic_fetch_add(&n->count, 1, __ATOMIC_SEQ_CST);
+    __atomic_fetch_sub(&one.count, i, __ATOMIC_SEQ_CST);
     return i;
",
    );
    becomes(
        "    cells[i] /*@a*/+= y;\n    /*@a*/cells[1 + i]++;\n",
        "cells[2]",
        r"
     (void)p;
-    cells[i] += y;
-    cells[1 + i]++;
+    __atomic_fetch_add(&cells[i], y, __ATOMIC_SEQ_CST);
+    __atomic_fetch_add(&cells[1 + i], 1, __ATOMIC_SEQ_CST);
     return i;
",
    );
    becomes(
        "    (*p)/*@a*/++;\n    *p /*@a*/= *p + 2;\n",
        "x",
        r"
     (void)p;
-    (*p)++;
-    *p = *p + 2;
+    __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
+    __atomic_fetch_add(p, 2, __ATOMIC_SEQ_CST);
     return i;
",
    );
}

#[test]
fn reads_and_writes() {
    becomes(
        "    while (/*@a*/x < 3)\n        /*@a*/x = next();\n    y = /*@a*/x + i;\n",
        "x",
        r"
     (void)p;
-    while (x < 3)
-        x = next();
-    y = x + i;
+    while (__atomic_load_n(&x, __ATOMIC_SEQ_CST) < 3)
+        __atomic_store_n(&x, next(), __ATOMIC_SEQ_CST);
+    y = __atomic_load_n(&x, __ATOMIC_SEQ_CST) + i;
     return i;
",
    );
}

#[test]
fn a_read_in_a_macro_or_a_call() {
    becomes(
        "    i = /*@a*/abs(x + y);\n",
        "x",
        r"
     (void)p;
-    i = abs(x + y);
+    i = abs(__atomic_load_n(&x, __ATOMIC_SEQ_CST) + y);
     return i;
",
    );
}

#[test]
fn a_cast_back_to_its_own_type() {
    becomes(
        "    n->small = (unsigned char)(n->/*@a*/small + 1);\n",
        "one.small",
        r"
     (void)p;
-    n->small = (unsigned char)(n->small + 1);
+    __atomic_fetch_add(&n->small, 1, __ATOMIC_SEQ_CST);
     return i;
",
    );
    refused(
        "    x = (unsigned char)(/*@a*/x + 1);\n",
        "x",
        "the new value of `x` is cut to `unsigned char`",
    );
}

#[test]
fn a_check_and_a_write() {
    becomes(
        "    if (/*@a*/x == i)\n        x = y;\n",
        "x",
        r"
     (void)p;
-    if (x == i)
-        x = y;
+    {
+        int expected = i;
+        __atomic_compare_exchange_n(&x, &expected, y, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
+    }
     return i;
",
    );
    becomes(
        "    for (i = 0; i < 3; i++)\n        if (0 == /*@a*/n->count) {\n            n->count = 1;\n        }\n",
        "one.count",
        r"
     for (i = 0; i < 3; i++)
-        if (0 == n->count) {
-            n->count = 1;
+        {
+            int expected = 0;
+            __atomic_compare_exchange_n(&n->count, &expected, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
         }
",
    );
}

#[test]
fn read_into_a_local_and_stored_back() {
    becomes(
        "    int before = /*@a*/x;\n    x /*@a*/= before + 1;\n    y = before;\n",
        "x",
        r"
     (void)p;
-    int before = x;
-    x = before + 1;
+    int before = __atomic_fetch_add(&x, 1, __ATOMIC_SEQ_CST);
     y = before;
",
    );
    becomes(
        "    int old;\n    old = /*@a*/*p;\n\n    *p /*@a*/= old - i; // back\n    y = old;\n",
        "x",
        r"
     int old;
-    old = *p;
+    old = __atomic_fetch_sub(p, i, __ATOMIC_SEQ_CST);

-    *p = old - i; // back
     y = old;
",
    );
}

#[test]
fn a_cast_to_a_named_type() {
    let marked = Marked::new(
        "typedef unsigned char word;\n\nword add(word *w, word amount) {\n    word old = *w;\n    *w /*@a*/= (word)(old + amount);\n    return old;\n}\n",
    );
    marked.becomes(
        at(&marked, "refs"),
        r"
 word add(word *w, word amount) {
-    word old = *w;
-    *w = (word)(old + amount);
+    word old = __atomic_fetch_add(w, amount, __ATOMIC_SEQ_CST);
     return old;
",
    );
}

#[test]
fn a_flag_tested_and_set() {
    becomes(
        "    if (/*@a*/busy)\n        return 0;\n    busy /*@a*/= true;\n",
        "busy",
        r"
     (void)p;
-    if (busy)
+    if (__atomic_exchange_n(&busy, true, __ATOMIC_SEQ_CST))
         return 0;
-    busy = true;
     return i;
",
    );
    becomes(
        "    while (/*@a*/x)\n        ;\n    x /*@a*/= 1;\n",
        "x",
        r"
     (void)p;
-    while (x)
+    while (!__sync_bool_compare_and_swap(&x, 0, 1))
         ;
-    x = 1;
     return i;
",
    );
}

#[test]
fn an_update_and_the_read_of_what_it_left() {
    becomes(
        "    n->count/*@a*/--;\n    if (/*@a*/n->count == 0)\n        free(n);\n",
        "one.count",
        r"
     (void)p;
-    n->count--;
-    if (n->count == 0)
+    if (__atomic_sub_fetch(&n->count, 1, __ATOMIC_SEQ_CST) == 0)
         free(n);
",
    );
}

#[test]
fn only_the_update_is_torn() {
    becomes(
        "    n->count/*@a*/--;\n    if (n->count == 0)\n        free(n);\n",
        "one.count",
        r"
     (void)p;
-    n->count--;
+    __atomic_fetch_sub(&n->count, 1, __ATOMIC_SEQ_CST);
     if (n->count == 0)
",
    );
}

/// Compares what becomes of the body of a function that uses atomic variables.
#[track_caller]
fn of_atomics(text: &str, variable: &str, expected: &str) {
    const HEAD: &str = "#include <stdatomic.h>\nstatic atomic_int x;\nstatic _Atomic long z;\n\
        struct shared { atomic_int owners; };\n\nint f(struct shared *s, int *mine)\n{\n\
        \x20   (void)s;\n    (void)mine;\n";
    let marked = Marked::new(&format!("{HEAD}{text}    return x + (int)z;\n}}\n"));
    marked.becomes(at(&marked, variable), expected);
}

#[test]
fn variables_declared_atomic() {
    of_atomics(
        "    x /*@a*/= x + 2;\n",
        "x",
        r"
     (void)mine;
-    x = x + 2;
+    atomic_fetch_add(&x, 2);
     return x + (int)z;
",
    );
    of_atomics(
        "    *mine = /*@a*/atomic_load(&x);\n    /*@a*/atomic_store(&x, *mine + 1);\n",
        "x",
        r"
     (void)mine;
-    *mine = atomic_load(&x);
-    atomic_store(&x, *mine + 1);
+    *mine = atomic_fetch_add(&x, 1);
     return x + (int)z;
",
    );
    of_atomics(
        "    long old = /*@a*/atomic_load(&z);\n    /*@a*/atomic_store(&z, 0);\n    *mine = (int)old;\n",
        "z",
        r"
     (void)mine;
-    long old = atomic_load(&z);
-    atomic_store(&z, 0);
+    long old = atomic_exchange(&z, 0);
     *mine = (int)old;
",
    );
    of_atomics(
        "    /*@a*/atomic_fetch_sub(&s->owners, 1);\n    if (/*@a*/atomic_load(&s->owners) == 0)\n        return 1;\n",
        "s.owners",
        r"
     (void)mine;
-    atomic_fetch_sub(&s->owners, 1);
-    if (atomic_load(&s->owners) == 0)
+    if (atomic_fetch_sub(&s->owners, 1) == 1)
         return 1;
",
    );
    of_atomics(
        "    int seen = /*@a*/atomic_load(&x);\n    /*@a*/atomic_compare_exchange_strong(&x, &seen, seen + *mine);\n",
        "x",
        r"
     (void)mine;
-    int seen = atomic_load(&x);
-    atomic_compare_exchange_strong(&x, &seen, seen + *mine);
+    atomic_fetch_add(&x, *mine);
     return x + (int)z;
",
    );
}

#[test]
fn what_has_no_atomic_form() {
    refused("    x = /*@a*/x * 2;\n", "x", "this change of `x` has no atomic form");
    refused("    x /*@a*/+= x;\n", "x", "this change of `x` has no atomic form");
    refused(
        "    cursor/*@a*/++;\n",
        "cursor",
        "`cursor` is a pointer, and atomic additions do not count elements",
    );
    refused("    n->bits/*@a*/++;\n", "one.bits", "`n->bits` is a bit-field");
    refused(
        "    cells[next()]/*@a*/++;\n",
        "cells[1]",
        "`cells[next()]` does more than name a variable",
    );
    refused("    busy /*@a*/|= 1;\n", "busy", "`busy` is no integer");
    refused("    p = /*@a*/&x;\n", "x", "no access to `x` is seen here");
}
