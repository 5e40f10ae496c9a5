//! Smallest hitting sets, by branch and bound.
//!
//! Every passing run breaks some orders of the failing one, and a core contains at least one of
//! those: a core hits every such set. So no core is smaller than the smallest hitting set of the
//! sets known so far (implicit hitting sets; Ignatiev et al., CP 2015). The sets are few and the
//! cores small, so plain branching does; where they are not, the search is given up.

use std::collections::BTreeSet;

/// The search takes more effort than it may.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooHard;

/// Sets of elements, to be hit.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    sets: Vec<Vec<usize>>,
    known: BTreeSet<Vec<usize>>,
}

impl Sets {
    /// Adds a set, in the order in which its elements are to be preferred.
    pub fn add(&mut self, set: Vec<usize>) {
        if self.known.insert(set.clone()) {
            self.sets.push(set);
        }
    }

    /// A smallest set of fewer than `limit` elements that hits all, if there is one. Each branch costs
    /// one of `effort`.
    ///
    /// # Errors
    /// The effort is used up, and neither is known.
    pub fn smallest_hitting(
        &self,
        limit: usize,
        effort: &mut u64,
    ) -> Result<Option<Vec<usize>>, TooHard> {
        for size in 0..limit {
            let mut chosen = Vec::new();
            if self.hit(size, &mut chosen, effort)? {
                return Ok(Some(chosen));
            }
        }
        Ok(None)
    }

    /// Extends the chosen elements by at most `left` so that they hit all sets.
    fn hit(&self, left: usize, chosen: &mut Vec<usize>, effort: &mut u64) -> Result<bool, TooHard> {
        let missed = |set: &&Vec<usize>| !set.iter().any(|it| chosen.contains(it));
        let Some(open) = self.sets.iter().filter(missed).min_by_key(|set| set.len()) else {
            return Ok(true);
        };
        if left == 0 {
            return Ok(false);
        }
        for &element in open {
            *effort = effort.checked_sub(1).ok_or(TooHard)?;
            chosen.push(element);
            if self.hit(left - 1, chosen, effort)? {
                return Ok(true);
            }
            chosen.pop();
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(all: &[&[usize]]) -> Sets {
        let mut sets = Sets::default();
        for set in all {
            sets.add(set.to_vec());
        }
        sets
    }

    #[test]
    fn one_element_may_hit_all() {
        let sets = sets(&[&[0, 1, 2], &[2, 3], &[4, 2]]);
        assert_eq!(sets.smallest_hitting(3, &mut 100), Ok(Some(vec![2])));
    }

    #[test]
    fn there_may_be_none_that_small() {
        let sets = sets(&[&[0], &[1], &[2, 3]]);
        assert_eq!(sets.smallest_hitting(3, &mut 100), Ok(None));
        let found = sets.smallest_hitting(4, &mut 100).map(|found| found.map(|set| set.len()));
        assert_eq!(found, Ok(Some(3)));
    }

    #[test]
    fn it_ends_when_the_effort_is_used_up() {
        let all: Vec<Vec<usize>> = (0..12).map(|set| (set * 20..set * 20 + 20).collect()).collect();
        let mut sets = Sets::default();
        all.into_iter().for_each(|set| sets.add(set));
        assert_eq!(sets.smallest_hitting(12, &mut 10_000), Err(TooHard));
    }

    #[test]
    fn no_sets_are_hit_by_nothing() {
        assert_eq!(Sets::default().smallest_hitting(1, &mut 1), Ok(Some(vec![])));
    }
}
