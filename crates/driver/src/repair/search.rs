//! Candidates in the order in which they are tried, and what is tried after those.

use std::cell::RefCell;

use unravel_kinds::RepairKind;
use unravel_kinds::repair::{Changes, WhyRefused};
use unravel_patch::Sources;
use unravel_program::Program;
use unravel_realize::{Candidate, Context, Unwritten, bare_plans, for_diagnosis, for_plan};
use unravel_repair::plan::of_races;
use unravel_repair::{Judge, Plan, Verdict, plans};
use unravel_watch::Counts;

use super::reach::Before;
use super::trial::Trial;
use super::verify::{Tried, Verified};
use super::watches::SamePhase;
use super::{Progress, Repairer};
use crate::check::InternalFailure;
use crate::diagnose::diagnose_and_keep;

/// Patches that still fail and are gone on from.
const MOST_SECOND_TRIES: usize = 4;

/// Patches that are verified to find one that keeps more statements reached.
const MOST_REPLACEMENTS: usize = 8;

impl Repairer<'_> {
    /// Plans, the most promising first.
    fn plans(&self) -> Vec<Plan> {
        let graph = self.encoding.graph();
        let mut plans = plans(self.program, graph, &self.diagnosis, &self.causes, &self.covers);
        plans.extend(of_races(self.program, &self.spots, &self.diagnosis));
        plans
    }

    /// The candidates that carry out a plan.
    pub(super) fn for_plan(&self, progress: &mut Progress<'_>, plan: &Plan) -> Vec<Candidate> {
        self.realized(progress, |context, unwritten| for_plan(context, plan, unwritten))
    }

    /// The candidates that take a lock of the program where only some accesses do without it.
    fn bare(&self, progress: &mut Progress<'_>) -> Vec<Candidate> {
        let plans = bare_plans(&self.context());
        let all = plans.iter().flat_map(|plan| self.for_plan(progress, plan));
        all.filter(|it| !it.guards_with_new_mutex()).collect()
    }

    /// The candidates that a handler makes; changes that cannot be written are noted as refused.
    fn realized(
        &self,
        progress: &mut Progress<'_>,
        realize: impl FnOnce(&Context<'_>, &mut Vec<Unwritten>) -> Vec<Candidate>,
    ) -> Vec<Candidate> {
        let mut unwritten: Vec<Unwritten> = Vec::new();
        let candidates = realize(&self.context(), &mut unwritten);
        for Unwritten { change, why } in unwritten {
            let why = WhyRefused::NotWritten(why.why);
            progress.refuse(change.kind(), Changes::of(vec![change]), why);
        }
        candidates
    }

    /// What the formula says of a plan.
    fn judge(&mut self, plan: &Plan, progress: &mut Progress<'_>) -> Verdict {
        let mut judge = Judge { encoding: &mut self.encoding, spots: &self.spots };
        judge.judge(plan, &mut || progress.watch.check(&Counts::default()).is_some())
    }

    /// The plan without the requirements that it does not need to help.
    fn shortest(&mut self, plan: &Plan, progress: &mut Progress<'_>) -> Plan {
        let mut shortest = plan.clone();
        for at in (0..plan.requirements.len()).rev() {
            let mut less = shortest.clone();
            less.requirements.remove(at);
            if !less.requirements.is_empty() && self.judge(&less, progress) == Verdict::Helps {
                shortest = less;
            }
        }
        shortest
    }

    /// Candidates in the order in which they are tried, each handed to `try_out` as long as
    /// `is_wanted` says so. Plans that help by their order meaning come before those that seem not
    /// to: a failing run that keeps all orders of a plan may have steps beyond its end that a patch
    /// would not have.
    fn candidates(
        &mut self,
        progress: &mut Progress<'_>,
        is_wanted: &mut dyn FnMut(&mut Progress<'_>, &Candidate) -> bool,
        try_out: &mut dyn FnMut(&mut Progress<'_>, Candidate) -> Result<(), InternalFailure>,
    ) -> Result<(), InternalFailure> {
        let unplanned = self.realized(progress, |context, unwritten| {
            for_diagnosis(context, &self.diagnosis, &self.causes, unwritten)
        });
        let mut later = Vec::new();
        for candidate in unplanned {
            try_out(progress, candidate)?;
        }
        for candidate in self.bare(progress) {
            try_out(progress, candidate)?;
        }
        for plan in self.plans() {
            if progress.is_stopped() {
                return Ok(());
            }
            let mut candidates = self.for_plan(progress, &plan);
            candidates.retain(|candidate| is_wanted(progress, candidate));
            if candidates.is_empty() {
                continue;
            }
            if matches!(self.judge(&plan, progress), Verdict::StillFails | Verdict::Blocks) {
                later.extend(candidates);
                continue;
            }
            let shortest = self.shortest(&plan, progress);
            if shortest != plan {
                candidates = self.for_plan(progress, &shortest);
            }
            for candidate in candidates {
                try_out(progress, candidate)?;
            }
        }
        for candidate in later {
            if progress.is_stopped() {
                return Ok(());
            }
            try_out(progress, candidate)?;
        }
        Ok(())
    }

    /// Tries candidates; if none holds, goes on from those that still fail.
    pub(super) fn first_level(
        &mut self,
        progress: &mut Progress<'_>,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let verified = RefCell::new(Vec::new());
        let mut failed: Vec<(Candidate, Program)> = Vec::new();
        let mut is_wanted = |progress: &mut Progress<'_>, candidate: &Candidate| {
            trial.is_wanted(progress, &verified.borrow(), candidate)
        };
        self.candidates(progress, &mut is_wanted, &mut |progress, candidate| {
            if !trial.takes(progress, &verified.borrow(), &candidate) {
                return Ok(());
            }
            match trial.run(progress, &candidate)? {
                Tried::Verified(it) => verified.borrow_mut().push(*it),
                Tried::StillFails { program, why } => {
                    progress.refuse(candidate.kind, candidate.changes.clone(), why);
                    failed.push((candidate, *program));
                }
                Tried::Refused(why) => progress.refuse(candidate.kind, candidate.changes, why),
            }
            Ok(())
        })?;
        let mut verified = verified.into_inner();
        for (candidate, program) in failed.into_iter().take(MOST_SECOND_TRIES) {
            if verified.is_empty() {
                verified.extend(self.second_level(progress, &candidate, &program)?);
            }
        }
        Ok(verified)
    }

    /// Repairs a patch that still fails, from its text.
    fn second_level(
        &self,
        progress: &mut Progress<'_>,
        first: &Candidate,
        patched: &Program,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let mut watch = SamePhase(&mut *progress.watch);
        let diagnosed = diagnose_and_keep(patched.into(), &self.options.check, &mut watch)?;
        let Some(learnt) = diagnosed.rest else { return Ok(Vec::new()) };
        let sources = Sources::parse(&patched.files);
        let options = self.options;
        let mut repairer = Repairer::new(patched, options, &sources, learnt, progress);
        let trial = Trial { program: self.program, options };
        let mut verified: Vec<Verified> = Vec::new();
        repairer.candidates(progress, &mut |_, _| true, &mut |progress, second| {
            let Some(both) = first.then(self.program, patched, &second) else {
                return Ok(());
            };
            if trial.takes(progress, &verified, &both)
                && let Tried::Verified(it) = trial.run(progress, &both)?
            {
                verified.push(*it);
            }
            Ok(())
        })?;
        Ok(verified)
    }

    /// Of a kind of which only a repair is known that makes statements unreachable, or only one that
    /// never ends, looks for a better one. `first`: the kinds that were verified.
    pub(super) fn replace_lossy(
        &mut self,
        progress: &mut Progress<'_>,
        before: Option<&Before>,
        first: &[RepairKind],
        verified: &mut Vec<Verified>,
    ) -> Result<(), InternalFailure> {
        let is_fine = |kind: RepairKind| {
            let mut own = verified.iter().filter(|it| it.candidate.kind == kind);
            own.any(|it| it.unreachable.is_empty())
        };
        let kinds: Vec<RepairKind> = first.iter().copied().filter(|&kind| !is_fine(kind)).collect();
        if self.options.all || kinds.is_empty() {
            return Ok(());
        }
        let trial = Trial { program: self.program, options: self.options };
        let mut found: Vec<Verified> = Vec::new();
        let mut is_wanted = |_: &mut Progress<'_>, it: &Candidate| kinds.contains(&it.kind);
        self.candidates(progress, &mut is_wanted, &mut |progress, candidate| {
            let wanted = found.len() < MOST_REPLACEMENTS && kinds.contains(&candidate.kind);
            if wanted
                && trial.is_new(progress, &candidate)
                && let Tried::Verified(it) = trial.run(progress, &candidate)?
            {
                found.push(*it);
            }
            Ok(())
        })?;
        self.close_races(progress, &mut found)?;
        self.look_for_unreachable(progress, before, &mut found)?;
        let race_free = verified.iter().any(|it| it.race_free == Some(true));
        found.retain(|it| !(race_free && it.mends_racily));
        for it in found {
            let same = |known: &&mut Verified| known.candidate.kind == it.candidate.kind;
            match verified.iter_mut().find(same) {
                None => verified.push(it),
                Some(known) if known.unreachable.len() > it.unreachable.len() => *known = it,
                Some(_) => {}
            }
        }
        Ok(())
    }
}
