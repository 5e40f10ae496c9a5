//! Random statements on the variables of `soup.rs`.

use super::construct::Construct;
use super::generator::{Actor, Gen};
use super::guard::Guard;
use super::soup::{Kind, Var};
use super::tree::{Part, Stmt, line, parts};

impl Gen {
    /// Gives an actor a few random statements.
    pub(super) fn stir(&mut self, actor: Actor, count: u32) {
        let mut locals = Vec::new();
        let mut stmts = Vec::new();
        for _ in 0..count {
            self.statement(&mut stmts, &mut locals, 1);
        }
        self.put(actor, stmts);
        if self.can_return(actor) && self.rng.chance(12) {
            let condition = self.condition(&[]);
            let (leave, last) = (self.leave(), self.simple(&[]));
            self.put_last(
                actor,
                vec![Stmt::new(parts!["if (", condition, ") ", vec![leave]]), last],
            );
        }
    }

    /// Adds one statement, with a declaration before it at times.
    fn statement(&mut self, stmts: &mut Vec<Stmt>, locals: &mut Vec<String>, depth: u32) {
        if self.rng.chance(15) {
            let name = self.name("l");
            let value = self.expr(locals, 1);
            let parts = parts![format!("int {name} = "), value, ";"];
            stmts.push(Stmt { parts, ..Stmt::declares(&name, "") });
            locals.push(name);
        }
        if depth > 0 && self.rng.chance(45) {
            let more = self.compound(locals, depth);
            stmts.extend(more);
        } else {
            let simple = self.simple(locals);
            stmts.push(simple);
        }
    }

    /// A statement without others inside.
    pub(super) fn simple(&mut self, locals: &[String]) -> Stmt {
        match self.rng.below(12) {
            0 if !self.arrays.is_empty() => self.store_in_array(locals),
            1 | 2 if !self.pointers.is_empty() => self.use_pointer(locals),
            3 if self.rng.chance(40) => {
                let condition = self.condition(locals);
                Stmt::new(parts!["__VERIFIER_assume(", condition, ");"])
            }
            4 if !self.aggregates.is_empty() => self.fill(),
            _ => match self.any_var() {
                Some(var) => self.update(&var, locals),
                None if self.arrays.is_empty() => line(";"),
                None => self.store_in_array(locals),
            },
        }
    }

    fn store_in_array(&mut self, locals: &[String]) -> Stmt {
        let index = self.rng.index(self.arrays.len());
        let array = self.arrays[index].clone();
        let (at, value) = (self.expr(locals, 1), self.expr(locals, 1));
        // Now and then the mask is too wide, or not there.
        let mask = if self.rng.chance(12 * u32::from(self.daring)) { 7 } else { array.len - 1 };
        let mut parts =
            parts![format!("{}[(", array.name), at, format!(") & {mask}] = "), value, " & 7;"];
        parts.push(Construct::ComputedIndex.into());
        if mask >= array.len {
            parts.push(Construct::OutOfBounds.into());
        }
        Stmt::new(parts)
    }

    /// Writes the bytes of an aggregate.
    fn fill(&mut self) -> Stmt {
        let name = self.aggregates[self.rng.index(self.aggregates.len())].clone();
        line(match self.rng.below(3) {
            0 => format!("memset(&{name}, 0, sizeof {name});"),
            1 => format!("memset(&{name}.b, 0, sizeof {name}.b);"),
            _ => format!("memcpy(&{name}.b, &{name}.a, sizeof {name}.b);"),
        })
    }

    fn use_pointer(&mut self, locals: &[String]) -> Stmt {
        let index = self.rng.index(self.pointers.len());
        let pointer = self.pointers[index].clone();
        let (name, [a, b]) = (&pointer.name, &pointer.targets);
        let value = self.expr(locals, 1);
        match self.rng.below(4) {
            0 => {
                let condition = self.condition(locals);
                let a =
                    if pointer.may_be_null && self.daring { "0".into() } else { format!("&{a}") };
                let mut parts = parts![format!("{name} = "), condition, format!(" ? {a} : &{b};")];
                if a == "0" {
                    parts.push(Construct::NullPointer.into());
                }
                Stmt::new(parts)
            }
            1 => Stmt::new(parts![format!("{name} = &{b};")]),
            _ if pointer.may_be_null && !self.daring => {
                let local = self.name("q");
                let head = format!("{{ int *{local} = {name}; if ({local}) *{local} = ");
                Stmt::new(parts![head, value, " & 1; }", Construct::NullPointer])
            }
            _ if pointer.may_be_null => {
                let head = format!("if ({name}) *{name} = ");
                Stmt::new(parts![head, value, " & 1;", Construct::NullPointer])
            }
            _ => Stmt::new(parts![format!("*{name} = "), value, " & 1;"]),
        }
    }

