//! Headers, right and wrong.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::path::Path;

use expect_test::{Expect, expect};
use unravel_kinds::{Properties, Property, RepairKind};

use crate::{CorpusProgram, Flags, Header, Pattern, Size, Verdict};

/// A program with a header of these lines and two marked lines of code below it.
fn parsed(lines: &[&str]) -> Result<CorpusProgram, crate::Error> {
    let header: String = lines.iter().map(|line| format!(" * {line}\n")).collect();
    let text = format!("/* unravel-corpus\n{header} */\nint x; //@A\n\nint y; //@B_2\n");
    CorpusProgram::parse(Path::new("a.c"), "a.c", text)
}

fn header(lines: &[&str]) -> Header {
    parsed(lines).unwrap_or_else(|error| panic!("{error}")).header
}

/// What is wrong with a program whose header has the three keys that all have, and these.
fn check_error(lines: &[&str], expected: Expect) {
    let all = [&["title: t", "stands-for: s"], lines].concat();
    expected.assert_eq(&parsed(&all).unwrap_err().to_string());
}

/// What is wrong with a whole text.
fn check_text(text: &str, expected: Expect) {
    let parsed = CorpusProgram::parse(Path::new("a.c"), "a.c", text.to_owned());
    expected.assert_eq(&parsed.unwrap_err().to_string());
}

#[test]
fn a_header_with_all_keys_is_read() {
    let header = header(&[
        "title: a: b",
        "stands-for: a figure",
        "verdict: unsafe",
        "property: ub",
        "at: A, B_2",
        "fault: B_2",
        "flags: --ub",
        "pattern: lost wakeup",
        "orders: A < B_2, B_2 < A; A < A",
        "repair: signal-wait, mutex",
        "patch: a.c",
        "sizes: S 2 M 18 L 100",
        "faulty-lines: B_2",
        "output: deterministic",
        "differs: there is a reason",
        "turns: 6",
    ]);
    assert_eq!((header.title.as_str(), header.stands_for.as_str()), ("a: b", "a figure"));
    assert_eq!((header.verdict, header.property), (Verdict::Unsafe, Some(Property::Ub)));
    let lines: Vec<u64> = header.at.iter().map(|it| it.line).collect();
    assert_eq!(lines, [19, 21]);
    assert_eq!((header.fault[0].file.as_str(), header.fault[0].line), ("a.c", 21));
    assert_eq!(header.patch.as_deref(), Some("a.c"));
    assert_eq!(header.flags.args(), ["--ub"]);
    assert_eq!(header.pattern, Some(Pattern::LostWakeup));
    let orders: Vec<Vec<String>> =
        header.orders.iter().map(|it| it.iter().map(ToString::to_string).collect()).collect();
    assert_eq!(orders, [vec!["A < B_2", "B_2 < A"], vec!["A < A"]]);
    assert_eq!(header.repair, Some(vec![RepairKind::SignalWait, RepairKind::Mutex]));
    assert_eq!(header.sizes[1], Size { name: "M".to_owned(), value: 18 });
    assert_eq!(header.faulty_lines[0].line, 21);
    assert!(header.is_deterministic);
    assert_eq!((header.differs.as_deref(), header.turns), (Some("there is a reason"), Some(6)));
}

#[test]
fn keys_that_do_not_apply_are_left_out() {
    let header = header(&["title: t", "stands-for: s", "verdict: inconclusive"]);
    assert_eq!((header.verdict, header.property), (Verdict::Inconclusive, None));
    assert_eq!((header.flags, header.pattern), (Flags::default(), None));
    assert!(header.at.is_empty() && header.orders.is_empty() && header.faulty_lines.is_empty());
    assert!(header.repair.is_none() && header.sizes.is_empty() && !header.is_deterministic);
}

#[test]
fn that_nothing_repairs_it_is_not_the_same_as_no_word_of_it() {
    let failing = ["title: t", "stands-for: s", "verdict: unsafe", "property: reach", "at: A"];
    assert_eq!(header(&failing).repair, None);
    assert_eq!(header(&[&failing[..], &["repair: none"]].concat()).repair, Some(Vec::new()));
}

#[test]
fn flags_say_what_is_checked_and_what_the_program_is_called_with() {
    let flags = |text: &str| Flags::parse(text).unwrap();
    let all = Properties::by_default();
    assert_eq!(flags("--races").properties, all.with(Property::Race));
    assert_eq!(flags("--races --ub").properties, all.with(Property::Race).with(Property::Ub));
    assert_eq!(flags("--only reach").properties, Properties::NONE.with(Property::Reach));
    assert_eq!(flags("--only reach").args(), ["--only", "reach"]);
    let called = flags("--args=3");
    assert_eq!((called.properties, called.arguments), (all, Some(vec!["3".to_owned()])));
}

