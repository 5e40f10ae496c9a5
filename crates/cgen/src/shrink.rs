//! Makes a program simpler, step by step.
//!
//! A step removes statements, or an item that nothing mentions, replaces a
//! compound statement by its body, an expression by a constant or an operand, or
//! lowers the rounds of a loop. Names are unique in a program, so whether a
//! name is still in use shows in the text.

use crate::SequentialProgram;
use crate::expr::cast_to;
use crate::tree::{Expr, Item, Keep, Part, Program, Stmt};
use std::collections::BTreeMap;

/// Simplifies `program` as long as `still_fails` holds for the result: greedy,
/// until no single step is left that keeps the failure.
pub fn shrink(
    program: SequentialProgram,
    mut still_fails: impl FnMut(&SequentialProgram) -> bool,
) -> SequentialProgram {
    let (mut best, mut start, mut changed) = (program, 0, false);
    // Every step lowers the weight of the program, so this ends. After a step
    // the search goes on where it was, since what failed before mostly fails
    // again; a last round from the start makes sure.
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
pub(crate) fn simplifications(program: &Program) -> Vec<Program> {
    let uses = Uses::of(program);
    let mut found = without_items(program, &uses);
    for (i, item) in program.items.iter().enumerate() {
        for parts in uses.parts(&item.parts) {
            let mut simpler = program.clone();
            simpler.items[i] = Item { name: item.name.clone(), parts };
            found.push(simpler);
        }
    }
    let limit = program.weight();
    found.retain(|simpler| simpler.weight() < limit);
    found.sort_by_cached_key(Program::weight);
    found
}

/// The program without one of the items that nothing else mentions.
fn without_items(program: &Program, uses: &Uses) -> Vec<Program> {
    let mut found = Vec::new();
    for (i, item) in program.items.iter().enumerate() {
        let own = count_names(&crate::print::item(item));
        // An enumeration is used by its constants, which bear its name.
        let mentions = |counts: &BTreeMap<String, usize>| -> usize {
            let prefix = format!("{}_", item.name);
            let named = |name: &&String| **name == item.name || name.starts_with(&prefix);
            counts.iter().filter(|(name, _)| named(name)).map(|(_, count)| count).sum()
        };
        if item.name != "main" && mentions(&own) == mentions(&uses.counts) {
            let mut simpler = program.clone();
            simpler.items.remove(i);
            found.push(simpler);
        }
    }
    found
}

/// How often each name occurs in the program.
struct Uses {
    counts: BTreeMap<String, usize>,
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
    fn of(program: &Program) -> Self {
        Self { counts: count_names(&crate::print::program(program)) }
    }

    /// Does `name` occur nowhere but in these parts?
    fn only_in(&self, name: &str, parts: &[Part]) -> bool {
        let here = count_names(&crate::print::parts(parts));
        here.get(name) == self.counts.get(name)
    }

    fn removable(&self, stmt: &Stmt) -> bool {
        match &stmt.keep {
            Keep::Removable => true,
            Keep::Declares(name) => self.only_in(name, &stmt.parts),
            Keep::Required => false,
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
            Part::Text(_) | Part::Mark(_) | Part::Helper(_) => Vec::new(),
            Part::Expr(expr) => self.expr(expr).into_iter().map(Part::Expr).collect(),
            Part::Block(stmts) => self.block(stmts).into_iter().map(Part::Block).collect(),
            Part::Bound(bound) => lower(*bound).into_iter().map(Part::Bound).collect(),
            Part::Group(parts) => self.parts(parts).into_iter().map(Part::Group).collect(),
        }
    }

    fn expr(&self, expr: &Expr) -> Vec<Expr> {
        let mut found = vec![Expr::zero(expr.ty), Expr::one(expr.ty)];
        let mut operands = Vec::new();
        collect_operands(&expr.parts, &mut operands);
        found.extend(operands.into_iter().filter_map(|operand| as_type(operand, expr)));
        let inner = self.parts(&expr.parts).into_iter();
        found.extend(inner.map(|parts| Expr::new(expr.ty, parts)));
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

    /// The list without a run of removable statements: long runs at first,
    /// for speed.
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

fn lower(bound: u32) -> Vec<u32> {
    let mut found = vec![1, bound / 2, bound.saturating_sub(1)];
    found.retain(|lower| *lower >= 1 && *lower < bound);
    found.dedup();
    found
}

/// The expressions directly inside.
fn collect_operands<'a>(parts: &'a [Part], found: &mut Vec<&'a Expr>) {
    for part in parts {
        match part {
            Part::Expr(expr) => found.push(expr),
            Part::Group(parts) => collect_operands(parts, found),
            _ => {}
        }
    }
}

/// An operand in the place of the expression around it.
fn as_type(operand: &Expr, outer: &Expr) -> Option<Expr> {
    if operand.ty == outer.ty {
        return Some(operand.clone());
    }
    let free = operand.ty.casts_freely_to(outer.ty);
    free.then(|| cast_to(outer.ty, operand.clone()))
}

/// The statements inside a compound statement, where they can stand alone.
fn unwrapped(stmt: &Stmt) -> Vec<Vec<Stmt>> {
    let mut blocks = Vec::new();
    collect_blocks(&stmt.parts, &mut blocks);
    blocks.retain(|block| stands_alone(&stmt.parts, block));
    blocks
}

fn collect_blocks(parts: &[Part], found: &mut Vec<Vec<Stmt>>) {
    for part in parts {
        match part {
            Part::Block(stmts) => found.push(stmts.clone()),
            Part::Group(parts) => collect_blocks(parts, found),
            _ => {}
        }
    }
}

/// May the block take the place of the statement around it?
fn stands_alone(outer: &[Part], block: &[Stmt]) -> bool {
    // What is required may go only with the block that needs it.
    if block.iter().any(|stmt| stmt.keep == Keep::Required) {
        return false;
    }
    let inside = count_names(&crate::print::parts(&[Part::Block(block.to_vec())]));
    let shell = count_names(&crate::print::parts(&shell(outer)));
    let has = |names: &BTreeMap<String, usize>, words: &[&str]| {
        words.iter().any(|word| names.contains_key(*word))
    };
    let leaves = has(&shell, &["for", "while", "do"]) && has(&inside, &["break", "continue"]);
    let labels = has(&shell, &["switch", "case", "default"])
        || shell.keys().any(|name| is_numbered(name, 'L'));
    let counters = shell.keys().filter(|name| is_numbered(name, 'i'));
    !leaves && !labels && !counters.into_iter().any(|name| inside.contains_key(name))
}

/// Is it a name that the generator made with this prefix?
fn is_numbered(name: &str, prefix: char) -> bool {
    let rest = name.strip_prefix(prefix).unwrap_or_default();
    !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit())
}

/// The parts without the blocks in them.
fn shell(parts: &[Part]) -> Vec<Part> {
    parts
        .iter()
        .filter_map(|part| match part {
            Part::Block(_) => None,
            Part::Group(parts) => Some(Part::Group(shell(parts))),
            other => Some(other.clone()),
        })
        .collect()
}