    /// Changes a variable.
    fn update(&mut self, var: &Var, locals: &[String]) -> Stmt {
        if var.kind == Kind::Atomic && self.rng.chance(85) {
            return self.update_atomic(var, locals);
        }
        let (place, max) = (&var.place, var.max);
        if var.counts && self.rng.chance(50) {
            return match self.rng.below(4) {
                0 | 1 => Stmt::new(parts![format!("{place}++;"), Construct::Increment]),
                2 => Stmt::new(parts![format!("{place}--;")]),
                _ => {
                    let value = self.expr(locals, 0);
                    Stmt::new(parts![format!("{place} += "), value, " & 3;", Construct::AddAssign])
                }
            };
        }
        match self.rng.below(8) {
            0 | 1 => {
                let (old, new) = (self.rng.below(2), self.rng.below(max.min(3) + 1));
                let text = format!("if ({place} == {old}) {place} = {new};");
                Stmt::new(parts![text, Construct::ReadCheckWrite])
            }
            2 => {
                let op = self.rng.pick(&["|", "^"]);
                line(format!("{place} {op}= {};", self.rng.between(1, max.min(3))))
            }
            3 if var.kind == Kind::Int => {
                let bits = self.rng.between(1, max.min(3));
                line(match self.rng.below(4) {
                    0 => format!("__sync_fetch_and_or(&{place}, {bits});"),
                    1 => format!("__sync_fetch_and_xor(&{place}, {bits});"),
                    2 => format!("__atomic_store_n(&{place}, {bits}, 5);"),
                    _ => format!("__atomic_fetch_xor(&{place}, {bits}, 5);"),
                })
            }
            _ => {
                let value = self.expr(locals, 2);
                Stmt::new(parts![format!("{place} = "), value, format!(" & {max};")])
            }
        }
    }

    fn update_atomic(&mut self, var: &Var, locals: &[String]) -> Stmt {
        let (place, max) = (&var.place, var.max);
        let bits = self.rng.between(1, max.min(3));
        let value = self.expr(locals, 1);
        let masked = |function: &str| {
            Stmt::new(parts![
                format!("{function}(&{place}, "),
                value.clone(),
                format!(" & {max});")
            ])
        };
        match self.rng.below(if var.counts { 10 } else { 6 }) {
            0 => masked("atomic_store"),
            1 => masked("atomic_exchange"),
            2 => line(format!("atomic_fetch_or(&{place}, {bits});")),
            3 => line(format!("atomic_fetch_xor(&{place}, {bits});")),
            4 | 5 => {
                let how = self.rng.pick(&["strong", "strong", "weak"]);
                let old = self.name("e");
                let start = self.rng.below(2);
                Stmt::new(parts![
                    format!("{{ {} {old} = {start}; ", var.ty),
                    format!("atomic_compare_exchange_{how}(&{place}, &{old}, "),
                    value.clone(),
                    format!(" & {max}); }}"),
                ])
            }
            6 => line(format!("atomic_fetch_add(&{place}, {bits});")),
            7 | 8 => line(format!("atomic_fetch_sub(&{place}, {bits});")),
            _ => Stmt::new(parts![format!("{place}++;"), Construct::Increment]),
        }
    }

