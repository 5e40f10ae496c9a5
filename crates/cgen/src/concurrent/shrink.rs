//! Makes a concurrent program simpler, step by step.
//!
//! A step removes statements or an item that nothing mentions, replaces a
//! compound statement by its body or an expression by 0, 1 or an operand, or
//! lowers a bound. Names are unique in a program, but for those of parameters,
//! so whether a name is still in use shows in the text.

use super::ConcurrentProgram;
use super::print;
use super::tree::{Item, Keep, Part, Stmt, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Simplifies `program` as long as `still_fails` holds for the result: greedy,
/// until no single step is left that keeps the failure.
pub fn shrink_concurrent(
    program: ConcurrentProgram,
    still_fails: &mut dyn FnMut(&ConcurrentProgram) -> bool,
) -> ConcurrentProgram {
    let (mut best, mut start, mut changed) = (program, 0, false);
    // Every step lowers the weight, so this ends. After a step the search goes
    // on where it was, since what failed before mostly fails again; a last round
    // from the start makes sure.
    loop {
        let candidates = best.simplifications();
        let found = (start..candidates.len()).find(|i| still_fails(&candidates[*i]));
        match found.and_then(|i| Some((i, candidates.into_iter().nth(i)?))) {
            Some((i, simpler)) => (best, start, changed) = (simpler, i, true),
            None if changed => (start, changed) = (0, false),
            None => return best,
        }
    }
}

/// All programs one step simpler, the simplest first.
pub(super) fn simplifications(tree: &Tree) -> Vec<Tree> {
    let uses = Uses::of(tree);
    let mut found = without_items(tree, &uses);
    found.extend(without_leaders(tree));
    for (i, item) in tree.items.iter().enumerate() {
        for parts in uses.parts(&item.parts) {
            let mut simpler = tree.clone();
            simpler.items[i] = Item { name: item.name.clone(), parts };
            found.push(simpler);
        }
    }
    let limit = tree.weight();
    found.retain(|simpler| simpler.weight() < limit);
    found.sort_by_cached_key(Tree::weight);
    found
}

/// The program without one of the items that nothing else mentions.
fn without_items(tree: &Tree, uses: &Uses) -> Vec<Tree> {
    let mut found = Vec::new();
    for (i, item) in tree.items.iter().enumerate() {
        let own = count_names(&print::item(item));
        if item.name != "main" && own.get(&item.name) == uses.counts.get(&item.name) {
            let mut simpler = tree.clone();
            simpler.items.remove(i);
            found.push(simpler);
        }
    }
    found
}

/// The program without a statement that others follow, and without those.
fn without_leaders(tree: &Tree) -> Vec<Tree> {
    let mut leaders = BTreeSet::new();
    tree.visit(&mut |stmt| {
        if let Keep::Leads(id) = stmt.keep {
            leaders.insert(id);
        }
    });
    let without = |id: u32| {
        let mut simpler = tree.clone();
        let group = [Keep::Leads(id), Keep::Follows(id), Keep::Ends(id)];
        simpler.remove(&|stmt| group.contains(&stmt.keep));
        simpler
    };
    leaders.into_iter().map(without).collect()
}

/// How often each name occurs, in the program and in the item of that name.
struct Uses {
    counts: BTreeMap<String, usize>,
    own: BTreeMap<String, usize>,
}

fn count_names(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in words.filter(|word| !word.is_empty()) {
        *counts.entry(word.to_string()).or_insert(0) += 1;
    }
    counts
}

impl Uses {
    fn of(tree: &Tree) -> Self {
        let own = |item: &Item| {
            let count = count_names(&print::item(item)).get(&item.name).copied().unwrap_or(0);
            (item.name.clone(), count)
        };
        Self { counts: count_names(&print::tree(tree)), own: tree.items.iter().map(own).collect() }
    }

    fn removable(&self, stmt: &Stmt) -> bool {
        match &stmt.keep {
            Keep::Removable | Keep::Follows(_) => true,
            Keep::Declares(name) => {
                let here = count_names(&print::parts(&stmt.parts));
                let count = |counts: &BTreeMap<String, usize>| counts.get(name).copied();
                count(&here).unwrap_or(0) + count(&self.own).unwrap_or(0)
                    == count(&self.counts).unwrap_or(0)
            }
            Keep::Required | Keep::Leads(_) | Keep::Ends(_) => false,
        }
    }

    /// All lists of parts one step simpler than `parts`.
    fn parts(&self, parts: &[Part]) -> Vec<Vec<Part>> {
        let mut found = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            for simpler in self.part(part) {
                let mut list = parts.to_vec();
                list[i] = simpler;
                found.push(list);
            }
        }
        found
    }

    fn part(&self, part: &Part) -> Vec<Part> {
        match part {
            Part::Text(_) | Part::Mark(_) => Vec::new(),
            Part::Hole(parts) => self.hole(parts),
            Part::Block(stmts) => self.block(stmts).into_iter().map(Part::Block).collect(),
            Part::Bound(bound) => (1..*bound).map(Part::Bound).collect(),
        }
    }

    fn hole(&self, parts: &[Part]) -> Vec<Part> {
        let constant = |text: &str| Part::Hole(vec![Part::Text(text.into())]);
        let mut found = vec![constant("0"), constant("1")];
        found.extend(parts.iter().filter(|part| matches!(part, Part::Hole(_))).cloned());
        found.extend(self.parts(parts).into_iter().map(Part::Hole));
        found
    }

    fn block(&self, stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
        let mut found = self.shorter(stmts);
        for (i, stmt) in stmts.iter().enumerate() {
            let replace = |with: Vec<Stmt>| {
                let (before, after) = (stmts[..i].to_vec(), stmts[i + 1..].to_vec());
                [before, with, after].concat()
            };
            found.extend(unwrapped(stmt).into_iter().map(replace));
            let simpler = |parts| vec![Stmt { keep: stmt.keep.clone(), parts }];
            found.extend(self.parts(&stmt.parts).into_iter().map(simpler).map(replace));
        }
        found
    }

    /// The list without a run of removable statements: long runs at first, for
    /// speed.
    fn shorter(&self, stmts: &[Stmt]) -> Vec<Vec<Stmt>> {
        let removable: Vec<_> = stmts.iter().map(|stmt| self.removable(stmt)).collect();
        let mut found = Vec::new();
        let mut run = stmts.len();
        while run > 0 {
            for start in (0..stmts.len()).step_by(run) {
                let gone = |i: usize| i >= start && i < start + run && removable[i];
                if (0..stmts.len()).any(gone) {
                    let kept = stmts.iter().enumerate().filter(|(i, _)| !gone(*i));
                    found.push(kept.map(|(_, stmt)| stmt.clone()).collect());
                }
            }
            run /= 2;
        }
        found
    }
}

