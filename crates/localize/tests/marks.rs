//! What is marked in a program, what the changes mean on the interpreter, and which marks belong to
//! the check that fails.
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use unravel_interp::run::fair;
use unravel_interp::{Config, End, Machine, Properties, Property};
use unravel_localize::{Change, Holder, Kind, Mark, Marked, apply, mark, own_checks};
use unravel_program::validate::validate;
use unravel_program::{Program, SiteId};

/// What clang makes of `sum.c` beside this file: the exit code is 3 + 1 + 1 + 1 + 1.
const SUM: &str = include_str!("sum.ir");

/// Steps that no run of the program takes.
const LIMIT: usize = 1_000;

fn sum() -> Program {
    unravel_program::text::parse(SUM).expect("a program")
}

/// How a program ends.
fn end(program: &Program) -> End {
    assert_eq!(validate(program), Ok(()));
    let config = Config::new(Properties::NONE.with(Property::Reach));
    fair(&Machine::new(program, config), LIMIT).0.end
}

fn line(program: &Program, site: SiteId) -> u32 {
    program.site(site).span.map_or(0, |span| span.line)
}

/// The only mark of a kind in a line.
fn find(marked: &Marked, kind: Kind, at: u32) -> usize {
    let is_it = |mark: &Mark| mark.kind == kind && line(&marked.program, mark.site) == at;
    let mut found = (0..marked.marks.len()).filter(|&it| is_it(&marked.marks[it]));
    let first = found.next().expect("a mark");
    assert_eq!(found.next(), None, "two marks in line {at}");
    first
}

/// How the program ends with another value.
fn changed(marked: &Marked, mark: usize, iteration: Option<u32>, value: u128) -> End {
    end(&apply(marked, &[Change { mark, iteration, value }]))
}

#[test]
fn everything_with_a_value_in_the_source_is_marked() {
    let marked = mark(&sum());
    let rows = marked.marks.iter().map(|it| {
        let name = it.name.clone().unwrap_or_default();
        (line(&marked.program, it.site), it.kind, name, it.is_counted)
    });
    let rows: BTreeSet<_> = rows.collect();
    let expected = [
        (2, Kind::Initial, "total", false),
        (4, Kind::Return, "", false),
        (6, Kind::Argument(2), "sem_init", false),
        (6, Kind::Argument(3), "sem_init", false),
        (7, Kind::Assignment, "i", false),
        (7, Kind::Assignment, "i", true),
        (7, Kind::Condition, "", false),
        (8, Kind::Assignment, "got", true),
        (9, Kind::Assignment, "total", true),
        // In line 11 the sum of a variable and a result is the program's own, the result is not.
        (11, Kind::Assignment, "total", false),
        (12, Kind::Condition, "", false),
    ];
    let expected = expected.map(|(at, kind, name, counted)| (at, kind, name.to_owned(), counted));
    assert_eq!(rows, BTreeSet::from(expected));
    assert_eq!(marked.marks.len(), rows.len());
}

#[test]
fn marks_change_nothing() {
    let marked = mark(&sum());
    assert_eq!(end(&sum()), End::Complete(7));
    assert_eq!(end(&marked.program), End::Complete(7));
    assert_eq!(end(&apply(&marked, &[])), End::Complete(7));
}

#[test]
fn all_executions_of_a_line_are_changed_or_one() {
    let marked = mark(&sum());
    let got = find(&marked, Kind::Assignment, 8);
    assert_eq!(changed(&marked, got, None, 5), End::Complete(3 + 5 + 5 + 5 + 1));
    assert_eq!(changed(&marked, got, Some(1), 5), End::Complete(3 + 1 + 5 + 1 + 1));
    assert_eq!(changed(&marked, got, Some(3), 5), End::Complete(7), "it has no fourth execution");
}

#[test]
fn initial_values_results_and_conditions_are_changed() {
    let marked = mark(&sum());
    let initial = find(&marked, Kind::Initial, 2);
    assert!(matches!(marked.marks[initial].holder, Holder::Initial(_, 0, 4)));
    assert_eq!(changed(&marked, initial, None, 0), End::Complete(4));
    let returned = find(&marked, Kind::Return, 4);
    assert_eq!(changed(&marked, returned, None, 20), End::Complete(26));
    let turns = find(&marked, Kind::Condition, 7);
    assert_eq!(changed(&marked, turns, None, 0), End::Complete(4));
    let both = [initial, returned].map(|mark| Change { mark, iteration: None, value: 0 });
    assert_eq!(end(&apply(&marked, &both)), End::Complete(3));
}

#[test]
fn the_marks_of_a_check_are_those_that_only_restate_it() {
    let marked = mark(&sum());
    let returned = find(&marked, Kind::Return, 4);
    let End::Violation(violation) = changed(&marked, returned, None, 90) else {
        panic!("it should abort")
    };
    assert_eq!(line(&marked.program, violation.site), 13);
    let checks = own_checks(&marked, violation.site);
    assert_eq!(checks, BTreeSet::from([find(&marked, Kind::Condition, 12)]));
}

#[test]
fn what_a_semaphore_begins_with_decides_who_waits() {
    let marked = mark(&sum());
    let counts = marked.marks.iter().filter(|it| it.is_count);
    let kinds: Vec<Kind> = counts.map(|it| it.kind).collect();
    assert_eq!(kinds, [Kind::Argument(2), Kind::Argument(3)]);
}
