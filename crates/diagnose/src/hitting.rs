//! Smallest hitting sets, by branch and bound.
//!
//! Every passing run breaks some orders of the failing one, and a core contains at least one of
//! those: a core hits every such set. So no core is smaller than the smallest hitting set of the
//! sets known so far (implicit hitting sets; Ignatiev et al., CP 2015). The sets are few and the
//! cores small, so plain branching does.

use std::collections::BTreeSet;

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

    /// A smallest set of fewer than `limit` elements that hits all, if there is one.
    #[must_use]
    pub fn smallest_hitting(&self, limit: usize) -> Option<Vec<usize>> {
        (0..limit).find_map(|size| {
            let mut chosen = Vec::new();
            self.hit(size, &mut chosen).then_some(chosen)
        })
    }

    /// Extends the chosen elements by at most `left` so that they hit all sets.
    fn hit(&self, left: usize, chosen: &mut Vec<usize>) -> bool {
        let missed = |set: &&Vec<usize>| !set.iter().any(|it| chosen.contains(it));
        let Some(open) = self.sets.iter().filter(missed).min_by_key(|set| set.len()) else {
            return true;
        };
        if left == 0 {
            return false;
        }
        open.iter().any(|&element| {
            chosen.push(element);
            let hits = self.hit(left - 1, chosen);
            if !hits {
                chosen.pop();
            }
            hits
        })
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
        assert_eq!(sets.smallest_hitting(3), Some(vec![2]));
    }

    #[test]
    fn there_may_be_none_that_small() {
        let sets = sets(&[&[0], &[1], &[2, 3]]);
        assert_eq!(sets.smallest_hitting(3), None);
        assert_eq!(sets.smallest_hitting(4).map(|set| set.len()), Some(3));
    }

    #[test]
    fn no_sets_are_hit_by_nothing() {
        assert_eq!(Sets::default().smallest_hitting(1), Some(vec![]));
    }
}
