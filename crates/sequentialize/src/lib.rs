//! A run of a multithreaded program as one plain sequential C file.
//!
//! # In and out
//!
//! [`sequentialize`] takes a program with its source and the decisions of a run. It gives a
//! [`Sequential`]: the text of a C file without threads that does the same every time. The file has
//! the statements of all threads in the order of the schedule, with the inputs of the run in place
//! of what asks for them. It can be read from top to bottom, debugged, and given to any compiler
//! and any sequential verifier. (This is the transformation of Alves et al., for one run instead of
//! all.)
//!
//! ```text
//!   Program + decisions ─► Trace (what each thread executes, with its segment)
//!   C source ────────────► Unit (its syntax; what can be kept as it is)
//!   both ────────────────► Walker, thread by thread ─► Output ─► the file, segment by segment
//! ```
//!
//! # What the file looks like
//!
//! Everything that is executed stands in one `main`, in the order of the schedule. A statement, a
//! loop or a call that lies within one segment is kept as the user wrote it. What a context switch
//! cuts is taken apart: a loop into its iterations, a call into its body, an expression into
//! temporaries. Local variables are named after thread, function and name, with a new one for each
//! declaration that is executed. Where the run took a branch, the file has a check that ends the
//! program with exit code 0 if it would go the other way: what follows would be no run of the
//! program. A changed line therefore makes the file pass or fail, but never execute something
//! meaningless.
//!
//! What cannot be written is an [`Unsupported`] with its place. This crate does not claim that the
//! file does the same as the run: the caller compiles and runs it.
//!
//! # Reading order
//!
//! 1. [`trace`]: the run, carried out once more on the interpreter, instruction by instruction
//!    (`tracer`, `entry`).
//! 2. `joined`: all files as one text; `unit`: the source; `plain`: which statements and functions have nothing to do with threads;
//!    `constant`: conditions that are no branches.
//! 3. `walk`: follows a thread through its source.
//! 4. `statements`, `condition`, `expression`, `pieces`, `assign`, `declare`, `call`: the parts of
//!    C.
//! 5. `sync`: the thread library; `count`: what semaphores and barriers count.
//! 6. What is cut in the middle: `torn` for assertions, `wide` for values that take several steps,
//!    `model` for library functions that do, `reuse` for blocks at the address of freed ones.
//! 7. `replace`: other values in place of some of the source, for the run that would have passed,
//!    and the order of objects in memory that the run has; `locate` and `initial`: where those
//!    stand.
//! 8. `failure` and `ending`: how the run goes wrong.
//! 9. `output`, `write`, `keeper` and `helpers`: the whole file, with what is kept of the source
//!    and what stands in for the thread library.
#![forbid(unsafe_code)]

mod assign;
mod call;
mod condition;
mod constant;
mod count;
mod declare;
mod ending;
mod entry;
mod errno;
mod expression;
mod failure;
mod helpers;
mod initial;
mod joined;
mod keeper;
mod locate;
mod model;
mod output;
mod pieces;
mod plain;
mod replace;
mod reuse;
mod statements;
mod sync;
mod text;
mod torn;
pub mod trace;
mod tracer;
mod tree;
mod unit;
mod value;
mod walk;
mod wide;
mod write;

use std::fmt;

use unravel_interp::memory::ObjectKind;
use unravel_interp::run::Divergence;
use unravel_interp::schedule::Decision;
use unravel_interp::{Machine, Property, ThreadId};
use unravel_kinds::ViolationKind;
use unravel_patch::Sources;
use unravel_span::Span;

use joined::Joined;
use output::Output;
use replace::Changes;
pub use replace::{Replaced, Replacement};
use text::Scope;
use trace::{Fate, Trace};
use tree::{declared_name, parameters};
use unit::Unit;
use walk::{Halt, Walk, Walker};

/// Something that cannot be written as a sequential file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// A noun phrase.
    pub what: String,
    /// Where it is.
    pub at: Option<Span>,
}

impl Unsupported {
    /// Something at a place.
    pub fn new(what: impl Into<String>, at: Option<Span>) -> Unsupported {
        Unsupported { what: what.into(), at }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} cannot be written as a sequential program", self.what)
    }
}

/// Why there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The decisions do not fit the program.
    Diverged(Divergence),
    /// Something that cannot be written.
    Unsupported(Unsupported),
}

/// A run as a sequential file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequential {
    /// The file.
    pub text: String,
    /// The line of it in which it fails.
    pub fails_at: u32,
    /// How many segments the schedule has.
    pub segments: usize,
    /// How many values are others in it.
    pub replaced: usize,
}

/// Writes a failing run. `defines` are macros from the command line, as in `-D`; `other` are values
/// that are others in the file than in the run, with which it may pass.
///
/// # Errors
/// Decisions that are no run of the program, or what cannot be written.
pub fn sequentialize(
    machine: &Machine<'_>,
    decisions: &[Decision],
    defines: &[String],
    other: &[Replacement],
) -> Result<Sequential, Failure> {
    let trace = Trace::record(machine, decisions).map_err(Failure::Diverged)?;
    let joined = Joined::of(machine.program).map_err(Failure::Unsupported)?;
    let sources = Sources::parse(&joined.files);
    let mut unit = Unit::new(machine.program, &joined, &sources).map_err(Failure::Unsupported)?;
    unit.changes = Changes::find(&unit, other, &trace.comparisons).map_err(Failure::Unsupported)?;
    let unit = unit;
    let mut out = Output::new(&unit);
    keep_block(&trace, &mut out);
    reuse::keep(&trace, &mut out);
    for id in trace.state.thread_ids() {
        walk(&unit, &trace, &mut out, id).map_err(Failure::Unsupported)?;
    }
    ending::write(&unit, &trace, &mut out).map_err(Failure::Unsupported)?;
    write::file(&unit, &trace, out, defines).map_err(Failure::Unsupported)
}

