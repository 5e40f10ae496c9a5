//! The machine: makes the first state, says who can step, and performs a step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use unravel_kinds::Cut;
use unravel_program::library::sync::{Deed, SyncOp, Then};
use unravel_program::library::{Action, Thread as ThreadAction};
use unravel_program::liveness::Liveness;
use unravel_program::loops::{Loops, back_edges};
use unravel_program::{
    BlockId, CastOp, Function, FunctionId, Global, GlobalId, Op, Operand, Program, SiteId, Type,
};
use unravel_watch::Alarm;

use crate::choice::{Choice, Chooser};
use crate::event::Recorder;
use crate::exec::{Exec, Interrupt};
use crate::hang::{Hang, Hangs};
use crate::memory::{Object, ObjectId, ObjectKind, Origin};
use crate::note::{Note, Notes};
use crate::property::{Properties, Property, Violation};
use crate::race::Races;
use crate::state::{Destructed, Frame, OnReturn, Pending, State, Status, Stuck, Thread, ThreadId};
use crate::sync::{Request, SyncObject, applicable};
use crate::value::Value;

/// What is checked, and how far runs go.
#[derive(Clone, Debug)]
pub struct Config {
    /// Properties whose violation ends a run. A violation of another one stops only its thread.
    pub properties: Properties,
    /// How often a loop may turn; unbounded if `None`.
    pub unwind: Option<u32>,
    /// Turns of a loop that are told apart where `unwind` sets no bound: a moment in a later turn is
    /// not known. A loop that changes nothing then comes back to a state that was seen.
    pub counted_turns: u32,
    /// Instructions a thread may execute without a shared access: beyond it, it is taken to be in
    /// an endless loop.
    pub local_limit: u64,
    /// Nested calls of one thread.
    pub call_depth: usize,
    /// Threads in all.
    pub max_threads: usize,
    /// Bytes that all objects together may take.
    pub memory_limit: u64,
    /// `malloc` may return null.
    pub allocation_failure: bool,
    /// Tells all who work for long on the program to stop.
    pub alarm: Alarm,
}

impl Config {
    /// The defaults, for the given properties.
    #[must_use]
    pub fn new(properties: Properties) -> Config {
        Config {
            properties,
            unwind: None,
            counted_turns: 0,
            local_limit: 2_000_000,
            call_depth: 256,
            max_threads: 128,
            memory_limit: 256 << 20,
            allocation_failure: false,
            alarm: Alarm::default(),
        }
    }
}

/// Bytes of all variables with static storage, if these are more than a run may take.
#[must_use]
pub fn too_large(program: &Program, config: &Config) -> Option<u128> {
    let bytes = program.globals.iter().map(|it| u128::from(it.size)).sum();
    (bytes > u128::from(config.memory_limit)).then_some(bytes)
}

/// A program made ready to run.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    /// What is checked.
    pub config: Config,
    /// Per function, which registers still matter where.
    pub(crate) liveness: Vec<Liveness>,
    /// Per function, the edges that close a loop.
    pub(crate) back_edges: Vec<BTreeSet<(BlockId, BlockId)>>,
    /// The loops of all functions, and whether there is a way out of them.
    pub(crate) loops: Loops,
    /// Per function and block, whether a loop begins there.
    pub(crate) heads: Vec<Vec<bool>>,
    /// Addresses of freed blocks matter: the program compares pointers or swaps them.
    pub(crate) reuses_addresses: bool,
    /// Ids of threads that are gone matter: the program compares ids.
    pub(crate) reuses_ids: bool,
    /// The program deletes keys of thread-specific data.
    pub(crate) deletes_keys: bool,
    /// Object of each global that is not thread-local.
    globals: BTreeMap<GlobalId, ObjectId>,
    /// What `main` is called with.
    pub(crate) main_arguments: Vec<Value>,
    /// Bytes of all variables with static storage, if these are more than a run may take.
    pub(crate) too_large: Option<u128>,
    start: State,
}

/// Can a thread step?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can step.
    Ready,
    /// It may step (a spurious wakeup), but nothing makes sure that it does.
    Spurious,
    /// It waits for another thread.
    Blocked,
    /// It has ended or is stuck.
    Gone,
}

/// How a step ended.
#[derive(Clone, Debug)]
pub enum StepEnd {
    /// The thread stands before its next operation, has ended, or is stuck. Violations that do
    /// not stop a run (races, overflow) are listed.
    Done(Vec<Violation>),
    /// A violation that ends the run.
    Violated(Violation),
    /// A decision was missing; the state is to be thrown away.
    Open(Choice),
}

