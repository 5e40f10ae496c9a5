//! Thread-specific data.
//!
//! What each thread has under its keys is an array that only it reaches. Which keys there are, and
//! their destructors, is state that all threads share: keys are numbered as they are made, and each
//! has a cell with its destructor.

use unravel_interp::Property;
use unravel_kinds::Unmodelled;
use unravel_program::library::{Action, Convention, Thread as ThreadAction, codes};
use unravel_program::{FunctionId, Op, Operand, Reg};
use unravel_term::Term;

use super::Executor;
use crate::graph::{FindingKind, MayAccess, Space, StepId};
use crate::object::ObjectId;
use crate::state::State;
use crate::value::Value;

/// Keys that a program may make.
const MOST_KEYS: u64 = 8;
/// A key's cell: bit 64 says that it exists, the rest is its destructor.
const WIDTH: u16 = 65;

/// The state of keys, where it lies.
pub(crate) struct Keys {
    /// Cell 0 has the number of keys, cell 1 + n the key n.
    cells: ObjectId,
    destructors: Vec<FunctionId>,
    /// The program deletes keys.
    deletes: bool,
}

impl Executor<'_> {
    fn key_cells(&mut self) -> ObjectId {
        if let Some(keys) = &self.keys {
            return keys.cells;
        }
        let cells = self.runtime_object(1 + MOST_KEYS);
        let destructors = destructors(self.program);
        let deletes = calls(self.program, ThreadAction::KeyDelete);
        self.keys = Some(Keys { cells, destructors, deletes });
        cells
    }

    /// This thread's values, by key.
    fn specific(&mut self) -> ObjectId {
        if let Some(known) = self.current.specific {
            return known;
        }
        let bytes = self.pointer_bytes();
        let id = self.runtime_object(MOST_KEYS * bytes);
        self.current.specific = Some(id);
        id
    }

    /// The cell with a number.
    fn key_cell(&mut self, number: Term) -> (Value, std::rc::Rc<MayAccess>) {
        let cells = self.key_cells();
        let width = self.pointer_bits();
        let (terms, objects) = self.parts();
        let start = objects.address(terms, cells, 0, width);
        let number = terms.resize_zext(number, width);
        let address = Value { bits: terms.add(start.bits, number), ..start };
        let may = MayAccess { objects: vec![cells], anywhere_in: Vec::new() };
        (address, std::rc::Rc::new(may))
    }

    fn read_cell(&mut self, step: StepId, guard: Term, number: Term, width: u16) -> Term {
        let (address, may) = self.key_cell(number);
        let bits = self.terms().var(width);
        let value = Value::number(self.terms(), bits);
        self.event(step, guard, Space::Sync, false, address, 1, value, &may);
        bits
    }

    fn write_cell(&mut self, step: StepId, guard: Term, number: Term, bits: Term) {
        let (address, may) = self.key_cell(number);
        let value = Value::number(self.terms(), bits);
        self.event(step, guard, Space::Sync, true, address, 1, value, &may);
    }

    /// The cell of a key, and that there may be such a key.
    fn cell_of(&mut self, key: Term) -> (Term, Term) {
        let terms = self.terms();
        let (one, most) = (terms.constant(32, 1), terms.constant(32, u128::from(MOST_KEYS)));
        let in_range = terms.ult(key, most);
        let zero = terms.constant(32, 0);
        let key = terms.ite(in_range, key, zero);
        (terms.add(key, one), in_range)
    }

    pub fn create_key(&mut self, state: &mut State, at: Operand, destructor: Operand) -> Term {
        let width = self.pointer_bits();
        let destructor = self.operand(state, destructor, width);
        let step = self.step(state);
        let (guard, first) = (state.guard, self.terms().constant(32, 0));
        let count = self.read_cell(step, guard, first, 32);
        let (cell, in_range) = self.cell_of(count);
        let many = self.terms().not(in_range);
        let many = self.terms().and(state.guard, many);
        let what = Unmodelled::ManyKeys(MOST_KEYS);
        self.find(many, FindingKind::Unsupported(what), state);
        state.require(&mut self.graph.terms, in_range);
        let terms = self.terms();
        let one = terms.constant(32, 1);
        let next = terms.add(count, one);
        let exists = terms.constant(1, 1);
        let bits = terms.resize_zext(destructor.bits, WIDTH - 1);
        let made = terms.concat(exists, bits);
        self.write_cell(step, state.guard, first, next);
        self.write_cell(step, state.guard, cell, made);
        let pointer = self.operand(state, at, width);
        let value = Value::number(self.terms(), count);
        self.together = Some(step);
        self.store(state, at, pointer, 4, value);
        self.together = None;
        self.terms().constant(32, 0)
    }

    /// Whether a key exists.
    fn key_exists(&mut self, step: StepId, guard: Term, key: Term) -> (Term, Term) {
        let (cell, in_range) = self.cell_of(key);
        let bits = self.read_cell(step, guard, cell, WIDTH);
        let exists = self.terms().extract(bits, WIDTH - 1, 1);
        (self.terms().and(exists, in_range), cell)
    }

    fn unless_missing(&mut self, exists: Term) -> Term {
        let fine = self.terms().constant(32, 0);
        let wrong = self.terms().constant(32, i128::from(codes::EINVAL).cast_unsigned());
        self.terms().ite(exists, fine, wrong)
    }

    /// A key that there was and is no more: POSIX leaves open what becomes of it.
    fn refuse_deleted(&mut self, state: &mut State, step: StepId, key: Term) {
        self.key_cells();
        if self.keys.as_ref().is_none_or(|keys| !keys.deletes)
            || !self.config.properties.has(Property::Misuse)
        {
            return;
        }
        let first = self.terms().constant(32, 0);
        let count = self.read_cell(step, state.guard, first, 32);
        let (exists, _) = self.key_exists(step, state.guard, key);
        let made = self.terms().ult(key, count);
        let gone = self.terms().not(exists);
        let deleted = self.terms().and(made, gone);
        self.violation(state, Property::Misuse, deleted);
    }

    pub fn delete_key(&mut self, state: &mut State, key: Operand) -> Term {
        let key = self.number(state, key, 32);
        let step = self.step(state);
        self.refuse_deleted(state, step, key);
        let (exists, cell) = self.key_exists(step, state.guard, key);
        let guard = self.terms().and(state.guard, exists);
        let gone = self.terms().constant(WIDTH, 0);
        self.write_cell(step, guard, cell, gone);
        self.unless_missing(exists)
    }

    pub fn set_key(&mut self, state: &mut State, key: Operand, value: Operand) -> Term {
        let key = self.number(state, key, 32);
        let width = self.pointer_bits();
        let value = self.operand(state, value, width);
        let step = self.step(state);
        self.refuse_deleted(state, step, key);
        let (exists, _) = self.key_exists(step, state.guard, key);
        let pointer = self.slot(key);
        let object = self.specific();
        let bytes = self.pointer_bytes();
        self.write_private(state, object, pointer, bytes, value, exists);
        self.unless_missing(exists)
    }

    /// Where this thread's value of a key lies.
    fn slot(&mut self, key: Term) -> Value {
        let (id, width) = (self.specific(), self.pointer_bits());
        let bytes = self.pointer_bytes();
        let (terms, objects) = self.parts();
        let start = objects.address(terms, id, 0, width);
        let most = terms.constant(32, u128::from(MOST_KEYS - 1));
        let key = terms.and(key, most);
        let key = terms.resize_zext(key, width);
        let bytes = terms.constant(width, u128::from(bytes));
        let offset = terms.mul(key, bytes);
        Value { bits: terms.add(start.bits, offset), ..start }
    }

    pub fn get_key(&mut self, state: &mut State, key: Operand, result: Option<Reg>) {
        let key = self.number(state, key, 32);
        self.key_cells();
        if self.keys.as_ref().is_some_and(|keys| keys.deletes) {
            let step = self.step(state);
            self.refuse_deleted(state, step, key);
        }
        let value = self.value_of_key(state, key);
        let width = self.pointer_bits();
        let most = self.terms().constant(32, u128::from(MOST_KEYS));
        let in_range = self.terms().ult(key, most);
        let null = self.constant(width, 0);
        let value = value.or_else(self.terms(), in_range, null);
        if let Some(reg) = result {
            self.set(state, reg, value);
        }
    }

    fn value_of_key(&mut self, state: &mut State, key: Term) -> Value {
        let pointer = self.slot(key);
        let object = self.specific();
        let (bytes, width) = (self.pointer_bytes(), self.pointer_bits());
        let value = self.read_private(state, object, pointer, bytes);
        value.unwrap_or_else(|| self.constant(width, 0))
    }

    pub fn key_function(
        &mut self,
        state: &mut State,
        action: ThreadAction,
        args: [Operand; 2],
        convention: Convention,
        result: Option<Reg>,
    ) {
        let code = match action {
            ThreadAction::KeyCreate => self.create_key(state, args[0], args[1]),
            ThreadAction::KeyDelete => self.delete_key(state, args[0]),
            ThreadAction::KeySet => self.set_key(state, args[0], args[1]),
            _ => return self.get_key(state, args[0], result),
        };
        self.report_code(state, convention, code, result);
    }

    /// Runs the destructors of what a thread that ends has under its keys. They run in any order,
    /// which is followed where there is only one to run. One that sets its own key again runs again,
    /// up to so many times.
    pub fn run_destructors(&mut self, state: &mut State) {
        let any = self.keys.as_ref().is_some_and(|keys| !keys.destructors.is_empty());
        if !any || self.current.specific.is_none() || state.atomic.is_some() {
            return;
        }
        let truth = self.terms().truth();
        let mut ran = [truth; MOST_KEYS as usize];
        for _ in 0..codes::DESTRUCTOR_ITERATIONS {
            ran = self.run_round(state, ran);
            if ran.iter().all(|&it| self.graph.terms.is_false(it)) {
                return;
            }
        }
    }

    /// Runs the destructors that are due, at most one, and says of which keys. After the first round
    /// it must be that of the same key: in which round another comes depends on their order.
    fn run_round(
        &mut self,
        state: &mut State,
        mut ran: [Term; MOST_KEYS as usize],
    ) -> [Term; MOST_KEYS as usize] {
        let mut before = self.terms().falsity();
        for (key, ran) in (0..).zip(&mut ran) {
            let key = self.terms().constant(32, key);
            let due = self.due(state, key);
            let ways: Vec<Term> = due.iter().map(|&(_, here)| here).collect();
            let here = self.terms().or_all(&ways);
            self.not_followed(state, before, here, Unmodelled::SeveralDestructors);
            let other = self.terms().not(*ran);
            self.not_followed(state, other, here, Unmodelled::DestructorSetsKey);
            before = self.terms().or(before, here);
            *ran = self.terms().and(state.guard, here);
            self.run_destructor(state, key, &due);
        }
        ran
    }

    fn not_followed(&mut self, state: &mut State, before: Term, here: Term, what: Unmodelled) {
        let both = self.terms().and(before, here);
        let guard = self.terms().and(state.guard, both);
        self.find(guard, FindingKind::Unsupported(what), state);
        let fine = self.terms().not(both);
        state.require(&mut self.graph.terms, fine);
    }

    /// The destructors that a key may have, each with the condition that it is to run: the thread
    /// has a value there.
    fn due(&mut self, state: &mut State, key: Term) -> Vec<(FunctionId, Term)> {
        let width = self.pointer_bits();
        let value = self.value_of_key(state, key);
        let null = self.terms().constant(width, 0);
        let none = self.terms().eq(value.bits, null);
        if self.graph.terms.is_true(none) || self.graph.terms.is_false(state.guard) {
            return Vec::new();
        }
        let step = self.new_step(state);
        let (exists, cell) = self.key_exists(step, state.guard, key);
        let bits = self.read_cell(step, state.guard, cell, WIDTH);
        let destructor = self.terms().extract(bits, 0, width);
        let some = self.terms().not(none);
        let functions = self.keys.as_ref().map_or_else(Vec::new, |keys| keys.destructors.clone());
        let mut due = Vec::new();
        for function in functions {
            let here = self.terms().constant(width, super::function_address(function));
            let is_here = self.terms().eq(destructor, here);
            due.push((function, self.terms().and_all(&[some, exists, is_here])));
        }
        due
    }

    /// Takes the value of a key away and calls the destructor.
    fn run_destructor(&mut self, state: &mut State, key: Term, due: &[(FunctionId, Term)]) {
        let value = self.value_of_key(state, key);
        let mut merged = None;
        let mut rest = state.clone();
        self.current.alternatives += 1;
        for &(function, due) in due {
            let mut path = state.clone();
            path.require(&mut self.graph.terms, due);
            let not = self.terms().not(due);
            rest.require(&mut self.graph.terms, not);
            if !self.graph.terms.is_false(path.guard) {
                self.clear_key(&mut path, key);
                self.call(&mut path, function, &[value]);
                self.join_paths(&mut merged, path);
            }
        }
        self.current.alternatives -= 1;
        self.join_paths(&mut merged, rest);
        *state = merged.unwrap_or_else(|| self.dead());
    }

    fn clear_key(&mut self, state: &mut State, key: Term) {
        let pointer = self.slot(key);
        let object = self.specific();
        let (bytes, width) = (self.pointer_bytes(), self.pointer_bits());
        let null = self.constant(width, 0);
        let truth = self.terms().truth();
        self.write_private(state, object, pointer, bytes, null, truth);
    }
}

/// Whether a program does something to keys.
fn calls(program: &unravel_program::Program, wanted: ThreadAction) -> bool {
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    blocks.flat_map(|block| &block.instructions).any(|instruction| match &instruction.op {
        Op::Library { primitive, .. } => {
            matches!(primitive.action(), Action::Thread(action, _) if action == wanted)
        }
        _ => false,
    })
}

/// All functions that the program gives as destructors.
fn destructors(program: &unravel_program::Program) -> Vec<FunctionId> {
    let mut found = Vec::new();
    let blocks = program.functions.iter().flat_map(|function| &function.blocks);
    for instruction in blocks.flat_map(|block| &block.instructions) {
        let Op::Library { primitive, args, .. } = &instruction.op else { continue };
        if !matches!(primitive.action(), Action::Thread(ThreadAction::KeyCreate, _)) {
            continue;
        }
        match args.get(1) {
            Some(&(_, Operand::Function(id))) => found.push(id),
            Some(&(_, Operand::Int(0))) | None => {}
            // A computed one may be any function whose address is taken.
            Some(_) => found.extend((0u32..).map(FunctionId).take(program.functions.len())),
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
