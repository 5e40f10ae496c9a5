//! Puts a program together.

use crate::feature::Feature;
use crate::gadgets;
use crate::generator::Gen;
use crate::helper::Helper;
use crate::place::mix_all;
use crate::tree::{Program, Stmt, parts};
use crate::types::Type;

/// The length a program should have, in lines.
const LINES: std::ops::RangeInclusive<usize> = 40..=150;

/// Generates the program of a seed. Drafts of the wrong length are thrown away.
pub(crate) fn generate(seed: u64) -> Program {
    let draft = |attempt: u64| Gen::new(seed ^ (attempt << 48)).program();
    let fits = |program: &Program| {
        let lines = crate::print::program(program).lines().count();
        LINES.contains(&lines)
    };
    // Most drafts fit, so the fallback is there for form's sake.
    (0..64).map(draft).find(fits).unwrap_or_else(|| draft(0))
}

impl Gen {
    fn program(mut self) -> Program {
        for _ in 0..self.rng.between(0, 2) {
            self.add_struct();
        }
        for _ in 0..self.rng.between(1, 6) {
            self.global();
        }
        for _ in 0..self.rng.between(0, 2) {
            self.global_pointer();
        }
        for _ in 0..self.rng.between(1, 2) {
            self.pure_function();
        }
        for _ in 0..self.rng.between(0, 2) {
            self.impure_function();
        }
        let body = self.main_body();
        self.item("main", parts!["int main(void) {", body, "}"]);
        Program { items: self.items }
    }

    fn main_body(&mut self) -> Vec<Stmt> {
        let mut stmts: Vec<_> = (0..self.rng.between(2, 4)).map(|_| self.local()).collect();
        let count = self.rng.between(3, 8);
        for gadget in gadgets::selection(&mut self.rng, count as usize) {
            for _ in 0..self.rng.between(1, 2) {
                stmts.extend(self.statement());
            }
            stmts.push(self.gadget(gadget));
        }
        stmts.extend(self.call_each());
        stmts.extend(self.print());
        stmts.extend(self.final_mix());
        let result = "printf(\"checksum %llu\\n\", (unsigned long long)checksum);";
        // The helper is named here always, since it comes with `checksum`.
        stmts.push(Stmt::required(parts![
            Helper::Mix,
            "(0);\n",
            result,
            "\nreturn (int)(checksum % 100);",
            Feature::Printf,
        ]));
        stmts
    }

    /// A call of every function that is called by statements only, so that
    /// none of them goes to waste.
    fn call_each(&mut self) -> Vec<Stmt> {
        let impure: Vec<_> = self.funcs.iter().filter(|func| !func.pure).cloned().collect();
        impure.iter().filter_map(|func| self.call_statement(func)).collect()
    }

    /// A gadget's statements, in a block of their own.
    pub(crate) fn gadget(&mut self, gadget: gadgets::Gadget) -> Stmt {
        self.charge_statement();
        let stmts = self.scoped(gadget);
        Stmt::new(parts!["{", stmts, "}"])
    }

    /// Folds all variables of interest into the checksum.
    fn final_mix(&mut self) -> Vec<Stmt> {
        let vars: Vec<_> = self.globals.iter().chain(&self.locals).cloned().collect();
        let own = vars.iter().filter(|var| !matches!(var.ty, Type::Pointer(..)));
        own.flat_map(|var| mix_all(&var.name, &var.ty)).collect()
    }
}
