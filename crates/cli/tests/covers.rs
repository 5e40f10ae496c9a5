//! The covers of ConcBugAssist's x/y example (Figures 3, 6 and 7 of the text).
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use serde_json::Value;
use support::{json, root};

/// The report of the repair, with its covers.
fn xy(more: &[&str]) -> Value {
    let file = root().join("corpus/figures/conc_xy.c");
    let file = file.to_str().expect("a path in UTF-8");
    let (code, report) = json(&[&["repair", file, "--explain-covers"], more].concat());
    assert_eq!(code, 0, "a repair is verified");
    report
}

/// `e20<e26` for the order of two lines.
fn orders(list: &Value) -> BTreeSet<String> {
    let name = |order: &Value| {
        let text = order.as_str().expect("an order is a text");
        let mut lines = text.split("line ").skip(1);
        let mut line = || lines.next().and_then(|it| it.split(' ').next()).unwrap_or_default();
        format!("e{}<e{}", line(), line())
    };
    list.as_array().expect("a list").iter().map(name).collect()
}

fn set(orders: &[&str]) -> BTreeSet<String> {
    orders.iter().map(|&order| order.to_owned()).collect()
}

// In the file, lines 5, 6, 10 and 11 of the text's program are 19, 20, 26 and 27.

#[test]
fn the_kill_sets_have_four_orders_each() {
    let report = xy(&[]);
    let kill_sets = report["covers"]["kill_sets"].as_array().expect("kill sets").clone();
    let found: BTreeSet<BTreeSet<String>> = kill_sets.iter().map(orders).collect();
    let first = set(&["e26<e19", "e27<e19", "e20<e26", "e20<e27"]);
    let second = set(&["e19<e26", "e20<e26", "e27<e19", "e27<e20"]);
    assert_eq!(found, BTreeSet::from([first, second]));
}

#[test]
fn of_sixteen_choices_eight_are_valid_and_four_are_different() {
    let report = xy(&[]);
    let rows = report["covers"]["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 16);
    let valid: Vec<&Value> = rows.iter().filter(|row| row["valid"] == true).collect();
    assert_eq!(valid.len(), 8);
    let solutions: BTreeSet<BTreeSet<String>> =
        valid.iter().map(|row| orders(&row["simplified"])).collect();
    let expected = [
        set(&["e20<e26"]),
        set(&["e27<e19"]),
        set(&["e19<e26", "e20<e27"]),
        set(&["e26<e19", "e27<e20"]),
    ];
    assert_eq!(solutions, BTreeSet::from(expected));
}

#[test]
fn solutions_are_counted_and_the_composite_mutex_comes_first() {
    let report = xy(&[]);
    assert_eq!(report["stats"]["elementary"], 4);
    assert_eq!(report["stats"]["composite"], 1);
    let repairs = report["findings"][0]["repairs"].as_array().expect("repairs").clone();
    assert_eq!(repairs[0]["kind"], "mutex");
    assert_eq!(repairs[0]["composite"], true);
    let waits = repairs.iter().find(|it| it["kind"] == "signal-wait").expect("an elementary one");
    assert_eq!(waits["composite"], false);
    assert!(waits["forbids"].is_string(), "it forbids what the mutex allows: {waits}");
}

#[test]
fn the_cost_of_an_order_decides_which_cover_comes_first() {
    // Solution A is tried before B unless its order is dear.
    let first = |report: &Value| {
        let repairs = report["findings"][0]["repairs"].as_array().expect("repairs").clone();
        let waits = repairs.into_iter().find(|it| it["kind"] == "signal-wait");
        orders(&waits.expect("a wait")["orders"])
    };
    let cheap = first(&xy(&["--strategy", "signal-wait"]));
    let order = cheap.first().expect("an order").replace('e', "").replace('<', ":");
    let dear = first(&xy(&["--strategy", "signal-wait", "--order-cost", &format!("{order}=9")]));
    assert_ne!(cheap, dear);
}
