//! Functions of the library that are modelled as code, byte by byte (`strcpy` and its kind), where a
//! context switch cuts them or where they read what was never written.
//!
//! The model has no text to take apart, but the trace has its accesses. Of each part between two
//! switches the file has what it read, as a check, and what it wrote, as the bytes of the run: with
//! the same arguments and the same bytes read, the function goes the same way and writes the same.
//! Addresses are told as distances from the arguments.

use std::collections::{BTreeMap, BTreeSet};

use tree_sitter::Node;
use unravel_interp::memory::{ObjectId, Origin};
use unravel_interp::value::Value;
use unravel_program::Type;
use unravel_program::library::{Action, Verifier};

use crate::pieces::{Filled, Val, of_parts};
use crate::text::{is_of_thread_library, operand};
use crate::trace::{Access, Entry, Fate, What};
use crate::tree::arguments;
use crate::value::{bytes_literal, number};
use crate::walk::{Extent, Halt, Walk, Walker};

/// Bytes of memory, by object and address.
type Bytes = BTreeMap<(ObjectId, u64), u8>;

/// What a function does to memory between two context switches.
#[derive(Debug, Default)]
struct Part {
    segment: usize,
    /// What it reads that was never written: the run decides.
    given: Bytes,
    /// What it reads before it has written there.
    read: Bytes,
    written: Bytes,
}

/// A pointer that the function is called with: its text and where it points in the run.
struct Base {
    text: String,
    value: Value,
}

