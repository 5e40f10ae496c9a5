//! The order of objects in memory: free, and the same for the whole run
//! (`unravel_interp::layout`).
//!
//! A comparison asks whether one object lies *below* another. Which objects can be meant is known
//! only when all threads have been executed, so its answer is a variable at first. At the end
//! every object that may be meant gets a *place*, a free number with the object's own number
//! behind it, which makes places differ; each answer is then a comparison of two places. Any order
//! of n objects can come about with log n free bits each, and none that is not an order.

use std::collections::BTreeSet;
use unravel_kinds::Unmodelled;

use unravel_program::{CompareOp, Operand};
use unravel_term::Term;

use super::Executor;
use crate::graph::{Finding, FindingKind};
use crate::object::ObjectId;
use crate::points_to::Target;
use crate::state::State;
use crate::value::{PROVENANCE, UNDEFINED, Value};

/// A comparison of two addresses.
pub(crate) struct Question {
    sides: [Side; 2],
    /// Whether the first object lies below the second.
    below: Term,
    /// What to remark where an address is not in its object: its guard says where this is asked.
    finding: Finding,
}

/// One side of a comparison.
struct Side {
    pointer: Value,
    /// Objects that it may point into.
    objects: BTreeSet<ObjectId>,
    /// What made further ones, which need not be known yet.
    targets: Vec<Target>,
}

impl Executor<'_> {
    /// Whether the address `a` is less (or greater) than `b`, where both are of different objects;
    /// `None` if they cannot be. Also returns where that is.
    pub(super) fn compare_places(
        &mut self,
        state: &State,
        op: CompareOp,
        (a, lhs): (Value, Operand),
        (b, rhs): (Value, Operand),
    ) -> Option<(Term, Term)> {
        if matches!(op, CompareOp::Eq | CompareOp::Ne) {
            return None;
        }
        let terms = self.terms();
        let both = [a, b].map(|it| points_somewhere(terms, it));
        let differ = terms.ne(a.provenance, b.provenance);
        let tags = small_tags(terms, a, b);
        let untagged = terms.not(tags);
        let asked = terms.and_all(&[both[0], both[1], differ, untagged]);
        if terms.is_false(asked) {
            return None;
        }
        let below = terms.var(1);
        let above = terms.not(below);
        let guard = terms.and(state.guard, asked);
        self.ask(guard, above);
        let sides = [self.side(a, lhs), self.side(b, rhs)];
        let what = Unmodelled::AddressAsNumber;
        let finding = Finding {
            kind: FindingKind::Unsupported(what),
            guard,
            thread: self.current.id,
            position: self.current.position,
            site: self.site(),
        };
        self.questions.push(Question { sides, below, finding });
        let less = unravel_interp::layout::answer(op, true);
        Some((if less { below } else { above }, asked))
    }

    fn side(&mut self, pointer: Value, operand: Operand) -> Side {
        let leaves = self.leaves(pointer.provenance);
        let targets =
            if leaves.unknown { self.points.of(self.function_id(), operand) } else { Vec::new() };
        Side { pointer, objects: leaves.objects.clone(), targets }
    }

    /// Answers all questions, when all objects are known.
    pub(super) fn lay_out_objects(&mut self) {
        let mut questions = std::mem::take(&mut self.questions);
        let mut asked = BTreeSet::new();
        for side in questions.iter_mut().flat_map(|it| &mut it.sides) {
            let all = self.graph.objects.iter();
            let made = all.filter(|(_, object)| side.targets.contains(&object.target));
            side.objects.extend(made.map(|(id, _)| id));
            asked.extend(side.objects.iter().copied());
        }
        let places = Places::new(self, &asked);
        for question in self.config.alarm.until(questions) {
            let [first, second] = question.sides.each_ref().map(|side| self.place(side, &places));
            let is_lower = self.terms().ult(first, second);
            let answer = self.terms().eq(question.below, is_lower);
            self.graph.constraints.push(answer);
            self.note_outside(question);
        }
    }

    /// Where the object lies that a side points into.
    fn place(&mut self, side: &Side, places: &Places) -> Term {
        let mut place = self.terms().constant(places.width, 0);
        for &id in &side.objects {
            let here = self.is_object(side.pointer, id);
            let its = places.of(id).unwrap_or(place);
            place = self.terms().ite(here, its, place);
        }
        place
    }

    /// A masked or rounded address lies elsewhere than its object.
    fn note_outside(&mut self, question: Question) {
        let mut outside = Vec::new();
        for side in &question.sides {
            for &id in &side.objects {
                let here = self.is_object(side.pointer, id);
                let (terms, objects) = self.parts();
                let width = terms.width(side.pointer.bits);
                let base = terms.constant(width, u128::from(objects.get(id).base));
                let size = terms.constant(width, u128::from(objects.get(id).size));
                let offset = terms.sub(side.pointer.bits, base);
                let beyond = terms.ult(size, offset);
                outside.push(terms.and(here, beyond));
            }
        }
        let outside = self.terms().or_all(&outside);
        let guard = self.terms().and(question.finding.guard, outside);
        if !self.terms().is_false(guard) {
            self.graph.findings.push(Finding { guard, ..question.finding });
        }
    }
}

/// The places of objects.
struct Places {
    width: u16,
    of: Vec<(ObjectId, Term)>,
}

impl Places {
    fn new(executor: &mut Executor<'_>, objects: &BTreeSet<ObjectId>) -> Places {
        let bits = (usize::BITS - objects.len().leading_zeros()).max(1);
        let bits = u16::try_from(bits).unwrap_or(PROVENANCE);
        let terms = executor.terms();
        let numbered = (0u128..).zip(objects);
        let of = numbered.map(|(number, &id)| {
            let (free, own) = (terms.var(bits), terms.constant(bits, number));
            (id, terms.concat(free, own))
        });
        Places { width: 2 * bits, of: of.collect() }
    }

    fn of(&self, id: ObjectId) -> Option<Term> {
        let at = self.of.binary_search_by_key(&id, |it| it.0).ok()?;
        Some(self.of[at].1)
    }
}

/// Whether a value points into an object.
fn points_somewhere(terms: &mut unravel_term::Terms, value: Value) -> Term {
    let none = terms.constant(PROVENANCE, 0);
    let undefined = terms.constant(PROVENANCE, UNDEFINED);
    let (a, b) = (terms.ne(value.provenance, none), terms.ne(value.provenance, undefined));
    terms.and(a, b)
}

/// Whether both are the low bits of pointers, which alignment decides.
fn small_tags(terms: &mut unravel_term::Terms, a: Value, b: Value) -> Term {
    let small = [a, b].map(|it| {
        let limit = terms.constant(terms.width(it.bits), 16);
        terms.ult(it.bits, limit)
    });
    terms.and(small[0], small[1])
}