impl<'p> Machine<'p> {
    /// Makes a program ready. The program must be valid (`unravel_program::validate`).
    #[must_use]
    pub fn new(program: &'p Program, config: Config) -> Machine<'p> {
        let races = config.properties.has(Property::Race);
        let too_large = too_large(program, &config);
        let mut machine = Machine {
            program,
            config,
            liveness: program.functions.iter().map(Liveness::of).collect(),
            back_edges: program.functions.iter().map(back_edges).collect(),
            loops: Loops::of_program(program),
            heads: Vec::new(),
            reuses_addresses: observes_addresses(program),
            reuses_ids: unravel_program::identity::compares_ids(program),
            deletes_keys: deletes_keys(program),
            globals: BTreeMap::new(),
            main_arguments: Vec::new(),
            too_large,
            start: empty_state(races),
        };
        machine.heads = machine.loop_heads();
        machine.place_globals();
        machine.start_main();
        machine
    }

    /// The state before the first step.
    #[must_use]
    pub fn initial(&self) -> State {
        self.start.clone()
    }

    /// The object of a global that is not thread-local.
    pub(crate) fn global_object(&self, id: GlobalId) -> Option<ObjectId> {
        self.globals.get(&id).copied()
    }

    /// The function an address stands for.
    pub(crate) fn function_at(&self, value: Value) -> Option<FunctionId> {
        let number = match value.provenance {
            Some(object) if object.kind == ObjectKind::Function => object.number,
            Some(_) => return None,
            // A pointer copied byte by byte; functions have addresses of their own.
            None => u32::try_from(value.address().checked_sub(FUNCTIONS)? / 16).ok()?,
        };
        let exists = (number as usize) < self.program.functions.len();
        (exists && value.address() == function_address(number)).then_some(FunctionId(number))
    }

    /// The address of a function.
    pub(crate) fn function_value(function: FunctionId) -> Value {
        let object = ObjectId { kind: ObjectKind::Function, number: function.0 };
        Value::pointer(function_address(function.0), object)
    }

    /// Bytes of a pointer.
    pub(crate) fn pointer_bytes(&self) -> u64 {
        u64::from(self.program.target.pointer_bytes)
    }

    /// Can this thread step?
    #[must_use]
    pub fn readiness(&self, state: &State, id: ThreadId) -> Readiness {
        let thread = state.thread(id);
        if state.dead || !thread.is_running() {
            return Readiness::Gone;
        }
        match &thread.pending {
            Pending::Ready => Readiness::Ready,
            Pending::Join(target) => match state.thread(*target).status {
                Status::Ended => Readiness::Ready,
                _ => Readiness::Blocked,
            },
            Pending::Sync(request) => self.sync_readiness(state, request),
        }
    }

    fn sync_readiness(&self, state: &State, request: &Request) -> Readiness {
        if is_orphaned(state, request) {
            return Readiness::Spurious;
        }
        let object = self.sync_object(state, request);
        let Some(case) = applicable(state, request, object.as_ref()) else {
            return Readiness::Ready;
        };
        match case.then {
            Then::Block => Readiness::Blocked,
            Then::Spurious(..) => Readiness::Spurious,
            Then::Misuse(_, otherwise)
                if *otherwise == Then::Block && !self.config.properties.has(Property::Misuse) =>
            {
                Readiness::Blocked
            }
            _ => Readiness::Ready,
        }
    }

    /// The state of the synchronization object at a place: as entered, or as its static
    /// initializer says.
    pub(crate) fn sync_object(&self, state: &State, request: &Request) -> Option<SyncObject> {
        if let Some(object) = state.sync.get(&request.place) {
            return Some(object.clone());
        }
        crate::library::static_object(self, state, request.op.class(), request.place)
    }

    /// Performs one step of a thread that can step.
    ///
    /// # Errors
    /// None: everything that can happen is a [`StepEnd`].
    pub fn step(
        &self,
        state: &mut State,
        thread: ThreadId,
        chooser: &mut dyn Chooser,
        recorder: &mut dyn Recorder,
        notes: &mut Notes,
    ) -> StepEnd {
        let mut exec = Exec::new(self, state, thread, chooser, recorder, notes);
        match exec.step() {
            Ok(()) => StepEnd::Done(exec.soft),
            Err(Interrupt::Violation(violation)) => StepEnd::Violated(*violation),
            Err(Interrupt::Choose(choice)) => StepEnd::Open(choice),
            // `Exec::step` turns these into a thread's status.
            Err(Interrupt::Stuck(_) | Interrupt::Blocked) => StepEnd::Done(exec.soft),
        }
    }

    /// The deadlock that a state is in, if any (DESIGN §2, cases (a) and (b)).
    #[must_use]
    pub fn deadlock(&self, state: &State) -> Option<Violation> {
        crate::deadlock::find(self, state)
    }

    /// The hang that a state is in or leads to, if any (DESIGN §2, case (c) of `deadlock`). It costs a
    /// search, so it is asked only of states in which a run ends or threads are seen to turn loops.
    #[must_use]
    pub fn hang(&self, state: &State, hangs: &mut Hangs) -> Option<Hang> {
        hangs.find(self, state)
    }

    /// A remark that it was not decided whether threads hang, at the loop of one of them.
    #[must_use]
    pub fn undecided_hang(&self, state: &State, thread: ThreadId) -> Note {
        Note::Bound { site: crate::deadlock::site(self, state, thread), what: Cut::Polling }
    }

    fn loop_heads(&self) -> Vec<Vec<bool>> {
        let heads = |(function, edges): (&Function, &BTreeSet<(BlockId, BlockId)>)| {
            let mut heads = vec![false; function.blocks.len()];
            edges.iter().for_each(|(_, head)| heads[head.0 as usize] = true);
            heads
        };
        self.program.functions.iter().zip(&self.back_edges).map(heads).collect()
    }

    fn place_globals(&mut self) {
        for index in 0..self.program.globals.len() {
            let id = GlobalId(u32::try_from(index).unwrap_or(u32::MAX));
            let global = self.program.global(id);
            if global.thread_local {
                continue;
            }
            let origin = Origin::Global(id);
            let zeroed = global.bytes.is_some();
            let kind = ObjectKind::Global;
            let size = if self.too_large.is_some() { 0 } else { global.size };
            let object = self.start.allocate(kind, size, global.align, origin, zeroed);
            self.globals.insert(id, object);
        }
        let objects: Vec<_> = self.globals.iter().map(|(&id, &object)| (id, object)).collect();
        // No step is taken then.
        for (id, object) in objects.into_iter().filter(|_| self.too_large.is_none()) {
            let mut content = self.initial_content(id, self.start.objects[&object].base);
            content.shared = true;
            self.start.objects.insert(object, Arc::new(content));
        }
    }

    /// A global's object with its initial bytes and addresses.
    pub(crate) fn initial_content(&self, id: GlobalId, base: u64) -> Object {
        let global = self.program.global(id);
        let mut object = Object::new(base, global.size, Origin::Global(id), global.bytes.is_some());
        let pointer_bytes = self.pointer_bytes();
        for (offset, &byte) in (0u64..).zip(global.bytes.iter().flatten()) {
            object.write_byte(offset, byte, crate::memory::Init::Defined, pointer_bytes);
        }
        for relocation in &global.relocations {
            if let Some(value) = self.static_address(relocation.target) {
                object.write(relocation.offset, pointer_bytes, pointer_bytes, value);
            }
        }
        object.constant = global.constant;
        if is_stream(global) {
            // What a stream is inside is nobody's business; it must only be known again.
            if let Some(stream) = self.static_address(Operand::Global(id, 0)) {
                object.write(0, pointer_bytes, pointer_bytes, stream);
            }
            object.constant = true;
        }
        object
    }

    /// Whether a value is the C library's stream of that name.
    pub(crate) fn is_stream(&self, value: Value, name: &str) -> bool {
        let Some(object) = value.provenance else { return false };
        let global = self.globals.iter().find(|(_, at)| **at == object);
        global.is_some_and(|(&id, _)| self.program.global(id).name == name)
    }

    /// Address of a global or function that is the same for all threads.
    pub(crate) fn static_address(&self, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Global(id, offset) => {
                let object = self.global_object(id)?;
                let base = self.start.object(object)?.base;
                Some(Value::pointer(base.wrapping_add_signed(offset), object))
            }
            Operand::Function(id) => Some(Self::function_value(id)),
            _ => None,
        }
    }