impl<'a> Walker<'_, 'a> {
    /// Whether a function of the library is modelled as code.
    pub fn is_modelled(&self, name: &str) -> bool {
        self.unit.program.functions.iter().any(|it| it.library && it.name == name)
    }

    /// A call of a modelled function.
    pub fn model(&mut self, node: Node<'a>, name: &str, wanted: bool) -> Walk<Val> {
        if is_of_thread_library(name) {
            return self.thread_model(node, name);
        }
        let mut filled = self.argument_values(node)?;
        let rest = self.rest(node);
        let Some(called) = self.model_call(&rest) else {
            return self.refuse(format!("this call of `{name}`"), node);
        };
        let ends = |it: &Entry| it.fate != Fate::Done;
        if rest.is_cut || self.entries()[called..rest.end].iter().any(ends) {
            return self.torn_model(node, name, filled, &rest, called);
        }
        if self.entries()[called + 1..rest.end].iter().any(is_decided_outside) {
            return self.decided_outside(node, name, &mut filled, &rest, called);
        }
        self.settle(&mut filled, rest.segment)?;
        if self.entries()[called + 1..rest.end].iter().any(|it| !it.inputs.is_empty()) {
            let bases = self.bases(called, &filled);
            for part in self.parts_of_model(node, name, called, &rest)? {
                self.write_bytes(node, name, &bases, &part.given, part.segment)?;
            }
        }
        let text = self.with_block(&call_text(name, &filled), name, &rest, node, &filled)?;
        let val = Val { text, accesses: true, effects: true, ..of_parts(&filled, &rest) };
        self.go(rest.end);
        if !wanted {
            let segment = val.segment.unwrap_or(self.segment);
            self.write(segment, format!("{};", val.text), node);
        }
        Ok(val)
    }

    /// A function whose result the outside decides: the one of the run, if there is no more to it.
    fn decided_outside(
        &mut self,
        node: Node<'a>,
        name: &str,
        filled: &mut [Filled<'a>],
        rest: &Extent,
        called: usize,
    ) -> Walk<Val> {
        self.settle(filled, rest.segment)?;
        let inside = &self.entries()[called + 1..rest.end];
        let locals = inside.iter().filter(|it| it.what == What::Local);
        let own: BTreeSet<ObjectId> = locals.filter_map(|it| it.result?.provenance).collect();
        // Behind the call may stand steps of the caller that belong to no expression.
        let mut steps = inside.iter().filter(|it| it.depth > self.depth);
        if steps.any(|it| self.changes_the_program(it, &own)) {
            return self.refuse(format!("what `{name}` leaves behind"), node);
        }
        let errno = self.errno_from_outside(inside);
        let (bases, returned) = (self.bases(called, filled), self.entries()[called].returned);
        self.set_errno(node, errno, rest.segment.unwrap_or(self.segment))?;
        self.go(rest.end);
        let call = call_text(name, filled);
        Ok(Val::known(returned.map_or_else(String::new, |it| self.returned(&call, it, &bases))))
    }

    /// Whether a step of a model writes what is not the model's own.
    fn changes_the_program(&self, entry: &Entry, own: &BTreeSet<ObjectId>) -> bool {
        let program = &self.unit.program;
        let is_static = |id: ObjectId| {
            let origin = self.trace.state.object(id).map(|it| &it.origin);
            matches!(origin, Some(Origin::Global(id)) if program.global(*id).name.contains("__unravel_"))
        };
        let is_own = |id: ObjectId| own.contains(&id) || is_static(id);
        match entry.what {
            What::Store if entry.errno.is_some() => false,
            What::Store | What::Update => {
                let place = entry.access.and_then(|it| it.address.provenance);
                !place.is_some_and(is_own)
            }
            What::Copy => program.function(entry.function).name == "__unravel_writes",
            _ => !program.function(entry.function).library,
        }
    }

    /// A setting of the thread library: there are no threads in the file, so only its result is left.
    fn thread_model(&mut self, node: Node<'a>, name: &str) -> Walk<Val> {
        let effects = arguments(node).into_iter().any(|it| self.unit.has_effects(it));
        if effects || name.contains("attr_get") {
            return self.refuse(format!("`{name}` where something depends on it"), node);
        }
        let rest = self.rest(node);
        let Some(called) = self.model_call(&rest) else {
            return self.refuse(format!("this call of `{name}`"), node);
        };
        let entries = &self.entries()[called..rest.end];
        let ends = entries.iter().find(|it| it.fate != Fate::Done).map(|it| it.fate);
        let returned = self.entries()[called].returned.map_or(0, |it| it.bits);
        let segment = self.segment;
        self.go(rest.end);
        if ends == Some(Fate::Failing) {
            self.fail(node, None);
        }
        if ends.is_some() {
            return Err(Halt::End);
        }
        self.remark_in(node, segment);
        Ok(Val::known(number(returned, 32, false)))
    }

    /// The call of a modelled function in a stretch of the trace.
    fn model_call(&self, rest: &Extent) -> Option<usize> {
        let entries = &self.entries()[self.at..rest.end];
        let of_library = |id| self.unit.program.function(id).library;
        let is_call = |it: &Entry| {
            it.depth == self.depth && matches!(it.what, What::Call(id) if of_library(id))
        };
        entries.iter().position(is_call).map(|it| self.at + it)
    }

    /// A modelled function with others in between, or in which the run ends.
    fn torn_model(
        &mut self,
        node: Node<'a>,
        name: &str,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
        called: usize,
    ) -> Walk<Val> {
        self.settle_all(&mut filled)?;
        self.go(called);
        self.check_arguments(node, called, &filled);
        let bases = self.bases(called, &filled);
        for part in self.parts_of_model(node, name, called, rest)? {
            self.write_part(node, name, &bases, &part)?;
        }
        let ends = self.entries()[called..rest.end].iter().find(|it| it.fate != Fate::Done);
        let (ends, returned) = (ends.map(|it| it.fate), self.entries()[called].returned);
        self.go(rest.end);
        if ends == Some(Fate::Failing) {
            self.fail(node, None);
        }
        if ends.is_some() {
            return Err(Halt::End);
        }
        let call = call_text(name, &filled);
        Ok(Val::known(returned.map_or_else(String::new, |it| self.returned(&call, it, &bases))))
    }

    /// The pointers among the arguments.
    fn bases(&self, called: usize, filled: &[Filled<'a>]) -> Vec<Base> {
        let pairs = self.entries()[called].arguments.iter().zip(filled);
        let pairs = pairs.filter(|(value, _)| value.provenance.is_some());
        pairs.map(|(value, it)| Base { text: it.text().to_owned(), value: *value }).collect()
    }

    /// Checks that the arguments that are no pointers are as in the run.
    fn check_arguments(&mut self, node: Node<'a>, called: usize, filled: &[Filled<'a>]) {
        let entry = &self.entries()[called];
        let What::Call(callee) = entry.what else { return };
        let function = self.unit.program.function(callee);
        let types = function.params.iter().map(|it| function.type_of(*it));
        for ((value, ty), it) in entry.arguments.iter().zip(types).zip(filled) {
            let is_constant = it.text().chars().all(|c| c.is_ascii_digit());
            if value.provenance.is_none() && !is_constant {
                self.check(differs(it.text(), *value, ty), self.segment, node);
            }
        }
    }

    /// What a modelled function does, from switch to switch.
    fn parts_of_model(
        &self,
        node: Node<'a>,
        name: &str,
        called: usize,
        rest: &Extent,
    ) -> Walk<Vec<Part>> {
        let inside = &self.entries()[called + 1..rest.end];
        let locals = inside.iter().filter(|it| it.what == What::Local);
        let own: BTreeSet<ObjectId> = locals.filter_map(|it| it.result?.provenance).collect();
        let mut parts = vec![Part { segment: self.segment, ..Part::default() }];
        for entry in inside.iter().filter(|it| it.depth > self.depth && it.fate == Fate::Done) {
            if !self.unit.program.function(entry.function).library {
                return self.refuse(format!("parts of `{name}`, which calls back"), node);
            }
            if entry.visible && parts.last().is_none_or(|it| it.segment != self.segment_of(entry)) {
                parts.push(Part { segment: self.segment_of(entry), ..Part::default() });
            }
            let Some(part) = parts.last_mut() else { continue };
            if let Err(what) = part.take(entry, &own) {
                return self.refuse(format!("parts of `{name}`, which {what}"), node);
            }
        }
        Ok(parts)
    }

    fn write_part(&mut self, node: Node<'a>, name: &str, bases: &[Base], part: &Part) -> Walk<()> {
        let segment = part.segment;
        self.write_bytes(node, name, bases, &part.given, segment)?;
        for (at, bytes) in runs(&part.read) {
            // A string of the program is what it is.
            if self.trace.state.object(at.0).is_some_and(|it| it.constant) {
                continue;
            }
            let place = self.place_in(node, name, bases, at)?;
            let (literal, length) = (bytes_literal(&bytes), bytes.len());
            self.check(format!("memcmp({place}, {literal}, {length}) != 0"), segment, node);
        }
        self.write_bytes(node, name, bases, &part.written, segment)
    }

    fn write_bytes(
        &mut self,
        node: Node<'a>,
        name: &str,
        bases: &[Base],
        bytes: &Bytes,
        segment: usize,
    ) -> Walk<()> {
        for (at, bytes) in runs(bytes) {
            let place = self.place_in(node, name, bases, at)?;
            let (literal, length) = (bytes_literal(&bytes), bytes.len());
            self.write(segment, format!("memcpy({place}, {literal}, {length});"), node);
        }
        Ok(())
    }

    /// The text of an address: so many bytes from an argument.
    fn place_in(
        &self,
        node: Node<'a>,
        name: &str,
        bases: &[Base],
        (object, at): (ObjectId, u64),
    ) -> Walk<String> {
        let Some(base) = bases.iter().find(|it| it.value.provenance == Some(object)) else {
            let what = format!("parts of `{name}`, which uses memory that is no argument");
            return self.refuse(what, node);
        };
        let far = match at.wrapping_sub(base.value.address()).cast_signed() {
            0 => String::new(),
            far if far < 0 => format!(" - {}", far.unsigned_abs()),
            far => format!(" + {far}"),
        };
        Ok(format!("(char *){}{far}", operand(&base.text)))
    }

    /// What the function gives, in the type that a call of it has.
    fn returned(&self, call: &str, value: Value, bases: &[Base]) -> String {
        let is_base = |it: &&Base| it.value.provenance == value.provenance;
        let base = bases.iter().find(is_base).filter(|_| value.provenance.is_some());
        match base {
            Some(base) => {
                let distance = value.address().wrapping_sub(base.value.address()).cast_signed();
                format!("((__typeof__({call}))((uintptr_t){} + {distance}))", operand(&base.text))
            }
            None => {
                let bits = self.unit.program.target.pointer_bits();
                format!("((__typeof__({call})){})", number(value.bits, bits, true))
            }
        }
    }
}

