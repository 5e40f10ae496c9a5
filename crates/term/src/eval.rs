//! The value of a term under values of its variables.

use crate::hash::FastMap;
use crate::value;
use crate::{Node, Term, Terms, VarId};

/// Evaluates terms under one assignment and remembers every value it computed.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    variable: &'a dyn Fn(VarId) -> u128,
    memo: FastMap<Term, u128>,
}

impl<'a> Evaluator<'a> {
    /// Of terms of this pool, under these values of the variables.
    #[must_use]
    pub fn new(terms: &'a Terms, variable: &'a dyn Fn(VarId) -> u128) -> Evaluator<'a> {
        Evaluator { terms, variable, memo: FastMap::default() }
    }

    /// The value of a term. Of an `Ite`, only the branch taken is evaluated.
    pub fn value(&mut self, term: Term) -> u128 {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            match self.step(top) {
                Ok(value) => {
                    self.memo.insert(top, value);
                    stack.pop();
                }
                Err(part) => stack.push(part),
            }
        }
        self.memo.get(&term).copied().unwrap_or(0)
    }

    /// Whether a term of width 1 holds.
    pub fn holds(&mut self, term: Term) -> bool {
        self.value(term) == 1
    }

    fn known(&self, term: Term) -> Result<u128, Term> {
        self.memo.get(&term).copied().ok_or(term)
    }

    /// The value from those of the parts, or a part that has none yet.
    fn step(&self, term: Term) -> Result<u128, Term> {
        let width = self.terms.width(term);
        let node = self.terms.node(term);
        match node {
            Node::Const(bits) => return Ok(bits),
            Node::Var(var) => return Ok((self.variable)(var) & value::mask(width)),
            Node::Ite(c, a, b) => return self.known(if self.known(c)? == 1 { a } else { b }),
            _ => {}
        }
        let mut values = [0; 3];
        let children = node.children();
        for (value, &child) in values.iter_mut().zip(children.as_slice()) {
            *value = self.known(child)?;
        }
        // The width the operation works on; the result's is the same but for predicates and
        // conversions.
        let inner = children.as_slice().last().map_or(width, |&child| self.terms.width(child));
        Ok(apply(node, width, inner, values[0], values[1]))
    }
}

/// A node's value from its operands' values.
fn apply(node: Node, width: u16, inner: u16, a: u128, b: u128) -> u128 {
    match node {
        Node::Const(bits) => bits,
        // Handled by the caller, which knows the assignment and evaluates one branch only.
        Node::Var(_) | Node::Ite(..) => 0,
        Node::Not(_) => !a & value::mask(width),
        Node::And(..) => a & b,
        Node::Or(..) => a | b,
        Node::Xor(..) => a ^ b,
        Node::Eq(..) => u128::from(a == b),
        Node::Ult(..) => u128::from(a < b),
        Node::Slt(..) => u128::from(value::signed(inner, a) < value::signed(inner, b)),
        Node::Add(..) => value::add(width, a, b),
        Node::Neg(_) => value::neg(width, a),
        Node::Mul(..) => value::mul(width, a, b),
        Node::Udiv(..) => value::udiv(width, a, b),
        Node::Urem(..) => value::urem(a, b),
        Node::Sdiv(..) => value::sdiv(width, a, b),
        Node::Srem(..) => value::srem(width, a, b),
        Node::Shl(..) => value::shl(width, a, b),
        Node::Lshr(..) => value::lshr(width, a, b),
        Node::Ashr(..) => value::ashr(width, a, b),
        Node::Extract { low, .. } => value::extract(a, low, width),
        Node::Concat { .. } => value::concat(a, b, inner),
        Node::ZeroExtend(_) => a,
        Node::SignExtend(_) => value::sext(inner, width, a),
    }
}

impl Terms {
    /// The value of one term. For many terms under one assignment, use an [`Evaluator`].
    #[must_use]
    pub fn eval(&self, term: Term, variable: &dyn Fn(VarId) -> u128) -> u128 {
        Evaluator::new(self, variable).value(term)
    }
}
