//! The search for the closest passing run.

use std::collections::BTreeMap;

use unravel_encode::{Encoding, Flow};
use unravel_events::StepId;
use unravel_interp::Machine;
use unravel_solver::Lit;
use unravel_solver::maxsat::{Budget, Outcome as Best};

use crate::trace::Trace;
use crate::{Method, Options, Outcome, Reference, Weights, compared, hard, none_passes};

/// Looks of the solver at its watch after which more steps are freed, as if no run passed with so many
/// kept: some tenths of a second. With fewer kept it is easier to find one that passes.
const LONG_STAGE: u64 = 2_000;

/// Finds the passing run that is closest to a failing one. `stop` is asked now and then.
pub fn closest(
    machine: &Machine<'_>,
    encoding: &mut Encoding,
    failing: Reference<'_>,
    options: &Options,
    stop: &mut dyn FnMut() -> bool,
) -> Outcome {
    let hard = hard(encoding, failing);
    let mut search = Search { encoding, failing, options, hard, spent: 0 };
    let best = match options.method {
        Method::Exact => search.exact(stop),
        Method::Progressive => search.progressive(stop),
    };
    match best {
        Best::Found(best) => {
            let proved = best.is_proved && options.method == Method::Exact;
            compared(machine, search.encoding, failing, best.model, proved)
        }
        Best::None => none_passes(search.encoding, failing, stop),
        Best::Stopped => Outcome::Stopped,
        Best::Broken(why) => Outcome::Broken(why),
    }
}

struct Search<'a> {
    encoding: &'a mut Encoding,
    failing: Reference<'a>,
    options: &'a Options,
    hard: Vec<Lit>,
    /// Conflicts so far.
    spent: u64,
}

