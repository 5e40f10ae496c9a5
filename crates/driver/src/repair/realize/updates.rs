//! Updates of a shared variable as atomic operations, wherever the program makes them.
//!
//! A cause names one torn region, but the update that lets a run go wrong may be another's: of a
//! count of readers, say, that is torn long before the data is. So each variable is tried that is
//! read and written, those first that the orders of a core are about, at all places that access it.

use std::collections::BTreeMap;

use unravel_diagnose::{Diagnosis, Reason};
use unravel_events::{Space, StepId};
use unravel_patch::{Edit, atomic};
use unravel_span::{FileId, Span};

use super::{Way, Writer};
use unravel_findings::source_name::expression_at;

/// Most variables that are tried.
const MOST: usize = 6;

/// A variable, as far as its name tells.
struct Variable {
    written_as: String,
    /// One place for each line, as those of one statement are changed together.
    places: BTreeMap<(FileId, u32), Span>,
    is_read: bool,
    is_written: bool,
}

impl Variable {
    fn new(written_as: String) -> Variable {
        Variable { written_as, places: BTreeMap::new(), is_read: false, is_written: false }
    }
}

impl Writer<'_> {
    pub(super) fn atomic_updates(&self, diagnosis: &Diagnosis) -> Vec<Way> {
        let all = self.accesses_by_name();
        let mut ways: Vec<Way> = Vec::new();
        let named = self.named_in_cores(diagnosis);
        let others = all.iter().filter(|(name, _)| !named.contains(name));
        let others = others.filter(|(_, variable)| variable.is_read && variable.is_written);
        for name in named.iter().chain(others.map(|(name, _)| name)) {
            let Some(Variable { written_as, places, .. }) = all.get(name) else { continue };
            let places: Vec<Span> = places.values().copied().collect();
            // Loads and stores are one step as they are; only an update can be torn.
            let edits = atomic::atomic(self.sources, &places, written_as);
            if edits.as_ref().is_ok_and(|edits| edits.iter().any(is_update)) && ways.len() < MOST {
                let title = format!("make each update of `{written_as}` one atomic operation");
                let cost = "no lock".to_owned();
                ways.push(Way { kind: "atomic", title, cost, edits, meaning: None });
            }
        }
        ways
    }

    /// The variables of the program, by the last name in how they are written.
    fn accesses_by_name(&self) -> BTreeMap<String, Variable> {
        let mut found: BTreeMap<String, Variable> = BTreeMap::new();
        for access in self.graph.accesses.iter().filter(|it| it.space == Space::Data) {
            let Some(place) = self.program.site(access.site).span else { continue };
            let Some((name, written_as)) = self.accessed(place) else { continue };
            let variable = found.entry(name).or_insert_with(|| Variable::new(written_as));
            variable.is_read |= !access.writes;
            variable.is_written |= access.writes;
            variable.places.entry((place.file, place.line)).or_insert(place);
        }
        found
    }

    /// The variables that the orders of the cores are about.
    fn named_in_cores(&self, diagnosis: &Diagnosis) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for run in &diagnosis.runs {
            let Reason::Core(core) = &run.reason else { continue };
            let orders = core.members.iter().map(|it| &it.order);
            for step in orders.flat_map(|order| [order.before, order.after]) {
                let name = self.place_of(step).and_then(|it| self.accessed(it)).map(|it| it.0);
                found.extend(name.filter(|name| !found.contains(name)));
            }
        }
        found
    }

    fn place_of(&self, step: StepId) -> Option<Span> {
        self.program.site(self.graph.step(step).site).span
    }

    fn accessed(&self, place: Span) -> Option<(String, String)> {
        let expression = expression_at(&self.program.files, place)?;
        Some((atomic::last_name(&expression).to_owned(), expression))
    }
}

/// Whether an edit makes an atomic operation that reads and writes.
fn is_update(edit: &Edit) -> bool {
    ["fetch", "exchange", "compare_and_swap"].iter().any(|it| edit.text.contains(it))
}
