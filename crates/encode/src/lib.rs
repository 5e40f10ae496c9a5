//! Events as clauses.
//!
//! # In and out
//!
//! [`encode`] takes an [`EventGraph`] and gives an [`Encoding`]: a SAT problem with orders,
//! together with the graph it was made from. The [`Encoding`] answers questions: can a violation be
//! reached, can a bound be reached, is there a run that passes, with these orders or those inputs?
//! An answer is a [`Model`] of a run, or the assumptions that exclude every run.
//!
//! # Ideas
//!
//! - A run is a choice: which steps are executed, which write each read takes its value from, and
//!   which of two critical sections comes first. Each choice is a literal.
//! - Orders that hold in every run are known beforehand (`must`) and go to the solver as fixed
//!   edges. An order that depends on the run is a literal with an edge. The order of everything
//!   else is left to the ordering theory (`unravel-solver`).
//! - Every finding of the graph gets a literal that is true in runs that reach it ([`Reached`]).
//! - Literals for further questions (orders, passing runs, closeness) are made when they are first
//!   asked for, so a plain check does not pay for them.
//!
//! # Reading order
//!
//! 1. [`blast`]: terms become gates.
//! 2. `cells`, then `memory`: the possible sources of each read. `must`, `guards`, `forward` and
//!    `known` keep these few.
//! 3. `locks`, `joins`, `conds`, `sems`: what orders threads. `deadlock`, `races`: two properties
//!    that are about the whole run.
//! 4. `passing` and `spins`: complete runs that violate nothing.
//! 5. `orders`: orders between steps as literals, for `diagnose`; `required`, for `repair`;
//!    `closeness`, for `compare`; `selectors`, for `localize`.
//! 6. `symmetry`: equal threads in one order. `valuation`: the values of terms in a model.
#![forbid(unsafe_code)]

mod beyond;
pub mod blast;
mod cells;
mod closeness;
mod conds;
mod deadlock;
mod forward;
mod guards;
mod joins;
mod known;
mod locks;
mod memory;
mod must;
mod mutant;
mod orders;
mod passing;
mod races;
mod required;
mod selectors;
mod sems;
mod spins;
mod symmetry;
mod valuation;

pub use memory::{Flow, Part};
pub use mutant::Mutant;
pub use orders::Condition;
pub use valuation::Valuation;

use std::collections::BTreeMap;

use blast::Blaster;
use guards::Conjuncts;
use must::MustOrder;
use unravel_events::{
    Demand, EventGraph, FindingKind, LoopId, Position, StepId, ThreadId, Value, fits,
};
use unravel_interp::{Properties, Property};
use unravel_kinds::Unmodelled;
use unravel_program::SiteId;
use unravel_solver::maxsat;
use unravel_solver::{ClauseSink, Lit, Model, NodeId, Outcome, Solver, Stats, WriteId};
use unravel_term::Term;
use unravel_watch::Alarm;

/// What to encode, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// Properties whose violations are asked for.
    pub properties: Properties,
    /// How the solver works.
    pub solver: unravel_solver::Options,
    /// Ends the work; looked at in every loop, and before every question.
    pub alarm: Alarm,
    /// A part that is broken on purpose.
    #[cfg(feature = "mutants")]
    pub mutant: Option<Mutant>,
}

impl Options {
    /// To ask for violations of these properties, with the solver's defaults.
    #[must_use]
    pub fn new(properties: Properties) -> Options {
        Options {
            properties,
            solver: unravel_solver::Options::default(),
            alarm: Alarm::default(),
            #[cfg(feature = "mutants")]
            mutant: None,
        }
    }
}

/// Something that a run may reach.
#[derive(Clone, Debug)]
pub struct Reached {
    /// What can be reached.
    pub kind: FindingKind,
    /// Whether it is reached.
    pub lit: Lit,
    /// In which thread.
    pub thread: ThreadId,
    /// Where in its execution.
    pub position: Position,
    /// Place in user code.
    pub site: SiteId,
}

/// How large the formula is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of steps.
    pub steps: u64,
    /// Accesses to shared memory.
    pub events: u64,
    /// Reads whose source is to be decided.
    pub reads: u64,
    /// Pairs of a read and a possible source.
    pub candidates: u64,
}

