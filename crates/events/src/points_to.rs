//! What every pointer of the program may point to, whatever the schedule and the bound.
//!
//! An inclusion-based analysis (Andersen): objects are named by the place that creates them, fields
//! are told apart by their offsets ([`contents`](crate::contents)), calling contexts are not,
//! functions called through pointers are found on the way. What is narrower than a pointer holds
//! none. Two questions are asked of it later:
//!
//! - where a pointer read from shared memory may lead ([`PointsTo::of`]), since the thread that
//!   stores it may be executed after the one that loads it;
//! - which objects two threads may both reach ([`PointsTo::is_shared`]): all others are plain
//!   value flow.
//!
//! Cost: it runs over all instructions until nothing changes, which takes a handful of rounds.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use unravel_program::library::{Action, MemoryFunction, Thread, sync::Argument};
use unravel_program::{
    BlockId, CastOp, Edge, Function, FunctionId, GlobalId, Op, Operand, Program, Reg, RmwOp,
    Terminator,
};
use unravel_watch::Alarm;

use crate::contents::Contents;
use crate::writers::{self, Written};

/// Where objects come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A variable with static storage; one instance per thread if it is thread-local.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// What an instruction allocates, on the stack or on the heap.
    Allocation(FunctionId, BlockId, u32),
    /// A thread's `errno`.
    Errno,
}

/// What a pointer may point to, and how far into it.
pub(crate) type Targets = BTreeMap<Target, Stride>;

/// Offsets of a pointer into an object: `residue` plus any multiple of `step` (0: exactly that).
/// Without it every access through a pointer in memory might go to every byte of its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stride {
    step: u64,
    residue: i64,
}

impl Stride {
    /// Any offset.
    pub const ANY: Stride = Stride { step: 1, residue: 0 };

    pub(crate) fn exactly(offset: i64) -> Stride {
        Stride { step: 0, residue: offset }
    }

    fn new(step: u64, residue: i64) -> Stride {
        let modulus = i64::try_from(step).unwrap_or(i64::MAX);
        Stride { step, residue: if step == 0 { residue } else { residue.rem_euclid(modulus) } }
    }

    /// The least that holds both.
    pub(crate) fn join(self, other: Stride) -> Stride {
        let apart = self.residue.abs_diff(other.residue);
        Stride::new(gcd(gcd(self.step, other.step), apart), self.residue)
    }

    /// Moved by a constant and multiples of some scales.
    fn moved(self, constant: i64, scales: impl Iterator<Item = i64>) -> Stride {
        let step = scales.fold(self.step, |step, scale| gcd(step, scale.unsigned_abs()));
        Stride::new(step, self.residue.wrapping_add(constant))
    }

    /// So many bytes further on.
    #[must_use]
    pub fn further(self, bytes: u64) -> Stride {
        self.moved(i64::try_from(bytes).unwrap_or(i64::MAX), std::iter::empty())
    }

    /// How far the first is from the other, if both are exact.
    pub(crate) fn distance(self, other: Stride) -> Option<i64> {
        (self.step == 0 && other.step == 0).then(|| self.residue.wrapping_sub(other.residue))
    }

    /// So far on, or back.
    pub(crate) fn shifted(self, by: i64) -> Stride {
        self.moved(by, std::iter::empty())
    }

    /// Whether so many bytes at one of these offsets may overlap so many at one of the others.
    pub(crate) fn meets(self, bytes: u64, other: Stride, other_bytes: u64) -> bool {
        let apart = i128::from(self.residue) - i128::from(other.residue);
        let (bytes, other_bytes) = (i128::from(bytes), i128::from(other_bytes));
        match i128::from(gcd(self.step, other.step)) {
            0 => -bytes < apart && apart < other_bytes,
            step => {
                let apart = apart.rem_euclid(step);
                apart < other_bytes || step - apart < bytes
            }
        }
    }

