//! Conditions: which way the run went, and a check that the sequential file goes the same.
//!
//! Which branches of the trace a condition is made of follows clang: in an `if`, each operand of
//! `&&`, `||` and `!` is a branch of its own; the condition of a loop is a value, and one branch
//! behind it.

use tree_sitter::Node;

use crate::trace::What;
use crate::tree::{field, operator, parts};
use crate::walk::{Walk, Walker};

/// How clang treats a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Operands are branches.
    Branch,
    /// A value, then a branch.
    Loop,
}

/// The shape of a condition.
enum Shape<'a> {
    Not(Node<'a>),
    And(Node<'a>, Node<'a>),
    Or(Node<'a>, Node<'a>),
    Choice(Node<'a>, Node<'a>, Node<'a>),
    Inner(Node<'a>),
    Leaf,
}

impl<'a> Walker<'_, 'a> {
    fn shape(&self, node: Node<'a>) -> Shape<'a> {
        let sign = operator(node).map_or("", |it| self.unit.text(it));
        let fields = |first, second| Some((field(node, first)?, field(node, second)?));
        match node.kind() {
            "parenthesized_expression" => {
                parts(node).first().map_or(Shape::Leaf, |it| Shape::Inner(*it))
            }
            "unary_expression" if sign == "!" => {
                field(node, "argument").map_or(Shape::Leaf, Shape::Not)
            }
            "binary_expression" if sign == "&&" || sign == "||" => match fields("left", "right") {
                Some((left, right)) if sign == "&&" => Shape::And(left, right),
                Some((left, right)) => Shape::Or(left, right),
                None => Shape::Leaf,
            },
            "conditional_expression" => {
                match (field(node, "condition"), fields("consequence", "alternative")) {
                    (Some(test), Some((yes, no))) if !self.is_select(yes, no) => {
                        Shape::Choice(test, yes, no)
                    }
                    _ => Shape::Leaf,
                }
            }
            _ => Shape::Leaf,
        }
    }

    /// Two constants are chosen from without a branch.
    pub fn is_select(&self, yes: Node<'a>, no: Node<'a>) -> bool {
        self.unit.is_constant(yes) && self.unit.is_constant(no)
    }

    /// Which way a condition went; checks for it are written.
    pub fn condition(&mut self, node: Node<'a>, context: Context) -> Walk<bool> {
        if let Some(known) = self.unit.constant(node) {
            return Ok(known);
        }
        let Some(extent) = self.is_whole(node) else {
            return match context {
                Context::Branch => self.branch_on(node),
                Context::Loop => self.loop_on(node),
            };
        };
        let segment = extent.segment;
        let taken = match context {
            Context::Branch => self.truth(node)?,
            Context::Loop => {
                self.pass(node)?;
                self.next_branch()?
            }
        };
        let text = self.line_text(node)?;
        let segment = segment.unwrap_or(self.segment);
        self.check_truth(&text, taken, segment, node);
        Ok(taken)
    }

    /// Writes that the run goes on only if a condition is as it was.
    fn check_truth(&mut self, text: &str, taken: bool, segment: usize, node: Node<'a>) {
        let inner = strip_parentheses(text);
        let test = if taken { format!("!({inner})") } else { inner.to_owned() };
        self.check(test, segment, node);
    }

    /// Writes that the run ends here if a test holds.
    pub fn check(&mut self, test: String, segment: usize, node: Node<'a>) {
        let line = self.unit.line(node);
        let text = format!("if ({test}) {}({line});", self.out.other_way);
        self.write(segment, text, node);
    }

    fn branch_on(&mut self, node: Node<'a>) -> Walk<bool> {
        match self.shape(node) {
            Shape::Inner(inner) => self.condition(inner, Context::Branch),
            Shape::Not(inner) => self.condition(inner, Context::Branch).map(|it| !it),
            Shape::And(left, right) => {
                Ok(self.condition(left, Context::Branch)?
                    && self.condition(right, Context::Branch)?)
            }
            Shape::Or(left, right) => {
                Ok(self.condition(left, Context::Branch)?
                    || self.condition(right, Context::Branch)?)
            }
            Shape::Choice(test, yes, no) => {
                let chosen = self.condition(test, Context::Branch)?;
                self.condition(if chosen { yes } else { no }, Context::Branch)
            }
            Shape::Leaf => self.loop_on(node),
        }
    }

    /// A value, and a branch behind it.
    fn loop_on(&mut self, node: Node<'a>) -> Walk<bool> {
        let outer = self.limit;
        self.limit = self.branch_behind(node).or(outer);
        let value = self.value(node)?;
        self.limit = outer;
        let taken = self.next_branch()?;
        let segment = value.segment.unwrap_or(self.segment);
        self.check_truth(&value.text, taken, segment, node);
        Ok(taken)
    }

    /// The branch on a value, behind those inside of it; none if the thread does not get there.
    fn branch_behind(&mut self, node: Node<'a>) -> Option<usize> {
        let (at, segment) = (self.at, self.segment);
        let behind =
            self.pass(node).and_then(|()| self.find(|it| matches!(it.what, What::Branch(_))));
        (self.at, self.segment) = (at, segment);
        behind.ok()
    }

    /// Where the next branch of this call went.
    pub fn next_branch(&mut self) -> Walk<bool> {
        let at = self.find(|it| matches!(it.what, What::Branch(_)))?;
        let What::Branch(taken) = self.entries()[at].what else { return Ok(false) };
        self.go(at + 1);
        Ok(taken)
    }

    /// Which way a condition went, in silence.
    fn truth(&mut self, node: Node<'a>) -> Walk<bool> {
        if let Some(known) = self.unit.constant(node) {
            return Ok(known);
        }
        match self.shape(node) {
            Shape::Inner(inner) => self.truth(inner),
            Shape::Not(inner) => self.truth(inner).map(|it| !it),
            Shape::And(left, right) => Ok(self.truth(left)? && self.truth(right)?),
            Shape::Or(left, right) => Ok(self.truth(left)? || self.truth(right)?),
            Shape::Choice(test, yes, no) => {
                let chosen = self.truth(test)?;
                self.truth(if chosen { yes } else { no })
            }
            Shape::Leaf => {
                self.pass(node)?;
                self.next_branch()
            }
        }
    }

    /// Goes past the branches inside of a value.
    pub fn pass(&mut self, node: Node<'a>) -> Walk<()> {
        match self.shape(node) {
            Shape::And(left, right) => {
                if self.truth(left)? {
                    self.pass(right)?;
                }
                Ok(())
            }
            Shape::Or(left, right) => {
                if !self.truth(left)? {
                    self.pass(right)?;
                }
                Ok(())
            }
            Shape::Choice(test, yes, no) => {
                let chosen = self.truth(test)?;
                self.pass(if chosen { yes } else { no })
            }
            Shape::Inner(inner) | Shape::Not(inner) => self.pass(inner),
            Shape::Leaf => {
                parts(node).into_iter().try_for_each(|it| self.pass(it))?;
                if self.unit.is_compare_exchange(node) {
                    self.pass_exchange()?;
                }
                Ok(())
            }
        }
    }

    /// A compare-and-swap of C11 branches by itself: where it fails it stores what it has found.
    fn pass_exchange(&mut self) -> Walk<()> {
        let at = self.find(|it| it.what == What::Update)?;
        self.go(at + 1);
        self.next_branch().map(drop)
    }
}

fn strip_parentheses(text: &str) -> &str {
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let balanced = |inner: &str| {
        let mut depth = 0i32;
        inner.chars().all(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth >= 0
        }) && depth == 0
    };
    inner.filter(|it| balanced(it)).unwrap_or(text)
}
