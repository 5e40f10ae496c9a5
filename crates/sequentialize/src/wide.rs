//! Values wider than a word, which are read and written in several steps with others in between.

use tree_sitter::Node;

use crate::pieces::{Filled, Val, joined};
use crate::text::operand;
use crate::trace::{Entry, Fate, What};
use crate::walk::{Extent, Halt, Walk, Walker};

/// A step of an access: bytes from the beginning of the value, and how many.
#[derive(Clone, Copy, Debug)]
struct Step {
    segment: usize,
    from: u64,
    bytes: u64,
}

impl<'a> Walker<'_, 'a> {
    /// A read in several steps: a variable that is filled step by step.
    pub fn wide_read(
        &mut self,
        node: Node<'a>,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
    ) -> Walk<Val> {
        let Some(steps) = self.steps(What::Load, rest) else {
            return self.refuse("a read in several steps with others in between", node);
        };
        self.settle_all(&mut filled)?;
        let place = joined(&filled);
        let (ty, name) = (self.type_of(node, &place), self.fresh("tmp"));
        self.write(steps[0].segment, format!("{ty} {name};"), node);
        self.copy_steps(node, &name, &place, &steps);
        self.go(rest.end);
        Ok(Val::known(name))
    }

    /// A write in several steps, from a variable that holds all of the value. The value is the first
    /// of the parts.
    pub fn wide_write(
        &mut self,
        node: Node<'a>,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
    ) -> Walk<Val> {
        let Some(steps) = self.steps(What::Store, rest) else {
            return self.refuse("a write in several steps with others in between", node);
        };
        self.settle_all(&mut filled)?;
        let place = joined(&filled[1..]);
        let value = Val { segment: Some(steps[0].segment), ..Val::known(filled[0].text()) };
        let ty = format!("__typeof__({place})");
        let value = self.keep_as(value, &ty, node, "tmp")?;
        self.copy_steps(node, &place, &value.text, &steps);
        let ends = self.is_begun(rest);
        self.go(rest.end);
        if ends { Err(Halt::End) } else { Ok(value) }
    }

    /// Whether the run ends in the middle of a write.
    pub fn is_begun(&self, rest: &Extent) -> bool {
        let entries = self.entries()[self.at..rest.end].iter();
        let fates: Vec<Fate> =
            entries.filter(|it| it.what == What::Store).map(|it| it.fate).collect();
        fates.len() > 1 && fates.last() == Some(&Fate::Pending)
    }

    fn copy_steps(&mut self, node: Node<'a>, to: &str, from: &str, steps: &[Step]) {
        for step in steps {
            let far = if step.from == 0 { String::new() } else { format!(" + {}", step.from) };
            let place = |of: &str| format!("(char *)&{}{far}", operand(of));
            let text = format!("memcpy({}, {}, {});", place(to), place(from), step.bytes);
            self.write(step.segment, text, node);
        }
    }

    /// The steps of an access, if there is nothing else in a stretch of the trace and they lie side
    /// by side.
    fn steps(&self, what: What, rest: &Extent) -> Option<Vec<Step>> {
        let entries = &self.entries()[self.at..rest.end];
        let accesses = |it: &&Entry| {
            it.fate != Fate::Pending && (it.visible || matches!(it.what, What::Load | What::Store))
        };
        let entries: Vec<&Entry> = entries.iter().filter(accesses).collect();
        let first = entries.first()?.access?;
        let (mut steps, mut segment, mut from): (Vec<Step>, usize, u64) =
            (Vec::new(), self.segment, 0);
        for entry in entries {
            let access = entry.access.filter(|_| entry.what == what && entry.fate == Fate::Done)?;
            segment = if entry.visible { self.segment_of(entry) } else { segment };
            if access.address.address().wrapping_sub(first.address.address()) != from {
                return None;
            }
            steps.push(Step { segment, from, bytes: access.bytes });
            from += access.bytes;
        }
        Some(steps)
    }
}
