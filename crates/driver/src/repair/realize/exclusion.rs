//! Stretches that exclude each other: by a lock, or as atomic operations.

use unravel_patch::around::outermost_loop;
use unravel_patch::guard::{Mutex, guard};
use unravel_patch::spelling::Spelling;
use unravel_patch::{Region, atomic, names};
use unravel_repair::{Spot, Stretch};
use unravel_span::Span;

use super::{Way, Writer};
use crate::repair::existing;

impl Writer<'_> {
    pub(super) fn exclusive(&self, stretches: &[Stretch], ordinal: &str) -> Vec<Way> {
        let mut ways = self.as_atomic(stretches);
        for regions in self.regions(stretches) {
            for mutex in existing::mutexes(self.graph, self.spots, self.sources, stretches) {
                ways.push(self.with_existing(stretches, &regions, &mutex));
            }
            ways.push(self.with_new(stretches, &regions, ordinal));
        }
        ways
    }

    /// With a mutex that exists.
    pub(super) fn with_existing(
        &self,
        stretches: &[Stretch],
        regions: &[Region],
        mutex: &Mutex,
    ) -> Way {
        let what = self.words().stretches(stretches);
        let guarded = guard(self.sources, regions, mutex);
        let widened = guarded.as_ref().is_ok_and(|it| it.widened);
        let lifted = guarded.as_ref().map_or(String::new(), |it| no_longer_locks(&it.lifted));
        let title = match (mutex, widened) {
            (Mutex::Spelled { spelling, .. }, true) => {
                let Spelling { take, give } = spelling;
                let (take, give) = (one_line(take), one_line(give));
                format!("keep {what} all between `{take}` and `{give}`{lifted}")
            }
            (Mutex::Spelled { spelling, .. }, false) => {
                format!("guard {what} with `{}`", one_line(&spelling.take))
            }
            (Mutex::Existing { expression: name, .. } | Mutex::New { name }, _) => {
                let shown = name.trim_start_matches('&');
                if widened {
                    format!("hold `{shown}` all through {what}{lifted}")
                } else {
                    format!("guard {what} with `{shown}`")
                }
            }
        };
        let cost = guarded
            .as_ref()
            .map_or(String::new(), |it| sections("no new mutex", it.sections, it.statements));
        let kind = if widened { "widen" } else { "mutex" };
        Way { kind, title, cost, edits: guarded.map(|it| it.edits), meaning: None }
    }

    fn with_new(&self, stretches: &[Stretch], regions: &[Region], ordinal: &str) -> Way {
        let words = self.words();
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let subject = words.subject(spots.filter_map(Spot::place));
        let name = names::fresh(self.sources, &format!("{subject}{ordinal}_lock"));
        let what = words.stretches(stretches);
        let title = format!("guard {what} with one new mutex `{name}`");
        let guarded = guard(self.sources, regions, &Mutex::New { name });
        let cost = guarded
            .as_ref()
            .map_or(String::new(), |it| sections("1 mutex", it.sections, it.statements));
        Way { kind: "mutex", title, cost, edits: guarded.map(|it| it.edits), meaning: None }
    }

    /// The regions of stretches: in the function that has both ends, then where that is called.
    pub(super) fn regions(&self, stretches: &[Stretch]) -> Vec<Vec<Region>> {
        let mut all: Vec<Vec<Region>> = Vec::new();
        for up in 0..3 {
            let regions: Vec<Region> =
                stretches.iter().filter_map(|it| self.region(it, up)).collect();
            let mut distinct = regions.clone();
            distinct.sort();
            distinct.dedup();
            if regions.len() == stretches.len() && !all.contains(&distinct) {
                all.push(distinct);
            }
        }
        all
    }

    /// The region of a stretch, `up` calls further out where there are as many.
    fn region(&self, stretch: &Stretch, up: usize) -> Option<Region> {
        let (depth, first, last) = stretch.ends()?;
        let region = match up.min(depth) {
            0 => Region { first, last },
            up => {
                let call = stretch.first.path[depth - up];
                Region { first: call, last: call }
            }
        };
        if !stretch.turns || up > 0 && depth > 0 {
            return Some(region);
        }
        let whole = outermost_loop(self.sources, region.first);
        Some(whole.map_or(region, |at| Region { first: at, last: at }))
    }

    /// One atomic operation, where each stretch is one access or read-modify-write of one variable.
    fn as_atomic(&self, stretches: &[Stretch]) -> Vec<Way> {
        let spots = stretches.iter().flat_map(|it| [&it.first, &it.last]);
        let places: Vec<Span> = spots.filter_map(Spot::place).collect();
        let variables: Vec<Option<String>> = places
            .iter()
            .map(|place| unravel_findings::source_name::expression_at(&self.program.files, *place))
            .collect();
        let Some(Some(variable)) = variables.first().cloned() else { return Vec::new() };
        let mut distinct = places.clone();
        distinct.sort();
        distinct.dedup_by_key(|place| (place.file, place.line));
        let title = format!("make each update of `{variable}` one atomic operation");
        let edits = atomic::atomic(self.sources, &distinct, &variable);
        let cost = "no lock".to_owned();
        vec![Way { kind: "atomic", title, cost, edits, meaning: None }]
    }
}

/// A statement on one line, as it is quoted.
fn one_line(statement: &str) -> String {
    let words: Vec<&str> = statement.split_whitespace().collect();
    words.join(" ").trim_end_matches(';').trim_end().to_owned()
}

/// Which functions leave the locking to their callers.
fn no_longer_locks(lifted: &[String]) -> String {
    let names: Vec<String> = lifted.iter().map(|it| format!("`{it}`")).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!("; the callers of {one} lock for it"),
        several => format!("; the callers of {} lock for them", several.join(" and ")),
    }
}

/// `1 mutex, 2 critical sections of 4 statements`.
fn sections(mutex: &str, sections: usize, statements: usize) -> String {
    let section = if sections == 1 { "section" } else { "sections" };
    let statement = if statements == 1 { "statement" } else { "statements" };
    format!("{mutex}, {sections} critical {section} of {statements} {statement}")
}
