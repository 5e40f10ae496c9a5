//! Failing runs together with the formula that they were found on.
//!
//! Commands that explain a failure ask that formula further questions. Where the symbolic engine
//! takes long, or does not know something, the exploration says first whether anything fails at all:
//! a safe program costs no more than `check` does.

use unravel_encode::Encoding;
use unravel_program::Program;
use unravel_report::model::HandOver;
use unravel_watch::Watch;

use crate::check::{CheckOptions, Checked, InternalFailure, check};
use crate::obstacles::{Moment, explore_for_a_moment, handed_over};
use crate::search::Search;
use crate::symbolic::{Depth, Patience, WithFormula, search_with_formula};

/// What a search for failing runs came to.
pub enum FailureSearch {
    /// Some run fails.
    Found(Search, Box<Encoding>),
    /// What `check` says, and why the symbolic engine does not know.
    Elsewhere(Box<Checked>, HandOver),
    /// None was found, as far as the search went.
    None(Search),
}

/// Searches for failing runs of a valid program.
///
/// # Errors
/// A model that is no run, or a solver that contradicts itself.
pub fn search_failing(
    program: &Program,
    options: &CheckOptions,
    depth: Depth,
    watch: &mut dyn Watch,
) -> Result<FailureSearch, InternalFailure> {
    if options.hand_over
        && let Moment::Answer(search) = explore_for_a_moment(program, options, watch)
        && search.found.is_empty()
    {
        let why = handed_over(&search);
        return Ok(FailureSearch::Elsewhere(Box::new(check(program, options, watch)?), why));
    }
    let searched = search_with_formula(program, options, Patience::Brief, depth, watch)?;
    match failing(searched) {
        FailureSearch::None(Search { handed_over: Some((_, what)), .. }) if options.hand_over => {
            let soon = CheckOptions { soon: true, ..options.clone() };
            let checked = check(program, &soon, watch)?;
            if !checked.report.findings.is_empty() {
                let searched = search_with_formula(program, options, Patience::Long, depth, watch)?;
                if let found @ FailureSearch::Found(..) = failing(searched) {
                    return Ok(found);
                }
            }
            Ok(FailureSearch::Elsewhere(Box::new(checked), what))
        }
        found => Ok(found),
    }
}

fn failing(WithFormula { search, encoding }: WithFormula) -> FailureSearch {
    match encoding {
        Some(encoding) if !search.found.is_empty() => {
            FailureSearch::Found(search, Box::new(encoding))
        }
        _ => FailureSearch::None(search),
    }
}
