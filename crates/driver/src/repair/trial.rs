//! Which candidates are tried.

use unravel_patch::diff::diff;
use unravel_program::Program;
use unravel_watch::Phase;

use super::realize::Candidate;
use super::verify::{Tried, Verified, Verifier};
use super::{Bench, RepairOptions};
use crate::check::InternalFailure;

/// Patches that are compiled and checked, unless all are wanted.
const MOST_TRIES: usize = 40;

/// Candidates for a program.
pub struct Trial<'a> {
    pub program: &'a Program,
    pub options: &'a RepairOptions,
}

impl Trial<'_> {
    /// Whether one of its kind is still looked for.
    pub fn is_wanted(&self, bench: &Bench<'_>, verified: &[Verified], it: &Candidate) -> bool {
        let kinds = &self.options.kinds;
        let asked = kinds.is_empty() || kinds.iter().any(|kind| kind == it.kind);
        // One without a plan cannot be grown until it leaves no race.
        let is_final = |it: &Verified| it.race_free == Some(true) || it.candidate.plan.is_some();
        let mut same = verified.iter().filter(|known| known.candidate.kind == it.kind);
        let known = same.any(is_final);
        let enough = !self.options.all && (known || bench.tried.len() >= MOST_TRIES);
        asked && !enough
    }

    /// Whether to try it: it is wanted, and was not tried before.
    pub fn takes(&self, bench: &mut Bench<'_>, verified: &[Verified], it: &Candidate) -> bool {
        self.is_wanted(bench, verified, it) && self.is_new(bench, it)
    }

    /// Whether its text was not tried before; from now on it was. Two changes may come to the same:
    /// a statement moved before a creation, and the creation moved behind the statement.
    pub fn is_new(&self, bench: &mut Bench<'_>, it: &Candidate) -> bool {
        let text = diff(&self.program.files, &it.edits);
        let text = text.unwrap_or_else(|| format!("{:?}", it.edits));
        if bench.is_stopped() || bench.tried.contains(&text) {
            return false;
        }
        bench.tried.push(text);
        true
    }

    pub fn run(
        &self,
        bench: &mut Bench<'_>,
        candidate: &Candidate,
    ) -> Result<Tried, InternalFailure> {
        let (program, options, phase) = (self.program, &self.options.check, bench.phase);
        let mut verifier = Verifier { program, options, phase };
        let tried = verifier.verify(candidate, &mut *bench.rebuild, &mut *bench.watch)?;
        if matches!(tried, Tried::Verified(_)) {
            bench.phase = Phase::Rank;
        }
        bench.watch.phase(bench.phase);
        Ok(tried)
    }
}
