//! How far a run is from the failing one: step by step, and once more by definition.
//!
//! The definitions are those of `unravel_compare`: flipped branches, then data flows, segments and
//! context switches that the failing run has and the other one has not. Nothing counts that
//! concerns a step that only one of them executes.

use std::collections::{BTreeMap, BTreeSet};

use super::watch::{Access, Branch, Happening, Instant};

/// How far two runs are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cost {
    pub flips: usize,
    /// Which branches: the farther from the failure, the higher the bit.
    pub which: u128,
    pub flows: usize,
    pub segments: usize,
    pub switches: usize,
}

/// What is to be small, the most important first.
pub type Rank = (usize, u128, [usize; 3]);

impl Cost {
    /// What is to be small, the most important first.
    pub fn by(self, equal_weights: bool) -> Rank {
        let Cost { flips, which, flows, segments, switches } = self;
        if equal_weights {
            return (flips, which, [flows + segments + switches, 0, 0]);
        }
        (flips, which, [flows, segments, switches])
    }

    fn plus(self, other: Cost) -> Cost {
        Cost {
            flips: self.flips + other.flips,
            which: self.which | other.which,
            flows: self.flows + other.flows,
            segments: self.segments + other.segments,
            switches: self.switches + other.switches,
        }
    }
}

/// The failing run.
pub struct Failing {
    /// Its operations, in order.
    pub steps: Vec<usize>,
    /// Per operation, its thread.
    pub threads: Vec<u32>,
    /// What its reads see.
    pub flows: BTreeMap<Access, Option<Access>>,
    /// What its branches depend on, each with its bit: the farthest from the failure first.
    pub branches: BTreeMap<Instant, (u128, u128)>,
    /// Per operation, its place and the number of its segment.
    places: BTreeMap<usize, (usize, usize)>,
}

impl Failing {
    pub fn new(
        steps: Vec<usize>,
        threads: Vec<u32>,
        flows: BTreeMap<Access, Option<Access>>,
        branches: &[(Instant, u128)],
    ) -> Failing {
        let bits = branches.iter().zip((0..u128::BITS).rev());
        let branches = bits.map(|(&(at, value), bit)| (at, (value, 1 << bit))).collect();
        let mut places = BTreeMap::new();
        let segments = steps.chunk_by(|a, b| threads[*a] == threads[*b]);
        for (number, segment) in segments.enumerate() {
            for &step in segment {
                places.insert(step, (places.len(), number));
            }
        }
        Failing { steps, threads, flows, branches, places }
    }

    /// Whether it executes a step.
    pub fn has(&self, step: usize) -> bool {
        self.places.contains_key(&step)
    }

    /// The bit of a branch that goes another way.
    fn flipped(&self, branch: Branch) -> u128 {
        let expected = self.branches.get(&branch.at);
        expected.filter(|it| it.0 != branch.value).map_or(0, |it| it.1)
    }

    fn segment(&self, step: usize) -> Option<usize> {
        self.places.get(&step).map(|it| it.1)
    }

    /// The steps before and after one.
    fn neighbours(&self, step: usize) -> (Option<usize>, Option<usize>) {
        let Some(&(place, _)) = self.places.get(&step) else { return (None, None) };
        let at = |index: Option<usize>| index.and_then(|it| self.steps.get(it).copied());
        let other = |it: &usize| self.threads[*it] != self.threads[step];
        (at(place.checked_sub(1)).filter(other), at(Some(place + 1)).filter(other))
    }
}

/// What is known of a run so far, as far as its cost depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Operations of the failing run that were executed.
    executed: BTreeSet<usize>,
    /// The last of them, of all threads and of each.
    last: Option<usize>,
    lasts: BTreeMap<u32, usize>,
    /// Threads whose current segment was interrupted.
    broken: BTreeSet<u32>,
    /// Reads that see another write, while the one of the failing run is not executed yet.
    missed: BTreeSet<Access>,
}

