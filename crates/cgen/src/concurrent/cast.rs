//! Who takes part in an idiom whose threads wait for each other.

use super::crossed::add_thread;
use super::generator::{Actor, Gen, Join};

impl Gen {
    /// Different single threads that are certain to run, in random order; `main` or a new thread
    /// where there are too few. Who waits for a thread must be able to count on it.
    pub(super) fn singles<const N: usize>(&mut self) -> [Actor; N] {
        let mut actors = self.single_threads();
        if self.main_acts {
            actors.push(Actor::Main);
        }
        self.rng.shuffle(&mut actors);
        if actors.len() < N && !self.main_acts {
            actors.push(Actor::Main);
        }
        while actors.len() < N {
            add_thread(self);
            actors.push(Actor::All(self.threads.len() - 1));
        }
        // There are enough of them by now.
        let chosen: [Actor; N] = std::array::from_fn(|i| actors[i]);
        chosen.iter().for_each(|actor| self.make_certain(*actor));
        chosen
    }

    /// One of two: for idioms in which somebody does something alone.
    pub(super) fn single(&mut self) -> Actor {
        let [actor] = self.singles();
        actor
    }

    fn single_threads(&mut self) -> Vec<Actor> {
        let mut actors = Vec::new();
        for f in 0..self.threads.len() {
            let count = self.threads[f].count;
            if count == 1 {
                actors.push(Actor::All(f));
            } else if self.use_index(f) {
                actors.extend((0..count).map(|index| Actor::One(f, index)));
            }
        }
        actors
    }

    fn make_certain(&mut self, actor: Actor) {
        if let Actor::All(f) | Actor::One(f, _) = actor {
            self.threads[f].conditional = false;
        }
    }

    /// Will every thread have ended when `main` makes its checks?
    pub(super) fn all_are_joined(&self) -> bool {
        self.threads.iter().all(|thread| thread.join != Join::Never)
    }
}
