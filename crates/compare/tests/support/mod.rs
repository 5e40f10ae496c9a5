//! Comparisons as text.

use unravel_compare::{
    Algorithm, Method, Options as How, Outcome as Compared, Reference, Trace, Weights, closest,
    swap,
};
use unravel_encode::Encoding;
use unravel_interp::Machine;
use unravel_schedule::{Until, violating_run};
use unravel_staged::{Encoded, config};

/// How to look for a passing run.
#[derive(Clone, Copy)]
pub enum Search {
    Exact,
    Progressive,
    Swap,
}

/// An encoded program whose failing runs are compared.
pub struct Compares(Encoded);

impl Compares {
    pub fn new(code: &str) -> Compares {
        Compares(Encoded::new(code))
    }

    /// A failing run, in which these lines come in this order, beside the closest passing run.
    pub fn compared(&mut self, orders: &[(u32, u32)], search: Search) -> String {
        let failing = self.0.encoding.failing();
        let model = self.0.model(failing, orders);
        let reached = self.0.encoding.end_of(&model).expect("it fails");
        let program = self.0.program.clone();
        let machine = Machine::new(&program, config());
        let run = violating_run(&machine, &self.0.encoding, model, &reached, Until::First);
        let mut run = run.expect("the interpreter follows it");
        run.steps.extend(self.0.encoding.violating_step(&reached, &run.model));
        let trace = Trace::of(&self.0.encoding, &run.model, run.steps.clone());
        let reference = Reference { model: &run.model, trace: &trace, also: &[] };
        let found = search.run(&machine, &mut self.0.encoding, reference);
        format!("failing: {}\n{}", self.0.steps(&run.steps), self.outcome(&found))
    }

    fn outcome(&self, outcome: &Compared) -> String {
        let Compared::Found(found) = outcome else { return format!("{outcome:?}") };
        let it = found.distance;
        format!(
            "passing: {}\nflips {}, DF {}, BS {}, CTX {}, OP {}{}",
            self.0.steps(&found.trace.steps),
            it.flips,
            it.flows,
            it.segments,
            it.switches,
            it.operations,
            if found.is_optimal { ", optimal" } else { "" },
        )
    }
}

impl Search {
    fn run(
        self,
        machine: &Machine<'_>,
        encoding: &mut Encoding,
        failing: Reference<'_>,
    ) -> Compared {
        let method = match self {
            Search::Exact => Method::Exact,
            Search::Progressive => Method::Progressive,
            Search::Swap => return swap(machine, encoding, failing, &mut || false),
        };
        let weights = Weights::Lexicographic;
        let how = How { weights, method, algorithm: Algorithm::CoreGuided, conflicts: None };
        closest(machine, encoding, failing, &how, &mut || false)
    }
}
