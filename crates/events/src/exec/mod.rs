//! Symbolic execution with path merging.
//!
//! One pass per thread instance. Blocks are executed in weak topological order ([`crate::wto`]),
//! so that all paths into a block meet before it and are merged: guards become disjunctions,
//! values become conditional terms. Calls are inlined. A thread is executed where it is created.
//!
//! A thread that stops (a failed assume, a bound, an error) only loses its guard: what others do
//! does not depend on it.

mod access;
mod arith;
mod bits;
mod library;
mod locks;
mod ranges;
mod threads;

use std::collections::BTreeMap;
use std::rc::Rc;

use unravel_interp::Config;
use unravel_program::{
    BlockId, Edge, Function, FunctionId, Instruction, Liveness, Op, Operand, Program, Reg, SiteId,
    Terminator, Type,
};
use unravel_term::{Term, Terms};

pub use access::{Demand, fits};
pub use threads::handle;

use crate::bounds::Bounds;
use crate::graph::{
    EventGraph, Finding, FindingKind, Input, LoopId, Position, Segment, Step, StepId, ThreadId,
};
use crate::object::{ObjectId, Objects};
use crate::points_to::PointsTo;
use crate::state::{Frame, State};
use crate::value::{PROVENANCE, UNDEFINED, Value};
use crate::wto::{Element, weak_topological_order};

/// Most events of a graph; beyond it the rest is cut.
const MOST_STEPS: usize = 60_000;
/// Most times that a loop whose end is certain is turned beyond its bound.
const MOST_CERTAIN_TURNS: u32 = 20_000;
/// Most nested calls.
const MOST_CALLS: usize = 250;

/// The thread being executed.
pub(crate) struct Current {
    pub id: ThreadId,
    pub frames: Vec<Frame>,
    pub thread_locals: BTreeMap<unravel_program::GlobalId, ObjectId>,
    pub errno: Option<ObjectId>,
    pub position: Position,
    /// What ended so far, by `pthread_exit`: merged with what returns.
    pub ended: Vec<(State, Value)>,
}

/// The executor.
pub(crate) struct Executor<'p> {
    pub program: &'p Program,
    pub config: &'p Config,
    pub bounds: &'p Bounds,
    pub points: &'p PointsTo,
    pub graph: EventGraph,
    pub globals: BTreeMap<unravel_program::GlobalId, ObjectId>,
    pub current: Current,
    orders: Vec<Option<Rc<Vec<Element>>>>,
    liveness: Vec<Option<Rc<Liveness>>>,
    pub leaves: access::LeafCache,
    pub sections: Vec<threads::Section>,
    pub kinds: locks::Kinds,
    /// What several parts of one instruction do together is one step.
    pub together: Option<StepId>,
    /// The program can tell that a new block has the address of a freed one.
    pub observes_addresses: bool,
    /// Conditions under which blocks are freed, so far.
    pub freed: Vec<Term>,
}

impl<'p> Executor<'p> {
    pub fn new(
        program: &'p Program,
        config: &'p Config,
        bounds: &'p Bounds,
        points: &'p PointsTo,
    ) -> Self {
        let count = program.functions.len();
        Executor {
            program,
            config,
            bounds,
            points,
            graph: threads::empty_graph(),
            globals: BTreeMap::new(),
            current: Current::new(ThreadId(0)),
            orders: vec![None; count],
            liveness: vec![None; count],
            leaves: access::LeafCache::default(),
            sections: Vec::new(),
            kinds: locks::Kinds::default(),
            together: None,
            observes_addresses: unravel_interp::machine::observes_addresses(program),
            freed: Vec::new(),
        }
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.graph.terms
    }

    pub fn pointer_bits(&self) -> u16 {
        self.program.target.pointer_bits()
    }

    pub fn pointer_bytes(&self) -> u64 {
        u64::from(self.program.target.pointer_bytes)
    }

    pub fn width(&self, ty: Type) -> u16 {
        ty.bits(self.program.target)
    }

    pub fn bytes(&self, ty: Type) -> u64 {
        ty.bytes(self.program.target)
    }

    /// Terms and objects, which are often needed together.
    pub fn parts(&mut self) -> (&mut Terms, &mut Objects) {
        (&mut self.graph.terms, &mut self.graph.objects)
    }

    // ----- Position -----

    pub fn frame(&mut self) -> &mut Frame {
        let last = self.current.frames.len() - 1;
        &mut self.current.frames[last]
    }

