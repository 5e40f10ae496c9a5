//! The syntax tree of a generated program.
//!
//! A node is a piece of C text with *holes*, and a hole holds an expression, a
//! list of statements or a number. The generator promises that a hole stays
//! right whatever expression of its type is put there: the guards that keep a
//! program free of undefined behaviour (masks of shift amounts, remainders of
//! indexes, clamps of floats) belong to the text around the hole and not to the
//! expression inside. That promise lets the shrinker replace any expression
//! without knowing what it means.

use crate::feature::Feature;
use crate::helper::Helper;
use crate::types::{Int, Scalar};
use std::collections::BTreeSet;

/// A part of a node.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    Text(String),
    Expr(Expr),
    Block(Vec<Stmt>),
    /// A number that may be lowered down to 1: the trips of a loop.
    Bound(u32),
    /// Prints nothing; records that the node uses a feature.
    Mark(Feature),
    /// Prints the helper's name and calls for its definition.
    Helper(Helper),
    Group(Vec<Part>),
}

/// An expression of a scalar type.
#[derive(Clone, Debug)]
pub(crate) struct Expr {
    /// The type C gives it, before any promotion.
    pub(crate) ty: Scalar,
    pub(crate) parts: Vec<Part>,
}

/// May the shrinker remove a statement?
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Keep {
    Removable,
    /// Removable once nothing else mentions the name it declares.
    Declares(String),
    /// To be removed only with the statement around it.
    Required,
}

/// A statement or declaration.
#[derive(Clone, Debug)]
pub(crate) struct Stmt {
    pub(crate) keep: Keep,
    pub(crate) parts: Vec<Part>,
}

/// A type, global variable or function.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) parts: Vec<Part>,
}

/// A whole program; `main` is the last item.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) items: Vec<Item>,
}

/// Builds a list of parts from strings, expressions, statements and marks.
macro_rules! parts {
    ($($part:expr),* $(,)?) => { vec![$($crate::tree::Part::from($part)),*] };
}
pub(crate) use parts;

impl Expr {
    pub(crate) fn new(ty: Scalar, parts: Vec<Part>) -> Self {
        Self { ty, parts }
    }

    pub(crate) fn int(kind: Int, parts: Vec<Part>) -> Self {
        Self::new(Scalar::Int(kind), parts)
    }

    /// The simplest expression of a type.
    pub(crate) fn zero(ty: Scalar) -> Self {
        Self::new(ty, parts![zero_text(ty)])
    }

    /// The simplest expression of a type that is true.
    pub(crate) fn one(ty: Scalar) -> Self {
        Self::new(ty, parts![format!("(({})1)", ty.name())])
    }

    pub(crate) fn is_zero(&self) -> bool {
        matches!(self.parts.as_slice(), [Part::Text(text)] if *text == zero_text(self.ty))
    }

    /// The integer type; callers hold integer expressions only.
    pub(crate) fn kind(&self) -> Int {
        match self.ty {
            Scalar::Int(kind) => kind,
            Scalar::Float | Scalar::Double => Int::Int,
        }
    }
}

fn zero_text(ty: Scalar) -> String {
    match ty {
        Scalar::Float => "0.0f".into(),
        Scalar::Double => "0.0".into(),
        Scalar::Int(Int::Int) => "0".into(),
        Scalar::Int(Int::UInt) => "0u".into(),
        Scalar::Int(Int::Long) => "0L".into(),
        Scalar::Int(Int::ULong) => "0UL".into(),
        Scalar::Int(kind) => format!("(({})0)", kind.name()),
    }
}

impl Stmt {
    pub(crate) fn new(parts: Vec<Part>) -> Self {
        Self { keep: Keep::Removable, parts }
    }

    pub(crate) fn required(parts: Vec<Part>) -> Self {
        Self { keep: Keep::Required, parts }
    }

    pub(crate) fn declares(name: &str, parts: Vec<Part>) -> Self {
        Self { keep: Keep::Declares(name.into()), parts }
    }
}

/// The weight that every simplification must lower: shrinking ends because of
/// it. A variable weighs more than a constant, a constant more than zero.
pub(crate) fn weight(parts: &[Part]) -> u64 {
    parts.iter().map(part_weight).sum()
}

fn part_weight(part: &Part) -> u64 {
    match part {
        Part::Text(_) | Part::Mark(_) | Part::Helper(_) => 0,
        Part::Expr(expr) => expr.weight(),
        Part::Block(stmts) => stmts.iter().map(Stmt::weight).sum(),
        Part::Bound(bound) => u64::from(*bound),
        Part::Group(parts) => weight(parts),
    }
}

impl Expr {
    pub(crate) fn weight(&self) -> u64 {
        if self.is_zero() { 1 } else { 2 + weight(&self.parts) }
    }
}

impl Stmt {
    pub(crate) fn weight(&self) -> u64 {
        3 + weight(&self.parts)
    }
}

impl Program {
    pub(crate) fn weight(&self) -> u64 {
        self.items.iter().map(|item| 3 + weight(&item.parts)).sum()
    }

    /// Calls `visit` for every part, outer ones first.
    pub(crate) fn visit(&self, visit: &mut impl FnMut(&Part)) {
        for item in &self.items {
            visit_parts(&item.parts, visit);
        }
    }

    /// The features that the program uses.
    pub(crate) fn features(&self) -> BTreeSet<Feature> {
        let mut found = BTreeSet::new();
        self.visit(&mut |part| match part {
            Part::Mark(feature) => drop(found.insert(*feature)),
            Part::Helper(helper) => found.extend(helper.feature()),
            _ => {}
        });
        found
    }

    /// The helpers that the program calls, in order of definition.
    pub(crate) fn helpers(&self) -> BTreeSet<Helper> {
        let mut found = BTreeSet::new();
        self.visit(&mut |part| {
            if let Part::Helper(helper) = part {
                found.insert(*helper);
            }
        });
        found
    }
}

fn visit_parts(parts: &[Part], visit: &mut impl FnMut(&Part)) {
    for part in parts {
        visit(part);
        match part {
            Part::Expr(expr) => visit_parts(&expr.parts, visit),
            Part::Group(parts) => visit_parts(parts, visit),
            Part::Block(stmts) => {
                for stmt in stmts {
                    visit_parts(&stmt.parts, visit);
                }
            }
            Part::Text(_) | Part::Bound(_) | Part::Mark(_) | Part::Helper(_) => {}
        }
    }
}

impl From<&str> for Part {
    fn from(text: &str) -> Self {
        Part::Text(text.into())
    }
}

impl From<String> for Part {
    fn from(text: String) -> Self {
        Part::Text(text)
    }
}

impl From<&String> for Part {
    fn from(text: &String) -> Self {
        Part::Text(text.clone())
    }
}

impl From<Expr> for Part {
    fn from(expr: Expr) -> Self {
        Part::Expr(expr)
    }
}

impl From<Vec<Stmt>> for Part {
    fn from(stmts: Vec<Stmt>) -> Self {
        Part::Block(stmts)
    }
}

impl From<Vec<Part>> for Part {
    fn from(parts: Vec<Part>) -> Self {
        Part::Group(parts)
    }
}

impl From<Feature> for Part {
    fn from(feature: Feature) -> Self {
        Part::Mark(feature)
    }
}

impl From<Helper> for Part {
    fn from(helper: Helper) -> Self {
        Part::Helper(helper)
    }
}