    /// Whether an offset is one of them.
    #[must_use]
    pub fn contains(self, offset: u64) -> bool {
        let apart = i64::try_from(offset).unwrap_or(i64::MAX).abs_diff(self.residue);
        if self.step == 0 { apart == 0 } else { apart.is_multiple_of(self.step) }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The result of the analysis.
#[derive(Debug, Default)]
pub struct PointsTo {
    registers: BTreeMap<(FunctionId, Reg), Targets>,
    contents: BTreeMap<Target, Contents>,
    pointer_bytes: u64,
    returns: BTreeMap<FunctionId, Targets>,
    /// Results of threads, which any join may read.
    results: Targets,
    /// Thread-specific data.
    specific: Targets,
    starts: BTreeSet<FunctionId>,
    /// Functions that clear up thread-specific data.
    destructors: BTreeSet<FunctionId>,
    calls: BTreeMap<FunctionId, BTreeSet<FunctionId>>,
    handed_over: Targets,
    freed: Targets,
    shared: BTreeSet<Target>,
    by_threads: Written,
    among_threads: Written,
    changed: bool,
    /// Looked at for every instruction.
    pub(crate) alarm: Alarm,
    /// Work that is left.
    work: Cell<u64>,
}

/// An instruction's place.
#[derive(Clone, Copy)]
struct At {
    function: FunctionId,
    block: BlockId,
    index: u32,
}

impl PointsTo {
    /// Analyses a program.
    #[must_use]
    pub fn of_program(program: &Program) -> PointsTo {
        PointsTo::until(program, &Alarm::default(), u64::MAX).unwrap_or_default()
    }

    /// Analyses a program; `None` if the alarm rings before that is done, or if it takes more work:
    /// pointers that flow from one place to another.
    #[must_use]
    pub fn until(program: &Program, alarm: &Alarm, work: u64) -> Option<PointsTo> {
        let pointer_bytes = u64::from(program.target.pointer_bytes);
        let alarm = alarm.clone();
        let work = Cell::new(work);
        let mut analysis = PointsTo { pointer_bytes, alarm, work, ..PointsTo::default() };
        analysis.enter_globals(program);
        loop {
            analysis.changed = false;
            for (number, function) in (0u32..).zip(&program.functions) {
                analysis.function(program, FunctionId(number), function);
            }
            if analysis.alarm.rings() {
                // The process ends soon; to take all that apart would take longer.
                std::mem::forget(analysis);
                return None;
            }
            if analysis.work.get() == 0 {
                return None;
            }
            if !analysis.changed {
                break;
            }
        }
        analysis.find_shared(program);
        (analysis.by_threads, analysis.among_threads) = writers::find(&analysis, program);
        (!analysis.alarm.rings()).then_some(analysis)
    }

    /// What an operand of a function may point to.
    #[must_use]
    pub fn of(&self, function: FunctionId, operand: Operand) -> Vec<Target> {
        self.places(function, operand).into_keys().collect()
    }

    /// What an operand of a function may point to, and how far into it.
    #[must_use]
    pub fn places(&self, function: FunctionId, operand: Operand) -> BTreeMap<Target, Stride> {
        match operand {
            Operand::Reg(reg) => self.registers.get(&(function, reg)).cloned().unwrap_or_default(),
            Operand::Global(..) | Operand::Function(_) => {
                static_target(operand).into_iter().collect()
            }
            Operand::Int(_) | Operand::Undef => Targets::new(),
        }
    }

    /// What memory that a pointer may lead to may hold.
    fn behind(&self, function: FunctionId, operand: Operand) -> Vec<Target> {
        self.load(function, operand, self.pointer_bytes).into_keys().collect()
    }

    /// Whether memory so many bytes behind where a pointer may lead may hold pointers.
    #[must_use]
    pub fn holds_pointers(&self, function: FunctionId, operand: Operand, beyond: u64) -> bool {
        self.places(function, operand).into_iter().any(|(target, at)| {
            let contents = self.contents.get(&target);
            contents.is_some_and(|it| !it.at(at.further(beyond), self.pointer_bytes).is_empty())
        })
    }

    /// What the result of a thread may point to.
    #[must_use]
    pub fn thread_results(&self) -> Vec<Target> {
        self.results.keys().copied().collect()
    }

    /// Whether two threads may reach the objects made there.
    #[must_use]
    pub fn is_shared(&self, target: Target) -> bool {
        self.shared.contains(&target)
    }

    /// What code that created threads run may write.
    #[must_use]
    pub(crate) fn by_threads(&self) -> &Written {
        &self.by_threads
    }

    /// What any code may write from the first creation of a thread on.
    #[must_use]
    pub(crate) fn among_threads(&self) -> &Written {
        &self.among_threads
    }

    /// Functions that threads begin with. One that ends runs the destructors of its data.
    pub(crate) fn thread_code(&self) -> BTreeSet<FunctionId> {
        self.starts.union(&self.destructors).copied().collect()
    }

    /// These functions, and what they may call.
    pub(crate) fn reached_from(
        &self,
        first: impl IntoIterator<Item = FunctionId>,
    ) -> BTreeSet<FunctionId> {
        let mut reached = BTreeSet::new();
        let mut work: Vec<FunctionId> = first.into_iter().collect();
        while let Some(id) = work.pop() {
            if reached.insert(id) {
                work.extend(self.calls.get(&id).into_iter().flatten());
            }
        }
        reached
    }

    /// Functions that an instruction may call.
    pub(crate) fn callees(&self, function: FunctionId, op: &Op) -> Vec<FunctionId> {
        match op {
            Op::Call { callee, .. } => vec![*callee],
            Op::CallIndirect { callee, .. } => functions(&self.of(function, *callee)),
            Op::Library { args, .. } => {
                let called = |(_, arg): &(_, Operand)| functions(&self.of(function, *arg));
                args.iter().flat_map(called).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a block made there may be given to `free`.
    #[must_use]
    pub fn may_be_freed(&self, target: Target) -> bool {
        self.freed.contains_key(&target)
    }

    /// Whether the program can tell that a new heap block has the address of a freed one: it
    /// compares two pointers that may both point to heap blocks, swaps such pointers, or turns one
    /// into a number.
    #[must_use]
    pub fn observes_addresses(&self, program: &Program) -> bool {
        let is_heap = |target: &Target| match *target {
            Target::Allocation(function, block, index) => {
                let block = program.function(function).block(block);
                let op = block.instructions.get(index as usize).map(|it| &it.op);
                !matches!(op, Some(Op::Alloca { .. }))
            }
            _ => false,
        };
        let heap = |targets: Vec<Target>| targets.iter().any(is_heap);
        let observes = |id: FunctionId, op: &Op| match op {
            Op::Compare { lhs, rhs, .. } => heap(self.of(id, *lhs)) && heap(self.of(id, *rhs)),
            Op::CompareExchange { address, .. } => heap(self.behind(id, *address)),
            Op::Cast { op: CastOp::PtrToInt, value, .. } => heap(self.of(id, *value)),
            _ => false,
        };
        (0u32..).map(FunctionId).zip(&program.functions).any(|(id, function)| {
            let mut ops = function.blocks.iter().flat_map(|block| &block.instructions);
            ops.any(|instruction| observes(id, &instruction.op))
        })
    }

    fn enter_globals(&mut self, program: &Program) {
        for (number, global) in (0u32..).zip(&program.globals) {
            let contents = self.contents.entry(Target::Global(GlobalId(number))).or_default();
            for relocation in &global.relocations {
                let at = i64::try_from(relocation.offset).unwrap_or(i64::MAX);
                let held = static_target(relocation.target).into_iter().collect();
                contents.put(Stride::exactly(at), self.pointer_bytes, &held);
            }
        }
        let main = program.function(program.main);
        for (&param, &argument) in main.params.iter().zip(&program.arguments) {
            let targets = self.registers.entry((program.main, param)).or_default();
            targets.extend(static_target(argument));
        }
    }

    /// Counts work.
    fn spend(&self, work: usize) {
        self.work.set(self.work.get().saturating_sub(work as u64));
    }

    fn function(&mut self, program: &Program, id: FunctionId, function: &Function) {
        for (number, block) in (0u32..).zip(&function.blocks) {
            if self.work.get() == 0 {
                return;
            }
            for (index, instruction) in (0u32..).zip(self.alarm.until(&block.instructions)) {
                let at = At { function: id, block: BlockId(number), index };
                self.instruction(program, at, &instruction.op);
            }
            for edge in block.end.edges() {
                self.edge(id, function, edge);
            }
            if let Terminator::Return(values) = &block.end {
                let values = self.union(id, values);
                let returns = self.returns.entry(id).or_default();
                self.changed |= extend(returns, &values);
            }
        }
    }

    fn edge(&mut self, id: FunctionId, function: &Function, edge: &Edge) {
        for (&param, &arg) in function.block(edge.target).params.iter().zip(&edge.args) {
            let values = self.union(id, &[arg]);
            self.flow(id, param, &values);
        }
    }

    fn union(&self, function: FunctionId, operands: &[Operand]) -> Targets {
        let mut all = Targets::new();
        for &operand in operands {
            extend(&mut all, &self.places(function, operand));
        }
        all
    }

    fn flow(&mut self, function: FunctionId, reg: Reg, values: &Targets) {
        if !values.is_empty() {
            self.spend(values.len());
            let targets = self.registers.entry((function, reg)).or_default();
            self.changed |= extend(targets, values);
        }
    }

    /// What so many bytes behind a pointer may hold.
    fn load(&self, function: FunctionId, address: Operand, bytes: u64) -> Targets {
        let mut held = Targets::new();
        if bytes < self.pointer_bytes {
            return held;
        }
        for (target, at) in self.alarm.until(self.places(function, address)) {
            if let Some(contents) = self.contents.get(&target) {
                let here = contents.at(at, bytes);
                self.spend(1 + here.len());
                extend(&mut held, &here);
            }
        }
        held
    }

    fn store(&mut self, function: FunctionId, address: Operand, bytes: u64, values: &Targets) {
        if values.is_empty() || bytes < self.pointer_bytes {
            return;
        }
        for (target, at) in self.alarm.until(self.places(function, address)) {
            self.spend(values.len());
            self.changed |= self.contents.entry(target).or_default().put(at, bytes, values);
        }
    }

    /// A copy of memory: each field keeps its distance from where the copy begins.
    fn copy(&mut self, function: FunctionId, to: Operand, from: Operand) {
        for (source, begin) in self.alarm.until(self.places(function, from)) {
            let Some(held) = self.contents.get(&source).cloned() else { continue };
            for (target, at) in self.alarm.until(self.places(function, to)) {
                self.spend(1 + held.targets().count());
                let contents = self.contents.entry(target).or_default();
                self.changed |= contents.copy(at, &held, begin);
            }
        }
    }

    fn instruction(&mut self, program: &Program, at: At, op: &Op) {
        let function = at.function;
        match op {
            // Half a pointer leads nowhere.
            Op::Cast { op: CastOp::Truncate, to, .. }
                if to.bytes(program.target) < self.pointer_bytes => {}
            Op::Cast { dst, .. } | Op::Select { dst, .. } | Op::Copy { dst, .. } => {
                let values = self.union(function, &op.uses());
                self.flow(function, *dst, &values);
            }
            Op::Binary { dst, .. } | Op::Bits { dst, .. } => {
                let values = self.union(function, &op.uses());
                let values = values.into_keys().map(|target| (target, Stride::ANY)).collect();
                self.flow(function, *dst, &values);
            }
            Op::Offset { dst, base, constant, terms } => {
                let values = self.places(function, *base).into_iter();
                let scales = || terms.iter().map(|term| term.scale);
                let moved =
                    |(target, at): (Target, Stride)| (target, at.moved(*constant, scales()));
                self.flow(function, *dst, &values.map(moved).collect());
            }
            Op::Alloca { dst, .. } => self.allocation(at, *dst),
            Op::Load { dst, ty, address, .. } => {
                let values = self.load(function, *address, ty.bytes(program.target));
                self.flow(function, *dst, &values);
            }
            Op::Store { ty, address, value, .. } => {
                let values = self.union(function, &[*value]);
                self.store(function, *address, ty.bytes(program.target), &values);
            }
            Op::ReadModifyWrite { dst, op, ty, address, value, .. } => {
                let bytes = ty.bytes(program.target);
                let mut values = self.load(function, *address, bytes);
                self.flow(function, *dst, &values);
                if *op == RmwOp::Exchange {
                    values = self.union(function, &[*value]);
                } else {
                    // Arithmetic: it still points somewhere into the same objects.
                    extend(&mut values, &self.union(function, &[*value]));
                    values = values.into_keys().map(|it| (it, Stride::ANY)).collect();
                }
                self.store(function, *address, bytes, &values);
            }
            Op::CompareExchange { old, ty, address, new, .. } => {
                let bytes = ty.bytes(program.target);
                let values = self.load(function, *address, bytes);
                self.flow(function, *old, &values);
                let values = self.union(function, &[*new]);
                self.store(function, *address, bytes, &values);
            }
            Op::MemoryCopy { to, from, .. } => self.copy(function, *to, *from),
            Op::Call { results, callee, args } => {
                self.call(program, function, *callee, args, results);
            }
            Op::CallIndirect { results, callee, args } => {
                let args: Vec<Operand> = args.iter().map(|(_, arg)| *arg).collect();
                for target in functions(&self.of(function, *callee)) {
                    self.call(program, function, target, &args, results);
                }
            }
            Op::Library { result, primitive, args } => {
                let args: Vec<Operand> = args.iter().map(|(_, arg)| *arg).collect();
                self.library(program, at, primitive.action(), &args, *result);
            }
            Op::Compare { .. }
            | Op::Float { .. }
            | Op::FloatCompare { .. }
            | Op::EndLocal { .. }
            | Op::Fence { .. }
            | Op::MemorySet { .. }
            | Op::External { .. }
            | Op::Variable { .. }
            | Op::Unsupported { .. } => {}
        }
    }

    fn allocation(&mut self, at: At, dst: Reg) {
        let target = Target::Allocation(at.function, at.block, at.index);
        self.flow(at.function, dst, &Targets::from([(target, Stride::exactly(0))]));
    }

    fn call(
        &mut self,
        program: &Program,
        caller: FunctionId,
        callee: FunctionId,
        args: &[Operand],
        results: &[Reg],
    ) {
        self.changed |= self.calls.entry(caller).or_default().insert(callee);
        for (&param, &arg) in program.function(callee).params.iter().zip(args) {
            let values = self.union(caller, &[arg]);
            self.flow(callee, param, &values);
        }
        let returned = self.returns.get(&callee).cloned().unwrap_or_default();
        for &result in results {
            self.flow(caller, result, &returned);
        }
    }

    fn library(
        &mut self,
        program: &Program,
        at: At,
        action: Action,
        args: &[Operand],
        result: Option<Reg>,
    ) {
        let function = at.function;
        let arg = |index: usize| args.get(index).copied().unwrap_or(Operand::Undef);
        match action {
            Action::Memory(memory) => self.memory(at, memory, args, result),
            Action::Thread(Thread::Create, _) => self.create(program, at, arg(2), arg(3)),
            Action::Thread(Thread::CreateC11, _) => self.create(program, at, arg(1), arg(2)),
            Action::Thread(Thread::Join | Thread::JoinC11, _) => {
                let values = self.results.clone();
                self.store(function, arg(1), self.pointer_bytes, &values);
            }
            Action::Thread(Thread::Exit, _) => {
                let values = self.union(function, &[arg(0)]);
                self.changed |= extend(&mut self.results, &values);
            }
            Action::Thread(Thread::KeyCreate, _) => {
                for destructor in functions(&self.of(function, arg(1))) {
                    self.changed |= self.destructors.insert(destructor);
                    self.call(program, function, destructor, &[], &[]);
                    let specific = self.specific.clone();
                    if let Some(&param) = program.function(destructor).params.first() {
                        self.flow(destructor, param, &specific);
                    }
                }
            }
            Action::Thread(Thread::KeySet, _) => {
                let values = self.union(function, &[arg(1)]);
                self.changed |= extend(&mut self.specific, &values);
            }
            Action::Thread(Thread::KeyGet, _) => {
                let values = self.specific.clone();
                result.into_iter().for_each(|dst| self.flow(function, dst, &values));
            }
            Action::Sync(op, _) if op.argument() == Argument::Function => {
                for callee in functions(&self.of(function, arg(op.argument().position()))) {
                    self.call(program, function, callee, &[], &[]);
                }
            }
            Action::ErrnoLocation => {
                let errno = Targets::from([(Target::Errno, Stride::exactly(0))]);
                result.into_iter().for_each(|dst| self.flow(function, dst, &errno));
            }
            _ => {}
        }
    }

    fn memory(&mut self, at: At, memory: MemoryFunction, args: &[Operand], result: Option<Reg>) {
        let first = args.first().copied().unwrap_or(Operand::Undef);
        match memory {
            MemoryFunction::Free => {
                let freed = self.union(at.function, &[first]);
                self.changed |= extend(&mut self.freed, &freed);
            }
            MemoryFunction::Realloc | MemoryFunction::ReallocArray => {
                let freed = self.union(at.function, &[first]);
                self.changed |= extend(&mut self.freed, &freed);
                let block = Target::Allocation(at.function, at.block, at.index);
                for (old, begin) in freed {
                    let Some(held) = self.contents.get(&old).cloned() else { continue };
                    let contents = self.contents.entry(block).or_default();
                    self.changed |= contents.copy(Stride::exactly(0), &held, begin);
                }
                result.into_iter().for_each(|dst| self.allocation(at, dst));
            }
            MemoryFunction::Malloc | MemoryFunction::Calloc | MemoryFunction::AlignedAlloc => {
                result.into_iter().for_each(|dst| self.allocation(at, dst));
            }
        }
    }

    fn create(&mut self, program: &Program, at: At, start: Operand, arg: Operand) {
        let handed = self.union(at.function, &[arg]);
        self.changed |= extend(&mut self.handed_over, &handed);
        for start in functions(&self.of(at.function, start)) {
            self.changed |= self.starts.insert(start);
            if let Some(&param) = program.function(start).params.first() {
                self.flow(start, param, &handed);
            }
            let returned = self.returns.get(&start).cloned().unwrap_or_default();
            self.changed |= extend(&mut self.results, &returned);
        }
    }

    /// Shared: reachable from memory that all threads know, and accessed by code that a created
    /// thread may run. Until one is created, `main` is alone.
    fn find_shared(&mut self, program: &Program) {
        let mut work: Vec<Target> = (0u32..)
            .zip(&program.globals)
            .filter(|(_, global)| !global.thread_local && !global.constant)
            .map(|(number, _)| Target::Global(GlobalId(number)))
            .collect();
        work.extend(self.handed_over.keys().chain(self.results.keys()).copied());
        let mut escaped = BTreeSet::new();
        while let Some(target) = work.pop() {
            if escaped.insert(target) {
                work.extend(self.contents.get(&target).into_iter().flat_map(Contents::targets));
            }
        }
        let accessed = self.accessed_by_threads(program);
        // What a pointer in shared memory leads to is found only when all threads are known, so it
        // counts as shared even if only `main` follows the pointer.
        let mut work: Vec<Target> = escaped.intersection(&accessed).copied().collect();
        work.extend(self.results.keys());
        while let Some(target) = work.pop() {
            if self.shared.insert(target) {
                work.extend(self.contents.get(&target).into_iter().flat_map(Contents::targets));
            }
        }
    }

    fn accessed_by_threads(&self, program: &Program) -> BTreeSet<Target> {
        let mut accessed = BTreeSet::new();
        for id in self.reached_from(self.thread_code()) {
            let blocks = program.function(id).blocks.iter();
            for instruction in self.alarm.until(blocks.flat_map(|block| &block.instructions)) {
                let addresses = addresses(&instruction.op);
                accessed.extend(addresses.into_iter().flat_map(|it| self.of(id, it)));
            }
        }
        accessed
    }
}

/// Operands through which an instruction accesses memory.
fn addresses(op: &Op) -> Vec<Operand> {
    match op {
        Op::Load { address, .. }
        | Op::Store { address, .. }
        | Op::ReadModifyWrite { address, .. }
        | Op::CompareExchange { address, .. } => vec![*address],
        Op::MemoryCopy { to, from, .. } => vec![*to, *from],
        Op::MemorySet { to, .. } => vec![*to],
        Op::Library { args, .. } | Op::External { args, .. } => {
            args.iter().map(|(_, arg)| *arg).collect()
        }
        _ => Vec::new(),
    }
}

fn functions(targets: &[Target]) -> Vec<FunctionId> {
    let function = |target: &Target| match target {
        Target::Function(id) => Some(*id),
        _ => None,
    };
    targets.iter().filter_map(function).collect()
}

fn static_target(operand: Operand) -> Option<(Target, Stride)> {
    match operand {
        Operand::Global(id, offset) => Some((Target::Global(id), Stride::exactly(offset))),
        Operand::Function(id) => Some((Target::Function(id), Stride::exactly(0))),
        _ => None,
    }
}

pub(crate) fn extend(set: &mut Targets, more: &Targets) -> bool {
    let mut changed = false;
    for (&target, &at) in more {
        match set.get_mut(&target) {
            Some(known) => {
                let joined = known.join(at);
                changed |= joined != *known;
                *known = joined;
            }
            None => {
                set.insert(target, at);
                changed = true;
            }
        }
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_meet_in_what_both_can_be() {
        let zero = Stride::exactly(0);
        assert_eq!(zero.join(Stride::exactly(8)), Stride::new(8, 0));
        assert_eq!(Stride::new(8, 4).join(Stride::new(12, 4)), Stride::new(4, 0));
        assert!(Stride::new(24, 8).contains(56));
        assert!(!Stride::new(24, 8).contains(48));
        assert!(Stride::exactly(8).contains(8) && !Stride::exactly(8).contains(16));
    }

    #[test]
    fn an_index_makes_a_stride_of_its_scale() {
        let field = Stride::exactly(0).moved(4, [12].into_iter());
        assert!(field.contains(4) && field.contains(16) && !field.contains(8));
    }
}