    /// A statement with others inside.
    fn compound(&mut self, locals: &[String], depth: u32) -> Vec<Stmt> {
        let condition = self.condition(locals);
        let body = self.inner(depth);
        match self.rng.below(12) {
            0..=2 => vec![Stmt::new(parts!["if (", condition, ") ", body])],
            3 => {
                let other = vec![self.simple(locals)];
                vec![Stmt::new(parts!["if (", condition, ") ", body, " else ", other])]
            }
            4 => {
                let more = self.condition(locals);
                let inner = Stmt::new(parts!["if (", more, ") ", body, Construct::NestedIf]);
                vec![Stmt::new(parts!["if (", condition, ") ", vec![inner]])]
            }
            5 => vec![self.switch(locals, body)],
            6 => vec![self.bounded_loop(locals, body)],
            7 => {
                let label = self.name("L");
                let mut stmts =
                    vec![Stmt::new(parts!["if (", condition, format!(") goto {label};")])];
                stmts.extend(body);
                stmts.push(Stmt::declares(&label, format!("{label}: ;")));
                stmts
            }
            8 => vec![Stmt::new(parts!["if (", condition, ") exit(0);"])],
            9 if self.daring => vec![Stmt::new(parts!["if (", condition, ") abort();"])],
            10 => {
                let mutex = self.mutex();
                self.guarded(&Guard::Mutex(format!("&{mutex}")), body)
            }
            _ => {
                let guard = self.guard();
                self.guarded(&guard, body)
            }
        }
    }

    /// One or two statements that stay by themselves.
    fn inner(&mut self, depth: u32) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        // Guards may move the statements elsewhere, where no local is known.
        let mut locals = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            self.statement(&mut stmts, &mut locals, depth - 1);
        }
        stmts
    }

    fn switch(&mut self, locals: &[String], body: Vec<Stmt>) -> Stmt {
        let (value, other) = (self.expr(locals, 1), vec![self.simple(locals)]);
        let third = vec![self.simple(locals)];
        let fall = if self.rng.chance(30) { "" } else { " break;" };
        Stmt::new(parts![
            "switch (",
            value,
            ") { case 0: ",
            body,
            format!("{fall} case 1: "),
            other,
            " break; default: ",
            third,
            " }",
        ])
    }

    fn bounded_loop(&mut self, locals: &[String], body: Vec<Stmt>) -> Stmt {
        let i = self.name("i");
        let bound = Part::Bound(self.rng.between(1, 2));
        let mut parts = parts![format!("for (int {i} = 0; {i} < "), bound];
        if self.rng.chance(50) {
            let limit = self.leaf(locals);
            parts.extend(parts![
                format!(" && {i} < (int)("),
                limit,
                format!("); {i}++) "),
                body,
                Construct::CappedLoop
            ]);
        } else {
            parts.extend(parts![format!("; {i}++) "), body, Construct::BoundedLoop]);
        }
        Stmt::new(parts)
    }

    /// A condition that a run or two may violate.
    fn guess(&mut self, locals: &[String]) -> Part {
        let (x, y) = (self.place(), self.place());
        let (c, d) = (self.rng.below(4), self.rng.below(4));
        let parts = match self.rng.below(8) {
            0..=2 => parts![format!("!({x} == {c} && {y} == {d})")],
            3 => parts![format!("{x} != {c}")],
            4 => parts![format!("{x} <= {y} + {c}")],
            5 => parts![format!("{x} + {y} != {}", c + d)],
            6 => parts![format!("({x} & 3) < {}", c + 1)],
            _ => {
                let (a, b) = (self.condition(locals), self.condition(locals));
                parts![a, " || ", b]
            }
        };
        Part::Hole(parts)
    }

    /// A variable or an element of an array.
    fn place(&mut self) -> String {
        match (self.any_var(), self.arrays.first()) {
            (Some(var), None) => var.place,
            (Some(var), Some(_)) if self.rng.chance(60) => var.place,
            (_, Some(array)) => format!("{}[{}]", array.name, self.rng.below(array.len)),
            (None, None) => "1".into(),
        }
    }

    /// An assertion on the variables: one that holds, or a guess.
    pub(super) fn soup_assertion(&mut self, locals: &[String]) -> Stmt {
        if self.daring && self.rng.chance(80) {
            let guess = self.guess(locals);
            return Stmt::new(parts!["assert(", guess, ");"]);
        }
        let truth = self.truth();
        self.assertion(&truth)
    }
}
