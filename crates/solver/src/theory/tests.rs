//! The rules, one by one.

use super::Theory;
use crate::lit::Lit;
use crate::options::Options;
use crate::problem::{Conditional, Event, Source};

fn lit(number: u32) -> Lit {
    Lit::positive(number)
}

/// Two writes (nodes 0 and 1) and a read (node 2) of one address: `rf` literals 1 and 2, `live` literals 3 and 4, and
/// literals 5 to 8 for edges.
fn theory() -> Theory {
    let mut theory = Theory::new(&Options::default());
    let problem = theory.extend();
    problem.nodes = 3;
    problem.writes = vec![Event { node: 0, position: 0 }, Event { node: 1, position: 0 }];
    problem.reads = vec![Event { node: 2, position: 0 }];
    problem.read_guards = vec![None];
    for write in 0..2 {
        let (rf, live) = (Some(lit(write + 1)), lit(write + 3));
        problem.sources.push(Source { read: 0, write, rf, live });
    }
    let edges = [(5, 1, 2), (6, 0, 1), (7, 2, 0), (8, 2, 1)];
    problem.conditional =
        edges.map(|(n, before, after)| Conditional { lit: lit(n), before, after }).to_vec();
    theory
}

fn assign(theory: &mut Theory, lits: &[u32]) {
    for &number in lits {
        theory.assign(lit(number));
    }
    theory.propagate();
}

fn implied(theory: &mut Theory) -> Vec<Lit> {
    std::iter::from_fn(|| theory.next_implied()).collect()
}

#[test]
fn co_orders_an_overwritten_write_first() {
    let mut theory = theory();
    assign(&mut theory, &[1, 4, 5]);
    assert!(theory.closure.before(0, 2) && theory.closure.before(1, 0));
    assert!(!theory.has_conflict());
}

#[test]
fn fr_orders_an_overwriting_write_last() {
    let mut theory = theory();
    assign(&mut theory, &[6, 4, 1]);
    assert!(theory.closure.before(2, 1));
    // What contradicts this is refuted: the read sees the other write, or comes after it.
    assert_eq!(implied(&mut theory), vec![!lit(7), !lit(2), !lit(5)]);
    assert_eq!(theory.reason(!lit(5)), Some(vec![!lit(5), !lit(1), !lit(4), !lit(6)]));
}

#[test]
fn a_write_between_is_a_conflict() {
    let mut theory = theory();
    assign(&mut theory, &[1, 6, 5]);
    assert_eq!(theory.take_conflict(), None);
    assign(&mut theory, &[4]);
    let mut conflict = theory.take_conflict().unwrap();
    conflict.sort();
    let mut expected = [1, 4, 5, 6].map(|n| !lit(n));
    expected.sort();
    assert_eq!(conflict, expected);
}

#[test]
fn p1_refutes_reading_the_future() {
    let mut theory = theory();
    assign(&mut theory, &[7]);
    assert_eq!(implied(&mut theory), vec![!lit(1)]);
    assert_eq!(theory.reason(!lit(1)), Some(vec![!lit(1), !lit(7)]));
}

#[test]
fn p2_refutes_the_literal_that_is_left() {
    let mut live = theory();
    assign(&mut live, &[6, 5, 1]);
    assert!(implied(&mut live).contains(&!lit(4)));
    assert_eq!(live.reason(!lit(4)), Some(vec![!lit(4), !lit(1), !lit(5), !lit(6)]));
    let mut rf = theory();
    assign(&mut rf, &[6, 5, 4]);
    assert!(implied(&mut rf).contains(&!lit(1)));
    assert_eq!(rf.reason(!lit(1)), Some(vec![!lit(1), !lit(4), !lit(5), !lit(6)]));
}

#[test]
fn an_atomic_node_shows_only_its_last_write() {
    let mut theory = theory();
    theory.extend().writes[1] = Event { node: 0, position: 1 };
    assign(&mut theory, &[1, 4]);
    let mut conflict = theory.take_conflict().unwrap();
    conflict.sort();
    assert_eq!(conflict, vec![!lit(4), !lit(1)]);
}

#[test]
fn backtracking_forgets_what_a_level_derived() {
    let mut theory = theory();
    theory.propagate();
    // Assigned on level 0, but worked off only on level 1.
    theory.assign(lit(1));
    theory.push_level();
    assign(&mut theory, &[4, 5]);
    assert!(theory.closure.before(1, 0));
    theory.backtrack(0);
    assert!(!theory.closure.before(1, 0) && !theory.closure.before(0, 2));
    assert_eq!((theory.value(lit(1)), theory.value(lit(5))), (Some(true), None));
    theory.propagate();
    assert!(theory.closure.before(0, 2));
}

#[test]
fn a_read_has_one_source() {
    let mut theory = theory();
    assign(&mut theory, &[1, 2]);
    assert_eq!(theory.take_conflict(), Some(vec![!lit(1), !lit(2)]));
}

#[test]
fn an_answer_settles_what_the_rules_leave_open() {
    let mut theory = theory();
    assign(&mut theory, &[1, 3, 4]);
    assert!(!theory.closure.before(1, 0) && !theory.closure.before(2, 1));
    theory.linearize();
    let order = theory.take_answer().unwrap().unwrap();
    let node = crate::NodeId;
    assert!(order.before(node(1), node(0)) || order.before(node(2), node(1)));
    assert!(!theory.closure.before(1, 0) && !theory.closure.before(2, 1));
}
