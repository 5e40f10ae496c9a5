//! Assignments, whose read and write may lie in different segments.

use tree_sitter::Node;

use crate::pieces::{Filled, Val, joined, of_parts};
use crate::replace::How;
use crate::text::added;
use crate::trace::{Entry, Fate, What};
use crate::tree::{field, operator};
use crate::walk::{Extent, Halt, Walk, Walker};

/// What memory is filled with.
#[derive(Clone, Copy, Debug)]
pub enum Content<'t> {
    /// What is at an address.
    Of(&'t str),
    /// One byte again and again.
    Byte(&'t str),
}

impl<'a> Walker<'_, 'a> {
    /// `left = right`, `left += right`. clang computes the right side first.
    pub fn assignment(&mut self, node: Node<'a>, wanted: bool) -> Walk<Val> {
        let (Some(left), Some(right)) = (field(node, "left"), field(node, "right")) else {
            return self.refuse("this assignment", node);
        };
        let sign = operator(node).map_or("=", |it| self.unit.text(it));
        if sign == "=" && self.copies(node) && !self.unit.has_effects(right) {
            return self.struct_copy(node, left, right);
        }
        let new = self.changed(node, How::Store);
        let value = self.value(right)?;
        let pieces = self.pieces(left)?;
        let mut filled = self.fill(pieces, vec![Filled::value(right, value)])?;
        let rest = self.value_extent(node);
        let place = filled.len() - 1;
        if sign == "=" && self.is_torn_copy(&rest) {
            return self.copied_value(node, filled, &rest);
        }
        if sign == "=" && self.is_begun(&rest) {
            return self.wide_write(node, filled, &rest);
        }
        self.stop_in(&rest, node, &mut filled, place)?;
        if rest.is_cut && self.unit.is_bit_field(left) {
            return self.torn_bits(node, left, filled, &rest, sign.trim_end_matches('='));
        }
        if rest.is_cut && sign != "=" {
            let sign = sign.trim_end_matches('=');
            return self.torn_update(node, filled, &rest, sign, new).map(|it| it.1);
        }
        if rest.is_cut {
            return self.wide_write(node, filled, &rest);
        }
        self.settle(&mut filled, rest.segment)?;
        let segment = of_parts(&filled, &rest).segment.unwrap_or(self.segment);
        self.go(rest.end);
        if new.is_some() && filled[0].val.effects {
            self.settle_one(&mut filled[0])?;
        }
        let (target, mut value) = (joined(&filled[1..]), filled[0].text().to_owned());
        let sign = if new.is_some() { "=" } else { sign };
        value = new.unwrap_or(value);
        if !wanted {
            self.write(segment, format!("{target} {sign} {value};"), node);
            return Ok(Val::known(""));
        }
        if sign != "=" {
            value = format!("{target} {} ({value})", sign.trim_end_matches('='));
        }
        let val = Val { segment: Some(segment), ..Val::known(value) };
        let ty = self.type_of(left, &target);
        let kept = self.keep_as(val, &ty, node, "tmp")?;
        self.write(segment, format!("{target} = {};", kept.text), node);
        Ok(kept)
    }

    /// `x++` and its kind.
    pub fn update(&mut self, node: Node<'a>, wanted: bool) -> Walk<Val> {
        let Some(target) = field(node, "argument") else { return self.refuse("this update", node) };
        let sign = operator(node).map_or("++", |it| self.unit.text(it));
        let is_before = operator(node).is_some_and(|it| it.start_byte() < target.start_byte());
        let (new, amount) = (self.changed(node, How::Store), self.changed(node, How::Amount));
        let pieces = self.pieces(target)?;
        let mut filled = self.fill(pieces, vec![Filled::value(target, Val::known("1"))])?;
        let rest = self.value_extent(node);
        let place = filled.len() - 1;
        self.stop_in(&rest, node, &mut filled, place)?;
        if rest.is_cut {
            let (old, written) = self.torn_update(node, filled, &rest, &sign[..1], new)?;
            return Ok(if is_before { written } else { old });
        }
        self.settle(&mut filled, rest.segment)?;
        let segment = of_parts(&filled, &rest).segment.unwrap_or(self.segment);
        self.go(rest.end);
        let ty = self.type_of(target, &joined(&filled[1..]));
        let target = joined(&filled[1..]);
        let mut text =
            if is_before { format!("{sign}{target}") } else { format!("{target}{sign}") };
        if let Some(new) = &new {
            text = format!("{target} = {new}");
        } else if let Some(amount) = &amount {
            text = added(self.unit, node, &target, amount);
        }
        if !wanted {
            self.write(segment, format!("{text};"), node);
            return Ok(Val::known(""));
        }
        if new.is_some() && !is_before {
            let old = Val { segment: Some(segment), ..Val::known(target) };
            let old = self.keep_as(old, &ty, node, "tmp")?;
            self.write(segment, format!("{text};"), node);
            return Ok(old);
        }
        let val = Val { segment: Some(segment), ..Val::known(text) };
        self.keep_as(val, &ty, node, "tmp")
    }

    /// A read and a write with others in between; the old value, and the one that is written, which
    /// may be another.
    fn torn_update(
        &mut self,
        node: Node<'a>,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
        sign: &str,
        new: Option<String>,
    ) -> Walk<(Val, Val)> {
        self.settle_all(&mut filled)?;
        let entries = &self.entries()[self.at..rest.end];
        let steps: Vec<usize> =
            entries.iter().filter(|it| it.visible).map(|it| self.segment_of(it)).collect();
        let [read, write] = steps.as_slice() else {
            return self.refuse("an update in more than two steps", node);
        };
        let (target, value) = (joined(&filled[1..]), filled[0].text().to_owned());
        let old = Val { segment: Some(*read), ..Val::known(target.clone()) };
        let place = field(node, "left").or_else(|| field(node, "argument")).unwrap_or(node);
        let ty = self.type_of(place, &target);
        let old = self.keep_as(old, &ty, node, "tmp")?;
        let written = new.unwrap_or_else(|| format!("{} {sign} {value}", old.text));
        self.write(*write, format!("{target} = {written};"), node);
        self.go(rest.end);
        Ok((old, Val::known(format!("({written})"))))
    }

    /// A bit-field is written with what lies beside it, which others may change in between.
    fn torn_bits(
        &mut self,
        node: Node<'a>,
        left: Node<'a>,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
        sign: &str,
    ) -> Walk<Val> {
        self.settle_all(&mut filled)?;
        let entries = &self.entries()[self.at..rest.end];
        let steps: Vec<usize> =
            entries.iter().filter(|it| it.visible).map(|it| self.segment_of(it)).collect();
        let [read, .., write] = steps[..] else {
            return self.refuse("a bit-field in one step", node);
        };
        let (target, mut value) = (joined(&filled[1..]), filled[0].text().to_owned());
        let name = field(left, "field").map_or("", |it| self.unit.text(it));
        let Some(base) = target.strip_suffix(name) else {
            return self.refuse("this bit-field", node);
        };
        let base = match (base.strip_suffix("->"), base.strip_suffix('.')) {
            (Some(pointer), _) => format!("(*{pointer})"),
            (_, Some(base)) => base.to_owned(),
            _ => return self.refuse("this bit-field", node),
        };
        if !sign.is_empty() {
            let old = Val { segment: Some(read), ..Val::known(target) };
            let old = self.keep_as(old, "int", node, "tmp")?;
            value = format!("{} {sign} ({value})", old.text);
        }
        let beside = Val { segment: Some(steps[steps.len() - 2]), ..Val::known(base.clone()) };
        let ty = format!("__typeof__({base})");
        let beside = self.keep_as(beside, &ty, node, "tmp")?;
        self.write(write, format!("{}.{name} = {value};", beside.text), node);
        self.write(write, format!("{base} = {};", beside.text), node);
        self.go(rest.end);
        Ok(Val::known(format!("{}.{name}", beside.text)))
    }

    /// Whether an assignment or an initialization copies a struct.
    pub fn copies(&self, node: Node<'a>) -> bool {
        let end = self.extent(node).end;
        let entries = &self.entries()[self.at..end];
        entries.iter().any(|it| it.what == What::Copy && it.depth == self.depth)
    }

    /// A copy of a struct, which may have others in between.
    fn struct_copy(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Walk<Val> {
        let (target, source) = (self.pieces(left)?, self.pieces(right)?);
        let count = target.len();
        let mut filled = self.fill(target.into_iter().chain(source).collect(), Vec::new())?;
        let rest = self.extent(node);
        let failing = |it: &Entry| it.fate == Fate::Failing;
        if self.entries()[self.at..rest.end].iter().any(failing) {
            self.stop_in(&rest, node, &mut filled[..count], count)?;
        }
        self.settle(&mut filled, rest.segment)?;
        let (target, source) = (joined(&filled[..count]), joined(&filled[count..]));
        let source = format!("&({source})");
        self.copy_parts(node, &format!("&({target})"), Content::Of(&source), None, &rest)
    }

    /// Whether a copy of a struct is what is left of an assignment, and others come in between.
    fn is_torn_copy(&self, rest: &Extent) -> bool {
        let entries = &self.entries()[self.at..rest.end];
        let copies = entries.iter().any(|it| it.what == What::Copy && it.depth == self.depth);
        copies && (rest.is_cut || self.is_begun_copy(rest))
    }

    /// The copy of a struct that an expression gives.
    fn copied_value(
        &mut self,
        node: Node<'a>,
        mut filled: Vec<Filled<'a>>,
        rest: &Extent,
    ) -> Walk<Val> {
        self.settle_all(&mut filled)?;
        let (target, source) = (joined(&filled[1..]), format!("&({})", filled[0].text()));
        self.copy_parts(node, &format!("&({target})"), Content::Of(&source), None, rest)
    }

    /// The parts of a copy, each in its segment.
    pub fn copy_parts(
        &mut self,
        node: Node<'a>,
        target: &str,
        content: Content<'_>,
        length: Option<&str>,
        rest: &Extent,
    ) -> Walk<Val> {
        let entries = &self.entries()[self.at..rest.end];
        let copies = entries.iter().filter(|it| it.what == What::Copy && it.fate != Fate::Failing);
        let parts: Vec<(u64, Option<usize>)> =
            copies.map(|it| (it.progress, self.segment_of_part(it))).collect();
        let ends = entries.iter().any(|it| it.fate != Fate::Done);
        let length = length.map_or_else(|| format!("sizeof *({target})"), str::to_owned);
        let mut at = 0;
        while at < parts.len() {
            let (from, segment) = parts[at];
            let next = parts[at..].iter().position(|it| it.1 != segment).map(|it| at + it);
            let Some(segment) = segment else { break };
            let bytes = match next {
                Some(next) => (parts[next].0 - from).to_string(),
                None if from == 0 => length.clone(),
                None => format!("{length} - {from}"),
            };
            let to = shifted("char *", target, from);
            let text = match content {
                Content::Of(source) => {
                    format!("memcpy({to}, {}, {bytes});", shifted("const char *", source, from))
                }
                Content::Byte(byte) => format!("memset({to}, {byte}, {bytes});"),
            };
            self.write(segment, text, node);
            at = next.unwrap_or(parts.len());
        }
        self.go(rest.end);
        if ends { Err(Halt::End) } else { Ok(Val::known("")) }
    }

    /// The segment of part of a copy; none if the run ends before it.
    fn segment_of_part(&self, entry: &Entry) -> Option<usize> {
        match (entry.fate, entry.visible) {
            (Fate::Pending, _) => None,
            (_, true) => Some(self.segment_of(entry)),
            (_, false) => Some(self.segment),
        }
    }
}

/// An address some bytes behind another.
fn shifted(ty: &str, address: &str, bytes: u64) -> String {
    if bytes == 0 { address.to_owned() } else { format!("({ty})({address}) + {bytes}") }
}
