//! Names for blocks of the heap, one for each, that hold for a whole run.
//!
//! A heap block has no name of its own, and the source calls one block `a` here and `from` there,
//! while `a` is another block in the next call. A report needs one name for each: that of the first
//! variable that holds its address and holds no other block of the same line.

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::{Schedule, Step, StepKind};
use unravel_kinds::Variable;
use unravel_program::Program;
use unravel_report::model::ObjectRow;

use crate::steps::{in_text, place};

/// A heap block: the line that allocates it, and its number among those of that line.
type Block = (u32, u32);

/// A run with its names.
pub struct Named<'a> {
    /// The run.
    pub run: &'a Schedule,
    pub(crate) names: Names,
}

impl<'a> Named<'a> {
    /// A run with its names.
    #[must_use]
    pub fn of(program: &Program, run: &'a Schedule) -> Named<'a> {
        Named { run, names: Names::of(program, run) }
    }

    /// The blocks that have names, in the order of the lines that allocate them.
    pub(crate) fn objects(&self) -> Vec<ObjectRow> {
        let row = |(&(line, _), name): (&Block, &String)| ObjectRow { name: name.clone(), line };
        self.names.blocks.iter().map(row).collect()
    }
}

/// Names of the memory of one run.
#[derive(Debug, Default)]
pub(crate) struct Names {
    blocks: BTreeMap<Block, String>,
    /// Parts of blocks, by offset.
    parts: BTreeMap<(Block, u64), String>,
    /// Parts of any block of a line: what one block calls a part is so in all of them.
    fields: BTreeMap<(u32, u64), String>,
}

impl Names {
    /// The names of a run. Cost: steps, and for each the length of the source line that it is on.
    fn of(program: &Program, run: &Schedule) -> Names {
        let mut names = Names { blocks: names_of_blocks(run), ..Names::default() };
        let mut holders: BTreeMap<(u32, String), Block> = BTreeMap::new();
        for step in &run.steps {
            if let Some((name, block)) = holder(step) {
                match block {
                    Some(block) => holders.insert((step.thread.0, name), block),
                    None => holders.remove(&(step.thread.0, name)),
                };
            }
            names.learn(program, &holders, step);
        }
        names
    }

    /// Learns what the source calls a part of a block, where it comes to it through a pointer to the
    /// block.
    fn learn(&mut self, program: &Program, holders: &BTreeMap<(u32, String), Block>, step: &Step) {
        let Some(Variable::Heap { line, nth, offset }) = step.variable else { return };
        let block = (line, nth);
        if self.parts.contains_key(&(block, offset)) {
            return;
        }
        let Some(text) = in_text(program, place(program, step.site).as_ref()) else { return };
        let (root, path) = text.split_at(text.find("->").unwrap_or(text.len()));
        let is_block = holders.get(&(step.thread.0, root.to_owned())) == Some(&block);
        if path.is_empty() || path.contains('[') || !is_block {
            return;
        }
        self.fields.entry((line, offset)).or_insert_with(|| path.to_owned());
        let owner = self.blocks.get(&block).map_or(root, String::as_str);
        let name = format!("{owner}{path}");
        self.parts.insert((block, offset), name);
    }

    /// The name of a variable that is accessed at a place whose text is known.
    pub(crate) fn name(
        &self,
        variable: &Variable,
        text: impl FnOnce() -> Option<String>,
    ) -> String {
        let Variable::Heap { line, nth, offset } = *variable else { return variable.to_string() };
        if let Some(name) = self.parts.get(&((line, nth), offset)) {
            return name.clone();
        }
        let owner = self.blocks.get(&(line, nth));
        let field = self.fields.get(&(line, offset));
        match (owner, field, text()) {
            (Some(owner), Some(field), _) => format!("{owner}{field}"),
            (_, _, Some(text)) => text,
            (Some(owner), None, None) if offset == 0 => format!("*{owner}"),
            (Some(owner), None, None) => format!("{owner}+{offset}"),
            (None, _, None) => variable.to_string(),
        }
    }

    /// A value: the address of a block by the block's name.
    pub(crate) fn value(&self, value: &str) -> Option<String> {
        let (block, offset) = address(value.trim_start_matches('&'))?;
        let owner = self.blocks.get(&block)?;
        if offset == 0 {
            return Some(owner.clone());
        }
        let part = self.parts.get(&(block, offset)).cloned();
        let field = self.fields.get(&(block.0, offset)).map(|field| format!("{owner}{field}"));
        Some(match part.or(field) {
            Some(name) => format!("&{name}"),
            None => format!("{owner}+{offset}"),
        })
    }
}

/// The local variable that a step writes, and the block whose address it gets, if that is one.
fn holder(step: &Step) -> Option<(String, Option<Block>)> {
    let (StepKind::Local, Some(Variable::Named(name))) = (step.kind, &step.variable) else {
        return None;
    };
    let block = step.value.as_deref().and_then(address).filter(|(_, offset)| *offset == 0);
    Some((name.clone(), block.map(|(block, _)| block)))
}

/// What the interpreter writes for an address: `heap@12#2+8` as the second block of line 12, and the eighth byte.
fn address(value: &str) -> Option<(Block, u64)> {
    let rest = value.strip_prefix("heap@")?;
    let (block, offset) = rest.split_once('+').unwrap_or((rest, "0"));
    let (line, nth) = block.split_once('#').unwrap_or((block, "1"));
    Some(((line.parse().ok()?, nth.parse().ok()?), offset.parse().ok()?))
}

/// For each block, the first variable that holds it and no other block of the same line; where all
/// hold several, the first with the number of the block.
fn names_of_blocks(run: &Schedule) -> BTreeMap<Block, String> {
    let mut held: Vec<(String, Block)> = Vec::new();
    let mut blocks: BTreeMap<(u32, String), BTreeSet<u32>> = BTreeMap::new();
    for step in &run.steps {
        let is_write = step.kind == StepKind::Local || step.kind.is_write();
        let (true, Some(Variable::Named(name)), Some(value)) =
            (is_write, &step.variable, step.value.as_deref())
        else {
            continue;
        };
        if let Some((block, 0)) = address(value) {
            blocks.entry((block.0, name.clone())).or_default().insert(block.1);
            if !held.iter().any(|it| it.0 == *name && it.1 == block) {
                held.push((name.clone(), block));
            }
        }
    }
    let mut names: BTreeMap<Block, String> = BTreeMap::new();
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let is_sole = |name: &str, block: Block| {
        blocks.get(&(block.0, name.to_owned())).is_some_and(|all| all.len() == 1)
    };
    for (name, block) in held.iter().filter(|(name, block)| is_sole(name, *block)) {
        if !names.contains_key(block) && taken.insert(name.clone()) {
            names.insert(*block, name.clone());
        }
    }
    for (name, block) in &held {
        let numbered = format!("{name}#{}", block.1);
        if !names.contains_key(block) && taken.insert(numbered.clone()) {
            names.insert(*block, numbered);
        }
    }
    names
}
