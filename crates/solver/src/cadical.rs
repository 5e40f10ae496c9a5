//! CaDiCaL as the SAT solver, with the theory as its user propagator (IPASIR-UP).
//!
//! | callback | use |
//! |---|---|
//! | `notify_assignment` | queue the literals, nothing else |
//! | `notify_new_decision_level`, `notify_backtrack` | mark and pop the stacks |
//! | `cb_propagate` | apply the rules; return an implied literal |
//! | `cb_add_reason_clause_lit` | work out a reason |
//! | `cb_has_external_clause` | report a conflict; forgettable, it can be derived again |
//! | `cb_check_found_model` | look for a total order |
//! | `cb_decide` | open `rf` literals first, if wanted |
//!
//! CaDiCaL aborts the process when a callback panics or breaks its contract. Each callback therefore catches panics,
//! notes the failure, and asks CaDiCaL to stop; the answer is then [`crate::Outcome::Broken`].

use crate::backend::{Backend, Verdict};
use crate::lit::Lit;
use crate::options::Options;
use crate::theory::Theory;
use cadical_sys::{CaDiCal, ExternalPropagator, Status, Terminator};
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// The version of CaDiCaL that is built in.
#[must_use]
pub fn cadical_version() -> String {
    CaDiCal::version()
}

/// CaDiCaL with the theory attached.
pub struct Cadical {
    solver: CaDiCal,
    stop: Rc<StopSlot>,
    /// The clause that is being handed over.
    lits: Vec<i32>,
}

impl Backend for Cadical {
    fn new(theory: Rc<RefCell<Theory>>, options: &Options) -> Cadical {
        let mut solver = CaDiCal::new();
        // Bounded variable addition would invent variables that are not ours.
        solver.set("factor", 0);
        // The trail must not survive a call: the problem may grow between calls, and does so on level 0.
        solver.set("ilb", 0);
        solver.set("seed", i32::try_from(options.seed).unwrap_or(i32::MAX));
        let stop = Rc::new(StopSlot::default());
        let watchdog = Watchdog { theory: Rc::clone(&theory), stop: Rc::clone(&stop) };
        solver.connect_terminator(watchdog);
        solver.connect_external_propagator(Propagator {
            theory,
            decide: options.decide,
            clause: Feed::default(),
            reason: Feed::default(),
            explained: 0,
        });
        Cadical { solver, stop, lits: Vec::new() }
    }

    fn new_var(&mut self, _: u32) {}

    /// Handed over as a whole: a call for each literal costs more than what it does.
    fn clause(&mut self, lits: &[Lit]) {
        self.lits.clear();
        self.lits.extend(lits.iter().map(|lit| lit.dimacs()));
        self.solver.clause6(&self.lits);
    }

    fn observe(&mut self, var: u32) {
        self.solver.add_observed_var(Lit::positive(var).dimacs());
    }

    /// CaDiCaL looks at the limit before each decision, and forgets it when the search ends.
    fn limit_conflicts(&mut self, conflicts: u64) {
        self.solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX));
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Verdict {
        for lit in assumptions {
            self.solver.assume(lit.dimacs());
        }
        let solver = &mut self.solver;
        match self.stop.during(stop, || solver.solve()) {
            Status::SATISFIABLE => Verdict::Sat,
            Status::UNSATISFIABLE => Verdict::Unsat,
            Status::UNKNOWN => Verdict::Unknown,
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.solver.val(lit.dimacs()) == lit.dimacs()
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.solver.failed(lit.dimacs())
    }

    /// A large formula takes CaDiCaL a second to free, clause by clause.
    fn abandon(&mut self) {
        std::mem::forget(std::mem::replace(&mut self.solver, CaDiCal::new()));
    }

    fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.get_statistic_value("conflicts")).unwrap_or(0)
    }
}

