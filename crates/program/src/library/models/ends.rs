//! Where a process or a thread ends, and the models have a say.
//!
//! What was given to `atexit` runs at `exit` and at the return of `main`: a call is put before both.
//! A thread that ends between `pthread_cleanup_push` and `pop` would run handlers, which are not
//! followed: a call before `pthread_exit` says so.

use crate::ir::{Function, Op, Program, Terminator};
use crate::library::{Action, Process, Thread};

/// Runs what was given to `atexit`.
pub(super) const AT_EXIT: &str = "__unravel_ends";

/// Looks whether cleanup handlers would run.
pub(super) const BEFORE_THREAD_EXIT: &str = "__unravel_before_pthread_exit";

/// What a program asks for.
#[derive(Clone, Copy, Default)]
pub(super) struct Asked {
    /// It calls `atexit`.
    pub(super) at_exit: bool,
    /// It has cleanup handlers.
    pub(super) cleanup: bool,
}

impl Asked {
    pub(super) fn of(program: &Program) -> Asked {
        let calls = |wanted: &str| {
            let blocks = program.functions.iter().flat_map(|function| &function.blocks);
            let mut ops = blocks.flat_map(|block| &block.instructions).map(|it| &it.op);
            ops.any(|op| matches!(op, Op::External { name, .. } if name == wanted))
        };
        Asked { at_exit: calls("atexit"), cleanup: calls("__pthread_register_cancel") }
    }

    /// The model that is to be called before an instruction, if one is.
    pub(super) fn before(self, op: &Op) -> Option<&'static str> {
        let Op::Library { primitive, .. } = op else { return None };
        match primitive.action() {
            // `_exit` and its kind run nothing.
            Action::Process(Process::Exit) if self.at_exit && primitive.name() == "exit" => {
                Some(AT_EXIT)
            }
            Action::Thread(Thread::Exit, _) if self.cleanup => Some(BEFORE_THREAD_EXIT),
            _ => None,
        }
    }
}

/// Blocks at whose end a function returns.
pub(super) fn returning(function: &Function) -> Vec<usize> {
    let blocks = function.blocks.iter().enumerate();
    let returning = blocks.filter(|(_, block)| matches!(block.end, Terminator::Return(_)));
    returning.map(|(index, _)| index).collect()
}
