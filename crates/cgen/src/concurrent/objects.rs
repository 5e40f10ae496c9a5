//! Synchronization objects: how each kind is declared, initialized and destroyed.

use super::generator::Gen;
use super::tree::{Stmt, line};

/// A kind of object. In the texts, `@` is its name.
pub(super) struct Object {
    prefix: &'static str,
    ty: &'static str,
    /// What stands behind `=`; empty where there is none.
    initializer: &'static str,
    init: &'static str,
    destroy: &'static str,
}

pub(super) const COND: Object = Object {
    prefix: "cv",
    ty: "pthread_cond_t",
    initializer: "PTHREAD_COND_INITIALIZER",
    init: "pthread_cond_init(&@, 0);",
    destroy: "pthread_cond_destroy(&@);",
};
pub(super) const RWLOCK: Object = Object {
    prefix: "rw",
    ty: "pthread_rwlock_t",
    initializer: "PTHREAD_RWLOCK_INITIALIZER",
    init: "pthread_rwlock_init(&@, 0);",
    destroy: "pthread_rwlock_destroy(&@);",
};
pub(super) const SPIN: Object = Object {
    prefix: "sp",
    ty: "pthread_spinlock_t",
    initializer: "",
    init: "pthread_spin_init(&@, PTHREAD_PROCESS_PRIVATE);",
    destroy: "pthread_spin_destroy(&@);",
};
pub(super) const MUTEX: Object = Object {
    prefix: "mu",
    ty: "pthread_mutex_t",
    initializer: "PTHREAD_MUTEX_INITIALIZER",
    init: "pthread_mutex_init(&@, 0);",
    destroy: "pthread_mutex_destroy(&@);",
};
pub(super) const RECURSIVE: Object = Object {
    prefix: "rm",
    ty: "pthread_mutex_t",
    initializer: "PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP",
    init: "{ pthread_mutexattr_t attr; pthread_mutexattr_init(&attr); \
           pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE); \
           pthread_mutex_init(&@, &attr); }",
    destroy: "pthread_mutex_destroy(&@);",
};
pub(super) const ERRORCHECK: Object = Object {
    prefix: "em",
    ty: "pthread_mutex_t",
    initializer: "PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP",
    init: "{ pthread_mutexattr_t attr; pthread_mutexattr_init(&attr); \
           pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK); \
           pthread_mutex_init(&@, &attr); }",
    destroy: "pthread_mutex_destroy(&@);",
};
pub(super) const MTX: Object = Object {
    prefix: "mx",
    ty: "mtx_t",
    initializer: "",
    init: "mtx_init(&@, mtx_plain);",
    destroy: "mtx_destroy(&@);",
};
pub(super) const TIMED_MTX: Object = Object { init: "mtx_init(&@, mtx_timed);", ..MTX };
pub(super) const RECURSIVE_MTX: Object =
    Object { init: "mtx_init(&@, mtx_plain | mtx_recursive);", ..MTX };
pub(super) const CND: Object = Object {
    prefix: "cn",
    ty: "cnd_t",
    initializer: "",
    init: "cnd_init(&@);",
    destroy: "cnd_destroy(&@);",
};
pub(super) const ONCE: Object = Object {
    prefix: "once",
    ty: "pthread_once_t",
    initializer: "PTHREAD_ONCE_INIT",
    init: "",
    destroy: "",
};
pub(super) const ONCE_FLAG: Object =
    Object { ty: "once_flag", initializer: "ONCE_FLAG_INIT", ..ONCE };

impl Gen {
    /// A new object, initialized before the threads start and perhaps destroyed after their end.
    pub(super) fn object(&mut self, kind: &Object) -> String {
        let name = self.name(kind.prefix);
        let fixed = kind.init.is_empty() || !kind.initializer.is_empty() && self.rng.chance(60);
        if fixed {
            self.global(&name, format!("{} {name} = {};", kind.ty, kind.initializer));
        } else {
            self.global(&name, format!("{} {name};", kind.ty));
            let init = kind.init.replace('@', &name);
            self.setup.insert(0, Stmt::declares(&name, init));
        }
        self.perhaps_destroy(&name, kind.destroy);
        name
    }

    /// A new semaphore.
    pub(super) fn semaphore(&mut self, value: u32) -> String {
        let name = self.name("sem");
        self.global(&name, format!("sem_t {name};"));
        self.setup.insert(0, Stmt::declares(&name, format!("sem_init(&{name}, 0, {value});")));
        self.perhaps_destroy(&name, "sem_destroy(&@);");
        name
    }

    /// A new barrier for so many threads.
    pub(super) fn barrier(&mut self, count: u32) -> String {
        let name = self.name("bar");
        self.global(&name, format!("pthread_barrier_t {name};"));
        let init = format!("pthread_barrier_init(&{name}, 0, {count});");
        self.setup.insert(0, Stmt::declares(&name, init));
        self.perhaps_destroy(&name, "pthread_barrier_destroy(&@);");
        name
    }

    fn perhaps_destroy(&mut self, name: &str, destroy: &str) {
        if !destroy.is_empty() && self.all_are_joined() && self.rng.chance(40) {
            self.teardown.push(line(destroy.replace('@', name)));
        }
    }

    /// A moment in the past or future; nothing depends on which.
    pub(super) fn deadline(&mut self) -> &'static str {
        if !self.globals.iter().any(|item| item.name == "deadline") {
            self.global("deadline", "static const struct timespec deadline = {1, 0};");
        }
        "&deadline"
    }
}
