//! Cells: the pieces of objects that accesses agree on.
//!
//! Every object is cut at the boundaries of all accesses to it, and an access that covers several
//! cells is one event per cell. So unions, `memcpy` and half-overlapping accesses are no special
//! case. An access with a symbolic address is cut alike wherever it may go.

use std::collections::{BTreeMap, BTreeSet};

use unravel_events::{Access, EventGraph, ObjectId, Space, offsets::candidates};
use unravel_watch::Alarm;

/// A cell: an object and the offset of the piece.
pub type Cell = (ObjectId, u64);

/// An access cut into parts.
#[derive(Clone, Debug)]
pub struct Cut {
    /// Where it may go.
    pub places: Vec<Cell>,
    /// Offset and size of each part, relative to the place.
    pub parts: Vec<(u64, u64)>,
}

/// An access that may go to too many places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// Its index in the graph.
    pub access: usize,
}

/// Cuts all accesses to data; the state of a synchronization object is never cut.
///
/// # Errors
/// The first access that may go to too many places.
pub fn cut(graph: &mut EventGraph, alarm: &Alarm) -> Result<Vec<Option<Cut>>, TooMany> {
    let mut cuts = Vec::with_capacity(graph.accesses.len());
    for index in alarm.until(0..graph.accesses.len()) {
        let access = graph.accesses[index].clone();
        let places = match access.space {
            Space::Data | Space::Sync => {
                Some(places(graph, &access).ok_or(TooMany { access: index })?)
            }
            Space::Life => None,
        };
        cuts.push(places);
    }
    let boundaries = boundaries(graph, &cuts, alarm);
    let parts = |(access, places): (&Access, Option<Vec<Cell>>)| {
        let places = places?;
        let mut relative: BTreeSet<u64> = BTreeSet::from([0, access.bytes]);
        let is_data = access.space == Space::Data;
        if let Some(&(object, start)) = places.first().filter(|_| is_data) {
            relative.extend(inside(&boundaries, object, start, access.bytes));
        }
        let relative: Vec<u64> = relative.into_iter().collect();
        let parts = relative.windows(2).map(|pair| (pair[0], pair[1] - pair[0])).collect();
        Some(Cut { places, parts })
    };
    Ok(alarm.until(graph.accesses.iter().zip(cuts)).map(parts).collect())
}

fn places(graph: &mut EventGraph, access: &Access) -> Option<Vec<Cell>> {
    let mut places = Vec::new();
    for id in graph.candidates(&access.may) {
        let (base, size, target) = {
            let object = graph.objects.get(id);
            (object.base, object.size, object.target)
        };
        let width = graph.terms.width(access.address.bits);
        let base = graph.terms.constant(width, u128::from(base));
        let offset = graph.terms.sub(access.address.bits, base);
        let mut offsets = candidates(&graph.terms, offset, access.bytes, size)?;
        if let Some(stride) = access.may.stride(target) {
            offsets.retain(|&offset| stride.contains(offset));
        }
        places.extend(offsets.into_iter().map(|offset| (id, offset)));
    }
    Some(places)
}

type Boundaries = BTreeMap<ObjectId, BTreeSet<u64>>;

fn inside(boundaries: &Boundaries, object: ObjectId, start: u64, bytes: u64) -> Vec<u64> {
    let found = boundaries.get(&object).into_iter();
    let found = found.flat_map(|set| set.range(start + 1..(start + bytes).max(start + 1)));
    found.map(|at| at - start).collect()
}

/// All boundaries, such that an access is cut alike wherever it may go.
fn boundaries(graph: &EventGraph, cuts: &[Option<Vec<Cell>>], alarm: &Alarm) -> Boundaries {
    let mut boundaries = Boundaries::new();
    let data = || graph.accesses.iter().zip(cuts).filter(|(it, _)| it.space == Space::Data);
    for (access, places) in alarm.until(data()) {
        for &(object, start) in places.iter().flatten() {
            boundaries.entry(object).or_default().extend([start, start + access.bytes]);
        }
    }
    loop {
        let mut changed = false;
        for (access, places) in alarm.until(data()) {
            let Some(places) = places.as_ref().filter(|places| places.len() > 1) else { continue };
            let mut relative = BTreeSet::new();
            for &(object, start) in places {
                relative.extend(inside(&boundaries, object, start, access.bytes));
            }
            if relative.is_empty() {
                continue;
            }
            for &(object, start) in places {
                let set = boundaries.entry(object).or_default();
                for at in &relative {
                    changed |= set.insert(start + at);
                }
            }
        }
        if !changed {
            return boundaries;
        }
    }
}
