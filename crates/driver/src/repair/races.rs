//! Races that a verified repair leaves on the data that it mends: a lock guards more accesses, an
//! order takes in more of both threads, until no race is left.
//!
//! Which accesses, `check` with races says of the patched text. They join the plan, so that the
//! change stays one text: stretches of their own under a lock (here), earlier waits, later signals
//! and further orders otherwise (`orders`). Costs at most [`MOST_TRIES`] compiled texts per repair,
//! and nothing where no race is left. A race of other data (`data`) is none of the repair's business
//! and stays, with a remark.

mod data;
mod orders;

use unravel_kinds::repair::WhyRefused;
use unravel_repair::{Plan, Requirement, Spot, Stretch};
use unravel_report::model::Place;
use unravel_span::{Edit, Span, origin};

use super::trial::Trial;
use super::verify::{Tried, Verified};
use super::{Progress, Repairer};
use crate::check::InternalFailure;

/// Texts that are tried for one repair.
const MOST_TRIES: usize = 8;

impl Repairer<'_> {
    /// Replaces repairs that leave races by ones that leave none, where that can be done. Those that
    /// leave one on the data that they mend are not offered beside one that leaves none.
    pub(super) fn close_races(
        &self,
        progress: &mut Progress<'_>,
        verified: &mut Vec<Verified>,
    ) -> Result<(), InternalFailure> {
        for it in verified.iter_mut() {
            if it.race_free == Some(false)
                && let Some(better) = self.without_races(progress, it)?
            {
                *it = better;
            }
            it.mends_racily = self.mends_racily(it);
        }
        if verified.iter().any(|it| it.race_free == Some(true)) {
            for it in verified.extract_if(.., |it| it.mends_racily) {
                progress.refuse(it.candidate.kind, it.candidate.changes, WhyRefused::LeavesRace);
            }
        }
        Ok(())
    }

    /// Depth first: what was verified but still leaves a race is gone on from.
    fn without_races(
        &self,
        progress: &mut Progress<'_>,
        it: &Verified,
    ) -> Result<Option<Verified>, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let mut plans = self.grown(it);
        let mut tries = 0;
        while let Some(plan) = plans.pop() {
            let mut candidates = self.for_plan(progress, &plan);
            candidates.retain(|next| next.is_alike(&it.candidate));
            for next in candidates {
                if tries == MOST_TRIES || !trial.is_new(progress, &next) {
                    continue;
                }
                tries += 1;
                match trial.run(progress, &next)? {
                    Tried::Verified(better) if better.race_free == Some(true) => {
                        return self.shortened(progress, *better).map(Some);
                    }
                    Tried::Verified(better) => plans.extend(self.grown(&better)),
                    _ => {}
                }
            }
        }
        Ok(None)
    }

    /// Without orders that the others imply: the one that was there first, mostly.
    fn shortened(
        &self,
        progress: &mut Progress<'_>,
        it: Verified,
    ) -> Result<Verified, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let mut best = it;
        let plan = best.candidate.plan.clone().filter(|it| !it.is_composite());
        let Some(mut plan) = plan else { return Ok(best) };
        for at in (0..plan.requirements.len()).rev() {
            let mut less = plan.clone();
            less.requirements.remove(at);
            let candidates = self.for_plan(progress, &less);
            let alike = candidates.into_iter().find(|next| next.is_alike(&best.candidate));
            if let Some(next) = alike
                && trial.is_new(progress, &next)
                && let Tried::Verified(shorter) = trial.run(progress, &next)?
                && shorter.race_free == Some(true)
            {
                (best, plan) = (*shorter, less);
            }
        }
        Ok(best)
    }

    /// The plan with what races taken in, in all ways that there are, the most promising last.
    fn grown(&self, it: &Verified) -> Vec<Plan> {
        let Some(plan) = &it.candidate.plan else { return Vec::new() };
        let is_lock = |it: &Requirement| matches!(it, Requirement::Exclusive(_));
        match plan.requirements.iter().any(is_lock) {
            true => self.guarded(plan, it).into_iter().collect(),
            false => self.ordered(plan, it),
        }
    }

    /// The plan, and the racing accesses that its first lock does not guard yet; `None` if there are
    /// none.
    fn guarded(&self, plan: &Plan, it: &Verified) -> Option<Plan> {
        let mut plan = plan.clone();
        let stretches = plan.requirements.iter_mut().find_map(|it| match it {
            Requirement::Exclusive(stretches) => Some(stretches),
            Requirement::Before(_) => None,
        })?;
        let known = stretches.len();
        for spot in it.races.iter().flatten().flat_map(|place| self.in_original(it, place)) {
            if !self.is_inside(&spot, stretches) {
                stretches.push(Stretch {
                    first: spot.clone(),
                    last: spot,
                    crosses_iterations: false,
                });
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
