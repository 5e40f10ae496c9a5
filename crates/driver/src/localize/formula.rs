//! The formula of a program whose values may be others, with bounds that hold the failing run.
//!
//! Where a loop's condition may be another no turn is certain, so the bounds of the search do not
//! do. They begin with one more than the failing run takes, which ends with its failure, and grow
//! until the unchanged program comes to none of them, and to none behind the check that fails.

use std::collections::BTreeSet;

use unravel_encode::{Encoding, Options, encode};
use unravel_events::{Bounds, LoopId, PointsTo, build_relaxed};
use unravel_interp::{Machine, Run, Violation};
use unravel_localize::{Marked, Stop, bounds_are_reached};
use unravel_report::model::Obstacle;
use unravel_schedule::given;
use unravel_solver::Lit;
use unravel_watch::{Counts, Phase, StopReason, Watch};

use crate::check::{CheckOptions, InternalFailure};

/// Turns up to which bounds are raised.
const MOST_TURNS: u32 = 64;

/// What became of the formula.
pub enum Built {
    /// It is there.
    Ready(Box<Encoding>),
    /// It is not, for this reason.
    No(Obstacle),
}

/// Builds the formula.
pub fn relaxed(
    marked: &Marked,
    options: &CheckOptions,
    (found, checks): (&Run<Violation>, &BTreeSet<usize>),
    watch: &mut dyn Watch,
    reason: &mut Option<StopReason>,
) -> Result<Built, InternalFailure> {
    let Some(points) = PointsTo::until(&marked.program, &options.alarm, u64::MAX) else {
        *reason = reason.take().or_else(|| watch.check(&Counts::default()));
        return Ok(Built::No(Obstacle::Stopped));
    };
    let mut bounds = Bounds::fixed(options.unwind.unwrap_or(1));
    let mut turns_known = false;
    loop {
        let Some(mut encoding) = encoding(marked, options, (&points, &bounds), watch, reason)
        else {
            return Ok(Built::No(Obstacle::Stopped));
        };
        if !turns_known {
            turns_known = true;
            let turns = turns(marked, options, found, &encoding)?;
            if turns > MOST_TURNS {
                return Ok(Built::No(Obstacle::ManyIterations(turns)));
            }
            if turns > 0 && options.unwind.is_none() {
                bounds = Bounds::fixed(turns + 1);
                continue;
            }
        }
        watch.phase(Phase::Solve);
        let reached = match bounds_are_reached(&mut encoding, checks, &mut stop(watch, reason)) {
            Ok(reached) => reached,
            Err(Stop::Stopped) => return Ok(Built::No(Obstacle::Stopped)),
            Err(Stop::Broken(why)) => return Err(InternalFailure::Broken(why)),
        };
        if options.unwind.is_some() || !raise(&mut bounds, &encoding, &reached) {
            return Ok(Built::Ready(Box::new(encoding)));
        }
    }
}

fn encoding(
    marked: &Marked,
    options: &CheckOptions,
    (points, bounds): (&PointsTo, &Bounds),
    watch: &mut dyn Watch,
    reason: &mut Option<StopReason>,
) -> Option<Encoding> {
    watch.phase(Phase::Build);
    let (program, table) = (&marked.program, &marked.table);
    let config = options.config();
    let graph = build_relaxed(program, &config, bounds, (points, table), &mut stop(watch, reason))?;
    watch.phase(Phase::Encode);
    let how = Options {
        properties: options.properties,
        solver: options.solver.clone(),
        alarm: options.alarm.clone(),
        #[cfg(feature = "mutants")]
        mutant: options.mutant,
    };
    encode(graph, &how, &mut stop(watch, reason))
}

/// How often the loops of the failing run turn.
fn turns(
    marked: &Marked,
    options: &CheckOptions,
    found: &Run<Violation>,
    encoding: &Encoding,
) -> Result<u32, InternalFailure> {
    let mut config = options.config();
    // Turns of loops are counted only below a bound.
    config.unwind = Some(u32::MAX);
    let machine = Machine::new(&marked.program, config);
    let given = given(&machine, encoding.graph(), &found.decisions);
    Ok(given.map_err(|it| InternalFailure::Broken(it.why))?.most_turns)
}

/// Raises the bounds that were reached. Whether one was.
fn raise(bounds: &mut Bounds, encoding: &Encoding, reached: &[Lit]) -> bool {
    let mut raised: Vec<(LoopId, u32)> = encoding
        .reached()
        .iter()
        .filter(|it| reached.contains(&it.lit))
        .filter_map(Encoding::loop_of)
        .filter(|(id, _)| *id != LoopId::Size && bounds.turns(*id) < MOST_TURNS)
        .collect();
    raised.sort_unstable();
    raised.dedup_by_key(|(id, _)| *id);
    for &(id, turns) in &raised {
        bounds.raise(id, turns);
    }
    !raised.is_empty()
}

/// Literals that, if true, leave every value as it is.
pub fn unchanged(encoding: &mut Encoding) -> Vec<Lit> {
    let alternatives = encoding.graph().alternatives.clone();
    alternatives.iter().map(|it| !encoding.holds(it.selector)).collect()
}

/// Asks a watch whether to stop, and keeps its reason.
pub fn stop<'a>(
    watch: &'a mut dyn Watch,
    reason: &'a mut Option<StopReason>,
) -> impl FnMut() -> bool + 'a {
    move || {
        *reason = reason.take().or_else(|| watch.check(&Counts::default()));
        reason.is_some()
    }
}
