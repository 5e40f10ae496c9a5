//! A condition variable and its mutex, of POSIX or of C11.

use super::generator::Gen;
use super::objects::{CND, COND, MTX, MUTEX};

/// The names of both objects.
#[derive(Clone, Debug)]
pub(super) struct Monitor {
    pub(super) mutex: String,
    pub(super) cond: String,
    c11: bool,
}

impl Gen {
    /// A new condition variable with a new mutex.
    pub(super) fn monitor(&mut self) -> Monitor {
        let c11 = self.rng.chance(if self.c11 { 80 } else { 30 });
        let (mutex, cond) = if c11 { (&MTX, &CND) } else { (&MUTEX, &COND) };
        Monitor { mutex: self.object(mutex), cond: self.object(cond), c11 }
    }

    /// Another condition variable with the same mutex.
    pub(super) fn second_condition(&mut self, of: &Monitor) -> Monitor {
        let cond = self.object(if of.c11 { &CND } else { &COND });
        Monitor { cond, ..of.clone() }
    }
}

impl Monitor {
    fn word(&self, posix: &'static str, c11: &'static str) -> &'static str {
        if self.c11 { c11 } else { posix }
    }

    pub(super) fn lock(&self) -> String {
        format!("{}(&{});", self.word("pthread_mutex_lock", "mtx_lock"), self.mutex)
    }

    pub(super) fn unlock(&self) -> String {
        format!("{}(&{});", self.word("pthread_mutex_unlock", "mtx_unlock"), self.mutex)
    }

    pub(super) fn wait(&self) -> String {
        let function = self.word("pthread_cond_wait", "cnd_wait");
        format!("{function}(&{}, &{});", self.cond, self.mutex)
    }

    /// A wait that ends at some time: an expression.
    pub(super) fn timed_wait(&self, deadline: &str) -> String {
        let function = self.word("pthread_cond_timedwait", "cnd_timedwait");
        format!("{function}(&{}, &{}, {deadline})", self.cond, self.mutex)
    }

    /// What the expression gives then.
    pub(super) fn timeout(&self) -> &'static str {
        self.word("ETIMEDOUT", "thrd_timedout")
    }

    pub(super) fn signal(&self) -> String {
        format!("{}(&{});", self.word("pthread_cond_signal", "cnd_signal"), self.cond)
    }

    pub(super) fn broadcast(&self) -> String {
        format!("{}(&{});", self.word("pthread_cond_broadcast", "cnd_broadcast"), self.cond)
    }

    pub(super) fn destroy(&self) -> String {
        format!("{}(&{});", self.word("pthread_cond_destroy", "cnd_destroy"), self.cond)
    }
}
