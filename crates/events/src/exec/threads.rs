//! Threads: begin, end, create, join, and atomic sections.

use std::rc::Rc;
use unravel_kinds::{Cut, Unmodelled};

use std::collections::{BTreeMap, BTreeSet};

use unravel_interp::memory::ObjectKind;
use unravel_interp::{Property, too_large};
use unravel_program::library::{Convention, Thread as Action};
use unravel_program::{FunctionId, Operand, Reg, Type};
use unravel_term::{Term, Terms};

use super::{Current, Executor};
use crate::graph::{
    EventGraph, FindingKind, Join, LoopId, Position, StepId, Thread, ThreadId, WaitOn,
};
use crate::object::{Initial, Object, ObjectId, Objects};
use crate::points_to::Target;
use crate::state::{Atomic, State};
use crate::symmetry;
use crate::value::{PROVENANCE, Value};

/// An atomic section: it is completed, or its thread stops before it.
pub(crate) struct Section {
    pub step: StepId,
    /// Whether it is entered.
    entered: Term,
    /// Whether its thread stops before it.
    held_back: Term,
    /// Where it ends, or something is found in it.
    exits: Vec<Term>,
    /// Where it is completed.
    completed: Vec<Term>,
    /// An assume may fail in it.
    assumes: bool,
}

type Args<'a> = &'a [(Type, Operand)];

/// `pthread_t` of a thread; odd, so that no program takes it for an address.
pub fn handle(thread: ThreadId) -> u128 {
    0x7001 + 2 * u128::from(thread.0)
}

pub(super) fn empty_graph() -> EventGraph {
    EventGraph {
        terms: Terms::new(),
        threads: Vec::new(),
        steps: Vec::new(),
        end: StepId(0),
        accesses: Vec::new(),
        fences: Vec::new(),
        init_writes: Vec::new(),
        locks: Vec::new(),
        refusals: Vec::new(),
        lifetimes: Vec::new(),
        private_writes: BTreeSet::new(),
        lock_uses: Vec::new(),
        cond_waits: Vec::new(),
        signals: Vec::new(),
        cond_ends: Vec::new(),
        cond_clashes: Vec::new(),
        sem_waits: Vec::new(),
        sem_ends: Vec::new(),
        joins: Vec::new(),
        exits: Vec::new(),
        detached: Vec::new(),
        objects: Objects::default(),
        findings: Vec::new(),
        checks: Vec::new(),
        inputs: Vec::new(),
        branches: Vec::new(),
        visits: Vec::new(),
        undefined_copies: Vec::new(),
        constraints: Vec::new(),
        completions: BTreeMap::new(),
        symmetry: Vec::new(),
        alternatives: Vec::new(),
        relaxed_uses: Vec::new(),
    }
}

impl Current {
    pub fn new(id: ThreadId) -> Current {
        Current {
            id,
            frames: Vec::new(),
            thread_locals: BTreeMap::new(),
            errno: None,
            specific: None,
            position: Position { segment: 0, index: 0, progress: 0 },
            end_site: unravel_program::SiteId(0),
            ended: Vec::new(),
            alternatives: 0,
        }
    }
}

