//! Moments: places in the execution of a thread that mean the same in every run.
//!
//! Which instruction is one thing; which execution of it another. A moment says in which calls and
//! in which turns of the loops around it an instruction is executed, so that a step of one run can
//! be found again in another, whatever the threads did before.

use unravel_program::{BlockId, FunctionId, Program};

use crate::state::Frame;

/// An execution of an instruction by a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Moment {
    /// Calls in progress, innermost last.
    pub calls: Vec<CallPlace>,
    /// Bytes copied before it, for `memcpy` and its kind, or parts of a wait.
    pub progress: u64,
}

/// A place in a call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallPlace {
    /// The function.
    pub function: FunctionId,
    /// The block.
    pub block: BlockId,
    /// The instruction.
    pub index: u32,
    /// Loops around it, outermost first: head, and how often it was turned back to.
    pub turns: Vec<(BlockId, u32)>,
}

impl Moment {
    /// Whether a thread with these calls in progress stands at this moment. Its turns must have
    /// been counted, which happens where loops are bounded ([`crate::Config::unwind`]).
    #[must_use]
    pub fn is_at(&self, frames: &[Frame]) -> bool {
        self.calls.len() == frames.len()
            && frames.last().is_some_and(|frame| frame.progress() == self.progress)
            && self.calls.iter().zip(frames).rev().all(|(call, frame)| call.is_at(frame))
    }

    /// The turn of the innermost loop around it in the user's code, from 1; `None` outside of loops.
    #[must_use]
    pub fn turn(&self, program: &Program) -> Option<u32> {
        let users = self.calls.iter().filter(|call| !program.function(call.function).library);
        let innermost = users.rev().find_map(|call| call.turns.last());
        innermost.map(|(_, turns)| turns + 1)
    }
}

impl CallPlace {
    fn is_at(&self, frame: &Frame) -> bool {
        let turned = |head: &BlockId| frame.turns.get(head).copied().unwrap_or(0);
        self.function == frame.function
            && self.block == frame.block
            && self.index as usize == frame.index
            && self.turns.iter().all(|(head, turns)| turned(head) == *turns)
    }
}
