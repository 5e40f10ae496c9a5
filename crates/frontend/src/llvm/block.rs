//! Basic blocks and the edges between them.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::{
    LLVMCountIncoming, LLVMGetBasicBlockTerminator, LLVMGetFirstBasicBlock,
    LLVMGetFirstInstruction, LLVMGetIncomingBlock, LLVMGetIncomingValue, LLVMGetInstructionParent,
    LLVMGetNextBasicBlock, LLVMGetNextInstruction, LLVMGetNumSuccessors, LLVMGetSuccessor,
    LLVMIsAFunction, LLVMIsAPHINode, LLVMIsATerminatorInst,
};
use inkwell::llvm_sys::prelude::LLVMBasicBlockRef;

use super::Value;

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

impl<'m> Block<'m> {
    /// # Safety
    /// `raw` is null or a block whose module lives for `'m`.
    unsafe fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Block(raw, PhantomData))
    }

    /// Its instructions, in order, the terminator last.
    pub(crate) fn instructions(self) -> Vec<Value<'m>> {
        let mut values = Vec::new();
        // SAFETY: the instructions of a live block are live; the list ends in null.
        unsafe {
            let mut at = LLVMGetFirstInstruction(self.0);
            while let Some(value) = Value::new(at) {
                values.push(value);
                at = LLVMGetNextInstruction(at);
            }
        }
        values
    }

    pub(super) fn raw(self) -> LLVMBasicBlockRef {
        self.0
    }

    pub(crate) fn terminator(self) -> Option<Value<'m>> {
        // SAFETY: a handle is a live block; null if it has no terminator.
        unsafe { Value::new(LLVMGetBasicBlockTerminator(self.0)) }
    }
}

impl<'m> Value<'m> {
    /// The blocks of a function, the entry first.
    pub(crate) fn blocks(self) -> Vec<Block<'m>> {
        let mut blocks = Vec::new();
        // SAFETY: checked to be a function; the list ends in null.
        unsafe {
            if LLVMIsAFunction(self.raw()).is_null() {
                return blocks;
            }
            let mut at = LLVMGetFirstBasicBlock(self.raw());
            while let Some(block) = Block::new(at) {
                blocks.push(block);
                at = LLVMGetNextBasicBlock(at);
            }
        }
        blocks
    }

    /// The block that an instruction stands in.
    pub(crate) fn block(self) -> Option<Block<'m>> {
        // SAFETY: it is an instruction; null if it stands nowhere.
        self.is_instruction()
            .then(|| unsafe { Block::new(LLVMGetInstructionParent(self.raw())) })
            .flatten()
    }

    /// Where a terminator may go.
    pub(crate) fn successors(self) -> Vec<Block<'m>> {
        // SAFETY: checked to be a terminator; the indices are in range.
        unsafe {
            if LLVMIsATerminatorInst(self.raw()).is_null() {
                return Vec::new();
            }
            let count = LLVMGetNumSuccessors(self.raw());
            (0..count).filter_map(|index| Block::new(LLVMGetSuccessor(self.raw(), index))).collect()
        }
    }

    /// The value of a φ-node on the way from `block`.
    pub(crate) fn incoming(self, block: Block<'m>) -> Option<Value<'m>> {
        // SAFETY: checked to be a φ-node; the indices are in range.
        unsafe {
            if LLVMIsAPHINode(self.raw()).is_null() {
                return None;
            }
            let count = LLVMCountIncoming(self.raw());
            let index =
                (0..count).find(|index| LLVMGetIncomingBlock(self.raw(), *index) == block.0)?;
            Value::new(LLVMGetIncomingValue(self.raw(), index))
        }
    }
}
