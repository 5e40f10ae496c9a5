//! Control flow. Every loop counts its rounds, so every program ends.

use crate::feature::Feature;
use crate::generator::{Gen, Var};
use crate::tree::{Part, Stmt, parts};
use crate::types::Int;

impl Gen {
    fn inner_block(&mut self) -> Vec<Stmt> {
        let count = self.rng.between(1, 3);
        self.block(count)
    }

    pub(crate) fn if_else(&mut self) -> Stmt {
        let condition = self.full(Gen::condition);
        let then = self.inner_block();
        let head = parts![Feature::If, "if (", condition, ") {", then, "}"];
        if self.rng.chance(60) {
            return Stmt::new(head);
        }
        let other = self.inner_block();
        Stmt::new(parts![head, " else {", other, "}", Feature::Else])
    }

    /// A number of rounds that the budget allows.
    fn trips(&mut self) -> Option<u32> {
        let trips = self.rng.between(2, 7);
        self.loop_fits(trips).then_some(trips)
    }

    /// The mark of a loop, with that of a nested one where it applies.
    fn loop_marks(&self, mark: Feature) -> Vec<Part> {
        match self.in_loop {
            true => parts![mark, Feature::NestedLoop],
            false => parts![mark],
        }
    }

    pub(crate) fn for_loop(&mut self) -> Option<Stmt> {
        let trips = self.trips()?;
        let marks = self.loop_marks(Feature::For);
        let name = self.fresh("i");
        let kind = self.rng.pick(&[Int::Int, Int::Int, Int::UInt, Int::Long, Int::UChar]);
        let (head, body) = self.looped(trips, |g| {
            let head = g.for_head(&name, kind, trips);
            g.locals.push(Var::counter(&name, kind, trips));
            (head, g.inner_block())
        });
        Some(Stmt::new(parts![marks, "for (", head, ") {", body, "}"]))
    }

    /// The three clauses: upwards, by two, downwards or to a computed bound.
    fn for_head(&mut self, i: &str, kind: Int, trips: u32) -> Vec<Part> {
        let ty = kind.name();
        let up = format!("{ty} {i} = 0; {i} < ");
        match self.rng.below(5) {
            0 => {
                let down = format!("; {i}-- > 0;");
                parts![format!("{ty} {i} = "), Part::Bound(trips), down, Feature::PostIncDec]
            }
            1 => parts![up, Part::Bound(trips), format!("; {i} += 2"), Feature::CompoundAssign],
            2 => {
                let bound = self.int_expr(1);
                let bound = parts!["(unsigned)", bound, " % ", Part::Bound(trips), "u"];
                parts![up, bound, format!("; {i}++"), Feature::ComputedBound]
            }
            _ => parts![up, Part::Bound(trips), format!("; ++{i}"), Feature::PreIncDec],
        }
    }

    pub(crate) fn while_loop(&mut self) -> Option<Stmt> {
        let trips = self.trips()?;
        let marks = self.loop_marks(Feature::While);
        let name = self.fresh("w");
        let (condition, body) = self.looped(trips, |g| (g.condition(), g.inner_block()));
        let declare = parts![format!("unsigned {name} = "), Part::Bound(trips), ";"];
        let test = parts![format!("while ({name}-- > 0 && "), condition, ") {", body, "}"];
        let stmts = vec![Stmt::declares(&name, declare), Stmt::new(parts![marks, test])];
        Some(Stmt::new(parts!["{", stmts, "}"]))
    }

    pub(crate) fn do_while(&mut self) -> Option<Stmt> {
        let trips = self.trips()?;
        let marks = self.loop_marks(Feature::DoWhile);
        let name = self.fresh("w");
        let (body, condition) = self.looped(trips, |g| (g.inner_block(), g.condition()));
        let declare = parts![format!("unsigned {name} = "), Part::Bound(trips), ";"];
        let test = parts![format!("}} while (--{name} > 0 && "), condition, ");"];
        let stmts =
            vec![Stmt::declares(&name, declare), Stmt::new(parts![marks, "do {", body, test])];
        Some(Stmt::new(parts!["{", stmts, "}"]))
    }

    /// `break` or `continue`, which a guard leaves to chance.
    pub(crate) fn leave_loop(&mut self) -> Option<Stmt> {
        if !self.in_loop {
            return None;
        }
        let condition = self.full(Gen::condition);
        let (word, mark) =
            self.rng.pick(&[("break", Feature::Break), ("continue", Feature::Continue)]);
        Some(Stmt::new(parts!["if (", condition, format!(") {word};"), mark]))
    }

    pub(crate) fn switch(&mut self) -> Stmt {
        let selector = self.full(|g| g.int_expr(2));
        let count = self.rng.between(2, 4);
        let head = parts!["switch ((unsigned)", selector, format!(" % {}u) {{", count + 1)];
        let mut cases = Vec::new();
        for value in 0..count {
            cases.push(self.case(value, value + 1 == count));
        }
        Stmt::new(parts![head, cases, "}", Feature::Switch])
    }

    fn case(&mut self, value: u32, last: bool) -> Stmt {
        let body = self.block(1);
        let default = last && self.rng.chance(70);
        let label = match default {
            true => parts!["default: {", Feature::SwitchDefault],
            false => parts![format!("case {value}: {{")],
        };
        let end = match last || self.rng.chance(60) {
            true => parts!["} break;"],
            false => parts!["}", Feature::SwitchFallthrough],
        };
        Stmt::new(parts![label, body, end])
    }

    pub(crate) fn goto_forward(&mut self) -> Vec<Stmt> {
        let label = self.fresh("L");
        let condition = self.full(Gen::condition);
        let body = self.inner_block();
        let jump = parts!["if (", condition, format!(") goto {label};"), Feature::GotoForward];
        let rest = parts!["{", body, format!("}}\n{label}:;")];
        vec![Stmt::new(jump), Stmt::declares(&label, rest)]
    }

    /// A loop made of a label and a jump back to it.
    pub(crate) fn goto_backward(&mut self) -> Option<Vec<Stmt>> {
        let trips = self.trips()?;
        let (label, fuel) = (self.fresh("L"), self.fresh("w"));
        // Breaking out of the block would bind to an outer loop: all right.
        let outer = self.in_loop;
        let (body, condition) = self.looped(trips, |g| {
            g.in_loop = outer;
            (g.inner_block(), g.condition())
        });
        let declare = parts![format!("unsigned {fuel} = "), Part::Bound(trips), ";"];
        let start = parts![format!("{label}: {{"), body, "}"];
        let jump = parts![format!("if (--{fuel} > 0 && "), condition, format!(") goto {label};")];
        let stmts = vec![
            Stmt::declares(&fuel, declare),
            Stmt::declares(&label, start),
            Stmt::new(parts![jump, Feature::GotoBackward]),
        ];
        Some(vec![Stmt::new(parts!["{", stmts, "}"])])
    }
}
