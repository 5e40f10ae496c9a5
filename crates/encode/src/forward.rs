//! Reads whose value is certain before anything is solved.
//!
//! A read that only one write can supply, or only what memory held at first, and that with a
//! constant, has that value in every run. The solver would find that out by itself; known here,
//! what is computed from it is constant, too, and most of all addresses: an index that is kept in
//! shared memory would else be compared with every place of its array, for every turn of a loop.
//!
//! Writes that may overlap are taken for sources here, as long as nothing is known of their
//! address; so accesses are looked at in the order of execution. The cost is one look at each pair
//! of a read and a write of the same object.

use std::collections::BTreeMap;

use unravel_events::{Access, Initial, ObjectId, Space, Value};
use unravel_term::hash::FastMap;
use unravel_term::{Node, Term, Terms, VarId};

use crate::Encoder;

/// Writes of data, by the objects that they may go to.
type Writes = BTreeMap<ObjectId, Vec<usize>>;

/// Variables that are constant in every run, and terms looked at before.
#[derive(Default)]
struct Constants {
    variables: FastMap<VarId, u128>,
    terms: FastMap<Term, Option<Term>>,
}

impl Encoder {
    /// Finds reads with a constant value, and puts that into the addresses of later accesses.
    pub fn forward(&mut self) {
        let mut constants = Constants::default();
        let writes = self.writes_of_data();
        for index in self.alarm.until(0..self.graph.accesses.len()) {
            self.settle_address(index, &mut constants);
            let access = self.graph.accesses[index].clone();
            if access.writes || access.space != Space::Data {
                continue;
            }
            if let Some((bits, provenance)) = self.certain_value(&access, &writes, &mut constants) {
                self.settle(access.value.bits, bits, &mut constants);
                self.settle(access.value.provenance, provenance, &mut constants);
            }
        }
    }

    fn writes_of_data(&self) -> Writes {
        let mut writes = Writes::new();
        for (index, access) in self.alarm.until(self.graph.accesses.iter().enumerate()) {
            if access.writes && access.space == Space::Data {
                for object in self.graph.candidates(&access.may) {
                    writes.entry(object).or_default().push(index);
                }
            }
        }
        writes
    }

    fn settle_address(&mut self, index: usize, constants: &mut Constants) {
        let Value { bits, provenance } = self.graph.accesses[index].address;
        let terms = &mut self.graph.terms;
        if let Some(bits) = constants.of(terms, bits)
            && let Some(provenance) = constants.of(terms, provenance)
        {
            self.graph.accesses[index].address = Value { bits, provenance };
        }
    }

    fn settle(&mut self, variable: Term, value: u128, constants: &mut Constants) {
        if let Node::Var(variable) = self.graph.terms.node(variable) {
            constants.variables.insert(variable, value);
            self.blaster.fix(variable, u128::MAX, value);
        }
    }

    /// Bits and provenance that a read has in every run, if these are certain.
    fn certain_value(
        &mut self,
        read: &Access,
        writes: &Writes,
        constants: &mut Constants,
    ) -> Option<(u128, u128)> {
        let (object, offset) = self.place(read)?;
        let mut sources = Vec::new();
        for &write in writes.get(&object).into_iter().flatten() {
            let access = &self.graph.accesses[write];
            if !self.precedes(read, access) && !self.is_apart(read, access) {
                sources.push(write);
            }
        }
        let value = match sources.is_empty() {
            true => self.first_value(object, offset, read.bytes)?,
            false => {
                let only = self.only_source(read, &sources)?;
                self.graph.accesses[only].value
            }
        };
        let terms = &mut self.graph.terms;
        let (bits, provenance) =
            (constants.of(terms, value.bits)?, constants.of(terms, value.provenance)?);
        Some((terms.as_const(bits)?, terms.as_const(provenance)?))
    }

    /// Where an access goes, if its address is constant: object and offset.
    fn place(&self, access: &Access) -> Option<(ObjectId, u64)> {
        let object = self.graph.terms.as_const(access.address.provenance)?;
        let object = ObjectId::of_provenance(object)?;
        let at = u64::try_from(self.graph.terms.as_const(access.address.bits)?).ok()?;
        let (base, size) =
            (self.graph.objects.get(object).base, self.graph.objects.get(object).size);
        let offset = at.checked_sub(base)?;
        (offset.checked_add(access.bytes)? <= size).then_some((object, offset))
    }

    /// Whether two accesses, one of which has a constant address, certainly do not overlap.
    fn is_apart(&self, read: &Access, write: &Access) -> bool {
        match (self.place(read), self.place(write)) {
            (Some((here, a)), Some((there, b))) => {
                here != there || a + read.bytes <= b || b + write.bytes <= a
            }
            _ => false,
        }
    }

    /// What memory holds at first, if that is no choice.
    fn first_value(&mut self, object: ObjectId, offset: u64, bytes: u64) -> Option<Value> {
        if matches!(self.graph.objects.get(object).initial, Initial::Undefined) {
            return None;
        }
        Some(self.graph.objects.initial(&mut self.graph.terms, object, offset, bytes))
    }

