//! Statements before the ones that announce what they write.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use unravel_patch::Sources;
use unravel_patch::statements::{move_before, move_up};
use unravel_span::{FileId, Files, Span};

fn files(text: &str) -> (Files, FileId) {
    let mut files = Files::new();
    let id = files.intern("a.c");
    files.set_text(id, text.to_owned());
    (files, id)
}

/// The body of a function with the statement of line `from` before that of line `to`, or why not.
fn moved(lines: &[&str], from: u32, to: u32) -> Result<String, String> {
    let text = format!("void f(void) {{\n  {}\n}}\n", lines.join("\n  "));
    let (files, id) = files(&text);
    let sources = Sources::parse(&files);
    let at = |line: u32| Span::new(id, line + 1, 3);
    let edits = move_before(&sources, at(from), at(to)).map_err(|it| it.why)?;
    let (place, same) = move_up(&sources, at(from), (from - to) as usize).unwrap();
    assert_eq!((place, &same), (at(to), &edits));
    Ok(unravel_span::apply(&text, &edits).unwrap())
}

fn is_moved(lines: [&str; 2]) -> bool {
    let expected = format!("void f(void) {{\n  {}\n  {}\n}}\n", lines[1], lines[0]);
    moved(&lines, 2, 1).is_ok_and(|it| it == expected)
}

#[test]
fn what_is_announced_is_written_first() {
    assert!(is_moved(["sem_post(&m->full);", "m->sample = sample;"]));
    assert!(is_moved(["atomic_store(&r->head, head + 1);", "r->data[head % 2] = v;"]));
    assert!(is_moved(["list->first = node;", "node->next = rest;"]));
    assert!(is_moved(["ready = 1;", "__atomic_store_n(&value, 7, 5);"]));
    assert!(is_moved(["pthread_cond_signal(&c);", "count++;"]));
    assert!(is_moved(["pthread_mutex_unlock(&m);", "count++;"]));
}

#[test]
fn several_are_passed() {
    let text = moved(&["a = 1;", "b = 2;", "c = 3; /* last */"], 3, 1).unwrap();
    assert_eq!(text, "void f(void) {\n  c = 3; /* last */\n  a = 1;\n  b = 2;\n}\n");
}

#[test]
fn statements_about_the_same_data_stay() {
    for lines in [
        ["x = 1;", "x = 2;"],
        ["i = i + 1;", "a[i] = 0;"],
        ["p = q;", "p->next = r;"],
        ["s.count = 1;", "t = s;"],
        ["t = s.count;", "s = u;"],
        ["atomic_fetch_add(&n, 1);", "m = n;"],
    ] {
        let why = moved(&lines, 2, 1).unwrap_err();
        assert_eq!(why, "the two statements are about the same data", "{lines:?}");
    }
}

#[test]
fn what_does_more_stays() {
    for lines in [
        ["f(&x);", "y = 1;"],
        ["atomic_thread_fence(memory_order_release);", "y = 1;"],
        ["pthread_mutex_lock(&m);", "y = 1;"],
        ["x = 1;", "y = g();"],
        ["x = 1;", "g(&y);"],
        ["if (x) y = 1;", "z = 1;"],
        ["int x = 1;", "y = 1;"],
        ["x = 1;", "return;"],
    ] {
        assert!(moved(&lines, 2, 1).is_err(), "{lines:?}");
    }
}

#[test]
fn a_body_without_braces_stays() {
    let text = "void f(void) {\n  ready = 1;\n  if (c)\n    x = 1;\n}\n";
    let (files, id) = files(text);
    let sources = Sources::parse(&files);
    let place = |line, column| Span::new(id, line, column);
    assert!(move_before(&sources, place(4, 5), place(2, 3)).is_err());
    assert!(move_up(&sources, place(4, 5), 1).is_err());
    assert!(move_up(&sources, place(2, 3), 1).is_err(), "nothing is before the first");
}
