//! Locks in a program's own words, and what is made of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use unravel_patch::guard::{Guarded, Mutex, guard};
use unravel_patch::locks::{Nested, by_address, reorder};
use unravel_patch::spelling::{Spelling, spellings};
use unravel_patch::{Edit, Region, Sources};
use unravel_span::{FileId, Files, Span};

fn files(text: &str) -> (Files, FileId) {
    let mut files = Files::new();
    let id = files.intern("a.c");
    files.set_text(id, text.to_owned());
    (files, id)
}

/// The place of the first word of a line that begins so.
fn at(files: &Files, id: FileId, start: &str) -> Span {
    let text = files.get(id).unwrap().text.clone().unwrap();
    let line = text.lines().position(|it| it.trim_start().starts_with(start)).unwrap();
    let column = text.lines().nth(line).unwrap().find(start).unwrap();
    Span::new(id, u32::try_from(line + 1).unwrap(), u32::try_from(column + 1).unwrap())
}

/// The spellings in the function `f` of a text, as `take | give`.
fn found(text: &str) -> Vec<String> {
    let (files, id) = files(text);
    let sources = Sources::parse(&files);
    let all = spellings(&sources, at(&files, id, "x"));
    all.into_iter().map(|it| format!("{} | {}", it.take, it.give)).collect()
}

fn applied(files: &Files, id: FileId, edits: &[Edit]) -> String {
    let text = files.get(id).unwrap().text.clone().unwrap();
    unravel_span::apply(&text, edits).unwrap()
}

const WRAPPED: &str = "\
struct s { pthread_mutex_t m; int x; };
static void s_lock(struct s *p) { if (pthread_mutex_lock(&p->m)) abort(); }
static void s_unlock(struct s *p) { pthread_mutex_unlock(&p->m); }
";

#[test]
fn functions_that_lock_and_unlock_the_same_are_a_pair() {
    let text =
        format!("{WRAPPED}void f(struct s *a) {{\n  s_lock(a);\n  x++;\n  s_unlock(a);\n}}\n");
    assert_eq!(found(&text), ["s_lock(a); | s_unlock(a);"]);
}

#[test]
fn those_of_different_objects_are_none() {
    let text =
        format!("{WRAPPED}void f(struct s *a) {{\n  s_lock(a);\n  x++;\n  s_unlock(b);\n}}\n");
    assert!(found(&text).is_empty());
}

#[test]
fn the_library_in_the_open_is_no_spelling_of_its_own() {
    let text =
        "void f(void) {\n  pthread_mutex_lock(&m);\n  x++;\n  pthread_mutex_unlock(&m);\n}\n";
    assert!(found(text).is_empty());
}

#[test]
fn a_function_that_gives_back_what_it_took_is_none() {
    let text = "void g(void) { pthread_mutex_lock(&m); y++; pthread_mutex_unlock(&m); }\n\
                void f(void) {\n  g();\n  x++;\n  g();\n}\n";
    assert!(found(text).is_empty());
}

#[test]
fn macros_with_and_without_arguments() {
    let text = "#define LOCK(a) pthread_mutex_lock(&a##_m)\n#define UNLOCK(a) pthread_mutex_unlock(&a##_m)\n\
                #define ENTER pthread_mutex_lock(&m);\n#define LEAVE pthread_mutex_unlock(&m);\n\
                void f(void) {\n  LOCK(q);\n  ENTER;\n  x++;\n  LEAVE;\n  UNLOCK(q);\n}\n";
    assert_eq!(found(text), ["LOCK(q); | UNLOCK(q);", "ENTER; | LEAVE;"]);
}

#[test]
fn a_loop_around_a_test_and_set() {
    let text = "void f(void) {\n  while (__sync_lock_test_and_set(&l, 1))\n    ;\n  x++;\n  \
                __sync_lock_release(&l);\n}\n";
    assert_eq!(
        found(text),
        ["while (__sync_lock_test_and_set(&l, 1))\n  ; | __sync_lock_release(&l);"]
    );
    let busy = "void f(void) {\n  while (atomic_exchange(&l, 1)) {\n    n++;\n  }\n  x++;\n  atomic_store(&l, 0);\n}\n";
    assert!(found(busy).is_empty(), "a loop that does something is no lock");
}