impl Progress {
    /// Goes on, and says what it costs.
    pub fn advance(&mut self, failing: &Failing, happening: Happening) -> Cost {
        let mut cost = Cost::default();
        match happening {
            Happening::Step(step) => {
                if failing.has(step) && !self.executed.contains(&step) {
                    cost = self.step(failing, step);
                }
            }
            Happening::Read(read, source) => match failing.flows.get(&read) {
                Some(expected) if *expected != source => {
                    if expected.is_none_or(|write| self.executed.contains(&write.0)) {
                        cost.flows = 1;
                    } else {
                        self.missed.insert(read);
                    }
                }
                _ => {}
            },
            Happening::Branch(it) => {
                let flipped = failing.flipped(it);
                (cost.flips, cost.which) = (flipped.count_ones() as usize, flipped);
            }
        }
        cost
    }

    fn step(&mut self, failing: &Failing, step: usize) -> Cost {
        let mut cost = Cost::default();
        let thread = failing.threads[step];
        let before = self.lasts.get(&thread).copied();
        let same = before.is_some_and(|it| failing.segment(it) == failing.segment(step));
        if !same {
            self.broken.remove(&thread);
        } else if self.last != before && self.broken.insert(thread) {
            cost.segments = 1;
        }
        let (previous, next) = failing.neighbours(step);
        let is_moved =
            previous.is_some_and(|it| self.executed.contains(&it) && self.last != previous);
        let is_behind = next.is_some_and(|it| self.executed.contains(&it));
        cost.switches = usize::from(is_moved) + usize::from(is_behind);
        let source = |read: &Access| failing.flows.get(read).copied().flatten();
        let missed = self.missed.len();
        self.missed.retain(|read| source(read).is_none_or(|write| write.0 != step));
        cost.flows = missed - self.missed.len();
        self.executed.insert(step);
        self.last = Some(step);
        self.lasts.insert(thread, step);
        cost
    }
}

/// What all this costs, step by step.
pub fn advanced(
    failing: &Failing,
    progress: &mut Progress,
    happenings: &[Happening],
    cost: Cost,
) -> Cost {
    happenings.iter().fold(cost, |cost, &it| cost.plus(progress.advance(failing, it)))
}

/// How far a whole run is from the failing one, by definition.
pub fn distance(failing: &Failing, run: &[Happening]) -> Cost {
    let mut steps: Vec<usize> = Vec::new();
    for it in run {
        if let Happening::Step(step) = *it
            && failing.has(step)
            && !steps.contains(&step)
        {
            steps.push(step);
        }
    }
    let place = |step: &usize| steps.iter().position(|it| it == step);
    let is_there = |source: &Option<Access>| source.is_none_or(|it| place(&it.0).is_some());
    let changed = |it: &&Happening| match it {
        Happening::Read(read, source) => {
            failing.flows.get(read).is_some_and(|it| it != source && is_there(it))
        }
        _ => false,
    };
    let flipped = run.iter().fold(0, |flipped, it| match it {
        Happening::Branch(it) => flipped | failing.flipped(*it),
        _ => flipped,
    });
    let thread = |step: usize| failing.threads[step];
    let broken = |segment: &&[usize]| {
        let places: Vec<usize> = segment.iter().filter_map(place).collect();
        let ends = places.iter().min().zip(places.iter().max());
        ends.is_some_and(|(first, last)| last - first + 1 > places.len())
    };
    let moved = |pair: &&[usize]| {
        thread(pair[0]) != thread(pair[1])
            && place(&pair[0]).zip(place(&pair[1])).is_some_and(|(a, b)| a + 1 != b)
    };
    let segments = failing.steps.chunk_by(|a, b| thread(*a) == thread(*b));
    Cost {
        flips: flipped.count_ones() as usize,
        which: flipped,
        flows: run.iter().filter(changed).count(),
        segments: segments.filter(broken).count(),
        switches: failing.steps.windows(2).filter(moved).count(),
    }
}
