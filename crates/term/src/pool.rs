//! The pool: every term once.

use crate::hash::{FastMap, hash_of};
use crate::value::mask;
use crate::{Node, Term, VarId};

/// The widest term.
pub const MAX_WIDTH: u16 = 128;

/// How deep rules may nest that build further terms: enough to look through the value of a long
/// `switch`, and a bound on both time and stack.
pub const MAX_NESTING: u16 = 32;

/// How many rules one constructor may try in all, as rules that build several terms branch.
const MAX_RULES: u16 = 1000;

/// An empty place in the table of terms.
const EMPTY: u32 = u32::MAX;

/// A pool of terms. See the [crate's documentation](crate).
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    widths: Vec<u16>,
    /// How many nodes were made with this one as a part, up to 255.
    parents: Vec<u8>,
    /// A hash table of indices into `nodes`, so that nodes are stored once; its length is a power
    /// of two, at least twice the number of terms.
    table: Vec<u32>,
    /// Bounds narrower than the width.
    pub(crate) narrow: FastMap<Term, (u128, u128)>,
    vars: u32,
    nesting: u16,
    /// Rules that may still be tried for the outermost constructor.
    rules_left: u16,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms::new()
    }
}

impl Terms {
    /// A pool with only the truth values in it.
    #[must_use]
    pub fn new() -> Terms {
        let mut terms = Terms {
            nodes: Vec::new(),
            widths: Vec::new(),
            parents: Vec::new(),
            table: vec![EMPTY; 1024],
            narrow: FastMap::default(),
            vars: 0,
            nesting: 0,
            rules_left: 0,
        };
        // At the places that `falsity` and `truth` name.
        terms.constant(1, 0);
        terms.constant(1, 1);
        terms
    }

    /// The number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All terms; the parts of each come before it.
    pub fn all(&self) -> impl Iterator<Item = Term> + use<> {
        (0..u32::try_from(self.nodes.len()).unwrap_or(u32::MAX)).map(Term)
    }

    /// Never: a pool has at least the truth values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of variables.
    #[must_use]
    pub fn vars(&self) -> usize {
        self.vars as usize
    }

    /// The number of bits of a term.
    #[must_use]
    pub fn width(&self, term: Term) -> u16 {
        self.widths[term.index()]
    }

