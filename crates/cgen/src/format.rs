//! Calls of the printf family.

use crate::feature::Feature;
use crate::generator::Gen;
use crate::helper::Helper;
use crate::tree::{Part, Stmt, parts};
use crate::types::{Int, Scalar};

/// What a directive prints.
#[derive(Clone, Copy)]
enum Arg {
    Int(Int),
    Char,
    Text,
    Size,
    Star,
    Nothing,
    Double,
}

const DIRECTIVES: &[(&str, Arg, Feature)] = &[
    ("%d", Arg::Int(Int::Int), Feature::FmtD),
    ("%i", Arg::Int(Int::Int), Feature::FmtI),
    ("%u", Arg::Int(Int::UInt), Feature::FmtU),
    ("%x", Arg::Int(Int::UInt), Feature::FmtLowerX),
    ("%X", Arg::Int(Int::UInt), Feature::FmtUpperX),
    ("%o", Arg::Int(Int::UInt), Feature::FmtO),
    ("%c", Arg::Char, Feature::FmtC),
    ("%s", Arg::Text, Feature::FmtS),
    ("%ld", Arg::Int(Int::Long), Feature::FmtLd),
    ("%lld", Arg::Int(Int::LLong), Feature::FmtLld),
    ("%lu", Arg::Int(Int::ULong), Feature::FmtLu),
    ("%llu", Arg::Int(Int::ULLong), Feature::FmtLlu),
    ("%hhd", Arg::Int(Int::SChar), Feature::FmtHhd),
    ("%hd", Arg::Int(Int::Short), Feature::FmtHd),
    ("%zu", Arg::Size, Feature::FmtZu),
    ("%5d", Arg::Int(Int::Int), Feature::FmtWidth),
    ("%-5d", Arg::Int(Int::Int), Feature::FmtLeft),
    ("%05d", Arg::Int(Int::Int), Feature::FmtZero),
    ("%+d", Arg::Int(Int::Int), Feature::FmtPlus),
    ("%.3s", Arg::Text, Feature::FmtPrecisionS),
    ("%*d", Arg::Star, Feature::FmtStar),
    ("%#x", Arg::Int(Int::UInt), Feature::FmtAlternate),
    ("%%", Arg::Nothing, Feature::FmtPercent),
    ("%f", Arg::Double, Feature::FmtF),
    ("%.3f", Arg::Double, Feature::FmtPrecisionF),
    ("%e", Arg::Double, Feature::FmtE),
    ("%g", Arg::Double, Feature::FmtG),
];

impl Gen {
    /// A statement that prints something.
    pub(crate) fn print(&mut self) -> Option<Stmt> {
        if self.pure || !self.runs_seldom() {
            return None;
        }
        Some(match self.rng.below(12) {
            0 => {
                let word = self.word();
                let marks = parts![Feature::Puts, Feature::StringLiteral];
                Stmt::new(parts![format!("puts(\"{word}\");"), marks])
            }
            1 => {
                let value = self.full(|g| g.int_expr(2));
                let char = parts!["putchar('a' + (int)((unsigned)", value, " % 26u)); "];
                Stmt::new(parts![char, "putchar('\\n');", Feature::Putchar])
            }
            _ => {
                let count = self.rng.between(1, 3);
                let formatted = self.full(|g| g.formatted(count, "\\n"));
                let marks = parts![Feature::Printf, Feature::VariadicCall];
                Stmt::new(parts!["printf(", formatted, ");", marks])
            }
        })
    }

    /// A format string and the arguments for it.
    pub(crate) fn formatted(&mut self, count: u32, end: &str) -> Vec<Part> {
        let mut format = String::new();
        let mut args = Vec::new();
        for i in 0..count {
            let (directive, arg, mark) = self.rng.pick(DIRECTIVES);
            let tag = self.rng.pick(&["", "v=", "[", "a ", "#"]);
            let gap = if i == 0 { "" } else { " " };
            format.push_str(&format!("{gap}{tag}{directive}"));
            args.push(mark.into());
            args.extend(self.format_argument(arg));
        }
        parts![format!("\"{format}{end}\""), args]
    }

    /// The arguments of one directive, each with a comma before it.
    fn format_argument(&mut self, arg: Arg) -> Vec<Part> {
        match arg {
            Arg::Int(kind) => parts![", ", self.expr_of(Scalar::Int(kind), 2)],
            Arg::Char => {
                let value = self.int_expr(1);
                parts![", ' ' + (int)((unsigned)", value, " % 95u)"]
            }
            Arg::Text => parts![format!(", \"{}\"", self.word()), Feature::StringLiteral],
            Arg::Size => parts![", ", self.expr_of(Scalar::Int(Int::ULong), 1)],
            Arg::Star => {
                let (width, value) = (self.int_expr(1), self.expr_of(Scalar::Int(Int::Int), 1));
                parts![", (int)(", width, " & 7), ", value]
            }
            Arg::Nothing => Vec::new(),
            Arg::Double => parts![", ", Helper::ClampDouble, "(", self.float_expr(2), ")"],
        }
    }
}
