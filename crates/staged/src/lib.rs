//! Programs from short texts, for the tests of single stages.
//!
//! A stage is tested with the smallest input that shows what it does: a few lines of the IR's text
//! form in, a few lines of expected text out. [`program`] adds what every such text would begin
//! with, [`graph`] and [`Encoded`] bring a program as far as the stage under test needs it. Steps
//! are named by their lines.
//!
//! It is used in tests only, so it fails by panicking.
#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::fmt::Write;

use unravel_encode::{Encoding, Options, encode};
use unravel_events::{Bounds, EventGraph, PointsTo, StepId, build};
use unravel_interp::{Config, Properties};
use unravel_program::{Program, SiteId};
use unravel_solver::{Lit, Model, Outcome};

/// Lines that a program of a test may have.
const LINES: u32 = 30;

/// The program of a text in which `!5` is line 5. The entries before the globals are added here.
#[must_use]
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

/// How programs of tests are run: with the default properties.
#[must_use]
pub fn config() -> Config {
    Config::new(Properties::by_default())
}

/// The event graph of a program.
#[must_use]
pub fn graph(program: &Program, bounds: &Bounds) -> EventGraph {
    let points = PointsTo::of_program(program);
    build(program, &config(), bounds, &points, &mut || false).expect("nothing stops it")
}

/// A program's event graph, encoded.
#[must_use]
pub fn encoding(program: &Program, bounds: &Bounds) -> Encoding {
    let options = Options::new(Properties::by_default());
    encode(graph(program, bounds), &options, &mut || false).expect("nothing stops it")
}

/// A program with its encoding.
pub struct Encoded {
    /// The program.
    pub program: Program,
    /// Its encoding.
    pub encoding: Encoding,
}

impl Encoded {
    /// The program of a text, with bounds that grow.
    #[must_use]
    pub fn new(code: &str) -> Encoded {
        Encoded::with_bounds(code, &Bounds::growing())
    }

    /// The program of a text, with given bounds.
    #[must_use]
    pub fn with_bounds(code: &str, bounds: &Bounds) -> Encoded {
        let program = program(code);
        let encoding = encoding(&program, bounds);
        Encoded { program, encoding }
    }

    /// A model in which the literal is true and these steps, by their lines, come in this order.
    pub fn model(&mut self, wanted: Lit, orders: &[(u32, u32)]) -> Model {
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

    /// The first step of a line.
    #[must_use]
    pub fn step_at(&self, line: u32) -> StepId {
        let steps = &self.encoding.graph().steps;
        let at = steps.iter().position(|it| self.line(it.site) == line);
        StepId(u32::try_from(at.expect("a step there")).expect("few steps"))
    }

    /// The line of a place; 0 if it has none.
    #[must_use]
    pub fn line(&self, site: SiteId) -> u32 {
        self.program.site(site).span.map_or(0, |it| it.line)
    }

    /// The steps of a run by line: `T0 L20 L21 | T1 L3`.
    #[must_use]
    pub fn steps(&self, steps: &[StepId]) -> String {
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
}
