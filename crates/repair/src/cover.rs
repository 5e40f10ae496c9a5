//! Covers: one order from each kill set, without contradiction (ConcBugAssist §4.2).
//!
//! The covering variables are orders of the text; choosing one chooses all its instances among the
//! steps of the cores. Kill sets are clauses. That the chosen orders, program order and what the
//! program enforces already have no cycle is what the solver's theory knows, so the binate part
//! needs no clauses. Minimal covers come in the order of their cost: a cheapest one is asked for,
//! then all that contain it are excluded.

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::{EventGraph, StepId};
use unravel_solver::maxsat::{Algorithm, Budget, Outcome, maximize};
use unravel_solver::{ClauseSink, Lit, NodeId, Options, Solver};

use crate::kill::{KillSet, SourceOrder};
use crate::spot::Spots;

/// One order from each kill set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The orders, those that follow from others left out.
    pub orders: Vec<SourceOrder>,
    /// Their cost.
    pub cost: u64,
}

/// All minimal covers, or the cheapest of them.
#[derive(Clone, Debug, Default)]
pub struct Covers {
    /// The covers, cheapest first.
    pub all: Vec<Cover>,
    /// There are no others.
    pub is_complete: bool,
}

/// Covers after which no more are looked for; the text stops at about as many.
pub const MOST_COVERS: usize = 100;

/// Conflicts of the solver for one cover: hundreds of kill sets need a few thousand.
const CONFLICTS: u64 = 50_000;

/// What the covering problem is about.
pub struct Problem<'a> {
    /// The graph of the diagnosis.
    pub graph: &'a EventGraph,
    /// Where its steps are.
    pub spots: &'a Spots,
    /// The kill sets.
    pub kill_sets: &'a [KillSet],
    /// Whether the program orders two steps already.
    pub always_before: &'a dyn Fn(StepId, StepId) -> bool,
    /// What an order costs.
    pub cost: &'a dyn Fn(&SourceOrder) -> u32,
}

/// All minimal covers, cheapest first, up to [`MOST_COVERS`]. A kill set without an order in the
/// text makes a cover impossible.
#[must_use]
pub fn covers(problem: &Problem<'_>, stop: &mut dyn FnMut() -> bool) -> Covers {
    let table = Table::new(problem);
    let mut result = Covers::default();
    if problem.kill_sets.iter().any(|set| set.orders.is_empty()) {
        result.is_complete = true;
        return result;
    }
    let mut solver = Solver::new(Options::default());
    let chosen = table.state(&mut solver, problem);
    let softs: Vec<Lit> = table.softs(problem, &chosen);
    while result.all.len() < MOST_COVERS {
        let budget = Budget { conflicts: Some(CONFLICTS) };
        let strata = [softs.clone()];
        let algorithm = Algorithm::CoreGuided;
        match maximize(&mut solver, &[], &strata, algorithm, budget, stop) {
            Outcome::Found(best) => {
                let picked: Vec<usize> =
                    (0..chosen.len()).filter(|&at| best.model.value(chosen[at])).collect();
                let blocked: Vec<Lit> = picked.iter().map(|&at| !chosen[at]).collect();
                solver.clause(&blocked);
                table.add(problem, &picked, &mut result);
            }
            Outcome::None => {
                result.is_complete = true;
                break;
            }
            Outcome::Stopped | Outcome::Broken(_) => break,
        }
    }
    result
}

/// The orders of all kill sets and the steps they concern.
pub struct Table {
    orders: Vec<SourceOrder>,
    instances: Vec<Vec<(StepId, StepId)>>,
    steps: Vec<StepId>,
}

impl Table {
    /// Collects them.
    #[must_use]
    pub fn new(problem: &Problem<'_>) -> Table {
        let mut orders: BTreeSet<SourceOrder> = BTreeSet::new();
        let mut steps: BTreeSet<StepId> = BTreeSet::new();
        for set in problem.kill_sets {
            orders.extend(set.orders.iter().cloned());
            steps.extend(set.steps.iter().flat_map(|&(before, after)| [before, after]));
        }
        let orders: Vec<SourceOrder> = orders.into_iter().collect();
        let known = |spot| {
            let all = problem.spots.steps(spot).iter();
            all.copied().filter(|(_, step)| steps.contains(step)).collect::<Vec<_>>()
        };
        let instances = orders
            .iter()
            .map(|order| {
                let (before, after) = (known(&order.before), known(&order.after));
                let pairs = before.iter().flat_map(|&(a, first)| {
                    let others = after.iter().filter(move |&&(b, _)| a != b);
                    others.map(move |&(_, second)| (first, second))
                });
                // Where the program has it the other way round, nothing can be enforced: a thread
                // that is created in a later iteration does not come before earlier iterations.
                pairs.filter(|&(a, b)| !(problem.always_before)(b, a)).collect()
            })
            .collect();
        Table { orders, instances, steps: steps.into_iter().collect() }
    }

