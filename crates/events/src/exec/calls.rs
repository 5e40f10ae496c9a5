//! Calls and returns.

use std::collections::BTreeMap;
use std::rc::Rc;
use unravel_kinds::{Cut, Unmodelled};

use unravel_interp::Property;
use unravel_program::{BlockId, FunctionId, Operand, Reg, Type};
use unravel_term::Term;

use super::{Executor, MOST_CALLS, function_address};
use crate::graph::{FindingKind, LoopId};
use crate::points_to::Target;
use crate::state::{Frame, State};
use crate::value::Value;

impl Executor<'_> {
    /// Executes a call. Afterwards `state` is where it returned, on all paths that do.
    pub fn call(&mut self, state: &mut State, callee: FunctionId, args: &[Value]) -> Vec<Value> {
        if !self.open_frame(state, callee) {
            return Vec::new();
        }
        let function = self.program.function(callee);
        let mut registers = vec![None; function.registers.len()];
        for (index, &param) in function.params.iter().enumerate() {
            let width = self.width(function.type_of(param));
            let value = args.get(index).copied().unwrap_or_else(|| self.undefined(width));
            registers[param.0 as usize] = Some(value);
        }
        let caller = std::mem::replace(&mut state.registers, registers);
        if function.atomic {
            self.begin_atomic(state);
        }
        let entered = std::mem::replace(state, self.dead());
        self.frame().pending.insert(BlockId(0), entered);
        let order = self.order(callee);
        self.elements(&order);
        let frame = self.current.frames.pop();
        let mut values = Vec::new();
        if let Some((returned, results)) = frame.and_then(|frame| frame.returned) {
            *state = returned;
            values = results;
        }
        state.registers = caller;
        if function.atomic {
            self.end_atomic(state);
        }
        let guard = state.guard;
        self.begin_segment(guard);
        values
    }

    /// Opens a frame unless calls are nested too deeply.
    fn open_frame(&mut self, state: &mut State, callee: FunctionId) -> bool {
        let nested = self.current.frames.iter().filter(|it| it.function == callee).count();
        let limit = self.bounds.recursion(callee);
        let deep = self.current.frames.len() >= MOST_CALLS;
        if deep || nested > limit as usize {
            let depth = self.current.frames.len();
            let what = Cut::Calls { depth: depth as u64 };
            let id = if deep { LoopId::Size } else { LoopId::Recursion(callee) };
            let guard = state.guard;
            let nested = u32::try_from(nested).unwrap_or(u32::MAX);
            self.find(guard, FindingKind::Bound(id, nested, what), state);
            state.guard = self.graph.terms.falsity();
            return false;
        }
        let site = self.program.function(callee).site;
        self.current.frames.push(Frame {
            function: callee,
            site,
            block: BlockId(0),
            index: 0,
            turns: Vec::new(),
            pending: BTreeMap::new(),
            returned: None,
            locals: Vec::new(),
        });
        true
    }

    /// A state that nothing reaches.
    pub fn dead(&self) -> State {
        let terms = &self.graph.terms;
        State {
            guard: terms.falsity(),
            registers: Vec::new(),
            memory: crate::memory::Memory::default(),
            known: Rc::default(),
            open: Vec::new(),
            atomic: None,
            lingered: if self.bounds.lingers() { terms.falsity() } else { terms.truth() },
        }
    }

    pub fn take_results(&mut self, state: &mut State, results: &[Reg], values: &[Value]) {
        for (&reg, &value) in results.iter().zip(values) {
            self.set(state, reg, value);
        }
    }

    pub fn call_indirect(
        &mut self,
        state: &mut State,
        callee: Operand,
        args: &[(Type, Operand)],
        results: &[Reg],
    ) {
        let width = self.pointer_bits();
        let address = self.operand(state, callee, width).bits;
        let candidates = self.function_candidates(state, callee, address);
        let mut values = Vec::with_capacity(args.len());
        for &(ty, arg) in args {
            let width = self.width(ty);
            values.push(self.operand(state, arg, width));
        }
        let mut paths = Vec::new();
        let mut nowhere = state.clone();
        for id in candidates {
            let here = self.graph.terms.constant(width, function_address(id));
            let is_here = self.graph.terms.eq(address, here);
            let mut path = state.clone();
            path.require(&mut self.graph.terms, is_here);
            let elsewhere = self.graph.terms.not(is_here);
            nowhere.require(&mut self.graph.terms, elsewhere);
            if !self.graph.terms.is_false(path.guard) {
                paths.push((id, path));
            }
        }
        let truth = self.graph.terms.truth();
        self.violation(&mut nowhere, Property::Memory, truth);
        self.count_instruction();
        let mut merged: Option<State> = None;
        let several = u32::from(paths.len() > 1);
        self.current.alternatives += several;
        for (id, mut path) in paths {
            self.call_candidate(&mut path, id, &values, results);
            self.join_paths(&mut merged, path);
        }
        self.current.alternatives -= several;
        *state = merged.unwrap_or(nowhere);
        self.begin_segment(state.guard);
    }

    fn call_candidate(
        &mut self,
        path: &mut State,
        id: FunctionId,
        values: &[Value],
        results: &[Reg],
    ) {
        let function = self.program.function(id);
        let same_results = function.returns.len() == results.len() || results.is_empty();
        if !same_results || function.params.len() > values.len() {
            self.unsupported(path, Unmodelled::OtherFunctionType);
            return;
        }
        let returned = self.call(path, id, values);
        self.take_results(path, results, &returned);
    }

    /// Merges a path into others at the same place.
    pub fn join_paths(&mut self, merged: &mut Option<State>, mut path: State) {
        if self.graph.terms.is_false(path.guard) {
            return;
        }
        match merged {
            None => *merged = Some(path),
            Some(other) => {
                let (terms, objects) = (&mut self.graph.terms, &mut self.graph.objects);
                if !other.merge(terms, objects, &path, None) {
                    self.unsupported(&mut path, Unmodelled::SectionBeginsOnOnePath);
                }
            }
        }
    }

    /// Functions that an address may be. Paths on which it is one that the points-to analysis has
    /// not foreseen, since its address was taken apart, end here: what that function writes, nobody
    /// would count on.
    pub fn function_candidates(
        &mut self,
        state: &mut State,
        callee: Operand,
        address: Term,
    ) -> Vec<FunctionId> {
        let targets = self.points.of(self.function_id(), callee);
        let function = |target: &Target| match target {
            Target::Function(id) => Some(*id),
            _ => None,
        };
        let foreseen: Vec<FunctionId> = targets.iter().filter_map(function).collect();
        let width = self.pointer_bits();
        let count = self.program.functions.len();
        let others = (0u32..).take(count).map(FunctionId).filter(|it| !foreseen.contains(it));
        let mut unforeseen = self.terms().falsity();
        for id in others {
            let terms = self.terms();
            let here = terms.constant(width, function_address(id));
            let is_here = terms.eq(address, here);
            unforeseen = terms.or(unforeseen, is_here);
        }
        if !self.graph.terms.is_false(unforeseen) {
            let guard = self.terms().and(state.guard, unforeseen);
            let what = Unmodelled::FunctionFromParts;
            self.find(guard, FindingKind::Unsupported(what), state);
            let fine = self.terms().not(unforeseen);
            state.require(&mut self.graph.terms, fine);
        }
        let known = self.graph.terms.as_const(address);
        let may_be = |it: &FunctionId| known.is_none_or(|known| known == function_address(*it));
        foreseen.into_iter().filter(may_be).collect()
    }

    pub fn return_from(&mut self, mut state: State, operands: &[Operand]) {
        let function = self.function();
        let mut values = Vec::with_capacity(operands.len());
        for (&operand, &ty) in operands.iter().zip(&function.returns) {
            let width = self.width(ty);
            values.push(self.operand(&state, operand, width));
        }
        let locals = self.frame().locals.clone();
        if self.current.frames.len() == 1 {
            self.current.end_site = self.site();
        }
        self.end_locals(&mut state, &locals);
        self.count_instruction();
        state.registers.clear();
        let frame = self.current.frames.len() - 1;
        let Some((mut merged, before)) = self.current.frames[frame].returned.take() else {
            self.current.frames[frame].returned = Some((state, values));
            return;
        };
        let (terms, objects) = (&mut self.graph.terms, &mut self.graph.objects);
        let taken = state.guard;
        if !merged.merge(terms, objects, &state, None) {
            self.unsupported(&mut state, Unmodelled::SectionEndsOnOnePath);
            self.current.frames[frame].returned = Some((merged, before));
            return;
        }
        let pick = |(&new, &old): (&Value, &Value)| new.or_else(terms, taken, old);
        let values = values.iter().zip(&before).map(pick).collect();
        self.current.frames[frame].returned = Some((merged, values));
    }
}
