//! Locals before they are promoted to registers: which ones may be read before they have a value,
//! and which ones end with a block inside their function.
//!
//! `mem2reg` turns a read of an uninitialized local into `undef`, which is another value at each
//! use. C gives the local one unknown value until it is assigned, and a variable in memory has that
//! already: its value is decided when it is first read. So a local that some path reads before it
//! assigns it stays in memory.
//!
//! A local that stays in memory and is declared in a block ends with the block (C11 6.2.4). clang
//! says where, if it is asked to (`-fsanitize-address-use-after-scope`), by calls of
//! `llvm.lifetime.start` and `llvm.lifetime.end`. It leaves them out where a jump leads past the
//! declaration; such a local lives as long as its function.

use std::collections::{HashMap, HashSet};

use crate::llvm::{Block, Layout, MetadataKind, Opcode, TypeKind, Value, operand};

/// What the locals of one function are used for.
pub(crate) struct Locals<'m> {
    function: Value<'m>,
    /// Locals with a name, and whether a block inside the function declares them.
    named: HashMap<Value<'m>, bool>,
    /// Those among them that are used otherwise than read and written as a whole.
    exposed: HashSet<Value<'m>>,
}

impl<'m> Locals<'m> {
    pub(crate) fn new(layout: Layout<'m>, function: Value<'m>) -> Self {
        let mut named = HashMap::new();
        for call in instructions(function).filter(|it| is_call_of(*it, "llvm.dbg.declare")) {
            if let Some((local, in_block)) = declared(layout, call) {
                named.insert(local, in_block);
            }
        }
        let exposed = exposed(function, &named);
        Locals { function, named, exposed }
    }

    /// Locals that could be promoted and that some path reads before it assigns them, or lends to a
    /// pointer that may read them: once the pointer is promoted, so is what it points to.
    pub(crate) fn read_uninitialized(&self) -> Vec<Value<'m>> {
        let may_be_promoted =
            |local: &Value<'m>| self.named.contains_key(local) && is_scalar(*local);
        let mut found = HashSet::new();
        let mut entry: HashMap<Block<'m>, HashSet<Value<'m>>> = HashMap::new();
        let mut work: Vec<Block<'m>> =
            self.function.blocks().first().copied().into_iter().collect();
        while let Some(block) = work.pop() {
            let mut without = entry.get(&block).cloned().unwrap_or_default();
            for at in block.instructions() {
                found.extend(exposed_by(at, &self.named).filter(|local| without.contains(local)));
                match at.opcode() {
                    Some(Opcode::LLVMAlloca) if may_be_promoted(&at) => {
                        without.insert(at);
                    }
                    Some(Opcode::LLVMStore) => {
                        at.operand(1).map(|local| without.remove(&local));
                    }
                    // A value that is thrown away is nobody's: `(void)x`.
                    Some(Opcode::LLVMLoad) if at.uses().is_empty() => {}
                    Some(Opcode::LLVMLoad) => {
                        found.extend(at.operand(0).filter(|local| without.contains(local)));
                    }
                    Some(Opcode::LLVMCall) if is_call_of(at, "llvm.lifetime.start") => {
                        without.extend(at.operand(1).filter(may_be_promoted));
                    }
                    _ => {}
                }
            }
            for next in block.terminator().map(Value::successors).unwrap_or_default() {
                let is_new = !entry.contains_key(&next);
                let known = entry.entry(next).or_default();
                let before = known.len();
                known.extend(&without);
                if is_new || known.len() > before {
                    work.push(next);
                }
            }
        }
        let order = instructions(self.function).filter(|it| found.contains(it));
        order.collect()
    }

    /// Whether a local that stays in memory is declared in a block inside the function.
    pub(crate) fn has_block_local(&self) -> bool {
        let uninitialized = self.read_uninitialized();
        self.named.iter().any(|(local, in_block)| {
            let stays = self.exposed.contains(local) || uninitialized.contains(local);
            *in_block && (stays || !is_scalar(*local))
        })
    }

    /// Locals that begin and end with a block, each with the one call that says where it begins.
    /// Every use comes after that call.
    pub(crate) fn of_blocks(&self) -> HashMap<Value<'m>, Value<'m>> {
        let mut starts: HashMap<Value<'m>, Vec<Value<'m>>> = HashMap::new();
        for call in instructions(self.function) {
            if is_call_of(call, "llvm.lifetime.start")
                && let Some(local) = call.operand(1)
                && self.named.get(&local) == Some(&true)
            {
                starts.entry(local).or_default().push(call);
            }
        }
        let single = starts.into_iter().filter_map(|(local, starts)| match starts[..] {
            [start] => Some((local, start)),
            _ => None,
        });
        single.filter(|(local, start)| self.comes_first(*local, *start)).collect()
    }

    /// Whether every use of a local comes after an instruction, on every path.
    fn comes_first(&self, local: Value<'m>, first: Value<'m>) -> bool {
        let blocks = self.function.blocks();
        let Some(home) = blocks.iter().find(|it| it.instructions().contains(&first)) else {
            return false;
        };
        let avoiding = reachable_without(&blocks, *home);
        blocks.iter().all(|block| {
            let all = block.instructions();
            let before = match () {
                () if block == home => all.split(|it| *it == first).next().unwrap_or_default(),
                () if avoiding.contains(block) => &all[..],
                () => &[],
            };
            !before.iter().any(|it| uses(*it, local, &avoiding))
        })
    }
}

