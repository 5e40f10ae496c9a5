//! Programs for the tests of this stage, and what their encodings answer.

use std::collections::BTreeSet;
use std::fmt::Write;

use unravel_encode::{Answer, Encoding, Options, Query, Reached, Runs, encode};
use unravel_events::{Bounds, FindingKind, PointsTo, StepId, build};
use unravel_interp::{Config, Properties, Property};
use unravel_program::{Program, SiteId};

/// Lines that a program of a test may have.
const LINES: u32 = 30;

/// The program of a text in which `!5` is line 5. The entries before the globals are added here.
fn program(code: &str) -> Program {
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

/// An encoded program.
pub struct Encoded {
    program: Program,
    encoding: Encoding,
}

impl Encoded {
    pub fn new(code: &str, bounds: &Bounds) -> Encoded {
        let program = program(code);
        let properties = Properties::by_default();
        let config = Config::new(properties);
        let points = PointsTo::of_program(&program);
        let graph = build(&program, &config, bounds, &points, &mut || false);
        let graph = graph.expect("nothing stops it");
        let encoding = encode(graph, &Options::new(properties), &mut || false);
        Encoded { program, encoding: encoding.expect("nothing stops it") }
    }

    /// The three questions with their answers: what a run reaches, by line.
    pub fn answers(&mut self) -> String {
        let queries = [Query::Violation, Query::Bound, Query::Unsupported];
        queries.map(|query| format!("{query:?}: {}", self.answer(query))).join("\n")
    }

    fn answer(&mut self, query: Query) -> String {
        let mut reachable: BTreeSet<String> = BTreeSet::new();
        let possible: Vec<_> = self.encoding.reached().to_vec();
        for reached in possible.iter().filter(|it| Query::of(&it.kind) == Some(query)) {
            let answer = self.encoding.ask_for(reached.lit, &[], Runs::All, &mut || false);
            match answer {
                Answer::Reached(_) => _ = reachable.insert(self.place(reached)),
                Answer::Unreachable => {}
                other => panic!("{other:?}"),
            }
        }
        let any = self.encoding.ask(query, Runs::All, &[], &mut || false);
        assert_eq!(matches!(any, Answer::Reached(_)), !reachable.is_empty());
        let places: Vec<String> = reachable.into_iter().collect();
        if places.is_empty() { "unreachable".to_owned() } else { places.join(", ") }
    }

    /// Where something is reached: `T1 L5`. A deadlock is reached where the run ends.
    fn place(&self, reached: &Reached) -> String {
        match reached.kind {
            FindingKind::Violation(Property::Deadlock) => "deadlock".to_owned(),
            _ => format!("T{} L{}", reached.thread.0, self.line(reached.site)),
        }
    }

    /// Each read with the writes that it may take its value from.
    pub fn sources(&self) -> String {
        let accesses = &self.encoding.graph().accesses;
        let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
        for flow in self.encoding.flows() {
            let (read, _) = flow.read;
            let line = |access: usize| format!("L{}", self.line(accesses[access].site));
            let source = flow.source.map_or("initial".to_owned(), |(write, _)| line(write));
            match rows.last_mut() {
                Some((last, sources)) if *last == read => sources.push(source),
                _ => rows.push((read, vec![source])),
            }
        }
        let row = |(read, sources): &(usize, Vec<String>)| {
            format!("L{} from {}", self.line(accesses[*read].site), sources.join(" | "))
        };
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    /// Pairs of lines, each with whether the first always comes before the second.
    pub fn orders(&self, pairs: &[(u32, u32)]) -> String {
        let row = |&(a, b): &(u32, u32)| {
            let holds = self.encoding.always_before(self.step_at(a), self.step_at(b));
            format!("L{a} < L{b}: {}", if holds { "always" } else { "not always" })
        };
        pairs.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    fn step_at(&self, line: u32) -> StepId {
        let steps = &self.encoding.graph().steps;
        let at = steps.iter().position(|it| self.line(it.site) == line);
        StepId(u32::try_from(at.expect("a step there")).expect("few steps"))
    }

    fn line(&self, site: SiteId) -> u32 {
        self.program.site(site).span.map_or(0, |it| it.line)
    }
}
