//! One critical section of one function, held longer.
//!
//! Where a mutex guards the data already and one function lets go of it too early, or takes it too
//! late, to move one line is enough. A lock over all regions of a core would take it in the callers.

use unravel_diagnose::{Cause, Diagnosis, Reason};
use unravel_events::StepId;
use unravel_repair::{Spot, Stretch};

use super::{Way, Writer};
use crate::repair::existing;

/// Sections that are tried.
const MOST: usize = 6;

impl Writer<'_> {
    /// Each section in whose call a cause has steps outside of it, over all of them.
    pub(super) fn held_longer(&self, diagnosis: &Diagnosis, cause: &Cause) -> Vec<Way> {
        let spots = self.spots_of(diagnosis, cause);
        let mut ways: Vec<Way> = Vec::new();
        for lock in self.graph.locks.iter().filter_map(|it| self.spots.spot(it.step)) {
            let Some(stretch) = around(lock, &spots) else { continue };
            let stretch = [stretch];
            for mutex in existing::mutexes(self.graph, self.spots, self.sources, &stretch) {
                let regions = self.regions(&stretch);
                let way = regions.first().map(|it| self.with_existing(&stretch, it, &mutex));
                let is_new = |way: &Way| !ways.iter().any(|known| known.edits == way.edits);
                let longer = way.filter(|it| it.kind == "widen" && it.edits.is_ok());
                ways.extend(longer.filter(is_new));
            }
        }
        ways.truncate(MOST);
        ways
    }

    /// Where the steps of a cause are.
    fn spots_of(&self, diagnosis: &Diagnosis, cause: &Cause) -> Vec<Spot> {
        let mut steps: Vec<StepId> = Vec::new();
        for run in &cause.runs {
            if let Reason::Core(core) = &diagnosis.runs[*run].reason {
                let members = core.members.iter();
                steps.extend(members.flat_map(|it| [it.order.before, it.order.after]));
                steps.extend(core.implied.iter().flat_map(|it| [it.before, it.after]));
            }
        }
        let mut spots: Vec<Spot> =
            steps.into_iter().filter_map(|step| self.spots.spot(step).cloned()).collect();
        spots.sort();
        spots.dedup();
        spots
    }
}

/// From the first to the last of some spots, in the call that takes a lock; `None` if none is there.
fn around(lock: &Spot, spots: &[Spot]) -> Option<Stretch> {
    let (_, calls) = lock.path.split_last()?;
    let here = |spot: &&Spot| {
        (spot.role, spot.actor) == (lock.role, lock.actor) && spot.path.starts_with(calls)
    };
    let at_level = |spot: &Spot| {
        let path = spot.path.get(..=calls.len())?.to_vec();
        Some(Spot { path, ..spot.clone() })
    };
    let mut own: Vec<Spot> = spots.iter().filter(here).filter_map(at_level).collect();
    own.sort_by(|one, other| one.path.cmp(&other.path));
    let (first, last) = (own.first()?.clone(), own.last()?.clone());
    Some(Stretch { first, last, turns: false })
}
