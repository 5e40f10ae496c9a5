//! What encodings answer, as text.

use std::collections::BTreeSet;

use unravel_encode::{Answer, Query, Reached, Runs};
use unravel_events::{Bounds, FindingKind};
use unravel_interp::Property;
use unravel_staged::Encoded;

/// An encoded program that is asked.
pub struct Asked(Encoded);

impl Asked {
    pub fn new(code: &str, bounds: &Bounds) -> Asked {
        Asked(Encoded::with_bounds(code, bounds))
    }

    /// The three questions with their answers: what a run reaches, by line.
    pub fn answers(&mut self) -> String {
        let queries = [Query::Violation, Query::Bound, Query::Unsupported];
        queries.map(|query| format!("{query:?}: {}", self.answer(query))).join("\n")
    }

    fn answer(&mut self, query: Query) -> String {
        let mut reachable: BTreeSet<String> = BTreeSet::new();
        let possible: Vec<_> = self.0.encoding.reached().to_vec();
        for reached in possible.iter().filter(|it| Query::of(&it.kind) == Some(query)) {
            let answer = self.0.encoding.ask_for(reached.lit, &[], Runs::All, &mut || false);
            match answer {
                Answer::Reached(_) => _ = reachable.insert(self.place(reached)),
                Answer::Unreachable => {}
                other => panic!("{other:?}"),
            }
        }
        let any = self.0.encoding.ask(query, Runs::All, &[], &mut || false);
        assert_eq!(matches!(any, Answer::Reached(_)), !reachable.is_empty());
        let places: Vec<String> = reachable.into_iter().collect();
        if places.is_empty() { "unreachable".to_owned() } else { places.join(", ") }
    }

    /// Where something is reached: `T1 L5`. A deadlock is reached where the run ends.
    fn place(&self, reached: &Reached) -> String {
        match reached.kind {
            FindingKind::Violation(Property::Deadlock) => "deadlock".to_owned(),
            _ => format!("T{} L{}", reached.thread.0, self.0.line(reached.site)),
        }
    }

    /// Each read with the writes that it may take its value from.
    pub fn sources(&self) -> String {
        let accesses = &self.0.encoding.graph().accesses;
        let mut rows: Vec<(usize, Vec<String>)> = Vec::new();
        for flow in self.0.encoding.flows() {
            let (read, _) = flow.read;
            let line = |access: usize| format!("L{}", self.0.line(accesses[access].site));
            let source = flow.source.map_or("initial".to_owned(), |(write, _)| line(write));
            match rows.last_mut() {
                Some((last, sources)) if *last == read => sources.push(source),
                _ => rows.push((read, vec![source])),
            }
        }
        let row = |(read, sources): &(usize, Vec<String>)| {
            format!("L{} from {}", self.0.line(accesses[*read].site), sources.join(" | "))
        };
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    /// Pairs of lines, each with whether the first always comes before the second.
    pub fn orders(&self, pairs: &[(u32, u32)]) -> String {
        let row = |&(a, b): &(u32, u32)| {
            let holds = self.0.encoding.always_before(self.0.step_at(a), self.0.step_at(b));
            format!("L{a} < L{b}: {}", if holds { "always" } else { "not always" })
        };
        pairs.iter().map(row).collect::<Vec<_>>().join("\n")
    }
}
