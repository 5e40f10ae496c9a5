//! Which candidates are tried.

use unravel_patch::diff::diff;
use unravel_program::Program;
use unravel_realize::Candidate;
use unravel_watch::Phase;

use super::verify::{Tried, Verified, Verifier};
use super::{Progress, RepairOptions};
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
    pub fn is_wanted(
        &self,
        progress: &Progress<'_>,
        verified: &[Verified],
        it: &Candidate,
    ) -> bool {
        let kinds = &self.options.kinds;
        let asked = kinds.is_empty() || kinds.contains(&it.kind);
        // One without a plan cannot be grown until it leaves no race.
        let is_final = |it: &Verified| it.race_free == Some(true) || it.candidate.plan.is_some();
        let mut same = verified.iter().filter(|known| known.candidate.kind == it.kind);
        let known = same.any(is_final);
        let enough = !self.options.all && (known || progress.tried.len() >= MOST_TRIES);
        asked && !enough
    }

    /// Whether to try it: it is wanted, and was not tried before.
    pub fn takes(
        &self,
        progress: &mut Progress<'_>,
        verified: &[Verified],
        it: &Candidate,
    ) -> bool {
        self.is_wanted(progress, verified, it) && self.is_new(progress, it)
    }

    /// Whether its text was not tried before; from now on it was. Two changes may come to the same:
    /// a statement moved before a creation, and the creation moved behind the statement.
    pub fn is_new(&self, progress: &mut Progress<'_>, it: &Candidate) -> bool {
        let text = diff(&self.program.files, &it.edits);
        let text = text.unwrap_or_else(|| format!("{:?}", it.edits));
        if progress.is_stopped() || progress.tried.contains(&text) {
            return false;
        }
        progress.tried.push(text);
        let tried = progress.tried.len();
        progress.watch.progress(unravel_watch::Progress::Repairing { tried });
        true
    }

    pub fn run(
        &self,
        progress: &mut Progress<'_>,
        candidate: &Candidate,
    ) -> Result<Tried, InternalFailure> {
        let (program, options, phase) = (self.program, &self.options.check, progress.phase);
        let mut verifier = Verifier { program, options, phase };
        let tried = verifier.verify(candidate, &mut *progress.rebuild, &mut *progress.watch)?;
        if matches!(tried, Tried::Verified(_)) {
            progress.phase = Phase::Rank;
        }
        progress.watch.phase(progress.phase);
        Ok(tried)
    }
}
