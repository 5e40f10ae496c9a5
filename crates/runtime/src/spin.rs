//! Threads that poll.
//!
//! A thread that reads the same value at the same place again and again, while nobody changes any
//! memory, probably waits for another one. Under every strategy the others go first then, or the run
//! would never end. It is a hint only: a loop that counts looks like that, too, and loses nothing by
//! letting others go first.
//!
//! That a run makes *no progress* is a stronger word, and needs proof: the thread comes back to the
//! same instruction with the same registers and the same stack, while nothing else has changed. Then
//! it does the same for ever, unless another thread changes something. [`Spin::observe`] is given a
//! fingerprint of that state, by the hooks (`hooks::observe`), only for threads that seem to poll.

/// What one thread has been reading.
#[derive(Clone, Copy, Debug)]
pub struct Spin {
    /// The read that is watched: its place, address and value.
    anchor: (u64, usize, u64),
    /// Other reads since.
    others: u32,
    /// How often the same came again.
    rounds: u32,
    /// Rounds after which others go first. It doubles when that was of no use.
    patience: u32,
    /// The count of changes that the rounds belong to.
    changes: u64,
    /// Fingerprint of the thread's state at the anchor.
    state: u64,
    /// The state was the same twice.
    proved: bool,
}

const FIRST_PATIENCE: u32 = 16;
const MOST_PATIENCE: u32 = 4096;
/// A loop that polls reads fewer places than this in one iteration.
const MOST_OTHERS: u32 = 64;

impl Spin {
    /// Nothing read yet.
    #[must_use]
    pub const fn new() -> Spin {
        let anchor = (0, 0, 0);
        let patience = FIRST_PATIENCE;
        Spin { anchor, others: 0, rounds: 0, patience, changes: 0, state: 0, proved: false }
    }

    /// A read, or something else that changes nothing; `changes` counts what was changed by anybody.
    /// Returns whether others should go first now.
    pub fn read(&mut self, site: u64, address: usize, value: u64, changes: u64) -> bool {
        if self.changes != changes {
            self.forget(changes);
        }
        if self.anchor != (site, address, value) {
            self.others += 1;
            if self.others > MOST_OTHERS || self.anchor.0 == 0 {
                self.anchor = (site, address, value);
                (self.others, self.rounds, self.state, self.proved) = (0, 0, 0, false);
            }
            return false;
        }
        self.others = 0;
        self.rounds += 1;
        let enough = self.rounds.is_multiple_of(self.patience);
        if enough {
            self.patience = (self.patience * 2).min(MOST_PATIENCE);
        }
        enough
    }

    fn forget(&mut self, changes: u64) {
        *self = Spin::new();
        self.changes = changes;
    }

    /// Whether the hooks should look at the thread's state at this place.
    #[must_use]
    pub fn wants_proof(&self, site: u64) -> bool {
        self.rounds > FIRST_PATIENCE && self.anchor.0 == site && !self.proved
    }

    /// Whether the thread still does nothing but read the same again and again.
    #[must_use]
    pub fn polls(&self) -> bool {
        self.rounds > 0
    }

    /// The thread is at the anchor in this state.
    pub fn observe(&mut self, state: u64) {
        self.proved |= self.state == state;
        self.state = state;
    }

    /// Whether the thread does the same for ever as long as nobody changes anything.
    #[must_use]
    pub fn is_proved(&self, changes: u64) -> bool {
        self.proved && self.changes == changes
    }
}

impl Default for Spin {
    fn default() -> Spin {
        Spin::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_polls_lets_others_go_first() {
        let mut spin = Spin::new();
        let rounds = (0..100).position(|_| spin.read(1, 0x10, 0, 7));
        assert_eq!(rounds, Some(FIRST_PATIENCE as usize));
    }

    #[test]
    fn a_walk_through_memory_does_not_poll() {
        let mut spin = Spin::new();
        assert!((0..10_000).all(|at| !spin.read(1, at * 8, 0, 7)));
    }

    #[test]
    fn a_change_begins_it_anew() {
        let mut spin = Spin::new();
        assert!((0..10_000).all(|change| !spin.read(1, 0x10, 0, change)));
    }

    #[test]
    fn it_is_proved_by_the_same_state_twice() {
        let mut spin = Spin::new();
        for _ in 0..100 {
            let _ = spin.read(1, 0x10, 0, 7);
        }
        assert!(spin.wants_proof(1) && !spin.wants_proof(2));
        spin.observe(5);
        assert!(!spin.is_proved(7));
        spin.observe(6);
        assert!(!spin.is_proved(7));
        spin.observe(6);
        assert!(spin.is_proved(7) && !spin.is_proved(8));
    }
}
