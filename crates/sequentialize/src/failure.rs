//! How the run ends: at an assertion, which is kept; in a memory error or arithmetic without a
//! meaning, which becomes an explicit check; in a misuse, a race or a deadlock, which is said.

use tree_sitter::Node;
use unravel_interp::memory::{ObjectId, ObjectKind, Origin};
use unravel_interp::value::Value;
use unravel_interp::{Property, Violation};
use unravel_kinds::{Misuse, Undefined, ViolationKind};
use unravel_program::library::{Action, Process};
use unravel_report::words::violation;

use crate::pieces::{Filled, joined, pointers};
use crate::text::{one_line, operand};
use crate::trace::{Fate, What};
use crate::tree::{field, operator, parts};
use crate::walk::{Extent, Halt, Walk, Walker};

/// How the file fails where the program has no assertion: every verifier knows what this is, where
/// most take `abort` for an ordinary end.
pub const FAILS: &str = "assert(0);";

/// Addresses below this are those of null pointers and members behind them.
const NULL_PAGE: u32 = 4096;

impl<'a> Walker<'_, 'a> {
    fn violation(&self) -> Option<&Violation> {
        self.trace.violation.as_ref()
    }

    /// A call in which the run fails: of `abort` and its kind, or of `free`.
    pub fn failing_call(
        &mut self,
        rest: &Extent,
        node: Node<'a>,
        filled: &[Filled<'a>],
    ) -> Walk<()> {
        let entries = &self.entries()[self.at..rest.end];
        let failing = entries.iter().find(|it| it.fate == Fate::Failing).cloned();
        let Some(failing) = failing else { return Ok(()) };
        self.go(rest.end);
        let is_end = match failing.what {
            What::Library(primitive) => matches!(
                primitive.action(),
                Action::Process(Process::Abort | Process::ReachError | Process::AssertFail)
            ),
            _ => false,
        };
        if failing.depth > self.depth {
            let test = self.text_test(node, filled);
            self.fail(node, test);
            return Err(Halt::End);
        }
        if !is_end {
            return self.failing_operation(node, &values(filled));
        }
        let (comment, text) = (self.place(node), joined(filled));
        self.write_with(self.segment, format!("{FAILS}\n{text};"), comment, true);
        Err(Halt::End)
    }

    /// An operation of the library in which the run fails.
    pub fn failing_operation<T>(&mut self, node: Node<'a>, filled: &[Filled<'a>]) -> Walk<T> {
        let test = match self.violation().map(|it| it.kind.clone()) {
            Some(kind @ (ViolationKind::DoubleFree | ViolationKind::InvalidFree { .. })) => {
                let pointer = filled.first().map_or("0", Filled::text).to_owned();
                let sign = if kind == ViolationKind::DoubleFree { "==" } else { "!=" };
                self.kept_block().map(|it| format!("(uintptr_t)({pointer}) {sign} (uintptr_t){it}"))
            }
            // Another number would be another key, or none.
            Some(ViolationKind::Misuse { what: Misuse::DeletedKey, .. }) => {
                let key = filled.first().map(Filled::text);
                let number = self.trace.address.map(|it| it.bits & u128::from(u32::MAX));
                key.zip(number).map(|(key, number)| format!("({key}) == {number}"))
            }
            // The pointer is right, and what is done with it goes too far.
            Some(ViolationKind::OutOfBounds { .. }) if self.begins_inside() => None,
            Some(kind) if kind.property() == Property::Memory => {
                let of_text = filled.iter().find(|it| it.is_value()).or(filled.first());
                let pointer = pointers(filled).next().map(str::to_owned);
                let pointer = pointer.or_else(|| of_text.map(|it| it.text().to_owned()));
                let pointer = pointer.unwrap_or_else(|| "0".to_owned());
                self.memory_test(&kind, &pointer, &operand(&pointer))
            }
            Some(kind) if kind.property() == Property::Ub => self.negation_test(node, filled),
            _ => None,
        };
        self.fail(node, test);
        Err(Halt::End)
    }

    /// An expression in which the run fails.
    pub fn failing_access(&mut self, node: Node<'a>, filled: &[Filled<'a>]) -> Walk<()> {
        let test = match self.violation().map(|it| it.kind.clone()) {
            Some(kind) if kind.property() == Property::Memory => {
                let pointer = pointers(filled).last().map(str::to_owned);
                let place = joined(filled);
                let pointer = pointer.unwrap_or_else(|| format!("&{place}"));
                let is_element = node.kind() == "subscript_expression";
                if is_element && kind == ViolationKind::NullDereference {
                    Some(format!("(uintptr_t)&({place}) < {NULL_PAGE}"))
                } else {
                    self.memory_test(&kind, &pointer, &format!("&({place})"))
                }
            }
            Some(kind) if kind.property() == Property::Ub => self.arithmetic_test(node, filled)?,
            _ => None,
        };
        self.fail(node, test);
        Err(Halt::End)
    }

    /// When an access through a pointer is an error.
    fn memory_test(
        &mut self,
        kind: &ViolationKind,
        pointer: &str,
        address: &str,
    ) -> Option<String> {
        let object = self.trace.address.and_then(|it| it.provenance);
        match kind {
            ViolationKind::NullDereference => Some(format!("({pointer}) == NULL")),
            ViolationKind::UseAfterFree => {
                let kept = self.kept_block()?;
                Some(format!("(uintptr_t)({pointer}) == {kept}"))
            }
            ViolationKind::UseAfterReturn | ViolationKind::UseAfterExit => {
                let name = self.object_name(object?)?;
                Some(format!("(uintptr_t)({pointer}) - (uintptr_t)&{name} < sizeof {name}"))
            }
            ViolationKind::OutOfBounds { .. } => {
                let (base, size) = self.object_bounds(object?)?;
                Some(format!("(uintptr_t){address} - (uintptr_t){base} >= {size}"))
            }
            _ => None,
        }
    }

    /// Whether a pointer is null that is not the first argument of a library function.
    pub fn is_null_behind_first(&self) -> bool {
        let is_null = |it: &Violation| it.kind == ViolationKind::NullDereference;
        let first = self.trace.address.map(Value::address);
        self.violation().is_some_and(is_null) && first.is_some_and(|it| it >= NULL_PAGE.into())
    }

    /// Whether the pointer that a library function is given points into its object.
    fn begins_inside(&self) -> bool {
        let Some(address) = self.trace.address else { return false };
        let object = address.provenance.and_then(|it| self.trace.state.object(it));
        object.is_some_and(|it| address.address().wrapping_sub(it.base) < it.size())
    }

    /// The variable that holds the address of the block that the failure is about.
    fn kept_block(&self) -> Option<String> {
        let object = self.trace.address.and_then(|it| it.provenance)?;
        self.out.blocks.get(&object).cloned()
    }

    fn object_bounds(&mut self, object: ObjectId) -> Option<(String, String)> {
        if object.kind == ObjectKind::Heap {
            let size = self.trace.state.object(object)?.size();
            return Some((self.kept_block()?, size.to_string()));
        }
        let name = self.object_name(object)?;
        Some((format!("&{name}"), format!("sizeof {name}")))
    }

    /// The variable that an object is.
    fn object_name(&mut self, object: ObjectId) -> Option<String> {
        if let Some(name) = self.out.objects.get(&object) {
            return Some(name.clone());
        }
        let Some(known) = self.trace.state.object(object) else {
            let owners = self.trace.state.threads.iter().enumerate();
            return owners.into_iter().find_map(|(index, thread)| {
                let global = thread.locals.iter().find(|(_, it)| **it == object)?.0;
                let name = &self.unit.program.global(*global).name;
                Some(format!("T{index}_{name}"))
            });
        };
        let Origin::Global(global) = known.origin else { return None };
        let name = &self.unit.program.global(global).name;
        match name.split_once('.') {
            Some((function, name)) => Some(self.out.static_name(function, name).0),
            None => Some(name.clone()),
        }
    }

    /// When arithmetic has no meaning.
    fn arithmetic_test(&mut self, node: Node<'a>, filled: &[Filled<'a>]) -> Walk<Option<String>> {
        let sign = operator(node).map_or("", |it| self.unit.text(it));
        let (left, right) = match node.kind() {
            "update_expression" => (joined(filled), "1".to_owned()),
            "assignment_expression" => (joined(filled), self.right_side(node)?),
            "binary_expression" => {
                let values: Vec<&str> =
                    filled.iter().filter(|it| it.is_value()).map(Filled::text).collect();
                let [left, right] = values[..] else { return Ok(None) };
                (left.to_owned(), right.to_owned())
            }
            _ => return Ok(None),
        };
        let overflow = |name: &str| {
            format!("__builtin_{name}_overflow({left}, {right}, &(__typeof__({left})){{0}})")
        };
        Ok(match sign.trim_end_matches('=').chars().next() {
            Some('+') => Some(overflow("add")),
            Some('-') => Some(overflow("sub")),
            Some('*') => Some(overflow("mul")),
            Some('/' | '%') => Some(format!("({right}) == 0")),
            Some('<' | '>') => Some(self.shift_test(&left, &right)),
            _ => None,
        })
    }

    /// When the text that `sprintf` writes goes beyond its place.
    fn text_test(&mut self, node: Node<'a>, filled: &[Filled<'a>]) -> Option<String> {
        let name = self.unit.text(field(node, "function")?);
        let kind = self.violation().map(|it| it.kind.clone())?;
        if name != "sprintf" || !matches!(kind, ViolationKind::OutOfBounds { .. }) {
            return None;
        }
        let object = self.trace.address.and_then(|it| it.provenance)?;
        let (base, size) = self.object_bounds(object)?;
        let to = filled.iter().find(|it| it.is_value())?.text();
        let call = joined(filled);
        // The format and what follows, with the closing parenthesis.
        let arguments = call.strip_prefix(name)?.trim_start().strip_prefix('(')?;
        let rest = arguments.trim_start().strip_prefix(to)?;
        let length = format!("(uintptr_t)snprintf(NULL, 0{rest}");
        Some(format!("(uintptr_t)({to}) - (uintptr_t){base} + {length} >= {size}"))
    }

    /// When `abs` or one of its kind has no result: the argument has no negation.
    fn negation_test(&self, node: Node<'a>, filled: &[Filled<'a>]) -> Option<String> {
        let name = self.unit.text(field(node, "function")?);
        if !matches!(name, "abs" | "labs" | "llabs" | "imaxabs") {
            return None;
        }
        let argument = filled.iter().rfind(|it| it.is_value())?.text();
        let ty = format!("__typeof__({name}(0))");
        Some(format!("__builtin_sub_overflow(({ty})0, ({ty})({argument}), &({ty}){{0}})"))
    }

    /// When a shift has no meaning: it goes too far, or a bit of the value gets into the sign or out
    /// at the top. A negative value has such bits.
    fn shift_test(&self, left: &str, right: &str) -> String {
        let is_left = |it: &Violation| it.kind == ViolationKind::Undefined(Undefined::LeftShift);
        if !self.violation().is_some_and(is_left) {
            return format!("(unsigned long)({right}) >= 8 * sizeof ({left})");
        }
        let width = format!("8 * sizeof (({left}) + 0)");
        let too_far = format!("(unsigned long)({right}) >= {width}");
        format!(
            "{too_far} || (unsigned long)({left}) >> ({width} - 1 - (unsigned long)({right})) != 0"
        )
    }

    fn right_side(&mut self, node: Node<'a>) -> Walk<String> {
        match field(node, "right") {
            Some(right) => self.line_text(right),
            None => Ok("0".to_owned()),
        }
    }

    /// Says what went wrong and stops, if a test holds.
    pub fn fail(&mut self, node: Node<'a>, test: Option<String>) {
        let message = self.violation().map(|it| violation::message(&it.kind)).unwrap_or_default();
        let statement = unravel_patch::source::ancestors(node)
            .find(|it| it.kind().ends_with("_statement") || it.kind() == "declaration")
            .unwrap_or(node);
        let shown =
            one_line(self.unit.text(if parts(statement).len() > 3 { node } else { statement }));
        let place = self.unit.place(node);
        let said = say(&format!("{place}: T{}: {message}", self.thread));
        let text = match test {
            Some(test) => format!("if ({test}) {{\n    {said}\n    {FAILS}\n}}"),
            None => format!("{said}\n{FAILS}"),
        };
        let comment = format!("{}: {shown}", self.place(node));
        self.write_with(self.segment, text, comment, true);
    }

    /// A call that allocates or frees the block that the failure is about keeps its address. The
    /// call has no name if the block is handed over instead of freed.
    pub fn with_block(
        &mut self,
        text: &str,
        name: &str,
        rest: &Extent,
        node: Node<'a>,
        filled: &[Filled<'a>],
    ) -> Walk<String> {
        let kept = self.entries()[self.at..rest.end].iter().find_map(|it| {
            let made = it.result.and_then(|it| it.provenance);
            made.iter().chain(&it.block).find_map(|it| self.out.blocks.get(it)).cloned()
        });
        let Some(kept) = kept else { return Ok(text.to_owned()) };
        if self.keeps_allocation() {
            return Ok(format!("({kept} = {text})"));
        }
        if name == "free" {
            let arguments = text.strip_prefix("free").unwrap_or(text);
            return Ok(format!("{}{arguments}", self.out.release));
        }
        if name == "realloc" || name.is_empty() {
            let pointer = filled.iter().find(|it| it.is_value());
            let pointer = pointer.map_or("0", Filled::text).to_owned();
            let segment = rest.segment.unwrap_or(self.segment);
            self.write(segment, format!("{kept} = (uintptr_t)({pointer});"), node);
        }
        Ok(text.to_owned())
    }

    /// Whether the failure is about where a block lies, not about its end.
    fn keeps_allocation(&self) -> bool {
        self.violation().is_some_and(|it| {
            matches!(it.kind, ViolationKind::OutOfBounds { .. } | ViolationKind::InvalidFree { .. })
        })
    }

    /// Takes note of what a variable in memory is called.
    pub fn name_object(&mut self, old: &str, new: &str) {
        if let Some(at) = self.objects.iter().rposition(|(name, _)| name == old) {
            let (_, object) = self.objects.remove(at);
            self.out.objects.insert(object, new.to_owned());
        }
    }
}

fn values<'a>(filled: &[Filled<'a>]) -> Vec<Filled<'a>> {
    filled.iter().filter(|it| it.is_value()).cloned().collect()
}

/// A statement that prints a message.
pub fn say(message: &str) -> String {
    format!("fprintf(stderr, \"%s\\n\", {});", quoted(message))
}

/// A string as a C literal.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c => out.push(c),
        }
    }
    out + "\""
}
