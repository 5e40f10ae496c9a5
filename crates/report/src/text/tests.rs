//! Snapshots. Run with `UPDATE_EXPECT=1` after a change, and read the difference as a user would.

use expect_test::Expect;

use super::{Style, render};
use crate::{Report, examples};

mod answers;
mod diagnosed;
mod localized;
mod long;
mod odd;
mod repaired;
mod unusual;
mod violations;

const PLAIN: Style = Style { color: false, unicode: false, width: 100, verbose: false };

fn check(report: &Report, style: Style, expected: Expect) {
    let text = render(report, style);
    assert!(!text.contains('\u{1b}'), "no escape codes without colour");
    assert_eq!(text.matches("SUMMARY:").count(), 1);
    assert!(text.lines().last().unwrap().starts_with("SUMMARY: "));
    assert!(text.ends_with("s\n"));
    expected.assert_eq(&text);
}

#[test]
fn colours_are_added_and_nothing_else() {
    for report in examples::all() {
        let colored = render(&report, Style { color: true, ..PLAIN });
        assert!(colored.contains("\u{1b}["));
        assert_eq!(without_escapes(&colored), render(&report, PLAIN));
    }
}

#[test]
fn only_the_sixteen_colours_are_used() {
    let colored = render(&examples::xy(), Style { color: true, ..PLAIN });
    assert!(colored.contains("\u{1b}[1m\u{1b}[91mFAILS\u{1b}[0m"), "{colored:?}");
    assert!(!colored.contains("38;") && !colored.contains("48;"), "{colored:?}");
}

#[test]
fn no_line_of_a_run_is_wider_than_the_terminal() {
    for report in examples::all() {
        for width in [50, 60, 80, 100, 200] {
            let text = render(&report, Style { width, unicode: true, ..PLAIN });
            let is_head =
                |line: &str| ["failing run", "FAILING"].iter().any(|it| line.contains(it));
            let is_summary = |line: &&str| !line.starts_with("SUMMARY:");
            let rest =
                text.lines().skip_while(|line| !is_head(line)).skip(1).take_while(is_summary);
            // A second finding begins with an excerpt.
            for line in rest.take_while(|line| !line.starts_with("error")) {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn ascii_stays_ascii() {
    let diagnosed = [examples::diagnosed::torn_writes(), examples::diagnosed::many_causes()];
    for report in
        [examples::xy(), examples::race(), examples::nine_threads()].iter().chain(&diagnosed)
    {
        for width in [50, 140] {
            let text = render(report, Style { width, ..PLAIN });
            assert!(text.is_ascii(), "{text}");
        }
    }
}

fn without_escapes(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| plain + part.split_once('m').map_or(part, |it| it.1))
}
