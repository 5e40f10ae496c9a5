//! A small seeded random number generator.
//!
//! The generator is splitmix64. It is written out here because a program must
//! stay the same for a given seed for ever, which an external crate does not
//! promise.

/// Pseudo-random numbers, wholly determined by the seed.
#[derive(Clone, Debug)]
pub(crate) struct Rng {
    state: u64,
}

impl Rng {
    /// A generator whose sequence depends on `seed` alone.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 random bits.
    pub(crate) fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        // The bias of the remainder is below 2^-32: no matter here.
        (self.bits() % u64::from(n.max(1))) as u32
    }

    /// A number in `low..=high`.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True in `percent` cases of a hundred.
    pub(crate) fn chance(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// An index into a slice of length `len`.
    pub(crate) fn index(&mut self, len: usize) -> usize {
        self.below(len as u32) as usize
    }

    /// One of `items`, which must not be empty.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        // Cannot fail: every caller passes a non-empty slice.
        items[self.index(items.len())]
    }

    /// One of `items`, each with its weight; the list must not be empty.
    pub(crate) fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> T {
        let total = items.iter().map(|(weight, _)| weight).sum();
        let mut left = self.below(total);
        for &(weight, item) in items {
            if left < weight {
                return item;
            }
            left -= weight;
        }
        // Not reached while the weights sum to `total`; a value is still due.
        items[0].1
    }

    /// Puts `items` in random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.index(i + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rng;

    #[test]
    fn same_seed_same_sequence() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        assert!((0..100).all(|_| a.bits() == b.bits()));
    }

    #[test]
    fn between_stays_in_range() {
        let mut rng = Rng::new(1);
        assert!((0..1000).all(|_| (3..=9).contains(&rng.between(3, 9))));
    }
}