/// A question to the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Some violation.
    Violation,
    /// Some bound.
    Bound,
    /// Something that is not modelled.
    Unsupported,
}

/// Which runs count for a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// All runs.
    All,
    /// Those that reach nothing that is not modelled, so that the interpreter can follow them.
    Clean,
}

/// An answer.
#[derive(Debug)]
pub enum Answer {
    /// Reached, by this run.
    Reached(Box<Model>),
    /// No run reaches it.
    Unreachable,
    /// The solver was stopped.
    Stopped,
    /// An internal check failed.
    Broken(String),
}

/// A problem, ready to be asked.
pub struct Encoding {
    encoder: Encoder,
    queries: [Lit; 3],
    clean: Lit,
    passing: passing::Literals,
    orders: orders::Literals,
    /// Literals that put equal threads in order.
    sorted: BTreeMap<(StepId, StepId), Lit>,
    /// See [`Encoding::certain`].
    certain: Option<Lit>,
}

pub(crate) struct Encoder {
    graph: EventGraph,
    solver: Solver,
    blaster: Blaster,
    must: MustOrder,
    conjuncts: Conjuncts,
    nodes: Vec<NodeId>,
    initial_write: WriteId,
    writes: memory::Writes,
    wakeups: conds::Wakeups,
    /// Which read may take its value from which write.
    flows: Vec<Flow>,
    /// Ends of sections before begins of others, with the literals that say so, if races are
    /// checked.
    handovers: Vec<(StepId, StepId, Lit)>,
    /// Literals that say that a thread is joined or detached twice, in some order.
    twice: Vec<Lit>,
    /// Literals for orders that something asked about.
    orders: BTreeMap<(StepId, StepId), Lit>,
    /// Nobody wakes without a signal; made when it is first asked for.
    owed: Option<Lit>,
    reached: Vec<Reached>,
    /// A literal that says that nobody goes on and somebody waits.
    standstill: Option<Lit>,
    counts: Counts,
    properties: Properties,
    stopped: bool,
    /// Loops end when it rings. What they made is then worth nothing: there is no encoding, and a
    /// question about literals that were made later has no answer.
    alarm: Alarm,
    #[cfg(feature = "mutants")]
    mutant: Option<Mutant>,
}

