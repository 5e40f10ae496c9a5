//! Whether a program compares ids of threads, so that it could tell that an id is used again.
//!
//! An id may name another thread once its own was joined (POSIX.1-2017, 2.9.2). Engines follow that
//! only where it shows, since it is a choice at every creation. What counts is `pthread_equal`, and a
//! comparison of two numbers of which one may be an id. An id comes from `pthread_self`, or from where
//! a creation stores it. Places are told apart by the variable that they lie in; an id that is kept
//! where a pointer leads may be anywhere where a pointer leads.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{CompareOp, FunctionId, GlobalId, Op, Operand, Program, Reg, Terminator, Type};
use crate::library::{Action, Thread};

/// Where an address leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Root {
    Global(GlobalId),
    Local(FunctionId, Reg),
    Elsewhere,
}

/// What may be an id, and what may hold one; grows until nothing is new.
struct Ids<'p> {
    program: &'p Program,
    /// The instruction that sets each register.
    definitions: BTreeMap<(FunctionId, Reg), &'p Op>,
    registers: BTreeSet<(FunctionId, Reg)>,
    holders: BTreeSet<Root>,
}

/// Whether a program compares ids of threads.
#[must_use]
pub fn compares_ids(program: &Program) -> bool {
    if all_ops(program).any(|(_, op)| thread_action(op) == Some(Thread::Equal)) {
        return true;
    }
    let ends = |action| matches!(action, Thread::Join | Thread::JoinC11 | Thread::Detach);
    let current = |action| matches!(action, Thread::Current);
    let uses = |wanted: &dyn Fn(Thread) -> bool| {
        all_ops(program).filter_map(|(_, op)| thread_action(op)).any(wanted)
    };
    if !uses(&ends) && !uses(&current) {
        return false;
    }
    let mut ids = Ids::new(program);
    loop {
        let before = (ids.registers.len(), ids.holders.len());
        for (function, op) in all_ops(program) {
            ids.see(function, op);
        }
        ids.see_edges();
        if before == (ids.registers.len(), ids.holders.len()) {
            break;
        }
    }
    all_ops(program).any(|(function, op)| match op {
        Op::Compare { op: CompareOp::Eq | CompareOp::Ne, lhs, rhs, .. } => {
            let constant = |it: &Operand| matches!(it, Operand::Int(_));
            let is_id = |it: &Operand| ids.is_id(function, *it);
            !constant(lhs) && !constant(rhs) && (is_id(lhs) || is_id(rhs))
        }
        _ => false,
    })
}

fn function_ids(program: &Program) -> impl Iterator<Item = FunctionId> {
    (0u32..).map(FunctionId).take(program.functions.len())
}

fn all_ops(program: &Program) -> impl Iterator<Item = (FunctionId, &Op)> {
    function_ids(program).flat_map(|id| {
        let blocks = program.function(id).blocks.iter();
        blocks.flat_map(|block| &block.instructions).map(move |it| (id, &it.op))
    })
}

fn thread_action(op: &Op) -> Option<Thread> {
    match op {
        Op::Library { primitive, .. } => match primitive.action() {
            Action::Thread(action, _) => Some(action),
            _ => None,
        },
        _ => None,
    }
}

