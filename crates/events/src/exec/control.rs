//! Control flow: blocks, loops and branches, with paths merged where they meet.

use std::rc::Rc;
use unravel_kinds::{Cut, Unmodelled};

use unravel_interp::Property;
use unravel_program::{
    BlockId, Edge, FunctionId, Instruction, Liveness, Op, Reg, SiteId, Terminator,
};
use unravel_term::Term;

use super::{CERTAIN_TURNS, Executor, MOST_STEPS};
use crate::graph::{Branch, FindingKind, LoopId, StepId, Visit};
use crate::state::State;
use crate::wto::{Element, weak_topological_order};

impl<'p> Executor<'p> {
    pub fn order(&mut self, id: FunctionId) -> Rc<Vec<Element>> {
        let function = self.program.function(id);
        let slot = &mut self.orders[id.0 as usize];
        slot.get_or_insert_with(|| Rc::new(weak_topological_order(function))).clone()
    }

    pub fn liveness(&mut self, id: FunctionId) -> Rc<Liveness> {
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

    pub fn elements(&mut self, elements: &[Element]) {
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
        let (mut quiet, mut windows) = (self.terms().falsity(), 0u32);
        self.frame().turns.push((head, 0));
        loop {
            let (before, threads) = (self.outside(&inside), self.graph.threads.len());
            let began = self.begin_turn(head, quiet);
            self.pending_block(head);
            self.elements(body);
            if let Some(began) = began {
                let turned = self.end_turn(head, id, &began);
                quiet = turned.quiet;
                // It stands for what is no turn of its own, and takes no part of the bound.
                windows = windows.max(turned.is_window.into());
            }
            if !self.frame().pending.contains_key(&head) {
                break;
            }
            if let Some((_, turned)) = self.frame().turns.last_mut() {
                *turned += 1;
            }
            // No path left the loop: it turns again for certain, which is no choice to bound.
            let is_certain = ends && !self.bounds.is_strict() && self.outside(&inside) == before;
            // Half of the threads show half of the bugs, and their number has a bound of its own.
            let creates = self.graph.threads.len() > threads;
            let few = certain < CERTAIN_TURNS.max(limit) || creates;
            if is_certain && few && self.graph.steps.len() < MOST_STEPS {
                certain += 1;
                continue;
            }
            turns += 1;
            if turns > limit + windows || self.graph.steps.len() > MOST_STEPS {
                self.cut_loop(id, head, turns + certain - 1);
                break;
            }
        }
        self.frame().turns.pop();
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
        let what = Cut::Loop { iterations: turns };
        let block = self.function().block(head);
        let sites = block.instructions.iter().map(|it| it.site).chain([block.end_site]);
        let placed = |site: &SiteId| self.program.site(*site).span.is_some();
        let site = sites.clone().find(placed).unwrap_or(block.end_site);
        self.frame().site = site;
        let guard = state.guard;
        let id = if large { LoopId::Size } else { id };
        self.find(guard, FindingKind::Bound(id, turns, what), &state);
        state.guard = self.graph.terms.falsity();
    }

    fn block(&mut self, id: BlockId, mut state: State) {
        self.stopped = self.stopped || (self.stop)();
        if self.is_stopped() {
            return;
        }
        self.begin_segment(state.guard);
        let block = self.function().block(id);
        for (index, instruction) in (0u32..).zip(&block.instructions) {
            (self.frame().block, self.frame().index) = (id, index);
            self.instruction(&mut state, instruction);
            if self.graph.terms.is_false(state.guard) || self.is_stopped() {
                return;
            }
        }
        let length = u32::try_from(block.instructions.len()).unwrap_or(u32::MAX);
        (self.frame().block, self.frame().index) = (id, length);
        self.frame().site = block.end_site;
        let visit = Visit { site: self.own_site(), guard: state.guard };
        self.visit(visit);
        self.terminator(state, &block.end);
    }

    fn instruction(&mut self, state: &mut State, instruction: &'p Instruction) {
        self.frame().site = instruction.site;
        let first = self.graph.steps.len();
        // Both before it is done: the end of a thread leaves neither a way on nor a place.
        let visit = Visit { site: self.own_site(), guard: state.guard };
        let counts = self.operation(state, &instruction.op);
        let is_step = self.graph.steps.len() > first;
        let ends = self.graph.terms.is_false(state.guard);
        if !is_step || ends || self.function().wrapper || self.enters_user_code(&instruction.op) {
            self.visit(visit);
        }
        if counts {
            let thread = self.current.id;
            let is_atomic = state.atomic.is_some();
            let made = (0u32..).map(StepId).zip(&mut self.graph.steps).skip(first);
            for (id, step) in made.filter(|(_, step)| step.thread == thread && !is_atomic) {
                if !self.settled.contains(&id) {
                    step.passed = state.guard;
                }
            }
            self.count_instruction();
        }
        self.settled.clear();
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
                let value = self.relaxed(state, *dst, value);
                self.set(state, *dst, value);
            }
            Op::Alloca { .. } => self.alloca(state, op),
            Op::Load { .. }
            | Op::Store { .. }
            | Op::ReadModifyWrite { .. }
            | Op::CompareExchange { .. } => self.memory_access(state, op),
            Op::MemoryCopy { .. } | Op::MemorySet { .. } => self.range_access(state, op),
            Op::EndLocal { address } => self.end_local(state, *address),
            Op::Fence { ordering } => self.fence(state, *ordering),
            Op::Variable { .. } => {}
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
            Op::External { name, .. } => {
                self.unsupported(state, Unmodelled::MissingFunction(name.clone()));
            }
            Op::Unsupported { what, .. } => self.unsupported(state, what.clone().into()),
        }
        true
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
                self.note_branch(&state, condition);
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
                self.note_branch(&state, value);
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
            Terminator::Unreachable if self.config.properties.has(Property::Ub) => {
                let truth = self.graph.terms.truth();
                self.violation(&mut state, Property::Ub, truth);
            }
            Terminator::Unreachable => {
                let what = Unmodelled::UnreachableCode;
                self.unsupported(&mut state, what);
            }
        }
    }

    /// Whether the steps made meanwhile are a callee's, with lines of their own.
    fn enters_user_code(&self, op: &Op) -> bool {
        match op {
            Op::Call { callee, .. } => !self.program.function(*callee).library,
            Op::CallIndirect { .. } => true,
            _ => false,
        }
    }

    fn visit(&mut self, visit: Visit) {
        if self.graph.visits.last() != Some(&visit) {
            self.graph.visits.push(visit);
        }
    }

    fn note_branch(&mut self, state: &State, value: Term) {
        if self.graph.terms.as_const(value).is_none() {
            let (thread, position, site) = (self.current.id, self.current.position, self.site());
            let guard = state.guard;
            self.graph.branches.push(Branch { thread, position, site, guard, value });
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
        if !waiting.merge(terms, objects, &state, Some(live)) {
            self.unsupported(&mut state, Unmodelled::SectionBeginsOnOnePath);
        }
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