/// Whether the outside decides a value here.
pub fn is_decided_outside(entry: &Entry) -> bool {
    if entry.is_refused_allocation() {
        return true;
    }
    match entry.what {
        What::Library(primitive) => primitive.action() == Action::Verifier(Verifier::Between),
        _ => false,
    }
}

impl Part {
    /// Takes note of an access, other than to the function's own variables; an error if its meaning
    /// is not in its bytes.
    fn take(&mut self, entry: &Entry, own: &BTreeSet<ObjectId>) -> Result<(), &'static str> {
        let is_read = match entry.what {
            What::Load => true,
            What::Store => false,
            What::Library(primitive) if matches!(primitive.action(), Action::Show(_)) => {
                return Ok(());
            }
            What::Library(_) => return Err("calls another"),
            _ if entry.inputs.is_empty() => return Ok(()),
            _ => return Err("depends on uninitialized memory"),
        };
        let Some(access) = entry.access else { return Err("accesses memory in another way") };
        let Some(object) = access.address.provenance else { return Err("has lost a pointer") };
        if own.contains(&object) {
            return Ok(());
        }
        if access.value.provenance.is_some() {
            return Err(if is_read { "reads a pointer" } else { "writes a pointer" });
        }
        for (at, byte) in bytes_of(&access) {
            let at = (object, at);
            if !is_read {
                self.written.insert(at, byte);
            } else if !entry.inputs.is_empty() {
                self.given.insert(at, byte);
            } else if !self.written.contains_key(&at) && !self.given.contains_key(&at) {
                self.read.insert(at, byte);
            }
        }
        Ok(())
    }
}

