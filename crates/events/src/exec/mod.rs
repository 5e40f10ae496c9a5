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
mod calls;
mod control;
mod float;
mod identity;
mod idle;
mod keys;
mod known_cells;
mod layout;
mod library;
mod objects;
mod outside;
mod ranges;
mod realloc;
mod relax;
mod sync;
mod threads;
mod undefined;
mod unplaced_ranges;

use std::collections::BTreeMap;
use std::rc::Rc;
use unravel_kinds::Unmodelled;

use unravel_interp::moment::{CallPlace, Moment};
use unravel_interp::{Config, Property};
use unravel_program::identity::compares_ids;
use unravel_program::loops::Loops;
use unravel_program::{Function, FunctionId, Liveness, Operand, Program, Reg, SiteId, Type};
use unravel_term::{Term, Terms};

pub use access::{Demand, fits};
pub use threads::handle;

use crate::bounds::Bounds;
use crate::graph::{
    EventGraph, Finding, FindingKind, Input, InputKind, Mode, Position, Segment, Step, StepId,
    ThreadId,
};
use crate::object::{ObjectId, Objects};
use crate::points_to::PointsTo;
use crate::relax::Marks;
use crate::state::{Frame, State};
use crate::value::{PROVENANCE, UNDEFINED, Value};
use crate::wto::Element;

/// Most events of a graph; beyond it the rest is cut.
const MOST_STEPS: usize = 60_000;
/// Turns that a loop may take beyond its bound where it turns for certain. Long loops are cut,
/// too: most bugs show in a few turns, and the bound grows if they do not.
const CERTAIN_TURNS: u32 = 32;
/// Most nested calls.
const MOST_CALLS: usize = 250;

/// The thread being executed.
pub(crate) struct Current {
    pub id: ThreadId,
    pub frames: Vec<Frame>,
    pub thread_locals: BTreeMap<unravel_program::GlobalId, ObjectId>,
    pub errno: Option<ObjectId>,
    /// Its thread-specific data.
    pub specific: Option<ObjectId>,
    pub position: Position,
    /// Where it returns from its start function.
    pub end_site: SiteId,
    /// What ended so far, by `pthread_exit`: merged with what returns.
    pub ended: Vec<(State, Value)>,
    /// Calls through pointers in progress that have other candidates, too.
    pub alternatives: u32,
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
    pub loops: Loops,
    pub leaves: access::LeafCache,
    pub sections: Vec<threads::Section>,
    pub kinds: sync::Kinds,
    pub keys: Option<keys::Keys>,
    /// How the accesses of the current operation take part in synchronization.
    pub mode: Mode,
    /// What several parts of one instruction do together is one step.
    pub together: Option<StepId>,
    /// How many bytes beyond its operand an access goes, as part of a range.
    pub beyond: u64,
    /// Steps of the current instruction for which it is known when a thread gets past them.
    pub settled: Vec<StepId>,
    /// The program can tell that a new block has the address of a freed one.
    pub observes_addresses: bool,
    /// Copies whose value may be another.
    pub marks: Option<&'p Marks>,
    /// Blocks that are freed, and blocks that are made, in the order of execution.
    pub freed: Vec<library::Freed>,
    pub made: Vec<library::Made>,
    /// Threads whose id may be one that was used before, where the program can tell.
    pub identities: Option<Vec<identity::Identity>>,
    /// Comparisons of addresses of different objects.
    pub questions: Vec<layout::Question>,
    stop: &'p mut dyn FnMut() -> bool,
    pub stopped: bool,
}

