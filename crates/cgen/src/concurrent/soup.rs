//! The variables of the random statements.

use super::construct::Construct;
use super::generator::Gen;
use super::tree::{Item, Part, parts};

/// A shared integer. General values are masked on the way in, so it stays
/// small, and `place <= max` holds unless it is also counted up or down.
#[derive(Clone, Debug)]
pub(super) struct Var {
    /// The lvalue.
    pub(super) place: String,
    pub(super) kind: Kind,
    /// The type of an atomic one, without the qualifier.
    pub(super) ty: &'static str,
    /// One less than a power of two.
    pub(super) max: u32,
    /// May it be counted up and down?
    pub(super) counts: bool,
}

/// How a variable may be used.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Kind {
    /// An `int`, so that an `int *` may point to it.
    Int,
    /// Another integer type, whose address may be taken.
    Other,
    /// Of an atomic type.
    Atomic,
    /// A bit-field.
    Bits,
}

/// A shared array of `int`.
#[derive(Clone, Debug)]
pub(super) struct Array {
    pub(super) name: String,
    /// A power of two.
    pub(super) len: u32,
}

/// A shared pointer to one of the variables.
#[derive(Clone, Debug)]
pub(super) struct Pointer {
    pub(super) name: String,
    pub(super) targets: [String; 2],
    pub(super) may_be_null: bool,
}

/// What is declared for the random statements.
#[derive(Clone, Copy)]
enum Decl {
    Scalar(&'static str, Construct),
    Atomic(&'static str, &'static str),
    Struct,
    StructArray,
    Bits,
    Union,
    Array,
}

const DECLS: &[(u32, Decl)] = &[
    (24, Decl::Scalar("int", Construct::PlainInt)),
    (8, Decl::Scalar("short", Construct::PlainShort)),
    (8, Decl::Scalar("signed char", Construct::PlainChar)),
    (8, Decl::Scalar("long", Construct::PlainLong)),
    (8, Decl::Scalar("unsigned", Construct::PlainUnsigned)),
    (14, Decl::Atomic("atomic_int", "int")),
    (5, Decl::Atomic("_Atomic unsigned char", "unsigned char")),
    (4, Decl::Atomic("_Atomic long", "long")),
    (6, Decl::Struct),
    (6, Decl::StructArray),
    (6, Decl::Bits),
    (5, Decl::Union),
    (10, Decl::Array),
];

impl Gen {
    /// Declares one to `most` groups of variables.
    pub(super) fn declare_soup(&mut self, most: u32) {
        for _ in 0..self.rng.between(1, most) {
            let decl = self.rng.weighted(DECLS);
            self.declare(decl);
        }
        let ints: Vec<_> = self.vars.iter().filter(|var| var.kind == Kind::Int).collect();
        if let (2.., [.., a, b]) = (ints.len(), ints.as_slice()) {
            let targets = [a.place.clone(), b.place.clone()];
            if self.rng.chance(35) {
                self.declare_pointer(targets);
            }
        }
    }

    fn declare(&mut self, decl: Decl) {
        let max = self.rng.pick(&[1, 3, 3, 7]);
        let counts = self.rng.chance(45);
        let start = self.rng.below(max.min(2) + 1);
        match decl {
            Decl::Scalar(ty, construct) => {
                let name = self.name("g");
                let text = parts![format!("{ty} {name} = "), small(start), ";", construct];
                self.globals.push(Item { name: name.clone(), parts: text });
                let kind = if ty == "int" { Kind::Int } else { Kind::Other };
                self.vars.push(Var { place: name, kind, ty: "", max, counts });
            }
            Decl::Atomic(ty, value) => {
                let name = self.name("a");
                self.global(&name, format!("{ty} {name} = {start};"));
                self.vars.push(Var { place: name, kind: Kind::Atomic, ty: value, max, counts });
            }
            Decl::Struct => {
                self.declare_fields("struct { int a; short b; }", "", Construct::Struct, max);
            }
            Decl::StructArray => {
                let ty = "struct { char a; int b; }";
                self.declare_fields(ty, "[2]", Construct::StructArray, max);
            }
            Decl::Bits => {
                let ty = "struct { unsigned a : 3; unsigned b : 5; }";
                self.declare_fields(ty, "", Construct::BitField, max);
            }
            Decl::Union => {
                let ty = "union { unsigned short a; unsigned char b[2]; }";
                self.declare_fields(ty, "", Construct::Union, max);
            }
            Decl::Array => {
                let (name, len) = (self.name("v"), self.rng.pick(&[2, 2, 4]));
                self.global(&name, format!("int {name}[{len}] = {{{start}}};"));
                self.arrays.push(Array { name, len });
            }
        }
    }

    /// An aggregate with two members `a` and `b`.
    fn declare_fields(&mut self, ty: &str, dims: &str, construct: Construct, max: u32) {
        let name = self.name("s");
        let parts = parts![format!("{ty} {name}{dims};"), construct];
        self.globals.push(Item { name: name.clone(), parts });
        let (first, second) = match construct {
            Construct::StructArray => (format!("{name}[0].b"), format!("{name}[1].b")),
            Construct::Union => (format!("{name}.a"), format!("{name}.b[1]")),
            _ => (format!("{name}.a"), format!("{name}.b")),
        };
        let kinds = match construct {
            Construct::BitField => [Kind::Bits, Kind::Bits],
            Construct::StructArray => [Kind::Int, Kind::Int],
            Construct::Struct => [Kind::Int, Kind::Other],
            _ => [Kind::Other, Kind::Other],
        };
        if construct == Construct::Struct {
            self.aggregates.push(name);
        }
        for (place, kind) in [first, second].into_iter().zip(kinds) {
            // The members of a union change each other, so no bound is kept.
            let counts = construct == Construct::Union;
            self.vars.push(Var { place, kind, ty: "", max, counts });
        }
    }

    fn declare_pointer(&mut self, targets: [String; 2]) {
        let name = self.name("p");
        let may_be_null = self.rng.chance(30);
        let start = if may_be_null { "0".into() } else { format!("&{}", targets[0]) };
        let parts = parts![format!("int *{name} = {start};"), Construct::SharedPointer];
        self.globals.push(Item { name: name.clone(), parts });
        self.pointers.push(Pointer { name, targets, may_be_null });
    }
}

fn small(value: u32) -> Part {
    Part::Hole(parts![value.to_string()])
}
