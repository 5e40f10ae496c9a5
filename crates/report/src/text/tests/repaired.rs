//! What `unravel repair` shows.

use expect_test::expect;

use super::super::{RepairView, Style, render, render_view};
use super::{PLAIN, check};
use crate::examples::repaired;

fn commands() -> Option<(String, String)> {
    Some(("unravel repair race.c --apply".to_owned(), "unravel repair race.c --diff".to_owned()))
}

#[test]
fn the_best_and_another() {
    check(&repaired::two(), PLAIN, expect![[]]);
}

#[test]
fn all_of_them() {
    let view = RepairView { all: true, commands: commands(), ..RepairView::default() };
    let text = render_view(&repaired::two(), PLAIN, &view);
    expect![[]].assert_eq(&text);
}

#[test]
fn another_one_is_picked() {
    let view = RepairView { pick: 2, ..RepairView::default() };
    let text = render_view(&repaired::two(), PLAIN, &view);
    assert!(text.contains("repair 2 of 2: join t1 before creating t2\n--- a/race.c"), "{text}");
    assert!(text.contains("other    1: guard both"), "{text}");
}

#[test]
fn up_to_a_bound() {
    let view = RepairView { commands: commands(), ..RepairView::default() };
    let text = render_view(&repaired::bounded(), PLAIN, &view);
    assert!(text.contains("repair 1 of 1 (verified up to a bound only): guard"), "{text}");
    assert!(text.contains("apply:   unravel repair race.c --apply --unsafe-fixes"), "{text}");
}

#[test]
fn none_at_all() {
    check(&repaired::none(), PLAIN, expect![[]]);
}

#[test]
fn nothing_to_repair() {
    check(&repaired::nothing(), PLAIN, expect![[]]);
}

#[test]
fn the_table_of_covers() {
    check(&repaired::covers(false), PLAIN, expect![[]]);
}

#[test]
fn long_orders_are_numbered() {
    let text = render(&repaired::covers(true), Style { width: 60, ..PLAIN });
    let table = text.split("repair 1 of 1").next().unwrap();
    expect![[]].assert_eq(table);
}

#[test]
fn a_patch_has_the_colours_of_a_patch() {
    let text = render(&repaired::two(), Style { color: true, ..PLAIN });
    assert!(text.contains("\u{1b}[32m+    pthread_mutex_lock(&xy_lock);\u{1b}[0m\n"), "{text:?}");
    assert!(text.contains("\u{1b}[36m@@ -4,5 +4,8 @@\u{1b}[0m\n"), "{text:?}");
    assert!(text.contains("\n     x = 0;\n"), "{text:?}");
}

#[test]
fn a_patch_cannot_move_the_cursor() {
    let mut report = repaired::two();
    report.repairs.as_mut().unwrap().verified[0].diff = "+\u{1b}[2J\tx\r\n".to_owned();
    let text = render(&report, PLAIN);
    assert!(text.contains("\n+[2J\tx\n"), "{text:?}");
}
