//! Puts a program together.

use super::construct::Construct;
use super::crossed;
use super::generator::Gen;
use super::idioms;
use super::inside;
use super::primitives;
use super::tree::{Item, Part, Stmt, Tree, parts};

/// The program of a seed.
pub(super) fn generate(seed: u64) -> Tree {
    let mut g = Gen::new(seed);
    // One in fifty; the programs of all other seeds stay what they are.
    if seed % 50 == 17 {
        let broken = g.rng.chance(50);
        inside::fill(&mut g, broken);
        return assemble(g);
    }
    // Every second one; the programs of even seeds stay what they are, too.
    if seed % 2 == 1 {
        primitives::fill(&mut g);
        return assemble(g);
    }
    if g.rng.chance(2) {
        let broken = g.rng.chance(50);
        crossed::fill(&mut g, broken);
        return assemble(g);
    }
    // One in twenty has equal threads. Each of them does everything, so there is less to do.
    let are_equal = seed % 20 == 4;
    if are_equal {
        g.choose_equal_shape();
    } else {
        g.choose_shape();
    }
    let broken = g.rng.chance(50);
    let most = if are_equal { 5u32.saturating_sub(g.thread_count()) } else { 3 };
    let idioms = g.rng.weighted(&[(17, 0), (19, 1), (52, 2), (12, 3)]).min(most);
    if idioms == 0 || g.rng.chance(75) {
        g.declare_soup(if idioms == 0 { 3 } else { 2 });
    }
    g.daring = idioms == 0 || broken && g.rng.chance(30);
    // Two chances to fail at once would leave few safe programs.
    let culprit = g.rng.below(idioms.max(1));
    // Only what the threads differ by is to fail in some.
    let by_number = seed % 20 == 8;
    for i in 0..idioms {
        let fails = broken && i == culprit && !by_number;
        idioms::any(&mut g, fails);
    }
    stir_all(&mut g, idioms);
    // One in twenty has settings, too, one in twenty threads that differ by their number only, one
    // in twenty floating point, and one in fifty an array of mutexes, whose broken form is rare; the
    // rest stays what it is.
    if seed % 20 == 14 {
        idioms::rounds(&mut g, broken);
    }
    if by_number {
        idioms::last(&mut g, broken);
    }
    if seed % 20 == 16 {
        idioms::updates(&mut g, broken);
    }
    if seed % 50 == 22 {
        idioms::mutex_array(&mut g, broken);
    }
    assemble(g)
}

/// Random statements for those who have little to do.
pub(super) fn stir_all(g: &mut Gen, idioms: u32) {
    if g.vars.is_empty() && g.arrays.is_empty() {
        return;
    }
    let threads = g.thread_count();
    for actor in g.everyone() {
        let most = match (idioms, threads) {
            (0, 2) => 5,
            (0, 3) | (1, 2) => 3,
            (0, _) | (1, 3) | (2, 2) => 2,
            (1, _) | (2, 3) => 1,
            _ => u32::from(g.rng.chance(40)),
        };
        let count =
            if idioms == 0 { g.rng.between(2.min(most), most) } else { g.rng.below(most + 1) };
        g.stir(actor, count);
        if g.rng.chance(if idioms == 0 { 30 } else { 8 }) {
            let assertion = g.soup_assertion(&[]);
            g.put(actor, vec![assertion]);
        }
    }
    if g.rng.chance(if idioms == 0 { 100 } else { 30 }) {
        let assertion = g.soup_assertion(&[]);
        g.checks.push(assertion);
    }
}

fn assemble(mut g: Gen) -> Tree {
    let (mut creates, mut joins) = (Vec::new(), Vec::new());
    for f in 0..g.threads.len() {
        let (create, join) = g.start(f);
        creates.extend(create);
        joins.extend(join);
    }
    let size = match g.thread_count() {
        3 => Some(Construct::ThreeThreads),
        4.. => Some(Construct::FourThreads),
        _ => None,
    };
    if let (Some(size), Some(create)) = (size, creates.last_mut()) {
        create.parts.push(size.into());
    }
    let mut body = std::mem::take(&mut g.setup);
    body.extend(creates);
    body.append(&mut g.body);
    body.extend(joins);
    body.append(&mut g.checks);
    body.append(&mut g.teardown);
    body.push(Stmt::required("return 0;"));
    let mut items: Vec<Item> = std::mem::take(&mut g.globals);
    items.append(&mut g.functions);
    items.extend((0..g.threads.len()).map(|f| g.thread_item(f)));
    items.push(Item { name: "main".into(), parts: parts!["int main(void) ", body] });
    mark_two_mutexes(&mut items, g.mutexes.len());
    Tree { items, extra: g.extra }
}

fn mark_two_mutexes(items: &mut [Item], count: usize) {
    if count >= 2
        && let Some(item) = items.iter_mut().find(|item| item.name.starts_with('m'))
    {
        item.parts.push(Part::Mark(Construct::TwoMutexes));
    }
}
