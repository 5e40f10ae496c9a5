//! Candidates in the order in which they are tried, and what is tried after those.

use std::cell::RefCell;

use unravel_patch::Sources;
use unravel_program::Program;
use unravel_repair::plan::of_races;
use unravel_repair::{Judge, Plan, Verdict, plans};
use unravel_watch::Counts;

use super::during::During;
use super::reach::Before;
use super::realize::{Candidate, Unwritten, Writer};
use super::trial::Trial;
use super::verify::{self, Tried, Verified};
use super::{Bench, Workshop};
use crate::check::InternalFailure;
use crate::diagnose::diagnose_and_keep;

/// Patches that still fail and are gone on from.
const MOST_SECOND_TRIES: usize = 4;

/// Patches that are verified to find one that keeps more statements reached.
const MOST_REPLACEMENTS: usize = 8;

impl Workshop<'_> {
    /// Plans, the most promising first.
    fn plans(&self) -> Vec<Plan> {
        let graph = self.encoding.graph();
        let mut plans = plans(self.program, graph, &self.diagnosis, &self.causes, &self.covers);
        plans.extend(of_races(self.program, &self.spots, &self.diagnosis));
        plans
    }

    /// What a writer writes; what it refuses is noted.
    pub(super) fn written(
        &self,
        bench: &mut Bench<'_>,
        write: impl FnOnce(&Writer<'_>, &mut Vec<Unwritten>) -> Vec<Candidate>,
    ) -> Vec<Candidate> {
        let writer = Writer {
            program: self.program,
            graph: self.encoding.graph(),
            spots: &self.spots,
            sources: self.sources,
        };
        let mut unwritten: Vec<Unwritten> = Vec::new();
        let candidates = write(&writer, &mut unwritten);
        for Unwritten { kind, title, why } in unwritten {
            bench.refuse(kind, title, why);
        }
        candidates
    }

    /// What the formula says of a plan.
    fn judge(&mut self, plan: &Plan, bench: &mut Bench<'_>) -> Verdict {
        let mut judge = Judge { encoding: &mut self.encoding, spots: &self.spots };
        judge.judge(plan, &mut || bench.watch.check(&Counts::default()).is_some())
    }

    /// A plan that helps, without requirements that it helps without.
    fn lean(&mut self, plan: &Plan, bench: &mut Bench<'_>) -> Plan {
        let mut lean = plan.clone();
        for at in (0..plan.requirements.len()).rev() {
            let mut less = lean.clone();
            less.requirements.remove(at);
            if !less.requirements.is_empty() && self.judge(&less, bench) == Verdict::Helps {
                lean = less;
            }
        }
        lean
    }

    /// Candidates in the order in which they are tried, each handed to `try_out` as long as
    /// `is_wanted` says so. Plans that help by their order meaning come before those that seem not
    /// to: a failing run that keeps all orders of a plan may have steps beyond its end that a patch
    /// would not have.
    fn candidates(
        &mut self,
        bench: &mut Bench<'_>,
        is_wanted: &mut dyn FnMut(&mut Bench<'_>, &Candidate) -> bool,
        try_out: &mut dyn FnMut(&mut Bench<'_>, Candidate) -> Result<(), InternalFailure>,
    ) -> Result<(), InternalFailure> {
        let special = self.written(bench, |it, no| it.special(&self.diagnosis, &self.causes, no));
        let mut later = Vec::new();
        for candidate in special {
            try_out(bench, candidate)?;
        }
        for plan in self.plans() {
            if bench.is_stopped() {
                return Ok(());
            }
            let mut candidates = self.written(bench, |it, no| it.plan(&plan, no));
            candidates.retain(|candidate| is_wanted(bench, candidate));
            if candidates.is_empty() {
                continue;
            }
            if matches!(self.judge(&plan, bench), Verdict::StillFails | Verdict::Blocks) {
                later.extend(candidates);
                continue;
            }
            let lean = self.lean(&plan, bench);
            if lean != plan {
                candidates = self.written(bench, |it, no| it.plan(&lean, no));
            }
            for candidate in candidates {
                try_out(bench, candidate)?;
            }
        }
        for candidate in later {
            if bench.is_stopped() {
                return Ok(());
            }
            try_out(bench, candidate)?;
        }
        Ok(())
    }

    /// Tries candidates; if none holds, goes on from those that still fail.
    pub(super) fn first_level(
        &mut self,
        bench: &mut Bench<'_>,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let trial = Trial { program: self.program, options: self.options };
        let verified = RefCell::new(Vec::new());
        let mut failed: Vec<(Candidate, Program)> = Vec::new();
        let mut is_wanted = |bench: &mut Bench<'_>, candidate: &Candidate| {
            trial.is_wanted(bench, &verified.borrow(), candidate)
        };
        self.candidates(bench, &mut is_wanted, &mut |bench, candidate| {
            if !trial.takes(bench, &verified.borrow(), &candidate) {
                return Ok(());
            }
            match trial.run(bench, &candidate)? {
                Tried::Verified(it) => verified.borrow_mut().push(*it),
                Tried::StillFails { program, why } => {
                    bench.refuse(candidate.kind, candidate.title.clone(), why);
                    failed.push((candidate, *program));
                }
                Tried::Refused(why) => bench.refuse(candidate.kind, candidate.title, why),
            }
            Ok(())
        })?;
        let mut verified = verified.into_inner();
        for (candidate, program) in failed.into_iter().take(MOST_SECOND_TRIES) {
            if verified.is_empty() {
                verified.extend(self.second_level(bench, &candidate, &program)?);
            }
        }
        Ok(verified)
    }

    /// Repairs a patch that still fails, from its text.
    fn second_level(
        &self,
        bench: &mut Bench<'_>,
        first: &Candidate,
        patched: &Program,
    ) -> Result<Vec<Verified>, InternalFailure> {
        let mut watch = During(&mut *bench.watch);
        let diagnosed = diagnose_and_keep(patched, &self.options.check, &mut watch)?;
        let Some(learnt) = diagnosed.rest else { return Ok(Vec::new()) };
        let sources = Sources::parse(&patched.files);
        let options = self.options;
        let mut workshop = Workshop::new(patched, options, &sources, learnt, bench);
        let trial = Trial { program: self.program, options };
        let mut verified: Vec<Verified> = Vec::new();
        workshop.candidates(bench, &mut |_, _| true, &mut |bench, second| {
            let Some(both) = verify::stacked(self.program, patched, first, &second) else {
                return Ok(());
            };
            if trial.takes(bench, &verified, &both)
                && let Tried::Verified(it) = trial.run(bench, &both)?
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
        bench: &mut Bench<'_>,
        before: Option<&Before>,
        first: &[&'static str],
        verified: &mut Vec<Verified>,
    ) -> Result<(), InternalFailure> {
        let is_fine = |kind: &str| {
            let mut own = verified.iter().filter(|it| it.candidate.kind == kind);
            own.any(|it| it.unreachable.is_empty())
        };
        let kinds: Vec<&'static str> =
            first.iter().copied().filter(|kind| !is_fine(kind)).collect();
        if self.options.all || kinds.is_empty() {
            return Ok(());
        }
        let trial = Trial { program: self.program, options: self.options };
        let mut found: Vec<Verified> = Vec::new();
        let mut is_wanted = |_: &mut Bench<'_>, it: &Candidate| kinds.contains(&it.kind);
        self.candidates(bench, &mut is_wanted, &mut |bench, candidate| {
            let wanted = found.len() < MOST_REPLACEMENTS && kinds.contains(&candidate.kind);
            if wanted
                && trial.is_new(bench, &candidate)
                && let Tried::Verified(it) = trial.run(bench, &candidate)?
            {
                found.push(*it);
            }
            Ok(())
        })?;
        self.close_races(bench, &mut found)?;
        self.look_for_unreachable(bench, before, &mut found)?;
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
