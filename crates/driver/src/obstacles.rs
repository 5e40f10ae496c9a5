//! What is in the way of an answer, named before much work is done.
//!
//! A program that calls what nobody defines, or does what is not modelled, has no answer but
//! *inconclusive* where it gets there. The symbolic engine analyses the whole program before it says
//! so. The exploration only runs, and mostly comes to such a place at once: so for programs that have
//! one, it has a moment first. And a run stops at the first function that is missing: all others are
//! listed with it.

use unravel_interp::{Note, Notes};
use unravel_kinds::Unmodelled;
use unravel_program::Program;
use unravel_program::missing::{lacks_something, missing_functions};
use unravel_report::model::HandOver;
use unravel_watch::{StopReason, Stopped, Watch};

use crate::check::{CheckOptions, by_exploration};
use crate::search::Search;

/// States of the moment.
const STATES: usize = 2_000;

/// What the exploration came to in a moment.
pub enum Moment {
    /// Nothing is in the way, as far as it can be seen.
    Clear,
    /// It has seen everything, or a violation: no other engine knows more.
    Answer(Box<Search>),
    /// What it met on its way.
    Met(Notes),
}

/// Explores for a moment, if something in the program is not modelled.
pub fn explore_for_a_moment(
    program: &Program,
    options: &CheckOptions,
    watch: &mut dyn Watch,
) -> Moment {
    if options.all || !lacks_something(program) {
        return Moment::Clear;
    }
    let short = CheckOptions { states: STATES.min(options.states), ..options.clone() };
    let search = by_exploration(program, &short, usize::MAX, watch);
    let ended = search.stopped.is_none() && search.sampled.is_empty();
    let is_cut = search.notes.iter().any(|it| matches!(it, Note::Bound { .. }));
    if !search.found.is_empty() || ended && !is_cut {
        return Moment::Answer(Box::new(search));
    }
    let is_met = |it: &Note| matches!(it, Note::Unsupported { .. });
    Moment::Met(search.notes.into_iter().filter(is_met).collect())
}

/// Why the symbolic engine was not asked, if what was explored in a moment is the answer.
pub fn handed_over(search: &Search) -> HandOver {
    let unmodelled = search.notes.iter().find_map(|it| match it {
        Note::Unsupported { what, .. } => Some(what.clone()),
        _ => None,
    });
    unmodelled.map_or(HandOver::HardQuestion, HandOver::Unmodelled)
}

/// A search that the user's limits ended knows what was met before.
pub fn remember(search: &mut Search, met: Notes) {
    let limit = match search.stopped {
        Some(Stopped::Asked(reason)) => !matches!(reason, StopReason::Work(_)),
        _ => false,
    };
    if limit && search.found.is_empty() {
        search.notes.extend(met);
    }
}

/// Lists all functions that are missing beside one that was met.
pub fn list_missing(program: &Program, notes: &mut Notes) {
    let mut known = Vec::new();
    for note in notes.iter() {
        if let Note::Unsupported { what: Unmodelled::MissingFunction(name), .. } = note {
            known.push(name.clone());
        }
    }
    if known.is_empty() {
        return;
    }
    let missing = missing_functions(program).into_iter();
    for (name, site) in missing.filter(|(name, _)| !known.contains(name)) {
        notes.insert(Note::Unsupported { site, what: Unmodelled::MissingFunction(name) });
    }
}