    fn start_main(&mut self) {
        let argument = |&operand: &Operand| match operand {
            Operand::Int(bits) => Value::int(bits),
            _ => self.static_address(operand).unwrap_or(Value::ZERO),
        };
        self.main_arguments = self.program.arguments.iter().map(argument).collect();
        let first = self.program.constructors.first();
        let (function, on_return) = match first {
            Some(&constructor) => (constructor, OnReturn::NextConstructor(1)),
            None => (self.program.main, OnReturn::EndThread),
        };
        let frame = self.frame(function, &self.main_arguments, Vec::new(), on_return);
        self.start.threads.push(Arc::new(Thread {
            frames: vec![frame],
            status: Status::Running,
            created_at: SiteId(0),
            start: self.program.main,
            result: Value::ZERO,
            detached: false,
            c11: false,
            handle: 0,
            destructed: Destructed::default(),
            specific: BTreeMap::new(),
            locals: BTreeMap::new(),
            errno: None,
            creating: None,
            atomic_depth: 0,
            pending: Pending::Ready,
        }));
    }

    /// A call's frame with its parameters assigned; missing arguments are undefined.
    pub(crate) fn frame(
        &self,
        id: FunctionId,
        arguments: &[Value],
        results: Vec<unravel_program::Reg>,
        on_return: OnReturn,
    ) -> Frame {
        let function = self.program.function(id);
        let mut registers = vec![Value::ZERO; function.registers.len()];
        for (index, &param) in function.params.iter().enumerate() {
            let width = function.type_of(param).bits(self.program.target);
            let value = arguments.get(index).copied();
            registers[param.0 as usize] = value.unwrap_or_else(|| Value::undefined(width));
        }
        Frame {
            function: id,
            block: BlockId(0),
            index: 0,
            registers,
            objects: Vec::new(),
            results,
            on_return,
            phase: None::<SyncOp>,
            progress: 0,
            turns: BTreeMap::new(),
        }
    }
}