impl Executor<'_> {
    /// Executes the whole program; `None` if it was stopped.
    pub fn run(mut self) -> Option<EventGraph> {
        let truth = self.terms().truth();
        self.new_thread(self.program.main, None, truth);
        self.graph.end = self.end_of_run();
        let mut state = State { guard: truth, ..self.dead() };
        if let Some(bytes) = too_large(self.program, self.config) {
            self.unsupported(&mut state, Unmodelled::LargeObject(bytes));
        }
        for &constructor in &self.program.constructors {
            if !self.graph.terms.is_false(state.guard) {
                self.call(&mut state, constructor, &[]);
            }
        }
        let main = self.program.main;
        let arguments = self.main_arguments(&state);
        if !self.graph.terms.is_false(state.guard) {
            self.call(&mut state, main, &arguments);
        }
        if !self.graph.terms.is_false(state.guard) {
            self.exit_process(&mut state);
        }
        // What follows looks at pairs of things, and some of these are missing now.
        if self.is_stopped() {
            return self.abandon();
        }
        self.end_of_thread(Vec::new());
        self.close_sections();
        self.note_reuse();
        self.note_identities();
        self.lay_out_objects();
        self.graph.symmetry = symmetry::classes(self.program, &self.graph, self.bounds);
        if self.is_stopped() { self.abandon() } else { Some(self.graph) }
    }

    /// Nothing was built. If the alarm rings, the process ends soon, and to take a large graph apart
    /// would take longer.
    fn abandon(self) -> Option<EventGraph> {
        if self.config.alarm.rings() {
            std::mem::forget(self.graph);
        }
        None
    }

    fn new_thread(
        &mut self,
        start: FunctionId,
        created_by: Option<StepId>,
        guard: Term,
    ) -> ThreadId {
        let id = ThreadId(u32::try_from(self.graph.threads.len()).unwrap_or(u32::MAX));
        let zero = self.terms().constant(64, 0);
        let result = Value::number(self.terms(), zero);
        let ended = self.terms().falsity();
        self.graph.threads.push(Thread {
            start,
            argument: result,
            created_by,
            guard,
            steps: Vec::new(),
            ended,
            result,
            segments: Vec::new(),
            waits: Vec::new(),
            stuck: Vec::new(),
            cut: Vec::new(),
            idle: Vec::new(),
            spins: Vec::new(),
            detached: false,
            has_identity: false,
            unwritten: Vec::new(),
        });
        id
    }

    fn main_arguments(&mut self, state: &State) -> Vec<Value> {
        let program = self.program;
        let main = program.function(program.main);
        let typed = main.params.iter().map(|&param| main.type_of(param).bits(program.target));
        let arguments = program.arguments.iter().copied().chain(std::iter::repeat(Operand::Undef));
        let all: Vec<(u16, Operand)> = typed.zip(arguments).collect();
        all.into_iter().map(|(width, operand)| self.operand(state, operand, width)).collect()
    }

    /// Memory of the runtime, which no pointer of the program leads to.
    pub fn runtime_object(&mut self, size: u64) -> ObjectId {
        let object = Object {
            target: Target::Errno,
            kind: ObjectKind::Global,
            base: 0,
            size,
            length: None,
            shared: false,
            constant: false,
            mortal: false,
            guard: self.graph.terms.truth(),
            site: unravel_program::SiteId(0),
            initial: Initial::Zero,
        };
        self.graph.objects.add(object, 16).unwrap_or(ObjectId(0))
    }

    /// The process ends: others may have stepped before, so only this thread goes no further.
    pub fn exit_process(&mut self, state: &mut State) {
        let guard = state.guard;
        self.graph.exits.push(guard);
        state.guard = self.graph.terms.falsity();
    }

    pub fn thread_function(
        &mut self,
        state: &mut State,
        action: Action,
        convention: Convention,
        args: Args<'_>,
        result: Option<Reg>,
    ) -> bool {
        let arg = |index: usize| args.get(index).map_or(Operand::Undef, |&(_, operand)| operand);
        let width = self.pointer_bits();
        match action {
            Action::Create => {
                let how = [arg(0), arg(2), arg(3)];
                self.create(state, how, Some(arg(1)), convention, result);
            }
            Action::CreateC11 => {
                let how = [arg(0), arg(1), arg(2)];
                self.create(state, how, None, convention, result);
            }
            Action::Join | Action::JoinC11 => {
                let bytes = if action == Action::JoinC11 { 4 } else { self.pointer_bytes() };
                self.join(state, arg(0), arg(1), bytes, convention, result);
            }
            Action::Exit => {
                let value = self.operand(state, arg(0), width);
                let frames: Vec<ObjectId> =
                    self.current.frames.iter().flat_map(|it| it.locals.clone()).collect();
                self.end_locals(state, &frames);
                let ended = std::mem::replace(state, self.dead());
                self.current.end_site = self.site();
                self.count_instruction();
                self.current.ended.push((ended, value));
                return false;
            }
            Action::Current => {
                self.graph.threads[self.current.id.0 as usize].has_identity = true;
                let mine = handle(self.current.id);
                let bits = self.terms().constant(width, mine);
                self.answer(state, result, bits);
            }
            Action::Equal => {
                let (a, b) = (self.number(state, arg(0), width), self.number(state, arg(1), width));
                let equal = self.terms().eq(a, b);
                self.answer(state, result, equal);
            }
            Action::Detach => {
                let step = self.new_step(state);
                let handle = self.number(state, arg(0), width);
                self.graph.detached.push((handle, step));
                let zero = self.terms().constant(32, 0);
                self.report_code(state, convention, zero, result);
            }
            Action::KeyCreate | Action::KeyDelete | Action::KeyGet | Action::KeySet => {
                self.key_function(state, action, [arg(0), arg(1)], convention, result);
            }
        }
        true
    }

    /// Creates a thread and executes it.
    fn create(
        &mut self,
        state: &mut State,
        [handle_at, start, argument]: [Operand; 3],
        attributes: Option<Operand>,
        convention: Convention,
        result: Option<Reg>,
    ) {
        if state.atomic.is_some() {
            return self.unsupported(state, Unmodelled::CreationInAtomicSection);
        }
        let width = self.pointer_bits();
        let step = self.step(state);
        let address = self.operand(state, start, width).bits;
        let candidates = self.function_candidates(state, start, address);
        self.refuse_other_starts(state, &candidates, address);
        let Some(&first) = candidates.first() else { return };
        if self.graph.threads.len() >= self.config.max_threads {
            let limit = self.config.max_threads;
            let what = Cut::Threads { limit: limit as u64 };
            let guard = state.guard;
            let count = u32::try_from(limit).unwrap_or(u32::MAX);
            self.find(guard, FindingKind::Bound(LoopId::Size, count, what), state);
            state.guard = self.graph.terms.falsity();
            return;
        }
        let detached = attributes.is_some_and(|it| self.is_detached(state, it, step));
        if self.graph.terms.is_false(state.guard) {
            return;
        }
        self.note_identity(state);
        let argument = self.operand(state, argument, width);
        let id = self.new_thread(first, Some(step), state.guard);
        self.graph.threads[id.0 as usize].detached = detached;
        self.graph.threads[id.0 as usize].argument = argument;
        self.graph.threads[id.0 as usize].guard = state.guard;
        self.settle(step, state.guard);
        let known = Rc::new(self.settled(&state.known));
        let born = State { guard: state.guard, known, ..self.dead() };
        self.store_handle(state, handle_at, id);
        let zero = self.terms().constant(32, 0);
        self.report_code(state, convention, zero, result);
        self.run_thread(&born, id, &candidates, address, argument);
    }

    /// The handle is stored in a step of its own, if others can see that: POSIX does not say that it
    /// is there before the thread runs.
    fn store_handle(&mut self, state: &mut State, at: Operand, id: ThreadId) {
        let width = self.pointer_bits();
        self.current.position.progress = 1;
        let pointer = self.operand(state, at, width);
        let value = self.constant(width, handle(id));
        let bytes = self.pointer_bytes();
        self.store(state, at, pointer, bytes, value);
    }

    /// A thread can only be created from a function.
    fn refuse_other_starts(&mut self, state: &mut State, candidates: &[FunctionId], address: Term) {
        let width = self.pointer_bits();
        let mut known = self.terms().falsity();
        for &function in candidates {
            let here = self.terms().constant(width, super::function_address(function));
            let is_here = self.terms().eq(address, here);
            known = self.terms().or(known, is_here);
        }
        let wrong = self.terms().not(known);
        self.violation(state, Property::Memory, wrong);
    }

    fn run_thread(
        &mut self,
        born: &State,
        id: ThreadId,
        candidates: &[FunctionId],
        address: Term,
        argument: Value,
    ) {
        let creator = std::mem::replace(&mut self.current, Current::new(id));
        let first = ObjectId(u32::try_from(self.graph.objects.len()).unwrap_or(u32::MAX));
        let width = self.pointer_bits();
        let mut paths = Vec::new();
        for &function in candidates {
            let here = self.terms().constant(width, super::function_address(function));
            let is_here = self.terms().eq(address, here);
            let mut path = born.clone();
            path.require(&mut self.graph.terms, is_here);
            if !self.graph.terms.is_false(path.guard) {
                paths.push((function, path));
            }
        }
        let mut results = Vec::new();
        let several = u32::from(paths.len() > 1);
        self.current.alternatives += several;
        for (function, mut path) in paths {
            let values = self.call(&mut path, function, &[argument]);
            let zero = self.constant(width, 0);
            let value = values.first().copied().unwrap_or(zero);
            if !self.graph.terms.is_false(path.guard) {
                results.push((path, value));
            }
        }
        self.current.alternatives -= several;
        self.end_of_thread(results);
        let thread = &mut self.graph.threads[id.0 as usize];
        thread.unwritten = self.graph.objects.undefined_since(first).collect();
        thread.has_identity |= several > 0;
        self.current = creator;
    }

    /// Merges all ends of the current thread into its last step.
    fn end_of_thread(&mut self, mut ends: Vec<(State, Value)>) {
        ends.append(&mut self.current.ended);
        let mut merged: Option<State> = None;
        let width = self.pointer_bits();
        let mut result = self.constant(width, 0);
        for (state, value) in ends {
            let value = Value { bits: self.terms().resize_zext(value.bits, width), ..value };
            result = value.or_else(&mut self.graph.terms, state.guard, result);
            let state = State { registers: Vec::new(), ..state };
            self.join_paths(&mut merged, state);
        }
        let mut end = merged.unwrap_or_else(|| self.dead());
        self.run_destructors(&mut end);
        if let Some(atomic) = end.atomic.take() {
            self.complete_section(atomic.step, end.guard);
        }
        let step = self.new_step(&end);
        self.graph.steps[step.0 as usize].site = self.current.end_site;
        let locals: Vec<ObjectId> = self.current.thread_locals.values().copied().collect();
        for id in locals {
            if self.graph.objects.get(id).shared {
                self.end_life(step, end.guard, id);
            }
        }
        let site = self.current.end_site;
        let own = self.graph.accesses.iter_mut().rev().take_while(|access| access.step == step);
        own.for_each(|access| access.site = site);
        let thread = &mut self.graph.threads[self.current.id.0 as usize];
        thread.ended = end.guard;
        thread.result = result;
    }

    fn join(
        &mut self,
        state: &mut State,
        which: Operand,
        result_at: Operand,
        bytes: u64,
        convention: Convention,
        result: Option<Reg>,
    ) {
        if state.atomic.is_some() {
            return self.unsupported(state, Unmodelled::MayWaitInAtomicSection);
        }
        let width = self.pointer_bits();
        let handle = self.number(state, which, width);
        let step = self.step(state);
        let terms = &mut self.graph.terms;
        let go = terms.var(1);
        let stops = terms.not(go);
        let stopped = terms.and(state.guard, stops);
        self.wait(stopped, WaitOn::Thread(handle));
        state.require(&mut self.graph.terms, go);
        let bits = self.terms().var(width);
        let provenance = if self.points.thread_results().is_empty() {
            self.terms().constant(PROVENANCE, 0)
        } else {
            self.terms().var(PROVENANCE)
        };
        let value = Value { bits, provenance };
        self.graph.joins.push(Join { step, guard: state.guard, handle, result: value });
        let pointer = self.operand(state, result_at, width);
        let leaves = self.leaves(pointer.provenance);
        if self.terms().as_const(pointer.bits) == Some(0) {
            // Nobody wants the result.
        } else if leaves.none || leaves.unknown {
            self.unsupported(state, Unmodelled::JoinResult);
        } else {
            self.store_result(state, step, result_at, pointer, bytes, value);
        }
        let zero = self.terms().constant(32, 0);
        self.report_code(state, convention, zero, result);
    }

    fn store_result(
        &mut self,
        state: &mut State,
        step: StepId,
        operand: Operand,
        pointer: Value,
        bytes: u64,
        value: Value,
    ) {
        let width = crate::object::width(bytes);
        let value = Value { bits: self.terms().resize_zext(value.bits, width), ..value };
        self.together = Some(step);
        self.store(state, operand, pointer, bytes, value);
        self.together = None;
    }

    // ----- Atomic sections -----

    pub fn begin_atomic(&mut self, state: &mut State) {
        if let Some(atomic) = &mut state.atomic {
            atomic.depth += 1;
            return;
        }
        let go = self.terms().var(1);
        let stops = self.terms().not(go);
        let held_back = self.terms().and(state.guard, stops);
        state.require(&mut self.graph.terms, go);
        let step = self.new_step(state);
        state.atomic = Some(Atomic { step, depth: 1 });
        let (exits, completed) = (Vec::new(), Vec::new());
        let (entered, assumes) = (state.guard, false);
        self.sections.push(Section { step, entered, held_back, exits, completed, assumes });
    }

    pub fn end_atomic(&mut self, state: &mut State) {
        let Some(atomic) = &mut state.atomic else { return };
        atomic.depth -= 1;
        if atomic.depth == 0 {
            let step = atomic.step;
            state.atomic = None;
            self.complete_section(step, state.guard);
        }
    }

    /// An assume inside a section: if it fails, the thread stops before the section.
    pub fn assumes_in_section(&mut self, step: StepId) {
        if let Some(section) = self.sections.iter_mut().find(|it| it.step == step) {
            section.assumes = true;
        }
    }

    /// Something is found inside a section: it need not be completed.
    pub fn leaves_section(&mut self, step: StepId, guard: Term) {
        if let Some(section) = self.sections.iter_mut().find(|it| it.step == step) {
            section.exits.push(guard);
        }
    }

    fn complete_section(&mut self, step: StepId, guard: Term) {
        if let Some(section) = self.sections.iter_mut().find(|it| it.step == step) {
            section.exits.push(guard);
            section.completed.push(guard);
        }
    }

    /// A section that is entered is completed, unless something is found in it: a thread whose
    /// section cannot be completed stops before it, since nobody may see half of it.
    fn close_sections(&mut self) {
        for section in std::mem::take(&mut self.sections) {
            let terms = &mut self.graph.terms;
            let exits = terms.or_all(&section.exits);
            let constraint = terms.implies(section.entered, exits);
            self.graph.constraints.push(constraint);
            let thread = self.graph.step(section.step).thread;
            let thread = &mut self.graph.threads[thread.0 as usize];
            if section.assumes {
                thread.stuck.push(section.held_back);
            } else {
                thread.idle.push(section.held_back);
            }
            let completed = self.graph.terms.or_all(&section.completed);
            if completed != section.entered && completed != exits {
                self.graph.completions.insert(section.step, completed);
            }
        }
    }
}
