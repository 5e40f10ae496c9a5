//! Orders between steps of different threads, as literals (DESIGN §4).
//!
//! `before(a, b)` holds in a run that executes `a`, and `b` later or not at all. It is asked in two
//! ways:
//!
//! - in complete runs, as an assumption: [`Encoding::order`];
//! - in failing runs, to exclude those in which all orders of a core hold: [`Encoding::exclude`]. A
//!   failing run ends with the violation, so what is executed later, in the model, does not count.
//!   The violation that ends the run is chosen by a selector ([`Encoding::failing`]).

use std::collections::BTreeMap;

use unravel_events::{FindingKind, Input, InputKind, Position, StepId, ThreadId};
use unravel_interp::Property;
use unravel_program::SiteId;
use unravel_solver::{ClauseSink, Lit, Model};
use unravel_term::Term;

use crate::{Encoder, Encoding, Query, Reached};

/// Literals for orders, made when they are first needed.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    holds: BTreeMap<(StepId, StepId), Lit>,
    inputs: BTreeMap<(usize, u128), Lit>,
    after_end: BTreeMap<StepId, Lit>,
    before_end: BTreeMap<StepId, Lit>,
    came_to: BTreeMap<StepId, Lit>,
    failing: Option<FailureLits>,
}

/// A failing run ends in one violation.
#[derive(Debug)]
struct FailureLits {
    any: Lit,
    ends: Vec<End>,
}

/// A violation that may end a run.
#[derive(Clone, Copy, Debug)]
struct End {
    /// It ends the run.
    selected: Lit,
    /// Index of what is reached.
    reached: usize,
    /// It lies after everything, as a deadlock does.
    at_the_end: bool,
}

/// Something a failing run must differ in, so as not to be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// This step comes before that one, or that one not at all.
    Order(StepId, StepId),
    /// The input with this index has this value, if it is asked for.
    Input(usize, u128),
}

impl Encoding {
    /// A literal that, if true in a complete run, has a condition hold in it.
    pub fn condition(&mut self, condition: Condition) -> Lit {
        match condition {
            Condition::Order(before, after) => self.order(before, after),
            Condition::Input(index, value) => self.input(index, value),
        }
    }

