//! Programs for the tests of this stage, and runs as text.

use std::fmt::Write;

use unravel_encode::{Encoding, Options, encode};
use unravel_events::{Bounds, PointsTo, StepId, build};
use unravel_interp::run::replay;
use unravel_interp::{Config, Decision, End, Machine, Properties};
use unravel_program::{Program, SiteId};
use unravel_schedule::{GraphRun, Until, passing_run, violating_run};
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

    /// A run that fails, in which these lines come in this order.
    pub fn failing(&mut self, orders: &[(u32, u32)]) -> String {
        let failing = self.encoding.failing();
        let model = self.model(failing, orders);
        let reached = self.encoding.end_of(&model).expect("it fails");
        let machine = Machine::new(&self.program, config());
        let run = violating_run(&machine, &self.encoding, model, &reached, Until::First);
        self.run(&machine, &run.expect("the interpreter follows it"))
    }

    /// A run that passes, in which these lines come in this order.
    pub fn passing(&mut self, orders: &[(u32, u32)]) -> String {
        let passing = self.encoding.passing();
        let model = self.model(passing, orders);
        let machine = Machine::new(&self.program, config());
        let run = passing_run(&machine, &self.encoding, model);
        self.run(&machine, &run.expect("the interpreter follows it"))
    }

    fn run<E>(&self, machine: &Machine<'_>, run: &GraphRun<E>) -> String {
        let decisions: Vec<String> = run.decisions.iter().map(decision).collect();
        let replayed = replay(machine, &run.decisions).expect("the decisions fit");
        let end = match &replayed.end {
            End::Violation(it) => format!("{} at L{}", it.kind.code(), self.line(it.site)),
            other => format!("{other:?}"),
        };
        format!(
            "decisions: {}\nswitches: {}\nsteps: {}\nend: {end}",
            decisions.join(" "),
            run.context_switches(),
            self.steps(&run.steps),
        )
    }
}

/// `T1`, or `T1(7)` where the step has a choice, which is 7.
fn decision(decision: &Decision) -> String {
    let choices: Vec<String> = decision.choices.iter().map(u128::to_string).collect();
    let given = if choices.is_empty() { String::new() } else { format!("({})", choices.join(",")) };
    format!("T{}{given}", decision.thread.0)
}
