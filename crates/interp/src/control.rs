//! Jumps, calls and returns, up to the end of the thread or the process.

use unravel_kinds::{Cut, Unmodelled, ViolationKind};
use unravel_program::{BlockId, Edge, FunctionId, Operand, Reg, Terminator, Type};

use crate::event::EventKind;
use crate::exec::{Exec, Interrupt, Result, clear_dead};
use crate::property::Property;
use crate::state::{OnReturn, Stuck, ThreadId};
use crate::value::Value;

impl<'p> Exec<'_, 'p> {
    pub fn terminator(&mut self, end: &'p Terminator) -> Result<()> {
        match end {
            Terminator::Jump(edge) => self.follow(edge),
            Terminator::Branch { condition, then, otherwise } => {
                let taken = self.forced(*condition, 1)?.bits == 1;
                self.follow(if taken { then } else { otherwise })
            }
            Terminator::Switch { value, width, cases, default } => {
                let bits = self.forced(*value, *width)?.bits;
                let case = cases.iter().find(|(case, _)| *case == bits);
                self.follow(case.map_or(default, |(_, edge)| edge))
            }
            Terminator::Return(values) => self.return_from(values),
            Terminator::Unreachable => {
                if self.machine.config.properties.has(Property::Ub) {
                    return self.violation(ViolationKind::Unreachable);
                }
                self.unsupported(Unmodelled::UnreachableCode)
            }
        }
    }

    fn follow(&mut self, edge: &Edge) -> Result<()> {
        let turns_back = self.count_turn(edge.target)?;
        let function = self.function(self.frame().function);
        let params = &function.block(edge.target).params;
        let mut values = Vec::with_capacity(params.len());
        for (&param, &arg) in params.iter().zip(&edge.args) {
            values.push(self.operand(arg, self.width(function.type_of(param))));
        }
        if turns_back {
            let registers = &self.frame().registers;
            let old = params.iter().map(|param| registers[param.0 as usize]);
            let same = old.zip(&values).all(|(old, new)| old == *new);
            self.recorder.turned(self.me, same);
        }
        let frame = self.frame_mut();
        for (&param, value) in params.iter().zip(values) {
            frame.registers[param.0 as usize] = value;
        }
        frame.block = edge.target;
        frame.index = 0;
        Ok(())
    }

    /// Counts a turn of a loop, where turns are counted: whether this is one.
    fn count_turn(&mut self, target: BlockId) -> Result<bool> {
        let (unwind, counted) = (self.machine.config.unwind, self.machine.config.counted_turns);
        if unwind.is_none() && counted == 0 {
            return Ok(false);
        }
        let frame = self.frame();
        let edge = (frame.block, target);
        let closes = self.machine.back_edges[frame.function.0 as usize].contains(&edge);
        if !closes {
            let edges = &self.machine.back_edges[frame.function.0 as usize];
            if edges.iter().any(|(_, head)| *head == target) {
                self.recorder.turned(self.me, false);
            }
            self.frame_mut().turns.remove(&target);
            return Ok(false);
        }
        let turns = frame.turns.get(&target).copied().unwrap_or(0);
        match unwind {
            Some(limit) if turns >= limit => {
                return self.bound(Cut::Loop { iterations: limit });
            }
            None if turns >= counted => return Ok(true),
            _ => {}
        }
        self.frame_mut().turns.insert(target, turns + 1);
        Ok(true)
    }

    pub fn push_call(
        &mut self,
        callee: FunctionId,
        arguments: &[Value],
        results: &[Reg],
        on_return: OnReturn,
    ) -> Result<()> {
        if self.state.thread(self.me).frames.len() >= self.machine.config.call_depth {
            let depth = self.machine.config.call_depth as u64;
            return self.bound(Cut::Calls { depth });
        }
        let frame = self.machine.frame(callee, arguments, results.to_vec(), on_return);
        let machine = self.machine;
        let caller = self.frame_mut();
        let liveness = &machine.liveness[caller.function.0 as usize];
        let live = liveness.after_call(caller.block, caller.index);
        // A primitive that calls back reads its operands again when it goes on.
        if on_return == OnReturn::Continue {
            clear_dead(&mut caller.registers, |reg| live.contains(reg));
        }
        let thread = self.state.thread_mut(self.me);
        thread.frames.push(frame);
        if machine.program.function(callee).atomic {
            thread.atomic_depth += 1;
        }
        Ok(())
    }

    pub fn call(&mut self, callee: FunctionId, args: &[Operand], results: &[Reg]) -> Result<()> {
        let function = self.function(callee);
        let width = |exec: &Self, index: usize| {
            let param = function.params.get(index);
            param.map_or(128, |&param| exec.width(function.type_of(param)))
        };
        let mut values = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            values.push(self.operand(arg, width(self, index)));
        }
        self.push_call(callee, &values, results, OnReturn::Continue)
    }

    pub fn call_indirect(
        &mut self,
        callee: Operand,
        args: &[(Type, Operand)],
        results: &[Reg],
    ) -> Result<()> {
        let target = self.operand(callee, self.width(Type::Ptr));
        let Some(id) = self.machine.function_at(target) else {
            return self.violation(ViolationKind::BadCall { creates_thread: false });
        };
        let function = self.function(id);
        let same_results = function.returns.len() == results.len() || results.is_empty();
        if !same_results || function.params.len() > args.len() {
            return self.unsupported(Unmodelled::OtherFunctionType);
        }
        let mut values = Vec::with_capacity(args.len());
        for &(ty, arg) in args {
            values.push(self.operand(arg, self.width(ty)));
        }
        self.push_call(id, &values, results, OnReturn::Continue)
    }

    fn return_from(&mut self, operands: &[Operand]) -> Result<()> {
        let function = self.function(self.frame().function);
        let mut values = Vec::with_capacity(operands.len());
        for (&operand, &ty) in operands.iter().zip(&function.returns) {
            values.push(self.operand(operand, self.width(ty)));
        }
        let thread = self.state.thread_mut(self.me);
        let Some(frame) = thread.frames.pop() else { return Ok(()) };
        if function.atomic {
            thread.atomic_depth = thread.atomic_depth.saturating_sub(1);
        }
        for object in frame.objects {
            self.state.remove(object);
        }
        self.after_return(frame.on_return, &frame.results, &values)
    }

    fn after_return(
        &mut self,
        on_return: OnReturn,
        results: &[Reg],
        values: &[Value],
    ) -> Result<()> {
        let first = values.first().copied().unwrap_or(Value::ZERO);
        match on_return {
            OnReturn::Continue => {
                for (&reg, &value) in results.iter().zip(values) {
                    self.set(reg, value);
                }
                self.advance();
                Ok(())
            }
            OnReturn::EnterPhase(op) => {
                self.frame_mut().phase = Some(op);
                Ok(())
            }
            OnReturn::EndThread if self.me == ThreadId(0) => {
                let code = self.force(first, 32)?.bits as u32;
                self.exit_process(code.cast_signed())
            }
            OnReturn::EndThread => self.end_thread(first),
            OnReturn::NextDestructor => {
                let result = self.state.thread(self.me).result;
                self.end_thread(result)
            }
            OnReturn::NextConstructor(next) => self.next_constructor(next),
        }
    }

    fn next_constructor(&mut self, next: u32) -> Result<()> {
        let program = self.machine.program;
        let frame = match program.constructors.get(next as usize) {
            Some(&id) => self.machine.frame(id, &[], vec![], OnReturn::NextConstructor(next + 1)),
            None => {
                let id = program.main;
                self.machine.frame(id, &self.machine.main_arguments, vec![], OnReturn::EndThread)
            }
        };
        self.state.thread_mut(self.me).frames.push(frame);
        Ok(())
    }

    /// The process ends: every other thread may still have stepped before, so they stay.
    pub fn exit_process(&mut self, code: i32) -> Result<()> {
        self.record(EventKind::Exit(code), None, None);
        self.state.exited.get_or_insert(code);
        // Not `Ended`: nobody can join a thread that ended the process.
        Err(Interrupt::Stuck(Stuck::Exited))
    }
}