/// The statements inside a compound statement, where they can stand alone.
fn unwrapped(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    if stmt.keep != Keep::Removable {
        return Vec::new();
    }
    let blocks = stmt.parts.iter().filter_map(|part| match part {
        Part::Block(stmts) => Some(stmts.clone()),
        _ => None,
    });
    blocks.filter(|block| stands_alone(&stmt.parts, block)).collect()
}

/// May the block take the place of the statement around it?
fn stands_alone(outer: &[Part], block: &[Stmt]) -> bool {
    if block.iter().any(|stmt| stmt.keep == Keep::Required) {
        return false;
    }
    let shell: Vec<_> =
        outer.iter().filter(|part| !matches!(part, Part::Block(_))).cloned().collect();
    let inside = count_names(&print::parts(&[Part::Block(block.to_vec())]));
    // What the head of a loop or block declares is a number after a letter.
    let declared = declared_names(&print::parts(&shell));
    let leaves = ["break", "continue"].iter().any(|word| inside.contains_key(*word));
    !leaves && !declared.iter().any(|name| inside.contains_key(name))
}

/// The names after `int ` in a head: loop counters.
fn declared_names(head: &str) -> Vec<String> {
    let after = head.split("int ").skip(1);
    after.map(|rest| rest.chars().take_while(char::is_ascii_alphanumeric).collect()).collect()
}