    /// A literal that, if true in a complete run, lets the run execute `before`, and `after` later
    /// or not at all.
    pub fn order(&mut self, before: StepId, after: StepId) -> Lit {
        if let Some(&lit) = self.orders.holds.get(&(before, after)) {
            return lit;
        }
        let executed = self.passed(before);
        let other = self.passed(after);
        let lit = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!lit, executed]);
        let mut clause = vec![!lit, !other];
        clause.extend(self.precedes(before, after));
        self.encoder.solver.clause(&clause);
        self.orders.holds.insert((before, after), lit);
        lit
    }

    /// A literal that, if true in a complete run, keeps an order from holding.
    pub fn no_order(&mut self, before: StepId, after: StepId) -> Lit {
        let executed = self.passed(before);
        let lit = self.encoder.solver.new_lit();
        let mut ways = vec![!lit, !executed];
        let other = self.passed(after);
        ways.extend(self.reversed(before, after, other));
        self.encoder.solver.clause(&ways);
        lit
    }

    /// A literal that, if true, has two accesses executed, to bytes that they share or to the
    /// existence of one object.
    pub fn conflict(&mut self, a: usize, b: usize) -> Lit {
        let (a, b) = (self.graph().accesses[a].clone(), self.graph().accesses[b].clone());
        let together = self.encoder.overlap(&a, &b);
        let terms = &mut self.encoder.graph.terms;
        let both = terms.and_all(&[a.guard, b.guard, together]);
        self.encoder.lit(both)
    }

    /// A literal that, if true, gives an input a value wherever it is asked for.
    pub fn input(&mut self, index: usize, value: u128) -> Lit {
        if let Some(&lit) = self.orders.inputs.get(&(index, value)) {
            return lit;
        }
        let Input { guard, value: term, .. } = self.encoder.graph.inputs[index].clone();
        let terms = &mut self.encoder.graph.terms;
        let constant = terms.constant(terms.width(term), value);
        let same = terms.eq(term, constant);
        let holds = terms.implies(guard, same);
        let lit = self.encoder.lit(holds);
        self.orders.inputs.insert((index, value), lit);
        lit
    }

    /// The inputs that a run with these steps asks for, with what they are in its model.
    #[must_use]
    pub fn inputs_in(&self, model: &Model, steps: &[StepId]) -> Vec<Condition> {
        let graph = self.graph();
        self.valuation(model).with(|value| {
            let mut inputs = Vec::new();
            for (index, input) in graph.inputs.iter().enumerate() {
                let asked_after = self.last_step(input.thread, input.position, value);
                let is_asked = asked_after.is_none_or(|step| steps.contains(&step));
                let is_given = input.kind != InputKind::Memory;
                if is_given && is_asked && value(input.guard) == 1 {
                    inputs.push(Condition::Input(index, value(input.value)));
                }
            }
            inputs
        })
    }

    /// A literal that, if true, has all memory that was never written hold what it holds in a
    /// model.
    pub fn same_memory(&mut self, model: &Model) -> Lit {
        let graph = &self.encoder.graph;
        let mut variables: Vec<Term> = graph.objects.undefined_variables().collect();
        variables.extend(&graph.undefined_copies);
        let held: Vec<(Term, u128)> = self
            .valuation(model)
            .with(|value| variables.into_iter().map(|it| (it, value(it))).collect());
        let terms = &mut self.encoder.graph.terms;
        let same: Vec<Term> = held
            .into_iter()
            .map(|(term, value)| {
                let value = terms.constant(terms.width(term), value);
                terms.eq(term, value)
            })
            .collect();
        let same = terms.and_all(&same);
        self.encoder.lit(same)
    }

    /// Whether one step comes before another in every run that executes both.
    #[must_use]
    pub fn always_before(&self, a: StepId, b: StepId) -> bool {
        self.encoder.must.precedes(a, b)
    }

    pub(crate) fn passed(&mut self, step: StepId) -> Lit {
        let passed = self.encoder.graph.step(step).passed;
        self.encoder.lit(passed)
    }

    fn precedes(&mut self, a: StepId, b: StepId) -> Option<Lit> {
        self.encoder.may_precede(a, b)
    }

    // ----- FailureLits runs -----

    /// A literal that, if true, makes the run end in a violation, among those not excluded.
    pub fn failing(&mut self) -> Lit {
        if let Some(failing) = &self.orders.failing {
            return failing.any;
        }
        let mut ends = Vec::new();
        let any = self.encoder.solver.new_lit();
        let mut some = vec![!any];
        for reached in self.encoder.alarm.until(0..self.encoder.reached.len()) {
            let it = self.encoder.reached[reached].clone();
            if Query::of(&it.kind) != Some(Query::Violation) {
                continue;
            }
            let selected = self.encoder.solver.new_lit();
            self.encoder.solver.clause(&[!selected, it.lit]);
            some.push(selected);
            let at_the_end = it.kind == FindingKind::Violation(Property::Deadlock);
            ends.push(End { selected, reached, at_the_end });
        }
        self.encoder.solver.clause(&some);
        self.orders.failing = Some(FailureLits { any, ends });
        any
    }

    fn ends(&mut self) -> Vec<End> {
        self.failing();
        self.orders.failing.as_ref().map_or_else(Vec::new, |failing| failing.ends.clone())
    }

    /// The violation that ends the run of a model.
    pub fn end_of(&mut self, model: &Model) -> Option<Reached> {
        let ends = self.ends();
        let end = ends.iter().find(|end| model.value(end.selected))?;
        Some(self.encoder.reached[end.reached].clone())
    }

    /// The last step of a thread up to a position, in a run: `value` says what terms are there.
    #[must_use]
    pub fn last_step(
        &self,
        thread: ThreadId,
        position: Position,
        value: &mut dyn FnMut(Term) -> u128,
    ) -> Option<StepId> {
        let graph = self.graph();
        let mut steps = self.steps_up_to(thread, position).into_iter();
        let own = steps.find(|&id| value(graph.step(id).guard) == 1);
        own.or(graph.threads[thread.0 as usize].created_by)
    }

    /// The steps of a thread up to a position, the last first, on all paths.
    fn steps_up_to(&self, thread: ThreadId, position: Position) -> Vec<StepId> {
        let graph = self.graph();
        let steps = graph.threads[thread.0 as usize].steps.iter().rev().copied();
        steps.filter(|&id| graph.step(id).position <= position).collect()
    }

    /// Those of them that may be the last.
    fn last_steps(&self, thread: ThreadId, position: Position) -> Vec<StepId> {
        self.encoder.last_steps(thread, position)
    }

    /// What selects each violation as the end of a failing run, and which it is.
    pub(crate) fn ends_in_violation(&mut self) -> Vec<(Lit, usize)> {
        self.ends().iter().map(|end| (end.selected, end.reached)).collect()
    }

    /// Excludes failing runs that end in a violation of this property at this place.
    pub fn exclude_violation(&mut self, property: Property, site: SiteId) {
        let ends = self.ends();
        for end in self.encoder.alarm.until(ends) {
            let reached = &self.encoder.reached[end.reached];
            if reached.site == site && reached.kind == FindingKind::Violation(property) {
                self.encoder.solver.clause(&[!end.selected]);
            }
        }
    }

    /// Excludes failing runs in which all these conditions hold.
    pub fn exclude(&mut self, conditions: &[Condition]) {
        let failing = self.failing();
        let mut clause = vec![!failing];
        for &condition in conditions {
            match condition {
                Condition::Order(before, after) => self.not_in_order(before, after, &mut clause),
                Condition::Input(index, value) => clause.push(self.other_input(index, value)),
            }
        }
        self.encoder.solver.clause(&clause);
    }

    /// Ways in which an order does not hold in a failing run: `before` is not executed, or only
    /// after the end; or `after` comes first.
    fn not_in_order(&mut self, before: StepId, after: StepId, ways: &mut Vec<Lit>) {
        ways.push(!self.came_to(before));
        ways.push(self.after_end(before));
        let came = self.came_to(after);
        ways.extend(self.reversed(before, after, came));
    }

    /// A literal that says that a failing run executes a step, or fails in it: an operation on a
    /// synchronization object that is a misuse has its place in the order, too.
    fn came_to(&mut self, step: StepId) -> Lit {
        let passed = self.passed(step);
        if self.graph().step(step).sync.is_none() {
            return passed;
        }
        if let Some(&known) = self.orders.came_to.get(&step) {
            return known;
        }
        let (thread, position) = {
            let step = self.graph().step(step);
            (step.thread, step.position)
        };
        let here: Vec<Lit> = self
            .ends()
            .into_iter()
            .filter(|end| {
                let reached = &self.encoder.reached[end.reached];
                !end.at_the_end && (reached.thread, reached.position) == (thread, position)
            })
            .map(|end| end.selected)
            .collect();
        if here.is_empty() {
            return passed;
        }
        let came = self.encoder.solver.new_lit();
        let mut ways = vec![!came, passed];
        self.encoder.solver.clause(&[came, !passed]);
        for selected in here {
            self.encoder.solver.clause(&[came, !selected]);
            ways.push(selected);
        }
        self.encoder.solver.clause(&ways);
        self.orders.came_to.insert(step, came);
        came
    }

    /// The operation on a synchronization object in which a run fails, if it is one.
    #[must_use]
    pub fn failing_operation(&self, reached: &Reached, model: &Model) -> Option<StepId> {
        if reached.kind == FindingKind::Violation(Property::Deadlock) {
            return None;
        }
        let graph = self.graph();
        let steps = graph.threads[reached.thread.0 as usize].steps.iter().copied();
        let mut here = steps.filter(|&id| {
            let step = graph.step(id);
            step.sync.is_some() && step.position == reached.position
        });
        self.valuation(model).with(|value| here.find(|&id| value(graph.step(id).guard) == 1))
    }

    /// A literal that, if true, has the second step of an order executed before the first.
    fn reversed(&mut self, before: StepId, after: StepId, executed: Lit) -> Option<Lit> {
        let order = self.precedes(after, before)?;
        let reversed = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!reversed, executed]);
        self.encoder.solver.clause(&[!reversed, order]);
        Some(reversed)
    }

    /// A literal that, if true, puts a step after the end of the failing run.
    fn after_end(&mut self, step: StepId) -> Lit {
        if let Some(&lit) = self.orders.after_end.get(&step) {
            return lit;
        }
        let lit = self.encoder.solver.new_lit();
        let ends = self.ends();
        for end in self.encoder.alarm.until(ends) {
            let mut clause = vec![!lit, !end.selected];
            // A step of another path than the run's is nowhere, so it does not matter which of the
            // last steps this one comes after.
            let Reached { thread, position, .. } = self.encoder.reached[end.reached];
            let last = self.last_steps(thread, position).first().copied();
            if let Some(last) = last.filter(|&last| last != step && !end.at_the_end) {
                clause.extend(self.precedes(last, step));
            }
            self.encoder.solver.clause(&clause);
        }
        self.orders.after_end.insert(step, lit);
        lit
    }

    /// A literal that, if true, puts a step before the end of the failing run, or makes it the
    /// last.
    fn before_end(&mut self, step: StepId) -> Lit {
        if let Some(&lit) = self.orders.before_end.get(&step) {
            return lit;
        }
        let lit = self.encoder.solver.new_lit();
        let ends = self.ends().into_iter().filter(|end| !end.at_the_end);
        for end in self.encoder.alarm.until(ends) {
            let mut clause = vec![!lit, !end.selected];
            let Reached { thread, position, .. } = self.encoder.reached[end.reached];
            for last in self.last_steps(thread, position) {
                clause.extend(self.comes_to(step, last));
            }
            self.encoder.solver.clause(&clause);
        }
        self.orders.before_end.insert(step, lit);
        lit
    }

    /// A literal that, if true, has a step executed that is another or comes after it.
    fn comes_to(&mut self, step: StepId, last: StepId) -> Option<Lit> {
        let guard = self.encoder.graph.step(last).guard;
        let executed = self.encoder.lit(guard);
        if step == last {
            return Some(executed);
        }
        let order = self.precedes(step, last)?;
        let both = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!both, executed]);
        self.encoder.solver.clause(&[!both, order]);
        Some(both)
    }

    /// A literal that, if true, has an input asked for in the failing run and answered otherwise.
    fn other_input(&mut self, index: usize, value: u128) -> Lit {
        let input = self.encoder.graph.inputs[index].clone();
        let same = self.input(index, value);
        let lit = self.encoder.solver.new_lit();
        self.encoder.solver.clause(&[!lit, !same]);
        // On which path it is asked for decides after which step.
        let steps = self.last_steps(input.thread, input.position);
        if !steps.is_empty() {
            let mut clause = vec![!lit];
            for step in steps {
                let guard = self.encoder.graph.step(step).guard;
                let executed = self.encoder.lit(guard);
                let before = self.before_end(step);
                let asked = self.encoder.solver.new_lit();
                self.encoder.solver.clause(&[!asked, executed]);
                self.encoder.solver.clause(&[!asked, before]);
                clause.push(asked);
            }
            self.encoder.solver.clause(&clause);
        }
        lit
    }
}

impl Encoder {
    /// A literal that, if true, puts one step before another. `None` if that cannot be.
    pub(crate) fn may_precede(&mut self, a: StepId, b: StepId) -> Option<Lit> {
        if a == b || self.must.precedes(b, a) {
            return None;
        }
        if self.must.precedes(a, b) {
            return Some(self.solver.truth());
        }
        if let Some(&known) = self.orders.get(&(a, b)) {
            return Some(known);
        }
        let lit = self.solver.new_lit();
        self.order_lit(lit, a, b);
        self.orders.insert((a, b), lit);
        Some(lit)
    }
}