    /// States the problem; gives the literal of each order.
    fn state(&self, solver: &mut Solver, problem: &Problem<'_>) -> Vec<Lit> {
        let nodes: BTreeMap<StepId, NodeId> =
            self.steps.iter().map(|&step| (step, solver.node())).collect();
        for (a, b) in self.fixed(problem) {
            solver.edge(nodes[&a], nodes[&b]);
        }
        let chosen: Vec<Lit> = self.orders.iter().map(|_| solver.new_lit()).collect();
        for (&lit, instances) in chosen.iter().zip(&self.instances) {
            for (before, after) in instances {
                solver.edge_if(lit, nodes[before], nodes[after]);
            }
        }
        for set in problem.kill_sets {
            let clause: Vec<Lit> =
                set.orders.iter().filter_map(|it| Some(chosen[self.index(it)?])).collect();
            solver.clause(&clause);
        }
        chosen
    }

    fn index(&self, order: &SourceOrder) -> Option<usize> {
        self.orders.binary_search(order).ok()
    }

    /// Orders that hold anyway, among the steps in question.
    fn fixed(&self, problem: &Problem<'_>) -> Vec<(StepId, StepId)> {
        let thread = |step: StepId| problem.graph.step(step).thread;
        let mut fixed = Vec::new();
        for &a in &self.steps {
            for &b in &self.steps {
                let program_order = thread(a) == thread(b) && a < b;
                if program_order || thread(a) != thread(b) && (problem.always_before)(a, b) {
                    fixed.push((a, b));
                }
            }
        }
        fixed
    }

    fn softs(&self, problem: &Problem<'_>, chosen: &[Lit]) -> Vec<Lit> {
        let times = |(order, &lit): (&SourceOrder, &Lit)| {
            std::iter::repeat_n(!lit, (problem.cost)(order) as usize)
        };
        self.orders.iter().zip(chosen).flat_map(times).collect()
    }

    fn add(&self, problem: &Problem<'_>, picked: &[usize], covers: &mut Covers) {
        let kept = self.simplified(problem, picked).unwrap_or_default();
        let orders: Vec<SourceOrder> = kept.iter().map(|&at| self.orders[at].clone()).collect();
        let cost = orders.iter().map(|order| u64::from((problem.cost)(order))).sum();
        if !covers.all.iter().any(|known| known.orders == orders) {
            covers.all.push(Cover { orders, cost });
        }
    }

    /// Chosen orders without those that follow from the others; `None` if they form a cycle.
    #[must_use]
    pub fn simplified(&self, problem: &Problem<'_>, picked: &[usize]) -> Option<Vec<usize>> {
        let fixed = self.fixed(problem);
        let edges = |orders: &[usize]| -> Vec<(StepId, StepId)> {
            let chosen = orders.iter().flat_map(|&at| self.instances[at].iter().copied());
            fixed.iter().copied().chain(chosen).collect()
        };
        let all = edges(picked);
        if self.steps.iter().any(|&step| reaches(&all, step, step)) {
            return None;
        }
        let mut kept = picked.to_vec();
        for &candidate in picked {
            let others: Vec<usize> = kept.iter().copied().filter(|&it| it != candidate).collect();
            let without = edges(&others);
            let instances = &self.instances[candidate];
            if instances.iter().all(|&(before, after)| reaches(&without, before, after)) {
                kept = others;
            }
        }
        Some(kept)
    }

    /// All choices of one order from each kill set, up to `most`, each simplified
    /// (Figure 6 of the text).
    #[must_use]
    pub fn choices(&self, problem: &Problem<'_>, most: usize) -> Vec<Choice> {
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for set in problem.kill_sets {
            let indices: Vec<usize> = set.orders.iter().filter_map(|it| self.index(it)).collect();
            let longer = choices.iter().flat_map(|choice| {
                indices.iter().map(move |&at| [choice.as_slice(), &[at]].concat())
            });
            choices = longer.take(most).collect();
        }
        let order = |&at: &usize| self.orders[at].clone();
        choices
            .into_iter()
            .map(|choice| {
                let mut distinct = choice.clone();
                distinct.sort_unstable();
                distinct.dedup();
                let simplified = self.simplified(problem, &distinct);
                Choice {
                    chosen: choice.iter().map(order).collect(),
                    simplified: simplified.map(|kept| kept.iter().map(order).collect()),
                }
            })
            .collect()
    }
}

/// One order from each kill set.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The orders.
    pub chosen: Vec<SourceOrder>,
    /// Without those that follow from others; `None` if they form a cycle.
    pub simplified: Option<Vec<SourceOrder>>,
}

fn reaches(edges: &[(StepId, StepId)], from: StepId, to: StepId) -> bool {
    let mut seen: BTreeSet<StepId> = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        for &(_, next) in edges.iter().filter(|(before, _)| *before == at) {
            if next == to {
                return true;
            }
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
