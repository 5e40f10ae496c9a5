//! When a diagnosis has not come to anything new for long.
//!
//! Failing runs of many equal threads have many cores and few causes. The search for more of them ends
//! where it went on for long without a new cause; the diagnosis is not complete then, and says so.

use unravel_program::Program;

use crate::core::Questions;
use crate::{Diagnosis, causes};

/// Looks of the solver at its watch without a new cause after which the search ends: some seconds.
const MOST_LOOKS: u64 = 300_000;

/// How many causes there were, and the work until then.
#[derive(Default)]
pub(crate) struct Quiet {
    runs: usize,
    causes: usize,
    looks: u64,
}

impl Quiet {
    /// Whether the search has found nothing but what is known, for long.
    pub fn is_long(
        &mut self,
        program: &Program,
        questions: &Questions<'_>,
        diagnosis: &Diagnosis,
    ) -> bool {
        if diagnosis.runs.len() > self.runs {
            self.runs = diagnosis.runs.len();
            let runs: Vec<usize> = (0..self.runs).collect();
            let count = causes(program, questions.encoding.graph(), diagnosis, &runs).len();
            if count > self.causes {
                self.causes = count;
                self.looks = questions.looks;
            }
        }
        self.causes > 0 && questions.looks - self.looks > MOST_LOOKS
    }
}