impl<'p> Executor<'p> {
    pub fn new(
        program: &'p Program,
        config: &'p Config,
        bounds: &'p Bounds,
        points: &'p PointsTo,
        stop: &'p mut dyn FnMut() -> bool,
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
            loops: Loops::of_program(program),
            leaves: access::LeafCache::default(),
            sections: Vec::new(),
            kinds: sync::Kinds::default(),
            keys: None,
            mode: Mode::default(),
            together: None,
            beyond: 0,
            settled: Vec::new(),
            observes_addresses: points.observes_addresses(program),
            marks: None,
            freed: Vec::new(),
            made: Vec::new(),
            identities: compares_ids(program).then(Vec::new),
            questions: Vec::new(),
            stop,
            stopped: false,
        }
    }

    /// Whether to end at once; what was built so far is thrown away then.
    pub fn is_stopped(&self) -> bool {
        self.stopped || self.config.alarm.rings()
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

    /// The current place in user code: the call, while a library function or a wrapper runs.
    pub fn site(&self) -> SiteId {
        let shown = self.program.shown(&self.current.frames, |frame| frame.function);
        shown.map_or(SiteId(0), |frame| frame.site)
    }

    /// Where a finding is shown: an assertion that fails, where it stands.
    fn site_of_finding(&self, kind: &FindingKind) -> SiteId {
        if *kind == FindingKind::Violation(Property::Reach) { self.own_site() } else { self.site() }
    }

    /// The current place in user code, in wrappers, too.
    fn own_site(&self) -> SiteId {
        let is_user = |frame: &&Frame| !self.program.function(frame.function).library;
        let user = self.current.frames.iter().rev().find(is_user);
        user.map_or(SiteId(0), |frame| frame.site)
    }

    /// Whether every way on passes here: no other path of the thread waits anywhere.
    fn is_sole(&self) -> bool {
        let frames = &self.current.frames;
        self.current.ended.is_empty()
            && self.current.alternatives == 0
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
        let id = self.add_step(state.guard, self.is_sole());
        self.graph.threads[self.current.id.0 as usize].steps.push(id);
        id
    }

    /// A step after all others, at which the last value of everything can be read.
    fn end_of_run(&mut self) -> StepId {
        let truth = self.graph.terms.truth();
        self.add_step(truth, false)
    }

    fn add_step(&mut self, guard: Term, sole: bool) -> StepId {
        let id = StepId(u32::try_from(self.graph.steps.len()).unwrap_or(u32::MAX));
        self.graph.steps.push(Step {
            thread: self.current.id,
            guard,
            passed: guard,
            position: self.current.position,
            site: self.site(),
            moment: self.moment(),
            sync: None,
            sole,
            wrapped: self
                .current
                .frames
                .last()
                .is_some_and(|it| self.program.function(it.function).wrapper),
            events: 0,
        });
        id
    }

    /// Says when a thread gets past a step, for one that is not the last of its instruction.
    pub fn settle(&mut self, step: StepId, passed: Term) {
        self.graph.steps[step.0 as usize].passed = passed;
        self.settled.push(step);
    }

    /// What is executed now, in words that mean the same in every run.
    fn moment(&self) -> Moment {
        let calls = self.current.frames.iter().map(|frame| CallPlace {
            function: frame.function,
            block: frame.block,
            index: frame.index,
            turns: frame.turns.clone(),
        });
        Moment { calls: calls.collect(), progress: u64::from(self.current.position.progress) }
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
        let (thread, position) = (self.current.id, self.current.position);
        let site = self.site_of_finding(&kind);
        let stopped = &mut self.graph.threads[thread.0 as usize];
        match kind {
            FindingKind::Bound(..) | FindingKind::Unsupported(_) | FindingKind::Primitive(..) => {
                stopped.cut.push(guard);
            }
            FindingKind::Violation(_) => {}
        }
        self.graph.findings.push(Finding { kind, guard, thread, position, site });
    }

    /// Something that is not modelled: the path ends.
    pub fn unsupported(&mut self, state: &mut State, what: Unmodelled) {
        let guard = state.guard;
        self.find(guard, FindingKind::Unsupported(what), state);
        state.guard = self.graph.terms.falsity();
    }

    /// A violation where a condition holds: there the path ends.
    pub fn violation(&mut self, state: &mut State, property: Property, condition: Term) {
        let guard = self.graph.terms.and(state.guard, condition);
        if self.graph.terms.is_false(guard) {
            return;
        }
        if self.config.properties.has(property) {
            self.find(guard, FindingKind::Violation(property), state);
        } else if property == Property::Memory {
            // What such an access does in reality is anybody's guess.
            let what = Unmodelled::MemoryError;
            self.find(guard, FindingKind::Unsupported(what), state);
        } else if state.atomic.is_some() {
            let what = Unmodelled::FailureInAtomicSection;
            self.find(guard, FindingKind::Unsupported(what), state);
        } else {
            self.graph.threads[self.current.id.0 as usize].stuck.push(guard);
        }
        let fine = self.graph.terms.not(condition);
        state.require(&mut self.graph.terms, fine);
    }

    /// A value that the interpreter will ask for here.
    pub fn input(&mut self, state: &State, value: Term) {
        self.choice(state.guard, value, InputKind::Value);
    }

    /// The same where a condition holds.
    pub fn ask(&mut self, guard: Term, value: Term) {
        self.choice(guard, value, InputKind::Value);
    }

    /// A value from memory, which the interpreter will ask for if nobody has written it.
    pub fn memory_input(&mut self, state: &State, value: Term) {
        self.choice(state.guard, value, InputKind::Memory);
    }

    /// A choice between two ways that the interpreter will ask for here.
    pub fn pick(&mut self, guard: Term, second: Term) {
        let value = self.graph.terms.zext(second, 8);
        self.choice(guard, value, InputKind::Pick);
    }

    /// The same of how a timed wait ends.
    pub fn pick_wakeup(&mut self, guard: Term, second: Term) {
        let value = self.graph.terms.zext(second, 8);
        self.choice(guard, value, InputKind::Wakeup);
    }

    fn choice(&mut self, guard: Term, value: Term, kind: InputKind) {
        let (thread, position, site) = (self.current.id, self.current.position, self.site());
        // Nobody asks which execution of a load it was, and there are many.
        let moment = match kind {
            InputKind::Memory => Moment { calls: Vec::new(), progress: 0 },
            InputKind::Value | InputKind::Pick | InputKind::Wakeup => self.moment(),
        };
        self.graph.inputs.push(Input { thread, position, site, moment, guard, value, kind });
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

    pub fn undefined(&mut self, width: u16) -> Value {
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

    /// Something worth a remark that does not end the path.
    pub fn remark(&mut self, state: &State, kind: FindingKind) {
        let (thread, position, site) = (self.current.id, self.current.position, self.site());
        self.graph.findings.push(Finding { kind, guard: state.guard, thread, position, site });
    }
}

/// The address of a function, as the interpreter has it.
pub(crate) fn function_address(id: FunctionId) -> u128 {
    0x1000 + 16 * u128::from(id.0)
}
