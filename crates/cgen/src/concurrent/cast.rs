//! Who takes part in an idiom whose threads wait for each other.

use super::crossed::add_thread;
use super::generator::{Actor, Arg, Gen, Join, Thread};

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
        chosen.iter().for_each(|actor| self.engage(*actor));
        chosen
    }

    /// One of them: for idioms in which somebody does something alone.
    pub(super) fn single(&mut self) -> Actor {
        let [actor] = self.singles();
        actor
    }

    fn single_threads(&self) -> Vec<Actor> {
        let of = |(f, thread): (usize, &Thread)| match (thread.count, &thread.arg) {
            (1, _) => vec![Actor::All(f)],
            // They cannot know their number.
            (_, Arg::Pointer { .. }) => Vec::new(),
            (count, _) => (0..count).map(|index| Actor::One(f, index)).collect(),
        };
        self.threads.iter().enumerate().flat_map(of).collect()
    }

    /// Sees to it that a thread runs, and knows its number where it needs it.
    fn engage(&mut self, actor: Actor) {
        if let Actor::One(f, _) = actor {
            self.use_index(f);
        }
        if let Actor::All(f) | Actor::One(f, _) = actor {
            self.threads[f].conditional = false;
        }
    }

    /// Will every thread have ended when `main` makes its checks?
    pub(super) fn all_are_joined(&self) -> bool {
        self.threads.iter().all(|thread| thread.join != Join::Never)
    }
}