    /// The write that certainly comes before a read and after all others that it might see.
    fn only_source(&mut self, read: &Access, sources: &[usize]) -> Option<usize> {
        let mut last: Option<usize> = None;
        for &source in sources {
            let write = self.graph.accesses[source].clone();
            let later = last.is_none_or(|it| self.precedes(&self.graph.accesses[it], &write));
            let covers = self.place(&write) == self.place(read) && write.bytes == read.bytes;
            if later
                && covers
                && self.precedes(&write, read)
                && self.conjuncts.implies(&self.graph.terms, read.guard, write.guard)
            {
                last = Some(source);
            }
        }
        let last = last?;
        let overwrites = |&it: &usize| {
            it == last || self.precedes(&self.graph.accesses[it], &self.graph.accesses[last])
        };
        sources.iter().all(overwrites).then_some(last)
    }
}

impl Constants {
    /// The constant that a term is, if it is one in every run.
    fn of(&mut self, terms: &mut Terms, term: Term) -> Option<Term> {
        // A stack of its own: terms are deep.
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.terms.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let before = stack.len();
            let parts = node.children();
            stack.extend(parts.as_slice().iter().filter(|part| !self.terms.contains_key(part)));
            if stack.len() == before {
                let known = self.build(terms, top, node);
                self.terms.insert(top, known);
                stack.pop();
            }
        }
        self.terms.get(&term).copied().flatten()
    }

    /// The constant of a term from those of its parts.
    fn build(&self, terms: &mut Terms, term: Term, node: Node) -> Option<Term> {
        let of = |part: Term| self.terms.get(&part).copied().flatten();
        let width = terms.width(term);
        let found = match node {
            Node::Const(_) => term,
            Node::Var(variable) => {
                let bits = *self.variables.get(&variable)?;
                terms.constant(width, bits)
            }
            Node::Ite(c, a, b) => match of(c).and_then(|c| terms.as_const(c)) {
                Some(0) => of(b)?,
                Some(_) => of(a)?,
                None => of(a).filter(|a| of(b) == Some(*a))?,
            },
            Node::Not(a) => terms.not(of(a)?),
            Node::Neg(a) => terms.neg(of(a)?),
            Node::And(a, b) => terms.and(of(a)?, of(b)?),
            Node::Or(a, b) => terms.or(of(a)?, of(b)?),
            Node::Xor(a, b) => terms.xor(of(a)?, of(b)?),
            Node::Eq(a, b) => terms.eq(of(a)?, of(b)?),
            Node::Ult(a, b) => terms.ult(of(a)?, of(b)?),
            Node::Slt(a, b) => terms.slt(of(a)?, of(b)?),
            Node::Add(a, b) => terms.add(of(a)?, of(b)?),
            Node::Mul(a, b) => terms.mul(of(a)?, of(b)?),
            Node::Udiv(a, b) => terms.udiv(of(a)?, of(b)?),
            Node::Urem(a, b) => terms.urem(of(a)?, of(b)?),
            Node::Sdiv(a, b) => terms.sdiv(of(a)?, of(b)?),
            Node::Srem(a, b) => terms.srem(of(a)?, of(b)?),
            Node::Shl(a, b) => terms.shl(of(a)?, of(b)?),
            Node::Lshr(a, b) => terms.lshr(of(a)?, of(b)?),
            Node::Ashr(a, b) => terms.ashr(of(a)?, of(b)?),
            Node::Extract { of: a, low } => terms.extract(of(a)?, low, width),
            Node::Concat { high, low } => terms.concat(of(high)?, of(low)?),
            Node::ZeroExtend(a) => terms.zext(of(a)?, width),
            Node::SignExtend(a) => terms.sext(of(a)?, width),
        };
        Some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(terms: &Terms, variable: Term, bits: u128) -> Constants {
        let Node::Var(variable) = terms.node(variable) else { panic!("no variable") };
        let mut constants = Constants::default();
        constants.variables.insert(variable, bits);
        constants
    }

    #[test]
    fn what_is_computed_from_constants_is_constant() {
        let mut terms = Terms::new();
        let (index, other) = (terms.var(32), terms.var(64));
        let wide = terms.sext(index, 64);
        let four = terms.constant(64, 4);
        let offset = terms.mul(wide, four);
        let base = terms.constant(64, 0x100);
        let address = terms.add(base, offset);
        let elsewhere = terms.add(address, other);
        let mut constants = known(&terms, index, 3);
        let address = constants.of(&mut terms, address).unwrap();
        assert_eq!(terms.as_const(address), Some(0x10c));
        assert_eq!(constants.of(&mut terms, elsewhere), None);
    }

    #[test]
    fn a_choice_needs_only_the_branch_that_is_taken() {
        let mut terms = Terms::new();
        let (condition, other) = (terms.var(1), terms.var(8));
        let one = terms.constant(8, 1);
        let (here, there) = (terms.ite(condition, one, other), terms.ite(condition, other, one));
        let mut constants = known(&terms, condition, 1);
        assert_eq!(constants.of(&mut terms, here), Some(one));
        assert_eq!(constants.of(&mut terms, there), None);
    }
}