/// Encodes a graph. `stop` is asked now and then; `None` if it said so, or if the alarm rings.
pub fn encode(
    graph: EventGraph,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Option<Encoding> {
    let mut encoder = Encoder::new(graph, options);
    encoder.run(stop);
    let encoding = (!encoder.is_stopped()).then(|| encoder.finish())?;
    (!options.alarm.rings()).then_some(encoding)
}

impl Drop for Encoder {
    fn drop(&mut self) {
        if self.alarm.rings() {
            self.solver.abandon();
        }
    }
}

impl Encoder {
    fn new(graph: EventGraph, options: &Options) -> Encoder {
        let mut solver = Solver::new(options.solver.clone());
        let truth = solver.truth();
        let first = solver.node();
        let initial_write = solver.write(first, 0, truth);
        let nodes: Vec<NodeId> = graph.steps.iter().map(|_| solver.node()).collect();
        let mut conjuncts = Conjuncts::default();
        let must = MustOrder::of(&graph, &mut conjuncts, &options.alarm);
        let mut encoder = Encoder {
            blaster: Blaster::new(truth),
            solver,
            must,
            conjuncts,
            nodes,
            initial_write,
            writes: memory::Writes::default(),
            wakeups: conds::Wakeups::default(),
            flows: Vec::new(),
            handovers: Vec::new(),
            twice: Vec::new(),
            orders: BTreeMap::new(),
            owed: None,
            reached: Vec::new(),
            standstill: None,
            counts: Counts::default(),
            properties: options.properties,
            stopped: false,
            alarm: options.alarm.clone(),
            graph,
            #[cfg(feature = "mutants")]
            mutant: options.mutant,
        };
        encoder.fixed_edges(first);
        encoder
    }

    fn fixed_edges(&mut self, first: NodeId) {
        for thread in &self.graph.threads {
            for pair in thread.steps.windows(2) {
                let (a, b) = (pair[0].0 as usize, pair[1].0 as usize);
                self.solver.edge(self.nodes[a], self.nodes[b]);
            }
            if let (None, Some(step)) = (thread.created_by, thread.steps.first()) {
                self.solver.edge(first, self.nodes[step.0 as usize]);
            }
        }
        for &(a, b) in self.must.edges() {
            self.solver.edge(self.nodes[a.0 as usize], self.nodes[b.0 as usize]);
        }
    }

    fn run(&mut self, stop: &mut dyn FnMut() -> bool) {
        self.counts.steps = self.graph.steps.len() as u64;
        self.counts.events = self.graph.accesses.len() as u64;
        self.forward();
        let cuts = cells::cut(&mut self.graph, &self.alarm);
        if self.is_stopped() {
            return;
        }
        let reads = cuts.as_ref().map_or_else(|_| Vec::new(), |cuts| self.data_reads(cuts, stop));
        if self.is_stopped() {
            return;
        }
        self.fix_known_bits(&reads);
        for constraint in self.alarm.until(self.graph.constraints.clone()) {
            let lit = self.lit(constraint);
            self.solver.clause(&[lit]);
        }
        self.encode_checks();
        match cuts {
            Ok(cuts) => self.encode_memory(&cuts, reads, stop),
            Err(too_many) => {
                // Without their sources all reads may have any value, so nothing is concluded.
                let step = self.graph.accesses[too_many.access].step;
                let truth = self.graph.terms.truth();
                self.remark(truth, step, Unmodelled::LargeArrayIndex);
            }
        }
        self.encode_locks(stop);
        let rest = [
            Encoder::encode_conds,
            Encoder::encode_sems,
            Encoder::encode_joins,
            Encoder::encode_findings,
            Encoder::encode_deadlocks,
            Encoder::encode_races,
        ];
        for encode in self.alarm.until(rest) {
            encode(self);
        }
    }

    /// Whether to end at once.
    fn is_stopped(&self) -> bool {
        self.stopped || self.alarm.rings()
    }

    /// Accesses to memory that was not known yet when they were executed.
    fn encode_checks(&mut self) {
        for check in self.alarm.until(self.graph.checks.clone()) {
            let mut fine = Vec::new();
            let demand =
                Demand { bytes: check.bytes, writes: check.writes, whole_block: check.whole_block };
            for id in self.alarm.until(self.graph.candidates(&check.may)) {
                let object = self.graph.objects.get(id).clone();
                let terms = &mut self.graph.terms;
                let number = terms.constant(unravel_events::PROVENANCE, id.provenance());
                let here = terms.eq(check.address.provenance, number);
                let fits = fits(terms, &object, check.address, demand);
                let alive = check.life.filter(|_| object.mortal).unwrap_or(terms.truth());
                fine.push(terms.and_all(&[here, fits, alive]));
            }
            let fine = self.graph.terms.or_all(&fine);
            let same = self.graph.terms.eq(check.ok, fine);
            let guard = self.lit(check.guard);
            let same = self.lit(same);
            self.solver.clause(&[!guard, same]);
        }
    }

    fn encode_findings(&mut self) {
        for finding in self.alarm.until(self.graph.findings.clone()) {
            let lit = self.lit(finding.guard);
            self.reach(finding.kind, lit, finding.thread, finding.position, finding.site);
        }
    }

    fn reach(
        &mut self,
        kind: FindingKind,
        lit: Lit,
        thread: ThreadId,
        position: Position,
        site: SiteId,
    ) {
        if lit != !self.solver.truth() {
            self.reached.push(Reached { kind, lit, thread, position, site });
        }
    }

    /// Something found at a step once everything was known.
    pub(crate) fn reach_at(&mut self, kind: FindingKind, lit: Lit, step: StepId) {
        let step = self.graph.step(step);
        let (thread, position, site) = (step.thread, step.position, step.site);
        self.reach(kind, lit, thread, position, site);
    }

    pub(crate) fn remark(&mut self, guard: Term, step: StepId, what: Unmodelled) {
        let lit = self.lit(guard);
        self.reach_at(FindingKind::Unsupported(what), lit, step);
    }

    /// A misuse of a lock or a thread, if that is checked; else what it does is not modelled.
    pub(crate) fn misuse(&self, what: Unmodelled) -> FindingKind {
        if self.properties.has(Property::Misuse) {
            FindingKind::Violation(Property::Misuse)
        } else {
            FindingKind::Unsupported(what)
        }
    }

    pub(crate) fn lit(&mut self, term: Term) -> Lit {
        self.blaster.lit(&self.graph.terms, &mut self.solver, term)
    }

    pub(crate) fn bits(&mut self, term: Term) -> Vec<Lit> {
        self.blaster.bits(&self.graph.terms, &mut self.solver, term)
    }

    /// Whether two addresses are the same.
    pub(crate) fn same_address(&mut self, a: Value, b: Value) -> Term {
        self.graph.terms.eq(a.bits, b.bits)
    }

    /// Lets a literal, if it is true, order two steps; nothing to do if they always are.
    pub(crate) fn order_lit(&mut self, lit: Lit, before: StepId, after: StepId) {
        if !self.must.precedes(before, after) {
            let (a, b) = (self.nodes[before.0 as usize], self.nodes[after.0 as usize]);
            self.solver.edge_if(lit, a, b);
        }
    }

    #[cfg(feature = "mutants")]
    pub(crate) fn broken(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    #[cfg(not(feature = "mutants"))]
    #[allow(clippy::unused_self, reason = "it does with the feature")]
    pub(crate) fn broken(&self, _mutant: Mutant) -> bool {
        false
    }

    fn finish(mut self) -> Encoding {
        let of = |reached: &[Reached], query: Query| -> Vec<Lit> {
            let asked = |it: &&Reached| Query::of(&it.kind) == Some(query);
            reached.iter().filter(asked).map(|it| it.lit).collect()
        };
        let queries = [Query::Violation, Query::Bound, Query::Unsupported].map(|query| {
            let any = self.solver.new_lit();
            let mut clause = vec![!any];
            clause.extend(of(&self.reached, query));
            if query == Query::Bound && self.broken(Mutant::NoBoundQuery) {
                clause.truncate(1);
            }
            self.solver.clause(&clause);
            any
        });
        let clean = self.solver.new_lit();
        for unknown in of(&self.reached, Query::Unsupported) {
            self.solver.clause(&[!clean, !unknown]);
        }
        let (passing, orders, sorted) = Default::default();
        Encoding { encoder: self, queries, clean, passing, orders, sorted, certain: None }
    }
}

impl Query {
    /// The question that a finding answers.
    #[must_use]
    pub fn of(kind: &FindingKind) -> Option<Query> {
        match kind {
            FindingKind::Violation(_) => Some(Query::Violation),
            FindingKind::Bound(..) => Some(Query::Bound),
            FindingKind::Unsupported(_) | FindingKind::Primitive(_) => Some(Query::Unsupported),
        }
    }
}

impl Encoding {
    /// What was encoded.
    #[must_use]
    pub fn graph(&self) -> &EventGraph {
        &self.encoder.graph
    }

    /// What runs may reach.
    #[must_use]
    pub fn reached(&self) -> &[Reached] {
        &self.encoder.reached
    }

    /// How large the formula is.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.encoder.counts
    }

    /// Asks whether something of a kind is reachable, with some findings left out: those of a place,
    /// whoever comes there.
    pub fn ask(
        &mut self,
        query: Query,
        runs: Runs,
        except: &[Lit],
        stop: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let mut assumptions = vec![self.queries[query as usize]];
        if runs == Runs::Clean {
            assumptions.push(self.clean);
        }
        assumptions.extend(except.iter().map(|&lit| !lit));
        assumptions.extend(self.sorted());
        // A failing run in which somebody wakes without a signal is harder to believe.
        if query == Query::Violation
            && let Some(owed) = self.only_owed_wakeups()
        {
            assumptions.push(owed);
            match self.solve(&assumptions, stop) {
                Answer::Unreachable => _ = assumptions.pop(),
                answer => return answer,
            }
        }
        self.solve(&assumptions, stop)
    }

    /// A literal that, if true, lets nobody wake without a signal. `None` if nobody waits for one.
    pub fn only_owed_wakeups(&mut self) -> Option<Lit> {
        self.encoder.only_owed_wakeups()
    }

    /// Asks for a run under assumptions; without one, gives those that exclude it.
    pub fn assume(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Outcome {
        let alarm = self.encoder.alarm.clone();
        // Literals that are made after the alarm may mean less than they should.
        if alarm.rings() {
            return Outcome::Stopped;
        }
        self.encoder.solver.solve(assumptions, &mut || alarm.rings() || stop())
    }

    /// Asks for the run in which most of some literals are true (`unravel_solver::maxsat`).
    pub fn maximize(
        &mut self,
        hard: &[Lit],
        strata: &[Vec<Lit>],
        algorithm: maxsat::Algorithm,
        budget: maxsat::Budget,
        stop: &mut dyn FnMut() -> bool,
    ) -> maxsat::Outcome {
        let alarm = self.encoder.alarm.clone();
        let stop = &mut || alarm.rings() || stop();
        maxsat::maximize(&mut self.encoder.solver, hard, strata, algorithm, budget, stop)
    }

    fn solve(&mut self, assumptions: &[Lit], stop: &mut dyn FnMut() -> bool) -> Answer {
        match self.assume(assumptions, stop) {
            Outcome::Sat(model) => Answer::Reached(Box::new(model)),
            Outcome::Unsat(_) => Answer::Unreachable,
            Outcome::Stopped => Answer::Stopped,
            Outcome::Broken(why) => Answer::Broken(why),
        }
    }

    /// Asks whether one finding is reachable, whatever else is, but for what is excepted. Of equal
    /// threads, which come to the same places, it may be another that reaches its own.
    pub fn ask_for(
        &mut self,
        lit: Lit,
        except: &[Lit],
        runs: Runs,
        stop: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let mut assumptions = vec![lit];
        assumptions.extend(except.iter().map(|&lit| !lit));
        assumptions.extend(self.sorted());
        if runs == Runs::Clean {
            assumptions.push(self.clean);
        }
        self.solve(&assumptions, stop)
    }

    /// For each wait at a place, whether its thread stands there in the end.
    pub fn waiting_at(&mut self, site: SiteId) -> Vec<Lit> {
        let threads = self.encoder.graph.threads.iter();
        let here = threads.flat_map(|it| &it.waits).filter(|it| it.site == site);
        let guards: Vec<Term> = here.map(|it| it.guard).collect();
        guards.into_iter().map(|guard| self.encoder.lit(guard)).collect()
    }

    /// A literal that, if true, keeps the run from meeting anything that is not modelled.
    #[must_use]
    pub fn clean(&self) -> Lit {
        self.clean
    }

    /// The node of a step.
    #[must_use]
    pub fn node(&self, step: StepId) -> NodeId {
        self.encoder.nodes[step.0 as usize]
    }

    /// The values of terms in a model.
    #[must_use]
    pub fn valuation<'a>(&'a self, model: &'a Model) -> Valuation<'a> {
        Valuation::new(&self.encoder.graph.terms, &self.encoder.blaster, model)
    }

    /// What a model reaches, of one kind.
    #[must_use]
    pub fn reached_in(&self, model: &Model, query: Query) -> Vec<&Reached> {
        let asked = |it: &&Reached| Query::of(&it.kind) == Some(query) && model.value(it.lit);
        self.reached().iter().filter(asked).collect()
    }

    /// What the solver has done so far.
    #[must_use]
    pub fn solver_stats(&self) -> Stats {
        self.encoder.solver.stats()
    }

    /// The properties it was encoded for.
    #[must_use]
    pub fn properties(&self) -> Properties {
        self.encoder.properties
    }

    /// The loop of a bound that was reached, and how often it turned.
    #[must_use]
    pub fn loop_of(reached: &Reached) -> Option<(LoopId, u32)> {
        match &reached.kind {
            FindingKind::Bound(id, turns, _) => Some((*id, *turns)),
            _ => None,
        }
    }
}