impl<'p> Ids<'p> {
    fn new(program: &'p Program) -> Ids<'p> {
        let defined = |(function, op): (FunctionId, &'p Op)| {
            op.defines().into_iter().map(move |reg| ((function, reg), op))
        };
        let definitions = all_ops(program).flat_map(defined).collect();
        Ids { program, definitions, registers: BTreeSet::new(), holders: BTreeSet::new() }
    }

    fn is_id(&self, function: FunctionId, operand: Operand) -> bool {
        matches!(operand, Operand::Reg(reg) if self.registers.contains(&(function, reg)))
    }

    /// The variable that an address lies in.
    fn root(&self, function: FunctionId, address: Operand) -> Root {
        let reg = match address {
            Operand::Global(id, _) => return Root::Global(id),
            Operand::Reg(reg) => reg,
            _ => return Root::Elsewhere,
        };
        match self.definitions.get(&(function, reg)) {
            Some(Op::Alloca { .. }) => Root::Local(function, reg),
            Some(Op::Offset { base, .. }) => self.root(function, *base),
            Some(Op::Copy { value, .. }) => self.root(function, *value),
            _ => Root::Elsewhere,
        }
    }

    fn hold(&mut self, function: FunctionId, address: Operand) {
        let root = self.root(function, address);
        self.holders.insert(root);
    }

    /// Somebody else gets to know the address of what may hold an id.
    fn give_away(&mut self, function: FunctionId, operand: Operand) {
        let root = self.root(function, operand);
        if root != Root::Elsewhere && self.holders.contains(&root) {
            self.holders.insert(Root::Elsewhere);
        }
    }

    fn flow(&mut self, from: (FunctionId, Operand), to: (FunctionId, Reg)) {
        if self.is_id(from.0, from.1) {
            self.registers.insert(to);
        }
    }

    fn see(&mut self, function: FunctionId, op: &Op) {
        match op {
            Op::Library { args, result, .. } => {
                let first = args.first().map(|&(_, operand)| operand);
                match (thread_action(op), first, result) {
                    (Some(Thread::Create | Thread::CreateC11), Some(at), _) => {
                        self.hold(function, at);
                    }
                    (Some(Thread::Current), _, Some(reg)) => {
                        self.registers.insert((function, *reg));
                    }
                    _ => {}
                }
                let rest = args.iter().skip(1).map(|&(_, operand)| operand);
                rest.for_each(|operand| self.give_away(function, operand));
            }
            Op::Load { dst, ty, address, .. }
                if self.is_wide(*ty) && self.holders.contains(&self.root(function, *address)) =>
            {
                self.registers.insert((function, *dst));
            }
            Op::Store { address, value, .. } => {
                if self.is_id(function, *value) {
                    self.hold(function, *address);
                }
                self.give_away(function, *value);
            }
            Op::MemoryCopy { to, from, .. }
                if self.holders.contains(&self.root(function, *from)) =>
            {
                self.hold(function, *to);
            }
            Op::Copy { dst, value } | Op::Cast { dst, value, .. } => {
                self.flow((function, *value), (function, *dst));
            }
            Op::Select { dst, then, otherwise, .. } => {
                self.flow((function, *then), (function, *dst));
                self.flow((function, *otherwise), (function, *dst));
            }
            Op::Call { results, callee, args } => self.see_call(function, results, *callee, args),
            Op::CallIndirect { args, .. } => {
                for &(_, operand) in args {
                    self.give_away(function, operand);
                    if self.is_id(function, operand) {
                        self.holders.insert(Root::Elsewhere);
                        self.enter_everywhere();
                    }
                }
            }
            _ => {}
        }
    }

    fn is_wide(&self, ty: Type) -> bool {
        ty == Type::Ptr || ty == Type::Int(self.program.target.pointer_bits())
    }

    fn see_call(
        &mut self,
        caller: FunctionId,
        results: &[Reg],
        callee: FunctionId,
        args: &[Operand],
    ) {
        let function = self.program.function(callee);
        for (&operand, &param) in args.iter().zip(&function.params) {
            self.give_away(caller, operand);
            self.flow((caller, operand), (callee, param));
        }
        for block in &function.blocks {
            let Terminator::Return(values) = &block.end else { continue };
            for (&value, &result) in values.iter().zip(results) {
                self.flow((callee, value), (caller, result));
            }
        }
    }

    /// An id is given to a function that is not known: any may get it.
    fn enter_everywhere(&mut self) {
        for id in function_ids(self.program) {
            let function = self.program.function(id);
            let wide = function.params.iter().filter(|&&it| self.is_wide(function.type_of(it)));
            let wide: Vec<Reg> = wide.copied().collect();
            self.registers.extend(wide.into_iter().map(|reg| (id, reg)));
        }
    }

    fn see_edges(&mut self) {
        for id in function_ids(self.program) {
            let function = self.program.function(id);
            for edge in function.blocks.iter().flat_map(|block| block.end.edges()) {
                let params = &function.block(edge.target).params;
                for (&operand, &param) in edge.args.iter().zip(params) {
                    self.flow((id, operand), (id, param));
                }
            }
        }
    }
}
