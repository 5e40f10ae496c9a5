//! Operations on threads and synchronization objects. What they did is decided by the schedule; in a
//! sequential file they are remarks, and their results the values that the run had.

use tree_sitter::Node;
use unravel_interp::ThreadId;
use unravel_interp::value::Value;
use unravel_program::library::sync::{Deed, SyncOp};
use unravel_program::library::{Primitive, Thread};

use crate::count::{Counted, Operands, counting};
use crate::pieces::{Filled, Val};
use crate::text::one_line;
use crate::trace::{Entry, Fate, What};
use crate::tree::{declared_name, field, parameters};
use crate::walk::{Halt, Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// A remark that the thread does something here.
    pub fn remark(&mut self, node: Node<'a>) -> Walk<()> {
        let extent = self.value_extent(node);
        if self.entries()[self.at..extent.end].iter().any(|it| it.fate == Fate::Pending) {
            return Err(Halt::End);
        }
        let segment = extent.segment.unwrap_or(self.segment);
        let comment = format!("{}: {}", self.place(node), one_line(self.unit.text(node)));
        self.write_with(segment, String::new(), comment, false);
        self.go(extent.end);
        Ok(())
    }

    /// An operation on a synchronization object.
    pub fn synchronization(&mut self, node: Node<'a>) -> Walk<Val> {
        let name = field(node, "function").map_or("", |it| self.unit.text(it));
        let counting = counting(name);
        // The words of a macro's arguments need not be values.
        let is_macro = self.unit.is_operation_macro(name);
        let mut operands =
            if is_macro { Operands::default() } else { self.operands(node, counting)? };
        let extent = self.stretch(self.operation_end());
        let entries: Vec<Entry> = self.entries()[self.at..extent.end].to_vec();
        let own = |it: &&Entry| it.depth == self.depth && matches!(it.what, What::Library(_));
        let operations: Vec<&Entry> = entries.iter().filter(own).collect();
        let Some(first) = operations.first() else { return Err(Halt::End) };
        let (segment, text) = (self.shown_segment(first), one_line(self.unit.text(node)));
        if first.fate == Fate::Pending {
            self.stuck(node, counting, &operands);
            return Err(Halt::End);
        }
        if operations.iter().any(|it| it.fate == Fate::Failing) {
            self.go(extent.end);
            return self.failing_synchronization(node, &operands);
        }
        let last = operations[operations.len() - 1].clone();
        let (is_done, ends) = (last.fate == Fate::Done, self.shown_segment(&last));
        let waits = !is_done || operations.len() > 1;
        let counted = Counted { begins: segment, ends: is_done.then_some(ends), waits };
        let [before, after] = self.count(node, counting, &mut operands, counted, &last)?;
        let remark = format!("{}: {text}", self.place(node));
        self.write_with(segment, before, remark.clone(), false);
        let op = Primitive::named(name).and_then(Primitive::sync_op);
        if op.is_some_and(|op| op.deed() == Deed::Once) {
            self.routine(node)?;
        }
        if !is_done {
            self.go(extent.end);
            return Err(Halt::End);
        }
        if ends != segment {
            self.write_with(ends, after, format!("{remark} goes on"), false);
        }
        self.set_errno(node, last.errno, ends)?;
        self.go(extent.end.max(self.at));
        Ok(Val::known(constant(last.result)))
    }

    /// An operation in which the run fails: for its object, or for want of a time.
    fn failing_synchronization<T>(&mut self, node: Node<'a>, operands: &Operands<'a>) -> Walk<T> {
        let name = field(node, "function").map_or("", |it| self.unit.text(it));
        let op = Primitive::named(name).and_then(Primitive::sync_op);
        let is_about_time = op.is_some_and(SyncOp::is_timed) && self.is_null_behind_first();
        match operands.time().filter(|_| is_about_time) {
            Some((time, filled)) if time.starts_with('&') => self.failing_operation(node, filled),
            Some((time, _)) => {
                self.fail(node, Some(format!("({time}) == NULL")));
                Err(Halt::End)
            }
            None => self.failing_operation(node, &operands.filled),
        }
    }

    /// The entry after the next operation of the library, with all its parts and what it calls.
    fn operation_end(&self) -> usize {
        let entries = &self.entries()[self.at..];
        let is_one = |it: &Entry| it.depth == self.depth && matches!(it.what, What::Library(_));
        let Some(first) = entries.iter().position(is_one) else { return self.at };
        let (span, what) = (entries[first].span, entries[first].what);
        let belongs = |it: &&Entry| {
            it.depth > self.depth || it.depth == self.depth && (it.span, it.what) == (span, what)
        };
        self.at + first + entries[first..].iter().take_while(belongs).count()
    }

    fn shown_segment(&self, entry: &Entry) -> usize {
        if entry.visible { self.segment_of(entry) } else { self.segment }
    }

    /// The routine of `pthread_once`, if it is this thread that runs it.
    fn routine(&mut self, node: Node<'a>) -> Walk<()> {
        let deeper = self.entries()[self.at..].iter().position(|it| it.depth > self.depth);
        let until = self.operation_end();
        let Some(deeper) = deeper.map(|it| self.at + it).filter(|it| *it < until) else {
            return Ok(());
        };
        let callee = self.entries()[deeper].function;
        let name = self.unit.program.function(callee).name.clone();
        let Some(definition) = self.unit.functions.get(name.as_str()).copied() else {
            return self.refuse(format!("`{name}` as a routine"), node);
        };
        self.go(deeper);
        let caller = std::mem::replace(&mut self.function, name);
        self.body(definition, crate::text::Scope::new(), None)?;
        self.function = caller;
        Ok(())
    }

    /// An operation on threads.
    pub fn threading(&mut self, node: Node<'a>, action: Thread) -> Walk<Val> {
        let values = self.argument_values(node)?;
        let found = self.find(|it| matches!(it.what, What::Library(_)));
        let Ok(found) = found else {
            let is_own = |it: &Entry| it.fate == Fate::Failing && it.depth == self.depth;
            let failing = self.entries()[self.at..].iter().position(is_own);
            let Some(failing) = failing else { return Err(Halt::End) };
            // Others may have gone on before.
            self.go(self.at + failing + 1);
            return self.failing_operation(node, &values);
        };
        let text = |index: usize| values.get(index).map_or("0", Filled::text).to_owned();
        match action {
            Thread::Create => return self.creation(node, found, &text(0), &text(3)),
            Thread::CreateC11 => return self.creation(node, found, &text(0), &text(2)),
            _ => {}
        }
        // A join may be met several times before the other thread has ended.
        let first = &self.entries()[found];
        let same =
            |it: &Entry| (it.depth, it.span, it.what) == (first.depth, first.span, first.what);
        let repeats = self.entries()[found..].iter().take_while(|it| same(it)).count();
        let entry = self.entries()[found + repeats - 1].clone();
        if entry.fate != Fate::Done {
            return Err(Halt::End);
        }
        let segment = self.shown_segment(&entry);
        self.go(found + repeats);
        match action {
            Thread::Join | Thread::JoinC11 => self.join(node, &entry, segment, &text(1))?,
            Thread::Current => return Ok(Val::known(self.id_of(ThreadId(self.thread)))),
            Thread::Equal => return Ok(Val::known(format!("({} == {})", text(0), text(1)))),
            Thread::Exit => return self.thread_exit(node, segment, &text(0)),
            Thread::KeyCreate => self.create_key(node, &entry, segment, &text(0)),
            Thread::KeySet => self.set_specific(node, segment, &text(0), &text(1)),
            Thread::KeyGet => return Ok(self.specific(&entry, &text(0))),
            _ => self.remark_in(node, segment),
        }
        Ok(Val::known(constant(entry.result)))
    }

    /// The id of a thread. That of one that is gone may be used again.
    fn id_of(&self, thread: ThreadId) -> String {
        self.trace.state.thread(thread).handle.to_string()
    }

    pub fn remark_in(&mut self, node: Node<'a>, segment: usize) {
        let comment = format!("{}: {}", self.place(node), one_line(self.unit.text(node)));
        self.write_with(segment, String::new(), comment, false);
    }

    /// A new thread. That its handle is stored may be another step, which the run may not come to.
    fn creation(&mut self, node: Node<'a>, found: usize, id: &str, argument: &str) -> Walk<Val> {
        let first = self.entries()[found].clone();
        let is_second =
            |it: &&Entry| (it.depth, it.span, it.progress) == (first.depth, first.span, 1);
        let second = self.entries().get(found + 1).filter(is_second).cloned();
        let parts = 1 + usize::from(second.is_some());
        let last = second.unwrap_or_else(|| first.clone());
        let Some(thread) = first.thread else { return Err(Halt::End) };
        let segment = self.shown_segment(&first);
        self.go(found + parts);
        self.remark_in(node, segment);
        let is_stored = last.fate == Fate::Done;
        if is_stored {
            let stored = self.shown_segment(&last);
            self.write(stored, format!("{} = {};", dereferenced(id), self.id_of(thread)), node);
        }
        self.start_argument(node, segment, thread, argument)?;
        if is_stored { Ok(Val::known(constant(last.result))) } else { Err(Halt::End) }
    }

    /// The new thread's parameter is a variable that is set here.
    fn start_argument(
        &mut self,
        node: Node<'a>,
        segment: usize,
        thread: ThreadId,
        argument: &str,
    ) -> Walk<()> {
        let start = self.trace.state.thread(thread).start;
        let name = self.unit.program.function(start).name.clone();
        let Some(definition) = self.unit.functions.get(name.as_str()).copied() else {
            return self.refuse(format!("a thread that runs `{name}`"), node);
        };
        if let Some(parameter) = parameters(definition).first().copied() {
            let old = declared_name(parameter).map_or("", |it| self.unit.text(it));
            let new = start_argument(thread.0, &name, old);
            self.out.locals.push(new.clone());
            let declared = self.parameter(parameter, &new)?;
            self.write(segment, format!("{declared} = {argument};"), node);
        }
        self.out.created.insert(thread.0, self.out.lines.len());
        Ok(())
    }

    fn join(&mut self, node: Node<'a>, entry: &Entry, segment: usize, target: &str) -> Walk<()> {
        self.remark_in(node, segment);
        let is_null = matches!(target, "NULL" | "0" | "nullptr" | "(void *)0");
        let Some(thread) = entry.thread.filter(|_| !is_null) else { return Ok(()) };
        let result = format!("T{}_result", thread.0);
        let text = match target.starts_with('&') {
            true => format!("{} = {result};", dereferenced(target)),
            // A pointer may be null, which asks for no result.
            false => {
                let ty = if self.is_c11() { "int *" } else { "void **" };
                format!("{{ {ty}to = {target}; if (to) *to = {result}; }}")
            }
        };
        self.write(segment, text, node);
        Ok(())
    }

    fn thread_exit(&mut self, node: Node<'a>, segment: usize, value: &str) -> Walk<Val> {
        self.remark_in(node, segment);
        if self.thread > 0 {
            let ty = if self.is_c11() { "int" } else { "void *" };
            let name = format!("T{}_result", self.thread);
            self.out.locals.push(name.clone());
            self.write(segment, format!("{ty} {name} = {value};"), node);
        }
        self.exits = true;
        Err(Halt::End)
    }

    fn is_c11(&self) -> bool {
        self.trace.state.thread(ThreadId(self.thread)).c11
    }

    /// A new key has the number that it had in the run.
    fn create_key(&mut self, node: Node<'a>, entry: &Entry, segment: usize, key: &str) {
        self.remark_in(node, segment);
        let is_made = entry.result.is_none_or(|it| it.bits == 0);
        if let Some(number) = entry.written.filter(|_| is_made) {
            self.write(segment, format!("{} = {};", dereferenced(key), number.bits), node);
        }
    }

    /// Thread-specific data is a variable per thread and key.
    fn set_specific(&mut self, node: Node<'a>, segment: usize, key: &str, value: &str) {
        self.remark_in(node, segment);
        let name = self.specific_name(key);
        self.write(segment, format!("{name} = {value};"), node);
    }

    fn specific_name(&mut self, key: &str) -> String {
        let key: String = key.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
        let name = format!("T{}_specific_{key}", self.thread);
        if self.out.own.insert(name.clone()) {
            self.out.globals.push(format!("static void *{name};"));
        }
        name
    }

    fn specific(&mut self, entry: &Entry, key: &str) -> Val {
        if entry.result.is_none_or(|it| it.bits == 0) {
            return Val::known("NULL");
        }
        Val { accesses: true, ..Val::known(self.specific_name(key)) }
    }
}

/// The variable that a new thread's start function finds its argument in.
pub fn start_argument(thread: u32, function: &str, parameter: &str) -> String {
    format!("T{thread}_{function}_{parameter}")
}

/// What a pointer points to.
pub fn dereferenced(text: &str) -> String {
    let place = text.strip_prefix('&');
    let simple = |it: &&str| {
        it.chars().all(|c| c.is_alphanumeric() || "_.[]->".contains(c)) && !it.is_empty()
    };
    place.filter(simple).map_or_else(|| format!("*({text})"), str::to_owned)
}

/// A result as an `int`.
fn constant(value: Option<Value>) -> String {
    let bits = value.map_or(0, |it| it.bits);
    crate::value::number(bits, 32, false)
}