/// Whether an instruction uses a local; a φ-node uses it where control comes from, which counts
/// only for some blocks.
fn uses<'m>(at: Value<'m>, local: Value<'m>, counted: &HashSet<Block<'m>>) -> bool {
    if at.opcode() == Some(Opcode::LLVMPHI) {
        return counted.iter().any(|block| at.incoming(*block) == Some(local));
    }
    operands(at).any(|operand| operand == local)
}

/// Blocks that a path reaches which does not enter a certain one.
fn reachable_without<'m>(blocks: &[Block<'m>], avoided: Block<'m>) -> HashSet<Block<'m>> {
    let mut seen = HashSet::new();
    let mut work: Vec<Block<'m>> = blocks.first().copied().into_iter().collect();
    while let Some(block) = work.pop() {
        if block != avoided && seen.insert(block) {
            work.extend(block.terminator().map(Value::successors).unwrap_or_default());
        }
    }
    seen
}

fn instructions<'m>(function: Value<'m>) -> impl Iterator<Item = Value<'m>> {
    function.blocks().into_iter().flat_map(Block::instructions)
}

fn operands<'m>(at: Value<'m>) -> impl Iterator<Item = Value<'m>> {
    (0..at.operand_count()).filter_map(move |index| at.operand(index))
}

/// Whether a call is of a function, or of an intrinsic with types at the end of its name.
fn is_call_of(at: Value<'_>, name: &str) -> bool {
    let callee = at.called().map(Value::name).unwrap_or_default();
    callee.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The local that a call of `llvm.dbg.declare` names, and whether a block declares it.
fn declared<'m>(layout: Layout<'m>, call: Value<'m>) -> Option<(Value<'m>, bool)> {
    let local = layout.argument(call.operand(0)?)?.wrapped()?;
    local.allocated_type()?;
    let variable = layout.argument(call.operand(1)?)?;
    let scope = variable.operand(operand::VARIABLE_SCOPE)?;
    let in_block = matches!(
        scope.kind(),
        MetadataKind::LLVMDILexicalBlockMetadataKind
            | MetadataKind::LLVMDILexicalBlockFileMetadataKind
    );
    Some((local, in_block))
}

/// Locals whose address is used for more than plain reads and writes of the whole: `mem2reg`
/// leaves them in memory.
fn exposed<'m>(function: Value<'m>, named: &HashMap<Value<'m>, bool>) -> HashSet<Value<'m>> {
    instructions(function).flat_map(|at| exposed_by(at, named)).collect()
}

/// Those whose address one instruction uses so.
fn exposed_by<'m>(
    at: Value<'m>,
    named: &HashMap<Value<'m>, bool>,
) -> impl Iterator<Item = Value<'m>> {
    let is_plain = !at.is_volatile() && at.ordering().is_none();
    let harmless = match at.opcode() {
        Some(Opcode::LLVMLoad) if is_plain && is_whole(at.ty(), at.operand(0)) => at.operand(0),
        Some(Opcode::LLVMStore) if is_plain => {
            let value = at.operand(0);
            let ty = value.and_then(Value::ty);
            at.operand(1).filter(|local| is_whole(ty, Some(*local)) && value != Some(*local))
        }
        Some(Opcode::LLVMCall) if is_call_of(at, "llvm.lifetime") => at.operand(1),
        _ => None,
    };
    operands(at).filter(move |it| named.contains_key(it) && Some(*it) != harmless)
}

fn is_whole<'m>(accessed: Option<crate::llvm::Ty<'m>>, local: Option<Value<'m>>) -> bool {
    accessed.is_some() && accessed == local.and_then(Value::allocated_type)
}

fn is_scalar(local: Value<'_>) -> bool {
    local.allocated_type().is_some_and(|ty| {
        matches!(
            ty.kind(),
            TypeKind::LLVMIntegerTypeKind
                | TypeKind::LLVMPointerTypeKind
                | TypeKind::LLVMFloatTypeKind
                | TypeKind::LLVMDoubleTypeKind
        )
    })
}
