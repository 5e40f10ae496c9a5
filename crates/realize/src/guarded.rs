//! Code under a lock: which statements the lock holds, and which lock it is.
//!
//! The kinds `mutex` and `widen` share this. A lock that the program has may already be held in a part
//! of the code; then its section is made longer, which is a `widen`. Otherwise the code gets critical
//! sections of its own, which is a `mutex`.

use unravel_kinds::repair::{Code, Cost};
use unravel_patch::around::outermost_loop;
use unravel_patch::guard::{Guarded, Mutex, guard};
use unravel_patch::{Edit, Refusal, Region};
use unravel_repair::Stretch;

use crate::attempt::Written;
use crate::{Context, mutexes};

/// How many calls further out a region is tried, at most, where the function that has both ends of a
/// stretch cannot take the lock.
const MOST_LEVELS: usize = 3;

/// Stretches of code with a lock around them.
#[derive(Clone, Debug)]
pub struct GuardedCode {
    /// The code, each part once.
    pub what: Vec<Code>,
    /// The lock.
    pub mutex: Mutex,
    /// The text with the lock, or why it cannot be written.
    pub outcome: Result<Guarded, Refusal>,
}

impl GuardedCode {
    /// Puts a lock around regions, which belong to stretches.
    #[must_use]
    pub fn new(
        context: &Context<'_>,
        stretches: &[Stretch],
        regions: &[Region],
        mutex: Mutex,
    ) -> GuardedCode {
        let what = context.stretches(stretches);
        let outcome = guard(context.sources, regions, &mutex);
        GuardedCode { what, mutex, outcome }
    }

    /// Whether a critical section that exists was made longer.
    #[must_use]
    pub fn is_widened(&self) -> bool {
        let is_new = matches!(self.mutex, Mutex::New { .. });
        !is_new && self.outcome.as_ref().is_ok_and(|it| it.widened)
    }

    /// The edits with their cost.
    pub(crate) fn written(&self) -> Result<Written, Refusal> {
        let new_mutex = matches!(self.mutex, Mutex::New { .. });
        self.outcome.clone().map(|Guarded { edits, sections, statements, .. }| Written {
            edits,
            cost: Cost::Sections { new_mutex, sections, statements },
        })
    }

    /// The edits, if they are written.
    pub(crate) fn edits(&self) -> Option<&[Edit]> {
        self.outcome.as_ref().ok().map(|it| it.edits.as_slice())
    }
}

/// All locks for all regions that have the stretches: mutexes that the program has, then a new one.
pub(crate) fn all(context: &Context<'_>, stretches: &[Stretch], ordinal: &str) -> Vec<GuardedCode> {
    let mut mutexes = mutexes::existing(context, stretches);
    mutexes.push(Mutex::New { name: context.mutex_name(stretches, ordinal) });
    let mut found = Vec::new();
    for regions in regions(context, stretches) {
        let guarded = |mutex: &Mutex| GuardedCode::new(context, stretches, &regions, mutex.clone());
        found.extend(mutexes.iter().map(guarded));
    }
    found
}

/// The regions of stretches: in the function that has both ends, then where that is called.
pub(crate) fn regions(context: &Context<'_>, stretches: &[Stretch]) -> Vec<Vec<Region>> {
    let mut all: Vec<Vec<Region>> = Vec::new();
    for up in 0..MOST_LEVELS {
        let mut regions: Vec<Region> =
            stretches.iter().filter_map(|it| region(context, it, up)).collect();
        let is_complete = regions.len() == stretches.len();
        regions.sort();
        regions.dedup();
        if is_complete && !all.contains(&regions) {
            all.push(regions);
        }
    }
    all
}

/// The region of a stretch, `up` calls further out where there are as many.
fn region(context: &Context<'_>, stretch: &Stretch, up: usize) -> Option<Region> {
    let (depth, first, last) = stretch.ends()?;
    let region = match up.min(depth) {
        0 => Region { first, last },
        up => {
            let call = stretch.first.path[depth - up];
            Region { first: call, last: call }
        }
    };
    if !stretch.crosses_iterations || up > 0 && depth > 0 {
        return Some(region);
    }
    let whole = outermost_loop(context.sources, region.first);
    Some(whole.map_or(region, |at| Region { first: at, last: at }))
}