/// The text of a call.
fn call_text(name: &str, filled: &[Filled<'_>]) -> String {
    let texts: Vec<&str> = filled.iter().map(Filled::text).collect();
    format!("{name}({})", texts.join(", "))
}

/// When an argument is not what it is in the run.
fn differs(text: &str, value: Value, ty: Type) -> String {
    match ty {
        Type::Int(width) if width <= 32 => {
            format!("(unsigned)({text}) != {}", number(value.bits, 32, true))
        }
        _ => format!("(uintptr_t)({text}) != {}", number(value.bits, 64, true)),
    }
}

/// The bytes of an access, lowest address first.
fn bytes_of(access: &Access) -> impl Iterator<Item = (u64, u8)> + use<> {
    let (from, value) = (access.address.address(), access.value.bits.to_le_bytes());
    (from..).zip(value).take(usize::try_from(access.bytes).unwrap_or(0))
}

/// Bytes that lie side by side.
fn runs(bytes: &Bytes) -> Vec<((ObjectId, u64), Vec<u8>)> {
    let mut runs: Vec<((ObjectId, u64), Vec<u8>)> = Vec::new();
    for (&(object, at), &byte) in bytes {
        match runs.last_mut() {
            Some(((of, from), run)) if *of == object && *from + run.len() as u64 == at => {
                run.push(byte);
            }
            _ => runs.push(((object, at), vec![byte])),
        }
    }
    runs
}
