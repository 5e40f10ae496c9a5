//! Programs that use more than mutexes and atomics.

use super::Extra;
use super::generator::{Gen, Join};
use super::idioms::{self, List};
use super::main::stir_all;

/// Makes the threads and what they do.
pub(super) fn fill(g: &mut Gen) {
    g.primitives = true;
    g.extra = g.rng.weighted(&[(4, Extra::None), (1, Extra::Races), (1, Extra::Ub)]);
    g.c11 = g.rng.chance(15);
    g.choose_shape();
    // All values of an input are tried, by each thread that reads one.
    let several = g.threads.iter().any(|thread| thread.count > 1);
    g.inputs = u32::from(!several);
    let broken = g.rng.chance(52);
    match g.extra {
        Extra::None => default(g, broken),
        Extra::Races => races(g, broken),
        Extra::Ub => arithmetic(g, broken),
    }
}

/// Three or four idioms, or fewer if there are many threads.
fn default(g: &mut Gen, broken: bool) {
    let small = g.thread_count() <= 3;
    let lists: &[List] = match (small, g.rng.below(10)) {
        (true, 0..2) => &[List::Primitives, List::Primitives, List::Primitives, List::Primitives],
        (true, 2..6) => &[List::Primitives, List::Primitives, List::Primitives, List::Guarded],
        (true, _) => &[List::Primitives, List::Primitives, List::Primitives],
        (false, 0..4) => &[List::Primitives, List::Primitives, List::Guarded],
        (false, _) => &[List::Primitives, List::Primitives],
    };
    add(g, lists, broken);
    // Sometimes an idiom of the other programs, and some random statements.
    if small && g.rng.chance(30) {
        idioms::any(g, false);
    }
    if g.rng.chance(20) {
        g.declare_soup(1);
        stir_all(g, 3);
    }
}

/// Nothing but what is ordered on purpose: a random statement would be a race.
fn races(g: &mut Gen, broken: bool) {
    for thread in &mut g.threads {
        (thread.join, thread.conditional) = (Join::Plain, false);
    }
    let lists: &[List] = match g.rng.below(3) {
        0 => &[List::Races],
        1 => &[List::Races, List::Races],
        _ => &[List::Races, List::Races, List::Races],
    };
    add(g, lists, broken);
}

fn arithmetic(g: &mut Gen, broken: bool) {
    let lists: &[List] = match g.rng.below(5) {
        0 => &[List::Arithmetic, List::Guarded],
        1 => &[List::Arithmetic],
        2 => &[List::Primitives, List::Arithmetic],
        _ => &[List::Primitives, List::Arithmetic, List::Primitives],
    };
    // It is the arithmetic that is wrong.
    for list in lists {
        idioms::any_of(g, *list, broken && *list == List::Arithmetic);
    }
    if g.rng.chance(40) {
        g.declare_soup(1);
        stir_all(g, 2);
    }
}

/// Adds an idiom of each list, one of them broken.
fn add(g: &mut Gen, lists: &[List], broken: bool) {
    let culprit = g.rng.index(lists.len());
    for (i, list) in lists.iter().enumerate() {
        idioms::any_of(g, *list, broken && i == culprit);
    }
}
