//! Ways to make a piece of code atomic.

use super::construct::Construct;
use super::generator::Gen;
use super::lock::Lock;
use super::tree::{Stmt, line, parts};

/// What protects a piece of code; all that share data use the same.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Guard {
    None,
    /// An expression for a mutex.
    Mutex(String),
    Section,
    Function,
    /// Another kind of lock.
    Lock(Lock),
    /// Two statements around it.
    Pair(String, String),
}

impl Gen {
    /// A mutex of the program: an old one, or a new one as long as there are
    /// few.
    pub(super) fn mutex(&mut self) -> String {
        if self.mutexes.len() >= 2 || (self.mutexes.len() == 1 && self.rng.chance(60)) {
            let index = self.rng.index(self.mutexes.len());
            return self.mutexes[index].clone();
        }
        self.new_mutex()
    }

    /// A mutex that is not `other`.
    pub(super) fn other_mutex(&mut self, other: &str) -> String {
        let found = self.mutexes.iter().find(|name| *name != other).cloned();
        found.unwrap_or_else(|| self.new_mutex())
    }

    pub(super) fn new_mutex(&mut self) -> String {
        let name = self.name("m");
        if self.rng.chance(70) {
            self.global(&name, format!("pthread_mutex_t {name} = PTHREAD_MUTEX_INITIALIZER;"));
        } else {
            self.global(&name, format!("pthread_mutex_t {name};"));
            let init = format!("pthread_mutex_init(&{name}, 0);");
            self.setup.insert(0, Stmt::declares(&name, init));
        }
        self.mutexes.push(name.clone());
        name
    }

    /// Some protection.
    pub(super) fn guard(&mut self) -> Guard {
        if self.primitives && self.rng.chance(90) {
            return Guard::Lock(self.any_lock());
        }
        match self.rng.below(10) {
            0 | 1 => Guard::Function,
            2 | 3 => Guard::Section,
            _ => {
                let name = self.mutex();
                Guard::Mutex(format!("&{name}"))
            }
        }
    }

    /// A protection that does not exclude `guard`, if it is a lock.
    pub(super) fn wrong_guard(&mut self, guard: &Guard) -> Guard {
        match guard {
            Guard::Mutex(name) if self.rng.chance(40) => {
                let other = self.other_mutex(name.trim_start_matches('&'));
                Guard::Mutex(format!("&{other}"))
            }
            Guard::Lock(lock) if self.rng.chance(60) => match lock.mistaken() {
                Some((before, after)) => Guard::Pair(before, after),
                None => Guard::None,
            },
            _ => Guard::None,
        }
    }

    /// The statements, protected. They must not return and must not use what a
    /// function around them declares.
    pub(super) fn guarded(&mut self, guard: &Guard, body: Vec<Stmt>) -> Vec<Stmt> {
        match guard {
            Guard::None => body,
            Guard::Section => self.around(
                "__VERIFIER_atomic_begin();".into(),
                body,
                "__VERIFIER_atomic_end();".into(),
            ),
            Guard::Function => {
                let name = self.function("__VERIFIER_atomic_f", "void @(void)", body);
                vec![line(format!("{name}();"))]
            }
            Guard::Mutex(mutex) => self.locked(mutex, body),
            Guard::Lock(lock) => self.around(lock.acquire(), body, lock.release()),
            Guard::Pair(before, after) => self.around(before.clone(), body, after.clone()),
        }
    }

    fn locked(&mut self, mutex: &str, body: Vec<Stmt>) -> Vec<Stmt> {
        let plain = |g: &mut Gen, mutex: &str, body| {
            let lock = format!("pthread_mutex_lock({mutex});");
            g.around(lock, body, format!("pthread_mutex_unlock({mutex});"))
        };
        match self.rng.below(10) {
            0 => {
                let body = plain(self, mutex, body);
                let name = self.function("update", "void @(void)", body);
                vec![Stmt::new(parts![format!("{name}();"), Construct::LockInFunction])]
            }
            1 => {
                let body = plain(self, "lock", body);
                let name = self.function("update", "void @(pthread_mutex_t *lock)", body);
                vec![
                    Stmt::new(parts![format!("{name}({mutex});")])
                        .mark(Construct::LockThroughPointer)
                        .mark(Construct::LockInFunction),
                ]
            }
            2 => {
                let lock = Stmt::required("pthread_mutex_lock(lock);");
                let unlock = Stmt::required("pthread_mutex_unlock(lock);");
                let acquire = self.function("acquire", "void @(pthread_mutex_t *lock)", vec![lock]);
                let release =
                    self.function("release", "void @(pthread_mutex_t *lock)", vec![unlock]);
                let mut stmts = self.around(
                    format!("{acquire}({mutex});"),
                    body,
                    format!("{release}({mutex});"),
                );
                stmts[0].parts.push(Construct::LockThroughPointer.into());
                stmts[0].parts.push(Construct::LockInFunction.into());
                stmts
            }
            _ => plain(self, mutex, body),
        }
    }
}