/// The caller's question whether to stop, while a search is running.
#[derive(Default)]
struct StopSlot(Cell<Option<*mut (dyn FnMut() -> bool + 'static)>>);

impl StopSlot {
    /// Runs a search during which `stop` can be asked.
    fn during<T>(&self, stop: &mut dyn FnMut() -> bool, search: impl FnOnce() -> T) -> T {
        struct Clear<'a>(&'a StopSlot);
        impl Drop for Clear<'_> {
            fn drop(&mut self) {
                self.0.0.set(None);
            }
        }
        let stop: *mut (dyn FnMut() -> bool + '_) = stop;
        // SAFETY: only the lifetime changes. CaDiCaL keeps its terminator for good and therefore wants it to be
        // 'static, but asks it only during a search. The slot is emptied, by `Clear` even when unwinding, before the
        // borrow of `stop` ends.
        let stop: *mut (dyn FnMut() -> bool + 'static) = unsafe { std::mem::transmute(stop) };
        self.0.set(Some(stop));
        let _clear = Clear(self);
        search()
    }

    fn ask(&self) -> bool {
        // Taken out while it is asked, so that it cannot be entered twice.
        let Some(stop) = self.0.take() else { return false };
        // SAFETY: the slot is full only inside `during`, which holds the only borrow of `stop`.
        let answer = unsafe { (*stop)() };
        self.0.set(Some(stop));
        answer
    }
}

/// Stops CaDiCaL when the caller wants to stop, or when something has gone wrong.
struct Watchdog {
    theory: Rc<RefCell<Theory>>,
    stop: Rc<StopSlot>,
}

impl Terminator for Watchdog {
    fn terminated(&mut self) -> bool {
        let failed = self.theory.try_borrow().map_or(true, |theory| theory.failure().is_some());
        failed || catch_unwind(AssertUnwindSafe(|| self.stop.ask())).unwrap_or(true)
    }
}

/// A clause handed over literal by literal, closed by 0.
#[derive(Default)]
struct Feed {
    lits: Vec<i32>,
    next: usize,
}

impl Feed {
    fn fill(&mut self, clause: &[Lit]) {
        self.lits.clear();
        self.lits.extend(clause.iter().map(|lit| lit.dimacs()));
        self.next = 0;
    }

    fn next(&mut self) -> i32 {
        let lit = self.lits.get(self.next).copied().unwrap_or(0);
        self.next += 1;
        lit
    }
}

struct Propagator {
    theory: Rc<RefCell<Theory>>,
    decide: bool,
    clause: Feed,
    reason: Feed,
    /// The literal whose reason is being handed over; 0: none.
    explained: i32,
}

impl Propagator {
    /// Calls the theory. If that fails, notes why, and gives CaDiCaL a harmless answer.
    fn consult<T>(&self, harmless: T, question: impl FnOnce(&mut Theory) -> T) -> T {
        let Ok(mut theory) = self.theory.try_borrow_mut() else { return harmless };
        match catch_unwind(AssertUnwindSafe(|| question(&mut theory))) {
            Ok(answer) => answer,
            Err(_) => {
                theory.fail("a callback of the ordering theory panicked".to_owned());
                harmless
            }
        }
    }

    fn explain(&mut self, lit: i32) {
        let clause = self.consult(None, |theory| {
            let reason = Lit::from_dimacs(lit).and_then(|lit| theory.reason(lit));
            if reason.is_none() {
                theory.fail(format!("no reason for literal {lit}"));
            }
            reason
        });
        // Without a reason the answer is void; CaDiCaL insists on seeing the literal nevertheless.
        let void = || Lit::from_dimacs(lit).into_iter().collect();
        self.reason.fill(&clause.unwrap_or_else(void));
        self.explained = lit;
    }
}

impl ExternalPropagator for Propagator {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        self.consult((), |theory| {
            for lit in lits.iter().filter_map(|&lit| Lit::from_dimacs(lit)) {
                theory.assign(lit);
            }
        });
    }

    fn notify_new_decision_level(&mut self) {
        self.consult((), Theory::push_level);
    }

    fn notify_backtrack(&mut self, new_level: usize) {
        self.consult((), |theory| theory.backtrack(new_level));
    }

    fn cb_check_found_model(&mut self, _: &[i32]) -> bool {
        self.consult(true, |theory| {
            theory.propagate();
            if theory.has_conflict() {
                return false;
            }
            theory.linearize();
            true
        })
    }

    fn cb_decide(&mut self) -> i32 {
        match self.decide {
            true => self.consult(0, |theory| theory.decide().map_or(0, Lit::dimacs)),
            false => 0,
        }
    }

    fn cb_propagate(&mut self) -> i32 {
        self.consult(0, |theory| {
            if theory.failure().is_some() {
                return 0;
            }
            theory.propagate();
            match theory.has_conflict() {
                true => 0,
                false => theory.next_implied().map_or(0, Lit::dimacs),
            }
        })
    }

    fn cb_add_reason_clause_lit(&mut self, propagated_lit: i32) -> i32 {
        if self.explained != propagated_lit {
            self.explain(propagated_lit);
        }
        let lit = self.reason.next();
        if lit == 0 {
            self.explained = 0;
        }
        lit
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = true;
        let conflict = self.consult(None, Theory::take_conflict);
        if let Some(clause) = &conflict {
            self.clause.fill(clause);
        }
        conflict.is_some()
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.clause.next()
    }
}
