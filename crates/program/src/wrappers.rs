//! Functions of the program that wrap one operation: `queue_lock(q)` for a lock, `get(c)` for an
//! atomic load.
//!
//! Programs seldom call the thread library in the open. What happens in such a function happens,
//! for its reader, where it is called: "line 7 of account_lock waits for line 7 of account_lock"
//! tells nobody anything. So their steps are shown at the call, like those of library functions.
//!
//! A wrapper does one thing that others can notice, an operation on a synchronization object, the
//! creation or the join of a thread, or an atomic access, and besides that only what serves it: it
//! finds the object through pointers, tests the result, says what is wrong and ends the program, by
//! functions that do nothing else. A function that reads or writes other data, or asserts something,
//! is none, since then its lines matter. What wraps a wrapper is one, too.

use std::collections::BTreeSet;

use crate::ir::{Access, Function, FunctionId, Op, Operand, Program, Reg, Type};
use crate::library::{Action, Process, Thread, models};

/// Marks the wrappers of a program. One look at each instruction for each level of wrapping.
pub fn mark(program: &mut Program) {
    let servants = servants(program);
    loop {
        let is_new = |it: &&Function| !it.wrapper && is_wrapper(program, &servants, it);
        let found: Vec<String> =
            program.functions.iter().filter(is_new).map(|it| it.name.clone()).collect();
        if found.is_empty() {
            return;
        }
        for function in program.functions.iter_mut().filter(|it| found.contains(&it.name)) {
            function.wrapper = true;
        }
    }
}

/// What an instruction means for whether its function is a wrapper.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Nothing that others notice.
    Serves,
    /// The one operation.
    Operates,
    /// More than a wrapper does.
    Works,
}

/// Functions that do nothing others notice, such as one that says what is wrong and ends all.
fn servants(program: &Program) -> BTreeSet<FunctionId> {
    let mut found = BTreeSet::new();
    loop {
        let all = (0u32..).map(FunctionId).zip(&program.functions);
        let serves =
            |it: &Function| roles(program, &found, it).iter().all(|it| *it == Role::Serves);
        let more: Vec<FunctionId> =
            all.filter(|(id, it)| !found.contains(id) && serves(it)).map(|(id, _)| id).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}

fn is_wrapper(program: &Program, servants: &BTreeSet<FunctionId>, function: &Function) -> bool {
    if function.library || function.atomic || function.variadic || function.name == "main" {
        return false;
    }
    let roles = roles(program, servants, function);
    !roles.contains(&Role::Works) && roles.iter().filter(|it| **it == Role::Operates).count() == 1
}

fn roles(program: &Program, servants: &BTreeSet<FunctionId>, function: &Function) -> Vec<Role> {
    let instructions = || function.blocks.iter().flat_map(|it| &it.instructions);
    let locals: BTreeSet<Reg> = instructions()
        .filter_map(|it| match &it.op {
            Op::Alloca { dst, .. } => Some(*dst),
            _ => None,
        })
        .collect();
    instructions().map(|it| role(program, servants, &locals, &it.op)).collect()
}

fn role(
    program: &Program,
    servants: &BTreeSet<FunctionId>,
    locals: &BTreeSet<Reg>,
    op: &Op,
) -> Role {
    let is_local = |address: &Operand| matches!(address, Operand::Reg(reg) if locals.contains(reg));
    match op {
        Op::Load { address, .. } | Op::Store { address, .. } if is_local(address) => Role::Serves,
        Op::Load { access: Access::Plain, ty: Type::Ptr, .. } => Role::Serves,
        Op::Load { access, .. } | Op::Store { access, .. }
            if !matches!(access, Access::Atomic(_)) =>
        {
            Role::Works
        }
        Op::Load { .. }
        | Op::Store { .. }
        | Op::ReadModifyWrite { .. }
        | Op::CompareExchange { .. } => Role::Operates,
        Op::Call { callee, .. } if program.function(*callee).wrapper => Role::Operates,
        Op::Call { callee, .. } if models::reports(program.function(*callee)) => Role::Serves,
        Op::Call { callee, .. } if servants.contains(callee) => Role::Serves,
        Op::Library { primitive, .. } => match primitive.action() {
            Action::Sync(..) => Role::Operates,
            Action::Thread(
                Thread::Create | Thread::CreateC11 | Thread::Join | Thread::JoinC11,
                _,
            ) => Role::Operates,
            Action::Process(Process::Abort | Process::Exit)
            | Action::Print(_)
            | Action::Show(_)
            | Action::Nothing
            | Action::ErrnoLocation => Role::Serves,
            _ => Role::Works,
        },
        Op::Call { .. }
        | Op::CallIndirect { .. }
        | Op::External { .. }
        | Op::MemoryCopy { .. }
        | Op::MemorySet { .. } => Role::Works,
        _ => Role::Serves,
    }
}