fn guarded(text: &str, first: &str, last: &str) -> (String, Guarded) {
    let (files, id) = files(text);
    let sources = Sources::parse(&files);
    let region = Region { first: at(&files, id, first), last: at(&files, id, last) };
    let spelling: Spelling = spellings(&sources, region.first).remove(0);
    let mutex = Mutex::Spelled { spelling, others: Vec::new() };
    let guarded = guard(&sources, &[region], &mutex).unwrap();
    (applied(&files, id, &guarded.edits), guarded)
}

#[test]
fn a_section_is_widened_by_its_own_statements() {
    let text = "atomic_int l;\nvoid f(void) {\n  while (atomic_exchange(&l, 1))\n    ;\n  x++;\n  atomic_store(&l, 0);\n  \
                if (y)\n    return;\n  z++;\n}\n";
    let (patched, guarded) = guarded(text, "x", "z");
    assert!(guarded.widened);
    assert_eq!(
        patched,
        "atomic_int l;\nvoid f(void) {\n  while (atomic_exchange(&l, 1))\n    ;\n  x++;\n  \
         if (y) {\n    atomic_store(&l, 0);\n    return;\n  }\n  z++;\n  atomic_store(&l, 0);\n}\n"
    );
}

#[test]
fn callees_that_lock_by_the_same_words_leave_it_to_their_callers() {
    let text = format!(
        "{WRAPPED}static int g(struct s *p) {{\n  s_lock(p);\n  int r = p->x;\n  s_unlock(p);\n  return r;\n}}\n\
         void f(struct s *a) {{\n  x = g(a);\n  s_lock(a);\n  z++;\n  s_unlock(a);\n}}\n"
    );
    let (patched, guarded) = guarded(&text, "x", "z");
    assert_eq!(guarded.lifted, ["g"]);
    assert!(patched.contains("{\n  int r = p->x;\n  return r;\n}"), "{patched}");
    assert!(
        patched.contains("{\n  s_lock(a);\n  x = g(a);\n  z++;\n  s_unlock(a);\n}"),
        "{patched}"
    );
}

#[test]
fn a_new_mutex_is_not_taken_within_an_atomic_block() {
    let text = "#include <pthread.h>\nvoid f(void) {\n  __VERIFIER_atomic_begin();\n  x++;\n  y++;\n  __VERIFIER_atomic_end();\n}\n";
    let (files, id) = files(text);
    let sources = Sources::parse(&files);
    let region = Region { first: at(&files, id, "y"), last: at(&files, id, "y") };
    let guarded = guard(&sources, &[region], &Mutex::New { name: "n".to_owned() }).unwrap();
    let patched = applied(&files, id, &guarded.edits);
    assert!(patched.contains("pthread_mutex_lock(&n);\n  __VERIFIER_atomic_begin();"), "{patched}");
    assert!(patched.contains("__VERIFIER_atomic_end();\n  pthread_mutex_unlock(&n);"), "{patched}");
}

#[test]
fn wrapped_locks_are_reordered_and_compared() {
    let text = format!(
        "{WRAPPED}void f(struct s *a, struct s *b) {{\n  s_lock(a);\n  s_lock(b);\n  x++;\n  s_unlock(b);\n  s_unlock(a);\n}}\n"
    );
    let (files, id) = files(&text);
    let sources = Sources::parse(&files);
    let nested = Nested { outer: at(&files, id, "s_lock(a)"), inner: at(&files, id, "s_lock(b)") };
    let patched = applied(&files, id, &reorder(&sources, &nested).unwrap());
    assert!(patched.contains("  s_lock(b);\n  s_lock(a);\n  x++;"), "{patched}");
    let patched = applied(&files, id, &by_address(&sources, &nested).unwrap());
    assert!(
        patched.contains("if ((uintptr_t)&b->m < (uintptr_t)&a->m)\n    s_lock(b);"),
        "{patched}"
    );
}