impl Search<'_> {
    fn exact(&mut self, stop: &mut dyn FnMut() -> bool) -> Best {
        let strata = self.strata(&|_| true);
        let hard = self.hard.clone();
        self.maximize(&hard, &strata, stop)
    }

    /// Algorithm 1 of the text: the order of all steps but the last segments' is kept, and segment
    /// by segment more are freed until a run passes. A failing run ends with its failure, so there
    /// are no segments after it.
    fn progressive(&mut self, stop: &mut dyn FnMut() -> bool) -> Best {
        let trace = self.failing.trace;
        let lengths: Vec<usize> =
            trace.segments(self.encoding.graph()).iter().map(|it| it.len()).collect();
        let mut fixed = trace.steps.len();
        for length in lengths.into_iter().rev() {
            fixed -= length;
            let best = self.with_fixed(fixed, stop);
            if !matches!(best, Best::None) {
                return best;
            }
        }
        Best::None
    }

    /// The closest run in which the first steps keep their order.
    fn with_fixed(&mut self, fixed: usize, stop: &mut dyn FnMut() -> bool) -> Best {
        let steps = &self.failing.trace.steps[..fixed];
        let mut hard = self.hard.clone();
        for pair in steps.windows(2) {
            hard.push(self.encoding.in_order(pair[0], pair[1]));
        }
        let mut looks = 0;
        let mut is_long = || {
            looks += u64::from(fixed > 0);
            looks > LONG_STAGE || stop()
        };
        match self.encoding.assume(&hard, &mut is_long) {
            unravel_solver::Outcome::Sat(_) => {}
            unravel_solver::Outcome::Unsat(_) => return Best::None,
            unravel_solver::Outcome::Stopped if looks > LONG_STAGE => return Best::None,
            unravel_solver::Outcome::Stopped => return Best::Stopped,
            unravel_solver::Outcome::Broken(why) => return Best::Broken(why),
        }
        let free: Vec<StepId> = self.failing.trace.steps[fixed..].to_vec();
        let strata = self.strata(&|step| free.contains(&step));
        self.maximize(&hard, &strata, stop)
    }

    /// What is to be kept, the most important first. Only what concerns a step that is free is
    /// asked for: the rest is kept as it is, or at least costs much to ask.
    fn strata(&mut self, is_free: &dyn Fn(StepId) -> bool) -> Vec<Vec<Lit>> {
        let branches = self.branches();
        let flows = self.flows(is_free);
        let segments = self.segments(is_free);
        let switches = self.switches(is_free);
        // Few branches flipped; then those near the failure, so each of the others is asked to stay,
        // the farthest first. That costs no call of the solver for those which stay anyway.
        let mut strata = vec![branches.clone()];
        strata.extend(branches.into_iter().map(|branch| vec![branch]));
        strata.extend(match self.options.weights {
            Weights::Lexicographic => vec![flows, segments, switches],
            Weights::Equal => vec![[flows, segments, switches].concat()],
        });
        strata
    }

    /// The branches of the failing run, the farthest from the failure first.
    fn branches(&mut self) -> Vec<Lit> {
        let trace = self.failing.trace;
        let mut branches: Vec<(usize, u128)> =
            trace.branches.iter().map(|(&index, &value)| (index, value)).collect();
        branches.sort_by_key(|&(index, _)| (trace.places.get(&index), index));
        let kept =
            branches.into_iter().map(|(index, value)| self.encoding.kept_branch(index, value));
        kept.collect()
    }

    fn flows(&mut self, is_free: &dyn Fn(StepId) -> bool) -> Vec<Lit> {
        let trace: &Trace = self.failing.trace;
        let graph = self.encoding.graph();
        let concerns = |flow: &&Flow| {
            let read = graph.accesses[flow.read.0].step;
            let write = flow.source.map(|part| graph.accesses[part.0].step);
            let is_kept = trace.flows.get(&flow.read) == Some(&flow.source);
            is_kept && (is_free(read) || write.is_none_or(is_free))
        };
        // A read that is cut into parts is one data flow.
        let mut reads: BTreeMap<usize, Vec<Flow>> = BTreeMap::new();
        for flow in self.encoding.flows().iter().filter(concerns) {
            reads.entry(flow.read.0).or_default().push(*flow);
        }
        reads.values().map(|flows| self.encoding.kept_flows(flows)).collect()
    }

    fn segments(&mut self, is_free: &dyn Fn(StepId) -> bool) -> Vec<Lit> {
        let trace: &Trace = self.failing.trace;
        let segments: Vec<Vec<StepId>> = trace
            .segments(self.encoding.graph())
            .into_iter()
            .filter(|it| it.len() > 1 && it.iter().any(|&step| is_free(step)))
            .map(<[StepId]>::to_vec)
            .collect();
        let mut kept = Vec::new();
        for segment in segments {
            let (first, last) = (segment[0], segment[segment.len() - 1]);
            let others: Vec<StepId> =
                trace.steps.iter().copied().filter(|step| !segment.contains(step)).collect();
            let thread = self.encoding.graph().step(first).thread;
            let graph = self.encoding.graph();
            let others: Vec<StepId> =
                others.into_iter().filter(|&it| graph.step(it).thread != thread).collect();
            kept.push(self.encoding.uninterrupted(first, last, &others));
        }
        kept
    }

    fn switches(&mut self, is_free: &dyn Fn(StepId) -> bool) -> Vec<Lit> {
        let trace: &Trace = self.failing.trace;
        let switches = trace.switches(self.encoding.graph());
        let mut kept = Vec::new();
        for (a, b) in switches.into_iter().filter(|&(a, b)| is_free(a) || is_free(b)) {
            let others: Vec<StepId> =
                trace.steps.iter().copied().filter(|&step| step != a && step != b).collect();
            kept.push(self.encoding.adjacent(a, b, &others));
        }
        kept
    }

    fn maximize(
        &mut self,
        hard: &[Lit],
        strata: &[Vec<Lit>],
        stop: &mut dyn FnMut() -> bool,
    ) -> Best {
        let before = self.encoding.solver_stats().solver_conflicts;
        let left = self.options.conflicts.map(|all| all.saturating_sub(self.spent));
        let budget = Budget { conflicts: left };
        let best = self.encoding.maximize(hard, strata, self.options.algorithm, budget, stop);
        self.spent += self.encoding.solver_stats().solver_conflicts - before;
        best
    }
}
