//! Stretches that exclude each other: by a lock, or as atomic operations.

use unravel_patch::around::outermost_loop;
use unravel_patch::guard::{Mutex, guard};
use unravel_patch::{Edit, Region, atomic, names};
use unravel_repair::{Spot, Stretch};
use unravel_span::Span;

use super::{Way, Writer};
use crate::repair::existing;

impl Writer<'_> {
    pub(super) fn exclusive(&self, stretches: &[Stretch], ordinal: &str) -> Vec<Way> {
        let mut ways = self.as_atomic(stretches);
        for regions in self.regions(stretches) {
            for names in existing::mutexes(self.graph, self.spots, self.sources, stretches) {
                ways.extend(self.with_existing(stretches, &regions, &names));
            }
            ways.push(self.with_new(stretches, &regions, ordinal));
        }
        ways
    }

    /// With a mutex that exists, by the names it has.
    pub(super) fn with_existing(
        &self,
        stretches: &[Stretch],
        regions: &[Region],
        names: &[String],
    ) -> Option<Way> {
        let (expression, others) = names.split_first()?;
        let (expression, others) = (expression.clone(), others.to_vec());
        let shown = expression.trim_start_matches('&').to_owned();
        let what = self.words().stretches(stretches);
        let guarded = guard(self.sources, regions, &Mutex::Existing { expression, others });
        let widened = guarded.as_ref().is_ok_and(|it| it.edits.iter().any(|it| self.unlocks(it)));
        let lifted = guarded.as_ref().map_or(String::new(), |it| no_longer_locks(&it.lifted));
        let title = if widened {
            format!("hold `{shown}` all through {what}{lifted}")
        } else {
            format!("guard {what} with `{shown}`")
        };
        let cost = guarded
            .as_ref()
            .map_or(String::new(), |it| sections("no new mutex", it.sections, it.statements));
        let kind = if widened { "widen" } else { "mutex" };
        Some(Way { kind, title, cost, edits: guarded.map(|it| it.edits), meaning: None })
    }

    /// Whether an edit takes away a lock or an unlock: then a section that exists has grown.
    fn unlocks(&self, edit: &Edit) -> bool {
        let text = self.program.files.get(edit.file).and_then(|file| file.text.as_deref());
        let old = text.and_then(|text| text.get(edit.start..edit.end));
        old.is_some_and(|old| old.contains("lock"))
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
            .map(|place| crate::source_name::expression_at(&self.program.files, *place))
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
