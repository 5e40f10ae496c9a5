//! Programs for the tests of this stage, and comparisons as text.

use std::fmt::Write;

use unravel_compare::{
    Algorithm, Method, Options as How, Outcome as Compared, Reference, Trace, Weights, closest,
    swap,
};
use unravel_encode::{Encoding, Options, encode};
use unravel_events::{Bounds, PointsTo, StepId, build};
use unravel_interp::{Config, Machine, Properties};
use unravel_program::{Program, SiteId};
use unravel_schedule::{Until, violating_run};
use unravel_solver::{Lit, Model, Outcome};

/// Lines that a program of a test may have.
const LINES: u32 = 30;

/// The program of a text in which `!5` is line 5. The entries before the globals are added here.
pub fn program(code: &str) -> Program {
    let mut text = String::from("unravel program 1\ntarget pointer 8\nmain @main\n");
    text.push_str("file 0 \"test.c\"\nsite 0 \"\"\n");
    for line in 1..=LINES {
        writeln!(text, "site {line} 0:{line}:1 \"\"").expect("a string takes all text");
    }
    text.push_str(code);
    let program = unravel_program::text::parse(&text).expect("a program");
    assert_eq!(unravel_program::validate::validate(&program), Ok(()));
    program
}

fn config() -> Config {
    Config::new(Properties::by_default())
}

fn encoded(program: &Program) -> Encoding {
    let points = PointsTo::of_program(program);
    let graph = build(program, &config(), &Bounds::growing(), &points, &mut || false);
    let graph = graph.expect("nothing stops it");
    let options = Options::new(Properties::by_default());
    encode(graph, &options, &mut || false).expect("nothing stops it")
}

/// How to look for a passing run.
#[derive(Clone, Copy)]
pub enum Search {
    Exact,
    Progressive,
    Swap,
}

/// An encoded program.
pub struct Encoded {
    program: Program,
    encoding: Encoding,
}

impl Encoded {
    pub fn new(code: &str) -> Encoded {
        let program = program(code);
        let encoding = encoded(&program);
        Encoded { program, encoding }
    }

    /// A model in which the literal is true and these steps, by their lines, come in this order.
    fn model(&mut self, wanted: Lit, orders: &[(u32, u32)]) -> Model {
        let mut assumed = vec![wanted];
        for &(before, after) in orders {
            let (before, after) = (self.step_at(before), self.step_at(after));
            assumed.push(self.encoding.order(before, after));
        }
        assumed.push(self.encoding.clean());
        match self.encoding.assume(&assumed, &mut || false) {
            Outcome::Sat(model) => model,
            other => panic!("no such run: {other:?}"),
        }
    }

    fn step_at(&self, line: u32) -> StepId {
        let steps = &self.encoding.graph().steps;
        let at = steps.iter().position(|it| self.line(it.site) == line);
        StepId(u32::try_from(at.expect("a step there")).expect("few steps"))
    }

    fn line(&self, site: SiteId) -> u32 {
        self.program.site(site).span.map_or(0, |it| it.line)
    }

    /// The steps of a run by line: `T0 L20 L21 | T1 L3`.
    fn steps(&self, steps: &[StepId]) -> String {
        let graph = self.encoding.graph();
        let thread = |step: &StepId| graph.step(*step).thread;
        let part = |part: &[StepId]| {
            let lines = part.iter().map(|&it| format!(" L{}", self.line(graph.step(it).site)));
            let lines: String = lines.collect();
            part.first().map_or(String::new(), |first| format!("T{}{lines}", thread(first).0))
        };
        let parts = steps.chunk_by(|a, b| thread(a) == thread(b)).map(part);
        parts.collect::<Vec<_>>().join(" | ")
    }

    /// A failing run, in which these lines come in this order, beside the closest passing run.
    pub fn compared(&mut self, orders: &[(u32, u32)], search: Search) -> String {
        let failing = self.encoding.failing();
        let model = self.model(failing, orders);
        let reached = self.encoding.end_of(&model).expect("it fails");
        let program = self.program.clone();
        let machine = Machine::new(&program, config());
        let run = violating_run(&machine, &self.encoding, model, &reached, Until::First);
        let mut run = run.expect("the interpreter follows it");
        run.steps.extend(self.encoding.violating_step(&reached, &run.model));
        let trace = Trace::of(&self.encoding, &run.model, run.steps.clone());
        let reference = Reference { model: &run.model, trace: &trace, also: &[] };
        let found = search.run(&machine, &mut self.encoding, reference);
        format!("failing: {}\n{}", self.steps(&run.steps), self.outcome(&found))
    }

    fn outcome(&self, outcome: &Compared) -> String {
        let Compared::Found(found) = outcome else { return format!("{outcome:?}") };
        let it = found.distance;
        format!(
            "passing: {}\nflips {}, DF {}, BS {}, CTX {}, OP {}{}",
            self.steps(&found.trace.steps),
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
