//! Whether the bounds are wide enough to look for corrections.

use std::collections::BTreeSet;

use unravel_encode::Encoding;
use unravel_solver::{Lit, Outcome};

use crate::correction::Stop;

/// Whether the unchanged program may come to a bound: then runs are cut that the search should see.
/// A check that fails is taken to pass, since a correction goes on behind it. Gives the literals of
/// the bounds that are reached.
pub fn bounds_are_reached(
    encoding: &mut Encoding,
    checks: &BTreeSet<usize>,
    stop: &mut dyn FnMut() -> bool,
) -> Result<Vec<Lit>, Stop> {
    let alternatives = encoding.graph().alternatives.clone();
    let fixed = alternatives.iter().filter(|it| !checks.contains(&it.mark));
    let unchanged: Vec<Lit> = fixed.map(|it| !encoding.holds(it.selector)).collect();
    let bounds: Vec<Lit> = encoding
        .reached()
        .iter()
        .filter(|it| Encoding::loop_of(it).is_some())
        .map(|it| it.lit)
        .collect();
    let mut found = Vec::new();
    for bound in bounds {
        let mut assumptions = unchanged.clone();
        assumptions.push(bound);
        match encoding.assume(&assumptions, stop) {
            Outcome::Sat(_) => found.push(bound),
            Outcome::Unsat(_) => {}
            Outcome::Stopped => return Err(Stop::Stopped),
            Outcome::Broken(why) => return Err(Stop::Broken(why)),
        }
    }
    Ok(found)
}
