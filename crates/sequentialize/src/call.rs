//! Calls: of the program's functions, written out where they are cut, and of the library's.

use tree_sitter::Node;
use unravel_program::library::{Action, Primitive, Process, Verifier};

use crate::assign::Content;
use crate::pieces::{Filled, Piece, Val, joined, of_parts};
use crate::statements::Flow;
use crate::text::{Scope, is_of_thread_library};
use crate::trace::{Fate, What};
use crate::tree::{arguments, declared_name, field, parameters};
use crate::walk::{Halt, Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// Walks through a call.
    pub fn call(&mut self, node: Node<'a>, wanted: bool) -> Walk<Val> {
        let Some(function) = field(node, "function") else { return self.refuse("this call", node) };
        let name = self.unit.text(function);
        let is_name = function.kind() == "identifier" && self.local(name).is_none();
        let primitive = Primitive::named(name).filter(|_| is_name);
        if name == "assert" && is_name {
            return self.assertion(node);
        }
        if let Some(definition) = self.unit.functions.get(name).copied().filter(|_| is_name)
            && primitive.is_none_or(|it| !it.overrides_definition())
        {
            return self.written_out(node, definition, wanted);
        }
        match primitive.map(Primitive::action) {
            Some(Action::Sync(..)) => self.synchronization(node),
            Some(Action::Thread(action, _)) => self.threading(node, action),
            Some(Action::Verifier(Verifier::Nondet)) => self.input(node),
            Some(Action::Verifier(Verifier::Assume)) => self.assumption(node),
            Some(Action::Verifier(_)) => self.remark(node).map(|()| Val::known("0")),
            Some(Action::Process(Process::Exit)) => self.process_exit(node),
            Some(Action::Nothing) if is_of_thread_library(name) => self.setting(node),
            Some(_) => self.library(node, wanted),
            None if is_name && self.is_operation_macro(node, name) => self.synchronization(node),
            None if is_name && !self.unit.macros(name).is_empty() => {
                self.refuse(format!("macro `{name}` around what several threads do"), node)
            }
            None if !is_name || self.is_variable(name) => self.indirect(node, function, wanted),
            None if self.is_unknown(node) => self.input(node),
            None => self.library(node, wanted),
        }
    }

    /// A setting of the thread library: it says how, and the schedule says what.
    fn setting(&mut self, node: Node<'a>) -> Walk<Val> {
        if arguments(node).into_iter().any(|it| self.unit.has_effects(it)) {
            return self.refuse("a setting of the thread library with effects in it", node);
        }
        self.remark(node).map(|()| Val::known("0"))
    }

    /// Whether a lock operation is called by the name of a macro, on something that is only named.
    fn is_operation_macro(&self, node: Node<'a>, name: &str) -> bool {
        let is_named = !arguments(node).into_iter().any(|it| self.unit.has_effects(it));
        is_named && self.unit.is_operation_macro(name)
    }

    /// Whether a name is one of a variable.
    pub fn is_variable(&self, name: &str) -> bool {
        self.local(name).is_some() || self.unit.program.globals.iter().any(|it| it.name == name)
    }

    /// Whether the interpreter does not know the function: its result is an input.
    fn is_unknown(&self, node: Node<'a>) -> bool {
        let extent = self.value_extent(node);
        self.entries()[self.at..extent.end]
            .iter()
            .any(|it| it.depth == self.depth && it.what == What::External)
    }

    /// `assert(…)`: the condition, and a branch behind it.
    fn assertion(&mut self, node: Node<'a>) -> Walk<Val> {
        let [condition] = arguments(node)[..] else { return self.refuse("this assertion", node) };
        let extent = self.extent(node);
        let fails = self.entries()[self.at..extent.end].iter().any(|it| {
            it.fate == Fate::Failing
                && it.depth == self.depth
                && matches!(it.what, What::Library(_))
        });
        let ends = self.entries()[self.at..extent.end].iter().any(|it| it.fate == Fate::Pending);
        let inputs = &self.entries()[self.at..extent.end];
        let decided = inputs.iter().any(|it| !it.inputs.is_empty());
        let plain = self.unit.is_plain(condition) && !extent.is_cut && !decided;
        let mut text = self.line_text(condition)?;
        if !plain || ends || (extent.is_special && !fails) {
            text = self.torn_assertion(condition)?;
        }
        let segment = self.extent(node).segment.unwrap_or(self.segment);
        let end = self.extent(node).end;
        self.go(end);
        let comment = self.place(node);
        self.write_with(segment, format!("assert({text});"), comment, fails);
        if fails { Err(Halt::End) } else { Ok(Val::known("0")) }
    }

    /// A call that is written out.
    fn written_out(&mut self, node: Node<'a>, definition: Node<'a>, wanted: bool) -> Walk<Val> {
        let values = self.argument_values(node)?;
        self.walk_call(node, definition, values, wanted)
    }

    /// The values of arguments, in order.
    pub fn argument_values(&mut self, node: Node<'a>) -> Walk<Vec<Filled<'a>>> {
        let pieces = arguments(node).into_iter().map(Piece::Hole).collect();
        self.fill(pieces, Vec::new())
    }

    /// A call through a pointer: the trace knows of what.
    fn indirect(&mut self, node: Node<'a>, function: Node<'a>, wanted: bool) -> Walk<Val> {
        let pieces = std::iter::once(function).chain(arguments(node)).map(Piece::Hole).collect();
        let outer = self.limit;
        // The place of the call is that of the pointer.
        if !arguments(node).into_iter().any(|it| self.unit.calls(it)) {
            self.limit = self.find(|it| matches!(it.what, What::Call(_))).ok().or(outer);
        }
        let filled = self.fill(pieces, Vec::new());
        self.limit = outer;
        let mut filled = filled?;
        let called = self.find(|it| matches!(it.what, What::Call(_)))?;
        let What::Call(callee) = self.entries()[called].what else { return Err(Halt::End) };
        let name = self.unit.program.function(callee).name.clone();
        let Some(definition) = self.unit.functions.get(name.as_str()).copied() else {
            return self.refuse(format!("a call of `{name}` through a pointer"), node);
        };
        filled.remove(0);
        self.walk_call(node, definition, filled, wanted)
    }

    /// Declares the parameters, goes through the body and back.
    pub fn walk_call(
        &mut self,
        node: Node<'a>,
        definition: Node<'a>,
        values: Vec<Filled<'a>>,
        wanted: bool,
    ) -> Walk<Val> {
        let called = self.find(|it| matches!(it.what, What::Call(_)))?;
        let name = declared_name(definition).map_or("", |it| self.unit.text(it)).to_owned();
        let caller = std::mem::replace(&mut self.function, name.clone());
        let scope = self.bind(node, definition, &values)?;
        self.go(called + 1);
        let in_macro = std::mem::replace(&mut self.in_macro, false);
        let limit = self.limit.take();
        let result = wanted.then(|| self.fresh("result"));
        let value = self.body(definition, scope, result)?;
        (self.function, self.in_macro, self.limit) = (caller, in_macro, limit);
        Ok(value.map_or_else(|| Val::known(""), Val::known))
    }

    /// Goes through the body of a function, one call deeper, and back.
    pub fn body(
        &mut self,
        definition: Node<'a>,
        scope: Scope,
        result: Option<String>,
    ) -> Walk<Option<String>> {
        let scopes = std::mem::replace(&mut self.scopes, vec![scope]);
        let outer = std::mem::replace(&mut self.result, result);
        self.depth += 1;
        let depth = self.depth;
        let fresh = self.entries()[self.at..].iter().take_while(|it| it.depth == depth);
        let fresh = fresh.take_while(|it| it.what == What::Local || it.span.is_none());
        let fresh = fresh.filter_map(|it| Some((it.name.clone()?, it.result?.provenance?)));
        let fresh: Vec<_> = fresh.collect();
        self.objects.extend(fresh);
        let parameters = scope_names(self.scopes.last());
        parameters.iter().for_each(|(old, new)| self.name_object(old, new));
        let locals = self.entries()[self.at..].iter();
        let locals = locals.take_while(|it| it.depth == depth && it.what == What::Local).count();
        self.go(self.at + locals);
        let Some(body) = field(definition, "body") else { return Err(Halt::End) };
        if body.has_error() {
            return self.refuse("a function whose syntax is not understood", definition);
        }
        let flow = self.statement(body)?;
        if let Flow::Goto(label) = flow {
            return self.refuse(format!("the jump to `{label}`"), definition);
        }
        let returns = self.find(|it| it.what == What::Return)?;
        self.go(returns + 1);
        self.depth -= 1;
        self.scopes = scopes;
        Ok(std::mem::replace(&mut self.result, outer))
    }

    /// Variables for the parameters.
    fn bind(&mut self, node: Node<'a>, definition: Node<'a>, values: &[Filled<'a>]) -> Walk<Scope> {
        let mut scope = Scope::new();
        for (parameter, value) in parameters(definition).into_iter().zip(values) {
            let Some(name) = declared_name(parameter) else { continue };
            let old = self.unit.text(name).to_owned();
            let new = self.fresh(&old);
            let declared = self.parameter(parameter, &new)?;
            let segment = value.segment().unwrap_or(self.segment);
            self.write(segment, format!("{declared} = {};", value.text()), node);
            scope.insert(old, new);
        }
        Ok(scope)
    }

    /// A library function that is called as it is.
    fn library(&mut self, node: Node<'a>, wanted: bool) -> Walk<Val> {
        let name = field(node, "function").map_or("", |it| self.unit.text(it));
        if self.is_modelled(name) {
            return self.model(node, name, wanted);
        }
        let pieces = self.pieces(node)?;
        // These are macros of <stdatomic.h>.
        let outer = std::mem::replace(&mut self.in_macro, name.starts_with("atomic_"));
        let filled = self.fill(pieces, Vec::new());
        self.in_macro = outer;
        let mut filled = filled?;
        let rest = self.extent(node);
        self.failing_call(&rest, node, &filled)?;
        let place = filled.len();
        if self.is_begun_copy(&rest) {
            return self.torn_call(node, name, filled, &rest);
        }
        self.stop_in(&rest, node, &mut filled, place)?;
        if let Some(val) = self.weak_exchange(name, &rest, &mut filled)? {
            self.go(rest.end);
            return Ok(val);
        }
        if rest.is_cut {
            return self.torn_call(node, name, filled, &rest);
        }
        if let Some(val) = self.refused_allocation(&rest, node, &mut filled)? {
            return Ok(val);
        }
        self.settle(&mut filled, rest.segment)?;
        let text = match self.handed_over(&rest, node, &mut filled)? {
            Some(text) => self.with_block(&text, "", &rest, node, &filled)?,
            None => self.with_block(&joined(&filled), name, &rest, node, &filled)?,
        };
        let val = Val { text, accesses: true, effects: true, ..of_parts(&filled, &rest) };
        let errno = self.errno_from_outside(&self.entries()[self.at..rest.end]);
        self.go(rest.end);
        let segment = val.segment.unwrap_or(self.segment);
        match errno {
            None if wanted => Ok(val),
            Some(_) if wanted => {
                let name = self.fresh("result");
                self.write(segment, format!("__typeof__({0}) {name} = {0};", val.text), node);
                self.set_errno(node, errno, segment)?;
                Ok(Val::known(name))
            }
            _ => {
                self.write(segment, format!("{};", val.text), node);
                self.set_errno(node, errno, segment)?;
                Ok(val)
            }
        }
    }

    /// A weak compare-and-swap may fail without a reason; here it does what it did in the run.
    fn weak_exchange(
        &mut self,
        name: &str,
        rest: &crate::walk::Extent,
        filled: &mut [Filled<'a>],
    ) -> Walk<Option<Val>> {
        if !name.contains("compare_exchange_weak") || rest.is_cut {
            return Ok(None);
        }
        self.settle(filled, rest.segment)?;
        let failed = self.entries()[self.at..rest.end].iter().any(|it| it.is_failed_update);
        let values: Vec<&str> =
            filled.iter().filter(|it| it.is_value()).map(Filled::text).collect();
        let text = match values.as_slice() {
            [object, expected, ..] if failed => {
                format!("(*({expected}) = atomic_load({object}), 0)")
            }
            _ => joined(filled).replacen("_weak", "_strong", 1),
        };
        Ok(Some(Val { text, accesses: true, effects: true, ..of_parts(filled, rest) }))
    }

    /// Whether the run ends in the middle of a copy.
    pub fn is_begun_copy(&self, rest: &crate::walk::Extent) -> bool {
        let copies = self.entries()[self.at..rest.end].iter().filter(|it| it.what == What::Copy);
        let fates: Vec<Fate> = copies.map(|it| it.fate).collect();
        fates.len() > 1 && fates.last() == Some(&Fate::Pending)
    }

    fn torn_call(
        &mut self,
        node: Node<'a>,
        name: &str,
        mut filled: Vec<Filled<'a>>,
        rest: &crate::walk::Extent,
    ) -> Walk<Val> {
        self.settle(&mut filled, rest.segment)?;
        let values: Vec<String> =
            filled.iter().filter(|it| it.is_value()).map(|it| it.text().to_owned()).collect();
        match (name, values.as_slice()) {
            ("memcpy" | "memmove", [to, from, length]) => {
                self.copy_parts(node, to, Content::Of(from), Some(length), rest)
            }
            ("memset", [to, byte, length]) => {
                self.copy_parts(node, to, Content::Byte(byte), Some(length), rest)
            }
            _ => self.refuse(format!("`{name}`, which is cut by a context switch"), node),
        }
    }

    /// `__VERIFIER_assume(…)` holds in the run.
    fn assumption(&mut self, node: Node<'a>) -> Walk<Val> {
        let [condition] = arguments(node)[..] else { return self.refuse("this assumption", node) };
        let value = self.value(condition)?;
        let extent = self.extent(node);
        let fails = self.entries()[self.at..extent.end].iter().any(|it| it.fate != Fate::Done);
        if fails {
            return Err(Halt::End);
        }
        let segment = value.segment.unwrap_or(self.segment);
        self.go(extent.end);
        self.check(format!("!({})", value.text), segment, node);
        Ok(Val::known("0"))
    }

    /// Other threads may have gone on before the process ended.
    fn process_exit(&mut self, node: Node<'a>) -> Walk<Val> {
        let _ = self.argument_values(node)?;
        self.remark(node)?;
        Err(Halt::End)
    }

    /// What the run chose.
    fn input(&mut self, node: Node<'a>) -> Walk<Val> {
        let found = self.find(|it| {
            !it.inputs.is_empty() && matches!(it.what, What::Library(_) | What::External)
        });
        let Ok(found) = found else { return Err(Halt::End) };
        let entry = self.entries()[found].clone();
        self.go(found + 1);
        let name = field(node, "function").map_or("", |it| self.unit.text(it));
        Ok(Val::known(crate::value::input(name, &entry)))
    }
}

fn scope_names(scope: Option<&Scope>) -> Vec<(String, String)> {
    let names = scope.into_iter().flatten();
    names.map(|(old, new)| (old.clone(), new.clone())).collect()
}