/// A failure that is about a heap block needs its address.
fn keep_block(trace: &Trace, out: &mut Output) {
    let memory = trace.violation.as_ref().filter(|it| it.property() == Property::Memory);
    let object = trace.address.and_then(|it| it.provenance);
    let Some((violation, object)) = memory.zip(object) else { return };
    if object.kind == ObjectKind::Heap {
        let bounds = matches!(
            violation.kind,
            ViolationKind::OutOfBounds { .. } | ViolationKind::InvalidFree { .. }
        );
        let name = out.fresh(if bounds { "bounded_block" } else { "freed_block" });
        let ty = if bounds { "void *" } else { "uintptr_t " };
        out.globals.push(format!("static {ty}{name};"));
        out.blocks.insert(object, name);
    }
}

/// Writes what a thread does.
fn walk(unit: &Unit<'_>, trace: &Trace, out: &mut Output, id: ThreadId) -> Result<(), Unsupported> {
    let entries = &trace.threads[id.0 as usize];
    let start = trace.state.thread(id).start;
    let name = unit.program.function(start).name.clone();
    let Some(first) = entries.first() else { return Ok(()) };
    let definition = unit.functions.get(name.as_str()).copied();
    let Some(definition) = definition.filter(|_| first.function == start) else {
        return Err(Unsupported::new(format!("thread T{} of `{name}`", id.0), first.span));
    };
    let is_silent = !entries.iter().any(|it| it.visible);
    let step = entries.iter().find(|it| it.visible).unwrap_or(first);
    let decision = step.decision.min(trace.segments.last().map_or(0, |it| it.first));
    let segment = trace.segment(if step.visible { step.decision } else { decision });
    let from = out.lines.len();
    let mut walker = Walker {
        unit,
        trace,
        out,
        thread: id.0,
        at: 0,
        depth: first.depth - 1,
        function: name.clone(),
        scopes: Vec::new(),
        segment,
        result: None,
        sought: None,
        in_macro: false,
        exits: false,
        limit: None,
        executed: std::collections::BTreeMap::new(),
        objects: Vec::new(),
    };
    let scope = walker.start_scope(definition, &name);
    let result = (id.0 > 0).then(|| format!("T{}_result", id.0));
    walker.out.locals.extend(result.clone());
    let ended = walker.body(definition, scope, result).map(drop);
    let ended = match ended {
        Err(Halt::End) if !walker.exits => Err(Halt::End),
        Ok(()) | Err(Halt::End) => {
            walker.depth = first.depth - 1;
            walker.destructors(definition)
        }
        other => other,
    };
    match ended {
        Ok(()) => {}
        Err(Halt::End) => walker.nothing_left()?,
        Err(Halt::Unsupported(unsupported)) => return Err(unsupported),
    }
    if is_silent {
        out.move_to_creation(id.0, from);
    }
    Ok(())
}

impl<'a> Walker<'_, 'a> {
    /// The parameters of a start function are set by whoever creates the thread.
    fn start_scope(&mut self, definition: tree_sitter::Node<'a>, function: &str) -> Scope {
        let mut scope = Scope::new();
        for (index, parameter) in parameters(definition).into_iter().enumerate() {
            let Some(name) = declared_name(parameter) else { continue };
            let old = self.unit.text(name).to_owned();
            let new = sync::start_argument(self.thread, function, &old);
            if self.thread == 0 {
                let value = value::main_argument(self.unit.program, index);
                let ty = if index == 0 { "int" } else { "char **" };
                self.out.locals.push(new.clone());
                self.write(self.segment, format!("{ty} {new} = {value};"), parameter);
            }
            scope.insert(old, new);
        }
        scope
    }

    /// A walk that lost its way would leave out what the thread did next.
    fn nothing_left(&self) -> Result<(), Unsupported> {
        let mut rest = self.entries()[self.at..].iter();
        match rest.find(|it| it.visible && it.fate == Fate::Done) {
            Some(lost) => Err(Unsupported::new("the way of a thread from here on", lost.span)),
            None => Ok(()),
        }
    }

    /// Destructors of thread-specific data run after the start function of a thread.
    fn destructors(&mut self, definition: tree_sitter::Node<'a>) -> Walk<()> {
        while let Some(entry) = self.entries().get(self.at) {
            let name = self.unit.program.function(entry.function).name.clone();
            let destructor = self.unit.functions.get(name.as_str()).copied();
            let prefix = format!("T{}_specific_", self.thread);
            let data: Vec<String> =
                self.out.own.iter().filter(|it| it.starts_with(&prefix)).cloned().collect();
            let (Some(destructor), [data]) = (destructor, data.as_slice()) else {
                return self.refuse("a destructor of thread-specific data", definition);
            };
            self.function.clone_from(&name);
            let mut scope = Scope::new();
            if let Some(parameter) = parameters(destructor).first().copied() {
                let old = declared_name(parameter).map_or("", |it| self.unit.text(it)).to_owned();
                let new = self.fresh(&old);
                let declared = self.parameter(parameter, &new)?;
                self.write(self.segment, format!("{declared} = {data};"), destructor);
                scope.insert(old, new);
            }
            self.body(destructor, scope, None)?;
        }
        Ok(())
    }
}
