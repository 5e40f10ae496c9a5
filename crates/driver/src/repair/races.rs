//! Races that a verified lock leaves: accesses of the repaired data beside its sections are guarded,
//! too, until no race is left.
//!
//! Which accesses, `check` with races says of the patched text. They join the plan as stretches of
//! their own, so that the change stays one lock and one text. Costs at most [`MOST_TRIES`] compiled
//! texts per repair, and nothing where no race is left. A race of other data is none of the repair's
//! business and stays, with a remark.

use unravel_repair::{Plan, Requirement, Spot, Stretch};
use unravel_report::model::Place;
use unravel_span::{Edit, Span, origin};

use super::realize::Candidate;
use super::trial::Trial;
use super::verify::{Tried, Verified};
use super::{Bench, Workshop};
use crate::check::InternalFailure;

/// Texts that are tried for one repair.
const MOST_TRIES: usize = 8;

impl Workshop<'_> {
    /// Replaces repairs that leave races by ones that leave none, where a lock does.
    pub(super) fn close_races(
        &self,
        bench: &mut Bench<'_>,
        verified: &mut [Verified],
    ) -> Result<(), InternalFailure> {
        for it in verified {
            if it.race_free == Some(false)
                && guards(&it.candidate)
                && let Some(better) = self.without_races(bench, it)?
            {
                *it = better;
            }
        }
        Ok(())
    }

    fn without_races(
        &self,
        bench: &mut Bench<'_>,
        it: &Verified,
    ) -> Result<Option<Verified>, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let mut latest: Option<Verified> = None;
        for _ in 0..MOST_TRIES {
            let Some(grown) = self.grown(latest.as_ref().unwrap_or(it)) else { return Ok(None) };
            let candidates = self.written(bench, |writer, no| writer.plan(&grown, no));
            let next =
                candidates.into_iter().find(|next| guards(next) && trial.is_new(bench, next));
            let Some(next) = next else { return Ok(None) };
            match trial.run(bench, &next)? {
                Tried::Verified(better) if better.race_free == Some(true) => {
                    return Ok(Some(*better));
                }
                Tried::Verified(better) if better.race_free == Some(false) => {
                    latest = Some(*better)
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The plan, and the racing accesses that it does not guard yet; `None` if there are none.
    fn grown(&self, it: &Verified) -> Option<Plan> {
        let mut plan = it.candidate.plan.clone()?;
        let stretches = plan.requirements.iter_mut().find_map(|it| match it {
            Requirement::Exclusive(stretches) => Some(stretches),
            Requirement::Before(_) => None,
        })?;
        let known = stretches.len();
        for spot in it.races.iter().flat_map(|place| self.in_original(it, place)) {
            if !self.is_inside(&spot, stretches) {
                stretches.push(Stretch { first: spot.clone(), last: spot, turns: false });
            }
        }
        (stretches.len() > known).then_some(plan)
    }

    /// Whether everything that is done at a spot is done in one of the stretches.
    fn is_inside(&self, spot: &Spot, stretches: &[Stretch]) -> bool {
        let instances: Vec<_> =
            stretches.iter().flat_map(|stretch| stretch.instances(&self.spots)).collect();
        self.spots.steps(spot).iter().all(|(thread, step)| {
            instances.iter().any(|(it, first, last)| it == thread && (first..=last).contains(&step))
        })
    }

    /// The spots of the original at a place of the patched text.
    fn in_original(&self, it: &Verified, place: &Place) -> Vec<Spot> {
        let path = it.patched.files.path(place.span.file);
        let own = |edit: &&Edit| self.program.files.path(edit.file) == path;
        let edits: Vec<Edit> = it.candidate.edits.iter().filter(own).cloned().collect();
        let offset = it.patched.files.offset(place.span);
        let Some(offset) = offset.and_then(|offset| origin(&edits, offset)) else {
            return Vec::new();
        };
        let is_there = |place: Span| {
            let files = &self.program.files;
            files.path(place.file) == path && files.offset(place) == Some(offset)
        };
        self.spots.all().filter(|spot| spot.place().is_some_and(is_there)).cloned().collect()
    }
}

/// Whether it is a lock, which more accesses can take.
fn guards(candidate: &Candidate) -> bool {
    ["mutex", "widen"].contains(&candidate.kind)
}