#[test]
fn sizes_are_pairs() {
    let pair = |name: &str, value| Size { name: name.to_owned(), value };
    assert_eq!(Size::list("S 2 L 100"), Some(vec![pair("S", 2), pair("L", 100)]));
    assert_eq!((Size::list("S"), Size::list("S two"), Size::list("XL 3")), (None, None, None));
}

#[test]
fn markers_have_names_and_lines() {
    let program = parsed(&["title: t", "stands-for: s", "verdict: safe"]).unwrap();
    assert_eq!(program.markers.named("A").map(|it| it.line), Some(6));
    assert_eq!(program.markers.on_line(8), Some("B_2"));
    assert_eq!((program.markers.named("C"), program.markers.on_line(7)), (None, None));
}

#[test]
fn a_malformed_header_is_named_with_its_line() {
    check_text("int main;\n", expect!["a.c:1: does not begin with `/* unravel-corpus`"]);
    check_text("", expect!["a.c:1: does not begin with `/* unravel-corpus`"]);
    check_text("/* unravel-corpus\n * title: t\n", expect!["a.c:1: no line ` */` ends the header"]);
    check_text(
        "/* unravel-corpus\n * title: t\nint main;\n",
        expect!["a.c:3: no line ` */` ends the header"],
    );
    check_error(&["verdict"], expect!["a.c:4: ` * verdict` is not ` * key: value`"]);
    check_error(&["verdict: "], expect!["a.c:4: ` * verdict: ` is not ` * key: value`"]);
    check_error(&["verdikt: safe"], expect!["a.c:4: unknown key `verdikt`"]);
    check_error(&["title: u"], expect!["a.c:4: `title` has to stand before `stands-for`"]);
    check_error(&["stands-for: u"], expect!["a.c:4: `stands-for` stands twice"]);
    check_error(&[], expect!["a.c:1: no `verdict`"]);
}

#[test]
fn a_wrong_value_is_named_with_its_line() {
    let failing = ["verdict: unsafe", "property: reach", "at: A"];
    let with = |line| [&failing[..], &[line]].concat();
    check_error(&["verdict: fine"], expect!["a.c:4: `verdict` cannot be `fine`"]);
    check_error(
        &["verdict: unsafe", "property: speed"],
        expect!["a.c:5: `property` cannot be `speed`"],
    );
    check_error(&with("flags: --ub --fast"), expect!["a.c:7: `flags` cannot be `--fast`"]);
    check_error(&with("flags: --only"), expect!["a.c:7: `flags` cannot be `--only `"]);
    check_error(&with("pattern: bug"), expect!["a.c:7: `pattern` cannot be `bug`"]);
    check_error(&with("orders: A > A"), expect!["a.c:7: `orders` cannot be `A > A`"]);
    check_error(&with("repair: mutex, none"), expect!["a.c:7: `repair` cannot be `mutex, none`"]);
    check_error(&with("patch: b.c"), expect!["a.c:7: `patch` cannot be `b.c`"]);
    check_error(&with("sizes: S"), expect!["a.c:7: `sizes` cannot be `S`"]);
    check_error(&with("output: random"), expect!["a.c:7: `output` cannot be `random`"]);
    check_error(&with("turns: many"), expect!["a.c:7: `turns` cannot be `many`"]);
}

#[test]
fn a_marker_that_is_not_there_is_named() {
    let failing = ["verdict: unsafe", "property: reach", "at: A"];
    let with = |line| [&failing[..], &[line]].concat();
    let at = ["verdict: unsafe", "property: reach", "at: A, C"];
    check_error(&at, expect!["a.c:6: no line has the marker `//@C`"]);
    check_error(&with("orders: A < C"), expect!["a.c:7: no line has the marker `//@C`"]);
    check_error(&with("faulty-lines: C"), expect!["a.c:7: no line has the marker `//@C`"]);
    check_text("int x; //@A\nint y; //@A\n", expect!["a.c:2: a second line has the marker `//@A`"]);
    check_text("int x; //@A B\n", expect!["a.c:1: the marker `//@A B` is not one word"]);
    check_text("int x; //@\n", expect!["a.c:1: the marker `//@` is not one word"]);
}

#[test]
fn only_a_failing_program_says_what_is_violated_and_where() {
    check_error(&["verdict: unsafe", "at: A"], expect!["a.c:1: no `property`"]);
    check_error(&["verdict: unsafe", "property: reach"], expect!["a.c:1: no `at`"]);
    check_error(
        &["verdict: safe", "pattern: deadlock"],
        expect!["a.c:5: `pattern`, but the verdict is not `unsafe`"],
    );
}