    /// What a term is made of.
    #[must_use]
    pub fn node(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// How many terms were made with this one as a part, up to 255. An upper bound of how many
    /// use it, as not every term made is used.
    #[must_use]
    pub fn parents(&self, term: Term) -> u8 {
        self.parents[term.index()]
    }

    /// The number, if a term is a constant.
    #[must_use]
    pub fn as_const(&self, term: Term) -> Option<u128> {
        match self.node(term) {
            Node::Const(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether it is the constant *true* (1 of width 1).
    #[must_use]
    pub fn is_true(&self, term: Term) -> bool {
        term == self.truth()
    }

    /// Whether it is the constant *false* (0 of width 1).
    #[must_use]
    pub fn is_false(&self, term: Term) -> bool {
        term == self.falsity()
    }

    /// A number; bits above the width are dropped.
    pub fn constant(&mut self, width: u16, bits: u128) -> Term {
        debug_assert!((1..=MAX_WIDTH).contains(&width), "width {width}");
        self.intern(Node::Const(bits & mask(width)), width)
    }

    /// *True*.
    #[must_use]
    pub fn truth(&self) -> Term {
        Term(1)
    }

    /// *False*.
    #[must_use]
    pub fn falsity(&self) -> Term {
        Term(0)
    }

    /// A truth value.
    #[must_use]
    pub fn boolean(&self, value: bool) -> Term {
        if value { self.truth() } else { self.falsity() }
    }

    /// A fresh variable.
    pub fn var(&mut self, width: u16) -> Term {
        debug_assert!((1..=MAX_WIDTH).contains(&width), "width {width}");
        let var = VarId(self.vars);
        self.vars += 1;
        self.intern(Node::Var(var), width)
    }

    /// The term of a node: the one there is, or a new one.
    pub(crate) fn intern(&mut self, node: Node, width: u16) -> Term {
        let slot = self.slot(node, width);
        if self.table[slot] != EMPTY {
            return Term(self.table[slot]);
        }
        let (low, high) = self.range_of_node(node, width);
        if low == high && !matches!(node, Node::Const(_)) {
            return self.constant(width, low);
        }
        self.insert(node, width, slot, (low, high))
    }

    fn insert(&mut self, node: Node, width: u16, slot: usize, range: (u128, u128)) -> Term {
        let term = Term(self.nodes.len() as u32);
        self.table[slot] = term.0;
        self.nodes.push(node);
        self.widths.push(width);
        self.parents.push(0);
        for part in node.children().as_slice() {
            let count = &mut self.parents[part.index()];
            *count = count.saturating_add(1);
        }
        if range != (0, mask(width)) && !matches!(node, Node::Const(_)) {
            self.narrow.insert(term, range);
        }
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        term
    }

    /// The place of a node in the table, or the empty place where it belongs.
    fn slot(&self, node: Node, width: u16) -> usize {
        let last = self.table.len() - 1;
        let mut slot = hash_of(&(node, width)) as usize & last;
        loop {
            let entry = self.table[slot];
            if entry == EMPTY {
                return slot;
            }
            let index = entry as usize;
            if self.nodes[index] == node && self.widths[index] == width {
                return slot;
            }
            slot = (slot + 1) & last;
        }
    }

    fn grow(&mut self) {
        self.table = vec![EMPTY; self.table.len() * 2];
        for index in 0..self.nodes.len() {
            let slot = self.slot(self.nodes[index], self.widths[index]);
            self.table[slot] = index as u32;
        }
    }

    /// Tries rules that build further terms, unless they are nested too deep already.
    pub(crate) fn nested(
        &mut self,
        rules: impl FnOnce(&mut Terms) -> Option<Term>,
    ) -> Option<Term> {
        if self.nesting == 0 {
            self.rules_left = MAX_RULES;
        }
        if self.nesting >= MAX_NESTING || self.rules_left == 0 {
            return None;
        }
        self.rules_left -= 1;
        self.nesting += 1;
        let result = rules(self);
        self.nesting -= 1;
        result
    }

    /// The operands in normal order: a constant second, else by number.
    pub(crate) fn ordered(&self, a: Term, b: Term) -> (Term, Term) {
        let rank = |t: Term| (self.as_const(t).is_some(), t);
        if rank(a) <= rank(b) { (a, b) } else { (b, a) }
    }

    /// Whether two operands have the same width, which every caller must see to.
    pub(crate) fn same_width(&self, a: Term, b: Term) -> bool {
        self.width(a) == self.width(b)
    }

    /// The condition and the two numbers of an `Ite` of two constants.
    pub(crate) fn as_ite_of_constants(&self, term: Term) -> Option<(Term, u128, u128)> {
        match self.node(term) {
            Node::Ite(c, a, b) => Some((c, self.as_const(a)?, self.as_const(b)?)),
            _ => None,
        }
    }

    /// An operation on an `Ite` of two constants is an `Ite` of two constants again.
    pub(crate) fn map_ite_of_constants(
        &mut self,
        term: Term,
        width: u16,
        operation: impl Fn(u128) -> u128,
    ) -> Option<Term> {
        let (c, a, b) = self.as_ite_of_constants(term)?;
        let a = self.constant(width, operation(a));
        let b = self.constant(width, operation(b));
        Some(self.ite(c, a, b))
    }

    /// A binary operation folded where both operands are constants, or one is and the other is
    /// an `Ite` of two constants.
    pub(crate) fn fold_constants(
        &mut self,
        a: Term,
        b: Term,
        operation: impl Fn(u128, u128) -> u128,
    ) -> Option<Term> {
        let width = self.width(a);
        match (self.as_const(a), self.as_const(b)) {
            (Some(x), Some(y)) => Some(self.constant(width, operation(x, y))),
            (None, Some(y)) => self.map_ite_of_constants(a, width, |x| operation(x, y)),
            (Some(x), None) => self.map_ite_of_constants(b, width, |y| operation(x, y)),
            (None, None) => self.fold_same_condition(a, b, operation),
        }
    }

    /// `ite(c, 1, 2) + ite(c, 3, 4)` is `ite(c, 4, 6)`.
    fn fold_same_condition(
        &mut self,
        a: Term,
        b: Term,
        operation: impl Fn(u128, u128) -> u128,
    ) -> Option<Term> {
        let (c, a1, a0) = self.as_ite_of_constants(a)?;
        let (d, b1, b0) = self.as_ite_of_constants(b)?;
        if c != d {
            return None;
        }
        let width = self.width(a);
        let yes = self.constant(width, operation(a1, b1));
        let no = self.constant(width, operation(a0, b0));
        Some(self.ite(c, yes, no))
    }
}
