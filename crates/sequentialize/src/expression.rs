//! Expressions whose accesses lie in several segments, or that call what is written out: taken apart
//! in the order in which clang evaluates them, with temporaries between.

use tree_sitter::Node;

use crate::condition::Context;
use crate::pieces::{Filled, Val, joined, of_parts};
use crate::replace::How;
use crate::trace::{Entry, Fate, What};
use crate::tree::{field, operator, parts};
use crate::walk::{Extent, Halt, Walk, Walker};

impl<'a> Walker<'_, 'a> {
    /// The entries of a value.
    pub fn value_extent(&self, node: Node<'a>) -> Extent {
        if self.in_macro {
            return self.stretch(self.after_loads(self.loads(node)));
        }
        self.extent(node)
    }

    /// What is left of an expression once its parts are computed.
    pub fn rest(&self, node: Node<'a>) -> Extent {
        if self.in_macro {
            return self.stretch(self.after_loads(self.own_loads(node)));
        }
        self.value_extent(node)
    }

    /// Walks through an expression for its value.
    pub fn value(&mut self, node: Node<'a>) -> Walk<Val> {
        let extent = self.value_extent(node);
        if !extent.is_cut && !extent.is_special && self.unit.is_plain(node) {
            let text = self.line_text(node)?;
            self.go(extent.end);
            let effects = self.unit.has_effects(node);
            let (segment, accesses) = (extent.segment, extent.accesses);
            return Ok(Val { text, segment, accesses, effects });
        }
        let new = self.changed(node, How::Value);
        let value = self.taken_apart(node)?;
        let Some(new) = new else { return Ok(value) };
        if value.effects {
            let segment = value.segment.unwrap_or(self.segment);
            self.write(segment, format!("(void)({});", value.text), node);
        }
        Ok(Val::known(new))
    }

    fn taken_apart(&mut self, node: Node<'a>) -> Walk<Val> {
        match node.kind() {
            "parenthesized_expression" => match parts(node).first() {
                Some(inner) => {
                    let inner = self.value(*inner)?;
                    Ok(Val { text: format!("({})", inner.text), ..inner })
                }
                None => Ok(Val::known("")),
            },
            "comma_expression" => match (field(node, "left"), field(node, "right")) {
                (Some(left), Some(right)) => {
                    self.effect(left)?;
                    self.value(right)
                }
                _ => self.refuse("this expression", node),
            },
            "assignment_expression" => self.assignment(node, true),
            "update_expression" => self.update(node, true),
            "call_expression" if !self.unit.is_cast(node) => self.call(node, true),
            "conditional_expression" => self.choice(node),
            "binary_expression" if self.is_logical(node) => self.logical(node),
            _ => self.composed(node),
        }
    }

    fn is_logical(&self, node: Node<'a>) -> bool {
        self.unit.is_logical(node)
    }

    fn choice(&mut self, node: Node<'a>) -> Walk<Val> {
        let fields =
            (field(node, "condition"), field(node, "consequence"), field(node, "alternative"));
        let (Some(test), Some(yes), Some(no)) = fields else { return self.composed(node) };
        if self.is_select(yes, no) {
            return self.composed(node);
        }
        let chosen = self.condition(test, Context::Branch)?;
        let value = self.value(if chosen { yes } else { no })?;
        self.skip_rest(node);
        Ok(value)
    }

    /// Jumps that join the ways of an expression.
    fn skip_rest(&mut self, node: Node<'a>) {
        let rest = self.value_extent(node);
        if rest.segment.is_none() && !rest.is_special {
            self.go(rest.end);
        }
    }

    fn logical(&mut self, node: Node<'a>) -> Walk<Val> {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else {
            return self.composed(node);
        };
        let is_and = operator(node).is_some_and(|it| self.unit.text(it) == "&&");
        let first = self.condition(left, Context::Branch)?;
        let value = if first == is_and {
            let value = self.value(right)?;
            Val { text: format!("(({}) != 0)", value.text), ..value }
        } else {
            Val::known(if is_and { "0" } else { "1" })
        };
        self.skip_rest(node);
        Ok(value)
    }

    /// An expression made of values: an operator, an access.
    fn composed(&mut self, node: Node<'a>) -> Walk<Val> {
        let pieces = self.pieces(node)?;
        let mut filled = self.fill(pieces, Vec::new())?;
        let rest = self.rest(node);
        let place = filled.len();
        self.stop_in(&rest, node, &mut filled, place)?;
        if rest.is_cut {
            return self.wide_read(node, filled, &rest);
        }
        self.settle(&mut filled, rest.segment)?;
        self.uninitialized(&rest, node, &joined(&filled))?;
        self.go(rest.end);
        Ok(of_parts(&filled, &rest))
    }

    /// Ends the walk where the run ends in what is left of an expression. What its parts did is done;
    /// the last `place` of them lead to the access.
    pub fn stop_in(
        &mut self,
        rest: &Extent,
        node: Node<'a>,
        filled: &mut [Filled<'a>],
        place: usize,
    ) -> Walk<()> {
        let ends = self.entries()[self.at..rest.end].iter().position(|it| it.fate != Fate::Done);
        let Some(ends) = ends.map(|it| self.at + it) else { return Ok(()) };
        for it in filled.iter_mut().filter(|it| it.val.effects) {
            self.settle_one(it)?;
        }
        if self.entries()[ends].fate == Fate::Failing {
            let failing = self.entries()[ends].clone();
            let segment = failing.visible.then(|| self.segment_of(&failing));
            self.settle(filled, segment)?;
            self.go(ends + 1);
            self.failing_access(node, &filled[filled.len() - place..])?;
        }
        self.go(ends);
        Err(Halt::End)
    }

    /// Memory that was never written has the value that the run gives it.
    fn uninitialized(&mut self, rest: &Extent, node: Node<'a>, text: &str) -> Walk<()> {
        let inputs = self.entries()[self.at..rest.end].iter().filter(|it| !it.inputs.is_empty());
        let inputs: Vec<Entry> = inputs.cloned().collect();
        for entry in inputs {
            if entry.what != What::Load || entry.inputs.len() != 1 {
                return self.refuse("a value that depends on an uninitialized variable", node);
            }
            let value = entry.result.map_or(entry.inputs[0].1.bits, |it| it.bits);
            let segment = rest.segment.unwrap_or(self.segment);
            self.write(segment, format!("{text} = {value};"), node);
        }
        Ok(())
    }

    /// Walks through an expression for what it does.
    pub fn effect(&mut self, node: Node<'a>) -> Walk<()> {
        let extent = self.extent(node);
        if !extent.is_cut && !extent.is_special && self.unit.is_plain(node) {
            let segment = extent.segment.unwrap_or(self.segment);
            let text = self.line_text(node)?;
            self.write(segment, format!("{text};"), node);
            self.go(extent.end);
            return Ok(());
        }
        match node.kind() {
            "assignment_expression" => self.assignment(node, false).map(drop),
            "update_expression" => self.update(node, false).map(drop),
            "call_expression" if !self.unit.is_cast(node) => self.call(node, false).map(drop),
            "comma_expression" | "parenthesized_expression" => {
                parts(node).into_iter().try_for_each(|it| self.effect(it))
            }
            "cast_expression" => field(node, "value").map_or(Ok(()), |it| self.effect(it)),
            "conditional_expression" | "binary_expression" if self.forks(node) => self.fork(node),
            _ => {
                let value = self.value(node)?;
                if value.effects {
                    let segment = value.segment.unwrap_or(self.segment);
                    self.write(segment, format!("{};", value.text), node);
                }
                Ok(())
            }
        }
    }

    fn forks(&self, node: Node<'a>) -> bool {
        node.kind() == "conditional_expression" || self.is_logical(node)
    }

    fn fork(&mut self, node: Node<'a>) -> Walk<()> {
        let sign = operator(node).map_or("", |it| self.unit.text(it));
        let test = field(node, "condition").or_else(|| field(node, "left"));
        let Some(test) = test else { return Ok(()) };
        let chosen = self.condition(test, Context::Branch)?;
        let next = match (sign, chosen) {
            ("&&", true) | ("||", false) => field(node, "right"),
            ("&&" | "||", _) => None,
            (_, true) => field(node, "consequence"),
            (_, false) => field(node, "alternative"),
        };
        next.map_or(Ok(()), |it| self.effect(it))?;
        self.skip_rest(node);
        Ok(())
    }
}