/// `stdin`, `stdout` or `stderr`, which the C library defines.
fn is_stream(global: &Global) -> bool {
    global.bytes.is_none() && matches!(global.name.as_str(), "stdin" | "stdout" | "stderr")
}

/// A stuck thread's reason as a status.
pub(crate) fn stuck(reason: Stuck) -> Status {
    Status::Stuck(reason)
}

/// Address of the first function.
const FUNCTIONS: u64 = 0x1000;

fn function_address(number: u32) -> u64 {
    FUNCTIONS + 16 * u64::from(number)
}

fn empty_state(races: bool) -> State {
    let mut clocks = Races::default();
    clocks.add_thread(None);
    State {
        threads: Vec::new(),
        objects: BTreeMap::new(),
        sync: Arc::default(),
        freed: Vec::new(),
        keys: Vec::new(),
        exited: None,
        dead: false,
        races: races.then(|| Arc::new(clocks)),
        layout: Arc::default(),
        allocated: Arc::default(),
        // Above the functions, below 2^31, so that 32-bit programs see ordinary addresses too.
        next_address: 0x0100_0000,
        next_object: 0,
    }
}

fn deletes_keys(program: &Program) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).any(|instruction| match &instruction.op {
        Op::Library { primitive, .. } => {
            matches!(primitive.action(), Action::Thread(ThreadAction::KeyDelete, _))
        }
        _ => false,
    })
}

/// Whether a program can tell that a new block has the address of a freed one: it compares two
/// addresses, swaps them atomically, or turns them into integers.
fn observes_addresses(program: &Program) -> bool {
    let pointer = Type::Int(program.target.pointer_bits());
    let observes = |op: &Op| match op {
        Op::Compare { ty: Type::Ptr, lhs, rhs, .. } => {
            *lhs != Operand::Int(0) && *rhs != Operand::Int(0)
        }
        Op::CompareExchange { ty, .. } => *ty == Type::Ptr || *ty == pointer,
        Op::Cast { op: CastOp::PtrToInt, .. } => true,
        _ => false,
    };
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).any(|instruction| observes(&instruction.op))
}

/// Whether a thread sleeps on a condition variable that is gone, or whose mutex is. It may wake up at
/// any time, and then uses what was freed; nobody can say that it will.
fn is_orphaned(state: &State, request: &Request) -> bool {
    let sleeps = request.op.deed() == Deed::Wake;
    let places = [Some(request.place), request.mutex];
    sleeps && places.into_iter().flatten().any(|place| state.object(place.0).is_none())
}