    pub fn function_id(&self) -> FunctionId {
        self.current.frames.last().map_or(self.program.main, |frame| frame.function)
    }

    pub fn function(&self) -> &'p Function {
        self.program.function(self.function_id())
    }

    /// The current place in user code: the call, while a library function runs.
    pub fn site(&self) -> SiteId {
        let is_user = |frame: &&Frame| !self.program.function(frame.function).library;
        let user = self.current.frames.iter().rev().find(is_user);
        user.map_or(SiteId(0), |frame| frame.site)
    }

    /// Whether every way on passes here: no other path of the thread waits anywhere.
    fn is_sole(&self) -> bool {
        let frames = &self.current.frames;
        self.current.ended.is_empty()
            && frames.iter().all(|frame| frame.pending.is_empty() && frame.returned.is_none())
    }

    fn begin_segment(&mut self, guard: Term) {
        let thread = &mut self.graph.threads[self.current.id.0 as usize];
        let segment = u32::try_from(thread.segments.len()).unwrap_or(u32::MAX);
        thread.segments.push(Segment { guard, length: 0 });
        self.current.position = Position { segment, index: 0, progress: 0 };
    }

    /// The current instruction is executed.
    fn count_instruction(&mut self) {
        let thread = &mut self.graph.threads[self.current.id.0 as usize];
        if let Some(segment) = thread.segments.last_mut() {
            segment.length += 1;
        }
        self.current.position.index += 1;
        self.current.position.progress = 0;
    }

    // ----- Steps and findings -----

    /// The step of what is done now: a new one, or the atomic section's.
    pub fn step(&mut self, state: &State) -> StepId {
        if let Some(atomic) = state.atomic {
            return atomic.step;
        }
        match self.together {
            Some(step) => step,
            None => self.new_step(state),
        }
    }

    pub fn new_step(&mut self, state: &State) -> StepId {
        let id = StepId(u32::try_from(self.graph.steps.len()).unwrap_or(u32::MAX));
        let step = Step {
            thread: self.current.id,
            guard: state.guard,
            passed: state.guard,
            position: self.current.position,
            site: self.site(),
            sole: self.is_sole(),
            events: 0,
        };
        self.graph.steps.push(step);
        self.graph.threads[self.current.id.0 as usize].steps.push(id);
        id
    }

    /// The next place among the events of a step.
    pub fn next_event(&mut self, step: StepId) -> u32 {
        let step = &mut self.graph.steps[step.0 as usize];
        step.events += 1;
        step.events - 1
    }

    pub fn find(&mut self, guard: Term, kind: FindingKind, state: &State) {
        if self.graph.terms.is_false(guard) {
            return;
        }
        if let Some(atomic) = state.atomic {
            self.leaves_section(atomic.step, guard);
        }
        let stops = matches!(
            kind,
            FindingKind::Bound(..) | FindingKind::Unsupported(_) | FindingKind::Primitive(..)
        );
        let (thread, position, site) = (self.current.id, self.current.position, self.site());
        if stops {
            self.graph.threads[thread.0 as usize].stuck.push(guard);
        }
        self.graph.findings.push(Finding { kind, guard, thread, position, site });
    }

    /// Something that is not modelled: the path ends.
    pub fn unsupported(&mut self, state: &mut State, what: impl Into<String>) {
        let guard = state.guard;
        self.find(guard, FindingKind::Unsupported(what.into()), state);
        state.guard = self.graph.terms.falsity();
    }

    /// A violation where a condition holds: there the path ends.
    pub fn violation(
        &mut self,
        state: &mut State,
        property: unravel_interp::Property,
        condition: Term,
        what: &str,
    ) {
        let guard = self.graph.terms.and(state.guard, condition);
        if self.graph.terms.is_false(guard) {
            return;
        }
        if self.config.properties.has(property) {
            self.find(guard, FindingKind::Violation(property), state);
        } else if property == unravel_interp::Property::Memory {
            // What such an access does in reality is anybody's guess.
            self.find(guard, FindingKind::Unsupported(what.to_owned()), state);
        } else {
            self.graph.threads[self.current.id.0 as usize].stuck.push(guard);
            if let Some(atomic) = state.atomic {
                self.leaves_section(atomic.step, guard);
            }
        }
        let fine = self.graph.terms.not(condition);
        state.require(&mut self.graph.terms, fine);
    }

    pub fn input(&mut self, state: &State, value: Term) {
        let (thread, position) = (self.current.id, self.current.position);
        self.graph.inputs.push(Input { thread, position, guard: state.guard, value });
    }

    // ----- Values -----

    pub fn constant(&mut self, width: u16, bits: u128) -> Value {
        let bits = self.graph.terms.constant(width, bits);
        Value::number(&mut self.graph.terms, bits)
    }

    /// The value of an operand.
    pub fn operand(&mut self, state: &State, operand: Operand, width: u16) -> Value {
        match operand {
            Operand::Reg(reg) => {
                let value = state.registers[reg.0 as usize];
                value.unwrap_or_else(|| self.undefined(width))
            }
            Operand::Int(bits) => self.constant(width, bits),
            Operand::Undef => self.undefined(width),
            Operand::Function(id) => self.constant(width, function_address(id)),
            Operand::Global(id, offset) => {
                let object = self.global(id);
                let (terms, objects) = self.parts();
                objects.address(terms, object, offset.cast_unsigned(), width)
            }
        }
    }

    fn undefined(&mut self, width: u16) -> Value {
        let bits = self.graph.terms.var(width);
        Value { bits, provenance: self.graph.terms.constant(PROVENANCE, UNDEFINED) }
    }

    /// The bits of an operand on which something depends: what was never assigned is an input,
    /// and a register keeps the choice.
    pub fn number(&mut self, state: &mut State, operand: Operand, width: u16) -> Term {
        self.forced(state, operand, width).bits
    }

    pub fn forced(&mut self, state: &mut State, operand: Operand, width: u16) -> Value {
        let mut value = self.operand(state, operand, width);
        if self.graph.terms.as_const(value.provenance) == Some(UNDEFINED) {
            self.input(state, value.bits);
            value = Value::number(&mut self.graph.terms, value.bits);
            if let Operand::Reg(reg) = operand {
                state.registers[reg.0 as usize] = Some(value);
            }
        }
        value
    }

    pub fn set(&mut self, state: &mut State, reg: Reg, value: Value) {
        state.registers[reg.0 as usize] = Some(value);
    }

    /// Sets a register to a number of its own width.
    pub fn set_number(&mut self, state: &mut State, reg: Reg, bits: Term) {
        let width = self.width(self.function().type_of(reg));
        let bits = self.graph.terms.resize_zext(bits, width);
        let value = Value::number(&mut self.graph.terms, bits);
        self.set(state, reg, value);
    }

    // ----- Functions -----

    fn order(&mut self, id: FunctionId) -> Rc<Vec<Element>> {
        let function = self.program.function(id);
        let slot = &mut self.orders[id.0 as usize];
        slot.get_or_insert_with(|| Rc::new(weak_topological_order(function))).clone()
    }

    fn liveness(&mut self, id: FunctionId) -> Rc<Liveness> {
        let function = self.program.function(id);
        let slot = &mut self.liveness[id.0 as usize];
        slot.get_or_insert_with(|| Rc::new(Liveness::of(function))).clone()
    }

    /// Whether anything reads a register after the current instruction.
    pub fn is_used(&mut self, reg: Reg) -> bool {
        let (function, block, index) = {
            let frame = self.frame();
            (frame.function, frame.block, frame.index as usize)
        };
        self.liveness(function).before(block, index + 1).contains(reg)
    }

    /// Executes a call. Afterwards `state` is where it returned, on all paths that do.
    pub fn call(&mut self, state: &mut State, callee: FunctionId, args: &[Value]) -> Vec<Value> {
        if !self.enter(state, callee) {
            return Vec::new();
        }
        let function = self.program.function(callee);
        let mut registers = vec![None; function.registers.len()];
        for (&param, &arg) in function.params.iter().zip(args) {
            registers[param.0 as usize] = Some(arg);
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
    fn enter(&mut self, state: &mut State, callee: FunctionId) -> bool {
        let nested = self.current.frames.iter().filter(|it| it.function == callee).count();
        let limit = self.bounds.recursion(callee);
        let deep = self.current.frames.len() >= MOST_CALLS;
        if deep || nested > limit as usize {
            let times = self.current.frames.len();
            let what = format!("calls are nested {times} deep; they may go deeper");
            let id = if deep { LoopId::Size } else { LoopId::Recursion(callee) };
            let guard = state.guard;
            self.find(guard, FindingKind::Bound(id, what), state);
            state.guard = self.graph.terms.falsity();
            return false;
        }
        let site = self.program.function(callee).site;
        self.current.frames.push(Frame {
            function: callee,
            site,
            block: BlockId(0),
            index: 0,
            pending: BTreeMap::new(),
            returned: None,
            locals: Vec::new(),
        });
        true
    }

    /// A state that nothing reaches.
    pub fn dead(&self) -> State {
        State {
            guard: self.graph.terms.falsity(),
            registers: Vec::new(),
            memory: crate::memory::Memory::default(),
            open: Vec::new(),
            atomic: None,
        }
    }

    fn elements(&mut self, elements: &[Element]) {
        for element in elements {
            match element {
                Element::Block(block) => self.pending_block(*block),
                Element::Loop { head, body } => self.turn(*head, body),
            }
        }
    }

    fn pending_block(&mut self, block: BlockId) {
        if let Some(state) = self.frame().pending.remove(&block)
            && !self.graph.terms.is_false(state.guard)
        {
            self.block(block, state);
        }
    }

    /// Turns a loop until no path comes back to its head, or the bound is reached.
    fn turn(&mut self, head: BlockId, body: &[Element]) {
        let id = LoopId::Head(self.function_id(), head);
        let limit = self.bounds.turns(id);
        let mut inside = vec![head];
        collect(body, &mut inside);
        let ends = self.can_leave(&inside);
        let (mut turns, mut certain) = (0u32, 0u32);
        loop {
            let before = self.outside(&inside);
            self.pending_block(head);
            self.elements(body);
            if !self.frame().pending.contains_key(&head) {
                break;
            }
            // No path left the loop: it turns again for certain, which is no choice to bound.
            let is_certain = ends && !self.bounds.is_strict() && self.outside(&inside) == before;
            if is_certain && certain < MOST_CERTAIN_TURNS && self.graph.steps.len() < MOST_STEPS {
                certain += 1;
                continue;
            }
            turns += 1;
            if turns > limit || self.graph.steps.len() > MOST_STEPS {
                self.cut_loop(id, head, turns + certain - 1);
                break;
            }
        }
    }

    /// Whether a loop has a way out at all.
    fn can_leave(&self, inside: &[BlockId]) -> bool {
        let function = self.function();
        inside.iter().any(|&block| {
            let end = &function.block(block).end;
            matches!(end, Terminator::Return(_))
                || end.edges().any(|edge| !inside.contains(&edge.target))
        })
    }

    /// What has left a loop so far, on all paths of the thread.
    fn outside(&self, inside: &[BlockId]) -> Vec<(BlockId, Term)> {
        let mut left = Vec::new();
        if let Some(frame) = self.current.frames.last() {
            let pending = frame.pending.iter().filter(|(block, _)| !inside.contains(block));
            left.extend(pending.map(|(&block, state)| (block, state.guard)));
            let returned = frame.returned.iter().map(|(state, _)| state.guard);
            left.extend(returned.map(|guard| (BlockId(u32::MAX), guard)));
        }
        left.extend(self.current.ended.iter().map(|(it, _)| (BlockId(u32::MAX), it.guard)));
        left
    }

    fn cut_loop(&mut self, id: LoopId, head: BlockId, turns: u32) {
        let Some(mut state) = self.frame().pending.remove(&head) else { return };
        let large = self.graph.steps.len() > MOST_STEPS;
        let times = if turns == 1 { "once".to_owned() } else { format!("{turns} times") };
        let what = format!("this loop turned {times}; it may turn again");
        let block = self.function().block(head);
        let site = block.instructions.first().map_or(block.end_site, |it| it.site);
        self.frame().site = site;
        self.graph.truncated |= large;
        let guard = state.guard;
        let id = if large { LoopId::Size } else { id };
        self.find(guard, FindingKind::Bound(id, what), &state);
        state.guard = self.graph.terms.falsity();
    }

    fn block(&mut self, id: BlockId, mut state: State) {
        self.begin_segment(state.guard);
        let block = self.function().block(id);
        for (index, instruction) in (0u32..).zip(&block.instructions) {
            (self.frame().block, self.frame().index) = (id, index);
            self.instruction(&mut state, instruction);
            if self.graph.terms.is_false(state.guard) {
                return;
            }
        }
        self.frame().site = block.end_site;
        self.terminator(state, &block.end);
    }

    fn instruction(&mut self, state: &mut State, instruction: &'p Instruction) {
        self.frame().site = instruction.site;
        let first = self.graph.steps.len();
        if self.operation(state, &instruction.op) {
            let thread = self.current.id;
            let is_atomic = state.atomic.is_some();
            let made = self.graph.steps.iter_mut().skip(first);
            for step in made.filter(|step| step.thread == thread && !is_atomic) {
                step.passed = state.guard;
            }
            self.count_instruction();
        }
    }

    /// Whether the instruction counts here; calls count when they begin.
    fn operation(&mut self, state: &mut State, op: &'p Op) -> bool {
        match op {
            Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Cast { .. }
            | Op::Offset { .. }
            | Op::Float { .. }
            | Op::FloatCompare { .. } => self.arithmetic(state, op),
            Op::Bits { .. } => self.bit_operation(state, op),
            Op::Select { dst, condition, then, otherwise } => {
                let condition = self.number(state, *condition, 1);
                let width = self.width(self.function().type_of(*dst));
                let then = self.operand(state, *then, width);
                let otherwise = self.operand(state, *otherwise, width);
                let value = then.or_else(self.terms(), condition, otherwise);
                self.set(state, *dst, value);
            }
            Op::Copy { dst, value } => {
                let width = self.width(self.function().type_of(*dst));
                let value = self.operand(state, *value, width);
                self.set(state, *dst, value);
            }
            Op::Alloca { .. } => self.alloca(state, op),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. } => self.memory_access(state, op),
            Op::MemoryCopy { .. } | Op::MemorySet { .. } => self.range_access(state, op),
            Op::Fence { .. } | Op::Variable { .. } => {}
            Op::Call { results, callee, args } => {
                let function = self.program.function(*callee);
                let mut values = Vec::with_capacity(args.len());
                for (index, &arg) in args.iter().enumerate() {
                    let param = function.params.get(index);
                    let width = param.map_or(64, |&it| self.width(function.type_of(it)));
                    values.push(self.operand(state, arg, width));
                }
                self.count_instruction();
                let returned = self.call(state, *callee, &values);
                self.take_results(state, results, &returned);
                return false;
            }
            Op::CallIndirect { results, callee, args } => {
                self.call_indirect(state, *callee, args, results);
                return false;
            }
            Op::Library { result, primitive, args } => {
                return self.library(state, *primitive, args, *result);
            }
            Op::External { results, name, args } => self.external(state, results, name, args),
            Op::Unsupported { what, .. } => self.unsupported(state, what.clone()),
        }
        true
    }

    fn take_results(&mut self, state: &mut State, results: &[Reg], values: &[Value]) {
        for (&reg, &value) in results.iter().zip(values) {
            self.set(state, reg, value);
        }
    }

    fn call_indirect(
        &mut self,
        state: &mut State,
        callee: Operand,
        args: &[(Type, Operand)],
        results: &[Reg],
    ) {
        let width = self.pointer_bits();
        let address = self.operand(state, callee, width).bits;
        let candidates = self.function_candidates(callee, address);
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
        let what = "call through a pointer that is no function";
        self.violation(&mut nowhere, unravel_interp::Property::Memory, truth, what);
        self.count_instruction();
        let mut merged: Option<State> = None;
        for (id, mut path) in paths {
            self.call_candidate(&mut path, id, &values, results);
            self.join_paths(&mut merged, path);
        }
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
            self.unsupported(path, "call through a pointer of another function type");
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
                    self.unsupported(&mut path, "an atomic section that begins on one path only");
                }
            }
        }
    }

    /// Functions that an address may be.
    fn function_candidates(&mut self, callee: Operand, address: Term) -> Vec<FunctionId> {
        if let Some(number) = self.graph.terms.as_const(address) {
            let count = self.program.functions.len();
            let ids = (0u32..).take(count).map(FunctionId);
            return ids.filter(|&id| function_address(id) == number).collect();
        }
        let targets = self.points.of(self.function_id(), callee);
        let function = |target: &crate::points_to::Target| match target {
            crate::points_to::Target::Function(id) => Some(*id),
            _ => None,
        };
        targets.iter().filter_map(function).collect()
    }

    // ----- Ends of blocks -----

    fn terminator(&mut self, mut state: State, end: &'p Terminator) {
        match end {
            Terminator::Jump(edge) => {
                self.count_instruction();
                self.follow(state, edge);
            }
            Terminator::Branch { condition, then, otherwise } => {
                let condition = self.number(&mut state, *condition, 1);
                self.count_instruction();
                let mut other = state.clone();
                state.require(&mut self.graph.terms, condition);
                let not = self.graph.terms.not(condition);
                other.require(&mut self.graph.terms, not);
                self.follow(state, then);
                self.follow(other, otherwise);
            }
            Terminator::Switch { value, width, cases, default } => {
                let value = self.number(&mut state, *value, *width);
                self.count_instruction();
                for (case, edge) in cases {
                    let case = self.graph.terms.constant(*width, *case);
                    let taken = self.graph.terms.eq(value, case);
                    let mut path = state.clone();
                    path.require(&mut self.graph.terms, taken);
                    self.follow(path, edge);
                    let not = self.graph.terms.not(taken);
                    state.require(&mut self.graph.terms, not);
                }
                self.follow(state, default);
            }
            Terminator::Return(values) => self.return_from(state, values),
            Terminator::Unreachable => {
                let what = "the end of a function without a return, or unreachable code";
                self.unsupported(&mut state, what);
            }
        }
    }

    fn follow(&mut self, mut state: State, edge: &Edge) {
        if self.graph.terms.is_false(state.guard) {
            return;
        }
        let id = self.function_id();
        let function = self.program.function(id);
        let params = &function.block(edge.target).params;
        let mut values = Vec::with_capacity(params.len());
        for (&param, &arg) in params.iter().zip(&edge.args) {
            let width = self.width(function.type_of(param));
            values.push(self.operand(&state, arg, width));
        }
        for (&param, value) in params.iter().zip(values) {
            self.set(&mut state, param, value);
        }
        let liveness = self.liveness(id);
        let live = liveness.before(edge.target, 0);
        let frame = self.current.frames.len() - 1;
        let Some(waiting) = self.current.frames[frame].pending.get_mut(&edge.target) else {
            self.current.frames[frame].pending.insert(edge.target, state);
            return;
        };
        let (terms, objects) = (&mut self.graph.terms, &mut self.graph.objects);
        if !waiting.merge(terms, objects, &state, Some(&live)) {
            self.unsupported(&mut state, "an atomic section that begins on one path only");
        }
    }

    fn return_from(&mut self, mut state: State, operands: &[Operand]) {
        let function = self.function();
        let mut values = Vec::with_capacity(operands.len());
        for (&operand, &ty) in operands.iter().zip(&function.returns) {
            let width = self.width(ty);
            values.push(self.operand(&state, operand, width));
        }
        let locals = self.frame().locals.clone();
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
            self.unsupported(&mut state, "an atomic section that ends on one path only");
            self.current.frames[frame].returned = Some((merged, before));
            return;
        }
        let pick = |(&new, &old): (&Value, &Value)| new.or_else(terms, taken, old);
        let values = values.iter().zip(&before).map(pick).collect();
        self.current.frames[frame].returned = Some((merged, values));
    }

    /// An unknown function: an arbitrary result.
    fn external(
        &mut self,
        state: &mut State,
        results: &[Reg],
        name: &str,
        args: &[(Type, Operand)],
    ) {
        if unravel_program::library::changes_control(name) {
            return self.unsupported(state, format!("call of `{name}`"));
        }
        let is_pointer = |&(ty, arg): &(Type, Operand)| ty == Type::Ptr && arg != Operand::Int(0);
        let kind = if args.iter().any(is_pointer) {
            let what = format!("call of `{name}`, which is not modelled, with a pointer");
            FindingKind::Unsupported(what)
        } else {
            FindingKind::External(name.to_owned())
        };
        self.remark(state, kind);
        for &reg in results {
            let width = self.width(self.function().type_of(reg));
            let value = self.graph.terms.var(width);
            self.input(state, value);
            self.set_number(state, reg, value);
        }
    }

    /// Something worth a remark that does not end the path.
    pub fn remark(&mut self, state: &State, kind: FindingKind) {
        let (thread, position, site) = (self.current.id, self.current.position, self.site());
        self.graph.findings.push(Finding { kind, guard: state.guard, thread, position, site });
    }
}

fn collect(body: &[Element], blocks: &mut Vec<BlockId>) {
    for element in body {
        match element {
            Element::Block(block) => blocks.push(*block),
            Element::Loop { head, body } => {
                blocks.push(*head);
                collect(body, blocks);
            }
        }
    }
}

/// The address of a function, as the interpreter has it.
pub(crate) fn function_address(id: FunctionId) -> u128 {
    0x1000 + 16 * u128::from(id.0)
}
