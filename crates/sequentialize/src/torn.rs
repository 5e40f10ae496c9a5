//! Assertions with others in between. All of a macro has the place of its name, so the parts of its
//! argument are told apart by the number of reads and calls that each takes.

use tree_sitter::Node;
use unravel_patch::source::descendants;
use unravel_program::Shape;

use crate::pieces::Val;
use crate::trace::{Fate, What};
use crate::tree::{bare, field, operator, parts};
use crate::walk::{Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// The condition of an assertion whose parts are read in several segments.
    pub fn torn_assertion(&mut self, condition: Node<'a>) -> Walk<String> {
        self.in_macro = true;
        let tested = self.tested(condition);
        self.in_macro = false;
        Ok(tested?.0.text)
    }

    /// The text of a condition, and whether it holds.
    fn tested(&mut self, node: Node<'a>) -> Walk<(Val, bool)> {
        let sign = operator(node).map_or("", |it| self.unit.text(it));
        // There is no branch on a constant.
        if let Some(known) = self.unit.constant(node) {
            return Ok((Val::known(self.line_text(node)?), known));
        }
        match (node.kind(), sign) {
            ("parenthesized_expression", _) => match parts(node).first() {
                Some(inner) => {
                    let (val, holds) = self.tested(*inner)?;
                    Ok((Val { text: format!("({})", val.text), ..val }, holds))
                }
                None => self.refuse("this condition", node),
            },
            ("unary_expression", "!") => {
                let Some(inner) = field(node, "argument") else {
                    return self.refuse("this condition", node);
                };
                let (val, holds) = self.tested(inner)?;
                Ok((Val { text: format!("!({})", val.text), ..val }, !holds))
            }
            ("binary_expression", "&&" | "||") => self.tested_pair(node, sign),
            _ => {
                let val = self.value(node)?;
                // The branch on the last part may be the one that fails.
                let holds = self.next_branch()?;
                Ok((val, holds))
            }
        }
    }

    fn tested_pair(&mut self, node: Node<'a>, sign: &str) -> Walk<(Val, bool)> {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else {
            return self.refuse("this condition", node);
        };
        let (first, holds) = self.tested(left)?;
        if holds != (sign == "&&") {
            return Ok((first, holds));
        }
        let first = self.keep(first, left, "tmp")?;
        let (second, holds) = self.tested(right)?;
        let text = format!("{} {sign} {}", first.text, second.text);
        Ok((Val { text, ..second }, holds))
    }

    /// The entry after so many reads and calls of this call.
    pub fn after_loads(&self, loads: usize) -> usize {
        let entries = self.entries();
        let mut left = loads;
        for (index, entry) in entries.iter().enumerate().skip(self.at) {
            if left == 0 || entry.depth < self.depth {
                return index.max(self.at).min(entries.len());
            }
            let counts = matches!(entry.what, What::Load | What::Call(_));
            if entry.depth == self.depth && (counts || entry.fate != Fate::Done) {
                left -= 1;
            }
            if left == 0 {
                let inside = entries[index + 1..].iter().take_while(|it| it.depth > self.depth);
                return index + 1 + inside.count();
            }
        }
        self.at
    }

    /// Reads and calls that computing an expression takes.
    pub fn loads(&self, node: Node<'a>) -> usize {
        let inner: usize = match node.kind() {
            "identifier" => 0,
            "sizeof_expression" => return 0,
            _ => parts(node).into_iter().map(|it| self.loads(it)).sum(),
        };
        let of_base = match (node.kind(), field(node, "argument")) {
            // The struct itself is not read.
            ("field_expression", Some(base)) if !self.is_arrow(node) => self.own_loads(bare(base)),
            ("pointer_expression", Some(base)) if !self.is_dereference(node) => {
                self.own_loads(bare(base))
            }
            _ => 0,
        };
        inner - of_base + self.own_loads(node)
    }

    /// Reads and calls that an expression takes once its parts are computed.
    pub fn own_loads(&self, node: Node<'a>) -> usize {
        match node.kind() {
            "identifier" => usize::from(self.is_in_memory(self.unit.text(node))),
            "field_expression" => {
                let name = field(node, "field").map_or("", |it| self.unit.text(it));
                usize::from(!self.unit.is_array_member(name))
            }
            "subscript_expression" => 1,
            "call_expression" => usize::from(self.is_entered(node) || self.is_indirect(node)),
            "pointer_expression" => usize::from(self.is_dereference(node)),
            _ => 0,
        }
    }

    /// Whether a call is one of code, which the trace goes into.
    fn is_entered(&self, node: Node<'a>) -> bool {
        let function = field(node, "function").filter(|it| it.kind() == "identifier");
        let name = function.map(|it| self.unit.text(it));
        name.is_some_and(|it| self.unit.functions.contains_key(it) || self.is_modelled(it))
    }

    /// Whether a call is through a pointer.
    fn is_indirect(&self, node: Node<'a>) -> bool {
        let function = field(node, "function").filter(|_| !self.unit.is_cast(node));
        function.is_some_and(|it| it.kind() != "identifier" || self.is_variable(self.unit.text(it)))
    }

    /// Whether a local variable is an array, which is not read where it is named.
    fn is_local_array(&self, name: &str) -> bool {
        let function = self.unit.functions.get(self.function.as_str());
        let declarators = function.into_iter().flat_map(|it| descendants(*it));
        let mut arrays = declarators.filter(|it| it.kind() == "array_declarator");
        arrays.any(|it| {
            let is_parameter = it.parent().is_some_and(|it| it.kind() == "parameter_declaration");
            let declares = field(it, "declarator").is_some_and(|it| self.unit.text(it) == name);
            declares && !is_parameter
        })
    }

    fn is_arrow(&self, node: Node<'a>) -> bool {
        operator(node).is_some_and(|it| self.unit.text(it) == "->")
    }

    fn is_dereference(&self, node: Node<'a>) -> bool {
        operator(node).is_some_and(|it| self.unit.text(it) == "*")
    }

    /// Whether a variable is read where it is named: neither in a register nor an array.
    fn is_in_memory(&self, name: &str) -> bool {
        let is_array = |ty| {
            let program = self.unit.program;
            program.types.get(ty).is_some_and(|it| matches!(it.shape, Shape::Array { .. }))
        };
        if let Some(new) = self.local(name) {
            let is_kept = self.out.objects.values().any(|it| it == new);
            return is_kept && !self.is_local_array(name);
        }
        let globals = &self.unit.program.globals;
        let global = globals.iter().find(|it| it.shown_name == name);
        global.is_some_and(|it| it.ty.is_none_or(|ty| !is_array(ty)))
    }
}
